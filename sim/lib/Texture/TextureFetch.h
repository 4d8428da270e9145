//===- TextureFetch.h - One lane's texture fetch ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From coordinates to texels with weights, and from those to what the lane
/// gets. Both the execution and the timing of a fetch begin with its texels.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TEXTURE_TEXTUREFETCH_H
#define REGSHARE_SIM_TEXTURE_TEXTUREFETCH_H

#include "regshare/Sim/GlobalMemory.h"
#include "regshare/Sim/Texture.h"

namespace regshare::sim {

/// What an access beyond a surface's edge does.
enum class SurfaceEdge : uint8_t { Zero, Clamp, Trap };

/// What the instruction says: Inst::Imm has it packed.
struct TextureOp {
  TextureShape Shape = TextureShape::OneD; ///< Never Linear.
  bool HasIndices = false; ///< Coordinates are whole numbers of texels.
  int8_t Gather = -1;      ///< tld4: the component; -1: none.
  bool IsSurface = false;  ///< Reads or writes bytes of a surface.
  SurfaceEdge Edge = SurfaceEdge::Trap;

  int64_t pack() const {
    return int64_t(Shape) | int64_t(HasIndices) << 8 | int64_t(IsSurface) << 9 |
           int64_t(Edge) << 10 | int64_t(Gather + 1) << 16;
  }
  static TextureOp unpack(int64_t Bits) {
    return {TextureShape(Bits & 0xFF), (Bits >> 8 & 1) != 0,
            int8_t((Bits >> 16 & 0xFF) - 1), (Bits >> 9 & 1) != 0,
            SurfaceEdge(Bits >> 10 & 3)};
  }
  bool hasLayers() const {
    return Shape == TextureShape::OneDLayers ||
           Shape == TextureShape::TwoDLayers ||
           Shape == TextureShape::CubeLayers;
  }
  bool isCube() const {
    return Shape == TextureShape::Cube || Shape == TextureShape::CubeLayers;
  }
  /// Those that mean something.
  unsigned numCoordinates() const;
};

/// The texels of a fetch, at most two in each dimension.
struct TexelTaps {
  struct Tap {
    uint64_t Address; ///< 0: outside of a texture that has a border.
    double Weight;
  };
  unsigned Count = 0;
  Tap Taps[8];
};

/// Whether such an instruction can read such a texture.
bool canFetch(const TextureDescription &T, const TextureOp &Op);

/// \p Coordinates are bits, of floats or of signed numbers; those of layers
/// come first.
TexelTaps findTexels(const TextureDescription &T, const TextureOp &Op,
                     const uint32_t *Coordinates);

/// Where a lane accesses \p Bytes bytes of a surface: the first coordinate is
/// in bytes, the others in rows and slices.
struct SurfacePlace {
  uint64_t Address = 0;
  bool IsInside = true; ///< Else Address is where the edge would have it.
};
SurfacePlace findBytes(const TextureDescription &T, const TextureOp &Op,
                       const uint32_t *Coordinates, unsigned Bytes);

/// Where the texel or byte at \p Address lies for caches and DRAM: there, or
/// where the blocks of an array have it.
uint64_t addressInBlocks(const TextureDescription &T, uint64_t Address);

/// The four components that the lane gets, as bits. Texels are read at their
/// device addresses plus \p Delta.
void blendTexels(const TextureDescription &T, const TextureOp &Op,
                 const TexelTaps &Taps, uint64_t Delta, uint32_t *To);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TEXTURE_TEXTUREFETCH_H
