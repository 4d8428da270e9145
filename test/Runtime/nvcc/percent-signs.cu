// Registers of PTX with one percent sign in an asm that has operands, here and
// in a header, as nvcc takes them; the host's own asm stays as it is.
// RUN: split-file %s %t
// RUN: %regshare_clang -O2 %t/main.cu -o %t/out 2>&1 | count 0
// RUN: env REGSHARE_TIMING=0 %run %t/out | FileCheck %s
// RUN: regshare-opt --no-cuda-toolkit %t/main.cu --emit=ptx | FileCheck %s --check-prefix=PTX
// CHECK: lane 7 warp 1 of 64 threads
// PTX: %laneid
//--- lanes.h
__device__ inline unsigned lane() {
  unsigned Lane;
  asm("mov.u32 %0, %laneid;" : "=r"(Lane));
  return Lane;
}
//--- main.cu
#include "lanes.h"
#include <cstdio>
__global__ void k(unsigned *To) {
  unsigned Size, Thread;
  asm volatile("mov.u32 %0, %ntid.x;\n\t"
               "mov.u32 %1, %%tid.x;"
               : "=r"(Size), "=r"(Thread));
  if (Thread == 39) {
    To[0] = lane();
    To[1] = Thread / 32;
    To[2] = Size;
  }
}
int main() {
  unsigned *To;
  cudaMallocManaged(&To, 12);
  k<<<1, 64>>>(To);
  cudaDeviceSynchronize();
#ifdef __x86_64__
  // The host's asm has modifiers: the lower 32 bits of both.
  unsigned long One = 1, Sum = 0;
  asm("movl %k1, %k0" : "=r"(Sum) : "r"(One));
  To[1] *= unsigned(Sum);
#endif
  printf("lane %u warp %u of %u threads\n", To[0], To[1], To[2]);
}
