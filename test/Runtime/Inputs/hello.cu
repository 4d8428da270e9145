#include <cstdio>
#include <cuda_runtime.h>

__global__ void hello() { printf("hello from the device\n"); }

int main() {
  cudaError_t Error = cudaFree(nullptr);
  if (Error != cudaSuccess) {
    printf("%s\n", cudaGetErrorName(Error));
    return 1;
  }
  hello<<<1, 1>>>();
  Error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(Error));
  return Error;
}
