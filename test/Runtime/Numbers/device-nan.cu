// nan() and nanf() in device code, which no library defines.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: %if cuda-toolkit %{ %regshare_clang --cuda-path=%cuda_path -O1 %s -o %t.toolkit %}
// RUN: %if cuda-toolkit %{ env REGSHARE_TIMING=0 %run %t.toolkit | FileCheck %s %}
#include <cmath>
#include <cstdio>
#include <cstring>

__global__ void fill(double *D, float *F, int N) {
  D[0] = nan("");
  D[1] = N ? nan("7") : 1.0;
  F[0] = nanf("");
}

int main() {
  double *D, HD[2] = {};
  float *F, HF = 0;
  cudaMalloc(&D, sizeof(HD));
  cudaMalloc(&F, sizeof(HF));
  fill<<<1, 1>>>(D, F, 1);
  cudaMemcpy(HD, D, sizeof(HD), cudaMemcpyDeviceToHost);
  cudaMemcpy(&HF, F, sizeof(HF), cudaMemcpyDeviceToHost);
  // CHECK: 1 1 1
  std::printf("%d %d %d\n", std::isnan(HD[0]), std::isnan(HD[1]),
              std::isnan(HF));
}
