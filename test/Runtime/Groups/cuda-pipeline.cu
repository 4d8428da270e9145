// cuda::pipeline of our own header: a thread's own, one whose threads all
// produce and consume, and ones with roles, by number and by name; and copies
// of every alignment.
// RUN: %regshare_clang -std=c++17 -O2 %s -o %t 2>/dev/null
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t | FileCheck %s
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int Rounds = 21, Stages = 4, Size = 96;

/// The threads' own stages, with a barrier of the block between them.
__global__ void alone(int *Out, const int *In) {
  __shared__ int Box[2][Size];
  auto Pipe = cuda::make_pipeline();
  int T = threadIdx.x, Sum = 0;
  const auto Bytes = cuda::aligned_size_t<alignof(int)>(sizeof(int));
  for (int R = 0; R != Rounds; ++R) {
    Pipe.producer_acquire();
    cuda::memcpy_async(&Box[R % 2][T], &In[R * Size + T], Bytes, Pipe);
    Pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(Pipe);
    __syncthreads();
    Sum += Box[R % 2][(T + 33) % Size];
    Pipe.consumer_release();
    __syncthreads();
  }
  Out[T] = Sum;
}

/// All produce and consume; copies run ahead by as many stages as there are.
__global__ void together(int *Out, const int *In) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      State;
  __shared__ int Box[Stages][Size];
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline(Block, &State);
  int T = threadIdx.x, Sum = 0;
  for (int R = 0, Ahead = 0; R != Rounds; ++R) {
    for (; Ahead < Rounds && Ahead < R + Stages; ++Ahead) {
      Pipe.producer_acquire();
      cuda::memcpy_async(Block, Box[Ahead % Stages], In + Ahead * Size,
                         sizeof(int) * Size, Pipe);
      Pipe.producer_commit();
    }
    Pipe.consumer_wait();
    Sum += Box[R % Stages][(T + 33) % Size];
    Pipe.consumer_release();
  }
  Out[T] = Sum;
}

/// The first 32 threads fill what the others read.
template <bool ByName> __global__ void roles(int *Out, const int *In) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      State;
  __shared__ int Box[Stages][Size];
  auto Block = cg::this_thread_block();
  bool Produces = threadIdx.x < 32;
  auto Role =
      Produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto Pipe = ByName ? cuda::make_pipeline(Block, &State, Role)
                     : cuda::make_pipeline(Block, &State, size_t(32));
  int T = int(threadIdx.x) - 32, Sum = 0;
  for (int R = 0; R != Rounds; ++R) {
    if (Produces) {
      Pipe.producer_acquire();
      for (int At = threadIdx.x; At < Size; At += 32)
        cuda::memcpy_async(&Box[R % Stages][At], &In[R * Size + At],
                           sizeof(int), Pipe);
      Pipe.producer_commit();
    } else {
      Pipe.consumer_wait();
      // Those that read wait for each other no more than stages ask for.
      Sum += Box[R % Stages][(T + 33) % Size];
      Pipe.consumer_release();
    }
  }
  if (!Produces)
    Out[T] = Sum;
}

/// Consumers that leave are waited for no more.
__global__ void leaving(int *Out, const int *In) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> State;
  __shared__ int Box[2];
  auto Pipe = cuda::make_pipeline(cg::this_thread_block(), &State, size_t(32));
  int Sum = 0;
  if (threadIdx.x >= 96) {
    Pipe.quit();
    return;
  }
  for (int R = 0; R != Rounds; ++R) {
    if (threadIdx.x < 32) {
      Pipe.producer_acquire();
      if (threadIdx.x == 0)
        cuda::memcpy_async(&Box[R % 2], &In[R], sizeof(int), Pipe);
      Pipe.producer_commit();
    } else {
      Pipe.consumer_wait();
      Sum += Box[R % 2];
      Pipe.consumer_release();
    }
  }
  Out[threadIdx.x] = Sum;
}

