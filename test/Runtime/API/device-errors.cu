// Functions that check errors are for host and device, or for the device alone;
// names and texts are the same on both.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: device: cudaErrorInvalidValue
// CHECK: device: no error here
// CHECK: 0 differ

#include <cstdio>
#include <cstring>

__host__ __device__ bool check(cudaError_t Error, const char *Where) {
  if (Error == cudaSuccess)
    return true;
  printf("%s: %s\n", Where, cudaGetErrorName(Error));
  return false;
}

__device__ const char *text(int Code) {
  return cudaGetErrorString(static_cast<cudaError_t>(Code));
}

__global__ void k(int Code, char *Text) {
  if (Code == 0 && !check(cudaErrorInvalidValue, "device") &&
      check(cudaGetLastError(), "device") &&
      check(cudaPeekAtLastError(), "device"))
    printf("device: no error here\n");
  const char *From = text(Code);
  while ((*Text++ = *From++))
    ;
}

int main() {
  constexpr int Codes = 1000, Most = 200;
  char *Device, Host[Most];
  int Differ = 0;
  cudaMalloc(&Device, Most);
  for (int Code = 0; Code != Codes; Code += Code < 100 ? 1 : 50) {
    k<<<1, 1>>>(Code, Device);
    cudaMemcpy(Host, Device, Most, cudaMemcpyDeviceToHost);
    Differ +=
        std::strcmp(Host, cudaGetErrorString(static_cast<cudaError_t>(Code)));
  }
  std::printf("%d differ\n", Differ);
}
