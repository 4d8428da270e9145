// A kernel of which few CTAs fit, and one that nothing limits: the ladder, the
// launch bounds that give its best rung, and the program with them.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/tune.cu
// RUN: %regshare_tune %t/tune.cu --device=gtx480,sms=2 --code=ptx --json=%t/out.json --patch=%t/diff --page=%t/out.html > %t/out 2> %t/err
// RUN: FileCheck %s --input-file=%t/out
// RUN: FileCheck %s --input-file=%t/diff --check-prefix=DIFF
// RUN: FileCheck %s --input-file=%t/out.json --check-prefix=JSON
// CHECK: gather: 1 launch, CTAs of 256x1x1 threads
// CHECK-NEXT: CTAs warps limit registers
// CHECK-NEXT: {{^ +[0-9]+ +[0-9]+ +- +[0-9]+ .* 1\.00x +1\.00$}}
// CHECK: {{ [0-9]+ +[0-9]+ .* 1\.[0-9]+x .*<--$}}
// CHECK: small: 1 launch, CTAs of 256x1x1 threads
// CHECK-NEXT: CTAs warps
// CHECK-NEXT: {{ 1\.00x +1\.00 <--$}}
// CHECK: gather: __launch_bounds__(256, {{[0-9]+}}), or -maxrregcount={{[0-9]+}} for all kernels: 1.{{[0-9]+}}x
// CHECK-NEXT: the program with the patch: {{[0-9,]+}} cycles instead of {{[0-9,]+}}, 1.{{[0-9]+}}x
// DIFF: -__global__ void gather(const int *In, int *Out, int Divisor) {
// DIFF-NEXT: +__global__ void __launch_bounds__(256, {{[0-9]+}}) gather(const int *In, int *Out, int Divisor) {
// RUN: FileCheck %s --input-file=%t/out.html --check-prefix=PAGE
// PAGE: <h1>tune.cu: how many registers are best
// PAGE: <li>gather: __launch_bounds__(256, {{[0-9]+}}), or -maxrregcount=
// PAGE: +__global__ void __launch_bounds__(256,
// PAGE: <h2>gather</h2>
// PAGE: <h2>small</h2>
// JSON: "launch_bounds": "__launch_bounds__(256, {{[0-9]+}})"
// JSON: "launch_bounds": null
//
// Schemes are tried with each limit, and are no part of the patch.
// RUN: env REGSHARE_SCHMEE=ltrf %regshare_tune %t/tune.cu --device=gtx480,sms=2 --code=ptx --schemes=regmutex:tau=1,scratchpad-sharing:private-share=0.2 --json=%t/schemes.json 2> %t/told | FileCheck %s --check-prefix=SCHEMES
// SCHEMES: gather: 1 launch
// SCHEMES: under a scheme CTAs warps limit registers local cycles speedup energy
// SCHEMES-NEXT: {{^regmutex:tau=1 +[0-9]+ +[0-9]+ +- }}
// SCHEMES-NEXT: {{^regmutex:tau=1 +[0-9]+ +[0-9]+ +[0-9]+ }}
// SCHEMES: scratchpad-sharing:private-share=0.2
// SCHEMES: gather: __launch_bounds__(256, {{[0-9]+}}), or
// RUN: FileCheck %s --check-prefix=TOLD --input-file=%t/told
// TOLD: regshare-tune: warning: REGSHARE_SCHMEE is no variable of RegShare
// TOLD-NEXT: regshare-tune: warning: 'tau' is a setting of scheme expars; it changes nothing under regmutex
// RUN: not %regshare_tune %t/tune.cu --device=gtx480 --schemes=regmutx 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}regshare-tune: unknown scheme 'regmutx' (did you mean 'regmutex'?); there are: baseline
//
// With spills in shared memory a rung has less local memory, and says what it
// takes.
// RUN: %regshare_tune %t/tune.cu --device=gtx480,sms=2 --code=ptx --smem-spilling --json=%t/smem.json | FileCheck %s --check-prefix=SMEM
// RUN: %python -c "import json, sys; a, b = [json.load(open(each))['kernels'][0]['rungs'] for each in sys.argv[1:]]; assert sum(each['seen']['local_bytes'] for each in b) < sum(each['seen']['local_bytes'] for each in a), (a, b)" %t/out.json %t/smem.json
// SMEM: This holds with asm volatile(".pragma \"enable_smem_spilling\";"); at the beginning of these kernels.
//
// A compiled program has a ladder, and no patch; one that fails is told to.
// RUN: %regshare_clang -O2 %s -o %t/tune
// RUN: %regshare_tune %t/tune --device=gtx480,sms=2 --code=ptx 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: gather: __launch_bounds__(256, {{[0-9]+}})
// COMPILED-NOT: with the patch
// RUN: not %regshare_tune %t/tune --device=gtx480 -- fail 2>&1 | FileCheck %s --check-prefix=FAIL
// FAIL: {{^}}regshare-tune: the program fails on gtx480: exit code 3
// RUN: not %regshare_tune %t/tune --device=gtx480,hopper 2>&1 | FileCheck %s --check-prefix=DEVICES
// DEVICES: {{^}}regshare-tune: --device=gtx480,hopper: expected one device
// RUN: env REGSHARE_MAX_REGISTERS=x not %run %t/tune 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: REGSHARE_MAX_REGISTERS=x: expected a number, 0 or more, got 'x'

#include <cuda_runtime.h>

constexpr int Values = 48, Threads = 256, CTAs = 24, Steps = 96;

// All values are loaded first and read last: in between a thread holds them,
// while it waits for one division after the other.
__global__ void gather(const int *In, int *Out, int Divisor) {
  int First = blockIdx.x * blockDim.x + threadIdx.x;
  int Kept[Values], At = First;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Kept[I] = In[First + I * CTAs * Threads];
#pragma unroll 1
  for (int I = 0; I < Steps; ++I)
    At = (At + First) / Divisor + I;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    At = At * 3 + (Kept[I] ^ Kept[(I * 7 + 5) % Values]);
  Out[First] = At;
}

__global__ void small(int *Out) { Out[threadIdx.x] += 1; }

int main(int Count, char **) {
  if (Count > 1)
    return 3;
  int *In, *Out;
  cudaMalloc(&In, Values * CTAs * Threads * sizeof(int));
  cudaMalloc(&Out, CTAs * Threads * sizeof(int));
  cudaMemset(In, 1, Values * CTAs * Threads * sizeof(int));
  gather<<<CTAs, Threads>>>(In, Out, 3);
  small<<<1, Threads>>>(Out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
