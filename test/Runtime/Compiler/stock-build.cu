// A program that stock clang built with the plugin carries annotated PTX, and
// runs as it is; PTX without annotations gets its registers when it runs.
// REQUIRES: cuda-toolkit
// RUN: %run %clang -x cuda --cuda-path=%cuda_path --cuda-gpu-arch=sm_75 --cuda-include-ptx=all -O2 -Wno-unknown-cuda-version \
// RUN:   -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -regshare-scheme=baseline %s -c -o %t.o
// RUN: %regshare_clang %t.o -o %t
// RUN: env REGSHARE_KEEP_PTX=%t.ptx %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=ANNOTATED < %t.ptx/module0.ptx
// ANNOTATED: .pragma "regshare.kernel v1 name=_Z6squarePii scheme=baseline
// Its registers stay divided as they are, under the scheme that shares them and
// under one that does not.
// RUN: %run %clang -x cuda --cuda-path=%cuda_path --cuda-gpu-arch=sm_75 --cuda-include-ptx=all -O2 -Wno-unknown-cuda-version \
// RUN:   -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -regshare-scheme=regmutex -mllvm -regshare-es=2 %s -c -o %t.split.o
// RUN: %regshare_clang %t.split.o -o %t.split
// RUN: env REGSHARE_KEEP_PTX=%t.ptx REGSHARE_SCHEME=regmutex REGSHARE_REPORT=%t.txt %run %t.split | FileCheck %s
// RUN: FileCheck %s --check-prefix=SPLIT < %t.ptx/module0.ptx
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt
// RUN: %run %t.split | FileCheck %s
// SPLIT: scheme=regmutex
// SPLIT: .pragma "regshare.regmutex base={{[0-9]+}} extended=2";
// REPORT: split         {{[0-9]+}} base and 2 extended registers
// RUN: %clang -x cuda --cuda-path=%cuda_path --cuda-gpu-arch=sm_75 --cuda-include-ptx=all -O2 -Wno-unknown-cuda-version %s -c -o %t.plain.o
// RUN: %regshare_clang %t.plain.o -o %t.plain
// RUN: env REGSHARE_KEEP_PTX=%t.ptx %run %t.plain | FileCheck %s
// RUN: FileCheck %s --check-prefix=ANNOTATED < %t.ptx/module0.ptx
// Machine code alone is no use.
// RUN: %clang -x cuda --cuda-path=%cuda_path --cuda-gpu-arch=sm_75 --no-cuda-include-ptx=all -O2 -Wno-unknown-cuda-version %s -c -o %t.cubin.o
// RUN: %regshare_clang %t.cubin.o -o %t.cubin
// RUN: not %run %t.cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
// CUBIN: regshare: cannot use device code (kernels: _Z6squarePii): it holds machine code for GPUs and no PTX
// CUBIN: launch: cudaErrorNoKernelImageForDevice

#include <cstdio>
#include <cuda_runtime.h>

__global__ void square(int *P, int N) {
  if (threadIdx.x < N)
    P[threadIdx.x] *= P[threadIdx.x];
}

int main() {
  int Host[5] = {1, 2, 3, 4, 5}, *P;
  cudaMalloc(&P, sizeof(Host));
  cudaMemcpy(P, Host, sizeof(Host), cudaMemcpyHostToDevice);
  square<<<1, 32>>>(P, 5);
  cudaError_t Error = cudaGetLastError();
  cudaMemcpy(Host, P, sizeof(Host), cudaMemcpyDeviceToHost);
  // CHECK: 1 4 9 16 25
  printf("%d %d %d %d %d\n", Host[0], Host[1], Host[2], Host[3], Host[4]);
  printf("launch: %s\n", cudaGetErrorName(Error));
  return Error;
}
