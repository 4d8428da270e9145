// Values that are computed again, or loaded from their places in local memory,
// for the branch at the end of a jump table stand before the table.
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx | FileCheck %s
// RUN: regshare-opt --no-cuda-toolkit %s --emit=ptx -DMANY -regshare-max-regs=24 | FileCheck %s --check-prefixes=CHECK,SPILL
// RUN: regshare-opt --no-cuda-toolkit %s --simulate --functional --block=32 --arg=buf:i32*4096 --arg=3
// RUN: regshare-opt --no-cuda-toolkit %s --simulate --functional --block=32 --arg=buf:i32*4096 --arg=3 -DMANY -regshare-max-regs=24
// SPILL: ld.local
// CHECK: .branchtargets
// CHECK-NOT: ld.
// CHECK: brx.idx
#include <cuda_runtime.h>

__global__ void choose(int *p, int k) {
  int v = p[threadIdx.x];
#ifdef MANY
  k = p[4] & 7;
  int a[32], sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    a[i] = p[32 * i + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    sum += a[i] * a[(7 * i + 3) % 32];
    p[i + sum % 2] = a[i];
  }
#endif
  switch (k) {
  case 0:
    v += 3;
    break;
  case 1:
    v *= 7;
    break;
  case 2:
    v ^= p[5];
    break;
  case 3:
    v = v / 3;
    break;
  case 4:
    v -= p[9];
    break;
  case 5:
    v += p[7];
    break;
  case 6:
    v = __shfl_xor_sync(~0u, v, 1);
    break;
  case 7:
    v = __syncthreads_count(v);
    break;
  }
  p[threadIdx.x] = v;
}
