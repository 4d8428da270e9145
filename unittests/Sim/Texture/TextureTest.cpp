//===- TextureTest.cpp - Texture fetches ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random textures and coordinates, with timing and without, against a fetch
/// that is written down as the programming guide's appendix says it: a table
/// that goes on for ever in all directions, and its formulas.
///
//===----------------------------------------------------------------------===//

#include "../Timing/TimingTest.h"
#include "Texture/TextureFetch.h"

#include "gmock/gmock.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

namespace {

//===----------------------------------------------------------------------===//
// The guide's fetch
//===----------------------------------------------------------------------===//

/// Texels in any dimension, all components as numbers.
struct Table {
  TextureDescription T;
  std::vector<double> Values; ///< By slice, row, texel and component.
  std::vector<uint32_t> Bits; ///< The same as a fetch of the type has them.

  static bool isOutside(long &I, long N, TextureAddressing How) {
    while (I < 0 || I >= N)
      switch (How) {
      case TextureAddressing::Wrap:
        I += I < 0 ? N : -N;
        break;
      case TextureAddressing::Mirror:
        I = I < 0 ? -1 - I : 2 * N - 1 - I;
        break;
      case TextureAddressing::Clamp:
        I = I < 0 ? 0 : N - 1;
        break;
      case TextureAddressing::Border:
        return true;
      }
    return false;
  }

  /// Index into Values of the first component; -1: the border.
  long place(long I, long J, long K) const {
    auto How = [&](unsigned N) {
      bool Repeats = T.Addressing[N] == TextureAddressing::Wrap ||
                     T.Addressing[N] == TextureAddressing::Mirror;
      return Repeats && !T.NormalisedCoordinates ? TextureAddressing::Clamp
                                                 : T.Addressing[N];
    };
    if (isOutside(I, T.Width, How(0)) || isOutside(J, T.Height, How(1)) ||
        isOutside(K, T.Depth, How(2)))
      return -1;
    return ((K * T.Height + J) * T.Width + I) * T.Format.Components;
  }

  double value(long I, long J, long K, unsigned C) const {
    long At = place(I, J, K);
    return At < 0 ? T.Border[C] : Values[At + C];
  }

  uint32_t bits(long I, long J, long K, unsigned C) const {
    long At = place(I, J, K);
    if (At >= 0 && !T.ReadsNormalised)
      return Bits[At + C];
    if (At >= 0 || T.ReadsNormalised || T.Format.Of == TexelFormat::Float)
      return std::bit_cast<uint32_t>(float(value(I, J, K, C)));
    return uint32_t(int32_t(T.Border[C]));
  }
};

/// i and the weight of T[i+1], in 256ths.
struct Split {
  long I;
  double Alpha;
};

Split split(double X) {
  double B = X - 0.5;
  long I = long(std::floor(B));
  return {I, std::round((B - I) * 256) / 256};
}

/// A lane's four components. Coordinates of dimensions that there are not are
/// 0.5, so that nothing depends on them.
struct Fetched {
  bool IsExact = true;
  uint32_t Bits[4] = {};
};

Fetched fetchFiltered(const Table &From, const double *X, const long *Layer) {
  Split A = split(X[0]), B = split(X[1]), G = split(X[2]);
  Fetched F;
  F.IsExact = false;
  for (unsigned C = 0; C != From.T.Format.Components; ++C) {
    auto Line = [&](long J, long K) {
      return (1 - A.Alpha) * From.value(A.I, J, K, C) +
             (A.Alpha ? A.Alpha * From.value(A.I + 1, J, K, C) : 0);
    };
    auto Plane = [&](long K) {
      return (1 - B.Alpha) * Line(B.I, K) +
             (B.Alpha ? B.Alpha * Line(B.I + 1, K) : 0);
    };
    double V = Layer ? Plane(*Layer)
                     : (1 - G.Alpha) * Plane(G.I) +
                           (G.Alpha ? G.Alpha * Plane(G.I + 1) : 0);
    F.Bits[C] = std::bit_cast<uint32_t>(float(V));
  }
  return F;
}

Fetched fetchNearest(const Table &From, const double *X, const long *Layer) {
  Fetched F;
  for (unsigned C = 0; C != From.T.Format.Components; ++C)
    F.Bits[C] = From.bits(long(std::floor(X[0])), long(std::floor(X[1])),
                          Layer ? *Layer : long(std::floor(X[2])), C);
  return F;
}

//===----------------------------------------------------------------------===//
// Random textures
//===----------------------------------------------------------------------===//

struct ShapeCase {
  TextureShape Shape;
  const char *Geometry;
  unsigned Dimensions;
  bool HasLayers;
};

const ShapeCase ShapeCases[] = {
    {TextureShape::OneD, "1d", 1, false},
    {TextureShape::TwoD, "2d", 2, false},
    {TextureShape::ThreeD, "3d", 3, false},
    {TextureShape::OneDLayers, "a1d", 1, true},
    {TextureShape::TwoDLayers, "a2d", 2, true},
};

class TextureMaker {
public:
  explicit TextureMaker(unsigned Seed) : Random(Seed) {}

