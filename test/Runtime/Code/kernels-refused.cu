// A kernel that cannot be compiled does not take the others of its module with
// it; who asks for what it takes, or launches it, is told why, once.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_DEVICE=gtx480 REGSHARE_SCHEME=regmutex %run %t 2>&1 | FileCheck %s
#include <cstdio>

__device__ int Total = 40;

// No function has the type that is called.
__device__ float (*Unset[2])(float, int);

__device__ __noinline__ float callUnset(int N) { return Unset[N](2, N); }
__global__ void unsetCall(int *P) { *P = callUnset(*P); }

__global__ void plain(int *P) { *P = atomicAdd(&Total, 1) + 2; }

static void report(const char *Name) {
  std::printf("%s: %s\n", Name, cudaGetErrorName(cudaGetLastError()));
  std::fflush(stdout);
}

int main() {
  int *D, Value = 0;
  cudaMalloc(&D, sizeof(int));
  cudaMemset(D, 0, sizeof(int));
  plain<<<1, 1>>>(D);
  report("plain");
  cudaFuncAttributes Attributes;
  cudaFuncGetAttributes(&Attributes, unsetCall);
  report("attributes");
  int CTAs;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&CTAs, unsetCall, 32, 0);
  report("occupancy");
  unsetCall<<<1, 1>>>(D);
  report("unset");
  unsetCall<<<1, 1>>>(D);
  report("unset");
  plain<<<1, 1>>>(D);
  cudaMemcpy(&Value, D, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", Value);
  // CHECK: plain: cudaSuccess
  // CHECK-NEXT: regshare: cannot use kernel _Z9unsetCallPi: {{.*}}kernels-refused.cu:14:{{[0-9]+}}: error: indirect call in kernel 'unsetCall(int*)': the function it reaches is not known when registers are assigned
  // CHECK-NEXT: attributes: cudaErrorInvalidKernelImage
  // CHECK-NEXT: occupancy: cudaErrorInvalidKernelImage
  // CHECK-NEXT: unset: cudaErrorInvalidKernelImage
  // CHECK-NEXT: unset: cudaErrorInvalidKernelImage
  // CHECK-NEXT: 43
}
