// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

// Reads before its memory, which only GPUs let pass.
__global__ void before(volatile int *Out) { Out[0] = Out[-4] + 1; }

int main() {
  int *Out = nullptr;
  cudaMalloc(&Out, 4);
  before<<<1, 1>>>(Out);
  std::puts(cudaDeviceSynchronize() == cudaSuccess ? "passed" : "stopped");
}
