// Barriers of the whole grid in a cooperative launch: each round, every CTA
// reads what all others have written in the round before.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_SCHEME=regmutex %run %t 2>&1 | FileCheck %s
#include <cooperative_groups.h>
#include <cstdio>
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

int main() {
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
