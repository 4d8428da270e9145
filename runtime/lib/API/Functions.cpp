//===- Functions.cpp - What programs ask about kernels -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"
#include "KernelFacts.h"
#include "Runtime.h"

using namespace regshare;
using namespace regshare::cudart;

/// Runs \p Body(Runtime &, Kernel &, const KernelFacts &) for a kernel whose
/// code is loaded.
template <typename Fn>
static cudaError_t withKernel(const void *Func, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    Kernel *K = ModuleTable::get().findKernel(Func);
    if (!K)
      return cudaErrorInvalidDeviceFunction;
    if (cudaError_t Error = R.load(*K->Owner); Error != cudaSuccess)
      return Error;
    std::optional<KernelFacts> Facts = KernelFacts::of(*K, R.Config.Device);
    return Facts ? Body(R, *K, *Facts)
                 : ModuleTable::get().errorOf(*K, K->Owner->Code);
  });
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes,
                                  const void *Func) {
  return withKernel(Func, [&](Runtime &R, Kernel &K, const KernelFacts &F) {
    if (!Attributes)
      return cudaErrorInvalidValue;
    *Attributes = {};
    Attributes->sharedSizeBytes = F.StaticShared;
    Attributes->constSizeBytes = F.ConstantBytes;
    Attributes->localSizeBytes = F.LocalBytes;
    Attributes->maxThreadsPerBlock = int(F.MaxThreads);
    Attributes->numRegs = int(F.Regs);
    Attributes->ptxVersion = int(K.Owner->SourceProcessor);
    Attributes->binaryVersion = int(processorNumber(R.Config.Device.Target));
    Attributes->maxDynamicSharedSizeBytes =
        int(F.maxDynamicShared(R.Config.Device, K));
    Attributes->preferredShmemCarveout = K.PreferredCarveout;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *Func, enum cudaFuncAttribute Attr,
                                 int Value) {
  return withKernel(Func, [&](Runtime &R, Kernel &K, const KernelFacts &F) {
    switch (Attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (Value < 0 ||
          F.sharedWith(unsigned(Value)) > R.Config.Device.MaxSharedPerCTA)
        return cudaErrorInvalidValue;
      K.MaxDynamicShared = Value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (Value < cudaSharedmemCarveoutDefault ||
          Value > cudaSharedmemCarveoutMaxShared)
        return cudaErrorInvalidValue;
      K.PreferredCarveout = Value;
      return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      return Value < 0    ? cudaErrorInvalidValue
             : Value <= 1 ? cudaSuccess
                          : cudaErrorNotSupported;
    // A permission and a preference, which change nothing for clusters of one.
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet: // is only read
    case cudaFuncAttributeMax:
      break;
    }
    return cudaErrorInvalidValue;
  });
}

/// A preference, which a device need not follow; these have no caches to divide
/// differently.
cudaError_t cudaFuncSetCacheConfig(const void *Func, enum cudaFuncCache) {
  return withKernel(Func, [](Runtime &, Kernel &, const KernelFacts &) {
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void *Func,
                                       enum cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(Func, cudaFuncCachePreferNone);
}

cudaError_t cudaFuncGetName(const char **Name, const void *Func) {
  return withKernel(Func, [&](Runtime &, Kernel &K, const KernelFacts &) {
    if (!Name)
      return cudaErrorInvalidValue;
    *Name = K.Name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void *Func, size_t Index, size_t *Offset,
                                 size_t *Bytes) {
  return withKernel(Func, [&](Runtime &, Kernel &, const KernelFacts &F) {
    if (!Offset || Index >= F.Code->Params.size())
      return cudaErrorInvalidValue;
    const sim::ParamSlot &Parameter = F.Code->Params[Index];
    *Offset = Parameter.Offset;
    if (Bytes)
      *Bytes = Parameter.Size;
    return cudaSuccess;
  });
}

/// A program's own kernel is the same for the driver's calls by what the
/// runtime's know it by.
template <typename HandleT>
static cudaError_t handleOf(HandleT *Handle, const void *Func) {
  return withKernel(Func, [&](Runtime &, Kernel &, const KernelFacts &) {
    if (!Handle)
      return cudaErrorInvalidValue;
    *Handle = reinterpret_cast<HandleT>(const_cast<void *>(Func));
    return cudaSuccess;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *Function, const void *Func) {
  return handleOf(Function, Func);
}

cudaError_t cudaGetKernel(cudaKernel_t *Which, const void *Func) {
  return handleOf(Which, Func);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *NumBlocks,
                                                          const void *Func,
                                                          int BlockSize,
                                                          size_t DynamicSMem) {
  return withKernel(Func, [&](Runtime &R, Kernel &, const KernelFacts &F) {
    if (!NumBlocks || BlockSize < 1)
      return cudaErrorInvalidValue;
    *NumBlocks =
        int(F.residentCTAs(R.Config.Device, unsigned(BlockSize), DynamicSMem));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *NumBlocks, const void *Func, int BlockSize, size_t DynamicSMem,
    unsigned int Flags) {
  if (Flags & ~unsigned(cudaOccupancyDisableCachingOverride))
    return recordError(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(NumBlocks, Func,
                                                       BlockSize, DynamicSMem);
}

/// The most dynamic shared memory with which \p NumBlocks CTAs are resident.
/// More shared memory never means more CTAs, so the answer can be bisected.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes,
                                                      const void *Func,
                                                      int NumBlocks,
                                                      int BlockSize) {
  return withKernel(Func, [&](Runtime &R, Kernel &, const KernelFacts &F) {
    if (!Bytes || NumBlocks < 1 || BlockSize < 1)
      return cudaErrorInvalidValue;
    auto Fits = [&](size_t Shared) {
      return F.residentCTAs(R.Config.Device, unsigned(BlockSize), Shared) >=
             unsigned(NumBlocks);
    };
    *Bytes = 0;
    if (!Fits(0))
      return cudaErrorInvalidValue;
    size_t Low = 0, High = R.Config.Device.MaxSharedPerCTA + 1;
    while (Low + 1 < High) {
      size_t Middle = (Low + High) / 2;
      (Fits(Middle) ? Low : High) = Middle;
    }
    *Bytes = Low;
    return cudaSuccess;
  });
}