  unsigned below(unsigned N) { return unsigned(Random() % N); }

  /// Puts the texels into \p M.
  Table make(GlobalMemory &M, const ShapeCase &Shape) {
    Table From;
    TextureDescription &T = From.T;
    T.Shape = Shape.Shape;
    chooseFormat(T);
    T.Width = 1 + below(9);
    T.Height = Shape.Dimensions > 1 ? 1 + below(6) : 1;
    T.Depth = Shape.Dimensions > 2 || Shape.HasLayers ? 1 + below(5) : 1;
    T.RowBytes = T.Width * T.Format.bytes() + 16 * below(3);
    T.SliceBytes = T.RowBytes * T.Height + 32 * below(2);
    // A little more than dimensions that there are.
    for (TextureAddressing &A : T.Addressing)
      A = TextureAddressing(below(4));
    if (Shape.Dimensions < 3)
      T.Addressing[2] = TextureAddressing::Clamp;
    if (Shape.Dimensions < 2)
      T.Addressing[1] = TextureAddressing::Clamp;
    T.NormalisedCoordinates = below(2);
    for (float &B : T.Border)
      B = float(below(100));
    T.Base = M.allocate(T.SliceBytes * T.Depth);
    for (unsigned K = 0; K != T.Depth; ++K)
      for (unsigned J = 0; J != T.Height; ++J)
        for (unsigned I = 0; I != T.Width * T.Format.Components; ++I)
          put(M, From,
              T.Base + K * T.SliceBytes + J * T.RowBytes +
                  I * T.Format.Bits / 8);
    return From;
  }

private:
  void chooseFormat(TextureDescription &T) {
    constexpr uint8_t Sizes[] = {8, 16, 32};
    constexpr uint8_t Counts[] = {1, 2, 4};
    T.Format.Of = TexelFormat::Kind(below(3));
    T.Format.Bits =
        Sizes[T.Format.Of == TexelFormat::Float ? 1 + below(2) : below(3)];
    T.Format.Components = Counts[below(3)];
    bool IsFloat = T.Format.Of == TexelFormat::Float;
    T.ReadsNormalised = !IsFloat && T.Format.Bits != 32 && below(2);
    T.IsFiltered = (IsFloat || T.ReadsNormalised) && below(2);
  }

