// Prints how many cycles an addition takes that waits for the one before.
#include <cstdio>

constexpr int Count = 256;

__global__ void chain(float *out, unsigned *cycles, float x) {
  float sum = out[threadIdx.x];
  unsigned begin = clock();
#pragma unroll
  for (int i = 0; i < Count; i++)
    sum = sum * x + x;
  unsigned end = clock();
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0)
    *cycles = end - begin;
}

int main() {
  float *out;
  unsigned *cycles, taken;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&cycles, sizeof(unsigned));
  cudaMemset(out, 0, 32 * sizeof(float));
  // The first launch brings the code from the DRAM.
  chain<<<1, 32>>>(out, cycles, 1.5f);
  chain<<<1, 32>>>(out, cycles, 1.5f);
  cudaMemcpy(&taken, cycles, sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("float-precision FPU latency = %f (clk)\n", float(taken) / Count);
  return 0;
}
