// A kernel's fault is told with its place, and stays as CUDA's sticky error
// until the device is reset.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: %run %t bounds 2>&1 | FileCheck %s --check-prefixes=BOUNDS,ALL
// RUN: %run %t freed 2>&1 | FileCheck %s --check-prefixes=FREED,ALL
// RUN: %run %t null 2>&1 | FileCheck %s --check-prefixes=NULL,ALL
// RUN: %run %t misaligned 2>&1 | FileCheck %s --check-prefixes=MISALIGNED,ALL
// RUN: %run %t assert 2>&1 | FileCheck %s --check-prefixes=ASSERT,ALL
// RUN: %run %t trap 2>&1 | FileCheck %s --check-prefixes=TRAP,ALL
// RUN: %run %t deadlock 2>&1 | FileCheck %s --check-prefixes=DEADLOCK,ALL
// RUN: env REGSHARE_CYCLE_LIMIT=20000 %run %t endless 2>&1 | FileCheck %s --check-prefixes=CYCLES,ALL
// RUN: env REGSHARE_TIMING=0 REGSHARE_INSTRUCTION_LIMIT=20000 %run %t endless 2>&1 | FileCheck %s --check-prefixes=INSTRUCTIONS,ALL
// RUN: env REGSHARE_TIMING=0 %run %t bounds 2>&1 | FileCheck %s --check-prefixes=BOUNDS,ALL
// RUN: env REGSHARE_TIMING=0 %run %t deadlock 2>&1 | FileCheck %s --check-prefixes=DEADLOCK,ALL
// The report has the kind and the message of each, whatever becomes of the
// program.
// RUN: env REGSHARE_REPORT=%t.json %run %t bounds 2>&1 | FileCheck %s --check-prefixes=BOUNDS,ALL
// RUN: FileCheck %s --check-prefix=KIND --input-file=%t.json
// RUN: env REGSHARE_REPORT=%t.json REGSHARE_TAU=2 not %run %t bounds > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=SETTING --input-file=%t.json
// RUN: env REGSHARE_REPORT=%t.json REGSHARE_DEVICE=maxwell not %run %t bounds > %t.out 2>&1
// RUN: FileCheck %s --check-prefix=UNTIMED --input-file=%t.json
// RUN: env CUDA_LAUNCH_BLOCKING=1 %run %t trap 2>&1 | FileCheck %s --check-prefix=BLOCKING

#include "../Inputs/expect.h"
#include <cassert>
#include <cstring>

enum Fault { Bounds, Misaligned, Assert, Trap, Deadlock, Endless };

__global__ void fail(Fault F, int *P, volatile int *Flag) {
  switch (F) {
  case Bounds:
    P[threadIdx.x] = 1;
    break;
  case Misaligned:
    *(int *)((char *)P + 2) = 1;
    break;
  case Assert:
    assert(P == nullptr && "a pointer that is null");
    break;
  case Trap:
    __trap();
    break;
  case Deadlock:
    if (threadIdx.x >= 32)
      asm volatile("bar.sync 1, 64;");
    else
      asm volatile("bar.sync 2, 64;");
    break;
  case Endless:
    while (*Flag == 0)
      ;
  }
}

// KIND: "errors": [
// KIND: "kind": "illegal-address",
// KIND-NEXT: "message": "{{.*}}out-of-bounds write of 4 bytes
// KIND: "error": "cudaErrorIllegalAddress",
// KIND-NEXT: "error_kind": "illegal-address",
// SETTING: "REGSHARE_TAU": "2"
// SETTING: "kind": "bad-input",
// SETTING-NEXT: "message": "REGSHARE_TAU=2: expected
// SETTING: "launches": []
// UNTIMED: "kind": "not-for-device",
// UNTIMED-NEXT: "message": "{{.*}}device 'maxwell' has no figures for timing

// BOUNDS: regshare: {{.*}}out-of-bounds write of 4 bytes at {{.*}}the address lies just past the end of the allocation of 128 bytes
// FREED: regshare: {{.*}}use of freed memory: write of 4 bytes
// NULL: regshare: {{.*}}null pointer: write of 4 bytes
// MISALIGNED: regshare: {{.*}}misaligned write of 4 bytes
// ASSERT: regshare: {{.*}}assertion {{.*}}a pointer that is null{{.*}} failed
// TRAP: regshare: {{.*}}the kernel executed 'trap'
// DEADLOCK: regshare: {{.*}}deadlock
// CYCLES: regshare: {{.*}}cycle limit of 20000
// INSTRUCTIONS: regshare: {{.*}}instruction limit of 20000
// Which kernel, and where in the source, where there is a single place.
// ALL: kernel '_Z4fail5FaultPiPVi'
// BOUNDS: faults.cu:
// BOUNDS: launch cudaSuccess, peek cudaErrorIllegalAddress
// FREED: launch cudaSuccess, peek cudaErrorIllegalAddress
// NULL: launch cudaSuccess, peek cudaErrorIllegalAddress
// MISALIGNED: launch cudaSuccess, peek cudaErrorMisalignedAddress
// ASSERT: launch cudaSuccess, peek cudaErrorAssert
// TRAP: launch cudaSuccess, peek cudaErrorLaunchFailure
// DEADLOCK: launch cudaSuccess, peek cudaErrorLaunchTimeout
// CYCLES: launch cudaSuccess, peek cudaErrorLaunchTimeout
// INSTRUCTIONS: launch cudaSuccess, peek cudaErrorLaunchTimeout
// ALL: sticky
// ALL-NEXT: reset and works
// BLOCKING: launch cudaErrorLaunchFailure, peek cudaErrorLaunchFailure

int main(int, char **Args) {
  struct {
    const char *Name;
    Fault F;
    int Threads;
  } Faults[] = {{"bounds", Bounds, 64},     {"freed", Bounds, 1},
                {"null", Bounds, 1},        {"misaligned", Misaligned, 1},
                {"assert", Assert, 1},      {"trap", Trap, 1},
                {"deadlock", Deadlock, 64}, {"endless", Endless, 1}};
  int *P, *Flag;
  EXPECT_OK(cudaMalloc(&P, 128));
  EXPECT_OK(cudaMalloc(&Flag, 4));
  for (auto &Each : Faults) {
    if (strcmp(Each.Name, Args[1]))
      continue;
    if (!strcmp(Each.Name, "freed"))
      cudaFree(P);
    if (!strcmp(Each.Name, "null"))
      P = nullptr;
    void *Arguments[] = {&Each.F, &P, &Flag};
    cudaError_t Launch = cudaLaunchKernel((const void *)fail, 1, Each.Threads,
                                          Arguments, 0, nullptr);
    fprintf(stderr, "launch %s, peek %s\n", cudaGetErrorName(Launch),
            cudaGetErrorName(cudaPeekAtLastError()));
  }
  // Neither looking at it nor time heals it.
  cudaError_t Error = cudaGetLastError();
  int *Q;
  EXPECT(Error != cudaSuccess);
  EXPECT_ERROR(Error, cudaGetLastError());
  EXPECT_ERROR(Error, cudaMalloc(&Q, 4));
  EXPECT_ERROR(Error, cudaDeviceSynchronize());
  fail<<<1, 1>>>(Bounds, Flag, Flag);
  EXPECT_ERROR(Error, cudaGetLastError());
  fprintf(stderr, "sticky\n");
  EXPECT_OK(cudaDeviceReset());
  EXPECT_OK(cudaMalloc(&Q, 4));
  fail<<<1, 1>>>(Bounds, Q, Q);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaGetLastError());
  if (!failures())
    fprintf(stderr, "reset and works\n");
  return failures();
}
