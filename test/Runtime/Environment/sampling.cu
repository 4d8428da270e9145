// REGSHARE_SAMPLE times a part of a program's launches and estimates the cycles
// of the others. Four kernels: one whose launches are all alike, one whose
// grids shrink, one of many waves, of which some launches are timed in part,
// and one whose CTAs wait for each other, which is always timed.
// The program's results are the same, and the cycles those of the whole run
// within five percent.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: env REGSHARE_REPORT=%t.json REGSHARE_SAMPLE=3 %run %t > %t.out
// RUN: FileCheck %s < %t.out
// RUN: env REGSHARE_REPORT=%t.txt REGSHARE_SAMPLE=3 %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt

// The whole, without an estimate, which sanitizers would make take longest.
// RUN: %if !asan %{ env REGSHARE_REPORT=%t.whole.json %run %t > %t.whole.out %}
// RUN: %if !asan %{ diff %t.whole.out %t.out %}
// RUN: %if !asan %{ %python %S/Inputs/sampling.py %t.whole.json %t.json | FileCheck %s --check-prefix=JSON %}
// RUN: %if !asan %{ env REGSHARE_REPORT=%t.off.txt REGSHARE_SAMPLE=0 %run %t | FileCheck %s %}
// RUN: %if !asan %{ FileCheck %s --check-prefix=OFF < %t.off.txt %}

// Launches that were not chosen have no cycles, estimated or not.
// RUN: env REGSHARE_REPORT=%t.chosen.txt REGSHARE_SAMPLE=3 REGSHARE_LAUNCHES=shrink %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHOSEN < %t.chosen.txt

// RUN: not env REGSHARE_SAMPLE=51 %run %t 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: regshare: REGSHARE_SAMPLE=51: expected a number of percent from 1 to 50, or 0, got '51'
// RUN: not env REGSHARE_SAMPLE=3%% %run %t 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: regshare: REGSHARE_SAMPLE=3%: expected a number of percent from 1 to 50, or 0, got '3%'

// CHECK: sum {{[0-9]+}}

// REPORT: launch 1: repeat(
// REPORT: IPC
// REPORT: launch takes {{[0-9]+}} cycles, estimated, within {{[0-9.]+}}%, from its first waves: what follows is of {{[0-9]+}} of its 2560 CTAs
// REPORT: time {{.*}} cycles,
// REPORT-COUNT-80: launch takes {{[0-9]+}} cycles, estimated, within {{[0-9.]+}}%, from other launches
// REPORT: sampled {{.*}} of 144 launches were timed, and the first CTAs of {{[0-9]+}}, {{[0-9]+}} cycles; together {{[0-9]+}} cycles, estimated, within {{[0-9.]+}}%
// REPORT: in all 144 launches, {{[0-9]+}} warp instructions, {{[0-9]+}} cycles, estimated, within

// OFF-NOT: estimated
// OFF: in all 144 launches, {{[0-9]+}} warp instructions, {{[0-9]+}} cycles;

// CHOSEN: launch 1: repeat(
// CHOSEN-NOT: cycles
// CHOSEN: launch 2: shrink(
// CHOSEN: time {{.*}} cycles
// CHOSEN: sampled {{.*}} of 60 launches were timed

// JSON: the same launches with the same warp instructions: 140
// JSON: every launch of wait was timed: True
// JSON: timed less than half of the other launches: True
// JSON: every launch has stats or an estimate: True
// JSON: launches with both are of many and timed in part: True
// JSON: the sums are those of the launches: True
// JSON: cycles within 5% of the whole: True
#include <cstdio>
#include <cstdlib>

constexpr int N = 1 << 16, Rounds = 60;

__global__ void repeat(unsigned *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i], y = a[(i * 97) % N];
  for (int k = 0; k < 8; k++)
    x = x * 5 + y;
  a[i] = x;
}
__global__ void shrink(unsigned *a, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    a[i] = a[i] * 3 + n;
}
__global__ void many(unsigned *a) {
  unsigned x = threadIdx.x + blockIdx.x;
  for (int k = 0; k < 20; k++)
    x = x * x + k;
  if (threadIdx.x == 0)
    a[blockIdx.x] += x;
}
__global__ void wait(volatile unsigned *flag, unsigned value) {
  if (blockIdx.x == 0)
    *flag = value;
  while (*flag != value)
    ;
}

int main() {
  unsigned *a, *flag, *h = (unsigned *)malloc(N * sizeof(unsigned));
  if (cudaMalloc(&a, N * sizeof(unsigned)) != cudaSuccess ||
      cudaMalloc(&flag, sizeof(unsigned)) != cudaSuccess)
    return 1;
  for (int i = 0; i < N; i++)
    h[i] = i;
  cudaMemcpy(a, h, N * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(unsigned));
  for (int i = 0; i < Rounds; i++) {
    // Reads what other CTAs write, at a distance: one CTA a launch.
    repeat<<<1, 256>>>(a);
    shrink<<<4 * (Rounds - i), 256>>>(a, i);
    if (i % 3 == 0)
      many<<<2560, 128>>>(a);
    if (i % 15 == 0)
      wait<<<8, 32>>>(flag, i + 1);
  }
  cudaMemcpy(h, a, N * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + h[i];
  printf("sum %llu\n", sum);
  return 0;
}
