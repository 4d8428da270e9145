// What programs try where they find it supported is declared, and says at run
// time that it is not there.
// RUN: %regshare_clang -Wall -Werror %s -lcuda -o %t
// RUN: %run %t 2>&1 | FileCheck %s
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

int main() {
  CUmemAllocationProp Properties = {};
  Properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  Properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t Granularity;
  cuInit(0);
  // CHECK: regshare: cuMemGetAllocationGranularity says in which sizes cuMemCreate reserves memory: RegShare has no virtual memory management; it returns CUDA_ERROR_NOT_SUPPORTED
  // CHECK-NEXT: 801
  fprintf(stderr, "%d\n",
          cuMemGetAllocationGranularity(&Granularity, &Properties,
                                        CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUDA_ARRAY3D_DESCRIPTOR Description = {8, 8, 8, CU_AD_FORMAT_FLOAT, 1, 0};
  CUarray Array;
  // CHECK-NEXT: regshare: cuArray3DCreate_v2 makes an array of up to three dimensions: RegShare's driver interface has arrays of one and two dimensions, which cuMemcpy2D copies; it returns CUDA_ERROR_NOT_SUPPORTED
  // CHECK-NEXT: 801
  fprintf(stderr, "%d\n", cuArray3DCreate(&Array, &Description));
  cudaIpcMemHandle_t Handle;
  // CHECK-NEXT: regshare: cudaIpcGetMemHandle lets other processes use memory: RegShare shares nothing with other interfaces or processes; it returns cudaErrorNotSupported
  // CHECK-NEXT: cudaErrorNotSupported
  fprintf(stderr, "%s\n",
          cudaGetErrorName(cudaIpcGetMemHandle(&Handle, nullptr)));
  return 0;
}
