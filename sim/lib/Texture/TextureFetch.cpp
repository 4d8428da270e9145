//===- TextureFetch.cpp - One lane's texture fetch ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextureFetch.h"

#include "CubeMap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace regshare::sim {

std::string_view textureShapeName(TextureShape S) {
  switch (S) {
  case TextureShape::Linear:
    return "linear";
  case TextureShape::OneD:
    return "1D";
  case TextureShape::TwoD:
    return "2D";
  case TextureShape::ThreeD:
    return "3D";
  case TextureShape::OneDLayers:
    return "layered 1D";
  case TextureShape::TwoDLayers:
    return "layered 2D";
  case TextureShape::Cube:
    return "cube";
  case TextureShape::CubeLayers:
    return "layered cube";
  }
  return "";
}

bool canFetch(const TextureDescription &T, const TextureOp &Op) {
  if (T.IsSurface != Op.IsSurface)
    return false;
  if (T.Shape == TextureShape::Linear)
    return Op.Shape == TextureShape::OneD && Op.HasIndices;
  return T.Shape == Op.Shape;
}

namespace {
/// Where coordinates count from here on, so that nothing overflows.
constexpr double Farthest = 1 << 30;
/// Weights have eight bits after the point.
constexpr double WeightSteps = 256;
constexpr int64_t Outside = -1;

/// The first of two texels along one dimension, and the second's weight.
struct Split {
  double Left, Weight;

  /// \p X in texels.
  explicit Split(double X)
      : Left(std::floor(X - 0.5)),
        Weight(std::floor((X - 0.5 - Left) * WeightSteps + 0.5) / WeightSteps) {
  }
};

/// The one or two texels along one dimension; Outside is the border.
struct Along {
  int64_t Index[2] = {};
  double Weight[2] = {1, 0};
};

class Dimension {
public:
  Dimension(const TextureDescription &T, unsigned N, uint32_t Size)
      : Size(Size), Filters(T.IsFiltered),
        // The places on a face go from 0 to 1, whatever the texture says.
        IsNormalised(T.NormalisedCoordinates || T.Shape == TextureShape::Cube ||
                     T.Shape == TextureShape::CubeLayers),
        How(T.Addressing[N]) {
    bool Repeats =
        How == TextureAddressing::Wrap || How == TextureAddressing::Mirror;
    if (Repeats && !IsNormalised)
      How = TextureAddressing::Clamp;
  }

  Along atIndex(int32_t I) const {
    Along A;
    A.Index[0] = inside(I);
    return A;
  }

  /// \p Both: as for a filter, whatever the texture says.
  Along at(double Coordinate, bool Both) const {
    double X = inTexels(Coordinate);
    Along A;
    if (!Filters && !Both) {
      A.Index[0] = inside(int64_t(std::floor(X)));
      return A;
    }
    Split Two(X);
    A.Index[0] = inside(int64_t(Two.Left));
    A.Index[1] = inside(int64_t(Two.Left) + 1);
    A.Weight[0] = 1 - Two.Weight;
    A.Weight[1] = Two.Weight;
    return A;
  }

private:
  double inTexels(double C) const {
    if (std::isnan(C))
      return 0;
    C = std::clamp(C, -Farthest, Farthest);
    if (!IsNormalised)
      return C;
    double Whole = std::floor(C);
    if (How == TextureAddressing::Wrap)
      C -= Whole;
    else if (How == TextureAddressing::Mirror)
      C = std::fmod(Whole, 2) == 0 ? C - Whole : 1 - (C - Whole);
    return std::clamp(C * Size, -Farthest, Farthest);
  }

  int64_t inside(int64_t I) const {
    int64_t N = Size;
    switch (How) {
    case TextureAddressing::Wrap:
      return ((I % N) + N) % N;
    case TextureAddressing::Mirror:
      I = ((I % (2 * N)) + 2 * N) % (2 * N);
      return std::min(I, 2 * N - 1 - I);
    case TextureAddressing::Border:
      return I < 0 || I >= N ? Outside : I;
    case TextureAddressing::Clamp:
      break;
    }
    return std::clamp<int64_t>(I, 0, N - 1);
  }

  uint32_t Size;
  bool Filters, IsNormalised;
  TextureAddressing How;
};
} // namespace

static unsigned numDimensions(TextureShape S) {
  switch (S) {
  case TextureShape::ThreeD:
    return 3;
  case TextureShape::TwoD:
  case TextureShape::TwoDLayers:
  case TextureShape::Cube: // on a face
  case TextureShape::CubeLayers:
    return 2;
  default:
    return 1;
  }
}

unsigned TextureOp::numCoordinates() const {
  return (isCube() ? 3 : numDimensions(Shape)) + hasLayers();
}

