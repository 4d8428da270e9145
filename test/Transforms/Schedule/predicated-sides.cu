// Sides of branches that hardware executes under a predicate are straight code
// to it. A constant that each of them has in a register is put there once,
// before the first; the next comparison comes while a side is executed; and
// where predicates run out, comparisons are made again instead of kept in
// registers.
// LABELS: schedule
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | \
// RUN:   FileCheck %s --implicit-check-not=selp

// CHECK: // =>This Inner Loop Header
// CHECK: mov.b32 [[B:%r[0-9]+]], {{%r[0-9]+}};
// CHECK-NOT: mov.b32
// CHECK-COUNT-13: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 [[FOUR:%p[0-9]+]], [[GROUP:%r[0-9]+]], 4;
// CHECK-COUNT-3: fma.rn.f32 {{.*}}, [[B]];
// CHECK: @[[FOUR]] bra
// CHECK: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 [[FIVE:%p[0-9]+]], [[GROUP]], 5;
// CHECK: @[[FOUR]] bra
// CHECK-COUNT-3: fma.rn.f32 {{.*}}, [[B]];
// CHECK: @[[FIVE]] bra
// CHECK: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 {{%p[0-9]+}}, [[GROUP]], 6;
// CHECK: @[[FIVE]] bra
// CHECK-COUNT-39: fma.rn.f32 {{.*}}, [[B]];
extern "C" __global__ void groups(float *Out, float A, float B, int N) {
  float X = Out[threadIdx.x];
  int Group = threadIdx.x % 16;
  for (int I = 0; I < N; ++I) {
#pragma unroll
    for (int Way = 0; Way < 16; ++Way) {
      if (Group == Way) {
        X = X * A + B;
        X = X * A + B;
        X = X * A + B;
        X = X * A + B;
      }
      asm volatile("" : "+f"(X));
    }
  }
  Out[threadIdx.x] = X;
}
