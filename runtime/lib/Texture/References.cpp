//===- References.cpp - Texture and surface references --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Binding makes an object of what the reference says at that moment, and puts
/// the object's handle into the reference's variable on the device.
///
//===----------------------------------------------------------------------===//

#include "API/Symbols.h"
#include "Runtime.h"
#include "TextureObjects.h"

#include <algorithm>

namespace regshare::cudart {

/// Linear memory is bound from such an address on, of which all that
/// cudaMalloc delivers are multiples; the offset is what is left.
static constexpr uint64_t BindingAlignment = 256;

static Reference *findReference(const void *Host, bool IsSurface) {
  Reference *Ref = ModuleTable::get().findReference(Host);
  return Ref && Ref->IsSurface == IsSurface ? Ref : nullptr;
}

static void forget(Runtime &R, Reference &Ref) {
  if (!Ref.Handle)
    return;
  // As the device forgets it, work that reads it is over.
  R.synchronize();
  R.Memory->textures().remove(Ref.Handle);
  R.Textures.erase(Ref.Handle);
  R.Surfaces.erase(Ref.Handle);
  Ref.Handle = 0;
}

/// \p Host has been bound to \p Handle, an object of its own; 0 is nothing.
static cudaError_t setHandle(Runtime &R, Reference &Ref, uint64_t Handle,
                             size_t Offset) {
  forget(R, Ref);
  Ref.Handle = Handle;
  Ref.Offset = Offset;
  if (cudaError_t Error = R.load(*Ref.Owner); Error != cudaSuccess)
    return Error;
  ModuleTable::bind(Ref, *R.Memory);
  return cudaSuccess;
}

static cudaTextureDesc readingOf(const textureReference &Host,
                                 const Reference &Ref) {
  cudaTextureDesc D = {};
  std::copy_n(Host.addressMode, 3, D.addressMode);
  D.filterMode = Host.filterMode;
  D.readMode = Ref.ReadsNormalised ? cudaReadModeNormalizedFloat
                                   : cudaReadModeElementType;
  D.sRGB = Host.sRGB;
  D.normalizedCoords = Host.normalized;
  return D;
}

static cudaError_t bindTexture(Runtime &R, const textureReference *Host,
                               const cudaResourceDesc &Resource,
                               size_t Offset) {
  Reference *Ref = findReference(Host, /*IsSurface=*/false);
  if (!Ref)
    return cudaErrorInvalidTexture;
  cudaTextureDesc Texture = readingOf(*Host, *Ref);
  cudaTextureObject_t Handle = 0;
  if (cudaError_t Error = makeTexture(R, &Handle, &Resource, &Texture, nullptr);
      Error != cudaSuccess)
    return Error;
  return setHandle(R, *Ref, Handle, Offset);
}

/// Where the texture at \p Ptr begins. A program that does not ask for the
/// \p Offset cannot have any.
static cudaError_t alignBase(const void *Ptr, size_t *Offset, uint64_t &Base,
                             uint64_t &Rest) {
  uint64_t Address = reinterpret_cast<uint64_t>(Ptr);
  Base = Address / BindingAlignment * BindingAlignment;
  Rest = Address - Base;
  return Rest && !Offset ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t bindLinear(Runtime &R, size_t *Offset,
                              const textureReference *Host, const void *Ptr,
                              const cudaChannelFormatDesc *Desc, size_t Size) {
  if (!Host || !Desc)
    return cudaErrorInvalidValue;
  uint64_t Base = 0, Rest = 0;
  if (cudaError_t Error = alignBase(Ptr, Offset, Base, Rest);
      Error != cudaSuccess)
    return Error;
  const auto *Range = R.Memory->find(Base);
  if (!Range)
    return cudaErrorInvalidValue;
  // Programs that leave the size out mean all that there is.
  uint64_t Bytes = Size + Rest;
  if (Size == UINT32_MAX)
    Bytes = std::min(Bytes, Range->End - Base);
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypeLinear;
  Resource.res.linear = {reinterpret_cast<void *>(Base), *Desc, Bytes};
  cudaError_t Error = bindTexture(R, Host, Resource, Rest);
  if (Error == cudaSuccess && Offset)
    *Offset = Rest;
  return Error;
}

static cudaError_t bindPitched(Runtime &R, size_t *Offset,
                               const textureReference *Host, const void *Ptr,
                               const cudaChannelFormatDesc *Desc, size_t Width,
                               size_t Height, size_t Pitch) {
  if (!Host || !Desc)
    return cudaErrorInvalidValue;
  uint64_t Base = 0, Rest = 0;
  if (cudaError_t Error = alignBase(Ptr, Offset, Base, Rest);
      Error != cudaSuccess)
    return Error;
  std::optional<sim::TexelFormat> Format = formatOf(*Desc);
  if (!Format)
    return cudaErrorInvalidChannelDescriptor;
  if (Rest % Format->bytes())
    return cudaErrorInvalidValue;
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypePitch2D;
  Resource.res.pitch2D = {reinterpret_cast<void *>(Base), *Desc,
                          Width + Rest / Format->bytes(), Height, Pitch};
  cudaError_t Error = bindTexture(R, Host, Resource, Rest);
  if (Error == cudaSuccess && Offset)
    *Offset = Rest;
  return Error;
}

static bool isSame(const cudaChannelFormatDesc &A,
                   const cudaChannelFormatDesc &B) {
  return A.x == B.x && A.y == B.y && A.z == B.z && A.w == B.w && A.f == B.f;
}

/// Of an array the texels are what it was made with.
static cudaError_t checkArray(Runtime &R, cudaArray_const_t Array,
                              const cudaChannelFormatDesc *Desc) {
  if (!Desc || !R.Arrays.count(Array))
    return cudaErrorInvalidValue;
  return isSame(*Desc, Array->Desc) ? cudaSuccess
                                    : cudaErrorInvalidChannelDescriptor;
}

static cudaResourceDesc resourceOf(cudaArray_const_t Array) {
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypeArray;
  Resource.res.array.array = const_cast<cudaArray_t>(Array);
  return Resource;
}

static cudaError_t bindSurface(Runtime &R, const surfaceReference *Host,
                               cudaArray_const_t Array) {
  Reference *Ref = findReference(Host, /*IsSurface=*/true);
  if (!Ref)
    return cudaErrorInvalidSurface;
  cudaResourceDesc Resource = resourceOf(Array);
  cudaSurfaceObject_t Handle = 0;
  if (cudaError_t Error = makeSurface(R, &Handle, &Resource);
      Error != cudaSuccess)
    return Error;
  return setHandle(R, *Ref, Handle, 0);
}

} // namespace regshare::cudart

using namespace regshare::cudart;

cudaError_t cudaBindTexture(size_t *Offset,
                            const struct textureReference *Reference,
                            const void *Ptr,
                            const struct cudaChannelFormatDesc *Desc,
                            size_t Size) {
  return apiCall([&](Runtime &R) {
    return bindLinear(R, Offset, Reference, Ptr, Desc, Size);
  });
}

cudaError_t cudaBindTexture2D(size_t *Offset,
                              const struct textureReference *Reference,
                              const void *Ptr,
                              const struct cudaChannelFormatDesc *Desc,
                              size_t Width, size_t Height, size_t Pitch) {
  return apiCall([&](Runtime &R) {
    return bindPitched(R, Offset, Reference, Ptr, Desc, Width, Height, Pitch);
  });
}

cudaError_t cudaBindTextureToArray(const struct textureReference *Reference,
                                   cudaArray_const_t Array,
                                   const struct cudaChannelFormatDesc *Desc) {
  return apiCall([&](Runtime &R) {
    cudaError_t Error =
        Reference ? checkArray(R, Array, Desc) : cudaErrorInvalidTexture;
    return Error == cudaSuccess
               ? bindTexture(R, Reference, resourceOf(Array), 0)
               : Error;
  });
}

cudaError_t cudaUnbindTexture(const struct textureReference *Reference) {
  return apiCall([&](Runtime &R) {
    auto *Ref = findReference(Reference, /*IsSurface=*/false);
    return Ref ? setHandle(R, *Ref, 0, 0) : cudaErrorInvalidTexture;
  });
}

cudaError_t
cudaGetTextureAlignmentOffset(size_t *Offset,
                              const struct textureReference *Reference) {
  return apiCall([&](Runtime &) {
    auto *Ref = findReference(Reference, /*IsSurface=*/false);
    if (!Offset || !Ref)
      return Offset ? cudaErrorInvalidTexture : cudaErrorInvalidValue;
    if (!Ref->Handle)
      return cudaErrorInvalidTextureBinding;
    *Offset = Ref->Offset;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const struct textureReference **Reference,
                                    const void *Symbol) {
  return apiCall([&](Runtime &R) {
    const void *Host = nullptr;
    cudaError_t Error =
        Reference ? findReference(R, Symbol, /*IsSurface=*/false, Host)
                  : cudaErrorInvalidTexture;
    if (Error == cudaSuccess)
      *Reference = static_cast<const textureReference *>(Host);
    return Error;
  });
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *Reference,
                                   cudaArray_const_t Array,
                                   const struct cudaChannelFormatDesc *Desc) {
  return apiCall([&](Runtime &R) {
    cudaError_t Error =
        Reference ? checkArray(R, Array, Desc) : cudaErrorInvalidSurface;
    return Error == cudaSuccess ? bindSurface(R, Reference, Array) : Error;
  });
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **Reference,
                                    const void *Symbol) {
  return apiCall([&](Runtime &R) {
    const void *Host = nullptr;
    cudaError_t Error = Reference
                            ? findReference(R, Symbol, /*IsSurface=*/true, Host)
                            : cudaErrorInvalidSurface;
    if (Error == cudaSuccess)
      *Reference = static_cast<const surfaceReference *>(Host);
    return Error;
  });
}
