// Streams' default is a choice of nvcc's that changes nothing on the SM.
// RUN: %regshare_clang -O2 --default-stream per-thread -restrict --threads 2 %s -o %t
// RUN: env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.ptx %run %t | FileCheck %s
// -restrict: what the kernel only reads is read past the stores.
// RUN: FileCheck %s --check-prefix=LOADS --input-file=%t.ptx/module0.ptx
// RUN: %regshare_clang -O2 --default-stream=legacy %s -o %t
// RUN: rm -rf %t.ptx
// RUN: env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.ptx %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=PLAIN --input-file=%t.ptx/module0.ptx
// LOADS: ld.global.nc
// PLAIN-NOT: ld.global.nc
#include <cstdio>

__global__ void add(float *Sum, const float *Term) {
  Sum[threadIdx.x] += Term[threadIdx.x];
}

int main() {
  float *Device, Host[2] = {1, 2};
  cudaMalloc(&Device, sizeof(Host));
  cudaMemcpyAsync(Device, Host, sizeof(Host), cudaMemcpyHostToDevice);
  add<<<1, 1>>>(Device, Device + 1);
  cudaMemcpyAsync(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  // CHECK: 3
  std::printf("%g\n", Host[0]);
}
