#include "scale.h"
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

__global__ void scale(int *Values, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Values[I] *= FACTOR;
}

int scaledSum(int Count) {
  std::vector<int> Values(Count);
  std::iota(Values.begin(), Values.end(), 0);
  int *Device = nullptr;
  size_t Bytes = Count * sizeof(int);
  cudaMalloc(&Device, Bytes);
  cudaMemcpy(Device, Values.data(), Bytes, cudaMemcpyHostToDevice);
  scale<<<(Count + 63) / 64, 64>>>(Device, Count);
  if (cudaMemcpy(Values.data(), Device, Bytes, cudaMemcpyDeviceToHost) !=
      cudaSuccess)
    return -1;
  return std::accumulate(Values.begin(), Values.end(), 0);
}
