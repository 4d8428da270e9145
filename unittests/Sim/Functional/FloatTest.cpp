//===- FloatTest.cpp - Rounding modes, 16-bit formats, atomics -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <random>

using namespace regshare;
using namespace regshare::sim;

static std::vector<uint32_t> randomWords(unsigned Seed) {
  std::mt19937 Random(Seed);
  std::vector<uint32_t> Words(3 * 8192);
  for (uint32_t &W : Words)
    W = Random();
  // Results near each other's rounding boundaries and subnormal numbers.
  for (size_t I = 0; I != Words.size() / 2; ++I)
    Words[I] = (Words[I] & 0x807FFFFF) | (120 + Words[I] % 16) << 23;
  for (size_t I = 0; I != 600; ++I)
    Words[I] &= 0x81FFFFFF;
  return Words;
}

namespace {

struct Mode {
  const char *Suffix;
  int Host;
};

class RoundingTest : public testing::TestWithParam<Mode> {};

} // namespace

TEST_P(RoundingTest, MatchesHost) {
  std::vector<uint32_t> In = randomWords(7);
  std::string S = GetParam().Suffix;
  std::vector<uint32_t> Sum = evaluate("add" + S + ".f32 %r5, %r2, %r3;", In);
  std::vector<uint32_t> Fma =
      evaluate("fma" + S + ".f32 %r5, %r2, %r3, %r4;", In);
  std::vector<uint32_t> Quotient =
      evaluate("div" + S + ".f32 %r5, %r2, %r3;", In);
  std::vector<uint32_t> Converted =
      evaluate("cvt" + S + ".f32.s32 %r5, %r2;", In);
  auto Differs = [](uint32_t Bits, float Host) {
    auto Value = std::bit_cast<float>(Bits);
    return !(std::isnan(Value) && std::isnan(Host)) &&
           Bits != std::bit_cast<uint32_t>(Host);
  };
  unsigned Bad = 0;
  int Old = std::fegetround();
  std::fesetround(GetParam().Host);
  for (size_t I = 0; I != Sum.size(); ++I) {
    volatile float A = std::bit_cast<float>(In[3 * I]),
                   B = std::bit_cast<float>(In[3 * I + 1]),
                   C = std::bit_cast<float>(In[3 * I + 2]);
    volatile int32_t N = int32_t(In[3 * I]);
    volatile float HostFma = std::fma(A, B, C);
    Bad += Differs(Sum[I], A + B) + Differs(Quotient[I], A / B) +
           Differs(Fma[I], HostFma) + Differs(Converted[I], float(N));
  }
  std::fesetround(Old);
  EXPECT_EQ(Bad, 0u);
}

INSTANTIATE_TEST_SUITE_P(Modes, RoundingTest,
                         testing::Values(Mode{".rn", FE_TONEAREST},
                                         Mode{".rz", FE_TOWARDZERO},
                                         Mode{".rm", FE_DOWNWARD},
                                         Mode{".rp", FE_UPWARD}));

static uint16_t halfBits(_Float16 V) { return std::bit_cast<uint16_t>(V); }
static _Float16 half(uint32_t V) {
  return std::bit_cast<_Float16>(uint16_t(V));
}

TEST(SimFloat, HalfArithmetic) {
  std::vector<uint32_t> In = randomWords(8);
  std::vector<uint32_t> Sum = evaluate("add.f16x2 %r5, %r2, %r3;", In);
  std::vector<uint32_t> Product = evaluate("mul.f16x2 %r5, %r2, %r3;", In);
  std::vector<uint32_t> Fma = evaluate("fma.rn.f16x2 %r5, %r2, %r3, %r4;", In);
  std::vector<uint32_t> FromFloat =
      evaluate("cvt.rn.f16x2.f32 %r5, %r2, %r3;", In);
  unsigned Bad = 0;
  auto Differs = [](uint32_t Bits, _Float16 Host) {
    bool BothNaN = (Bits & 0x7FFF) > 0x7C00 && Host != Host;
    return !BothNaN && uint16_t(Bits) != halfBits(Host);
  };
  for (size_t I = 0; I != Sum.size(); ++I)
    for (int Shift : {0, 16}) {
      _Float16 A = half(In[3 * I] >> Shift), B = half(In[3 * I + 1] >> Shift),
               C = half(In[3 * I + 2] >> Shift);
      // Exact in long double, so this rounds once.
      auto HostFma = _Float16((long double)(A)*B + C);
      float F = std::bit_cast<float>(In[3 * I + (Shift ? 0 : 1)]);
      Bad += Differs(Sum[I] >> Shift, A + B) +
             Differs(Product[I] >> Shift, A * B) +
             Differs(Fma[I] >> Shift, HostFma) +
             Differs(FromFloat[I] >> Shift, _Float16(F));
    }
  EXPECT_EQ(Bad, 0u);
}

