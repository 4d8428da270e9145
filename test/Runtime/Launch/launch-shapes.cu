// RegMutex chooses by the occupancy, which depends on the launch: code is
// compiled again for every shape of CTAs, while variables stay those of the
// program.
// RUN: %regshare_clang -O2 %s -o %t
// RUN: rm -rf %t.ptx
// RUN: env REGSHARE_SCHEME=regmutex REGSHARE_DEVICE=gtx480,registers=16384 \
// RUN:   REGSHARE_KEEP_PTX=%t.ptx REGSHARE_REPORT=%t.txt %run %t | FileCheck %s
// RUN: ls %t.ptx | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
// CHECK: 3 launches: PASSED
// FILES:      module0-128.ptx
// FILES-NEXT: module0-512-16.ptx
// FILES-NEXT: module0.ptx
// FILES-NOT:  {{.}}
// REPORT:      launch 1: accumulate
// REPORT:      split         {{[0-9]+}} base and {{[0-9]+}} extended registers
// REPORT:      scheme regmutex
// REPORT:      launch 2: accumulate
// REPORT:      launch 3: accumulate
// REPORT:      split         {{[0-9]+}} base and {{[0-9]+}} extended registers
//
// A size that is given holds for every shape, and one compilation does.
// RUN: rm -rf %t.one
// RUN: env REGSHARE_SCHEME=regmutex-paired REGSHARE_ES=4 REGSHARE_TIMING=0 \
// RUN:   REGSHARE_KEEP_PTX=%t.one REGSHARE_REPORT=%t.json %run %t | FileCheck %s
// RUN: ls %t.one | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// ONE:     module0.ptx
// ONE-NOT: {{.}}
// JSON: "scheme": "regmutex-paired"
// JSON: "split": {
// JSON-NEXT: "base":
// JSON-NEXT: "extended": 4
//
// So it is under a scheme that does not look at the launch.
// RUN: rm -rf %t.rfv
// RUN: env REGSHARE_SCHEME=rfv REGSHARE_KEEP_PTX=%t.rfv %run %t | FileCheck %s
// RUN: ls %t.rfv | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=RFV --input-file=%t.rfv/module0.ptx
// RFV: scheme=rfv
// RFV: regshare.free regs=R
//
// RUN: not env REGSHARE_ES=-4 %run %t 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: REGSHARE_ES=-4: expected a number from 0 to 255, got '-4'

#include <cstdio>
#include <cuda_runtime.h>

__device__ int Launches;
__device__ unsigned Sums[3];

/// Many values at once in the loop, few around it.
__global__ void accumulate(const unsigned *Data, int Rounds) {
  unsigned A[16];
  unsigned Sum = 0;
  for (int R = 0; R < Rounds; ++R) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      A[I] = Data[(threadIdx.x + R + I * 37) & 1023] * (R + I + 1);
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Sum += A[I] ^ A[(I * 7 + 3) & 15];
  }
  atomicAdd(&Sums[Launches], Sum);
}

static unsigned expected(const unsigned *Data, int Threads, int Rounds) {
  unsigned Sum = 0;
  for (int T = 0; T < Threads; ++T)
    for (int R = 0; R < Rounds; ++R)
      for (int I = 0; I < 16; ++I) {
        int J = (I * 7 + 3) & 15;
        Sum += (Data[(T + R + I * 37) & 1023] * (R + I + 1)) ^
               (Data[(T + R + J * 37) & 1023] * (R + J + 1));
      }
  return Sum;
}

int main() {
  unsigned Host[1024], *Device, Got[3];
  for (unsigned I = 0; I < 1024; ++I)
    Host[I] = I * 2654435761u;
  cudaMalloc(&Device, sizeof(Host));
  cudaMemcpy(Device, Host, sizeof(Host), cudaMemcpyHostToDevice);
  const int Threads[3] = {128, 512, 128}, Shared[3] = {0, 16, 0};
  bool Good = true;
  for (int L = 0; L < 3; ++L) {
    accumulate<<<4, Threads[L], Shared[L]>>>(Device, 3);
    int Next = L + 1;
    cudaMemcpyToSymbol(Launches, &Next, sizeof(Next));
  }
  cudaMemcpyFromSymbol(Got, Sums, sizeof(Got));
  for (int L = 0; L < 3; ++L)
    Good &= Got[L] == 4 * expected(Host, Threads[L], 3);
  std::printf("3 launches: %s\n", Good ? "PASSED" : "FAILED");
  return !Good;
}
