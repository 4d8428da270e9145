// What says its rounding takes a constant as an operand, as what does not: the
// constant is in no register, so that the instruction reads what is defined.
// RUN: regshare-opt %s --code=native --mcpu=sm_80 --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: regshare-opt %s --code=ptx --simulate --functional --block=32 --arg=buf:f64*32=iota --arg=buf:f32*32=iota --print-arg=0:32 --print-arg=1:32 -o - | grep -v instructions > %t.1
// RUN: regshare-opt %s --code=native --simulate --functional --block=32 --arg=buf:f64*32=iota --arg=buf:f32*32=iota --print-arg=0:32 --print-arg=1:32 -o - | grep -v instructions > %t.2
// RUN: cmp %t.1 %t.2
extern "C" __global__ void rounded(double *D, float *F) {
  double X = D[threadIdx.x];
  float Y = F[threadIdx.x];
  // CHECK-DAG: mov.b64 [[A:%rd[0-9]+]], 0dC338000000000001;
  // CHECK-DAG: mov.b64 [[B:%rd[0-9]+]], 0d3FF123456789ABCD;
  // CHECK-DAG: mov.b32 [[C:%r[0-9]+]], 0f3F9E0652;
  // CHECK-DAG: mov.b32 [[E:%r[0-9]+]], 0f3F8CCCCD;
  // CHECK-DAG: add.rn.f64 {{.*}}, [[A]];
  // CHECK-DAG: mul.rp.f64 {{.*}}, [[B]];
  // CHECK-DAG: add.rz.f32 {{.*}}, [[C]];
  // CHECK-DAG: fma.rm.f32 {{.*}}, [[E]], {{.*}};
  D[threadIdx.x] =
      __dmul_ru(__dadd_rn(X, -0x1.8000000000001p+52), 0x1.123456789abcdp+0);
  F[threadIdx.x] = __fmaf_rd(__fadd_rz(Y, 0x1.3c0ca4p+0f), 1.1f, Y);
}
