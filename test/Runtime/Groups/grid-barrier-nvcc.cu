// A barrier of the grid in nvcc's own code, in a program that it has made.
// REQUIRES: nvcc
// RUN: %nvcc -arch=sm_75 -I%S -c %s -o %t.o
// RUN: %regshare_clang %t.o -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_CODE=native %run %t
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=ltrf %run %t
// RUN: %nvcc -arch=sm_75 -I%S -ptx %s -o %t.ptx
// RUN: regshare-opt %t.ptx --simulate --device=h100 --kernel=turn --grid=4 --block=32 --arg=buf:i32*128 --arg=buf:i32*128 --print-arg=0:4 | FileCheck %s
// CHECK: [0] 378 375 372 369
#include "../Inputs/expect.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Turns the numbers around, and moves them by one.
__global__ void turn(int *A, int *B) {
  cg::grid_group Grid = cg::this_grid();
  int T = int(Grid.thread_rank()), All = int(Grid.size());
  A[T] = T * 3;
  Grid.sync();
  B[T] = A[All - 1 - T];
  Grid.sync();
  A[T] = B[(T + 1) % All];
}

__global__ void ask(int *Valid) { *Valid = cg::this_grid().is_valid(); }

int main() {
  const int Blocks = 6, Threads = 64, All = Blocks * Threads;
  int *A, *B, Found[All];
  EXPECT(cudaMalloc(&A, sizeof(Found)) == cudaSuccess);
  EXPECT(cudaMalloc(&B, sizeof(Found)) == cudaSuccess);
  void *Parameters[] = {&A, &B};
  EXPECT(cudaLaunchCooperativeKernel((const void *)turn, Blocks, Threads,
                                     Parameters) == cudaSuccess);
  EXPECT(cudaMemcpy(Found, A, sizeof(Found), cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  for (int I = 0; I != All; ++I)
    EXPECT(Found[I] == (All - 1 - (I + 1) % All) * 3);
  int Valid = 7;
  ask<<<1, 1>>>(A);
  EXPECT(cudaMemcpy(&Valid, A, sizeof(Valid), cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  EXPECT(Valid == 0);
  return 0;
}
