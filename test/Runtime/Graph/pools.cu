// Memory pools, and the memory that graphs allocate.
// RUN: %regshare_clang -O1 %s -o %t
// RUN: env REGSHARE_TIMING=0 %run %t
// RUN: env REGSHARE_TIMING=0 not %run %t late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: env REGSHARE_TIMING=0 not %run %t late-graph 2>&1 | FileCheck %s --check-prefix=LATE-GRAPH
// RUN: env REGSHARE_TIMING=0 %run %t refused 2>&1 | FileCheck %s --check-prefix=REFUSED
// LATE: the address lies 0 bytes into a freed allocation of 4096 bytes
// LATE-GRAPH: the address lies 0 bytes into a freed graph allocation of 4096 bytes
// REFUSED: regshare: memory pools are on the device, location type 2 is asked for; the call returns cudaErrorNotSupported
// REFUSED: regshare: memory pools are not shared with other processes, handle type 1 is asked for; the call returns cudaErrorNotSupported
// REFUSED: regshare: cudaMemPoolExportPointer lets other processes use an allocation of a pool: RegShare's pools are of one process and hand out device memory; it returns cudaErrorNotSupported

#include "../Inputs/expect.h"
#include <algorithm>
#include <string>

extern "C" cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *,
                                                void *);
static constexpr size_t Bytes = 4096, MB = 1 << 20;
__global__ void touch(int *P) { P[threadIdx.x] = threadIdx.x; }

static cudaMemPoolProps onDevice() {
  cudaMemPoolProps P = {};
  P.allocType = cudaMemAllocationTypePinned;
  P.location = {cudaMemLocationTypeDevice, 0};
  return P;
}

static size_t figure(cudaMemPool_t Pool, cudaMemPoolAttr Attribute) {
  size_t Value = ~size_t(0);
  EXPECT_OK(cudaMemPoolGetAttribute(Pool, Attribute, &Value));
  return Value;
}

static size_t ofGraphs(cudaGraphMemAttributeType Attribute) {
  size_t Value = ~size_t(0);
  EXPECT_OK(cudaDeviceGetGraphMemAttribute(0, Attribute, &Value));
  return Value;
}

static size_t freeBytes() {
  size_t Free, Total;
  EXPECT_OK(cudaMemGetInfo(&Free, &Total));
  return Free;
}

