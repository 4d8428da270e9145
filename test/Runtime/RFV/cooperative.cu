// CTAs that have to be resident together have all their registers together: a
// cooperative launch is admitted under register file virtualisation only where
// it would be under Baseline, and ends.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_DEVICE=gtx480,registers=16384 REGSHARE_CYCLE_LIMIT=3000000 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=gtx480,registers=16384 REGSHARE_CYCLE_LIMIT=3000000 REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// CHECK: 15 CTAs: no error
// CHECK: 30 CTAs: no error
// CHECK: 45 CTAs: the cooperative launch does not fit on the device
// CHECK-NOT: CTAs: no error
#include <cstdio>

constexpr int Values = 18;

__device__ unsigned Arrived;

__global__ void meet(const int *In, int *Out) {
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  int V[Values];
#pragma unroll
  for (int I = 0; I < Values; ++I)
    V[I] = In[(Thread + 5 * I) % 1024];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&Arrived, 1);
    while (__ldcg(&Arrived) < gridDim.x)
      ;
  }
  __syncthreads();
  int Sum = 0;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Sum = 31 * Sum + V[I];
  Out[Thread] = Sum;
}

int main() {
  int *In, *Out;
  cudaMalloc(&In, 1024 * sizeof(int));
  cudaMemset(In, 1, 1024 * sizeof(int));
  cudaMalloc(&Out, 120 * 256 * sizeof(int));
  void *Arguments[] = {&In, &Out};
  for (int CTAs = 15; CTAs <= 120; CTAs += 15) {
    unsigned None = 0;
    cudaMemcpyToSymbol(Arrived, &None, sizeof(None));
    cudaError_t E = cudaLaunchCooperativeKernel((void *)meet, dim3(CTAs),
                                                dim3(256), Arguments, 0, 0);
    if (E == cudaSuccess)
      E = cudaDeviceSynchronize();
    printf("%d CTAs: %s\n", CTAs, cudaGetErrorString(E));
    cudaGetLastError();
  }
}
