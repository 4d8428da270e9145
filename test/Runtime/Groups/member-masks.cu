// Lanes of a converged warp that name different members: halves, odd and even
// ones, and groups of equal keys.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: env REGSHARE_CODE=native %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=regmutex %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=ltrf-plus %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=shrf %run %t | FileCheck %s
// RUN: env REGSHARE_SCHEME=expars %run %t | FileCheck %s
#include <cstdio>

/// The sum over the lanes of equal \p Key: each of a group adds what the next
/// lane of it has gathered.
__device__ int sumOfKey(int Key, int Value) {
  unsigned Lane = threadIdx.x % 32;
  unsigned Group = __match_any_sync(0xFFFFFFFF, Key);
  int Sum = 0;
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1)
    Sum += __shfl_sync(Group, Value, __ffs(Rest) - 1);
  __syncwarp(Group);
  return __popc(Group & ((1u << Lane) - 1)) * 10000 + Sum;
}

__global__ void groups(const int *In, int *Out) {
  int T = threadIdx.x, Value = In[T];
  unsigned Half = T % 32 < 16 ? 0xFFFFu : 0xFFFF0000u;
  unsigned Parity = T & 1 ? 0xAAAAAAAAu : 0x55555555u;
  Out[4 * T] = __shfl_xor_sync(Half, Value, 8);
  Out[4 * T + 1] = __popc(__ballot_sync(Parity, Value % 3 == 0));
  Out[4 * T + 2] =
      __all_sync(Half, Value < 16) * 2 + __any_sync(Half, Value == 40);
  Out[4 * T + 3] = sumOfKey(Value % 5, Value);
}

int main() {
  constexpr int N = 64;
  int In[N], Out[4 * N], *DIn, *DOut, Wrong = 0;
  for (int T = 0; T != N; ++T)
    In[T] = T;
  cudaMalloc(&DIn, sizeof(In));
  cudaMalloc(&DOut, sizeof(Out));
  cudaMemcpy(DIn, In, sizeof(In), cudaMemcpyHostToDevice);
  groups<<<1, N>>>(DIn, DOut);
  cudaError_t Error =
      cudaMemcpy(Out, DOut, sizeof(Out), cudaMemcpyDeviceToHost);
  for (int T = 0; T != N; ++T) {
    int Warp = T / 32 * 32, Multiples = 0, Sum = 0, Rank = 0;
    for (int O = Warp; O != Warp + 32; ++O) {
      Multiples += O % 2 == T % 2 && O % 3 == 0;
      Sum += O % 5 == T % 5 ? O : 0;
      Rank += O % 5 == T % 5 && O < T;
    }
    int Half = T / 16;
    Wrong += Out[4 * T] != (T ^ 8);
    Wrong += Out[4 * T + 1] != Multiples;
    Wrong += Out[4 * T + 2] != (Half == 0) * 2 + (Half == 2);
    Wrong += Out[4 * T + 3] != Rank * 10000 + Sum;
  }
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
