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

#include "TextureTest.h"

#include "Texture/TextureFetch.h"

#include "gmock/gmock.h"

#include <map>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;
namespace {

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
    ASSERT_NO_FATAL_FAILURE(compareFetches(Got, Expected));
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
  EXPECT_THAT(ErrorOf("tex.2dms.v4.f32.f32" + To + "[%rd3, {%r2, %r3, %r4}];"),
              HasSubstr("multisampled ones are not"));
  EXPECT_THAT(ErrorOf("tex.cube.v4.f32.s32" + To + "[%rd3, {%r2, %r3, %r4}];"),
              HasSubstr("the direction of a fetch from a cube is .f32"));
  EXPECT_THAT(ErrorOf("suld.b.cube.b32.trap {%r6}, [%rd3, {%r2, %r3, %r4}];"),
              HasSubstr("layers of a surface: .a2d"));
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
