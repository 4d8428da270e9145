// What is called may use any register, so a warp needs the shared ones at a
// call, even where all of the kernel's own are private.
// RUN: regshare-opt %s --scheme=register-sharing --regshare-private-share=1 | FileCheck %s
// RUN: regshare-opt %s --scheme=register-sharing --regshare-private-share=1 --regshare-register-order=weight | FileCheck %s

#include <cstdio>

// CHECK-LABEL: calls
// CHECK: sharing {{[1-9][0-9]*}} private and 0 shared registers
// The loop alone is some hundreds.
// CHECK-NEXT: before the first shared one: {{[0-9]?[0-9]\.[0-9]}} instructions expected, {{[0-9]?[0-9]}} at least, of {{[0-9][0-9][0-9]}}.
__global__ void calls(float *Data) {
  printf("%d\n", threadIdx.x);
  float Sum = 0;
  for (int I = 0; I < 64; ++I)
    Sum += Data[I * threadIdx.x];
  Data[threadIdx.x] = Sum;
}

// CHECK-LABEL: alone
// CHECK: sharing {{[1-9][0-9]*}} private and 0 shared registers
// CHECK-NEXT: before the first shared one: [[ALL:[0-9]+\.[0-9]+]] instructions expected,{{.*}} of [[ALL]]
__global__ void alone(float *Data) {
  float Sum = 0;
  for (int I = 0; I < 64; ++I)
    Sum += Data[I * threadIdx.x];
  Data[threadIdx.x] = Sum;
}
