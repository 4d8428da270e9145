//===- CodeGrowthTest.cpp - What vectors add ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/CodeGrowth.h"

#include "gtest/gtest.h"

using namespace regshare;

namespace {

TEST(CodeGrowth, SizeOfVectors) {
  EXPECT_EQ(codeFormat(20).InstructionBytes, 8u);
  EXPECT_EQ(codeFormat(20).VectorBits, 64u);
  EXPECT_EQ(codeFormat(61).InstructionBytes, 8u);
  EXPECT_EQ(codeFormat(70).InstructionBytes, 16u);
  EXPECT_EQ(codeFormat(90).VectorBits, 256u);
  CodeFormat Maxwell = codeFormat(52);
  EXPECT_EQ(vectorBytes(VectorEncoding::EmbeddedBit, 7, Maxwell), 7u * 32);
  EXPECT_EQ(vectorBytes(VectorEncoding::Instruction, 7, Maxwell), 7u * 40);
  EXPECT_EQ(vectorBytes(VectorEncoding::Instruction, 0, Maxwell), 0u);
}

} // namespace
