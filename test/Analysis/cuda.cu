// From source: which branches of a kernel part a warp. The bounds check, the
// test before the inner loop and that loop's own depend on the thread, the
// outer loop's two on a parameter.
// RUN: regshare-opt %s -O2 -mcpu=sm_75 --passes=regshare-assign-registers,regshare-print-divergence | FileCheck %s
// CHECK-LABEL: divergence of sums: 3 of 5 branches
// CHECK-COUNT-2: uniform branch
#include <cuda_runtime.h>

extern "C" __global__ void sums(const int *in, int *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 1
    for (int k = 0; k < in[i]; ++k)
      sum = sum * 3 + in[k];
  }
  out[i] = sum;
}
