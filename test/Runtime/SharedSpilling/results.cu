// Programs compute the same with registers in shared memory: for CTAs of every
// shape, where lanes part, beside the program's own shared memory, and under
// every scheme that leaves shared memory as it is. Each shape of a launch has
// its own code.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: %run %t > %t.expected
// RUN: rm -rf %t.ptx && env REGSHARE_MAX_REGISTERS=20 REGSHARE_SMEM_SPILLING=1 REGSHARE_KEEP_PTX=%t.ptx REGSHARE_REPORT=%t.json %run %t > %t.shared
// RUN: diff %t.expected %t.shared
// RUN: ls %t.ptx | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=ROW --input-file=%t.ptx/module0-64x1x1.ptx
// RUN: FileCheck %s --check-prefix=CUBE --input-file=%t.ptx/module0-4x4x4.ptx
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: env REGSHARE_MAX_REGISTERS=24 REGSHARE_SMEM_SPILLING=1 REGSHARE_CODE=native REGSHARE_DEVICE=h100 %run %t > %t.native
// RUN: diff %t.expected %t.native
// RUN: %if !asan %{ bash %S/Inputs/every-scheme %t %t.expected | FileCheck %s --check-prefix=SCHEMES %}
// RUN: not env REGSHARE_SMEM_SPILLING=1 REGSHARE_SCHEME=expars %run %t 2>&1 | FileCheck %s --check-prefix=EXPARS
// RUN: not env REGSHARE_SMEM_SPILLING=2 %run %t 2>&1 | FileCheck %s --check-prefix=TWO
// FILES: module0-16x4x1.ptx
// FILES: module0-48x1x1.ptx
// FILES: module0-4x4x4.ptx
// FILES: module0-64x1x1.ptx
// ROW: .reqntid 64, 1, 1
// ROW: regshare_spill
// CUBE: .reqntid 4, 4, 4
// CUBE: regshare_spill
// REPORT: "static_shared_bytes": {{[1-9][0-9][0-9][0-9]}}
// SCHEMES: baseline
// SCHEMES: regmutex
// SCHEMES: register-sharing
// EXPARS: -regshare-smem-spilling: expected a scheme that leaves shared memory as it is, found expars
// TWO: REGSHARE_SMEM_SPILLING=2: expected 0 or 1, got '2'
#include <cstdio>
#include <cuda_runtime.h>

__global__ void mix(const int *In, long long *Out, int Turns) {
  __shared__ int Corner[64];
  int T = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int N = blockDim.x * blockDim.y * blockDim.z;
  Corner[T] = In[T];
  __syncthreads();
  int V[16];
  long long W[8];
#pragma unroll
  for (int I = 0; I != 16; ++I)
    V[I] = In[I * 64 + T];
#pragma unroll
  for (int I = 0; I != 8; ++I)
    W[I] = In[I + T] * 0x10001LL;
  for (int Turn = 0; Turn != Turns + T % 5; ++Turn) {
    if ((T + Turn) % 3) {
#pragma unroll
      for (int I = 0; I != 16; ++I)
        V[I] = V[I] * 5 + V[(I + 3) % 16];
    } else {
#pragma unroll
      for (int I = 0; I != 8; ++I)
        W[I] = W[I] * 7 + W[(I + 5) % 8] + V[2 * I];
    }
  }
  __syncthreads();
  long long Sum = Corner[N - 1 - T];
#pragma unroll
  for (int I = 0; I != 16; ++I)
    Sum = Sum * 31 + V[I];
#pragma unroll
  for (int I = 0; I != 8; ++I)
    Sum = Sum * 37 + W[I];
  Out[blockIdx.x * N + T] = Sum;
}

int main() {
  constexpr int Words = 16 * 64;
  int Host[Words];
  for (int I = 0; I != Words; ++I)
    Host[I] = I * 2654435761u >> 7;
  int *In;
  long long *Out, Results[128];
  cudaMalloc(&In, sizeof(Host));
  cudaMalloc(&Out, sizeof(Results));
  cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice);
  for (dim3 Block : {dim3(64), dim3(48), dim3(16, 4), dim3(4, 4, 4)}) {
    mix<<<2, Block>>>(In, Out, 6);
    if (cudaGetLastError() != cudaSuccess)
      return 1;
    cudaMemcpy(Results, Out, sizeof(Results), cudaMemcpyDeviceToHost);
    unsigned Threads = Block.x * Block.y * Block.z;
    for (unsigned T = 0; T != 2 * Threads; ++T)
      std::printf("%lld\n", Results[T]);
  }
}
