// A kernel that needs many registers at its begin and end and few in between,
// where odd and even lanes part. The host computes the same in another order.

#include <cstdio>
#include <cuda_runtime.h>

static const int Threads = 256, Values = 12;

__global__ void phases(const float *in, float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float held[Values];
#pragma unroll
  for (int v = 0; v < Values; ++v)
    held[v] = in[v * Threads + i];
  float sum = 0;
#pragma unroll
  for (int v = 0; v < Values; ++v)
    sum += held[v] * held[(v + 5) % Values];
  for (int r = 0; r < rounds; ++r) {
    if ((i + r) % 2)
      sum = sum * 0.5f + 1.0f;
    else
      sum = sum * 0.25f + 2.0f;
    sum += float(r % 3);
  }
#pragma unroll
  for (int v = 0; v < Values; ++v)
    held[v] = in[(Values - 1 - v) * Threads + i];
#pragma unroll
  for (int v = 0; v < Values; ++v)
    sum += held[v] * held[(v + 7) % Values];
  out[i] = sum;
}

static float expected(const float *in, int i, int rounds) {
  double sum = 0;
  for (int v = 0; v < Values; ++v)
    sum += double(in[v * Threads + i]) *
           double(in[(v + 5) % Values * Threads + i]);
  for (int r = 0; r < rounds; ++r) {
    double factor = (i + r) % 2 ? 0.5 : 0.25;
    sum = sum * factor + 0.5 / factor + r % 3;
  }
  for (int v = 0; v < Values; ++v)
    sum += double(in[v * Threads + i]) *
           double(in[(v + 7) % Values * Threads + i]);
  return float(sum);
}

int main() {
  const int Rounds = 40;
  static float in[Values * Threads], out[Threads];
  for (int k = 0; k < Values * Threads; ++k)
    in[k] = float(k * 37 % 101) / 16;
  float *deviceIn = nullptr, *deviceOut = nullptr;
  cudaMalloc(&deviceIn, sizeof in);
  cudaMalloc(&deviceOut, sizeof out);
  cudaMemcpy(deviceIn, in, sizeof in, cudaMemcpyHostToDevice);
  phases<<<Threads / 64, 64>>>(deviceIn, deviceOut, Rounds);
  cudaMemcpy(out, deviceOut, sizeof out, cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError()) {
    std::printf("FAILED: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < Threads; ++i) {
    float want = expected(in, i, Rounds);
    if (!(out[i] > want * 0.9999f && out[i] < want * 1.0001f)) {
      std::printf("FAILED: [%d] is %f, expected %f\n", i, out[i], want);
      return 1;
    }
  }
  std::printf("PASSED\n");
}
