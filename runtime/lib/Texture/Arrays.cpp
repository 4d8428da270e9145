//===- Arrays.cpp - Arrays of texels --------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include "Runtime.h"

#include <algorithm>

namespace regshare::cudart {

std::optional<sim::TexelFormat> formatOf(const cudaChannelFormatDesc &Desc) {
  sim::TexelFormat F;
  const int Bits[4] = {Desc.x, Desc.y, Desc.z, Desc.w};
  unsigned Components = 0;
  while (Components != 4 && Bits[Components])
    ++Components;
  for (unsigned K = 0; K != 4; ++K)
    if (Bits[K] != (K < Components ? Desc.x : 0))
      return std::nullopt;
  bool IsFloat = Desc.f == cudaChannelFormatKindFloat;
  if ((Components != 1 && Components != 2 && Components != 4) ||
      (Desc.x != 8 && Desc.x != 16 && Desc.x != 32) ||
      (IsFloat && Desc.x == 8) || Desc.f < cudaChannelFormatKindSigned ||
      Desc.f > cudaChannelFormatKindFloat)
    return std::nullopt;
  F.Of = IsFloat                                   ? sim::TexelFormat::Float
         : Desc.f == cudaChannelFormatKindUnsigned ? sim::TexelFormat::Unsigned
                                                   : sim::TexelFormat::Signed;
  F.Bits = uint8_t(Desc.x);
  F.Components = uint8_t(Components);
  return F;
}

Result<Region> regionOf(Runtime &R, const cudaArray *Array,
                        const ArrayPosition &At, const Extent &E) {
  if (!R.Arrays.count(Array))
    return fail("no such array");
  size_t Bytes = Array->Format.bytes();
  auto Fits = [](size_t From, size_t Count, size_t Size) {
    return Count <= Size && From <= Size - Count;
  };
  if (!Fits(At.X, (E.Width + Bytes - 1) / Bytes, Array->Width) ||
      !Fits(At.Y, E.Height, Array->Rows) || !Fits(At.Z, E.Depth, Array->Slices))
    return fail("the array is smaller");
  uint64_t Start = Array->Base + (At.Z * Array->Rows + At.Y) * Array->RowBytes +
                   At.X * Bytes;
  return Region{reinterpret_cast<void *>(Start), Array->RowBytes, Array->Rows};
}

/// Rows begin at a sector of the memory.
static constexpr uint64_t RowUnit = sim::BlockLineBytes;

/// Nothing if there is no such array.
static std::optional<sim::TextureShape> shapeOf(const cudaExtent &E,
                                                unsigned Flags) {
  using sim::TextureShape;
  bool IsLayered = Flags & cudaArrayLayered;
  if (Flags & cudaArrayCubemap) {
    bool AreFaces = IsLayered ? E.depth && E.depth % sim::CubeFaces == 0
                              : E.depth == sim::CubeFaces;
    if (E.width != E.height || !AreFaces)
      return std::nullopt;
    return IsLayered ? TextureShape::CubeLayers : TextureShape::Cube;
  }
  if (IsLayered ? !E.depth : E.depth && !E.height)
    return std::nullopt;
  if (IsLayered)
    return E.height ? TextureShape::TwoDLayers : TextureShape::OneDLayers;
  return E.depth    ? TextureShape::ThreeD
         : E.height ? TextureShape::TwoD
                    : TextureShape::OneD;
}

static cudaError_t makeArray(Runtime &R, cudaArray_t *To,
                             const cudaChannelFormatDesc *Desc,
                             const cudaExtent &E, unsigned Flags) {
  if (!To || !Desc || !E.width)
    return cudaErrorInvalidValue;
  std::optional<sim::TexelFormat> Format = formatOf(*Desc);
  if (!Format)
    return cudaErrorInvalidChannelDescriptor;
  std::optional<sim::TextureShape> Shape = shapeOf(E, Flags);
  if (!Shape)
    return cudaErrorInvalidValue;
  auto Array = std::make_unique<cudaArray>();
  Array->Desc = *Desc;
  Array->Extent = E;
  Array->Flags = Flags;
  Array->Format = *Format;
  Array->Shape = *Shape;
  Array->Width = E.width;
  Array->Rows = std::max<size_t>(E.height, 1);
  Array->Slices = std::max<size_t>(E.depth, 1);
  uint64_t Capacity = R.Memory->capacity();
  if (Array->Width > Capacity || Array->Rows > Capacity ||
      Array->Slices > Capacity)
    return cudaErrorMemoryAllocation;
  Array->RowBytes =
      (Array->Width * Format->bytes() + RowUnit - 1) / RowUnit * RowUnit;
  uint64_t Rows = Array->Rows;
  if (Rows > 1) {
    Array->BlockLines = sim::blockLinesFor(Rows);
    Rows = sim::rowsInBlocks(Rows, Array->BlockLines);
  }
  // In floating point, since the product may be too large.
  if (double(Array->RowBytes) * double(Rows) * double(Array->Slices) >
      double(Capacity))
    return cudaErrorMemoryAllocation;
  Array->Base =
      R.Memory->allocate(Array->RowBytes * Rows * Array->Slices, "array");
  if (!Array->Base)
    return cudaErrorMemoryAllocation;
  *To = Array.get();
  R.Arrays.emplace(*To, std::move(Array));
  return cudaSuccess;
}

} // namespace regshare::cudart

using namespace regshare::cudart;

struct cudaChannelFormatDesc
cudaCreateChannelDesc(int X, int Y, int Z, int W,
                      enum cudaChannelFormatKind Kind) {
  return {X, Y, Z, W, Kind};
}

cudaError_t cudaMallocArray(cudaArray_t *Array,
                            const struct cudaChannelFormatDesc *Desc,
                            size_t Width, size_t Height, unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    return makeArray(R, Array, Desc, {Width, Height, 0},
                     Flags & ~unsigned(cudaArrayLayered | cudaArrayCubemap));
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t *Array,
                              const struct cudaChannelFormatDesc *Desc,
                              struct cudaExtent Extent, unsigned int Flags) {
  return apiCall(
      [&](Runtime &R) { return makeArray(R, Array, Desc, Extent, Flags); });
}

cudaError_t cudaFreeArray(cudaArray_t Array) {
  return apiCall([&](Runtime &R) {
    if (!Array)
      return cudaSuccess;
    auto It = R.Arrays.find(Array);
    if (It == R.Arrays.end())
      return cudaErrorInvalidValue;
    R.synchronize();
    R.Memory->free(Array->Base);
    R.Arrays.erase(It);
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *Desc,
                             struct cudaExtent *Extent, unsigned int *Flags,
                             cudaArray_t Array) {
  return apiCall([&](Runtime &R) {
    if (!R.Arrays.count(Array))
      return cudaErrorInvalidResourceHandle;
    if (Desc)
      *Desc = Array->Desc;
    if (Extent)
      *Extent = Array->Extent;
    if (Flags)
      *Flags = Array->Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *Desc,
                               cudaArray_const_t Array) {
  return apiCall([&](Runtime &R) {
    if (!Desc || !R.Arrays.count(Array))
      return cudaErrorInvalidValue;
    *Desc = Array->Desc;
    return cudaSuccess;
  });
}
