//===- CubeMap.h - Directions and faces -------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The faces of a cube map, and where directions meet them (CUDA C++
/// programming guide, "Cubemap Textures").
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TEXTURE_CUBEMAP_H
#define REGSHARE_SIM_TEXTURE_CUBEMAP_H

#include <cstdint>

namespace regshare::sim {

/// A place on a face, from 0 to 1 along its rows and columns.
struct CubePlace {
  unsigned Face;
  double At[2];
};

/// Where the given direction x, y, z from the middle meets the cube.
/// Of coordinates of the same magnitude z decides, then y. What is no number
/// counts as zero.
CubePlace placeOnCube(const double *Given);

struct CubeTexel {
  unsigned Face;
  int64_t X, Y;
};

/// The texel \p X, \p Y of a face of \p Size times \p Size; if one of the two
/// is one beyond an edge, the texel of the next face that touches it there.
CubeTexel texelOnCube(unsigned Face, int64_t X, int64_t Y, int64_t Size);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TEXTURE_CUBEMAP_H
