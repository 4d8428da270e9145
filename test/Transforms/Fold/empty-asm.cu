// Inline PTX without text, which only keeps things in order, is no instruction:
// a statement before it would be one before nothing, and the code would not
// load.
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: regshare-opt --simulate --functional --block=32 '--arg=buf:f32*32' --arg=3 %t.ptx | FileCheck %s --check-prefix=RUNS
// CHECK: .entry orders
// CHECK: fma.rn.f32
// CHECK: fma.rn.f32
// RUNS: 1 CTA, 32 threads

extern "C" __global__ void orders(float *out, int n) {
  float x = out[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x & 1) {
      x = x * x + 1;
      x = x * x + 2;
    }
    asm volatile("" : "+f"(x));
  }
  out[threadIdx.x] = x;
}
