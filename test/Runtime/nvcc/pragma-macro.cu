// A macro that stands for `#pragma unroll`, in a header between angled
// brackets: nvcc makes a directive of it.
// RUN: split-file %s %t
// RUN: %regshare_clang -I%t/inc %t/main.cu -o %t/out 2>&1 | count 0
// RUN: env REGSHARE_TIMING=0 %run %t/out | FileCheck %s
// CHECK: 6
//--- inc/unroll.h
#define UNROLL #pragma unroll
//--- main.cu
#include <cstdio>
#include <unroll.h>
__global__ void k(int *To) {
  int Sum = 0;
  UNROLL
  for (int I = 0; I < 4; ++I)
    Sum += I;
  *To = Sum;
}
int main() {
  int *To, Out;
  cudaMalloc(&To, 4);
  k<<<1, 1>>>(To);
  cudaMemcpy(&Out, To, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", Out);
}
