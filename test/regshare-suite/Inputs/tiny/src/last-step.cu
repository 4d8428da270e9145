// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

__global__ void step(int *Out) { *Out += 1; }

// Its last step has nothing left to do, which it does not notice.
int main() {
  int *Out = nullptr, Found = 0;
  cudaMallocManaged(&Out, sizeof(int));
  for (int Left = N; Left-- > 0;)
    step<<<Left ? 1 : 0, 1>>>(Out);
  cudaMemcpy(&Found, Out, sizeof(int), cudaMemcpyDefault);
  std::printf("%d steps\n", Found);
}
