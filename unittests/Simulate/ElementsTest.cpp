//===- ElementsTest.cpp - Numbers to bits and back ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Elements.h"

#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

static uint64_t bitsOf(ScalarType Type, const char *Text) {
  Result<uint64_t> Bits = parseElement(Type, Text);
  EXPECT_TRUE(Bits) << Text;
  return Bits.value_or(0xDEAD);
}

TEST(Elements, Names) {
  for (const char *Name : {"i8", "u16", "b32", "f16", "bf16", "f64"})
    EXPECT_EQ(elementTypeName(parseElementType(Name)), Name);
  EXPECT_EQ(parseElementType("f31"), ScalarType::None);
  EXPECT_EQ(parseElementType("s32"), ScalarType::None);
}

TEST(Elements, IntegersKnowTheirRange) {
  EXPECT_EQ(bitsOf(ScalarType::S8, "-128"), 0x80u);
  EXPECT_FALSE(parseElement(ScalarType::S8, "-129"));
  EXPECT_FALSE(parseElement(ScalarType::S8, "128"));
  EXPECT_EQ(bitsOf(ScalarType::U8, "255"), 0xFFu);
  EXPECT_FALSE(parseElement(ScalarType::U8, "256"));
  EXPECT_FALSE(parseElement(ScalarType::U8, "-1"));
  // Untyped bits take both readings.
  EXPECT_EQ(bitsOf(ScalarType::B8, "255"), 0xFFu);
  EXPECT_EQ(bitsOf(ScalarType::B8, "-1"), 0xFFu);
  EXPECT_EQ(bitsOf(ScalarType::S64, "-9223372036854775808"), 1ull << 63);
  EXPECT_EQ(bitsOf(ScalarType::U64, "18446744073709551615"), ~0ull);
  EXPECT_FALSE(parseElement(ScalarType::U64, "18446744073709551616"));
  EXPECT_THAT(parseElement(ScalarType::U32, "5x").error().Message,
              HasSubstr("'5x' is no number of type u32"));
  EXPECT_FALSE(parseElement(ScalarType::U32, ""));
}

TEST(Elements, HexadecimalIsTheBits) {
  EXPECT_EQ(bitsOf(ScalarType::F32, "0x7f800001"), 0x7F800001u);
  EXPECT_EQ(bitsOf(ScalarType::S16, "0xffff"), 0xFFFFu);
  EXPECT_FALSE(parseElement(ScalarType::S16, "0x10000"));
}

TEST(Elements, FloatsAreRoundedOnce) {
  EXPECT_EQ(bitsOf(ScalarType::F32, "0.1"), std::bit_cast<uint32_t>(0.1f));
  // Just above the middle of two neighbours: through a double it would end on
  // the even one.
  EXPECT_EQ(bitsOf(ScalarType::F32, "1.00000005960464477540"), 0x3F800001u);
  EXPECT_EQ(bitsOf(ScalarType::F64, "1e308"), std::bit_cast<uint64_t>(1e308));
  EXPECT_FALSE(parseElement(ScalarType::F32, "1e39"));
  EXPECT_EQ(bitsOf(ScalarType::F32, "-inf"), 0xFF800000u);
}

TEST(Elements, SixteenBitFloats) {
  EXPECT_EQ(bitsOf(ScalarType::F16, "1"), 0x3C00u);
  EXPECT_EQ(bitsOf(ScalarType::F16, "65504"), 0x7BFFu);
  EXPECT_FALSE(parseElement(ScalarType::F16, "65520"));
  EXPECT_EQ(bitsOf(ScalarType::F16, "5.9604645e-08"), 1u);
  EXPECT_EQ(bitsOf(ScalarType::BF16, "1"), 0x3F80u);
  EXPECT_EQ(bitsOf(ScalarType::BF16, "-2.5"), 0xC020u);
}

TEST(Elements, EverySixteenBitFloatSurvivesPrinting) {
  for (ScalarType Type : {ScalarType::F16, ScalarType::BF16})
    for (uint32_t Bits = 0; Bits != 0x10000; ++Bits) {
      if (std::isnan(elementValue(Type, Bits)))
        continue;
      EXPECT_EQ(bitsOf(Type, printElement(Type, Bits).c_str()), Bits);
    }
}

TEST(Elements, RandomBitsSurvivePrinting) {
  std::mt19937_64 Random(1);
  for (ScalarType Type : {ScalarType::F32, ScalarType::F64, ScalarType::S32,
                          ScalarType::U64, ScalarType::B16})
    for (unsigned N = 0; N != 2000; ++N) {
      uint64_t Bits = Random() >> (64 - 8 * sizeOf(Type));
      if (isFloat(Type) && std::isnan(elementValue(Type, Bits)))
        continue;
      EXPECT_EQ(bitsOf(Type, printElement(Type, Bits).c_str()), Bits);
    }
}
