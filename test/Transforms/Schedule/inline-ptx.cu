// Inline PTX that only computes, or says to LLVM that it loads, is put in order
// with what is around it, as ptxas does: the loop's counter and its comparison
// come before the last of a chain. What reads a clock stays where it is.
// LABELS: schedule
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | FileCheck %s
// RUN: regshare-opt --code=ptx -mcpu=sm_75 --emit=ptx %s | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: .entry chain(
// CHECK: Inner Loop Header
// CHECK: fma.rn.f32
// CHECK: add.s32 [[N:%r[0-9]+]], [[N]], -1;
// CHECK: fma.rn.f32
// CHECK: setp.eq.b32 [[P:%p[0-9]+]], [[N]], 0;
// CHECK: fma.rn.f32
// CHECK: @[[P]] bra
// PTX-LABEL: .entry chain(
// PTX: Inner Loop Header
// PTX-COUNT-3: fma.rn.f32
// PTX: add.s32
// PTX: setp
extern "C" __global__ void chain(float *Out, int N) {
  float X = Out[0], Y = Out[1];
#pragma unroll 1
  for (int I = 0; I < N; ++I) {
    asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(X) : "f"(Y));
    asm volatile("{ fma.rn.f32 %0, %1, %1, %0; }" : "+f"(X) : "f"(Y));
    asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(X) : "f"(Y));
  }
  Out[0] = X;
}

// CHECK-LABEL: .entry timed(
// CHECK: %clock
// CHECK: mul.lo.s32
// CHECK: %clock
extern "C" __global__ void timed(int *Out, int A) {
  int Begin, End;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(Begin)::"memory");
  asm volatile("mul.lo.s32 %0, %0, %0;" : "+r"(A));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(End)::"memory");
  Out[0] = A;
  Out[1] = End - Begin;
}