static void figures(cudaStream_t S) {
  cudaMemPool_t Pool, Default;
  int *P, *Q, IsOn = -1;
  cudaMemPoolProps Props = onDevice();
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&Default, 0));
  EXPECT_OK(cudaMemPoolCreate(&Pool, &Props));
  EXPECT_OK(cudaMallocAsync(&P, 3 * MB, Pool, S));
  EXPECT_OK(cudaMallocFromPoolAsync(&Q, MB, Pool, S));
  EXPECT(figure(Pool, cudaMemPoolAttrUsedMemCurrent) == 4 * MB);
  EXPECT(figure(Default, cudaMemPoolAttrUsedMemCurrent) == 0);
  size_t Before = freeBytes();
  EXPECT_OK(cudaFreeAsync(P, S));
  // Held back for the next allocation, until the host waits.
  EXPECT(figure(Pool, cudaMemPoolAttrUsedMemCurrent) == MB);
  EXPECT(figure(Pool, cudaMemPoolAttrUsedMemHigh) == 4 * MB);
  EXPECT(figure(Pool, cudaMemPoolAttrReservedMemCurrent) == 4 * MB);
  EXPECT(freeBytes() == Before);
  EXPECT_OK(cudaStreamSynchronize(S));
  EXPECT(figure(Pool, cudaMemPoolAttrReservedMemCurrent) == 2 * MB);
  EXPECT(freeBytes() == Before + 2 * MB);
  EXPECT(figure(Pool, cudaMemPoolAttrReservedMemHigh) == 4 * MB);
  // As much as the threshold says stays.
  size_t Threshold = 64 * MB, Zero = 0;
  EXPECT_OK(cudaMemPoolSetAttribute(Pool, cudaMemPoolAttrReleaseThreshold,
                                    &Threshold));
  EXPECT_OK(cudaFreeAsync(Q, S));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(figure(Pool, cudaMemPoolAttrReservedMemCurrent) == 2 * MB);
  EXPECT_OK(cudaMemPoolTrimTo(Pool, 0));
  EXPECT(figure(Pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  EXPECT_OK(cudaMemPoolSetAttribute(Pool, cudaMemPoolAttrUsedMemHigh, &Zero));
  EXPECT(figure(Pool, cudaMemPoolAttrUsedMemHigh) == 0);
  EXPECT_ERROR(
      cudaErrorInvalidValue,
      cudaMemPoolSetAttribute(Pool, cudaMemPoolAttrUsedMemHigh, &Threshold));
  EXPECT_ERROR(
      cudaErrorInvalidValue,
      cudaMemPoolSetAttribute(Pool, cudaMemPoolAttrUsedMemCurrent, &Zero));
  EXPECT_OK(
      cudaMemPoolGetAttribute(Pool, cudaMemPoolReuseAllowOpportunistic, &IsOn));
  EXPECT(IsOn == 1);
  EXPECT_OK(cudaMemPoolDestroy(Pool));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolTrimTo(Pool, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaMemPoolDestroy(Default));
}

static void currentPool(cudaStream_t S) {
  cudaMemPool_t Pool, Default, Now;
  int *P;
  cudaMemPoolProps Props = onDevice();
  Props.maxSize = MB;
  EXPECT_OK(cudaMemPoolCreate(&Pool, &Props));
  EXPECT_OK(cudaDeviceSetMemPool(0, Pool));
  EXPECT_OK(cudaDeviceGetMemPool(&Now, 0));
  EXPECT(Now == Pool);
  EXPECT_ERROR(cudaErrorMemoryAllocation, cudaMallocAsync(&P, 2 * MB, S));
  EXPECT_OK(cudaMallocAsync(&P, Bytes, S));
  EXPECT(figure(Pool, cudaMemPoolAttrUsedMemCurrent) == Bytes);
  // Memory outlives its pool.
  EXPECT_OK(cudaMemPoolDestroy(Pool));
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&Default, 0));
  EXPECT_OK(cudaDeviceGetMemPool(&Now, 0));
  EXPECT(Now == Default);
  touch<<<1, 32, 0, S>>>(P);
  EXPECT_OK(cudaFreeAsync(P, S));
  EXPECT_OK(cudaDeviceSynchronize());

  cudaMemAccessDesc Access = {{cudaMemLocationTypeDevice, 0},
                              cudaMemAccessFlagsProtReadWrite};
  cudaMemAccessFlags Flags;
  EXPECT_OK(cudaMemPoolSetAccess(Default, &Access, 1));
  EXPECT_OK(cudaMemPoolGetAccess(&Flags, Default, &Access.location));
  EXPECT(Flags == cudaMemAccessFlagsProtReadWrite);
  Access.flags = cudaMemAccessFlagsProtNone;
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemPoolSetAccess(Default, &Access, 1));
  Access.location.id = 1;
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaMemPoolSetAccess(Default, &Access, 1));
}

/// An allocation and a kernel that writes to it; freed if \p Frees.
static cudaGraphExec_t allocating(int **P, bool Frees,
                                  unsigned long long Flags = 0,
                                  bool WritesLate = false) {
  cudaGraph_t G;
  cudaGraphNode_t Alloc, Kernel, Free;
  cudaMemAllocNodeParams Params = {};
  Params.poolProps = onDevice();
  Params.bytesize = Bytes;
  EXPECT_OK(cudaGraphCreate(&G, 0));
  EXPECT_OK(cudaGraphAddMemAllocNode(&Alloc, G, nullptr, 0, &Params));
  *P = (int *)Params.dptr;
  void *Args[] = {P};
  cudaKernelNodeParams K = {(void *)touch, dim3(1), dim3(32), 0, Args, nullptr};
  EXPECT_OK(cudaGraphAddKernelNode(&Kernel, G, &Alloc, 1, &K));
  if (Frees) {
    EXPECT_OK(cudaGraphAddMemFreeNode(&Free, G, &Kernel, 1, *P));
    EXPECT_ERROR(cudaErrorInvalidValue,
                 cudaGraphAddMemFreeNode(&Kernel, G, &Free, 1, *P));
    void *FreedPtr = nullptr;
    EXPECT_OK(cudaGraphMemFreeNodeGetParams(Free, &FreedPtr));
    EXPECT(FreedPtr == *P);
    if (WritesLate)
      EXPECT_OK(cudaGraphAddKernelNode(&Kernel, G, &Free, 1, &K));
  }
  cudaGraph_t Clone;
  EXPECT_ERROR(cudaErrorNotSupported, cudaGraphClone(&Clone, G));
  EXPECT_ERROR(cudaErrorNotSupported, cudaGraphDestroyNode(Alloc));
  cudaGraphExec_t Exec;
  EXPECT_OK(cudaGraphInstantiate(&Exec, G, Flags));
  EXPECT_OK(cudaGraphDestroy(G));
  return Exec;
}

