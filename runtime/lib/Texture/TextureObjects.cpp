//===- TextureObjects.cpp - Making texture objects ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextureObjects.h"

#include "Runtime.h"

#include <algorithm>

namespace regshare::cudart {

/// \p What is not there; said each time, since programs make few objects.
static cudaError_t notSupported(const std::string &What) {
  printError("cudaCreateTextureObject: " + What +
                 "; it returns cudaErrorNotSupported",
             ErrorKind::Unsupported);
  return cudaErrorNotSupported;
}

static cudaError_t describeArray(Runtime &R, const cudaArray *Array,
                                 sim::TextureDescription &To) {
  if (!R.Arrays.count(Array))
    return cudaErrorInvalidValue;
  To.Shape = Array->Shape;
  To.Format = Array->Format;
  To.Base = Array->Base;
  To.RowBytes = Array->RowBytes;
  To.SliceBytes = Array->RowBytes * Array->Rows;
  To.BlockLines = Array->BlockLines;
  To.Width = uint32_t(Array->Width);
  To.Height = uint32_t(Array->Rows);
  To.Depth = uint32_t(Array->Slices);
  return cudaSuccess;
}

/// Memory that the program has allocated. The last row may end with its last
/// texel.
static cudaError_t describeMemory(Runtime &R, const void *Ptr,
                                  const cudaChannelFormatDesc &Desc,
                                  sim::TextureDescription &To) {
  std::optional<sim::TexelFormat> Format = formatOf(Desc);
  if (!Format)
    return cudaErrorInvalidChannelDescriptor;
  To.Format = *Format;
  To.Base = reinterpret_cast<uint64_t>(Ptr);
  uint64_t Bytes =
      To.RowBytes * (To.Height - 1) + uint64_t(To.Width) * Format->bytes();
  const auto *Range = R.Memory->find(To.Base);
  return Range && Range->contains(To.Base, To.Base + Bytes)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

static cudaError_t describeLinear(Runtime &R, const cudaResourceDesc &From,
                                  sim::TextureDescription &To) {
  const auto &Linear = From.res.linear;
  std::optional<sim::TexelFormat> Format = formatOf(Linear.desc);
  uint64_t Texels = Format ? Linear.sizeInBytes / Format->bytes() : 1;
  if (!Texels || Texels > UINT32_MAX)
    return cudaErrorInvalidValue;
  To.Shape = sim::TextureShape::Linear;
  To.Width = uint32_t(Texels);
  return describeMemory(R, Linear.devPtr, Linear.desc, To);
}

static cudaError_t describePitched(Runtime &R, const cudaResourceDesc &From,
                                   sim::TextureDescription &To) {
  const auto &Rows = From.res.pitch2D;
  std::optional<sim::TexelFormat> Format = formatOf(Rows.desc);
  if (!Rows.width || !Rows.height || Rows.width > UINT32_MAX ||
      Rows.height > UINT32_MAX || Rows.pitchInBytes > UINT32_MAX ||
      (Format && Rows.pitchInBytes < Rows.width * Format->bytes()))
    return cudaErrorInvalidValue;
  To.Shape = sim::TextureShape::TwoD;
  To.Width = uint32_t(Rows.width);
  To.Height = uint32_t(Rows.height);
  To.RowBytes = Rows.pitchInBytes;
  return describeMemory(R, Rows.devPtr, Rows.desc, To);
}

static cudaError_t describeResource(Runtime &R, const cudaResourceDesc &From,
                                    sim::TextureDescription &To) {
  switch (From.resType) {
  case cudaResourceTypeArray:
    return describeArray(R, From.res.array.array, To);
  case cudaResourceTypeLinear:
    return describeLinear(R, From, To);
  case cudaResourceTypePitch2D:
    return describePitched(R, From, To);
  case cudaResourceTypeMipmappedArray:
    return notSupported("arrays with mipmaps are not implemented");
  }
  return cudaErrorInvalidValue;
}

static cudaError_t describeReading(const cudaTextureDesc &From,
                                   sim::TextureDescription &To) {
  for (unsigned N = 0; N != 3; ++N) {
    if (From.addressMode[N] < cudaAddressModeWrap ||
        From.addressMode[N] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    To.Addressing[N] = sim::TextureAddressing(From.addressMode[N]);
  }
  if (From.sRGB)
    return notSupported("the conversion from sRGB is not implemented");
  To.ReadsNormalised = From.readMode == cudaReadModeNormalizedFloat;
  To.IsFiltered = From.filterMode == cudaFilterModeLinear;
  To.NormalisedCoordinates = From.normalizedCoords != 0;
  To.IsSeamless = From.seamlessCubemap != 0;
  std::copy_n(From.borderColor, 4, To.Border);
  bool IsFloat = To.Format.Of == sim::TexelFormat::Float;
  if (IsFloat)
    To.ReadsNormalised = false;
  if (To.ReadsNormalised && To.Format.Bits == 32)
    return cudaErrorInvalidNormSetting;
  if (To.IsFiltered && !IsFloat && !To.ReadsNormalised)
    return cudaErrorInvalidFilterSetting;
  return cudaSuccess;
}

cudaError_t makeTexture(Runtime &R, cudaTextureObject_t *To,
                        const cudaResourceDesc *Resource,
                        const cudaTextureDesc *Texture,
                        const cudaResourceViewDesc *View) {
  if (!To || !Resource || !Texture)
    return cudaErrorInvalidValue;
  if (View)
    return notSupported("views of resources are not implemented");
  sim::TextureDescription Description;
  if (cudaError_t Error = describeResource(R, *Resource, Description);
      Error != cudaSuccess)
    return Error;
  if (cudaError_t Error = describeReading(*Texture, Description);
      Error != cudaSuccess)
    return Error;
  *To = R.Memory->textures().add(Description);
  R.Textures[*To] = {*Resource, *Texture};
  return cudaSuccess;
}

cudaError_t makeSurface(Runtime &R, cudaSurfaceObject_t *To,
                        const cudaResourceDesc *Resource) {
  if (!To || !Resource || Resource->resType != cudaResourceTypeArray)
    return cudaErrorInvalidValue;
  sim::TextureDescription Description;
  const cudaArray *Array = Resource->res.array.array;
  if (cudaError_t Error = describeArray(R, Array, Description);
      Error != cudaSuccess)
    return Error;
  if (!(Array->Flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  Description.IsSurface = true;
  // The faces of cubes are layers to a surface.
  if (Description.Shape == sim::TextureShape::Cube ||
      Description.Shape == sim::TextureShape::CubeLayers)
    Description.Shape = sim::TextureShape::TwoDLayers;
  *To = R.Memory->textures().add(Description);
  R.Surfaces[*To] = *Resource;
  return cudaSuccess;
}

} // namespace regshare::cudart

using namespace regshare::cudart;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *Object,
                                    const struct cudaResourceDesc *Resource,
                                    const struct cudaTextureDesc *Texture,
                                    const struct cudaResourceViewDesc *View) {
  return apiCall([&](Runtime &R) {
    return makeTexture(R, Object, Resource, Texture, View);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Object) {
  return apiCall([&](Runtime &R) {
    // As the device forgets it, work that reads it is over.
    R.synchronize();
    if (!R.Textures.erase(Object))
      return Object ? cudaErrorInvalidValue : cudaSuccess;
    R.Memory->textures().remove(Object);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *Resource,
                                             cudaTextureObject_t Object) {
  return apiCall([&](Runtime &R) {
    auto It = R.Textures.find(Object);
    if (!Resource || It == R.Textures.end())
      return cudaErrorInvalidValue;
    *Resource = It->second.Resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *Texture,
                                            cudaTextureObject_t Object) {
  return apiCall([&](Runtime &R) {
    auto It = R.Textures.find(Object);
    if (!Texture || It == R.Textures.end())
      return cudaErrorInvalidValue;
    *Texture = It->second.Texture;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *Object,
                                    const struct cudaResourceDesc *Resource) {
  return apiCall([&](Runtime &R) { return makeSurface(R, Object, Resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Object) {
  return apiCall([&](Runtime &R) {
    R.synchronize();
    if (!R.Surfaces.erase(Object))
      return Object ? cudaErrorInvalidValue : cudaSuccess;
    R.Memory->textures().remove(Object);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *Resource,
                                             cudaSurfaceObject_t Object) {
  return apiCall([&](Runtime &R) {
    auto It = R.Surfaces.find(Object);
    if (!Resource || It == R.Surfaces.end())
      return cudaErrorInvalidValue;
    *Resource = It->second;
    return cudaSuccess;
  });
}
