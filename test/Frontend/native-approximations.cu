// Approximate functions of constants whose exact result is a number are
// computed in native code, as nvcc does, and loops that depend on them
// unrolled. In the form of PTX, and where the exact result is no float, they
// stay.
// RUN: regshare-opt %s --no-cuda-toolkit --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: regshare-opt %s --no-cuda-toolkit --code=native --emit=ptx -o %t.native
// RUN: FileCheck %s < %t.native

// Both do the same.
// RUN: regshare-opt %s --no-cuda-toolkit --simulate --functional --kernel=reduce --block=16 --arg=buf:f32*16=iota --print-arg=0:16 -o - | grep -v instructions > %t.1
// RUN: regshare-opt %s --no-cuda-toolkit --code=native --simulate --functional --kernel=reduce --block=16 --arg=buf:f32*16=iota --print-arg=0:16 -o - | grep -v instructions > %t.2
// RUN: cmp %t.1 %t.2

// As Rodinia's backprop reduces: four rounds, of which each divides by a power
// of two. nvcc has known it as a floating-point number and so divides by it;
// the half of it is computed.
// PTX-LABEL: .entry reduce(
// PTX: lg2.approx
// PTX: ex2.approx
// PTX: rem.s32
// CHECK-LABEL: .entry reduce(
// CHECK-NOT: {{lg2|ex2|cvt\.}}
// CHECK-COUNT-4: rem.s32
// CHECK-NOT: {{lg2|ex2|rem|div|cvt\.}}
// CHECK: ret;
extern "C" __global__ void reduce(float *data) {
  __shared__ float part[16];
  int t = threadIdx.x;
  part[t] = data[t];
  __syncthreads();
  for (int i = 1; i <= __log2f(16); i++) {
    int power = __powf(2, i);
    if (t % power == 0)
      part[t] = part[t] + part[t + power / 2];
    __syncthreads();
  }
  data[t] = part[t];
}

// CHECK-LABEL: .entry exact(
// CHECK-NOT: {{(lg2|div).approx}}
// CHECK-DAG: mov.b32 {{.*}}, -1069547520;
// CHECK-DAG: mov.b32 {{.*}}, -1094713344;
// CHECK: ret;
extern "C" __global__ void exact(float *out) {
  out[0] = __log2f(0.125f);         // -3
  out[1] = __fdividef(3.0f, -8.0f); // -0.375
}

// A divisor that is no constant, or that was an integer, is left to LLVM.
// CHECK-LABEL: .entry divisors(
// CHECK: cvt.rzi.s32.f32 [[D:%r[0-9]+]],
// CHECK: rem.s32 %{{.*}}, [[D]];
// CHECK-NOT: {{rem|div}}
// CHECK: ret;
extern "C" __global__ void divisors(int *out, float divisor) {
  int t = threadIdx.x;
  out[t] = t % int(divisor);
  out[t + 1] = t % 8;
}

// CHECK-LABEL: .entry inexact(
// CHECK-DAG: lg2.approx
// CHECK-DAG: div.approx
// CHECK-DAG: ex2.approx
// CHECK: ret;
extern "C" __global__ void inexact(float *out) {
  out[0] = __log2f(3.0f);
  out[1] = __fdividef(1.0f, 3.0f);
  out[2] = exp2f(0.5f) * __expf(1.0f);
}
