// A program that only GPUs let pass: nothing runs without --lenient, all does
// with it; and in a sweep with `lenient` of the program.
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/before.cu
// REQUIRES: snakemake
// RUN: not %regshare_compare %t/before.cu --out=%t/strict --schemes=rfv 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT: the program fails on gtx480 under baseline: {{.*}}out-of-bounds read
// RUN: %regshare_compare %t/before.cu --out=%t/lenient --schemes=rfv,ltrf:lenient=1 --lenient 2>/dev/null | FileCheck %s --check-prefix=ROWS
// ROWS: before: 1 launch
// ROWS: {{^}}baseline 8 16 0.1 {{[0-9]+}} 1.00x
// ROWS: {{^}}rfv 8 16 0.1 {{[0-9]+ [0-9.]+}}x
// ROWS: {{^}}ltrf 8
// RUN: printf 'programs: [{source: before.cu, lenient: true}]\ndevices: [gtx480]\nruns: [{scheme: [baseline, rfv]}]\n' > %t/sweep.yaml
// RUN: %regshare_sweep %t/sweep.yaml --list 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: before: gtx480: baseline lenient=1
// LIST: before: gtx480: rfv lenient=1
// RUN: %regshare_sweep %t/sweep.yaml --out=%t/sweep 2>/dev/null | FileCheck %s --check-prefix=SWEEP
// SWEEP: 2 of 2 runs finished, 0 refused, 0 failed
// RUN: printf 'programs: [{source: before.cu, lenient: 2}]\ndevices: [gtx480]\nruns: [{scheme: baseline}]\n' > %t/bad.yaml
// RUN: not %regshare_sweep %t/bad.yaml --list 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: 'lenient' of the program 'before': expected true or false
#include <cstdio>

__global__ void before(volatile const float *In, float *Out) {
  float Value = In[int(threadIdx.x) - 32];
  if (threadIdx.x < 32)
    Value = In[threadIdx.x];
  Out[threadIdx.x] = Value;
}

int main() {
  float *In, *Out, H[64], Wrong = 0;
  for (int I = 0; I != 64; ++I)
    H[I] = I;
  cudaMalloc(&In, sizeof(H));
  cudaMalloc(&Out, sizeof(H));
  cudaMemcpy(In, H, sizeof(H), cudaMemcpyHostToDevice);
  before<<<1, 64>>>(In, Out);
  cudaError_t Error = cudaMemcpy(H, Out, sizeof(H), cudaMemcpyDeviceToHost);
  for (int I = 0; I != 64; ++I)
    Wrong += H[I] != I % 32;
  std::printf("%s, %g wrong\n", cudaGetErrorString(Error), Wrong);
  return Error != cudaSuccess || Wrong;
}