SurfacePlace findBytes(const TextureDescription &T, const TextureOp &Op,
                       const uint32_t *Coordinates, unsigned Bytes) {
  int64_t At[3] = {};
  if (Op.hasLayers())
    At[2] = int32_t(*Coordinates++);
  for (unsigned N = 0; N != numDimensions(Op.Shape); ++N)
    At[N] = int32_t(Coordinates[N]);
  const int64_t Most[3] = {int64_t(T.Width) * T.Format.bytes() - Bytes,
                           int64_t(T.Height) - 1, int64_t(T.Depth) - 1};
  SurfacePlace Place;
  for (unsigned N = 0; N != 3; ++N) {
    Place.IsInside &= At[N] >= 0 && At[N] <= Most[N];
    At[N] = std::clamp<int64_t>(At[N], 0, std::max<int64_t>(Most[N], 0));
  }
  // No surface is narrower than what a clamped access takes.
  Place.IsInside |= Op.Edge == SurfaceEdge::Clamp && Most[0] >= 0;
  Place.Address = T.Base + uint64_t(At[2]) * T.SliceBytes +
                  uint64_t(At[1]) * T.RowBytes + uint64_t(At[0]);
  return Place;
}

static uint64_t addressOf(const TextureDescription &T, int64_t X, int64_t Y,
                          int64_t Slice) {
  return T.Base + uint64_t(Slice) * T.SliceBytes + uint64_t(Y) * T.RowBytes +
         uint64_t(X) * T.Format.bytes();
}

/// The four texels around a place on a face whose cube begins at the slice
/// \p First. Beyond an edge is the texel of the next face; at a corner, where
/// none is, the mean of the three that meet there.
static TexelTaps findAcrossEdges(const TextureDescription &T,
                                 const CubePlace &Place, int64_t First) {
  const int64_t Size = T.Width;
  Split X(Place.At[0] * double(Size)), Y(Place.At[1] * double(Size));
  TexelTaps Taps;
  auto Add = [&](int64_t I, int64_t J, double Weight) {
    CubeTexel At = texelOnCube(Place.Face, I, J, Size);
    Taps.Taps[Taps.Count++] = {addressOf(T, At.X, At.Y, First + At.Face),
                               Weight};
  };
  for (unsigned K = 0; K != 4; ++K) {
    unsigned Right = K & 1, Below = K >> 1;
    double Weight =
        (Right ? X.Weight : 1 - X.Weight) * (Below ? Y.Weight : 1 - Y.Weight);
    if (Weight == 0)
      continue;
    int64_t I = int64_t(X.Left) + Right, J = int64_t(Y.Left) + Below;
    int64_t InsideI = std::clamp<int64_t>(I, 0, Size - 1);
    int64_t InsideJ = std::clamp<int64_t>(J, 0, Size - 1);
    if (I == InsideI || J == InsideJ) {
      Add(I, J, Weight);
      continue;
    }
    Add(InsideI, InsideJ, Weight / 3);
    Add(I, InsideJ, Weight / 3);
    Add(InsideI, J, Weight / 3);
  }
  return Taps;
}

TexelTaps findTexels(const TextureDescription &T, const TextureOp &Op,
                     const uint32_t *Coordinates) {
  int64_t Slice = 0;
  const uint32_t SlicesOfLayer = Op.isCube() ? CubeFaces : 1;
  if (Op.hasLayers())
    Slice = int64_t(std::min(*Coordinates++, T.Depth / SlicesOfLayer - 1)) *
            SlicesOfLayer;
  double At[3] = {};
  for (unsigned N = 0; N != Op.numCoordinates() - Op.hasLayers(); ++N)
    At[N] = std::bit_cast<float>(Coordinates[N]);
  if (Op.isCube()) {
    CubePlace Place = placeOnCube(At);
    if (T.IsSeamless && T.IsFiltered)
      return findAcrossEdges(T, Place, Slice);
    Slice += Place.Face;
    std::copy_n(Place.At, 2, At);
  }
  const uint32_t Sizes[3] = {T.Width, T.Height, T.Depth};
  Along In[3];
  bool Gathers = Op.Gather >= 0;
  for (unsigned N = 0; N != numDimensions(Op.Shape); ++N) {
    Dimension D(T, N, Sizes[N]);
    In[N] = Op.HasIndices ? D.atIndex(int32_t(Coordinates[N]))
                          : D.at(At[N], Gathers);
  }
  TexelTaps Taps;
  for (unsigned K = 0; K != 8; ++K) {
    unsigned X = K & 1, Y = K >> 1 & 1, Z = K >> 2;
    double Weight = In[0].Weight[X] * In[1].Weight[Y] * In[2].Weight[Z];
    // A gather delivers all four, however near they are.
    if (Gathers ? Z != 0 : Weight == 0)
      continue;
    int64_t I = In[0].Index[X], J = In[1].Index[Y], L = In[2].Index[Z];
    bool IsBorder = I == Outside || J == Outside || L == Outside;
    Taps.Taps[Taps.Count++] = {IsBorder ? 0 : addressOf(T, I, J, Slice + L),
                               Weight};
  }
  return Taps;
}

