// The atomic functions with order and scope, of every type and size that they
// take, change what they should and return what was there.
// RUN: %regshare_clang -std=c++14 -O1 %s -o %t
// RUN: %run %t
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t
// RUN: %regshare_clang -O0 -arch=sm_90 %s -o %t.O0
// RUN: env REGSHARE_TIMING=0 %run %t.O0

#include "../Inputs/expect.h"

struct Numbers {
  int Count, Least, Bits;
  unsigned int Most;
  float Sum;
  double Stored;
  float Exchanged;
  unsigned long long Wide, Highest;
  unsigned int Turns, Locked, Flags[2];
  int Loaded;
};

__global__ void change(Numbers *N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_add(&N->Count, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&N->Count, 3, __NV_ATOMIC_SEQ_CST,
                        __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_min(&N->Least, -I, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&N->Most, I, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_or(&N->Bits, 1 << I % 32, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(&N->Sum, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_store_n(&N->Stored, 2, __NV_ATOMIC_RELEASE);
  if (I == 77)
    N->Loaded = __nv_atomic_exchange_n(&N->Exchanged, 7, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_xor(&N->Wide, 1ull << (32 + I % 32), __NV_ATOMIC_RELAXED,
                  __NV_THREAD_SCOPE_CLUSTER);
  unsigned long long Seen =
      __nv_atomic_load_n(&N->Highest, __NV_ATOMIC_RELAXED);
  while (Seen < 1000ull * I && !__nv_atomic_compare_exchange_n(
                                   &N->Highest, &Seen, 1000ull * I, false,
                                   __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED))
    ;
}

/// What is written before the flag is read after it.
__global__ void pass(Numbers *N) {
  unsigned int Value = 1, Flag = 0;
  if (blockIdx.x == 0) {
    N->Flags[0] = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store(&N->Flags[1], &Value, __NV_ATOMIC_RELEASE);
    return;
  }
  while (!Flag)
    __nv_atomic_load(&N->Flags[1], &Flag, __NV_ATOMIC_ACQUIRE);
  N->Turns = N->Flags[0];
}

int main() {
  Numbers *N;
  EXPECT_OK(cudaMallocManaged(&N, sizeof(*N)));
  *N = {};
  N->Exchanged = 3;
  change<<<4, 64>>>(N);
  pass<<<2, 1>>>(N);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(N->Count == -512);
  EXPECT(N->Least == -255);
  EXPECT(N->Most == 255);
  EXPECT(N->Bits == -1);
  EXPECT(N->Sum == 128);
  EXPECT(N->Stored == 2);
  EXPECT(N->Exchanged == 7 && N->Loaded == 3);
  EXPECT(N->Wide == 0);
  EXPECT(N->Highest == 255000);
  EXPECT(N->Turns == 42);
  return failures();
}
