// Our headers of sizes, barriers and pipelines go with the type traits of CCCL,
// where an installed toolkit has that, in the order of NVIDIA's samples.
// RUN: %regshare_clang -std=c++17 -arch=sm_80 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=a100 %run %t | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/std/type_traits>

#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>

template <typename T> __global__ void copy(T *Out, const T *In) {
  static_assert(cuda::std::is_same<T, int>::value);
  __shared__ T Box[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> Bar;
  if (threadIdx.x == 0)
    init(&Bar, blockDim.x);
  __syncthreads();
  cuda::pipeline<cuda::thread_scope_thread> Pipe = cuda::make_pipeline();
  Pipe.producer_acquire();
  cuda::memcpy_async(&Box[threadIdx.x], &In[threadIdx.x],
                     cuda::aligned_size_t<sizeof(T)>(sizeof(T)), Pipe);
  Pipe.producer_commit();
  Pipe.consumer_wait();
  Bar.arrive_and_wait();
  Out[threadIdx.x] = Box[63 - threadIdx.x];
  Pipe.consumer_release();
}

int main() {
  int *In, *Out;
  cudaMallocManaged(&In, 64 * sizeof(int));
  cudaMallocManaged(&Out, 64 * sizeof(int));
  for (int I = 0; I < 64; ++I)
    In[I] = I * I;
  copy<<<1, 64>>>(Out, In);
  cudaDeviceSynchronize();
  int Right = 0;
  for (int I = 0; I < 64; ++I)
    Right += Out[I] == (63 - I) * (63 - I);
  printf("%d right\n", Right);
  // CHECK: 64 right
}
