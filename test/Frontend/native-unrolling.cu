// Native code has as many copies of a loop's body as nvcc and ptxas together
// make: docs/native-code.md.
//
// RUN: regshare-opt --code=native --mcpu=sm_90 --emit=ptx %s | FileCheck %s
// RUN: regshare-opt --code=ptx --mcpu=sm_90 --emit=ptx %s \
// RUN:   | FileCheck %s --check-prefix=PTX

// What is short is unrolled again where its trips are not known: 4 times 4.
// CHECK-LABEL: .entry unknown(
// CHECK-COUNT-16: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: bra
// PTX-LABEL: .entry unknown(
// PTX-COUNT-8: fma.rn.f32
// PTX-NOT: fma.rn.f32
// PTX: bra
extern "C" __global__ void unknown(float *X, int N) {
  float Sum = *X;
  for (int I = 0; I != N; ++I)
    Sum = Sum * Sum + 0.5f;
  *X = Sum;
}

// 1,250 trips have no more than 2 copies in clang's code.
// CHECK-LABEL: .entry known(
// CHECK-COUNT-50: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret
extern "C" __global__ void known(float *X, const float *Y) {
  float Sum = *X;
  for (int I = 0; I != 1250; ++I)
    Sum = Sum * Sum + Y[I];
  *X = Sum;
}

// CHECK-LABEL: .entry straight(
// CHECK-COUNT-100: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK-NOT: bra
// CHECK: ret
extern "C" __global__ void straight(float *X, const float *Y) {
  float Sum = *X;
  for (int I = 0; I != 100; ++I)
    Sum = Sum * Sum + Y[I];
  *X = Sum;
}

// CHECK-LABEL: .entry asToldOnce(
// CHECK: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret
extern "C" __global__ void asToldOnce(float *X) {
  float Sum = *X;
#pragma unroll 1
  for (int I = 0; I != 1000; ++I)
    Sum = Sum * Sum + 0.5f;
  *X = Sum;
}

// CHECK-LABEL: .entry asToldTwice(
// CHECK-COUNT-2: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret
extern "C" __global__ void asToldTwice(float *X) {
  float Sum = *X;
#pragma unroll 2
  for (int I = 0; I != 1000; ++I)
    Sum = Sum * Sum + 0.5f;
  *X = Sum;
}

// Lanes meet as often as the text says, and at no other place.
// CHECK-LABEL: .entry meeting(
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret
extern "C" __global__ void meeting(float *X, int N) {
  float Sum = *X;
  for (int I = 0; I < N; I += 4) {
    Sum = Sum * Sum + 0.5f;
    __syncthreads();
  }
  *X = Sum;
}

// Long bodies have clang's copies alone: 4, and one for what is over.
// CHECK-LABEL: .entry ofSix(
// CHECK-COUNT-30: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret
extern "C" __global__ void ofSix(float *X, int N) {
  float Sum = *X;
  for (int I = 0; I < N; ++I) {
    Sum = Sum * Sum + 0.5f;
    Sum = Sum * Sum + 1.5f;
    Sum = Sum * Sum + 2.5f;
    Sum = Sum * Sum + 3.5f;
    Sum = Sum * Sum + 4.5f;
    Sum = Sum * Sum + 5.5f;
  }
  *X = Sum;
}
