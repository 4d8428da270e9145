// Host threads make calls at the same time: each has its own last error and its
// own launch configurations.
// RUN: %regshare_clang -O1 -pthread %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"
#include <atomic>
#include <thread>
#include <vector>

__global__ void fill(int *P, int Value) {
  P[blockIdx.x * blockDim.x + threadIdx.x] = Value + blockIdx.x;
}

static std::atomic<int> Wrong{0};

static void worker(int Id) {
  for (int Round = 0; Round < 20; ++Round) {
    cudaStream_t S;
    int *P, Host[96];
    if (cudaStreamCreate(&S) || cudaMalloc(&P, sizeof(Host)))
      ++Wrong;
    fill<<<3, 32, 0, S>>>(P, 100 * Id);
    cudaMemcpyAsync(Host, P, sizeof(Host), cudaMemcpyDeviceToHost, S);
    if (cudaStreamSynchronize(S))
      ++Wrong;
    for (int I = 0; I < 96; ++I)
      Wrong += Host[I] != 100 * Id + I / 32;
    // Only odd threads make mistakes, and only they hear of them.
    if (Id % 2)
      cudaFree(Host);
    if (cudaGetLastError() != (Id % 2 ? cudaErrorInvalidValue : cudaSuccess))
      ++Wrong;
    if (cudaFree(P) || cudaStreamDestroy(S))
      ++Wrong;
  }
}

int main() {
  std::vector<std::thread> Threads;
  for (int Id = 0; Id < 4; ++Id)
    Threads.emplace_back(worker, Id);
  for (std::thread &T : Threads)
    T.join();
  EXPECT(Wrong == 0);
  EXPECT_OK(cudaGetLastError());
  return failures();
}
