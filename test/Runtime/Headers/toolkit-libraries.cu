// What comes with a toolkit as headers works with them: cooperative groups,
// half precision, random numbers.
// REQUIRES: cuda-toolkit
// RUN: %regshare_clang --cuda-path=%cuda_path -std=c++17 -O2 %s -o %t
// RUN: %run %t
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t

// With RegShare's own headers, random numbers are an installed toolkit's.
// RUN: env CUDA_PATH=%cuda_path %regshare_clang -std=c++17 -O2 %s -o %t.own
// RUN: env REGSHARE_TIMING=0 %run %t.own
// RUN: not %regshare_clang --cccl-path=%S/../Inputs -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: curand_kernel.h comes with CUDA 13, which is not in CUDA_PATH, CUDA_HOME or /usr/local/cuda; for another toolkit use --cuda-path

#include "../Inputs/expect.h"
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>

namespace cg = cooperative_groups;

/// The sum of the squares, by warps and then by all.
__global__ void squares(float *Sum, const __half *In, int N) {
  cg::thread_block Block = cg::this_thread_block();
  auto Warp = cg::tiled_partition<32>(Block);
  __shared__ float Partial[32];
  float S = 0;
  for (unsigned I = Block.thread_rank(); I < N; I += Block.size())
    S += __half2float(__hmul(In[I], In[I]));
  for (int Distance = 16; Distance; Distance /= 2)
    S += Warp.shfl_down(S, Distance);
  if (Warp.thread_rank() == 0)
    Partial[Warp.meta_group_rank()] = S;
  Block.sync();
  if (Block.thread_rank() != 0)
    return;
  *Sum = 0;
  for (unsigned I = 0; I < Warp.meta_group_size(); ++I)
    *Sum += Partial[I];
}

__global__ void uniform(float *Out) {
  curandStatePhilox4_32_10_t State;
  curand_init(1234, threadIdx.x, 0, &State);
  Out[threadIdx.x] = curand_uniform(&State);
}

int main() {
  constexpr int N = 500;
  __half Host[N], *In;
  float *Out, Sum, Expected = 0, Random[256], Mean = 0;
  for (int I = 0; I < N; ++I) {
    Host[I] = __float2half(I % 7);
    Expected += (I % 7) * (I % 7);
  }
  EXPECT_OK(cudaMalloc(&In, sizeof(Host)));
  EXPECT_OK(cudaMalloc(&Out, sizeof(Random)));
  EXPECT_OK(cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice));
  squares<<<1, 128>>>(Out, In, N);
  EXPECT_OK(cudaMemcpy(&Sum, Out, 4, cudaMemcpyDeviceToHost));
  EXPECT(Sum == Expected);
  uniform<<<1, 256>>>(Out);
  EXPECT_OK(cudaMemcpy(Random, Out, sizeof(Random), cudaMemcpyDeviceToHost));
  for (float X : Random) {
    EXPECT(X > 0 && X <= 1);
    Mean += X / 256;
  }
  EXPECT(Mean > 0.45f && Mean < 0.55f);
  return failures();
}
