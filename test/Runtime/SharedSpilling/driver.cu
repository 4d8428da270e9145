// regshare-clang++ --smem-spilling: every kernel asks for it that can, in the
// text for ptxas as in a program.
// RUN: %regshare_clang -O2 -ptx --smem-spilling %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %regshare_clang -O2 -ptx %s -o - | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=enable_smem
// RUN: %regshare_clang -O2 --smem-spilling -maxrregcount=20 %s -o %t
// RUN: rm -rf %t.kept && env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.kept %run %t
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.kept/module0.ptx
// RUN: %if cuda-toolkit %{ %ptxas -arch=sm_75 %t.ptx -o %t.cubin %}
// CHECK: {{\.version (8\.[7-9]|9\.)}}
// CHECK: .entry plain(
// CHECK: enable_smem_spilling
// CHECK: .entry printing(
// CHECK-NOT: enable_smem_spilling
// CHECK: .entry dynamic(
// CHECK-NOT: enable_smem_spilling
// CHECK: .entry
// WITHOUT: .entry plain(
// KEPT: .entry plain(
// KEPT: .maxntid 64
// KEPT: regshare_spill
#include <cstdio>
#include <cuda_runtime.h>

extern "C" __global__ void __launch_bounds__(64)
    plain(const int *In, int *Out) {
  int V[32];
#pragma unroll
  for (int I = 0; I != 32; ++I)
    V[I] = In[I * 64 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int I = 0; I != 32; ++I)
    Out[I * 64 + threadIdx.x] = V[I] * V[31 - I];
}

extern "C" __global__ void printing() { std::printf("%d\n", threadIdx.x); }

extern __shared__ int Array[];
__device__ __noinline__ int first() { return Array[0]; }
extern "C" __global__ void dynamic(int *Out) { *Out = first(); }

extern "C" __global__ void last(int *Out) { *Out = 1; }

int main() {
  int *In, *Out, Host[64 * 32], Back[64 * 32];
  for (int I = 0; I != 64 * 32; ++I)
    Host[I] = I;
  cudaMalloc(&In, sizeof(Host));
  cudaMalloc(&Out, sizeof(Host));
  cudaMemcpy(In, Host, sizeof(Host), cudaMemcpyHostToDevice);
  plain<<<1, 64>>>(In, Out);
  cudaMemcpy(Back, Out, sizeof(Back), cudaMemcpyDeviceToHost);
  for (int I = 0; I != 64 * 32; ++I)
    if (Back[I] != Host[I] * Host[(31 - I / 64) * 64 + I % 64])
      return 1;
}
