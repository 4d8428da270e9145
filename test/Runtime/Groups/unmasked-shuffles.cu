// Shuffles and votes without a member mask, as programs from before Volta have
// them, are of the lanes that are active together.
// RUN: %regshare_clang -arch=sm_35 -O2 %s -o %t 2>/dev/null
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %regshare_clang -O1 %s -o %t.O1
// RUN: env REGSHARE_TIMING=0 %run %t.O1 | FileCheck %s
#include <cstdio>

__global__ void k(int *Out, int *Votes) {
  int T = threadIdx.x, Sum = T;
  for (int Step = 16; Step; Step /= 2)
    Sum += __shfl_xor(Sum, Step);
  Out[T] = Sum + __shfl(T, 3) + __shfl_up(T, 1, 16) + __shfl_down(T, 2, 8);
  Out[32 + T] = int(__shfl(T * 0.5f, 31)) + int(__shfl_down(T * 2.0, 4));
  if (T & 1) {
    Votes[T] = __ballot(T > 15);
    Out[T] += 1000 * __any(T == 5) + 10000 * __all(T & 1);
  }
}

int main() {
  int *Out, *Votes, Wrong = 0;
  cudaMallocManaged(&Out, 64 * sizeof(int));
  cudaMallocManaged(&Votes, 32 * sizeof(int));
  k<<<1, 32>>>(Out, Votes);
  cudaError_t Error = cudaDeviceSynchronize();
  for (int T = 0; T != 32; ++T) {
    int Expected = 496 + 3 + (T % 16 ? T - 1 : T) + (T % 8 < 6 ? T + 2 : T);
    if (T & 1)
      Expected += 11000, Wrong += Votes[T] != int(0xaaaa0000);
    Wrong += Out[T] != Expected;
    Wrong += Out[32 + T] != 15 + 2 * (T < 28 ? T + 4 : T);
  }
  // CHECK: no error, 0 wrong
  std::printf("%s, %d wrong\n", cudaGetErrorString(Error), Wrong);
}
