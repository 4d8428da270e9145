//===- TextureObjects.h - Arrays and texture objects ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the handles of arrays and texture objects stand for.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_TEXTURE_TEXTUREOBJECTS_H
#define REGSHARE_RUNTIME_TEXTURE_TEXTUREOBJECTS_H

#include "regshare/Sim/Texture.h"

#include "cuda_runtime_api.h"

#include <optional>

/// Texels in device memory, row after row.
struct cudaArray {
  cudaChannelFormatDesc Desc = {};
  cudaExtent Extent = {}; ///< As the program gave it, zeros included.
  unsigned Flags = 0;
  regshare::sim::TexelFormat Format;
  regshare::sim::TextureShape Shape = regshare::sim::TextureShape::OneD;
  uint64_t Base = 0, RowBytes = 0;
  /// In texels, rows, and slices or layers; at least 1.
  size_t Width = 1, Rows = 1, Slices = 1;
  uint32_t BlockLines = 0; ///< As in sim::TextureDescription.
};

namespace regshare::cudart {

class Runtime;

/// What it was made of, for those who ask.
struct TextureObject {
  cudaResourceDesc Resource;
  cudaTextureDesc Texture;
};

/// Nothing if texels cannot be like this: 1, 2 or 4 equal components of 8, 16
/// or 32 bits.
std::optional<sim::TexelFormat> formatOf(const cudaChannelFormatDesc &Desc);

/// As cudaCreateTextureObject.
cudaError_t makeTexture(Runtime &R, cudaTextureObject_t *To,
                        const cudaResourceDesc *Resource,
                        const cudaTextureDesc *Texture,
                        const cudaResourceViewDesc *View);
/// As cudaCreateSurfaceObject.
cudaError_t makeSurface(Runtime &R, cudaSurfaceObject_t *To,
                        const cudaResourceDesc *Resource);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_TEXTURE_TEXTUREOBJECTS_H
