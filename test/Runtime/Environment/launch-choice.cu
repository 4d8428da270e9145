// REGSHARE_LAUNCHES times a part of a program's launches; what the others write
// is the same. With REGSHARE_COLD_L2 a launch does not find what the last left.
// RUN: %regshare_clang %s -o %t
// RUN: env REGSHARE_REPORT=%t.txt REGSHARE_LAUNCHES=add:2,scale %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt
// RUN: env REGSHARE_REPORT=%t.json REGSHARE_LAUNCHES=add:2-3 %run %t | FileCheck %s
// RUN: env REGSHARE_REPORT=%t.cold.json REGSHARE_LAUNCHES=add:2-3 REGSHARE_COLD_L2=1 %run %t | FileCheck %s
// RUN: %python %S/Inputs/launch-choice.py %t.json %t.cold.json | FileCheck %s --check-prefix=JSON

// RUN: not env REGSHARE_LAUNCHES=0 %run %t 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not env REGSHARE_COLD_L2=2 %run %t 2>&1 | FileCheck %s --check-prefix=COLD
// BAD: regshare: REGSHARE_LAUNCHES=0: expected launches as in 3, 3-8, KERNEL, KERNEL:3 or KERNEL:3-8, the first one being 1, got '0'
// COLD: regshare: REGSHARE_COLD_L2=2: expected 0 or 1, got '2'

// CHECK: sum 36864
// REPORT: launch 1: add(
// REPORT-NOT: cycles
// REPORT: launch 2: add(
// REPORT: time {{.*}} cycles,
// REPORT: launch 3: add(
// REPORT-NOT: cycles
// REPORT: launch 4: scale(
// REPORT: time {{.*}} cycles,
// REPORT: in all        4 launches

// JSON: launches with cycles: 2 3; 2 3
// JSON: warm: the second timed launch reads less from the DRAM
// JSON: cold: both read the same
#include <cstdio>
#include <cstdlib>

constexpr int N = 4096;

__global__ void add(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void scale(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] *= 3;
}

int main() {
  float *a, *h = (float *)malloc(N * sizeof(float));
  if (cudaMalloc(&a, N * sizeof(float)) != cudaSuccess)
    return 1;
  cudaMemset(a, 0, N * sizeof(float));
  for (int i = 0; i < 3; i++)
    add<<<N / 256, 256>>>(a);
  scale<<<N / 256, 256>>>(a);
  cudaMemcpy(h, a, N * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += h[i];
  printf("sum %.0f\n", sum);
  return 0;
}
