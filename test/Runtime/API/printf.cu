// Device printf goes to standard output, in order with the host's.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
#include <cstdio>
#include <cuda_runtime.h>

__global__ void say(const char *What, float X) {
  if (threadIdx.x == 3)
    printf("CTA %d of %u: %s %.2f %c%% %llx\n", blockIdx.x, gridDim.x, What, X,
           'q', 0x123456789abcull);
}

__device__ const char Text[] = "value";
__global__ void sayText() { printf("%s %s\n", Text, "literal"); }

int main() {
  // CHECK: before
  // CHECK-NEXT: value literal
  // CHECK-NEXT: between
  // CHECK-NEXT: CTA 0 of 1: value 2.50 q% 123456789abc
  // CHECK-NEXT: after
  printf("before\n");
  sayText<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("between\n");
  void *Address;
  cudaGetSymbolAddress(&Address, Text);
  say<<<1, 32>>>((const char *)Address, 2.5f);
  cudaDeviceSynchronize();
  printf("after\n");
  return cudaGetLastError();
}
