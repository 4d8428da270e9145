// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void fewer(int Most) { assert(int(threadIdx.x) < Most); }

// Four threads, of which its argument says how many may be.
int main(int, char **Argv) {
  fewer<<<1, 4>>>(std::atoi(Argv[1]));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
