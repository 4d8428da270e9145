//===- CubeTest.cpp - Fetches from cube maps ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random cubes and directions, with timing and without. The face is that of
/// the programming guide's table, the fetch that of its layers. Across an edge
/// the texel is looked for among all of the cube, by its place in space.
///
//===----------------------------------------------------------------------===//

#include "TextureTest.h"

#include <limits>

using namespace regshare;
using namespace regshare::sim;

namespace {

constexpr ShapeCase CubeCases[] = {
    {TextureShape::Cube, "cube", 2, false, true},
    {TextureShape::CubeLayers, "acube", 2, true, true}};

using Vector = std::array<double, 3>;

/// The guide's table: the layer, and s and t.
struct Place {
  long Face;
  double S, T;
};

Place placeOf(const Vector &D) {
  auto [X, Y, Z] = D;
  double AX = std::abs(X), AY = std::abs(Y), AZ = std::abs(Z);
  auto At = [](long Face, double M, double S, double T) {
    return Place{Face, (S / M + 1) / 2, (T / M + 1) / 2};
  };
  if (AX > AY && AX > AZ)
    return X >= 0 ? At(0, X, -Z, -Y) : At(1, -X, Z, -Y);
  if (AY > AX && AY > AZ)
    return Y >= 0 ? At(2, Y, X, Z) : At(3, -Y, X, -Z);
  return Z >= 0 ? At(4, Z, X, -Y) : At(5, -Z, -X, -Y);
}

/// Where s and t from -1 to 1 on a face are.
Vector pointOn(long Face, double S, double T) {
  switch (Face) {
  case 0:
    return {1, -T, -S};
  case 1:
    return {-1, -T, S};
  case 2:
    return {S, 1, T};
  case 3:
    return {S, -1, -T};
  case 4:
    return {S, -T, 1};
  default:
    return {-S, -T, -1};
  }
}

Vector middleOf(long Face, long I, long J, long Size) {
  return pointOn(Face, double(2 * I + 1) / double(Size) - 1,
                 double(2 * J + 1) / double(Size) - 1);
}

/// The value of the texel nearest to a point on the faces of a cube, whose
/// slices begin at \p First.
double nearest(const Table &From, long First, const Vector &To, unsigned C) {
  double Least = std::numeric_limits<double>::max(), Value = 0;
  for (long Face = 0; Face != 6; ++Face)
    for (long I = 0; I != From.T.Width; ++I)
      for (long J = 0; J != From.T.Width; ++J) {
        Vector At = middleOf(Face, I, J, From.T.Width);
        double Distance = 0;
        for (unsigned N = 0; N != 3; ++N)
          Distance += (At[N] - To[N]) * (At[N] - To[N]);
        if (Distance < Least) {
          Least = Distance;
          Value = From.value(I, J, First + Face, C);
        }
      }
  return Value;
}

/// The texel I, J of a face, which may be one beyond its edges.
double acrossEdge(const Table &From, long First, long Face, long I, long J,
                  unsigned C) {
  long Size = From.T.Width;
  auto Inside = [Size](long K) { return std::clamp(K, 0L, Size - 1); };
  if (I != Inside(I) && J != Inside(J))
    return (From.value(Inside(I), Inside(J), First + Face, C) +
            acrossEdge(From, First, Face, I, Inside(J), C) +
            acrossEdge(From, First, Face, Inside(I), J, C)) /
           3;
  Vector At = middleOf(Face, I, J, Size);
  double Farthest = 1;
  for (double X : At)
    Farthest = std::max(Farthest, std::abs(X));
  for (double &X : At)
    X /= Farthest;
  return nearest(From, First, At, C);
}

Fetched fetchSeamless(const Table &From, long First, const Place &P) {
  Split A = split(P.S * From.T.Width), B = split(P.T * From.T.Width);
  Fetched F;
  F.IsExact = false;
  for (unsigned C = 0; C != From.T.Format.Components; ++C) {
    double Sum = 0;
    for (long I : {0, 1})
      for (long J : {0, 1}) {
        double Weight =
            (I ? A.Alpha : 1 - A.Alpha) * (J ? B.Alpha : 1 - B.Alpha);
        if (Weight != 0)
          Sum += Weight * acrossEdge(From, First, P.Face, A.I + I, B.I + J, C);
      }
    F.Bits[C] = std::bit_cast<uint32_t>(float(Sum));
  }
  return F;
}

Fetched fetch(const Table &From, long First, const Place &P) {
  if (From.T.IsSeamless && From.T.IsFiltered)
    return fetchSeamless(From, First, P);
  double X[3] = {P.S * From.T.Width, P.T * From.T.Width, 0.5};
  long Slice = First + P.Face;
  return From.T.IsFiltered ? fetchFiltered(From, X, &Slice)
                           : fetchNearest(From, X, &Slice);
}

class Cube : public Texture {};

INSTANTIATE_TEST_SUITE_P(Both, Cube, testing::Bool(), [](const auto &I) {
  return std::string(I.param ? "Timed" : "Functional");
});

/// Mostly near an edge, where two or three faces meet. No two coordinates have
/// the same magnitude, of which the guide's table says nothing.
Vector directionFor(TextureMaker &Make) {
  Vector D;
  for (double &X : D)
    X = (Make.below(2) ? 1 : -1) *
        float(Make.below(2) ? 990 + Make.below(21) : 1 + Make.below(1000)) / 8;
  if (std::abs(D[0]) == std::abs(D[1]) || std::abs(D[1]) == std::abs(D[2]) ||
      std::abs(D[0]) == std::abs(D[2]))
    return directionFor(Make);
  return D;
}

TEST_P(Cube, IsAsTheGuideSays) {
  unsigned Seamless = 0;
  for (unsigned Seed = 0; Seed != (GetParam() ? 40u : 300u); ++Seed) {
    const ShapeCase &Shape = CubeCases[Seed % 2];
    SCOPED_TRACE(std::string(Shape.Geometry) + ", seed " +
                 std::to_string(Seed));
    TextureMaker Make(Seed);
    TestProgram P(fetchKernel(fetchOf(Shape)));
    ASSERT_TRUE(P.P) << P.Error;
    Table From = Make.make(P.Memory, Shape);
    // Places on a face are from 0 to 1, whatever the texture says of its own.
    TextureDescription T = From.T;
    From.T.NormalisedCoordinates = true;
    T.IsSeamless = From.T.IsSeamless = Make.below(2);
    Seamless += T.IsSeamless && T.IsFiltered;
    std::vector<uint32_t> At(4 * 96);
    std::vector<Fetched> Expected;
    for (unsigned Thread = 0; Thread != 96; ++Thread) {
      unsigned Next = 4 * Thread;
      long Layer = 0, Layers = T.Depth / 6;
      if (Shape.HasLayers) {
        Layer = Make.below(unsigned(Layers) + 2);
        At[Next++] = uint32_t(Layer);
      }
      Vector D = directionFor(Make);
      for (double X : D)
        At[Next++] = std::bit_cast<uint32_t>(float(X));
      Expected.push_back(
          fetch(From, 6 * std::min(Layer, Layers - 1), placeOf(D)));
    }
    std::vector<uint32_t> Got = run(P, At, P.Memory.textures().add(T));
    ASSERT_EQ(Got.size(), At.size()) << Error;
    ASSERT_NO_FATAL_FAILURE(compareFetches(Got, Expected));
  }
  EXPECT_GT(Seamless, GetParam() ? 2u : 20u);
}

/// Directions that are none, and those between faces, end with some texel.
TEST_P(Cube, DirectionsThatTheTableDoesNotHave) {
  const float Infinite = std::numeric_limits<float>::infinity();
  const float Odd[] = {0,
                       -0.0f,
                       1,
                       -1,
                       Infinite,
                       -Infinite,
                       std::numeric_limits<float>::quiet_NaN()};
  for (bool IsSeamless : {false, true}) {
    TestProgram P(fetchKernel(fetchOf(CubeCases[0])));
    TextureDescription T;
    T.Shape = TextureShape::Cube;
    T.IsFiltered = true;
    T.IsSeamless = IsSeamless;
    T.Width = T.Height = 3;
    T.Depth = 6;
    T.RowBytes = 12;
    T.SliceBytes = 36;
    T.Base = P.upload(std::vector<float>(54, 2.5f));
    std::vector<uint32_t> At;
    for (float X : Odd)
      for (float Y : Odd)
        for (float Z : Odd)
          for (float Each : {X, Y, Z, 0.0f})
            At.push_back(std::bit_cast<uint32_t>(Each));
    std::vector<uint32_t> Got = run(P, At, P.Memory.textures().add(T));
    ASSERT_EQ(Got.size(), At.size()) << Error;
    for (unsigned N = 0; N != Got.size(); N += 4)
      EXPECT_FLOAT_EQ(std::bit_cast<float>(Got[N]), 2.5f) << N / 4;
  }
}

} // namespace