static void memoryOfGraphs(cudaStream_t S) {
  int *P, *Q, Host[32];
  size_t Before = freeBytes();
  cudaGraphExec_t Freed = allocating(&P, true), Left = allocating(&Q, false);
  EXPECT(P != Q && freeBytes() == Before);
  EXPECT(ofGraphs(cudaGraphMemAttrReservedMemCurrent) == 0);
  for (int I = 0; I < 3; ++I)
    EXPECT_OK(cudaGraphLaunch(Freed, S));
  EXPECT(ofGraphs(cudaGraphMemAttrReservedMemCurrent) == 2 * MB);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(Host, P, sizeof(Host), cudaMemcpyDefault));
  EXPECT_OK(cudaDeviceGraphMemTrim(0));
  EXPECT(ofGraphs(cudaGraphMemAttrReservedMemCurrent) == 0);
  EXPECT(ofGraphs(cudaGraphMemAttrReservedMemHigh) == 2 * MB);
  // What a launch leaves is the program's until it frees it.
  EXPECT_OK(cudaGraphLaunch(Left, S));
  EXPECT_OK(cudaMemcpy(Host, Q, sizeof(Host), cudaMemcpyDefault));
  EXPECT(Host[31] == 31);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphLaunch(Left, S));
  EXPECT_OK(cudaDeviceGraphMemTrim(0));
  EXPECT(ofGraphs(cudaGraphMemAttrUsedMemCurrent) == 2 * MB);
  EXPECT_OK(cudaFreeAsync(Q, S));
  EXPECT_OK(cudaGraphLaunch(Left, S));
  EXPECT_OK(cudaFree(Q));
  EXPECT_OK(cudaGraphExecDestroy(Left));
  Left = allocating(&Q, false, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_OK(cudaGraphLaunch(Left, S));
  EXPECT_OK(cudaGraphLaunch(Left, S));
  // Another graph may free it.
  cudaGraph_t Frees;
  EXPECT_OK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaFreeAsync(Q, S));
  EXPECT_OK(cudaStreamEndCapture(S, &Frees));
  cudaGraphExec_t Free;
  EXPECT_OK(cudaGraphInstantiate(&Free, Frees));
  EXPECT_OK(cudaGraphLaunch(Free, S));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(Q));
  EXPECT_OK(cudaDeviceGraphMemTrim(0));
  EXPECT(freeBytes() == Before);
  cudaGetLastError();
}

int main(int Count, char **Args) {
  cudaStream_t S;
  EXPECT_OK(cudaStreamCreate(&S));
  std::string Mode = Count > 1 ? Args[1] : "";
  int *P;
  if (Mode == "late") {
    EXPECT_OK(cudaMallocAsync(&P, Bytes, S));
    EXPECT_OK(cudaFreeAsync(P, S));
    touch<<<1, 32, 0, S>>>(P);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  }
  if (Mode == "late-graph") {
    EXPECT_OK(cudaGraphLaunch(allocating(&P, true, 0, true), S));
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  }
  if (Mode == "refused") {
    cudaMemPool_t Pool;
    cudaMemPoolProps Props = onDevice();
    Props.location.type = cudaMemLocationTypeHost;
    EXPECT_ERROR(cudaErrorNotSupported, cudaMemPoolCreate(&Pool, &Props));
    Props = onDevice();
    Props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    EXPECT_ERROR(cudaErrorNotSupported, cudaMemPoolCreate(&Pool, &Props));
    cudaMemPoolPtrExportData Data;
    EXPECT_ERROR(cudaErrorNotSupported, cudaMemPoolExportPointer(&Data, Args));
    return failures();
  }
  int HasPools = 0;
  EXPECT_OK(
      cudaDeviceGetAttribute(&HasPools, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT(HasPools == 1);
  figures(S);
  currentPool(S);
  memoryOfGraphs(S);
  return failures();
}
