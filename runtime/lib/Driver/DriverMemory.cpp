//===- DriverMemory.cpp - Memory, arrays and textures of the driver -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "API/Copies.h"
#include "Driver.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace regshare::cudart;

/// \p Address is where the runtime's call puts one.
template <typename Fn>
static CUresult allocation(CUdeviceptr *Address, Fn &&Allocate) {
  if (!Address)
    return CUDA_ERROR_INVALID_VALUE;
  void *Memory = nullptr;
  CUresult Error = driverCall([&] { return Allocate(&Memory); });
  *Address = reinterpret_cast<CUdeviceptr>(Memory);
  return Error;
}

CUresult cuMemGetInfo(size_t *Free, size_t *Total) {
  return driverCall([&] { return cudaMemGetInfo(Free, Total); });
}

CUresult cuMemAlloc(CUdeviceptr *Address, size_t Bytes) {
  if (!Bytes)
    return CUDA_ERROR_INVALID_VALUE;
  return allocation(Address, [&](void **P) { return cudaMalloc(P, Bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr *Address, size_t *Pitch, size_t Width,
                         size_t Height, unsigned int ElementBytes) {
  bool IsElement = ElementBytes == 4 || ElementBytes == 8 || ElementBytes == 16;
  if (!IsElement || !Width || !Height)
    return CUDA_ERROR_INVALID_VALUE;
  return allocation(Address, [&](void **P) {
    return cudaMallocPitch(P, Pitch, Width, Height);
  });
}

CUresult cuMemAllocManaged(CUdeviceptr *Address, size_t Bytes,
                           unsigned int Flags) {
  return allocation(
      Address, [&](void **P) { return cudaMallocManaged(P, Bytes, Flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr *Address, size_t Bytes, CUstream Stream) {
  return allocation(
      Address, [&](void **P) { return cudaMallocAsync(P, Bytes, Stream); });
}

CUresult cuMemFree(CUdeviceptr Address) {
  return driverCall([&] { return cudaFree(toPointer(Address)); });
}

CUresult cuMemFreeAsync(CUdeviceptr Address, CUstream Stream) {
  return driverCall([&] { return cudaFreeAsync(toPointer(Address), Stream); });
}

CUresult cuMemAllocHost(void **Memory, size_t Bytes) {
  return driverCall([&] { return cudaMallocHost(Memory, Bytes); });
}

CUresult cuMemHostAlloc(void **Memory, size_t Bytes, unsigned int Flags) {
  return driverCall([&] { return cudaHostAlloc(Memory, Bytes, Flags); });
}

CUresult cuMemFreeHost(void *Memory) {
  return driverCall([&] { return cudaFreeHost(Memory); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *Address, void *Memory,
                                   unsigned int Flags) {
  return allocation(Address, [&](void **P) {
    return cudaHostGetDevicePointer(P, Memory, Flags);
  });
}

CUresult cuMemHostRegister(void *Memory, size_t Bytes, unsigned int Flags) {
  return driverCall([&] { return cudaHostRegister(Memory, Bytes, Flags); });
}

CUresult cuMemHostUnregister(void *Memory) {
  return driverCall([&] { return cudaHostUnregister(Memory); });
}

CUresult cuMemGetAddressRange(CUdeviceptr *Base, size_t *Bytes,
                              CUdeviceptr Address) {
  cudaError_t Found = cudaSuccess;
  CUresult Error = driverCall([&] {
    return apiCall([&](Runtime &R) {
      const auto *Known = R.findAllocation(toPointer(Address));
      Found = Known ? cudaSuccess : cudaErrorSymbolNotFound;
      if (Known && Base)
        *Base = Known->first;
      if (Known && Bytes)
        *Bytes = Known->second.Size;
      return Found;
    });
  });
  return Error;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CUresult cuMemcpy(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  return driverCall([&] {
    return cudaMemcpy(toPointer(To), toPointer(From), Bytes, cudaMemcpyDefault);
  });
}

CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                       CUstream Stream) {
  return driverCall([&] {
    return cudaMemcpyAsync(toPointer(To), toPointer(From), Bytes,
                           cudaMemcpyDefault, Stream);
  });
}

CUresult cuMemcpyHtoD(CUdeviceptr To, const void *From, size_t Bytes) {
  return driverCall([&] {
    return cudaMemcpy(toPointer(To), From, Bytes, cudaMemcpyHostToDevice);
  });
}

CUresult cuMemcpyDtoH(void *To, CUdeviceptr From, size_t Bytes) {
  return driverCall([&] {
    return cudaMemcpy(To, toPointer(From), Bytes, cudaMemcpyDeviceToHost);
  });
}

CUresult cuMemcpyDtoD(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  return driverCall([&] {
    return cudaMemcpy(toPointer(To), toPointer(From), Bytes,
                      cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr To, const void *From, size_t Bytes,
                           CUstream Stream) {
  return driverCall([&] {
    return cudaMemcpyAsync(toPointer(To), From, Bytes, cudaMemcpyHostToDevice,
                           Stream);
  });
}

CUresult cuMemcpyDtoHAsync(void *To, CUdeviceptr From, size_t Bytes,
                           CUstream Stream) {
  return driverCall([&] {
    return cudaMemcpyAsync(To, toPointer(From), Bytes, cudaMemcpyDeviceToHost,
                           Stream);
  });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                           CUstream Stream) {
  return driverCall([&] {
    return cudaMemcpyAsync(toPointer(To), toPointer(From), Bytes,
                           cudaMemcpyDeviceToDevice, Stream);
  });
}

namespace {
/// One side of a two-dimensional copy that is no array.
struct Side {
  char *Start;
  size_t Pitch;
};
} // namespace

static Side sideOf(CUmemorytype Type, const void *Host, CUdeviceptr Device,
                   size_t Pitch, size_t X, size_t Y, size_t Width) {
  void *Start =
      Type == CU_MEMORYTYPE_HOST ? const_cast<void *>(Host) : toPointer(Device);
  Pitch = Pitch ? Pitch : X + Width;
  // An array has no pointer, and a null pointer stays one.
  if (Type == CU_MEMORYTYPE_ARRAY || !Start)
    return {nullptr, Pitch};
  auto Address = reinterpret_cast<uintptr_t>(Start) + Y * Pitch + X;
  return {reinterpret_cast<char *>(Address), Pitch};
}

static CUresult copy2D(const CUDA_MEMCPY2D *Copy, CUstream Stream,
                       bool HostWaits) {
  if (!Copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D &C = *Copy;
  bool ToArray = C.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  bool FromArray = C.srcMemoryType == CU_MEMORYTYPE_ARRAY;
  if (ToArray && FromArray)
    return CUDA_ERROR_NOT_SUPPORTED;
  Side To = sideOf(C.dstMemoryType, C.dstHost, C.dstDevice, C.dstPitch,
                   C.dstXInBytes, C.dstY, C.WidthInBytes);
  Side From = sideOf(C.srcMemoryType, C.srcHost, C.srcDevice, C.srcPitch,
                     C.srcXInBytes, C.srcY, C.WidthInBytes);
  auto *ToThe = reinterpret_cast<cudaArray_t>(C.dstArray);
  auto *FromThe = reinterpret_cast<cudaArray_t>(C.srcArray);
  return driverCall([&] {
    cudaError_t Error =
        ToArray
            ? cudaMemcpy2DToArrayAsync(ToThe, C.dstXInBytes, C.dstY, From.Start,
                                       From.Pitch, C.WidthInBytes, C.Height,
                                       cudaMemcpyDefault, Stream)
        : FromArray
            ? cudaMemcpy2DFromArrayAsync(To.Start, To.Pitch, FromThe,
                                         C.srcXInBytes, C.srcY, C.WidthInBytes,
                                         C.Height, cudaMemcpyDefault, Stream)
            : cudaMemcpy2DAsync(To.Start, To.Pitch, From.Start, From.Pitch,
                                C.WidthInBytes, C.Height, cudaMemcpyDefault,
                                Stream);
    return Error == cudaSuccess && HostWaits ? cudaStreamSynchronize(Stream)
                                             : Error;
  });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *Copy) {
  return copy2D(Copy, nullptr, true);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *Copy) {
  return copy2D(Copy, nullptr, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *Copy, CUstream Stream) {
  return copy2D(Copy, Stream, false);
}

/// Fills \p Count elements, whose bytes may differ.
template <typename T>
static CUresult fill(CUdeviceptr To, T Value, size_t Count, CUstream Handle,
                     bool HostWaits) {
  if (To % sizeof(T) || Count > SIZE_MAX / sizeof(T))
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    return streamCall(Handle, HostWaits, [&](Runtime &R, Stream &S) {
      return issue(R, S,
                   FillWork{{toPointer(To), Count * sizeof(T), Value, sizeof(T),
                             Count, 1}});
    });
  });
}

CUresult cuMemsetD8(CUdeviceptr To, unsigned char Value, size_t Count) {
  return fill(To, Value, Count, nullptr, true);
}
CUresult cuMemsetD16(CUdeviceptr To, unsigned short Value, size_t Count) {
  return fill(To, Value, Count, nullptr, true);
}
CUresult cuMemsetD32(CUdeviceptr To, unsigned int Value, size_t Count) {
  return fill(To, Value, Count, nullptr, true);
}
CUresult cuMemsetD8Async(CUdeviceptr To, unsigned char Value, size_t Count,
                         CUstream Stream) {
  return fill(To, Value, Count, Stream, false);
}
CUresult cuMemsetD16Async(CUdeviceptr To, unsigned short Value, size_t Count,
                          CUstream Stream) {
  return fill(To, Value, Count, Stream, false);
}
CUresult cuMemsetD32Async(CUdeviceptr To, unsigned int Value, size_t Count,
                          CUstream Stream) {
  return fill(To, Value, Count, Stream, false);
}

//===----------------------------------------------------------------------===//
// Arrays and texture objects
//===----------------------------------------------------------------------===//

/// Bits and kind of a channel; 0 bits for no format.
static cudaChannelFormatDesc channelsOf(CUarray_format Format, unsigned Count) {
  int Bits = 0;
  cudaChannelFormatKind Kind = cudaChannelFormatKindUnsigned;
  switch (Format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT8:
    Bits = 8;
    break;
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_HALF:
    Bits = 16;
    break;
  case CU_AD_FORMAT_UNSIGNED_INT32:
  case CU_AD_FORMAT_SIGNED_INT32:
  case CU_AD_FORMAT_FLOAT:
    Bits = 32;
    break;
  }
  if (Format >= CU_AD_FORMAT_HALF)
    Kind = cudaChannelFormatKindFloat;
  else if (Format >= CU_AD_FORMAT_SIGNED_INT8)
    Kind = cudaChannelFormatKindSigned;
  auto Of = [&](unsigned N) { return N < Count ? Bits : 0; };
  return {Of(0), Of(1), Of(2), Of(3), Kind};
}

CUresult cuArrayCreate(CUarray *Array, const CUDA_ARRAY_DESCRIPTOR *D) {
  if (!Array || !D)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    cudaChannelFormatDesc Channels = channelsOf(D->Format, D->NumChannels);
    return cudaMallocArray(reinterpret_cast<cudaArray_t *>(Array), &Channels,
                           D->Width, D->Height, 0);
  });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *D, CUarray Array) {
  if (!D)
    return CUDA_ERROR_INVALID_VALUE;
  cudaChannelFormatDesc Channels = {};
  cudaExtent Extent = {};
  unsigned Flags = 0;
  CUresult Error = driverCall([&] {
    return cudaArrayGetInfo(&Channels, &Extent, &Flags,
                            reinterpret_cast<cudaArray_t>(Array));
  });
  if (Error != CUDA_SUCCESS)
    return Error;
  D->Width = Extent.width;
  D->Height = Extent.height;
  D->NumChannels = unsigned((Channels.x > 0) + (Channels.y > 0) +
                            (Channels.z > 0) + (Channels.w > 0));
  unsigned Size = Channels.x == 8 ? 0 : Channels.x == 16 ? 1 : 2;
  D->Format = CUarray_format(
      Channels.f == cudaChannelFormatKindFloat    ? (Size == 1 ? 0x10 : 0x20)
      : Channels.f == cudaChannelFormatKindSigned ? 0x08 + Size
                                                  : 0x01 + Size);
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray Array) {
  return driverCall(
      [&] { return cudaFreeArray(reinterpret_cast<cudaArray_t>(Array)); });
}

/// False for a resource of another kind.
static bool convert(const CUDA_RESOURCE_DESC &From, cudaResourceDesc &To) {
  switch (From.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    To.resType = cudaResourceTypeArray;
    To.res.array.array = reinterpret_cast<cudaArray_t>(From.res.array.hArray);
    return true;
  case CU_RESOURCE_TYPE_LINEAR:
    To.resType = cudaResourceTypeLinear;
    To.res.linear.devPtr = toPointer(From.res.linear.devPtr);
    To.res.linear.desc =
        channelsOf(From.res.linear.format, From.res.linear.numChannels);
    To.res.linear.sizeInBytes = From.res.linear.sizeInBytes;
    return true;
  case CU_RESOURCE_TYPE_PITCH2D:
    To.resType = cudaResourceTypePitch2D;
    To.res.pitch2D.devPtr = toPointer(From.res.pitch2D.devPtr);
    To.res.pitch2D.desc =
        channelsOf(From.res.pitch2D.format, From.res.pitch2D.numChannels);
    To.res.pitch2D.width = From.res.pitch2D.width;
    To.res.pitch2D.height = From.res.pitch2D.height;
    To.res.pitch2D.pitchInBytes = From.res.pitch2D.pitchInBytes;
    return true;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    return false;
  }
  return false;
}

/// What CU_TRSF_READ_AS_INTEGER leaves as it is, is read as a fraction of the
/// type's range without it; of what is no integer of 8 or 16 bits, nothing is.
static bool readsFractions(const cudaResourceDesc &R, unsigned Flags) {
  if (Flags & CU_TRSF_READ_AS_INTEGER)
    return false;
  cudaChannelFormatDesc Channels = {};
  if (R.resType == cudaResourceTypeArray)
    cudaGetChannelDesc(&Channels, R.res.array.array);
  else
    Channels = R.resType == cudaResourceTypeLinear ? R.res.linear.desc
                                                   : R.res.pitch2D.desc;
  return Channels.f != cudaChannelFormatKindFloat && Channels.x <= 16;
}

CUresult cuTexObjectCreate(CUtexObject *Object, const CUDA_RESOURCE_DESC *From,
                           const CUDA_TEXTURE_DESC *Texture,
                           const CUDA_RESOURCE_VIEW_DESC *View) {
  cudaResourceDesc Resource = {};
  if (!Object || !From || !Texture)
    return CUDA_ERROR_INVALID_VALUE;
  if (View || !convert(*From, Resource))
    return CUDA_ERROR_NOT_SUPPORTED;
  return driverCall([&] {
    cudaTextureDesc T = {};
    for (unsigned N = 0; N != 3; ++N)
      T.addressMode[N] = cudaTextureAddressMode(Texture->addressMode[N]);
    T.filterMode = cudaTextureFilterMode(Texture->filterMode);
    T.readMode = readsFractions(Resource, Texture->flags)
                     ? cudaReadModeNormalizedFloat
                     : cudaReadModeElementType;
    T.sRGB = (Texture->flags & CU_TRSF_SRGB) != 0;
    std::ranges::copy(Texture->borderColor, T.borderColor);
    T.normalizedCoords = (Texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    T.maxAnisotropy = Texture->maxAnisotropy;
    T.mipmapFilterMode = cudaTextureFilterMode(Texture->mipmapFilterMode);
    T.mipmapLevelBias = Texture->mipmapLevelBias;
    T.minMipmapLevelClamp = Texture->minMipmapLevelClamp;
    T.maxMipmapLevelClamp = Texture->maxMipmapLevelClamp;
    cudaTextureObject_t Made = 0;
    cudaError_t Error = cudaCreateTextureObject(&Made, &Resource, &T, nullptr);
    *Object = Made;
    return Error;
  });
}

CUresult cuTexObjectDestroy(CUtexObject Object) {
  return driverCall([&] { return cudaDestroyTextureObject(Object); });
}
