// Clusters of one CTA, which are all that there are: barriers whose arrival and
// wait are apart, addresses of another CTA's shared memory, and the rank that
// one belongs to. The cluster's barrier is none of the CTA's sixteen.
// RUN: %regshare_clang -arch=sm_90 -O2 %s -o %t
// RUN: env REGSHARE_DEVICE=h100 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_CODE=ptx REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=regmutex %run %t 2>&1 | FileCheck %s
// RUN: %regshare_clang -arch=sm_90 -O0 %s -o %t.O0
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t.O0 2>&1 | FileCheck %s
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void neighbours(int *Out) {
  __shared__ int Values[128];
  auto Cluster = cg::this_cluster();
  int T = Cluster.thread_rank();
  Values[T] = T * T;
  Cluster.sync();
  int *Theirs = Cluster.map_shared_rank(Values, 0);
  int Sum = Theirs[(T + 1) % 128] + Values[(T + 127) % 128];
  Cluster.sync();
  Theirs[T] = Sum;
  Cluster.sync();
  Out[blockIdx.x * 128 + T] =
      Values[127 - T] + Cluster.query_shared_rank(Theirs) +
      Cluster.block_rank() + Cluster.block_index().x +
      (Cluster.num_blocks() - 1) + (Cluster.num_threads() - 128) +
      (Cluster.dim_threads().x - 128);
}

// Warps that have arrived go on, and do what those who wait come later for. A
// warp that has ended has arrived for good.
__global__ void apart(int *Out, volatile int *Flag) {
  auto Cluster = cg::this_cluster();
  int Warp = threadIdx.x / 32;
  if (Warp == 3)
    return;
  auto Token = Cluster.barrier_arrive();
  if (Warp == 0) {
    Cluster.barrier_wait(std::move(Token));
    Flag[blockIdx.x] = 1;
  } else {
    while (!Flag[blockIdx.x])
      ;
    Cluster.barrier_wait();
  }
  __syncthreads();
  Cluster.sync();
  Out[blockIdx.x * 128 + threadIdx.x] = Warp;
}

__global__ void alone() { asm volatile("barrier.cluster.wait.acquire;"); }

__global__ void __cluster_dims__(2, 1, 1) two(int *Out) { *Out = 0; }

int main() {
  int *Out, *Flag, Wrong = 0;
  cudaMallocManaged(&Out, 256 * sizeof(int));
  cudaMalloc(&Flag, 2 * sizeof(int));
  cudaMemset(Flag, 0, 2 * sizeof(int));
  neighbours<<<2, 128>>>(Out);
  cudaError_t Error = cudaDeviceSynchronize();
  for (int N = 0; N != 256; ++N) {
    int T = 127 - N % 128, Next = (T + 1) % 128, Before = (T + 127) % 128;
    Wrong += Out[N] != Next * Next + Before * Before;
  }
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
  apart<<<2, 128>>>(Out, Flag);
  Error = cudaDeviceSynchronize();
  for (int N = 0; N != 256; ++N)
    Wrong += N % 128 < 96 && Out[N] != N % 128 / 32;
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
  std::fflush(stdout);
  // CHECK: kernel '_Z3twoPi' cannot be launched: there are no clusters of more than one CTA, it has clusters of 2x1x1
  // CHECK: the operation is not supported
  two<<<2, 32>>>(Out);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  std::fflush(stdout);
  // CHECK: a thread waits at the cluster's barrier without having arrived there
  // CHECK: a kernel failed
  alone<<<1, 32>>>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
