// nvcc's own macro is defined in CUDA sources, where headers for hosts and
// devices ask for it; CMake's question which compiler this is has clang's
// answer.
// RUN: rm -rf %t && split-file %s %t
// RUN: %regshare_clang -O1 %t/both.cu -o %t/both
// RUN: env REGSHARE_TIMING=0 %run %t/both | FileCheck %s
// RUN: %regshare_clang -D__NVCC__ -Werror -fsyntax-only %t/both.cu
// RUN: cp %t/compiler.cu %t/CMakeCUDACompilerId.cu
// RUN: not %regshare_clang -fsyntax-only %t/compiler.cu 2>&1 | FileCheck --check-prefix=NVCC %s
// RUN: not %regshare_clang -fsyntax-only %t/CMakeCUDACompilerId.cu 2>&1 | FileCheck --check-prefix=CLANG %s
// CHECK: 42
// NVCC: error: nvcc
// CLANG: error: clang

//--- half_open.h
#ifdef __NVCC__
#define ANYWHERE __host__ __device__
#else
#define ANYWHERE
#endif

//--- both.cu
#include "half_open.h"
#include <cstdio>

ANYWHERE int twice(int N) { return 2 * N; }

__global__ void k(int *P) { *P = twice(*P); }

int main() {
  int *P, N = twice(10) + 1;
  cudaMalloc(&P, sizeof(N));
  cudaMemcpy(P, &N, sizeof(N), cudaMemcpyHostToDevice);
  k<<<1, 1>>>(P);
  cudaMemcpy(&N, P, sizeof(N), cudaMemcpyDeviceToHost);
  std::printf("%d\n", N);
}

//--- compiler.cu
#if defined(__NVCC__)
#error nvcc
#elif defined(__clang__)
#error clang
#endif
