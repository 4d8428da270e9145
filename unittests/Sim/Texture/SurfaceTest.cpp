//===- SurfaceTest.cpp - Surface loads and stores -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random accesses to surfaces, with timing and without, against a table of
/// bytes that each lane looks into after the other.
///
//===----------------------------------------------------------------------===//

#include "../Timing/TimingTest.h"

#include "gmock/gmock.h"

#include <array>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

namespace {

struct Geometry {
  const char *Name;
  TextureShape Shape;
  const char *Coordinates; ///< x is %r2, then %r3, %r4; layers %r5.
  bool HasRows, HasSlices, HasLayers;
};

const Geometry Geometries[] = {
    {"1d", TextureShape::OneD, "%r2", false, false, false},
    {"2d", TextureShape::TwoD, "%r2, %r3", true, false, false},
    {"3d", TextureShape::ThreeD, "%r2, %r3, %r4, %r4", true, true, false},
    {"a1d", TextureShape::OneDLayers, "%r5, %r2", false, false, true},
    {"a2d", TextureShape::TwoDLayers, "%r5, %r2, %r3, %r3", true, false, true},
};

struct Width {
  const char *Type;
  unsigned Bytes, Count;
  const char *Values; ///< What a thread loads or stores,
  const char *From;   ///< made of its four words %r6 to %r9,
  const char *To;     ///< and put back there.
};

const Width Widths[] = {
    {"b8", 1, 1, "{%rs1}", "cvt.u16.u32 %rs1, %r6;", "cvt.u32.u16 %r6, %rs1;"},
    {"b16", 2, 1, "{%rs1}", "cvt.u16.u32 %rs1, %r6;", "cvt.u32.u16 %r6, %rs1;"},
    {"b32", 4, 1, "{%r6}", "", ""},
    {"v2.b32", 4, 2, "{%r6, %r7}", "", ""},
    {"v4.b32", 4, 4, "{%r6, %r7, %r8, %r9}", "", ""},
    {"b64", 8, 1, "{%rd7}", "mov.b64 %rd7, {%r6, %r7};",
     "mov.b64 {%r6, %r7}, %rd7;"},
};

const char *const Edges[] = {"trap", "clamp", "zero"};

std::string kernelOf(const Geometry &G, const Width &W, const char *Edge,
                     bool Stores) {
  std::string At = std::string("[%rd3, {") + G.Coordinates + "}]";
  std::string Access =
      std::string(Stores ? "sust.b." : "suld.b.") + G.Name + "." + W.Type +
      "." + Edge + " " +
      (Stores ? At + ", " + W.Values : W.Values + (", " + At)) + ";\n";
  return std::string(Header) +
         ".visible .entry k(.param .u64 data, .param .u64 at, .param .u64 s)\n"
         "{\n.reg .b16 %rs<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
         "ld.param.u64 %rd1, [data];\nld.param.u64 %rd2, [at];\n"
         "ld.param.u64 %rd3, [s];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd4, %r1, 16;\nadd.s64 %rd5, %rd2, %rd4;\n"
         "add.s64 %rd6, %rd1, %rd4;\n"
         "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd5];\n"
         "ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd6];\n" +
         (Stores ? W.From + ("\n" + Access) : Access + W.To) +
         "\nst.global.v4.u32 [%rd6], {%r6, %r7, %r8, %r9};\nret;\n}\n";
}

class Surface : public testing::TestWithParam<bool> {
protected:
  bool run(TestProgram &P, const std::vector<uint64_t> &Arguments) {
    if (!GetParam()) {
      bool Ran = P.run("k", {1}, {32}, Arguments);
      Error = P.Error;
      return Ran;
    }
    auto Bytes = packArguments(*P.P->findKernel("k"), Arguments);
    TimedLaunchOptions Options;
    Options.RegsPerThread = 20;
    Result<TimingStats> S =
        machine(deviceNamed("gtx480"))
            ->run(*P.P, P.Memory, "k", {{1}, {32}, 0, *Bytes}, Options);
    if (!S)
      Error = S.error().str();
    return S.has_value();
  }

