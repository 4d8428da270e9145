// Half precision, which CUDA's header has as inline PTX, is contracted in
// native code as ptxas does it, and a pair goes around a loop in one register.
// What names its rounding is not contracted.

// RUN: regshare-opt --code=native -mcpu=sm_75 --emit=ptx %s | FileCheck %s
// RUN: regshare-opt --code=ptx -mcpu=sm_75 --emit=ptx %s | FileCheck %s --check-prefix=PTX
#include <cuda_fp16.h>

// CHECK-LABEL: .entry _Z5pairs
// CHECK: Inner Loop Header
// CHECK-NOT: {{shl|or\.b32|prmt|cvt}}
// CHECK: fma.rn.f16x2 [[X:%r[0-9]+]], [[X]], {{%r[0-9]+}}, [[X]];
// CHECK-NOT: {{shl|or\.b32|prmt|cvt|mul|fma}}
// CHECK: bra
// PTX-LABEL: .entry _Z5pairs
// PTX: Inner Loop Header
// PTX: mul.f16x2
// PTX: add.f16x2
__global__ void pairs(half2 *Data, int N) {
  half2 X = __halves2half2(Data[0].x, Data[1].y), Y = Data[1];
#pragma unroll 1
  for (int I = 0; I < N; ++I)
    X = X * Y + X;
  Data[0] = X;
}

// CHECK-LABEL: .entry _Z6halves
// CHECK: fma.rn.f16
// CHECK-NOT: {{mul|fma}}
// CHECK: ret;
__global__ void halves(half *Data) { Data[0] = Data[1] * Data[2] + Data[0]; }

// CHECK-LABEL: .entry _Z7rounded
// CHECK: mul.rn.f16
// CHECK: add
// CHECK-NOT: fma
// CHECK: ret;
__global__ void rounded(half *Data) {
  Data[0] = __hmul_rn(Data[1], Data[2]) + Data[0];
}
