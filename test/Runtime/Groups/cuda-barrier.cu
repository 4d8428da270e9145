// cuda::barrier of our own header, in shared memory without its constructor
// being run: phases, tokens, parity, threads that leave, and what completes a
// phase.
// RUN: %regshare_clang -std=c++17 -O2 %s -o %t 2>/dev/null
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=shrf %run %t | FileCheck %s
#include <cstdio>
#include <cuda/barrier>
#include <utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

struct Count {
  int *At = nullptr;
  __device__ void operator()() const { ++*At; }
};

/// Warps hand a value round, a phase each.
__global__ void phases(int *Out, int Rounds) {
  __shared__ Barrier Bar;
  __shared__ int Box[128];
  int T = threadIdx.x, Next = (T + 33) % int(blockDim.x), Sum = 0;
  if (T == 0)
    init(&Bar, blockDim.x);
  __syncthreads();
  for (int R = 0; R != Rounds; ++R) {
    Box[T] = R * 100 + T;
    Barrier::arrival_token Token = Bar.arrive();
    Bar.wait(std::move(Token));
    Sum += Box[Next];
    Bar.arrive_and_wait();
  }
  Out[T] = Sum;
}

/// Half of the threads leave after the first phase.
__global__ void leaves(int *Out) {
  __shared__ cuda::barrier<cuda::thread_scope_block, Count> Bar;
  __shared__ int Completed;
  if (threadIdx.x == 0) {
    Completed = 0;
    init(&Bar, blockDim.x, Count{&Completed});
  }
  __syncthreads();
  if (threadIdx.x % 2) {
    Bar.arrive_and_drop();
    return;
  }
  for (int R = 0; R != 3; ++R)
    Bar.arrive_and_wait();
  Out[threadIdx.x] = Completed;
}

int main() {
  int Got[128], Wrong = 0, *D;
  cudaMalloc(&D, sizeof(Got));
  phases<<<1, 128>>>(D, 4);
  cudaMemcpy(Got, D, sizeof(Got), cudaMemcpyDeviceToHost);
  for (int T = 0; T != 128; ++T)
    Wrong += Got[T] != 600 + 4 * ((T + 33) % 128);
  // CHECK: 0 wrong
  std::printf("%d wrong\n", Wrong);
  leaves<<<1, 128>>>(D);
  cudaError_t Error = cudaMemcpy(Got, D, sizeof(Got), cudaMemcpyDeviceToHost);
  // CHECK: no error: 3 3
  std::printf("%s: %d %d\n", cudaGetErrorString(Error), Got[0], Got[126]);
}
