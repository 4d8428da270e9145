// Makefiles that name an old processor: CUB includes the header for
// asynchronous copies, and CCCL's barriers are for sm_70 and later only.
// CCCL takes the compiler for clang, although nvcc's macro is defined.
// REQUIRES: cuda-toolkit
// RUN: env CUDA_PATH=%cuda_path %regshare_clang -std=c++17 -arch=sm_60 -O1 -Wno-pass-failed %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: largest 996 of 1000

#include <cstdio>
#include <cub/cub.cuh>

#if !defined(__NVCC__) || _CCCL_CUDA_COMPILER(NVCC)
#error __NVCC__ is to be defined, and CCCL not to know it
#endif

int main() {
  const int N = 1000;
  int Host[N], *In, *Out, Largest = 0;
  for (int I = 0; I != N; ++I)
    Host[I] = I * 37 % 997;
  cudaMalloc(&In, sizeof(Host));
  cudaMalloc(&Out, sizeof(int));
  cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice);
  void *Scratch = nullptr;
  size_t Bytes = 0;
  cub::DeviceReduce::Max(Scratch, Bytes, In, Out, N);
  cudaMalloc(&Scratch, Bytes);
  cub::DeviceReduce::Max(Scratch, Bytes, In, Out, N);
  cudaMemcpy(&Largest, Out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("largest %d of %d\n", Largest, N);
}
