//===- ArgumentsTest.cpp - The grammar of arguments -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Arguments.h"

#include "regshare/Simulate/Elements.h"

#include <cstring>
#include <gmock/gmock.h>

using namespace regshare;
using namespace regshare::sim;
using testing::HasSubstr;

template <typename T> static std::vector<T> valuesOf(const char *Text) {
  Result<Argument> A = parseArgument(Text);
  EXPECT_TRUE(A) << (A ? "" : A.error().Message);
  if (!A)
    return {};
  std::vector<T> Values(A->Bytes.size() / sizeof(T));
  std::memcpy(Values.data(), A->Bytes.data(), A->Bytes.size());
  return Values;
}

static std::string errorOf(const char *Text) {
  Result<Argument> A = parseArgument(Text);
  return A ? "no error" : A.error().Message;
}

TEST(Arguments, Scalars) {
  EXPECT_EQ(valuesOf<int32_t>("i32:-5"), std::vector<int32_t>{-5});
  EXPECT_EQ(valuesOf<float>("f32:1.5"), std::vector<float>{1.5f});
  EXPECT_EQ(valuesOf<uint64_t>("null"), std::vector<uint64_t>{0});
  EXPECT_EQ(valuesOf<uint8_t>("hex:00ff10"),
            (std::vector<uint8_t>{0, 0xFF, 0x10}));
}

TEST(Arguments, NumbersWaitForTheirType) {
  for (const char *Text : {"5", "-1", "1.5", "0x10", "inf", "1e-3"}) {
    Result<Argument> A = parseArgument(Text);
    ASSERT_TRUE(A) << Text;
    EXPECT_EQ(A->K, Argument::Number);
  }
}

TEST(Arguments, Buffers) {
  EXPECT_EQ(valuesOf<uint16_t>("buf:u16*3"), (std::vector<uint16_t>{0, 0, 0}));
  EXPECT_EQ(valuesOf<int32_t>("buf:i32=1,-2,3"),
            (std::vector<int32_t>{1, -2, 3}));
  EXPECT_EQ(valuesOf<int32_t>("buf:i32*5=1,2"),
            (std::vector<int32_t>{1, 2, 0, 0, 0}));
  EXPECT_EQ(valuesOf<float>("buf:f32*3=iota:0.5:0.25"),
            (std::vector<float>{0.5f, 0.75f, 1}));
  EXPECT_EQ(valuesOf<uint8_t>("buf:u8*3=iota:254"),
            (std::vector<uint8_t>{254, 255, 0}));
  EXPECT_EQ(valuesOf<double>("buf:f64*2=fill:-1.5"),
            (std::vector<double>{-1.5, -1.5}));
}

TEST(Arguments, RandomIsTheSameEverywhere) {
  // The 10,000th number of std::mt19937_64 is in the C++ standard; these are
  // the first two of seed 5489, its default.
  EXPECT_EQ(
      valuesOf<uint64_t>("buf:u64*2=random:5489"),
      (std::vector<uint64_t>{14514284786278117030u, 4620546740167642908u}));
  for (int64_t V : valuesOf<int64_t>("buf:i64*500=random:3:-7:9")) {
    EXPECT_GE(V, -7);
    EXPECT_LT(V, 9);
  }
  for (float V : valuesOf<float>("buf:f32*500=random:3")) {
    EXPECT_GE(V, 0);
    EXPECT_LT(V, 1);
  }
}

TEST(Arguments, References) {
  Result<Argument> A = parseArgument("ref:2-16");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->K, Argument::Reference);
  EXPECT_EQ(A->Target, 2u);
  EXPECT_EQ(A->Offset, -16);
}

TEST(Arguments, ErrorsPointAtThePlace) {
  EXPECT_THAT(errorOf("f31:2"), HasSubstr("the types are i8"));
  EXPECT_THAT(errorOf("buf:i32*2=1,x"),
              HasSubstr("\n  buf:i32*2=1,x\n              ^"));
  EXPECT_THAT(errorOf("buf:i32*0"), HasSubstr("1 or more"));
  EXPECT_THAT(errorOf("buf:i32"), HasSubstr("expected '*'"));
  EXPECT_THAT(errorOf("hex:0g"), HasSubstr("hexadecimal"));
  EXPECT_THAT(errorOf("ref:x"), HasSubstr("argument's number"));
  EXPECT_THAT(errorOf("buf:f32*4=random"), HasSubstr("a seed"));
  EXPECT_THAT(errorOf("buf:f32*4=random:1:2:2"), HasSubstr("range is empty"));
  EXPECT_THAT(errorOf("nullx"), HasSubstr("end here"));
  EXPECT_THAT(errorOf(""), HasSubstr("expected a number"));
}
