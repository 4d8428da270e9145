// Sides of branches that hardware executes under a predicate are straight code
// to it. A constant that each of them has in a register is put there once,
// before the first; the next comparison comes before a side; and where
// predicates run out, comparisons are made again instead of kept in registers.
// LABELS: schedule
// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | \
// RUN:   FileCheck %s --implicit-check-not=selp

// CHECK: // =>This Inner Loop Header
// CHECK: mov.b32 [[B:%r[0-9]+]], {{%r[0-9]+}};
// CHECK-NOT: mov.b32
// CHECK-COUNT-16: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 [[NEXT:%p[0-9]+]], [[GROUP:%r[0-9]+]], 5;
// CHECK: @{{%p[0-9]+}} bra
// CHECK-COUNT-4: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 [[AFTER:%p[0-9]+]], [[GROUP]], 6;
// CHECK: @[[NEXT]] bra
// CHECK-COUNT-4: fma.rn.f32 {{.*}}, [[B]];
// CHECK: setp.ne.b32 {{%p[0-9]+}}, [[GROUP]], 7;
// CHECK: @[[AFTER]] bra
// CHECK-COUNT-40: fma.rn.f32 {{.*}}, [[B]];
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
