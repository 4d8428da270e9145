// nvcc's options about the accuracy of device code, in both forms.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: rm -rf %t.d
// RUN: env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.d %run %t
// RUN: FileCheck %s --check-prefix=EXACT < %t.d/module0.ptx
// RUN: %regshare_clang -O2 -prec-div=false -prec-sqrt=false -ftz=true -fmad=false %s -o %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.d %run %t
// RUN: FileCheck %s --check-prefix=PTX < %t.d/module0.ptx
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.d %run %t
// RUN: FileCheck %s --check-prefix=NATIVE < %t.d/module0.ptx
// EXACT: div.rn.f32
// EXACT: sqrt.rn.f32
// EXACT: fma.rn.f32
// PTX-NOT: fma
// PTX: div.full.ftz.f32
// PTX: sqrt.approx.ftz.f32
// PTX: mul.rn.ftz.f32
// PTX: add.rn.ftz.f32
// PTX-NOT: fma
// NATIVE-NOT: fma
// NATIVE: div.full.ftz.f32
// NATIVE-NOT: fma
// NATIVE: sqrt.approx.ftz.f32
// NATIVE-NOT: fma
#include <cmath>
#include <cuda_runtime.h>

__global__ void compute(float *P) {
  P[0] = P[1] / P[2];
  P[1] = sqrtf(P[3]);
  P[2] = P[4] * P[5] + P[6];
}

int main() {
  float Host[7] = {0, 6, 3, 16, 2, 3, 4}, *Device;
  cudaMalloc(&Device, sizeof(Host));
  cudaMemcpy(Device, Host, sizeof(Host), cudaMemcpyHostToDevice);
  compute<<<1, 1>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  return Host[0] != 2 || Host[1] != 4 || Host[2] != 10;
}
