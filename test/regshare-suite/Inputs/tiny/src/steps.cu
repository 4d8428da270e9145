// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#define WIDTH 256 // threads

const int Steps = 50;

extern "C" __global__ void step(int *Out) { Out[threadIdx.x] += 1; }

// Counts steps in each thread; their numbers are written here.
int main() {
  int *Out = nullptr;
  cudaMallocManaged(&Out, WIDTH * sizeof(int));
  for (int N = 0; N != Steps; ++N)
    step<<<1, WIDTH>>>(Out);
  cudaDeviceSynchronize();
  std::printf("%d steps of %d threads\n", Out[WIDTH - 1], WIDTH);
}
