//===- NarrowTest.cpp - Packed small types --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conversions to 8-bit floating-point numbers against a search through all
/// numbers of the format.
///
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace regshare;
using namespace regshare::sim;

namespace {

/// What a byte means: the formats of OCP's specification of 8-bit
/// floating-point numbers.
struct Format {
  const char *Name;
  int Mantissa, Bias;
  unsigned Largest, Infinity; ///< As magnitudes; Infinity 0: there is none.

  double value(unsigned Byte) const {
    unsigned Magnitude = Byte & 0x7F;
    double Sign = Byte & 0x80 ? -1 : 1;
    if (Infinity && Magnitude == Infinity)
      return Sign * std::numeric_limits<double>::infinity();
    if (Magnitude > Largest)
      return std::numeric_limits<double>::quiet_NaN();
    int Exponent = int(Magnitude >> Mantissa);
    double Fraction = std::ldexp(Magnitude & ((1u << Mantissa) - 1), -Mantissa);
    return Sign * (Exponent ? std::ldexp(1 + Fraction, Exponent - Bias)
                            : std::ldexp(Fraction, 1 - Bias));
  }

  /// The nearest number; of two, the one with an even code.
  unsigned nearest(double X) const {
    if (std::isnan(X))
      return 0x7F;
    // Differences from what is very large would all be the same.
    double Size = std::fmin(std::fabs(X), 1e6);
    unsigned Best = 0;
    for (unsigned Code = 0; Code <= Largest; ++Code) {
      double Off = std::fabs(value(Code) - Size),
             BestOff = std::fabs(value(Best) - Size);
      if (Off < BestOff || (Off == BestOff && !(Code & 1)))
        Best = Code;
    }
    return Best | std::signbit(X) << 7;
  }
};

const Format Formats[] = {{"e4m3x2", 3, 7, 0x7E, 0},
                          {"e5m2x2", 2, 15, 0x7B, 0x7C}};

/// Numbers around those of the formats and halfway between them, and some of
/// any kind.
std::vector<uint32_t> someFloats() {
  std::mt19937 Random(3);
  std::vector<uint32_t> Words(3 * 4096);
  for (size_t I = 0; I != Words.size(); ++I) {
    uint32_t Any = Random();
    int Exponent = 127 - 20 + int(Any >> 8) % 40;
    // Few bits of mantissa, or many.
    uint32_t Mantissa = Any & 1 ? (Any >> 1 & 0xF) << 19 : Random() & 0x7FFFFF;
    Words[I] = I % 7 ? (Any & 0x80000000) | uint32_t(Exponent) << 23 | Mantissa
                     : Random();
  }
  const float Special[] = {0.f,   -0.f,  INFINITY, -INFINITY, NAN,    448.f,
                           464.f, 465.f, 57344.f,  61440.f,   1e-45f, -1e-3f};
  for (size_t I = 0; I != std::size(Special); ++I)
    Words[3 * I] = Words[3 * I + 1] = std::bit_cast<uint32_t>(Special[I]);
  return Words;
}

TEST(SimNarrow, FloatsToPairsOfBytes) {
  std::vector<uint32_t> In = someFloats();
  for (const Format &F : Formats)
    for (bool Relu : {false, true}) {
      std::string Op = std::string("cvt.rn.satfinite.") +
                       (Relu ? "relu." : "") + F.Name +
                       ".f32 %rs1, %r2, %r3; cvt.u32.u16 %r5, %rs1;";
      std::vector<uint32_t> Out = evaluate(Op, In);
      for (size_t I = 0; I != Out.size(); ++I)
        for (int K : {0, 1}) {
          float X = std::bit_cast<float>(In[3 * I + 1 - K]);
          unsigned Want = Relu && X <= 0 ? 0 : F.nearest(X);
          ASSERT_EQ(Out[I] >> 8 * K & 0xFF, Want) << Op << " of " << X;
        }
    }
}

/// All halves, and back: what a byte means is a half exactly.
TEST(SimNarrow, HalvesAndPairsOfBytes) {
  std::vector<uint32_t> In(3 * 65536);
  for (uint32_t I = 0; I != 65536; ++I)
    In[3 * I] = I << 16 | (I ^ 0x8001);
  auto Half = [](uint32_t Bits) {
    return double(std::bit_cast<_Float16>(uint16_t(Bits)));
  };
  for (const Format &F : Formats) {
    std::string Name = F.Name;
    std::vector<uint32_t> Out = evaluate(
        "cvt.rn.satfinite." + Name + ".f16x2 %rs1, %r2; cvt.u32.u16 %r5, %rs1;",
        In);
    for (size_t I = 0; I != Out.size(); ++I)
      ASSERT_EQ(Out[I], F.nearest(Half(In[3 * I] >> 16)) << 8 |
                            F.nearest(Half(In[3 * I])))
          << Name << " of " << std::hex << In[3 * I];
    Out = evaluate(
        "cvt.u16.u32 %rs1, %r2; cvt.rn.f16x2." + Name + " %r5, %rs1;", In);
    for (size_t I = 0; I != Out.size(); ++I)
      for (int K : {0, 1}) {
        double Want = F.value(In[3 * I] >> 8 * K & 0xFF),
               Got = Half(Out[I] >> 16 * K);
        if (std::isnan(Want))
          ASSERT_EQ(Out[I] >> 16 * K & 0xFFFF, 0x7FFFu);
        else
          ASSERT_EQ(std::bit_cast<uint64_t>(Got), std::bit_cast<uint64_t>(Want))
              << Name << " " << std::hex << In[3 * I];
      }
  }
}

TEST(SimNarrow, IntegersAreSaturatedAndPacked) {
  std::mt19937 Random(4);
  std::vector<uint32_t> In(3 * 2048);
  for (uint32_t &W : In)
    W = uint32_t(int32_t(Random()) >> Random() % 32);
  for (int Bits : {2, 4, 8, 16})
    for (bool Signed : {false, true}) {
      std::string Op =
          std::string("cvt.pack.sat.") + (Signed ? "s" : "u") +
          std::to_string(Bits) + ".s32" +
          (Bits == 16 ? " %r5, %r2, %r3;" : ".b32 %r5, %r2, %r3, %r4;");
      std::vector<uint32_t> Out = evaluate(Op, In);
      auto Part = [&](uint32_t Word) {
        double Least = Signed ? -std::exp2(Bits - 1) : 0,
               Most = std::exp2(Bits - Signed) - 1;
        auto Value = int32_t(std::fmin(std::fmax(int32_t(Word), Least), Most));
        return uint64_t(uint32_t(Value)) % (uint64_t(1) << Bits);
      };
      for (size_t I = 0; I != Out.size(); ++I) {
        uint64_t Want = Part(In[3 * I + 1]) + (Part(In[3 * I]) << Bits) +
                        (Bits == 16 ? 0 : uint64_t(In[3 * I + 2]) << 2 * Bits);
        ASSERT_EQ(Out[I], uint32_t(Want)) << Op;
      }
    }
}

TEST(SimNarrow, NoResultIsBelowZero) {
  std::vector<uint32_t> In = {
      uint32_t(-5), 3,           0, uint32_t(-7), uint32_t(-2), 0, 9, 4, 0,
      0x8000'7FFF,  0x0001'FFFF, 0};
  In.resize(3 * 32);
  auto Signed = [&](const char *Op) { return evaluate(Op, In); };
  std::vector<uint32_t> Least = Signed("min.s32.relu %r5, %r2, %r3;"),
                        Most = Signed("max.s32.relu %r5, %r2, %r3;"),
                        Pairs = Signed("min.s16x2.relu %r5, %r2, %r3;");
  EXPECT_EQ(Least[0], 0u);
  EXPECT_EQ(Most[0], 3u);
  EXPECT_EQ(Most[1], 0u);
  EXPECT_EQ(Least[2], 4u);
  EXPECT_EQ(Pairs[3], 0u);
  Pairs = Signed("max.s16x2.relu %r5, %r2, %r3;");
  EXPECT_EQ(Pairs[3], 0x0001'7FFFu);
}

/// 64 threads add to two vectors of floats, and to one of halves. What the
/// first element was before tells how many have come before.
TEST(SimNarrow, VectorsAreAddedElementByElement) {
  TestProgram M(kernelAround(R"(
    and.b32 %r20, %r1, 1;
    mul.wide.u32 %rd3, %r20, 16;
    add.s64 %rd4, %rd1, %rd3;
    cvt.rn.f32.u32 %r2, %r1;
    mov.b32 %r3, 0f3F800000; mov.b32 %r4, 0f40000000; mov.b32 %r5, 0fBF800000;
    atom.global.add.v4.f32 {%r3, %r6, %r7, %r8}, [%rd4], {%r3, %r2, %r4, %r5};
    cvt.rzi.u32.f32 %r9, %r3;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd1, %rd5;
    st.global.u32 [%rd6+64], %r9;
    mov.b32 %r10, 0x3C003C00;
    red.global.add.noftz.v2.f16x2 [%rd1+32], {%r10, %r10};
  )"));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint32_t>(80));
  ASSERT_TRUE(M.run("k", {1}, {64}, {At})) << M.Error;
  std::vector<float> Sums = M.download<float>(At, 8);
  const float Want[] = {32, 31 * 32, 64, -32, 32, 32 * 32, 64, -32};
  for (int I = 0; I != 8; ++I)
    EXPECT_EQ(Sums[I], Want[I]) << I;
  std::vector<uint32_t> Rest = M.download<uint32_t>(At + 32, 72);
  EXPECT_EQ(Rest[0], 0x54005400u) << "64 in each half";
  EXPECT_EQ(Rest[1], 0x54005400u);
  for (uint32_t I = 0; I != 64; ++I)
    EXPECT_EQ(Rest[8 + I], I / 2) << "the sum before, where lanes take turns";
}

TEST(SimNarrow, WhatVectorAtomicsDoNotDo) {
  const std::pair<const char *, const char *> Cases[] = {
      {"add.s64 %rd3, %rd1, 4; red.global.add.v2.f32 [%rd3], {%r1, %r1};",
       "misaligned atomic access to 8 bytes"},
      {"red.global.add.v2.f32 [%rd1], {%r1, %r1, %r1};", "does not fit"},
      {"red.global.add.noftz.v8.f16 [%rd1], {%rs1, %rs1, %rs1, %rs1, %rs1, "
       "%rs1, %rs1, %rs1};",
       "more than four elements"},
      {"red.global.min.v2.f32 [%rd1], {%r1, %r1};", "no such instruction"},
      {"red.global.exch.b128 [%rd1], %rd4;", "128-bit atomics are atom.exch"},
      {"atom.global.exch.b128 %rd3, [%rd1], %rd4;", "narrower"},
      {"ld.global.L2::cache_hint.b32 %r1, [%rd1];", "a cache policy"}};
  for (const auto &[Body, Says] : Cases)
    EXPECT_NE(runError(Body).find(Says), std::string::npos)
        << Body << ": " << runError(Body);
}

} // namespace
