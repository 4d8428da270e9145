// Atomic additions of float2 and float4, from sm_90 on, where the result is
// read and where it is not: clang 22's own would leave the second out.
// RUN: %regshare_clang -O2 --cuda-gpu-arch=sm_90 %s -o %t
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_SCHEME=rfv %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_CODE=native %run %t | FileCheck %s
// CHECK: 0 wrong

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr unsigned Bins = 7, Threads = 4 * 96;

/// Bin of each thread, and what it adds.
__host__ __device__ unsigned binOf(unsigned Thread) {
  return Thread * 5 % Bins;
}
__host__ __device__ float4 valueOf(unsigned Thread) {
  return {float(Thread), 1, -float(Thread % 11), 0.5f};
}

__global__ void add(float4 *Quads, float2 *Pairs, unsigned *Seen) {
  unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  float4 V = valueOf(Thread);
  atomicAdd(&Quads[binOf(Thread)], V);
  if (Thread % 3 == 0)
    atomicAdd_block(&Pairs[0], make_float2(1, V.x));
  // The counts before are all different.
  float2 Before = atomicAdd_system(&Pairs[1], make_float2(1, -1));
  if (Before.x == -Before.y)
    Seen[unsigned(Before.x)] = 1;
}

int main() {
  float4 *Quads;
  float2 *Pairs;
  unsigned *Seen;
  cudaMallocManaged(&Quads, Bins * sizeof(float4));
  cudaMallocManaged(&Pairs, 2 * sizeof(float2));
  cudaMallocManaged(&Seen, Threads * sizeof(unsigned));
  cudaMemset(Quads, 0, Bins * sizeof(float4));
  cudaMemset(Pairs, 0, 2 * sizeof(float2));
  cudaMemset(Seen, 0, Threads * sizeof(unsigned));
  add<<<4, 96>>>(Quads, Pairs, Seen);
  if (cudaError_t E = cudaDeviceSynchronize())
    return printf("%s\n", cudaGetErrorString(E));
  std::vector<float4> Want(Bins);
  float Sum = 0;
  for (unsigned T = 0; T != Threads; ++T) {
    float4 V = valueOf(T), &To = Want[binOf(T)];
    To = {To.x + V.x, To.y + V.y, To.z + V.z, To.w + V.w};
    Sum += T % 3 ? 0 : V.x;
  }
  int Wrong = Pairs[0].x != Threads / 3 || Pairs[0].y != Sum;
  for (unsigned B = 0; B != Bins; ++B)
    Wrong += Quads[B].x != Want[B].x || Quads[B].y != Want[B].y ||
             Quads[B].z != Want[B].z || Quads[B].w != Want[B].w;
  for (unsigned T = 0; T != Threads; ++T)
    Wrong += !Seen[T];
  printf("%d wrong\n", Wrong);
  return Wrong;
}
