// A program carries its device code in two forms; the device chooses, and
// REGSHARE_CODE instead of it. The report says which.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: rm -rf %t.ptx %t.native && mkdir -p %t.dir
// RUN: env REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.ptx REGSHARE_REPORT=%t.ptx.json %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx/module0.ptx
// RUN: FileCheck %s --check-prefix=PTX-JSON < %t.ptx.json
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.native REGSHARE_REPORT=%t.native.json %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NATIVE < %t.native/module0.ptx
// RUN: FileCheck %s --check-prefix=NATIVE-JSON < %t.native.json
// PTX: .shared .align 4
// PTX-NOT: ld.shared.v4
// PTX-JSON: "code": "ptx"
// NATIVE: .shared .align 16
// NATIVE: ld.shared.v4.b32 {{.*}}[%r{{[0-9]}}
// NATIVE-JSON: "code": "native"
// NATIVE-JSON: "REGSHARE_CODE": "native"

// RUN: sed 's/^target:.*/&\ncode: {value: native, source: a test}/' %configs/hopper.yaml > %t.yaml
// RUN: env REGSHARE_DEVICE=%t.yaml REGSHARE_REPORT=%t.txt %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// TEXT: device hopper, code native, scheme baseline
// RUN: env REGSHARE_DEVICE=%t.yaml REGSHARE_CODE=ptx REGSHARE_TIMING=0 REGSHARE_REPORT=%t.txt %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT-PTX < %t.txt
// TEXT-PTX: device hopper, code ptx, scheme baseline
// Under a scheme that looks at the launch, its code is of that form too.
// RUN: rm -rf %t.native
// RUN: env REGSHARE_DEVICE=%t.yaml REGSHARE_SCHEME=regmutex REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.native %run %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NATIVE < %t.native/module0-64.ptx

// What a scheme adds is counted in either form, as its text has it.
// RUN: rm -rf %t.ltrf && env REGSHARE_CODE=native REGSHARE_SCHEME=ltrf REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.ltrf REGSHARE_REPORT=%t.ltrf.json %run %t
// RUN: grep -cE 'regshare[.](prefetch|interval) ' %t.ltrf/module0.ptx > %t.added
// RUN: %python -c 'import json, sys; a, b = (json.load(open(x))["launches"][0]["code"]["instructions"] for x in sys.argv[1:3]); print(b - a)' %t.native.json %t.ltrf.json | diff %t.added -

// Its order is that of LLVM where no other is asked for.
// RUN: rm -rf %t.asis
// RUN: env REGSHARE_CODE=native REGSHARE_SCHEDULE=0 REGSHARE_TIMING=0 REGSHARE_KEEP_PTX=%t.asis %run %t | FileCheck %s
// RUN: not cmp -s %t.asis/module0.ptx %t.native/module0.ptx
// RUN: env REGSHARE_SCHEDULE=2 not %run %t 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: REGSHARE_SCHEDULE=2: expected 0 or 1

// A program with one form, as from before there were two.
// RUN: %clang -x cuda --cuda-path=%cudart_dir/regshare/cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc
// RUN: %clang -x cuda --cuda-path=%cudart_dir/regshare/cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.bc -c %s -o %t.o
// RUN: %regshare_clang %t.o -o %t.one
// RUN: env REGSHARE_TIMING=0 %run %t.one 2>&1 | FileCheck %s --implicit-check-not=regshare
// RUN: env REGSHARE_CODE=native REGSHARE_TIMING=0 %run %t.one 2>&1 | FileCheck %s --check-prefixes=ONE,CHECK
// ONE: regshare: warning: module0 has no device code that was compiled as native code; compile its source with this regshare-clang++

// RUN: env REGSHARE_CODE=sass not %run %t 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: REGSHARE_CODE=sass: unknown form of code 'sass'; there are ptx and native

// CHECK: 64 right
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float Weights[4] = {1, 2, 3, 4};
static __device__ int Launches;

__global__ void weigh(float *P) {
  __shared__ float Part[64 * 4];
  int T = threadIdx.x;
  for (int I = 0; I < 4; ++I)
    Part[I * 64 + T] = P[T] + I;
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += Part[T * 4 + I] * Weights[I];
  P[T] = Sum;
  atomicAdd(&Launches, 1);
}

int main() {
  float Host[64], *Device;
  for (int I = 0; I < 64; ++I)
    Host[I] = I;
  cudaMalloc(&Device, sizeof(Host));
  cudaMemcpy(Device, Host, sizeof(Host), cudaMemcpyHostToDevice);
  weigh<<<1, 64>>>(Device);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  int Counted = 0, Right = 0;
  cudaMemcpyFromSymbol(&Counted, Launches, sizeof(int));
  for (int T = 0; T < 64; ++T) {
    float Sum = 0;
    for (int I = 0; I < 4; ++I) {
      int At = T * 4 + I;
      Sum += (At % 64 + At / 64) * (I + 1);
    }
    Right += Host[T] == Sum && Counted == 64;
  }
  std::printf("%d right\n", Right);
  return Right != 64;
}
