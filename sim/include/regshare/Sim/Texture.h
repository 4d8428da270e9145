//===- regshare/Sim/Texture.h - Texture objects -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a texture object describes: texels in global memory, and how fetches
/// address, filter and convert them (CUDA C++ programming guide, "Texture
/// fetching"). docs/textures.md says what is the guide's and what is ours.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TEXTURE_H
#define REGSHARE_SIM_TEXTURE_H

#include <cstdint>
#include <map>
#include <string_view>

namespace regshare::sim {

/// How texels lie, and how many coordinates a fetch has.
enum class TextureShape : uint8_t {
  Linear, ///< A buffer that is read by index (tex1Dfetch).
  OneD,
  TwoD,
  ThreeD,
  OneDLayers,
  TwoDLayers,
  Cube, ///< Six faces, which are slices; a fetch has a direction.
  CubeLayers,
};
/// Of a cube: +x, -x, +y, -y, +z, -z.
inline constexpr uint32_t CubeFaces = 6;
/// "2D"
std::string_view textureShapeName(TextureShape S);

/// What a texel is made of.
struct TexelFormat {
  /// Which numbers its components are.
  enum Kind : uint8_t { Signed, Unsigned, Float };
  Kind Of = Float;
  uint8_t Bits = 32;      ///< Of a component: 8, 16 or 32; of a Float 16 or 32.
  uint8_t Components = 1; ///< 1, 2 or 4.

  unsigned bytes() const { return Bits / 8u * Components; }
};

/// An array's blocks consist of groups of so many bytes in each of so many rows
/// (Tegra X1 Technical Reference Manual, block linear; GOB in the Linux
/// kernel's drm_fourcc.h).
inline constexpr unsigned BlockLineBytes = 64, BlockLineRows = 8;
/// How many groups a block of an array of \p Height rows has above each other:
/// at most 16, as drivers choose.
constexpr uint32_t blockLinesFor(uint64_t Height) {
  uint32_t Lines = 1;
  while (Lines != 16 && Lines * uint64_t(BlockLineRows) < Height)
    Lines *= 2;
  return Lines;
}
/// Rows that blocks of \p Lines groups take for \p Height rows.
constexpr uint64_t rowsInBlocks(uint64_t Height, uint32_t Lines) {
  uint64_t Each = uint64_t(Lines) * BlockLineRows;
  return (Height + Each - 1) / Each * Each;
}

/// What coordinates outside of a texture mean. Wrap and Mirror are for
/// normalised ones; others are clamped then.
enum class TextureAddressing : uint8_t { Wrap, Clamp, Mirror, Border };

/// A texture object.
struct TextureDescription {
  TextureShape Shape = TextureShape::Linear;
  TexelFormat Format;
  /// Of the first texel; row after row, slice after slice.
  uint64_t Base = 0;
  uint64_t RowBytes = 0, SliceBytes = 0;
  /// In texels; Depth is the number of layers, or of all cubes' faces, where
  /// there are any.
  uint32_t Width = 1, Height = 1, Depth = 1;
  /// To caches and DRAM the rows of an array lie in blocks of so many times
  /// BlockLineRows rows, a power of two; 0: row after row, as the data do.
  uint32_t BlockLines = 0;
  TextureAddressing Addressing[3] = {};
  bool IsSurface = false;       ///< Bytes of it are read and written.
  bool IsFiltered = false;      ///< Linear filtering instead of the nearest.
  bool ReadsNormalised = false; ///< Integers become floats of at most 1.
  bool NormalisedCoordinates = false;
  bool IsSeamless = false; ///< Filters across the edges of a cube's faces.
  float Border[4] = {};
};

/// The texture and surface objects of a device. A handle is never used again.
class TextureTable {
public:
  uint64_t add(const TextureDescription &T) {
    All.emplace(++Last, T);
    return Last;
  }
  /// False if there is no such object.
  bool remove(uint64_t Handle) { return All.erase(Handle); }
  /// Null if there is no such object.
  const TextureDescription *find(uint64_t Handle) const {
    auto It = All.find(Handle);
    return It == All.end() ? nullptr : &It->second;
  }

private:
  std::map<uint64_t, TextureDescription> All;
  uint64_t Last = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TEXTURE_H
