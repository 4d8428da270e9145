//===- PoolCalls.cpp - Calls about memory pools --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Graph/Capture.h"
#include "Graph/GraphMemory.h"
#include "MemoryPool.h"
#include "Runtime.h"

using namespace regshare::cudart;

/// Runs \p Body(Runtime &) if \p Device is the one there is.
template <typename Fn> static cudaError_t onDevice(int Device, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    return Device == 0 ? Body(R) : cudaErrorInvalidDevice;
  });
}

/// Runs \p Body(Runtime &, CUmemPoolHandle_st &) for a pool that exists.
template <typename Fn>
static cudaError_t withPool(cudaMemPool_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    CUmemPoolHandle_st *Pool = R.Pools.find(Handle);
    return Pool ? Body(R, *Pool) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Pool, int Device) {
  return onDevice(Device, [&](Runtime &R) {
    if (!Pool)
      return cudaErrorInvalidValue;
    *Pool = &R.Pools.defaultPool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *Pool, int Device) {
  return onDevice(Device, [&](Runtime &R) {
    if (!Pool)
      return cudaErrorInvalidValue;
    *Pool = &R.Pools.current();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int Device, cudaMemPool_t Pool) {
  return onDevice(Device, [&](Runtime &R) {
    if (!R.Pools.find(Pool))
      return cudaErrorInvalidValue;
    R.Pools.setCurrent(*Pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *Pool,
                              const struct cudaMemPoolProps *Props) {
  return apiCall([&](Runtime &R) {
    if (!Pool || !Props)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = checkPoolProps(*Props); Error != cudaSuccess)
      return Error;
    *Pool = R.Pools.create(*Props);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t Pool) {
  return withPool(Pool, [](Runtime &R, CUmemPoolHandle_st &P) {
    if (&P == &R.Pools.defaultPool())
      return cudaErrorInvalidValue;
    R.Pools.destroy(&P);
    return cudaSuccess;
  });
}

/// The figure that \p Attribute names; null if it is none of memory.
static uint64_t *figureOf(CUmemPoolHandle_st &P, cudaMemPoolAttr Attribute) {
  switch (Attribute) {
  case cudaMemPoolAttrReleaseThreshold:
    return &P.ReleaseThreshold;
  case cudaMemPoolAttrReservedMemCurrent:
    return &P.Usage->Reserved;
  case cudaMemPoolAttrReservedMemHigh:
    return &P.Usage->ReservedHigh;
  case cudaMemPoolAttrUsedMemCurrent:
    return &P.Usage->Used;
  case cudaMemPoolAttrUsedMemHigh:
    return &P.Usage->UsedHigh;
  default:
    return nullptr;
  }
}

static bool isReuse(cudaMemPoolAttr Attribute) {
  return Attribute >= cudaMemPoolReuseFollowEventDependencies &&
         Attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t Pool,
                                    enum cudaMemPoolAttr Attribute,
                                    void *Value) {
  return withPool(Pool, [&](Runtime &, CUmemPoolHandle_st &P) {
    uint64_t *Figure = figureOf(P, Attribute);
    if (!Value || (!Figure && !isReuse(Attribute)))
      return cudaErrorInvalidValue;
    if (Figure)
      *static_cast<uint64_t *>(Value) = *Figure;
    else
      *static_cast<int *>(Value) = P.Reuse[int(Attribute) - 1];
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t Pool,
                                    enum cudaMemPoolAttr Attribute,
                                    void *Value) {
  return withPool(Pool, [&](Runtime &, CUmemPoolHandle_st &P) {
    if (!Value)
      return cudaErrorInvalidValue;
    if (isReuse(Attribute)) {
      P.Reuse[int(Attribute) - 1] = *static_cast<int *>(Value) != 0;
      return cudaSuccess;
    }
    uint64_t Figure = *static_cast<uint64_t *>(Value);
    if (Attribute == cudaMemPoolAttrReleaseThreshold) {
      P.ReleaseThreshold = Figure;
      return cudaSuccess;
    }
    // High-water marks start again from what there is now.
    if (Figure != 0)
      return cudaErrorInvalidValue;
    if (Attribute == cudaMemPoolAttrUsedMemHigh)
      P.Usage->UsedHigh = P.Usage->Used;
    else if (Attribute == cudaMemPoolAttrReservedMemHigh)
      P.Usage->ReservedHigh = P.Usage->Reserved;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t Pool, size_t BytesToKeep) {
  return withPool(Pool, [&](Runtime &, CUmemPoolHandle_st &P) {
    P.Usage->trim(BytesToKeep);
    return cudaSuccess;
  });
}

/// The one device has to reach the memory of its pools.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t Pool,
                                 const struct cudaMemAccessDesc *Descs,
                                 size_t Count) {
  return withPool(Pool, [&](Runtime &, CUmemPoolHandle_st &) {
    if (Count && !Descs)
      return cudaErrorInvalidValue;
    for (size_t N = 0; N != Count; ++N) {
      if (Descs[N].location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
      if (Descs[N].location.id != 0)
        return cudaErrorInvalidDevice;
      if (Descs[N].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *Flags,
                                 cudaMemPool_t Pool,
                                 struct cudaMemLocation *Location) {
  return withPool(Pool, [&](Runtime &, CUmemPoolHandle_st &) {
    if (!Flags || !Location)
      return cudaErrorInvalidValue;
    bool IsDevice = Location->type == cudaMemLocationTypeDevice;
    if (IsDevice && Location->id != 0)
      return cudaErrorInvalidDevice;
    *Flags =
        IsDevice ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

/// Allocates in the order of a stream, or adds a node that does.
static cudaError_t allocateInStream(Runtime &R, void **Ptr, size_t Size,
                                    CUmemPoolHandle_st &Pool,
                                    cudaStream_t Handle) {
  Stream *S = nullptr;
  if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
    return Error;
  if (!Ptr)
    return cudaErrorInvalidValue;
  if (!R.Captures.isCapturing(*S))
    return allocateFromPool(R, Ptr, Size, Pool);
  AllocWork W = {};
  W.Params.poolProps = Pool.Props;
  W.Params.bytesize = Size;
  if (cudaError_t Error = placeForGraph(R, W); Error != cudaSuccess)
    return Error;
  *Ptr = W.Params.dptr;
  R.Captures.add(*S, std::move(W));
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **Ptr, size_t Size, cudaStream_t Stream) {
  return apiCall([&](Runtime &R) {
    return allocateInStream(R, Ptr, Size, R.Pools.current(), Stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void **Ptr, size_t Size, cudaMemPool_t Pool,
                                    cudaStream_t Stream) {
  return withPool(Pool, [&](Runtime &R, CUmemPoolHandle_st &P) {
    return allocateInStream(R, Ptr, Size, P, Stream);
  });
}

cudaError_t cudaFreeAsync(void *Ptr, cudaStream_t Handle) {
  return apiCall([&](Runtime &R) {
    Stream *S = nullptr;
    if (cudaError_t Error = findStream(R, Handle, S); Error != cudaSuccess)
      return Error;
    if (!Ptr)
      return cudaErrorInvalidValue;
    CapturedPoint *Point = R.Captures.find(*S);
    if (!Point)
      return R.release(Ptr, /*Host=*/false, /*HostWaits=*/false);
    if (cudaError_t Error = checkFreeInGraph(R, *Point->In->Target, Ptr);
        Error != cudaSuccess)
      return Error;
    R.Captures.add(*S, FreeWork{Ptr});
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Memory of graphs
//===----------------------------------------------------------------------===//

cudaError_t cudaDeviceGraphMemTrim(int Device) {
  return onDevice(Device, [](Runtime &R) {
    R.Pools.Graphs.trim(0);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(
    int Device, enum cudaGraphMemAttributeType Attribute, void *Value) {
  return onDevice(Device, [&](Runtime &R) {
    // Memory is associated with graphs until it is trimmed, in use or not.
    const PoolUsage &U = R.Pools.Graphs;
    const uint64_t Figures[] = {U.Reserved, U.ReservedHigh, U.Reserved,
                                U.ReservedHigh};
    if (!Value || unsigned(Attribute) >= std::size(Figures))
      return cudaErrorInvalidValue;
    *static_cast<uint64_t *>(Value) = Figures[Attribute];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(
    int Device, enum cudaGraphMemAttributeType Attribute, void *Value) {
  return onDevice(Device, [&](Runtime &R) {
    if (!Value || *static_cast<uint64_t *>(Value) != 0)
      return cudaErrorInvalidValue;
    if (Attribute != cudaGraphMemAttrUsedMemHigh &&
        Attribute != cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    R.Pools.Graphs.ReservedHigh = R.Pools.Graphs.Reserved;
    return cudaSuccess;
  });
}