  void put(GlobalMemory &M, Table &To, uint64_t Address) {
    const TexelFormat &F = To.T.Format;
    if (F.Of == TexelFormat::Float) {
      // Small numbers, which half precision has as well.
      int Eighths = int(below(4001)) - 2000;
      float Value = float(Eighths) / 8;
      To.Values.push_back(Value);
      To.Bits.push_back(std::bit_cast<uint32_t>(Value));
      if (F.Bits == 32) {
        M.write(Address, &Value, 4);
        return;
      }
      uint16_t Half = halfOf(Eighths);
      M.write(Address, &Half, 2);
      return;
    }
    uint32_t Raw = uint32_t(Random());
    if (below(8) == 0)
      Raw = below(2) ? 0x80808080u << (F.Bits - 8) : ~0u;
    M.write(Address, &Raw, F.Bits / 8);
    int64_t Value = F.Bits == 32 ? int64_t(Raw) : Raw & ((1u << F.Bits) - 1);
    int64_t Half = int64_t(1) << (F.Bits - 1);
    if (F.Of == TexelFormat::Signed && Value >= Half)
      Value -= 2 * Half;
    To.Bits.push_back(uint32_t(Value));
    double Most = double(F.Of == TexelFormat::Signed ? Half - 1 : 2 * Half - 1);
    double Part = double(Value) / Most;
    To.Values.push_back(To.T.ReadsNormalised ? std::max(Part, -1.0)
                                             : double(Value));
  }

  /// Of a number of eighths, at most 2,000: 11 bits.
  static uint16_t halfOf(int Eighths) {
    unsigned Rest = unsigned(std::abs(Eighths)), Exponent = 22;
    if (!Rest)
      return 0;
    for (; Rest < 1024; Rest *= 2)
      --Exponent;
    return uint16_t((Eighths < 0) << 15 | Exponent << 10 | (Rest & 1023));
  }

  std::mt19937_64 Random;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Each thread fetches at its four words of `at` and leaves four in `to`.
std::string fetchKernel(const std::string &Fetch) {
  return std::string(Header) +
         ".visible .entry k(.param .u64 to, .param .u64 at, .param .u64 tex)\n"
         "{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [at];\n"
         "ld.param.u64 %rd3, [tex];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd4, %r1, 16;\nadd.s64 %rd5, %rd2, %rd4;\n"
         "add.s64 %rd6, %rd1, %rd4;\n"
         "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd5];\n" +
         Fetch + "\nst.global.v4.u32 [%rd6], {%r6, %r7, %r8, %r9};\nret;\n}\n";
}

std::string fetchOf(const ShapeCase &S, const char *Coordinates = "f32") {
  std::string Text = std::string("tex.") + S.Geometry + ".v4.f32." +
                     Coordinates + " {%r6, %r7, %r8, %r9}, [%rd3, {";
  const char *Lists[] = {"%r2", "%r2, %r3", "%r2, %r3, %r4, %r4"};
  return Text + Lists[S.Dimensions - 1 + S.HasLayers] + "}];";
}

class Texture : public testing::TestWithParam<bool> {
protected:
  /// What the threads leave; empty if the kernel fails, with Error.
  std::vector<uint32_t> run(TestProgram &P, const std::vector<uint32_t> &At,
                            uint64_t Handle) {
    uint64_t To = P.upload(std::vector<uint32_t>(At.size(), 0xAAAAAAAA));
    std::vector<uint64_t> Arguments{To, P.upload(At), Handle};
    unsigned Threads = unsigned(At.size() / 4);
    if (GetParam()) {
      auto Bytes = packArguments(*P.P->findKernel("k"), Arguments);
      TimedLaunchOptions Options;
      Options.RegsPerThread = 20;
      Result<TimingStats> S =
          machine(deviceNamed("gtx480"))
              ->run(*P.P, P.Memory, "k", {{1}, {Threads}, 0, *Bytes}, Options);
      if (!S) {
        Error = S.error().str();
        return {};
      }
      Stats = *S;
    } else if (!P.run("k", {1}, {Threads}, Arguments)) {
      Error = P.Error;
      return {};
    }
    return P.download<uint32_t>(To, At.size());
  }