/// Bytes of any number from and to any address.
__global__ void anyAddress(unsigned char *Out, const unsigned char *In) {
  auto Pipe = cuda::make_pipeline();
  for (unsigned Count = 0; Count != 24; ++Count)
    for (unsigned To = 0; To != 3; ++To)
      cuda::memcpy_async(Out + Count * 96 + To * 32 + To,
                         In + To * 4 + Count % 5, Count, Pipe);
  cuda::pipeline_consumer_wait_prior<0>(Pipe);
}

static int wrongSums(const int *Device, const int *In) {
  int Got[Size], Wrong = 0;
  cudaMemcpy(Got, Device, sizeof(Got), cudaMemcpyDeviceToHost);
  for (int T = 0; T != Size; ++T) {
    int Sum = 0;
    for (int R = 0; R != Rounds; ++R)
      Sum += In[R * Size + (T + 33) % Size];
    Wrong += Got[T] != Sum;
  }
  return Wrong;
}

static int wrongAfterLeaving(const int *Device, const int *In) {
  int Got[96], Wrong = 0, Sum = 0;
  cudaMemcpy(Got, Device, sizeof(Got), cudaMemcpyDeviceToHost);
  for (int R = 0; R != Rounds; ++R)
    Sum += In[R];
  for (int T = 32; T != 96; ++T)
    Wrong += Got[T] != Sum;
  return Wrong;
}

static int wrongBytes(const int *DIn, const int *In) {
  unsigned char Got[24 * 96], Want[24 * 96] = {}, *D;
  auto *Bytes = reinterpret_cast<const unsigned char *>(In);
  cudaMalloc(&D, sizeof(Got));
  cudaMemset(D, 0, sizeof(Got));
  anyAddress<<<1, 1>>>(D, reinterpret_cast<const unsigned char *>(DIn));
  cudaMemcpy(Got, D, sizeof(Got), cudaMemcpyDeviceToHost);
  int Wrong = 0;
  for (unsigned Count = 0; Count != 24; ++Count)
    for (unsigned To = 0; To != 3; ++To)
      for (unsigned At = 0; At != Count; ++At)
        Want[Count * 96 + To * 33 + At] = Bytes[To * 4 + Count % 5 + At];
  for (unsigned At = 0; At != sizeof(Got); ++At)
    Wrong += Got[At] != Want[At];
  return Wrong;
}

int main() {
  static int In[Rounds * Size];
  int *DIn, *Out;
  for (int N = 0; N != Rounds * Size; ++N)
    In[N] = N * 2654435761u >> 12;
  cudaMalloc(&DIn, sizeof(In));
  cudaMalloc(&Out, 128 * sizeof(int));
  cudaMemcpy(DIn, In, sizeof(In), cudaMemcpyHostToDevice);
  alone<<<1, Size>>>(Out, DIn);
  // CHECK: alone: 0 wrong
  std::printf("alone: %d wrong\n", wrongSums(Out, In));
  together<<<1, Size>>>(Out, DIn);
  // CHECK: together: 0 wrong
  std::printf("together: %d wrong\n", wrongSums(Out, In));
  roles<true><<<1, Size + 32>>>(Out, DIn);
  // CHECK: roles by name: 0 wrong
  std::printf("roles by name: %d wrong\n", wrongSums(Out, In));
  roles<false><<<1, Size + 32>>>(Out, DIn);
  // CHECK: roles by number: 0 wrong
  std::printf("roles by number: %d wrong\n", wrongSums(Out, In));
  leaving<<<1, 128>>>(Out, DIn);
  // CHECK: leaving: 0 wrong
  std::printf("leaving: %d wrong\n", wrongAfterLeaving(Out, In));
  // CHECK: bytes: 0 wrong
  std::printf("bytes: %d wrong\n", wrongBytes(DIn, In));
  // CHECK: no error
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
