// __maxnreg__ bounds a kernel's registers, as its PTX says, whichever headers
// define it; regshare-opt takes it as programs do.
// RUN: %regshare_clang -arch=sm_80 -O2 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t | FileCheck %s
// RUN: env REGSHARE_TIMING=0 REGSHARE_CODE=native REGSHARE_DEVICE=hopper %run %t | FileCheck %s
// RUN: regshare-opt %s -mcpu=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %regshare_clang -arch=sm_80 -ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %if cuda-toolkit %{ %regshare_clang --cuda-path=%cuda_path -arch=sm_80 -O2 %s -o %t.toolkit %}
// RUN: %if cuda-toolkit %{ env REGSHARE_TIMING=0 %run %t.toolkit | FileCheck %s %}
#include <cstdio>

/// Has more values alive than 32 registers hold.
__device__ void mix(float *X) {
  float Values[48];
#pragma unroll
  for (int I = 0; I < 48; ++I)
    Values[I] = X[threadIdx.x + I * 64];
#pragma unroll
  for (int I = 0; I < 48; ++I)
    X[threadIdx.x + I * 64] = Values[I] * Values[(I * 7 + 1) % 48];
}

// PTX: .entry {{.*}}bounded
// PTX: .maxnreg 32
template <int Registers>
__global__ void __maxnreg__(Registers) bounded(float *X) {
  mix(X);
}
__global__ void unbounded(float *X) { mix(X); }

static void report(const char *Name, void (*Kernel)(float *)) {
  cudaFuncAttributes Attributes;
  if (cudaFuncGetAttributes(&Attributes, Kernel) == cudaSuccess)
    std::printf("%s: at most 32: %s\n", Name,
                Attributes.numRegs <= 32 ? "yes" : "no");
}

int main() {
  report("bounded", bounded<32>);
  report("unbounded", unbounded);
  // CHECK: bounded: at most 32: yes
  // CHECK-NEXT: unbounded: at most 32: no
}