TEST(SimFloat, BFloatRoundsOnce) {
  std::vector<uint32_t> In = randomWords(9);
  // A product halfway between two numbers and an addend too small to matter
  // but for the direction.
  In[0] = 0x3F81;
  In[1] = 0x3FC0;
  In[2] = 0x0080;
  In[3] = 0x3F81;
  In[4] = 0x3FC0;
  In[5] = 0x8080;
  std::vector<uint32_t> Fma = evaluate(
      "{ .reg .b16 a, b, c; cvt.u16.u32 a, %r2; cvt.u16.u32 b, %r3;"
      "cvt.u16.u32 c, %r4; fma.rn.bf16 a, a, b, c; cvt.u32.u16 %r5, a; }",
      In);
  EXPECT_EQ(Fma[0], 0x3FC2u); // 1.0078125 * 1.5 = 1.51171875, a tie, and up
  EXPECT_EQ(Fma[1], 0x3FC1u); // … and down
}

TEST(SimFloat, FlushSaturateAndNaN) {
  std::vector<uint32_t> In(96, 0);
  In[0] = 0x00000001;
  In[3] = 0x80000001;
  In[6] = 0x7FC12345;
  In[9] = 0x40000000;
  In[12] = 0xC0000000;
  std::vector<uint32_t> Flushed = evaluate("add.ftz.f32 %r5, %r2, %r3;", In);
  EXPECT_EQ(Flushed[0], 0u);
  std::vector<uint32_t> Kept = evaluate("add.f32 %r5, %r2, %r3;", In);
  EXPECT_EQ(Kept[0], 1u);
  EXPECT_EQ(Kept[1], 0x80000001u);
  EXPECT_EQ(Kept[2], 0x7FFFFFFFu);
  std::vector<uint32_t> Sat = evaluate("add.sat.f32 %r5, %r2, %r3;", In);
  EXPECT_EQ(Sat[2], 0u);
  EXPECT_EQ(Sat[3], 0x3F800000u);
  EXPECT_EQ(Sat[4], 0u);
}

namespace {

/// Operands and what an H200 made of them.
struct Measured {
  const char *Op;
  uint32_t A, B, C, Result;
};

class MeasuredTest : public testing::TestWithParam<Measured> {};

} // namespace

TEST_P(MeasuredTest, AsAnH200Does) {
  const Measured &M = GetParam();
  std::vector<uint32_t> In(96, 0);
  In[0] = M.A, In[1] = M.B, In[2] = M.C;
  EXPECT_EQ(evaluate(std::string("{ .reg .b16 %h<4>; .reg .b64 %q<4>; "
                                 ".reg .f64 %fd<4>; .reg .pred %z; "
                                 "cvt.u16.u32 %h1, %r2; cvt.u16.u32 %h2, %r3; "
                                 "mov.b64 %q1, {%r2, %r3}; ") +
                         M.Op + " }",
                     In)[0],
            M.Result)
      << M.Op;
}

