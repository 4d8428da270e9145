// A kernel that needs many registers at its begin and end and few in between,
// where lanes leave a loop at different times. The host computes the same.

#include <cstdio>
#include <cuda_runtime.h>

static const int Threads = 256, Values = 12;

__global__ void phases(const float *in, float *out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float held[Values];
#pragma unroll
  for (int v = 0; v < Values; ++v)
    held[v] = in[v * Threads + i];
  float sum = 0;
#pragma unroll
  for (int v = 0; v < Values; ++v)
    sum += held[v] * held[(v + 5) % Values];
  int steps = 0;
#pragma unroll 1
  for (int n = first + i + int(sum) % 8; n != 1; ++steps)
    n = n % 2 ? 3 * n + 1 : n / 2;
  sum += float(steps);
#pragma unroll
  for (int v = 0; v < Values; ++v)
    held[v] = in[(Values + v) * Threads + i];
#pragma unroll
  for (int v = 0; v < Values; ++v)
    sum += held[v] * held[(v + 7) % Values];
  out[i] = sum;
}

static float expected(const float *in, int i, int first) {
  double sum = 0;
  for (int v = 0; v < Values; ++v)
    sum += double(in[v * Threads + i]) *
           double(in[(v + 5) % Values * Threads + i]);
  // The values are sixteenths, and so few that no sum is rounded.
  for (int n = first + i + int(sum) % 8; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
    sum += 1;
  for (int v = 0; v < Values; ++v)
    sum += double(in[(Values + v) * Threads + i]) *
           double(in[(Values + (v + 7) % Values) * Threads + i]);
  return float(sum);
}

int main() {
  const int First = 27;
  static float in[2 * Values * Threads], out[Threads];
  for (int k = 0; k < 2 * Values * Threads; ++k)
    in[k] = float(k * 37 % 101) / 16;
  float *deviceIn = nullptr, *deviceOut = nullptr;
  cudaMalloc(&deviceIn, sizeof in);
  cudaMalloc(&deviceOut, sizeof out);
  cudaMemcpy(deviceIn, in, sizeof in, cudaMemcpyHostToDevice);
  phases<<<Threads / 64, 64>>>(deviceIn, deviceOut, First);
  cudaMemcpy(out, deviceOut, sizeof out, cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError()) {
    std::printf("FAILED: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < Threads; ++i) {
    float want = expected(in, i, First);
    if (!(out[i] > want * 0.9999f && out[i] < want * 1.0001f)) {
      std::printf("FAILED: [%d] is %f, expected %f\n", i, out[i], want);
      return 1;
    }
  }
  std::printf("PASSED\n");
}
