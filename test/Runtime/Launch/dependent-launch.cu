// A kernel that says when the one after it may begin, and one that waits for
// the one before.
// RUN: %regshare_clang -O1 --cuda-gpu-arch=sm_90 %s -o %t
// RUN: env REGSHARE_DEVICE=h100,sms=2 %run %t | FileCheck %s
// RUN: env REGSHARE_DEVICE=h100,sms=2 REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t | FileCheck %s
// CHECK: 128 of 128
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(int *Data) {
  cudaTriggerProgrammaticLaunchCompletion();
  Data[threadIdx.x] = threadIdx.x + 1;
}
__global__ void second(int *Data) {
  cudaGridDependencySynchronize();
  Data[threadIdx.x] *= 2;
}

int main() {
  int *Data, Host[128], Right = 0;
  cudaMalloc(&Data, sizeof(Host));
  first<<<1, 128>>>(Data);
  cudaLaunchAttribute Attribute;
  Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 1;
  Config.blockDim = 128;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  cudaError_t Error = cudaLaunchKernelEx(&Config, second, Data);
  cudaMemcpy(Host, Data, sizeof(Host), cudaMemcpyDeviceToHost);
  for (int I = 0; I != 128; ++I)
    Right += Host[I] == 2 * (I + 1);
  std::printf("%d of 128 %s\n", Right, Error ? cudaGetErrorString(Error) : "");
}
