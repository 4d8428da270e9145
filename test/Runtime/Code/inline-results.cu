// A result of inline PTX with several instructions has a register that no input
// has which a later instruction reads: in PTX each is a register of its own.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_SCHEME=regmutex %run %t

#include "../Inputs/expect.h"

/// Both results are written before the last input is read.
static __device__ int mixed(int A, int B, int C, int *Other) {
  int First, Second;
  asm("{ mov.b32 %0, %2;  mov.b32 %1, %3;  mad.lo.s32 %0, %0, %4, %3;"
      " sub.s32 %1, %1, %2; }"
      : "=r"(First), "=r"(Second)
      : "r"(A), "r"(B), "r"(C));
  *Other = Second;
  return First;
}

/// The wide result is written before a narrow input is read.
static __device__ long long wide(long long A, int B) {
  long long Result;
  asm("{ .reg .b64 t;  mov.b64 %0, %1;  cvt.s64.s32 t, %2;  sub.s64 %0, %0, t; "
      "}"
      : "=l"(Result)
      : "l"(A), "r"(B));
  return Result;
}

__global__ void k(const int *In, long long *Out) {
  int I = threadIdx.x, Other;
  int First = mixed(In[I], In[I + 1], In[I + 2], &Other);
  Out[3 * I] = First;
  Out[3 * I + 1] = Other;
  Out[3 * I + 2] = wide(In[I] * 1000000007ll, In[I + 1]);
}

int main() {
  int *In;
  long long *Out;
  EXPECT_OK(cudaMallocManaged(&In, 66 * sizeof(*In)));
  EXPECT_OK(cudaMallocManaged(&Out, 3 * 64 * sizeof(*Out)));
  for (int I = 0; I < 66; ++I)
    In[I] = I * I % 37 + 1;
  k<<<1, 64>>>(In, Out);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I < 64; ++I) {
    EXPECT(Out[3 * I] == In[I] * In[I + 2] + In[I + 1]);
    EXPECT(Out[3 * I + 1] == In[I + 1] - In[I]);
    EXPECT(Out[3 * I + 2] == In[I] * 1000000007ll - In[I + 1]);
  }
  return failures();
}
