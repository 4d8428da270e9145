// An instruction that the SM does not have keeps the kernel that it is in from
// being used, and not the others of its module.
// RUN: %regshare_clang -O1 --cuda-gpu-arch=sm_90a %s -o %t
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 REGSHARE_CODE=native %run %t 2>&1 | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100 REGSHARE_TIMING=0 REGSHARE_SCHEME=regmutex %run %t 2>&1 | FileCheck %s
#include <cstdio>

__global__ void matrices(int *Out) {
  asm volatile("wgmma.fence.sync.aligned;");
  *Out = 1;
}
__global__ void plain(int *Out) { *Out += 21; }

static void report(const char *Name) {
  std::printf("%s: %s\n", Name, cudaGetErrorName(cudaGetLastError()));
  std::fflush(stdout);
}

int main() {
  int *Out, Value = 0;
  cudaMalloc(&Out, sizeof(int));
  cudaMemset(Out, 0, sizeof(int));
  // CHECK: plain: cudaSuccess
  plain<<<1, 1>>>(Out);
  report("plain");
  // CHECK-NEXT: regshare: cannot use kernel _Z8matricesPi: module0{{.*}}.ptx:{{[0-9]+}}: instruction 'wgmma' is not supported in 'wgmma.fence.sync.aligned'
  // CHECK-NEXT: matrices: cudaErrorInvalidKernelImage
  // CHECK-NEXT: matrices: cudaErrorInvalidKernelImage
  matrices<<<1, 1>>>(Out);
  report("matrices");
  matrices<<<1, 1>>>(Out);
  report("matrices");
  plain<<<1, 1>>>(Out);
  cudaMemcpy(&Value, Out, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: 42
  std::printf("%d\n", Value);
}
