//===- CubeMap.cpp - Directions and faces ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubeMap.h"

#include "regshare/Sim/Texture.h"

#include <algorithm>
#include <cmath>

namespace regshare::sim {

namespace {
enum Axis : uint8_t { X, Y, Z };

/// Of a coordinate of the direction, or against it.
struct Along {
  Axis Of;
  int Sign;

  double from(const double *Direction) const { return Sign * Direction[Of]; }
};

/// m, s and t of the guide's table.
struct CubeFace {
  Along Outwards, Across, Down;
};

constexpr CubeFace Faces[CubeFaces] = {
    {{X, 1}, {Z, -1}, {Y, -1}}, {{X, -1}, {Z, 1}, {Y, -1}},
    {{Y, 1}, {X, 1}, {Z, 1}},   {{Y, -1}, {X, 1}, {Z, -1}},
    {{Z, 1}, {X, 1}, {Y, -1}},  {{Z, -1}, {X, -1}, {Y, -1}},
};
} // namespace

CubePlace placeOnCube(const double *Given) {
  double Direction[3], Of[3];
  for (Axis A : {X, Y, Z}) {
    Direction[A] = std::isnan(Given[A]) ? 0 : Given[A];
    Of[A] = std::abs(Direction[A]);
  }
  Axis Main = Of[Z] >= Of[X] && Of[Z] >= Of[Y] ? Z : Of[Y] >= Of[X] ? Y : X;
  unsigned Face = 2 * Main + std::signbit(Direction[Main]);
  const CubeFace &F = Faces[Face];
  auto Place = [&](const Along &A) {
    double At = (A.from(Direction) / Of[Main] + 1) / 2;
    return std::isnan(At) ? 0 : At;
  };
  return {Face, {Place(F.Across), Place(F.Down)}};
}

CubeTexel texelOnCube(unsigned Face, int64_t X, int64_t Y, int64_t Size) {
  if (X >= 0 && X < Size && Y >= 0 && Y < Size)
    return {Face, X, Y};
  // The middle of the texel, were the face larger, seen from the cube's.
  const CubeFace &F = Faces[Face];
  double Direction[3];
  Direction[F.Outwards.Of] = F.Outwards.Sign;
  Direction[F.Across.Of] =
      F.Across.Sign * (double(2 * X + 1) / double(Size) - 1);
  Direction[F.Down.Of] = F.Down.Sign * (double(2 * Y + 1) / double(Size) - 1);
  CubePlace Place = placeOnCube(Direction);
  auto Index = [Size](double At) {
    return std::min(int64_t(At * double(Size)), Size - 1);
  };
  return {Place.Face, Index(Place.At[0]), Index(Place.At[1])};
}

} // namespace regshare::sim
