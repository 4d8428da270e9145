// Barriers that wait for bytes, of cuda::device, which sm_90 has.
// RUN: %regshare_clang -arch=sm_90 -std=c++17 -O2 %s -o %t
// RUN: env REGSHARE_DEVICE=h100 %run %t
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t
// RUN: not %regshare_clang -arch=sm_80 -std=c++17 -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}'device'

#include "../Inputs/expect.h"
#include <cuda/barrier>
#include <utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace bulk = cuda::device::experimental;
constexpr int Count = 256, Rounds = 5;

/// A thread brings the bytes; \p IsTold: after the barrier knows of them, else
/// before. The others have arrived, or arrive later.
__global__ void rounds(int *Out, const int *In, bool IsTold, bool IsLast) {
  __shared__ alignas(16) int Shared[Count];
  __shared__ Barrier B;
  if (threadIdx.x == 0)
    init(&B, blockDim.x);
  __syncthreads();
  constexpr cuda::aligned_size_t<16> Bytes(sizeof(Shared));
  int Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    const int *From = In + Round * Count;
    Barrier::arrival_token Token;
    if (threadIdx.x == (IsLast ? blockDim.x - 1 : 0)) {
      if (IsTold)
        Token = cuda::device::barrier_arrive_tx(B, 1, sizeof(Shared));
      cuda::device::memcpy_async_tx(Shared, From, Bytes, B);
      if (!IsTold)
        Token = cuda::device::barrier_arrive_tx(B, 1, sizeof(Shared));
    } else {
      Token = B.arrive();
    }
    B.wait(std::move(Token));
    for (int I = threadIdx.x; I < Count; I += blockDim.x)
      Sum = Sum * 3 + Shared[(I + 1) % Count];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

/// All arrive before the first byte comes, of two copies.
__global__ void late(int *Out, const int *In) {
  __shared__ alignas(16) int Shared[Count];
  __shared__ Barrier B;
  if (threadIdx.x == 0) {
    init(&B, blockDim.x);
    cuda::device::barrier_expect_tx(B, sizeof(Shared));
  }
  __syncthreads();
  Barrier::arrival_token Token = B.arrive();
  __syncthreads();
  if (threadIdx.x == 0) {
    Out[Count] = 0;
    bulk::cp_async_bulk_global_to_shared(Shared, In, sizeof(Shared) / 2, B);
    Barrier::arrival_token Copy = Token;
    Out[Count] = B.try_wait(std::move(Copy));
    bulk::cp_async_bulk_global_to_shared(Shared + Count / 2, In + Count / 2,
                                         sizeof(Shared) / 2, B);
  }
  B.wait(std::move(Token));
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Shared[I] += 1;
  bulk::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk::cp_async_bulk_shared_to_global(Out, Shared, sizeof(Shared));
    bulk::cp_async_bulk_commit_group();
    bulk::cp_async_bulk_wait_group_read<0>();
  }
}

int main() {
  constexpr int Threads = 64;
  int *In, *Out;
  EXPECT_OK(cudaMallocManaged(&In, Rounds * Count * sizeof(int)));
  EXPECT_OK(cudaMallocManaged(&Out, (Count + 1) * sizeof(int)));
  for (int I = 0; I != Rounds * Count; ++I)
    In[I] = I * 7 + 1;
  for (int Case = 0; Case != 4; ++Case) {
    rounds<<<1, Threads>>>(Out, In, Case & 1, Case & 2);
    EXPECT_OK(cudaDeviceSynchronize());
    for (int Thread = 0; Thread != Threads; ++Thread) {
      unsigned Sum = 0;
      for (int Round = 0; Round != Rounds; ++Round)
        for (int I = Thread; I < Count; I += Threads)
          Sum = Sum * 3 + unsigned(In[Round * Count + (I + 1) % Count]);
      EXPECT(unsigned(Out[Thread]) == Sum);
    }
  }
  late<<<1, Threads>>>(Out, In);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I != Count; ++I)
    EXPECT(Out[I] == In[I] + 1);
  // Half of the bytes were not enough.
  EXPECT(Out[Count] == 0);
  return failures();
}
