// What ptxas makes of each rung stands beside it, of a compiled program as of
// its source: in the first, of the PTX that the program has executed. The
// launch bounds let ptxas leave -maxrregcount unheeded, which it does not with
// ours. What needs no ptxas is in ../regshare-opt/ptxas-bound.ll and the Python
// tests.
// REQUIRES: cuda-toolkit
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/ladder.cu
// RUN: %regshare_clang -O2 %t/ladder.cu -o %t/ladder
// RUN: env REGSHARE_PTXAS=%ptxas %regshare_tune %t/ladder.cu --device=h100,sms=2 --json=%t/source.json | FileCheck %s
// RUN: env REGSHARE_PTXAS=%ptxas %regshare_tune %t/ladder --device=h100,sms=2 --json=%t/program.json | FileCheck %s --check-prefix=PROGRAM
// CHECK: CTAs warps limit registers ptxas spilled again
// CHECK: {{^ +[0-9]+ +[0-9]+ +32 +[0-9]+ +32 +[0-9]+ +[0-9]+ +[0-9]+ +[0-9,]+ }}
// PROGRAM: CTAs warps limit registers ptxas spilled again
// PROGRAM: {{^ +[0-9]+ +[0-9]+ +32 +[0-9]+ +32 +[0-9]+ +[0-9,]+ }}
// RUN: grep '"ptxas"' %t/source.json > %t/source
// RUN: grep '"ptxas"' %t/program.json > %t/program
// RUN: diff %t/source %t/program
// RUN: not grep null %t/program

#include <cuda_runtime.h>

constexpr int Values = 40, Threads = 256;

__global__ void __launch_bounds__(Threads) keep(const float *In, float *Out) {
  int First = threadIdx.x;
  float Kept[Values], Sum = 0;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Kept[I] = In[First + I * Threads];
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Sum = Sum * 3 + Kept[I] / Kept[(I * 7 + 5) % Values];
  Out[First] = Sum;
}

int main() {
  float *In, *Out;
  cudaMalloc(&In, Values * Threads * sizeof(float));
  cudaMalloc(&Out, Threads * sizeof(float));
  cudaMemset(In, 1, Values * Threads * sizeof(float));
  keep<<<1, Threads>>>(In, Out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
