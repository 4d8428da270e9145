// Thrust and CUB, which a toolkit brings: many kernels from templates in one
// source, whose launches depend on attributes and properties.
// REQUIRES: cuda-toolkit
// LABELS: slow
// RUN: %regshare_clang --cuda-path=%cuda_path -std=c++17 -O1 -Wno-pass-failed %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=hopper REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: sum 499500, 0 out of order

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

int main() {
  constexpr int N = 1000;
  thrust::host_vector<int> Host(N);
  for (int I = 0; I < N; ++I)
    Host[I] = I * 7919 % N;
  thrust::device_vector<int> Device = Host;
  int Sum = thrust::reduce(Device.begin(), Device.end());
  thrust::sort(Device.begin(), Device.end());
  Host = Device;
  int Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += Host[I] != I;
  std::printf("sum %d, %d out of order\n", Sum, Wrong);
  return Wrong != 0;
}
