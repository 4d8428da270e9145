// OpenMP's header is found without -fopenmp, as nvcc finds gcc's.
// RUN: %regshare_clang %s -o %t 2>&1 | count 0
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: kernel 1 no error

#include <cstdio>
#include <omp.h>

__global__ void k(int *To) { *To = 1; }

int main() {
  int *To, Out;
  cudaMalloc(&To, sizeof(omp_sched_t) ? 4 : 0);
  k<<<1, 1>>>(To);
  cudaMemcpy(&Out, To, 4, cudaMemcpyDeviceToHost);
  printf("kernel %d %s\n", Out, cudaGetErrorString(cudaGetLastError()));
}
