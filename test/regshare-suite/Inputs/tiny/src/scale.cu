// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

// Writes FACTOR times each number of the file IN to the file OUT.
__global__ void scale(float *Values, float Factor, int Count) {
  int N = blockIdx.x * blockDim.x + threadIdx.x;
  if (N < Count)
    Values[N] *= Factor;
}

int main(int Argc, char **Argv) {
  float Factor = 0, Value = 0;
  std::sscanf(Argv[1], "%f", &Factor);
  std::FILE *In = std::fopen(Argv[2], "r"), *Out = std::fopen(Argv[3], "w");
  if (!In || !Out)
    return 1;
  std::vector<float> Values;
  while (std::fscanf(In, "%f", &Value) == 1)
    Values.push_back(Value);
  float *Device = nullptr;
  int Count = Values.size(), Bytes = Count * sizeof(float);
  cudaMalloc(&Device, Bytes);
  cudaMemcpy(Device, Values.data(), Bytes, cudaMemcpyHostToDevice);
  scale<<<(Count + 63) / 64, 64>>>(Device, Factor, Count);
  cudaMemcpy(Values.data(), Device, Bytes, cudaMemcpyDeviceToHost);
  for (float Each : Values)
    std::fprintf(Out, "%.6g\n", Each);
  std::fclose(Out);
  std::printf("wrote %d numbers\n", Count);
  return 0;
}
