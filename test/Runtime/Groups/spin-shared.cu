// Warps that spin on shared memory until others of the CTA set it, which
// two-level schedulers would not let come to run: one after the other, from the
// last warp to the first.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEDULER=two-level %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEDULER=ltlws-lrr %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=rfc %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=ltrf-plus %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=shrf REGSHARE_CODE=native %run %t | FileCheck %s
// Where the first of them never begins, all wait for ever.
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEDULER=two-level %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=shrf %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_SCHEME=ltrf %run %t never 2>&1 | FileCheck %s --check-prefix=NEVER
#include <cstdio>

__global__ void relay(int *Order, int Begins) {
  __shared__ volatile int Next, Count;
  int Warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    Next = Begins;
    Count = 0;
  }
  __syncthreads();
  while (Next != Warp) {
  }
  if (threadIdx.x % 32 == 0) {
    Order[Count] = Warp;
    Count = Count + 1;
    __threadfence_block();
    Next = Warp - 1;
  }
}

int main(int Arguments, char **) {
  constexpr int Warps = 24;
  int Order[Warps] = {}, *D, Wrong = 0;
  cudaMalloc(&D, sizeof(Order));
  relay<<<1, 32 * Warps>>>(D, Arguments > 1 ? -1 : Warps - 1);
  cudaError_t Error =
      cudaMemcpy(Order, D, sizeof(Order), cudaMemcpyDeviceToHost);
  for (int W = 0; W != Warps; ++W)
    Wrong += Order[W] != Warps - 1 - W;
  // CHECK: no error, 0 wrong
  // NEVER: livelock: no memory changes any more
  // NEVER-NEXT: 24 warps go round
  // NEVER-NEXT: kernel '_Z5relayPii', CTA (0,0,0), warp 0: lanes 0-31 at
  // NEVER: the kernel ran too long
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
