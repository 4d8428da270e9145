// Two kernels for comparisons: one that registers limit, in two launches, and a
// small one that one wave holds. Arguments: how many CTAs, and what to do
// wrong.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void many(float *Out, const float *In, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Values[24];
#pragma unroll
  for (int J = 0; J < 24; ++J)
    Values[J] = In[(I + J) % N];
#pragma unroll
  for (int J = 0; J < 24; ++J)
    Values[(J + 1) % 24] += Values[J] * 0.5f;
  float Sum = 0;
#pragma unroll
  for (int J = 0; J < 24; ++J)
    Sum += Values[J] * Values[23 - J];
  Out[I] = Sum;
}

__global__ void few(float *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] += 1;
}

int main(int Count, char **Arguments) {
  int Ctas = Count > 1 ? std::atoi(Arguments[1]) : 48;
  const char *Wrong = Count > 2 ? Arguments[2] : "";
  if (!std::strcmp(Wrong, "exit")) {
    std::fprintf(stderr, "two: a message of the program\n");
    return 3;
  }
  int N = Ctas * 256;
  float *In, *Out;
  cudaMalloc(&In, N * sizeof(float));
  cudaMalloc(&Out, N * sizeof(float));
  if (!std::strcmp(Wrong, "nothing"))
    return 0;
  if (!std::strcmp(Wrong, "fault"))
    N *= 1000;
  cudaMemset(In, 0, Ctas * 256 * sizeof(float));
  many<<<Ctas, 256>>>(Out, In, N);
  many<<<Ctas, 256>>>(Out, In, N);
  few<<<1, 64>>>(Out, 64);
  // What an unchecked program does not see, the report says.
  return cudaDeviceSynchronize() != cudaSuccess && std::strcmp(Wrong, "fault");
}
