// atomicCAS is relaxed, as nvcc has it: no fence comes before it, and it is no
// acquire. What it finds and leaves is right for all types and processors.
// RUN: %regshare_clang -arch=sm_75 -O2 -ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %regshare_clang -arch=sm_75 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native REGSHARE_DEVICE=hopper %run %t
// PTX-NOT: fence
// PTX-NOT: acquire
// PTX-COUNT-4: atom{{.*}}.cas.b
#include "../Inputs/expect.h"

struct Values {
  int Word;
  unsigned Count;
  unsigned short Half;
  unsigned long long Wide;
  double Sum;
};

__device__ void add(double *At, double More) {
  auto *Bits = reinterpret_cast<unsigned long long *>(At);
  unsigned long long Old = *Bits, Seen;
  do {
    Seen = Old;
    Old = atomicCAS(Bits, Seen,
                    __double_as_longlong(More + __longlong_as_double(Seen)));
  } while (Seen != Old);
}

__global__ void swap(Values *V) {
  if (atomicCAS(&V->Word, 7, int(threadIdx.x)) == 7)
    atomicAdd(&V->Count, 1);
  if (threadIdx.x == 0) {
    atomicCAS(&V->Half, (unsigned short)3, (unsigned short)4);
    atomicCAS(&V->Wide, 5ull, 6ull);
  }
  add(&V->Sum, threadIdx.x);
}

int main() {
  Values *V;
  EXPECT_OK(cudaMallocManaged(&V, sizeof(Values)));
  *V = {7, 0, 3, 8, 0.5};
  swap<<<1, 64>>>(V);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(V->Word >= 0 && V->Word < 64);
  EXPECT(V->Count == 1 || V->Word == 7);
  EXPECT(V->Half == 4);
  EXPECT(V->Wide == 8);
  EXPECT(V->Sum == 63 * 64 / 2 + 0.5);
  return failures();
}