// A conversion to or from 64 bits has the lower word in A, the upper in B.
INSTANTIATE_TEST_SUITE_P(
    Half, MeasuredTest,
    testing::Values(
        Measured{"mul.ftz.f16 %h3, %h1, %h2; cvt.u32.u16 %r5, %h3;", 0x0400,
                 0x3BFF, 0, 0},
        Measured{"mul.rn.ftz.f16x2 %r5, %r2, %r3;", 0x84000000, 0x3BFFFC00, 0,
                 0x80007FFF},
        Measured{"neg.ftz.f16 %h3, %h1; cvt.u32.u16 %r5, %h3;", 1, 0, 0,
                 0x8000},
        Measured{"abs.ftz.f16x2 %r5, %r2;", 0xFBFF0001, 0, 0, 0x7BFF0000},
        Measured{"max.xorsign.abs.f16 %h3, %h1, %h2; cvt.u32.u16 %r5, %h3;", 0,
                 0x8000, 0, 0x8000},
        Measured{"min.xorsign.abs.f16x2 %r5, %r2, %r3;", 0x84000000, 0x84000000,
                 0, 0x04000000},
        Measured{"min.xorsign.abs.bf16 %h3, %h1, %h2; cvt.u32.u16 %r5, %h3;", 0,
                 0x8001, 0, 0x8000},
        Measured{"set.eq.ftz.f16x2.f16x2 %r5, %r2, %r3;", 0x84000000,
                 0xFBFF0001, 0, 0x00003C00},
        Measured{"set.ge.ftz.u32.f16x2 %r5, %r2, %r3;", 0x84000000, 0xFBFF0001,
                 0, 0xFFFFFFFF},
        Measured{"{ .reg .pred %y; setp.eq.ftz.f16x2 %z|%y, %r2, %r3; "
                 "selp.u32 %r5, 1, 0, %z; }",
                 0x84000000, 0xFBFF0001, 0, 1}));

INSTANTIATE_TEST_SUITE_P(
    Convert, MeasuredTest,
    testing::Values(
        Measured{"cvt.rm.f64.u32 %fd1, %r2; mov.b64 {%r3, %r5}, %fd1;", 0, 0, 0,
                 0},
        Measured{"cvt.rm.f64.u64 %fd1, %q1; mov.b64 {%r3, %r5}, %fd1;", 0, 0, 0,
                 0},
        Measured{"cvt.rm.ftz.f16.f32 %h3, %r2; cvt.u32.u16 %r5, %h3;",
                 0x80000001, 0, 0, 0x8001},
        Measured{"cvt.rp.ftz.f16.f32 %h3, %r2; cvt.u32.u16 %r5, %h3;", 1, 0, 0,
                 1},
        Measured{"cvt.rp.sat.f32.f64 %r5, %q1;", 1, 0, 0, 1}));

INSTANTIATE_TEST_SUITE_P(
    Remainder, MeasuredTest,
    testing::Values(Measured{"rem.u32 %r5, %r2, %r3;", 0x74, 0, 0, 0xFFFFFFFF},
                    Measured{"rem.s32 %r5, %r2, %r3;", 0xF5BCDEF7, 0, 0,
                             0xFFFFFFFF},
                    Measured{"rem.u16 %h3, %h1, %h2; cvt.u32.u16 %r5, %h3;", 7,
                             0, 0, 0xFFFF}));

INSTANTIATE_TEST_SUITE_P(
    Fields, MeasuredTest,
    testing::Values(
        Measured{"bfe.u64 %q2, %q1, 0x19, %r4; mov.b64 {%r5, %r3}, %q2;",
                 0x42E8FB10, 0x002E2867, 0x80000000, 0x171433A1},
        Measured{"bfe.s64 %q2, %q1, %r4, 12; mov.b64 {%r5, %r3}, %q2;",
                 0xDD97965D, 0x682328E1, 0x100, 0},
        Measured{"bfi.b64 %q2, %q1, 0xFFFFFF80, 12, %r4; "
                 "mov.b64 {%r5, %r3}, %q2;",
                 0x40, 0, 0x100, 0x00040F80}));

INSTANTIATE_TEST_SUITE_P(Select, MeasuredTest,
                         testing::Values(Measured{
                             "slct.ftz.b32.f32 %r5, %r2, %r3, %r4;", 0xFFFFFF80,
                             0, 0x80400000, 0xFFFFFF80}));

INSTANTIATE_TEST_SUITE_P(
    Test, MeasuredTest,
    testing::Values(
        Measured{"testp.normal.f32 %z, %r2; selp.u32 %r5, 1, 0, %z;", 0, 0, 0,
                 1},
        Measured{"testp.normal.f64 %z, %q1; selp.u32 %r5, 1, 0, %z;", 0, 0, 0,
                 1}));

