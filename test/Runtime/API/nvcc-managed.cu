// Managed variables, which nvcc has: the host sees their values before its
// first call and after every kernel.
// REQUIRES: nvcc
// RUN: %nvcc -arch=sm_75 -I%S -c %s -o %t.o
// RUN: %regshare_clang %t.o -o %t
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t

#include "../Inputs/expect.h"

__managed__ int Counter = 40;
__managed__ int Zeroed[3];

__global__ void count() {
  atomicAdd(&Counter, 2);
  Zeroed[1] = Counter;
}

int main() {
  EXPECT(Counter == 40 && Zeroed[1] == 0);
  count<<<1, 1>>>();
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(Counter == 42 && Zeroed[1] == 42);
  Counter = 7;
  count<<<1, 1>>>();
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(Counter == 9);
  // To the host it is a symbol as well.
  int Value = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&Value, Counter, sizeof(int)));
  EXPECT(Value == 9);
  Value = 11;
  EXPECT_OK(cudaMemcpyToSymbol(Zeroed, &Value, sizeof(int), 2 * sizeof(int)));
  EXPECT(Zeroed[2] == 11);
  return failures();
}
