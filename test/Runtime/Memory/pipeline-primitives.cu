// Copies by cuda_pipeline.h and barriers by cuda_awbarrier_primitives.h, with
// the instructions of sm_80 and without them.
// RUN: %regshare_clang -arch=sm_80 -O2 -Wall -Werror %s -o %t.80
// RUN: env REGSHARE_DEVICE=a100 REGSHARE_TIMING=0 %run %t.80
// RUN: %regshare_clang -arch=sm_80 -O0 -ptx %s -o - | FileCheck %s
// With sanitizers the other device, form and compiles run nothing new of ours.
// RUN: %if !asan %{ env REGSHARE_DEVICE=h100 REGSHARE_CODE=native %run %t.80 %}
// RUN: %if !asan %{ %regshare_clang -arch=sm_70 -O2 -Wall -Werror %s -o %t %}
// RUN: %if !asan %{ %run %t %}
// RUN: %if !asan %{ %regshare_clang -arch=sm_80 -O0 %s -o %t.plain %}
// RUN: %if !asan %{ env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t.plain %}
// CHECK-DAG: cp.async.cg.shared.global {{.*}}, 16;
// CHECK-DAG: cp.async.ca.shared.global {{.*}}, 8, {{.*}};
// CHECK-DAG: cp.async.wait_group 1;
// CHECK-DAG: cp.async.mbarrier.arrive.shared.b64

#include "../Inputs/expect.h"
#include <cuda_pipeline.h>

constexpr int Threads = 64;

template <typename T>
__global__ void filled(char *Out, const T *In, size_t ZFill) {
  __shared__ T Shared[Threads];
  memset(&Shared[threadIdx.x], 0x55, sizeof(T));
  __pipeline_memcpy_async(&Shared[threadIdx.x], &In[threadIdx.x], sizeof(T),
                          ZFill);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  reinterpret_cast<T *>(Out)[threadIdx.x] = Shared[Threads - 1 - threadIdx.x];
}

/// Sums of a row and the one after it, which is under way meanwhile.
__global__ void stages(int *Out, const int *In, int Rows) {
  __shared__ int Shared[2][Threads];
  int I = threadIdx.x, Sum = 0;
  for (int Row = 0; Row != Rows; ++Row) {
    __pipeline_memcpy_async(&Shared[Row % 2][I], &In[Row * Threads + I], 4);
    __pipeline_commit();
    if (!Row)
      continue;
    __pipeline_wait_prior(1);
    Sum = Sum * 3 + Shared[(Row - 1) % 2][I];
  }
  __pipeline_wait_prior(0);
  Out[I] = Sum * 3 + Shared[(Rows - 1) % 2][I];
}

__global__ void barriers(int *Out, const int *In, unsigned *Pending) {
  __shared__ int Shared[Threads];
  __shared__ __mbarrier_t Barrier;
  int I = threadIdx.x;
  if (I == 0) {
    __mbarrier_init(&Barrier, Threads);
    Pending[1] = __mbarrier_maximum_count();
  }
  __syncthreads();
  __pipeline_memcpy_async(&Shared[I], &In[I], 4);
  __pipeline_arrive_on(&Barrier);
  __mbarrier_token_t Token = __mbarrier_arrive(&Barrier);
  atomicMax(Pending, __mbarrier_token_pending_count(Token));
  while (!__mbarrier_test_wait(&Barrier, Token))
    ;
  int First = Shared[Threads - 1 - I];
  // Half of them leave; the rest have a phase of their own.
  if (I < 32) {
    __mbarrier_arrive_and_drop(&Barrier);
    Out[I] = First;
    return;
  }
  Token = __mbarrier_arrive(&Barrier);
  while (!__mbarrier_try_wait(&Barrier, Token, 1000))
    ;
  Shared[I] = First;
  __mbarrier_arrive(&Barrier);
  while (!__mbarrier_test_wait_parity(&Barrier, false))
    ;
  Out[I] = Shared[32 + (I + 1) % 32];
  __mbarrier_arrive(&Barrier);
  while (!__mbarrier_try_wait_parity(&Barrier, true, 1000))
    ;
  __syncwarp();
  if (I == 32)
    __mbarrier_inval(&Barrier);
}

template <typename T> void checkFilled(char *Out, const int *In) {
  for (size_t ZFill = 0; ZFill <= sizeof(T); ++ZFill) {
    filled<<<1, Threads>>>(Out, reinterpret_cast<const T *>(In), ZFill);
    EXPECT_OK(cudaDeviceSynchronize());
    const char *From = reinterpret_cast<const char *>(In);
    int Wrong = 0;
    for (size_t I = 0; I != Threads; ++I)
      for (size_t At = 0; At != sizeof(T); ++At)
        Wrong +=
            Out[I * sizeof(T) + At] !=
            (At < sizeof(T) - ZFill ? From[(Threads - 1 - I) * sizeof(T) + At]
                                    : 0);
    EXPECT(!Wrong);
  }
}

int main() {
  constexpr int Rows = 7;
  int *In, *Out;
  unsigned *Pending;
  EXPECT_OK(cudaMallocManaged(&In, Rows * Threads * 4));
  EXPECT_OK(cudaMallocManaged(&Out, 16 * Threads));
  EXPECT_OK(cudaMallocManaged(&Pending, 8));
  for (int I = 0; I != Rows * Threads; ++I)
    In[I] = (I + 1) * 0x01234567;
  checkFilled<int>(reinterpret_cast<char *>(Out), In);
  checkFilled<int2>(reinterpret_cast<char *>(Out), In);
  checkFilled<int4>(reinterpret_cast<char *>(Out), In);

  stages<<<1, Threads>>>(Out, In, Rows);
  EXPECT_OK(cudaDeviceSynchronize());
  for (int I = 0; I != Threads; ++I) {
    unsigned Sum = 0;
    for (int Row = 0; Row != Rows; ++Row)
      Sum = Sum * 3 + unsigned(In[Row * Threads + I]);
    EXPECT(unsigned(Out[I]) == Sum);
  }

  *Pending = 0;
  barriers<<<1, Threads>>>(Out, In, Pending);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(Pending[0] == Threads && Pending[1] == (1 << 20) - 1);
  for (int I = 0; I != Threads; ++I) {
    int From = I < 32 ? I : 32 + (I + 1) % 32;
    EXPECT(Out[I] == In[Threads - 1 - From]);
  }
  return failures();
}