TEST(SimAtomic, FloatsAreFlushedInGlobalMemoryOnly) {
  std::vector<uint32_t> In(96, 0);
  In[0] = 1;
  // As an H200 does: 0 + 1e-45.
  EXPECT_EQ(evaluate("{ .reg .b64 %a; add.u64 %a, %rd3, 4; "
                     "red.global.add.f32 [%a], %r2; ld.global.u32 %r5, [%a]; }",
                     In)[0],
            0u);
  EXPECT_EQ(evaluate("{ .shared .b32 words[32]; .reg .b32 %a, %t; "
                     "mov.u32 %t, %tid.x; mov.u32 %a, words; "
                     "mad.lo.u32 %a, %t, 4, %a; st.shared.u32 [%a], 0; "
                     "red.shared.add.f32 [%a], %r2; "
                     "ld.shared.u32 %r5, [%a]; }",
                     In)[0],
            1u);
}

TEST(SimFloat, ApproximationsWithinTheirBounds) {
  std::vector<uint32_t> In = randomWords(10);
  struct {
    const char *Op;
    double (*Host)(double);
    double RelativeBound;
  } const Cases[] = {
      {"rcp.approx.f32", [](double X) { return 1 / X; }, 1.2e-7},
      {"sqrt.approx.f32", [](double X) { return std::sqrt(X); }, 1.2e-7},
      {"rsqrt.approx.f32", [](double X) { return 1 / std::sqrt(X); }, 2.4e-7},
      {"ex2.approx.f32", [](double X) { return std::exp2(X); }, 2.4e-7},
      {"lg2.approx.f32", [](double X) { return std::log2(X); }, 2.4e-7},
      {"tanh.approx.f32", [](double X) { return std::tanh(X); }, 4.9e-4}};
  for (const auto &C : Cases) {
    std::vector<uint32_t> Out = evaluate(std::string(C.Op) + " %r5, %r2;", In);
    for (size_t I = 300; I != 4000; ++I) {
      double X = std::bit_cast<float>(In[3 * I]);
      double Want = float(C.Host(X)), Got = std::bit_cast<float>(Out[I]);
      if (std::isinf(Want)) {
        EXPECT_EQ(Got, Want) << C.Op << " " << X;
      } else if (std::isnan(Want)) {
        EXPECT_TRUE(std::isnan(Got)) << C.Op << " " << X;
      } else {
        ASSERT_LE(std::fabs(Got - Want),
                  C.RelativeBound * std::fabs(Want) + 1e-40)
            << C.Op << " " << X;
      }
    }
  }
}

TEST(SimAtomic, Operations) {
  TestProgram M(kernelAround(R"(
    atom.global.add.u32 %r2, [%rd1], 1;
    red.global.max.s32 [%rd1+4], %r1;
    red.global.and.b32 [%rd1+8], 0xFFFFFFF0;
    atom.global.inc.u32 %r3, [%rd1+12], 9;
    atom.global.exch.b32 %r4, [%rd1+16], %r1;
    red.global.add.f32 [%rd1+20], 0f3F000000;
    atom.global.cas.b32 %r5, [%rd1+24], 0, %r1;
    red.global.add.u64 [%rd1+32], 0x100000000;
    red.global.add.f64 [%rd1+40], 0d3FF0000000000000;
  )"));
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t At = M.upload(std::vector<uint32_t>(12));
  uint32_t Ones = ~0u;
  M.Memory.write(At + 8, &Ones, 4);
  ASSERT_TRUE(M.run("k", {1}, {64}, {At})) << M.Error;
  std::vector<uint32_t> Out = M.download<uint32_t>(At, 12);
  EXPECT_EQ(Out[0], 64u);
  EXPECT_EQ(Out[1], 63u);
  EXPECT_EQ(Out[2], 0xFFFFFFF0u);
  EXPECT_EQ(Out[3], 64u % 10);
  EXPECT_EQ(Out[4], 63u);
  EXPECT_EQ(std::bit_cast<float>(Out[5]), 32.0f);
  EXPECT_EQ(Out[6], 1u);
  EXPECT_EQ(Out[9], 64u);
  EXPECT_EQ(M.download<double>(At + 40, 1)[0], 64.0);
}
