// Functions that stay functions take structures by value: they read them,
// change them, pass their address on and call themselves with what is left.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=rtx6000 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %regshare_clang -O0 %s -o %t.O0
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t.O0 | FileCheck %s
#include <cstdio>

struct Numbers {
  int First;
  double Second;
  short Third[6];
};

__device__ int read(Numbers N, int Which) {
  return N.First + int(2 * N.Second) + N.Third[Which];
}

__device__ void add(Numbers *N, int To) { N->Third[To] += 1000; }

__device__ int change(Numbers N, int To) {
  N.Third[To] = 7;
  N.Third[(To + 1) % 6] = 70;
  add(&N, To);
  return N.Third[0] + N.Third[1] + N.Third[2] + N.Third[3] + N.Third[4] +
         N.Third[5];
}

__device__ int countDown(Numbers N, int By) {
  if (N.First <= 0)
    return N.Third[0];
  N.First -= By;
  N.Third[0] += 3;
  return countDown(N, By);
}

/// The address of N is only needed beyond a branch.
__device__ void push(Numbers *To, unsigned *Count, Numbers N) {
  if (To)
    To[atomicAdd(Count, 1)] = N;
}

using Function = int (*)(Numbers, int);
__device__ Function Functions[] = {read, change, countDown};
__device__ void (*Pusher)(Numbers *, unsigned *, Numbers) = push;

__global__ void kernel(int *Out, Numbers *Stack, unsigned *Count) {
  int I = threadIdx.x;
  Numbers N = {I, I / 2.0, {1, 2, 3, 4, 5, 6}};
  int Results[3];
  for (int F = 0; F != 3; ++F)
    Results[F] = Functions[F](N, F == 2 ? 1 + I % 3 : I % 6);
  Pusher(I % 2 ? Stack : nullptr, Count, N);
  // The caller's own are as they were.
  int Sum = N.First + N.Third[0] + N.Third[5];
  for (int F = 0; F != 3; ++F)
    Out[4 * I + F] = Results[F];
  Out[4 * I + 3] = Sum;
}

int main() {
  int *Out, Wrong = 0;
  Numbers *Stack;
  unsigned *Count;
  cudaMallocManaged(&Stack, 32 * sizeof(Numbers));
  cudaMallocManaged(&Count, sizeof(*Count));
  *Count = 0;
  cudaMallocManaged(&Out, 32 * 4 * sizeof(int));
  kernel<<<1, 32>>>(Out, Stack, Count);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int I = 0; I != 32; ++I) {
    int At = I % 6, Next = (At + 1) % 6;
    int Steps = (I + I % 3) / (1 + I % 3);
    Wrong += Out[4 * I] != 2 * I + 1 + At;
    Wrong += Out[4 * I + 1] != 21 - (At + 1) - (Next + 1) + 1007 + 70;
    Wrong += Out[4 * I + 2] != 1 + 3 * Steps;
    Wrong += Out[4 * I + 3] != I + 7;
  }
  Wrong += *Count != 16;
  int Pushed = 0;
  for (unsigned I = 0; I != *Count; ++I) {
    Wrong += Stack[I].Second != Stack[I].First / 2.0 || Stack[I].Third[5] != 6;
    Pushed += Stack[I].First;
  }
  Wrong += Pushed != 16 * 16;
  // CHECK: 0 wrong
  std::printf("%d wrong\n", Wrong);
}
