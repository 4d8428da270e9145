// Barriers of the whole grid in a cooperative launch: each round, every CTA
// reads what all others have written in the round before; and as many CTAs as
// the device has room for.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 %run %t all 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t all 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: env REGSHARE_DEVICE=gtx480 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=regmutex %run %t 2>&1 | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda/barrier>
#include <utility>
namespace cg = cooperative_groups;

__global__ void rounds(int *From, int *To, int Rounds) {
  cg::grid_group Grid = cg::this_grid();
  int Own = int(Grid.block_rank()), All = int(Grid.num_blocks());
  for (int R = 0; R != Rounds; ++R) {
    int Sum = 0;
    for (int I = 0; I != All; ++I)
      Sum += static_cast<volatile int *>(From)[I];
    if (threadIdx.x == 0)
      To[Own] = Sum % 1000 + Own;
    Grid.sync();
    int *Old = From;
    From = To;
    To = Old;
  }
}

/// After a barrier of the grid a warp's lanes go on together: they hand values
/// to each other, and wait for each other at a barrier with phases.
__global__ void together(int *Out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Bar;
  __shared__ int Box[2];
  auto Warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x == 0)
    init(&Bar, blockDim.x);
  cg::this_grid().sync();
  int Sum = cg::reduce(Warp, int(threadIdx.x), cg::plus<int>());
  if (Warp.thread_rank() == 0)
    Box[Warp.meta_group_rank()] = Sum;
  auto Token = Bar.arrive();
  Bar.wait(std::move(Token));
  if (threadIdx.x == 0)
    atomicAdd(Out, Box[0] + Box[1]);
}

static void asManyAsFit() {
  int *Sum, SMs = 0, PerSM = 0, Got = 0;
  cudaMalloc(&Sum, sizeof(int));
  cudaMemset(Sum, 0, sizeof(int));
  cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&PerSM, together, 64, 0);
  void *Arguments[] = {&Sum};
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(together), SMs * PerSM,
                              64, Arguments, 0, nullptr);
  cudaMemcpy(&Got, Sum, sizeof(int), cudaMemcpyDeviceToHost);
  // ALL: all that fit: 2016 of each
  std::printf("all that fit: %d of each%s\n", Got / (SMs * PerSM),
              Got % (SMs * PerSM) ? ", and more" : "");
}

int main(int Argc, char **) {
  if (Argc > 1) {
    asManyAsFit();
    return 0;
  }
  constexpr int CTAs = 20, Rounds = 6;
  int Want[CTAs], Next[CTAs], *A, *B, Count = Rounds;
  for (int I = 0; I != CTAs; ++I)
    Want[I] = I;
  cudaMalloc(&A, sizeof(Want));
  cudaMalloc(&B, sizeof(Want));
  cudaMemcpy(A, Want, sizeof(Want), cudaMemcpyHostToDevice);
  for (int R = 0; R != Rounds; ++R) {
    int Sum = 0;
    for (int V : Want)
      Sum += V;
    for (int I = 0; I != CTAs; ++I)
      Next[I] = Sum % 1000 + I;
    for (int I = 0; I != CTAs; ++I)
      Want[I] = Next[I];
  }
  void *Arguments[] = {&A, &B, &Count};
  auto *Kernel = reinterpret_cast<void *>(rounds);
  for (int Time = 0; Time != 2; ++Time)
    cudaLaunchCooperativeKernel(Kernel, CTAs, 64, Arguments, 0, nullptr);
  cudaLaunchCooperativeKernel(Kernel, 1 << 20, 64, Arguments, 0, nullptr);
  // CHECK: regshare: kernel '{{.*}}rounds{{.*}}' cannot be launched: 1048576 CTAs that have to be resident together
  // CHECK: too large: cudaErrorCooperativeLaunchTooLarge
  std::printf("too large: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(A, Want, sizeof(Want), cudaMemcpyHostToDevice);
  for (int I = 0; I != CTAs; ++I)
    Want[I] = I;
  cudaMemcpy(A, Want, sizeof(Want), cudaMemcpyHostToDevice);
  cudaLaunchCooperativeKernel(Kernel, CTAs, 64, Arguments, 0, nullptr);
  int Got[CTAs], Wrong = 0;
  cudaError_t Error = cudaMemcpy(Got, A, sizeof(Got), cudaMemcpyDeviceToHost);
  for (int I = 0; I != CTAs; ++I)
    Wrong += Got[I] != Next[I];
  // CHECK: cudaSuccess, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorName(Error), Wrong);
  std::fflush(stdout);
  // A launch whose CTAs need not be resident together.
  rounds<<<CTAs, 64>>>(A, B, Rounds);
  // CHECK: the kernel executed 'trap'
  // CHECK: plain launch: cudaErrorLaunchFailure
  std::printf("plain launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
