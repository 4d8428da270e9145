// Headers for hosts and devices ask for nvcc's macro before they write
// __device__, in CUDA sources with and without a toolkit's headers.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %regshare_clang -D__NVCC__ -Werror -fsyntax-only %s
// CHECK: 42
#include <cstdio>

#ifdef __NVCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

BOTH int twice(int N) { return 2 * N; }

__global__ void k(int *P) { *P = twice(21); }

int main() {
  int *P, N = 0;
  cudaMalloc(&P, sizeof(N));
  k<<<1, 1>>>(P);
  cudaMemcpy(&N, P, sizeof(N), cudaMemcpyDeviceToHost);
  std::printf("%d\n", N);
}
