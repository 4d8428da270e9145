// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

__global__ void nothing() {}

// Gives up on devices older than there are.
int main() {
  nothing<<<1, 1>>>();
  cudaDeviceProp Properties;
  cudaGetDeviceProperties(&Properties, 0);
  if (Properties.major < 99) {
    std::printf("needs a newer device\n");
    return 2;
  }
  std::printf("done\n");
}
