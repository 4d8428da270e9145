// An ordinary program compiles for both sides without a toolkit, warnings as
// errors, and names the symbols that CUDA's own headers would.
// RUN: %clang -x cuda --cuda-path=%regshare_cuda --cuda-gpu-arch=sm_75 --cuda-device-only -Werror -Wall -O2 -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %clang -x cuda --cuda-path=%regshare_cuda --cuda-gpu-arch=sm_75 --cuda-host-only -Werror -Wall -O2 -c %s -o %t.o
// RUN: llvm-nm -u %t.o | FileCheck %s --check-prefix=HOST
// RUN: %clang -x c++ -DHOST_ONLY -I%regshare_cuda/include -Werror -Wall -c %s -o %t.host.o

// HOST-DAG: U __cudaPopCallConfiguration
// HOST-DAG: U __cudaPushCallConfiguration
// HOST-DAG: U cudaGetDeviceProperties_v2
// HOST-DAG: U cudaLaunchKernel
// HOST-DAG: U cudaMemcpyToSymbol
// HOST-DAG: U cudaOccupancyMaxActiveBlocksPerMultiprocessor

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <vector>

static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
static_assert(sizeof(double4) == 32 && alignof(double4) == 16);
static_assert(alignof(int2) == 8 && alignof(float4) == 16);
static_assert(cudaErrorIllegalAddress == 700 && cudaErrorUnknown == 999);

#ifndef HOST_ONLY
__constant__ float Table[4];

// DEVICE-LABEL: .entry _Z6kernelPfPdPiPy(
__global__ void kernel(float *F, double *D, int *N, unsigned long long *U) {
  __shared__ float Shared[32];
  int I = threadIdx.x + blockIdx.x * blockDim.x;
  // DEVICE-DAG: ld.const
  // DEVICE-DAG: bar{{(rier)?}}.sync
  Shared[threadIdx.x] = F[I] + Table[1];
  __syncthreads();
  D[I] = Shared[31 - threadIdx.x] + CUDART_PI;
  // DEVICE-DAG: atom{{.*}}add{{.*}}32
  N[1] = atomicAdd(N, I) + atomicSub(N, 3);
  // DEVICE-DAG: atom{{.*}}add{{.*}}f32
  F[1] = atomicAdd(F, 1.0f);
  // DEVICE-DAG: atom{{.*}}add{{.*}}f64
  D[1] = atomicAdd_block(D, 1.0);
  // DEVICE-DAG: atom{{.*}}cas.b64
  U[1] = atomicCAS(U, 1ull, 2ull);
  // DEVICE-DAG: shfl.sync.down
  N[I] = __shfl_down_sync(~0u, I, 1);
  // DEVICE-DAG: vote.sync.ballot
  N[I] += __popc(__ballot_sync(~0u, I & 1));
  // DEVICE-DAG: match.any.sync.b32
  N[I] += __match_any_sync(~0u, I);
  // DEVICE-DAG: ld.global.nc
  N[I] += max(__ldg(N + 9), 3u);
  // DEVICE-DAG: dp4a.s32.s32
  N[2] = __dp4a(N[3], N[4], N[5]);
  // DEVICE-DAG: call{{.*}}vprintf
  if (I == 77)
    printf("%d %f\n", I, make_float4(1, 2, 3, F[I]).w);
}
#endif

int main() {
  float *F, *Pinned;
  double *D;
  int *N, Blocks, Threads;
  unsigned long long *U;
  size_t Pitch;
  cudaMalloc(&F, 400);
  cudaMalloc((void **)&D, 400);
  cudaMallocManaged(&N, 100);
  cudaMallocPitch(&U, &Pitch, 10, 10);
  cudaMallocHost(&Pinned, 16);
  cudaStream_t Stream;
  cudaEvent_t Start, End;
  cudaStreamCreate(&Stream);
  cudaEventCreate(&Start);
  cudaEventCreateWithFlags(&End, cudaEventDisableTiming);
#ifndef HOST_ONLY
  cudaMemcpyToSymbol(Table, Pinned, sizeof(Table));
  kernel<<<dim3(2, 2), 32>>>(F, D, N, U);
  kernel<<<1, 32, 64, Stream>>>(F, D, N, U);
  cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, kernel, 32, 0);
  cudaOccupancyMaxPotentialBlockSize(&Blocks, &Threads, kernel);
#else
  Blocks = Threads = 1;
#endif
  cudaMemcpyAsync(Pinned, F, 16, cudaMemcpyDeviceToHost, Stream);
  float Elapsed;
  cudaSetDeviceFlags(cudaDeviceBlockingSync);
  cudaEventRecord(Start);
  cudaEventElapsedTime(&Elapsed, Start, End);
  cudaDeviceProp Properties;
  cudaGetDeviceProperties(&Properties, 0);
  cudaError_t Error = cudaDeviceSynchronize();
  std::printf("%s %d %f %d\n", cudaGetErrorString(Error), max(Blocks, Threads),
              rsqrtf(Elapsed), Properties.warpSize);
  return Error == cudaSuccess ? 0 : 1;
}
