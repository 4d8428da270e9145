// What a program may not do with setmaxnreg is found while it runs: a pool that
// never has enough, without timing and with, warps of a group that do not meet
// between two changes or execute different ones, and changes in divergent code.
// RUN: %regshare_clang -O2 --cuda-gpu-arch=sm_90a %s -o %t
// DEFINE: %{case} =
// DEFINE: %{threads} = 256
// DEFINE: %{run} = not env REGSHARE_DEVICE=h100,sms=1 REGSHARE_SCHEME=setmaxnreg REGSHARE_CYCLE_LIMIT=100000 REGSHARE_INSTRUCTION_LIMIT=100000 %run %t %{case} %{threads} 2>&1
// DEFINE: %{functional} = not env REGSHARE_TIMING=0 REGSHARE_DEVICE=h100 REGSHARE_SCHEME=setmaxnreg REGSHARE_INSTRUCTION_LIMIT=100000 %run %t %{case} %{threads} 2>&1
// REDEFINE: %{case} = greedy
// RUN: %{functional} | FileCheck %s --check-prefix=HANG
// RUN: %{run} | FileCheck %s --check-prefix=TIMED
// HANG:      deadlock: warps wait for what no other will give them
// HANG-NEXT: kernel 'greedy', CTA (0,0,0)
// HANG-NEXT: warp 4 has 128 registers a thread and waits for 224, of which its CTA's pool has 0 at
// HANG:      warp 7 has 128 registers
// TIMED: deadlock: warps wait for each other
// TIMED: CTA (0,0,0) warp {{[4-7]}} waits for 224 registers a thread, beside 128 that it has, of its CTA's pool, which has 0 at {{.*}}held by
// REDEFINE: %{case} = apart
// RUN: %{functional} | FileCheck %s --check-prefix=APART
// RUN: %{run} | FileCheck %s --check-prefix=APART
// APART: setmaxnreg before all warps of the group have executed the one before it: warp {{[0-3]}} has executed
// REDEFINE: %{case} = different
// RUN: %{functional} | FileCheck %s --check-prefix=DIFFERENT
// DIFFERENT: setmaxnreg that is another one than warp 0 of the group has executed
// REDEFINE: %{case} = divergent
// RUN: %{functional} | FileCheck %s --check-prefix=DIVERGENT
// RUN: %{run} | FileCheck %s --check-prefix=DIVERGENT
// DIVERGENT: setmaxnreg in divergent code: expected all threads of the warp
// REDEFINE: %{case} = apart
// REDEFINE: %{threads} = 64
// RUN: %{functional} | FileCheck %s --check-prefix=PART
// RUN: %{run} | FileCheck %s --check-prefix=PART
// PART: setmaxnreg in a group of 2 warps: expected 4
// REDEFINE: %{case} = good
// REDEFINE: %{threads} = 256
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_SCHEME=setmaxnreg %run %t good 256 | FileCheck %s --check-prefix=GOOD
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=h100 REGSHARE_SCHEME=setmaxnreg %run %t good 256 | FileCheck %s --check-prefix=GOOD
// GOOD: good: no error
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define DEC(Count) asm volatile("setmaxnreg.dec.sync.aligned.u32 " #Count ";")
#define INC(Count) asm volatile("setmaxnreg.inc.sync.aligned.u32 " #Count ";")

__device__ int group() { return __shfl_sync(~0u, threadIdx.x / 128, 0); }

extern "C" {
// The first group gives up nothing unless it is told to.
__global__ void __launch_bounds__(256, 2) greedy(int Gives) {
  if (group() == 0) {
    if (Gives)
      DEC(32);
    asm volatile("bar.sync 1, 256;");
  } else {
    INC(224);
    asm volatile("bar.sync 1, 256;");
  }
}

__global__ void __launch_bounds__(256, 2) apart() {
  if (group() == 0) {
    DEC(64);
    DEC(40);
  }
}

__global__ void __launch_bounds__(256, 2) different() {
  if (__shfl_sync(~0u, threadIdx.x / 32, 0) == 0)
    DEC(64);
  else
    DEC(40);
}

__global__ void __launch_bounds__(256, 2) divergent() {
  if (threadIdx.x % 32 < 7)
    DEC(64);
}

// Warps of the second group wait until the first has given up enough.
__global__ void __launch_bounds__(256, 2) good() {
  if (group() == 0) {
    __nanosleep(100);
    DEC(40);
  } else {
    INC(216);
    asm volatile("bar.sync 1, 128;");
    DEC(40);
  }
}
}

int main(int, char **ArgV) {
  int Threads = std::atoi(ArgV[2]);
  if (!std::strcmp(ArgV[1], "greedy"))
    greedy<<<1, Threads>>>(0);
  else if (!std::strcmp(ArgV[1], "apart"))
    apart<<<1, Threads>>>();
  else if (!std::strcmp(ArgV[1], "different"))
    different<<<1, Threads>>>();
  else if (!std::strcmp(ArgV[1], "divergent"))
    divergent<<<1, Threads>>>();
  else
    good<<<1, Threads>>>();
  cudaError_t Error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", ArgV[1], cudaGetErrorString(Error));
  return Error != cudaSuccess;
}