  std::string Error;
  TimingStats Stats;
};

INSTANTIATE_TEST_SUITE_P(Both, Texture, testing::Bool(), [](const auto &I) {
  return std::string(I.param ? "Timed" : "Functional");
});

/// Far enough outside for several turns of a wrap, and in steps that are exact
/// in every way to compute with them.
float coordinateFor(TextureMaker &Make, const TextureDescription &T,
                    uint32_t Size) {
  int Steps = int(Make.below(4096)) - 2048;
  return T.NormalisedCoordinates ? float(Steps) / 1024
                                 : float(Steps) / 2048 * float(2 * Size);
}

TEST_P(Texture, IsAsTheGuideSays) {
  for (unsigned Seed = 0; Seed != (GetParam() ? 60u : 400u); ++Seed) {
    const ShapeCase &Shape = ShapeCases[Seed % std::size(ShapeCases)];
    SCOPED_TRACE(std::string(Shape.Geometry) + ", seed " +
                 std::to_string(Seed));
    TextureMaker Make(Seed);
    TestProgram P(fetchKernel(fetchOf(Shape)));
    ASSERT_TRUE(P.P) << P.Error;
    Table From = Make.make(P.Memory, Shape);
    const TextureDescription &T = From.T;
    const uint32_t Sizes[] = {T.Width, T.Height, T.Depth};
    std::vector<uint32_t> At(4 * 96);
    std::vector<Fetched> Expected;
    for (unsigned Thread = 0; Thread != 96; ++Thread) {
      double X[3] = {0.5, 0.5, 0.5};
      unsigned Next = 4 * Thread;
      long Layer = Make.below(T.Depth + 2);
      if (Shape.HasLayers)
        At[Next++] = uint32_t(Layer);
      Layer = std::min<long>(Layer, T.Depth - 1);
      for (unsigned N = 0; N != Shape.Dimensions; ++N) {
        float C = coordinateFor(Make, T, Sizes[N]);
        At[Next++] = std::bit_cast<uint32_t>(C);
        // A mirror turns the coordinate, which shows between two texels.
        if (T.NormalisedCoordinates &&
            T.Addressing[N] == TextureAddressing::Mirror)
          while (C < 0 || C > 1)
            C = C < 0 ? -C : 2 - C;
        X[N] = T.NormalisedCoordinates ? double(C) * Sizes[N] : double(C);
      }
      const long *OfLayer = Shape.HasLayers ? &Layer : nullptr;
      Expected.push_back(T.IsFiltered ? fetchFiltered(From, X, OfLayer)
                                      : fetchNearest(From, X, OfLayer));
    }
    std::vector<uint32_t> Got = run(P, At, P.Memory.textures().add(T));
    ASSERT_EQ(Got.size(), At.size()) << Error;
    for (unsigned N = 0; N != Got.size(); ++N) {
      const Fetched &E = Expected[N / 4];
      SCOPED_TRACE("thread " + std::to_string(N / 4) + ", component " +
                   std::to_string(N % 4));
      if (E.IsExact)
        ASSERT_EQ(Got[N], E.Bits[N % 4]);
      else
        ASSERT_FLOAT_EQ(std::bit_cast<float>(Got[N]),
                        std::bit_cast<float>(E.Bits[N % 4]));
    }
  }
}

/// A buffer by index: tex1Dfetch.
TEST_P(Texture, LinearMemoryIsReadByIndex) {
  TestProgram P(fetchKernel(fetchOf(ShapeCases[0], "s32")));
  TextureDescription T;
  T.Format = {TexelFormat::Signed, 16, 2};
  T.Base = P.upload(std::vector<int16_t>{1, -2, 3, -4, 5, -6});
  T.Width = 3;
  std::vector<uint32_t> At(4 * 32), Expected;
  for (int Thread = 0; Thread != 32; ++Thread) {
    int Index = Thread - 8;
    At[4 * Thread] = uint32_t(Index);
    int Clamped = std::min(std::max(Index, 0), 2);
    Expected.insert(Expected.end(), {uint32_t(2 * Clamped + 1),
                                     uint32_t(-2 * Clamped - 2), 0, 0});
  }
  EXPECT_EQ(run(P, At, P.Memory.textures().add(T)), Expected) << Error;
  T.Addressing[0] = TextureAddressing::Border;
  for (unsigned Thread = 0; Thread != 32; ++Thread)
    if (Thread < 8 || Thread > 10)
      Expected[4 * Thread] = Expected[4 * Thread + 1] = 0;
  EXPECT_EQ(run(P, At, P.Memory.textures().add(T)), Expected) << Error;
}

TEST_P(Texture, GatherHasOneComponentOfFour) {
  TestProgram P(fetchKernel(
      "tld4.g.2d.v4.u32.f32 {%r6, %r7, %r8, %r9}, [%rd3, {%r2, %r3}];"));
  ASSERT_TRUE(P.P) << P.Error;
  TextureDescription T;
  T.Shape = TextureShape::TwoD;
  T.Format = {TexelFormat::Unsigned, 8, 2};
  // Texel (i, j) has the green component 10 j + i.
  std::vector<uint8_t> Texels;
  for (unsigned J = 0; J != 4; ++J)
    for (unsigned I = 0; I != 4; ++I)
      Texels.insert(Texels.end(), {uint8_t(99), uint8_t(10 * J + I)});
  T.Base = P.upload(Texels);
  T.Width = T.Height = 4;
  T.RowBytes = 8;
  std::vector<uint32_t> At(4 * 32);
  for (unsigned Thread = 0; Thread != 32; ++Thread) {
    At[4 * Thread] = std::bit_cast<uint32_t>(2.0f);
    At[4 * Thread + 1] = std::bit_cast<uint32_t>(1.75f);
  }
  std::vector<uint32_t> Got = run(P, At, P.Memory.textures().add(T));
  ASSERT_EQ(Got.size(), At.size()) << Error;
  EXPECT_THAT(std::vector<uint32_t>(Got.begin(), Got.begin() + 4),
              testing::ElementsAre(21, 22, 12, 11));
}

TEST_P(Texture, LevelsAndGradientsAreReadAndChangeNothing) {
  for (const char *Fetch :
       {"tex.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}, [%rd3, {%r2, %r3}];",
        "tex.level.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}, [%rd3, {%r2, %r3}], "
        "%r4;",
        "tex.grad.2d.v4.f32.f32 {%r6, %r7, %r8, %r9}, [%rd3, {%r2, %r3}], "
        "{%r4, %r5}, {%r5, %r4};"}) {
    TestProgram P(fetchKernel(Fetch));
    ASSERT_TRUE(P.P) << P.Error;
    TextureDescription T;
    T.Shape = TextureShape::TwoD;
    T.Base = P.upload(std::vector<float>{1, 2, 3, 4});
    T.Width = T.Height = 2;
    T.RowBytes = 8;
    T.IsFiltered = true;
    std::vector<uint32_t> At(4 * 32, std::bit_cast<uint32_t>(1.25f));
    std::vector<uint32_t> Got = run(P, At, P.Memory.textures().add(T));
    ASSERT_EQ(Got.size(), At.size()) << Error;
    // Weights of a quarter and three, both ways.
    EXPECT_EQ(std::bit_cast<float>(Got[0]), 3.25f);
  }
}

TEST_P(Texture, HandlesThatAreNoTexture) {
  std::vector<uint32_t> At(4 * 32);
  {
    TestProgram P(fetchKernel(fetchOf(ShapeCases[1])));
    EXPECT_TRUE(run(P, At, 7).empty());
    EXPECT_THAT(Error, HasSubstr("texture fetch through the handle 7, which is "
                                 "no texture or surface object"));
  }
  TextureDescription T;
  T.Shape = TextureShape::ThreeD;
  for (bool IsFreed : {false, true}) {
    TestProgram P(fetchKernel(fetchOf(ShapeCases[IsFreed ? 2 : 1])));
    T.Base = P.upload(std::vector<float>(64));
    uint64_t Handle = P.Memory.textures().add(T);
    if (IsFreed)
      P.Memory.free(T.Base);
    EXPECT_TRUE(run(P, At, Handle).empty());
    EXPECT_THAT(Error,
                HasSubstr(IsFreed ? "use of freed memory"
                                  : "which is a 3D texture; the instruction "
                                    "is for a 2D texture by coordinates"));
    if (!IsFreed)
      continue;
    P.Memory.textures().remove(Handle);
    EXPECT_TRUE(run(P, At, Handle).empty());
    EXPECT_THAT(Error, HasSubstr("no texture or surface object"));
  }
}

TEST(TextureText, WhatIsRefused) {
  auto ErrorOf = [](const std::string &Fetch) {
    return TestProgram(fetchKernel(Fetch)).Error;
  };
  const std::string To = " {%r6, %r7, %r8, %r9}, ";
  EXPECT_THAT(ErrorOf("tex.cube.v4.f32.f32" + To + "[%rd3, {%r2, %r3, %r4}];"),
              HasSubstr("cube maps"));
  EXPECT_THAT(ErrorOf("tex.2d.v4.f32.f32" + To + "[%rd3, {%r2}];"),
              HasSubstr("2 coordinates, 1 are given"));
  EXPECT_THAT(ErrorOf("tex.2d.v4.f32.f64" + To + "[%rd3, {%r2, %r3}];"),
              HasSubstr("coordinates are .f32 or .s32"));
  EXPECT_THAT(ErrorOf("tex.2d.f32.f32 %r6, [%rd3, {%r2, %r3}];"),
              HasSubstr("four results"));
  EXPECT_THAT(ErrorOf("ld.global.u32 %r6, [%rd3, {%r2}];"),
              HasSubstr("only texture fetches take coordinates"));
  EXPECT_THAT(ErrorOf("tex.2d.v4.f32.f32" + To + "[%rd3];"),
              HasSubstr("[object, {coordinates}]"));
  EXPECT_THAT(ErrorOf("tld4.2d.v4.f32.f32" + To + "[%rd3, {%r2, %r3}];"),
              HasSubstr("names a component"));
}

/// The addresses of a slice in the order of its bytes: block after block, in
/// each its groups from top to bottom, in these sectors of two rows in a Z.
std::map<uint64_t, std::pair<uint64_t, uint64_t>>
walkBlocks(uint64_t RowBytes, uint64_t Rows, uint64_t BlockRows) {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> Places;
  uint64_t Address = 0;
  for (uint64_t Top = 0; Top < Rows; Top += BlockRows)
    for (uint64_t Left = 0; Left < RowBytes; Left += 64)
      for (uint64_t Y = Top; Y != Top + BlockRows; Y += 8)
        for (uint64_t Half = 0; Half != 64; Half += 32)
          for (uint64_t Pair = 0; Pair != 8; Pair += 2)
            for (uint64_t Sector = 0; Sector != 32; Sector += 16)
              for (uint64_t Row = 0; Row != 2; ++Row)
                for (uint64_t Byte = 0; Byte != 16; ++Byte)
                  Places[Address++] = {Left + Half + Sector + Byte,
                                       Y + Pair + Row};
  return Places;
}

TEST(TextureBlocks, AnArrayLiesInBlocks) {
  for (auto [RowBytes, Height] :
       {std::pair(64u, 2u), {64, 8}, {192, 9}, {128, 100}, {256, 300}}) {
    TextureDescription T;
    T.Shape = TextureShape::ThreeD;
    T.Base = 1 << 20;
    T.RowBytes = RowBytes;
    T.Height = Height;
    T.Depth = 2;
    T.SliceBytes = uint64_t(RowBytes) * Height;
    EXPECT_EQ(addressInBlocks(T, T.Base + 5), T.Base + 5) << "no array";
    T.BlockLines = blockLinesFor(Height);
    uint64_t Each = T.BlockLines * 8ull;
    EXPECT_TRUE(Each == 128 || (Each >= Height && Each < 2 * Height + 8));
    auto Places = walkBlocks(RowBytes, Height, Each);
    ASSERT_EQ(Places.size(), RowBytes * rowsInBlocks(Height, T.BlockLines));
    for (unsigned Slice = 0; Slice != 2; ++Slice)
      for (auto [Offset, Place] : Places)
        if (Place.second < Height)
          ASSERT_EQ(addressInBlocks(T, T.Base + Slice * T.SliceBytes +
                                           Place.second * RowBytes +
                                           Place.first),
                    T.Base + Slice * Places.size() + Offset)
              << Place.first << " " << Place.second;
  }
}

/// A column of an array has four rows in a line, one of memory has one.
TEST(TextureTiming, ArraysLieInBlocks) {
  for (bool IsArray : {false, true}) {
    TestProgram P(fetchKernel(fetchOf(ShapeCases[1])));
    TextureDescription T;
    T.Shape = TextureShape::TwoD;
    T.Base = P.Memory.allocate(64 * 64 * 4);
    T.Width = T.Height = 64;
    T.RowBytes = 256;
    T.SliceBytes = 64 * 256;
    T.BlockLines = IsArray ? blockLinesFor(64) : 0;
    std::vector<uint32_t> At(4 * 32);
    for (unsigned Thread = 0; Thread != 32; ++Thread) {
      At[4 * Thread] = std::bit_cast<uint32_t>(3.5f);
      At[4 * Thread + 1] = std::bit_cast<uint32_t>(float(Thread) + 0.5f);
    }
    uint64_t Handle = P.Memory.textures().add(T);
    uint64_t To = P.upload(std::vector<uint32_t>(128)), From = P.upload(At);
    TimingStats S = runTimed(*machine(deviceNamed("gv100")), P, "k", {1}, {32},
                             {To, From, Handle});
    EXPECT_EQ(S.LoadStore.Transactions, (IsArray ? 8u : 32u) + 8);
  }
}

/// A fetch costs the lines that its texels lie in.
TEST(TextureTiming, TexelsAreReadAsALoadWould) {
  struct Case {
    bool IsFiltered;
    float Step, Row;
    unsigned Lines; ///< Of 128 bytes; a row has two.
  };
  for (const Case &C :
       {Case{false, 1, 0.5, 1}, Case{false, 2, 0.5, 2}, Case{true, 1, 0.5, 1},
        Case{true, 1, 1, 2}, Case{true, 2, 1, 4}, Case{false, 0, 3.5, 1}}) {
    TestProgram P(fetchKernel(fetchOf(ShapeCases[1])));
    TextureDescription T;
    T.Shape = TextureShape::TwoD;
    T.Base = P.Memory.allocate(64 * 64 * 4);
    T.Width = T.Height = 64;
    T.RowBytes = 256;
    T.IsFiltered = C.IsFiltered;
    std::vector<uint32_t> At(4 * 32);
    for (unsigned Thread = 0; Thread != 32; ++Thread) {
      At[4 * Thread] = std::bit_cast<uint32_t>(float(Thread) * C.Step + 0.5f);
      At[4 * Thread + 1] = std::bit_cast<uint32_t>(C.Row);
    }
    uint64_t Handle = P.Memory.textures().add(T);
    uint64_t To = P.upload(std::vector<uint32_t>(128)), From = P.upload(At);
    TimingStats S = runTimed(*machine(deviceNamed("gtx480")), P, "k", {1}, {32},
                             {To, From, Handle});
    // Four lines each for the coordinates and the results.
    EXPECT_EQ(S.LoadStore.Transactions, C.Lines + 8)
        << C.IsFiltered << " " << C.Step << " " << C.Row;
  }
}

} // namespace
