//===- AccessPatternTest.cpp - Loads and stores of all kinds of warps -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <gmock/gmock.h>

#include <cstring>
#include <random>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned Places = 64;

struct AccessForm {
  const char *Suffix, *Registers;
  unsigned Bytes;
};

constexpr AccessForm Forms[] = {
    {"u8", "%r4", 1},
    {"s16", "%r4", 2},
    {"u32", "%r4", 4},
    {"u64", "%rd9", 8},
    {"v2.u32", "{%r4,%r5}", 8},
    {"v4.u32", "{%r4,%r5,%r6,%r7}", 16},
    {"v8.u32", "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}", 32},
    {"v2.u64", "{%rd9,%rd10}", 16}};

/// Each thread whose flag is set copies the place of From that its number names
/// to the place of To that its other number names.
std::string copyKernel(const AccessForm &F, const std::string &Space) {
  std::string Size = std::to_string(F.Bytes);
  std::string Text =
      std::string(Header) +
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c,\n"
      ".param .u64 from, .param .u64 to)\n{\n.reg .pred %p<3>;\n"
      ".reg .b32 %r<12>;\n.reg .b64 %rd<16>;\n"
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4;\n"
      "ld.param.u64 %rd2, [a]; ld.param.u64 %rd3, [b]; ld.param.u64 %rd4, "
      "[c];\nld.param.u64 %rd5, [from]; ld.param.u64 %rd6, [to];\n"
      "add.s64 %rd2, %rd2, %rd1; ld.global.u32 %r2, [%rd2];\n"
      "add.s64 %rd3, %rd3, %rd1; ld.global.u32 %r3, [%rd3];\n"
      "add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r8, [%rd4];\n"
      "setp.eq.u32 %p1, %r8, 0; @%p1 bra OUT;\n"
      "mul.wide.u32 %rd7, %r2, " +
      Size +
      "; add.s64 %rd7, %rd5, %rd7;\n"
      "mul.wide.u32 %rd8, %r3, " +
      Size + "; add.s64 %rd8, %rd6, %rd8;\n";
  return Text + "ld" + Space + "." + F.Suffix + " " + F.Registers +
         ", [%rd7];\nst" + Space + "." +
         (F.Bytes == 2 ? std::string("u16") : std::string(F.Suffix)) +
         " [%rd8], " + F.Registers + ";\nOUT: ret;\n}\n";
}

/// Numbers as warps have them: one, a row, or any, for each half of 16.
std::vector<uint32_t> randomPlaces(std::mt19937 &Random) {
  std::vector<uint32_t> Numbers(WarpSize);
  for (unsigned Half = 0; Half != 2; ++Half) {
    unsigned Kind = Random() % 4, Begin = Random() % (Places - 16);
    for (unsigned L = 0; L != 16; ++L)
      Numbers[16 * Half + L] = Kind == 0   ? Begin
                               : Kind == 1 ? Begin + L
                               : Kind == 2 ? Begin + 15 - L
                                           : Random() % Places;
  }
  return Numbers;
}

std::vector<uint32_t> randomFlags(std::mt19937 &Random) {
  std::vector<uint32_t> Flags(WarpSize, 1);
  unsigned Kind = Random() % 3;
  for (uint32_t &Each : Flags)
    Each = Kind == 0 || Random() % (Kind == 1 ? 2 : 8);
  return Flags;
}

TEST(SimAccessPattern, EqualsAWarpLaneByLane) {
  std::mt19937 Random(7);
  for (const AccessForm &F : Forms)
    for (std::string Space : {".global", ""}) {
      TestProgram T(copyKernel(F, Space));
      ASSERT_TRUE(T.P) << T.Error;
      std::vector<uint8_t> From(size_t(Places) * F.Bytes), To(From.size());
      for (uint8_t &Each : From)
        Each = uint8_t(Random());
      uint64_t Source = T.upload(From);
      for (unsigned Case = 0; Case != 60; ++Case) {
        std::vector<uint32_t> A = randomPlaces(Random),
                              B = randomPlaces(Random), C = randomFlags(Random);
        for (uint8_t &Each : To)
          Each = uint8_t(Random());
        uint64_t Target = T.upload(To);
        ASSERT_TRUE(
            T.run("k", {1}, {WarpSize},
                  {T.upload(A), T.upload(B), T.upload(C), Source, Target}))
            << T.Error;
        for (unsigned L = 0; L != WarpSize; ++L)
          if (C[L])
            std::memcpy(&To[size_t(B[L]) * F.Bytes],
                        &From[size_t(A[L]) * F.Bytes], F.Bytes);
        EXPECT_EQ(T.download<uint8_t>(Target, To.size()), To)
            << F.Suffix << " case " << Case;
      }
    }
}

/// One lane in the middle of a row or of a scattered half is wrong.
TEST(SimAccessPattern, NamesTheLaneThatIsWrong) {
  for (bool IsRow : {true, false}) {
    TestProgram T(copyKernel(Forms[2], ".global"));
    ASSERT_TRUE(T.P) << T.Error;
    std::vector<uint32_t> A(WarpSize), C(WarpSize, 1);
    for (unsigned L = 0; L != WarpSize; ++L)
      A[L] = IsRow ? L : L * 7 % 32;
    std::vector<uint32_t> B = A;
    B[21] = 1000;
    uint64_t Data = T.upload(std::vector<uint32_t>(Places));
    EXPECT_FALSE(T.run("k", {1}, {WarpSize},
                       {T.upload(A), T.upload(B), T.upload(C), Data, Data}));
    EXPECT_THAT(T.Error, AllOf(HasSubstr("write"), HasSubstr("lane 21 ")));
    // Where that lane does nothing, nothing is wrong.
    C[21] = 0;
    EXPECT_TRUE(T.run("k", {1}, {WarpSize},
                      {T.upload(A), T.upload(B), T.upload(C), Data, Data}))
        << T.Error;
  }
}

/// A register is written on the way round the loop alone: the first reading of
/// it is wrong, though the code before it writes it.
TEST(SimAccessPattern, AReadBeforeTheFirstRoundsWrite) {
  const std::string Text =
      std::string(Header) +
      ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<3>;\n"
      ".reg .b32 %r<6>;\nmov.u32 %r1, 0;\nLOOP: setp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 bra SKIP;\nmov.u32 %r2, 1;\nSKIP: add.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p1, %r1, COUNT; @%p1 bra LOOP;\n"
      "add.u32 %r3, %r2, 1;\nret;\n}\n";
  auto Run = [&](const std::string &Count) {
    std::string Each = Text;
    TestProgram T(Each.replace(Each.find("COUNT"), 5, Count));
    EXPECT_TRUE(T.P) << T.Error;
    T.run("k", {1}, {WarpSize}, {0});
    return T.Error;
  };
  EXPECT_EQ(Run("2"), "");
  EXPECT_THAT(Run("1"), HasSubstr("never written (%r2)"));
}

} // namespace
} // namespace regshare::sim
