// Tiles and labelled groups of cooperative groups: lanes of one warp in groups
// with member masks of their own.
// REQUIRES: cuda-toolkit
// RUN: %if !asan %{ %regshare_clang --cuda-path=%cuda_path -O2 %s -o %t %}
// RUN: %if !asan %{ env REGSHARE_TIMING=0 %run %t | FileCheck %s %}
// RUN: %if !asan %{ env REGSHARE_CODE=native %run %t | FileCheck %s %}
// RUN: %regshare_clang -O2 %s -o %t.own
// RUN: env REGSHARE_TIMING=0 %run %t.own | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t.own | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(int *Out) {
  auto Tile = cg::tiled_partition<4>(cg::this_thread_block());
  auto Part = cg::binary_partition(Tile, threadIdx.x % 4 == 1);
  Out[threadIdx.x] = cg::reduce(Tile, int(threadIdx.x), cg::plus<int>()) * 10 +
                     int(Part.size());
}

/// Counts keys, with one atomic addition for all lanes that have the same.
__global__ void histogram(const int *Keys, int *Counts, int *Places) {
  int Key = Keys[threadIdx.x];
  if (Key < 0)
    return;
  auto Same = cg::labeled_partition(cg::coalesced_threads(), Key);
  int First = 0;
  if (Same.thread_rank() == 0)
    First = atomicAdd(&Counts[Key], int(Same.size()));
  Places[threadIdx.x] = Same.shfl(First, 0) + int(Same.thread_rank());
}

int main() {
  int Out[32], Keys[32], Counts[4] = {}, Places[32], *DOut, *DCounts, Wrong = 0;
  cudaMalloc(&DOut, sizeof(Out));
  cudaMalloc(&DCounts, sizeof(Counts));
  tiles<<<1, 32>>>(DOut);
  cudaMemcpy(Out, DOut, sizeof(Out), cudaMemcpyDeviceToHost);
  for (int T = 0; T != 32; ++T) {
    int First = T / 4 * 4;
    Wrong += Out[T] != (4 * First + 6) * 10 + (T % 4 == 1 ? 1 : 3);
  }
  for (int T = 0; T != 32; ++T)
    Keys[T] = T % 7 == 0 ? -1 : T * T % 4;
  int *DKeys;
  cudaMalloc(&DKeys, sizeof(Keys));
  cudaMemcpy(DKeys, Keys, sizeof(Keys), cudaMemcpyHostToDevice);
  cudaMemset(DCounts, 0, sizeof(Counts));
  histogram<<<1, 32>>>(DKeys, DCounts, DOut);
  cudaMemcpy(Counts, DCounts, sizeof(Counts), cudaMemcpyDeviceToHost);
  cudaMemcpy(Places, DOut, sizeof(Places), cudaMemcpyDeviceToHost);
  for (int T = 0; T != 32; ++T) {
    int Before = 0;
    for (int O = 0; O != T; ++O)
      Before += Keys[O] == Keys[T];
    Wrong += Keys[T] >= 0 && Places[T] != Before;
  }
  // CHECK: 0 wrong, 13 14
  std::printf("%d wrong, %d %d\n", Wrong, Counts[0], Counts[1]);
}