uint64_t addressInBlocks(const TextureDescription &T, uint64_t Address) {
  if (!T.BlockLines)
    return Address;
  uint64_t Offset = Address - T.Base;
  uint64_t Slice = Offset / T.SliceBytes, InSlice = Offset % T.SliceBytes;
  uint64_t X = InSlice % T.RowBytes, Y = InSlice / T.RowBytes;
  uint64_t PerRow = (T.RowBytes + BlockLineBytes - 1) / BlockLineBytes;
  uint64_t SliceInBlocks =
      PerRow * BlockLineBytes * rowsInBlocks(T.Height, T.BlockLines);
  uint64_t Line = Y / BlockLineRows;
  uint64_t Group =
      (Line / T.BlockLines * PerRow + X / BlockLineBytes) * T.BlockLines +
      Line % T.BlockLines;
  // Sectors of 16 bytes of two rows follow each other in the shape of a Z.
  uint64_t InGroup = X % 64 / 32 * 256 + Y % 8 / 2 * 64 + X % 32 / 16 * 32 +
                     Y % 2 * 16 + X % 16;
  return T.Base + Slice * SliceInBlocks +
         Group * BlockLineBytes * BlockLineRows + InGroup;
}

static float halfToFloat(uint16_t Bits) {
  constexpr int Infinite = 31, Bias = 25;
  int Exponent = Bits >> 10 & Infinite, Fraction = Bits & 0x3FF;
  float Value = Exponent == 0 ? std::ldexp(float(Fraction), 1 - Bias)
                : Exponent != Infinite
                    ? std::ldexp(float(Fraction | 0x400), Exponent - Bias)
                : Fraction ? std::numeric_limits<float>::quiet_NaN()
                           : std::numeric_limits<float>::infinity();
  return Bits & 0x8000 ? -Value : Value;
}

/// A component as it lies in memory, extended to 32 bits.
static uint32_t componentBits(const TexelFormat &F, const uint8_t *At) {
  uint32_t Bits = 0;
  std::memcpy(&Bits, At, F.Bits / 8);
  if (F.Of == TexelFormat::Float && F.Bits == 16)
    return std::bit_cast<uint32_t>(halfToFloat(uint16_t(Bits)));
  if (F.Of == TexelFormat::Signed)
    return uint32_t(int32_t(Bits << (32 - F.Bits)) >> (32 - F.Bits));
  return Bits;
}

/// What a float fetch sees of it.
static double valueOf(const TexelFormat &F, uint32_t Bits) {
  double Most = double((uint64_t(1) << F.Bits) - 1);
  switch (F.Of) {
  case TexelFormat::Float:
    return std::bit_cast<float>(Bits);
  case TexelFormat::Unsigned:
    return Bits / Most;
  case TexelFormat::Signed:
    break;
  }
  // The lowest number is as far from zero as the highest.
  return std::max(int32_t(Bits) / ((Most - 1) / 2), -1.0);
}

static uint32_t borderBits(const TextureDescription &T, unsigned Component) {
  float Value = T.Border[Component];
  if (T.Format.Of == TexelFormat::Float || T.ReadsNormalised)
    return std::bit_cast<uint32_t>(Value);
  return T.Format.Of == TexelFormat::Signed ? uint32_t(int32_t(Value))
                                            : uint32_t(Value);
}

namespace {
/// Reads the texels of one fetch.
class TexelReader {
public:
  TexelReader(const TextureDescription &T, uint64_t Delta)
      : T(T), Delta(Delta) {}

  uint32_t bits(uint64_t Address, unsigned Component) const {
    if (!Address)
      return borderBits(T, Component);
    uint32_t Bits = stored(Address, Component);
    if (!T.ReadsNormalised)
      return Bits;
    return std::bit_cast<uint32_t>(float(valueOf(T.Format, Bits)));
  }

  double value(uint64_t Address, unsigned Component) const {
    return Address ? valueOf(T.Format, stored(Address, Component))
                   : double(T.Border[Component]);
  }

private:
  uint32_t stored(uint64_t Address, unsigned Component) const {
    auto *At = reinterpret_cast<const uint8_t *>(Address + Delta);
    return componentBits(T.Format, At + Component * T.Format.Bits / 8);
  }

  const TextureDescription &T;
  uint64_t Delta;
};
} // namespace

void blendTexels(const TextureDescription &T, const TextureOp &Op,
                 const TexelTaps &Taps, uint64_t Delta, uint32_t *To) {
  TexelReader Read(T, Delta);
  std::fill_n(To, 4, 0);
  if (Op.Gather >= 0) {
    // Counter-clockwise from the lower left one.
    static constexpr unsigned Order[4] = {2, 3, 1, 0};
    for (unsigned K = 0; K != 4; ++K)
      if (Op.Gather < T.Format.Components)
        To[K] = Read.bits(Taps.Taps[Order[K]].Address, unsigned(Op.Gather));
    return;
  }
  for (unsigned C = 0; C != T.Format.Components; ++C) {
    if (Taps.Count == 1) {
      To[C] = Read.bits(Taps.Taps[0].Address, C);
      continue;
    }
    double Sum = 0;
    for (unsigned K = 0; K != Taps.Count; ++K)
      Sum += Taps.Taps[K].Weight * Read.value(Taps.Taps[K].Address, C);
    To[C] = std::bit_cast<uint32_t>(float(Sum));
  }
}

} // namespace regshare::sim