  std::string Error;
};

INSTANTIATE_TEST_SUITE_P(Both, Surface, testing::Bool(), [](const auto &I) {
  return std::string(I.param ? "Timed" : "Functional");
});

/// Between two texels beyond either end.
int within(std::mt19937 &Random, int Size, bool Trap) {
  return Trap ? int(Random() % unsigned(Size))
              : int(Random() % unsigned(Size + 4)) - 2;
}

/// Where a lane's bytes are in the table; -1: nowhere.
int placeOf(const std::array<int, 3> &At, const TextureDescription &T,
            int Bytes, bool Clamps) {
  std::array<int, 3> Most{int(T.RowBytes) - 16 - Bytes, int(T.Height) - 1,
                          int(T.Depth) - 1};
  int Place = 0;
  const int Steps[3] = {1, int(T.RowBytes), int(T.SliceBytes)};
  for (unsigned N = 0; N != 3; ++N) {
    int I = At[N];
    if (Clamps)
      I = I < 0 ? 0 : I > Most[N] ? Most[N] : I;
    if (I < 0 || I > Most[N])
      return -1;
    Place += I * Steps[N];
  }
  return Place;
}

TEST_P(Surface, BytesAreWhereTheCoordinatesSay) {
  std::mt19937 Random(3);
  for (const Geometry &G : Geometries)
    for (const Width &W : Widths)
      for (const char *Edge : Edges)
        for (bool Stores : {false, true}) {
          SCOPED_TRACE(std::string(G.Name) + " " + W.Type + " " + Edge +
                       (Stores ? " stored" : " loaded"));
          TestProgram P(kernelOf(G, W, Edge, Stores));
          ASSERT_TRUE(P.P) << P.Error;
          TextureDescription T;
          T.IsSurface = true;
          T.Shape = G.Shape;
          T.Format = {TexelFormat::Unsigned, 32, 4};
          T.Width = 3;
          T.Height = G.HasRows ? 4 : 1;
          T.Depth = G.HasSlices || G.HasLayers ? 3 : 1;
          T.RowBytes = 16 * T.Width + 16;
          T.SliceBytes = T.RowBytes * T.Height;
          std::vector<uint8_t> Table(T.SliceBytes * T.Depth);
          for (uint8_t &B : Table)
            B = uint8_t(Random());
          T.Base = P.upload(Table);
          std::vector<uint32_t> Data(128), At(128);
          for (uint32_t &D : Data)
            D = uint32_t(Random());
          std::vector<uint32_t> Expected = Data;
          int Bytes = int(W.Bytes * W.Count);
          bool Trap = Edge == Edges[0];
          for (unsigned L = 0; L != 32; ++L) {
            std::array<int, 3> Place{Bytes * within(Random, 48 / Bytes, Trap),
                                     G.HasRows ? within(Random, 4, Trap) : 0,
                                     T.Depth > 1 ? within(Random, 3, Trap) : 0};
            for (unsigned N = 0; N != 3; ++N)
              At[4 * L + N] = uint32_t(Place[N]);
            At[4 * L + 3] = uint32_t(Place[2]);
            int I = placeOf(Place, T, Bytes, Edge == Edges[1]);
            auto *Lane = reinterpret_cast<uint8_t *>(&Expected[4 * L]);
            if (Stores && I >= 0)
              std::copy_n(Lane, Bytes, Table.begin() + I);
            if (Stores)
              continue;
            std::fill_n(Lane, std::max(Bytes, 4), 0);
            if (I >= 0)
              std::copy_n(Table.begin() + I, Bytes, Lane);
          }
          uint64_t Where = P.upload(Data);
          ASSERT_TRUE(run(P, {Where, P.upload(At), P.Memory.textures().add(T)}))
              << Error;
          EXPECT_EQ(P.download<uint32_t>(Where, 128), Expected);
          EXPECT_EQ(P.download<uint8_t>(T.Base, Table.size()), Table);
        }
}

TEST_P(Surface, WhatIsWrong) {
  TextureDescription T;
  T.IsSurface = true;
  T.Shape = TextureShape::TwoD;
  T.Width = T.Height = 8;
  T.RowBytes = 32;
  struct Case {
    uint32_t X, Y;
    bool IsSurface;
    const char *Says;
  };
  for (const Case &C :
       {Case{32, 0, true,
             "is beyond the edge: there are 32 bytes in a row, 8 "
             "rows, 1 slices"},
        Case{0, 8, true, "is beyond the edge"},
        Case{uint32_t(-4), 0, true, "is beyond the edge"},
        Case{6, 0, true, "misaligned"},
        Case{0, 0, false,
             "which is a 2D texture; the instruction is for a 2D "
             "surface"}}) {
    TestProgram P(kernelOf(Geometries[1], Widths[2], "trap", true));
    T.IsSurface = C.IsSurface;
    T.Base = P.Memory.allocate(256);
    std::vector<uint32_t> At(128);
    At[4 * 5] = C.X;
    At[4 * 5 + 1] = C.Y;
    uint64_t Data = P.upload(std::vector<uint32_t>(128));
    EXPECT_FALSE(run(P, {Data, P.upload(At), P.Memory.textures().add(T)}));
    EXPECT_THAT(Error, HasSubstr(C.Says));
    EXPECT_THAT(Error, HasSubstr(C.IsSurface ? "lane 5" : "lane 0"));
  }
}

TEST(SurfaceText, WhatIsRefused) {
  auto ErrorOf = [](const std::string &Access) {
    return TestProgram(std::string(Header) +
                       ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 "
                       "%rd<3>;\n" +
                       Access + "\nret;\n}\n")
        .Error;
  };
  EXPECT_THAT(ErrorOf("suld.p.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}];"),
              HasSubstr("by bytes"));
  EXPECT_THAT(ErrorOf("suld.b.2d.b32 {%r1}, [%rd1, {%r2, %r3}];"),
              HasSubstr(".trap, .clamp or .zero"));
  EXPECT_THAT(ErrorOf("suld.b.2d.v2.b32.trap {%r1}, [%rd1, {%r2, %r3}];"),
              HasSubstr("does not fit"));
  EXPECT_THAT(ErrorOf("sust.b.2d.b32.trap [%rd1, {%r2}], {%r1};"),
              HasSubstr("2 coordinates, 1 are given"));
}

} // namespace
