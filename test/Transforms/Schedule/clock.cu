// What a program times stays between its two readings of the clock, though a
// side that comes after them would hide its latency.
// LABELS: schedule
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | FileCheck %s

// CHECK: ld.global.b32
// CHECK: mov.u32 %r{{[0-9]+}}, %clock;
// CHECK-COUNT-32: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: mov.u32 %r{{[0-9]+}}, %clock;
// CHECK-NOT: fma.rn.f32
// CHECK: sub.s32
// CHECK: st.global.b32
extern "C" __global__ void chain(float *Out, unsigned *Cycles, float X) {
  float Sum = Out[threadIdx.x];
  unsigned Begin = clock();
#pragma unroll
  for (int I = 0; I < 32; ++I)
    Sum = Sum * X + X;
  unsigned End = clock();
  Out[threadIdx.x] = Sum;
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}
