//===- Memory.cpp - Allocating memory -*- C++ -*---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFacts.h"
#include "Runtime.h"

using namespace regshare::cudart;

/// Runs \p Body(Runtime &) unless a capture forbids what may synchronise.
template <typename Fn> static cudaError_t memoryCall(Fn &&Body) {
  return apiCall([&](Runtime &R) {
    cudaError_t Error = R.Captures.allowUnsafeCall();
    return Error == cudaSuccess ? Body(R) : Error;
  });
}

cudaError_t cudaMalloc(void **Ptr, size_t Size) {
  return memoryCall(
      [&](Runtime &R) { return R.allocate(Ptr, Size, cudaMemoryTypeDevice); });
}

/// Memory for \p Rows rows of \p Width bytes.
static cudaError_t allocatePitched(Runtime &R, void **Ptr, size_t *Pitch,
                                   size_t Width, size_t Rows) {
  if (!Ptr || !Pitch)
    return cudaErrorInvalidValue;
  *Pitch = (Width + PitchUnit - 1) / PitchUnit * PitchUnit;
  if (*Pitch < Width || (Rows && *Pitch > SIZE_MAX / Rows))
    return cudaErrorMemoryAllocation;
  return R.allocate(Ptr, *Pitch * Rows, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocPitch(void **Ptr, size_t *Pitch, size_t Width,
                            size_t Height) {
  return memoryCall([&](Runtime &R) {
    return allocatePitched(R, Ptr, Pitch, Width, Height);
  });
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *Ptr, struct cudaExtent Extent) {
  return memoryCall([&](Runtime &R) {
    if (!Ptr)
      return cudaErrorInvalidValue;
    Ptr->xsize = Extent.width;
    Ptr->ysize = Extent.height;
    return allocatePitched(R, &Ptr->ptr, &Ptr->pitch, Extent.width,
                           Extent.height * Extent.depth);
  });
}

cudaError_t cudaMallocManaged(void **Ptr, size_t Size, unsigned int Flags) {
  return memoryCall([&](Runtime &R) {
    if (!Size || (Flags != cudaMemAttachGlobal && Flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return R.allocate(Ptr, Size, cudaMemoryTypeManaged, Flags);
  });
}

cudaError_t cudaHostAlloc(void **Ptr, size_t Size, unsigned int Flags) {
  return memoryCall([&](Runtime &R) {
    constexpr unsigned Known = cudaHostAllocPortable | cudaHostAllocMapped |
                               cudaHostAllocWriteCombined;
    if (Flags & ~Known)
      return cudaErrorInvalidValue;
    return R.allocate(Ptr, Size, cudaMemoryTypeHost, Flags);
  });
}

cudaError_t cudaMallocHost(void **Ptr, size_t Size) {
  return cudaHostAlloc(Ptr, Size, cudaHostAllocDefault);
}

cudaError_t cudaFree(void *Ptr) {
  return memoryCall([&](Runtime &R) { return R.release(Ptr, false); });
}

cudaError_t cudaFreeHost(void *Ptr) {
  return memoryCall([&](Runtime &R) { return R.release(Ptr, true); });
}

cudaError_t cudaHostRegister(void *Ptr, size_t Size, unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    constexpr unsigned Known =
        cudaHostRegisterPortable | cudaHostRegisterMapped |
        cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!Ptr || !Size || Flags & ~Known)
      return cudaErrorInvalidValue;
    if (!R.Memory->mapHost(Ptr, Size))
      return cudaErrorHostMemoryAlreadyRegistered;
    R.Allocations[reinterpret_cast<uint64_t>(Ptr)] = {cudaMemoryTypeHost, Size,
                                                      Flags, true};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void *Ptr) {
  return apiCall([&](Runtime &R) {
    if (!Ptr)
      return cudaErrorInvalidValue;
    auto It = R.Allocations.find(reinterpret_cast<uint64_t>(Ptr));
    if (It == R.Allocations.end() || !It->second.Registered)
      return cudaErrorHostMemoryNotRegistered;
    R.Memory->unmapHost(Ptr);
    R.Allocations.erase(It);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void **DevicePtr, void *HostPtr,
                                     unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    auto *Found = R.findAllocation(HostPtr);
    if (!DevicePtr || Flags || !Found ||
        Found->second.Type != cudaMemoryTypeHost)
      return cudaErrorInvalidValue;
    *DevicePtr = HostPtr;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int *Flags, void *HostPtr) {
  return apiCall([&](Runtime &R) {
    auto *Found = R.findAllocation(HostPtr);
    if (!Flags || !Found || Found->second.Type != cudaMemoryTypeHost)
      return cudaErrorInvalidValue;
    // All host memory is mapped where addresses are unified.
    *Flags = Found->second.Flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  return apiCall([&](Runtime &R) {
    if (!Free || !Total)
      return cudaErrorInvalidValue;
    *Total = R.Memory->capacity();
    uint64_t Taken = R.Memory->bytesInUse() + R.Pools.heldBack();
    *Free = *Total - std::min<uint64_t>(Taken, *Total);
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *Attributes,
                                     const void *Ptr) {
  return apiCall([&](Runtime &R) {
    if (!Attributes)
      return cudaErrorInvalidValue;
    *Attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr,
                   nullptr};
    auto *Found = R.findAllocation(Ptr);
    auto Address = reinterpret_cast<uint64_t>(Ptr);
    // Variables of the program are device memory, too.
    if (!Found && !R.Memory->find(Address)) {
      Attributes->hostPointer = const_cast<void *>(Ptr);
      return cudaSuccess;
    }
    Attributes->type = Found ? Found->second.Type : cudaMemoryTypeDevice;
    Attributes->device = 0;
    Attributes->devicePointer = const_cast<void *>(Ptr);
    if (Attributes->type != cudaMemoryTypeDevice)
      Attributes->hostPointer = const_cast<void *>(Ptr);
    return cudaSuccess;
  });
}

/// Advice about managed memory, which has one place here.
static cudaError_t checkManaged(const void *Ptr, size_t Size) {
  return apiCall([&](Runtime &R) {
    auto *Found = R.findAllocation(Ptr);
    if (!Size || !Found || Found->second.Type != cudaMemoryTypeManaged)
      return cudaErrorInvalidValue;
    uint64_t Offset = reinterpret_cast<uint64_t>(Ptr) - Found->first;
    return Size <= Found->second.Size - Offset ? cudaSuccess
                                               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise(const void *Ptr, size_t Size, enum cudaMemoryAdvise,
                          int) {
  return checkManaged(Ptr, Size);
}

cudaError_t cudaMemPrefetchAsync(const void *Ptr, size_t Size, int,
                                 cudaStream_t) {
  return checkManaged(Ptr, Size);
}
