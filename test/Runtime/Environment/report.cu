// REGSHARE_REPORT and REGSHARE_TRACE: every launch and copy, in simulated time.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_REPORT=%t.txt REGSHARE_TRACE=%t.trace.json %run %t
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: env REGSHARE_REPORT=%t.json REGSHARE_DEVICE=hopper %run %t
// RUN: %python %S/Inputs/check-report.py %t.json %t.trace.json
// RUN: env REGSHARE_TIMING=0 REGSHARE_REPORT=%t.untimed.txt %run %t
// RUN: FileCheck %s --check-prefix=UNTIMED < %t.untimed.txt
// On standard error, without a file of that name.
// RUN: rm -rf %t.folder && mkdir %t.folder && cd %t.folder
// RUN: env REGSHARE_REPORT=- %run %t 2>&1 >%t.out | FileCheck %s --check-prefix=TEXT
// RUN: not test -e %t.folder/-
// A fault is in the report, too.
// RUN: env REGSHARE_REPORT=%t.fault.txt not %run %t fault
// RUN: FileCheck %s --check-prefix=FAULT < %t.fault.txt

// TEXT: launch 1: void scale<float>(float*, float, int)
// TEXT: time {{.*}} cycles,
// TEXT: IPC
// TEXT: registers {{.*}} a thread
// TEXT: residency
// TEXT: issue slots:
// TEXT: launch 2: void scale<int>(int*, int, int)
// TEXT: in all        2 launches, {{[0-9]+}} warp instructions, {{[0-9]+}} cycles; 3 copies and fills of 8448 bytes; device gtx480, code ptx, scheme baseline

// UNTIMED: launch 1: void scale<float>(float*, float, int)
// UNTIMED: kernel        '_Z5scaleIfEvPT_S0_i', grid 8x1x1, block 128x1x1
// UNTIMED: shared        0 + 64 bytes a CTA
// UNTIMED: in all        2 launches, {{[0-9]+}} warp instructions; 3 copies {{.*}}, without timing

// FAULT: launch 2:
// FAULT: failed        cudaErrorIllegalAddress

#include <cuda_runtime.h>

template <typename T> __global__ void scale(T *P, T Factor, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] *= Factor;
}

int main(int Args, char **) {
  float *P, Host[1024] = {};
  cudaMalloc(&P, sizeof(Host));
  cudaMemset(P, 0, 256);
  cudaMemcpy(P, Host, sizeof(Host), cudaMemcpyHostToDevice);
  scale<float><<<8, 128, 64>>>(P, 2, 1024);
  int More = Args > 1;
  scale<int><<<8 + More, 128>>>((int *)P, 3, 1024 + More);
  return cudaMemcpy(Host, P, sizeof(Host), cudaMemcpyDeviceToHost);
}
