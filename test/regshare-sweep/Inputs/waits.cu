// A program that takes its time and no processor's: so many milliseconds, which
// is its argument. Tests end it while it does.
#include <cstdlib>
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void add(float *Out) { Out[threadIdx.x] += 1; }

int main(int, char **Arguments) {
  float *Out;
  cudaMalloc(&Out, 64 * sizeof(float));
  cudaMemset(Out, 0, 64 * sizeof(float));
  usleep(1000 * std::atoi(Arguments[1]));
  add<<<4, 64>>>(Out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
