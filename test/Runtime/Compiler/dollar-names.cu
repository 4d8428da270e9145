// Names with '$': a kernel's own, and clang's names of lambdas' types.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cstdio>

__global__ void twice$(int *Out) { Out[threadIdx.x] = 2 * threadIdx.x; }

template <typename Fn> __global__ void each(int *Out, Fn F) {
  Out[threadIdx.x] = F(Out[threadIdx.x]);
}

int main() {
  int Out[32], *D;
  cudaMalloc(&D, sizeof(Out));
  twice$<<<1, 32>>>(D);
  each<<<1, 32>>>(D, [=] __device__(int V) { return V + 100; });
  cudaError_t Error = cudaMemcpy(Out, D, sizeof(Out), cudaMemcpyDeviceToHost);
  // CHECK: no error: 100 162
  std::printf("%s: %d %d\n", cudaGetErrorString(Error), Out[0], Out[31]);
}
