// Thrust and CUB with RegShare's own headers and device math: an installed
// toolkit's are found. nvcc/cccl-path.cu says where others are.
// REQUIRES: cuda-toolkit
// LABELS: slow
// RUN: env CUDA_PATH=%cuda_path %regshare_clang -std=c++17 --extended-lambda -O1 -Wno-pass-failed %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: 0 out of order, sum 499500, half 250, met

// They come after our own headers.
// RUN: env CUDA_PATH=%cuda_path %regshare_clang -c %s -### 2>&1 | FileCheck --check-prefix=FOUND %s
// FOUND: -idirafter {{[^ ]*}}/include/cccl

// From C++17 on this is CCCL's even where it is the first.
#include <cuda/std/type_traits>

#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
// In a source with CCCL these are CCCL's.
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

// Libraries ask whether nvcc would take a lambda for devices.
#ifndef __CUDACC_EXTENDED_LAMBDA__
#error "expected the macro of --extended-lambda"
#endif

__global__ void meet(int *P) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Barrier;
  __shared__ int Arrived;
  if (threadIdx.x == 0) {
    Arrived = 0;
    init(&Barrier, blockDim.x);
  }
  __syncthreads();
  atomicAdd(&Arrived, 1);
  Barrier.arrive_and_wait();
  P[threadIdx.x] = Arrived == blockDim.x;
}

int main() {
  constexpr int N = 1000;
  thrust::host_vector<int> Host(N);
  for (int I = 0; I < N; ++I)
    Host[I] = I * 7919 % N;
  thrust::device_vector<int> Device = Host;
  thrust::device_vector<int> Sum(1);
  thrust::device_vector<char> Space;
  size_t Bytes = 0;
  for (int Pass = 0; Pass < 2; ++Pass) {
    cub::DeviceReduce::Sum(Pass ? Space.data().get() : nullptr, Bytes,
                           Device.data().get(), Sum.data().get(), N);
    Space.resize(Bytes);
  }
  thrust::sort(Device.begin(), Device.end());
  Host = Device;
  int Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += Host[I] != I;
  thrust::device_vector<__half> Halves(N, __float2half(0.25f));
  float Half = __half2float(
      thrust::reduce(Halves.begin(), Halves.end(), __float2half(0),
                     [] __device__(__half A, __half B) {
                       return __float2half(__half2float(A) + __half2float(B));
                     }));
  thrust::device_vector<int> Met(64);
  meet<<<1, 64>>>(Met.data().get());
  bool AllMet = thrust::reduce(Met.begin(), Met.end()) == 64;
  std::printf("%d out of order, sum %d, half %g, %s\n", Wrong, int(Sum[0]),
              Half, AllMet ? "met" : "not met");
  return 0;
}
