//===- LTRFTest.cpp - What LTRF's hardware and code cost ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRF.h"

#include "TestData.h"

#include "gtest/gtest.h"

using namespace regshare;

namespace {

TEST(LTRF, PublishedStorage) {
  LTRFStorage S = ltrfStorage({});
  EXPECT_EQ(S.AddressTable, 64u * 256 * 5);
  EXPECT_EQ(S.WarpOffset, 64u * 3);
  EXPECT_EQ(S.WorkingSet, 64u * 256);
  EXPECT_EQ(S.Liveness, 64u * 256);
  EXPECT_EQ(S.total(), publishedCost("ltrf,\"64 warps, 256 registers\","));
}

TEST(LTRF, StorageOfOtherShapes) {
  // Eight registers are told apart by three bits, 32 by five; one needs none.
  EXPECT_EQ(ltrfStorage({48, 64, 4, 8}).total(), 48u * (64 * 4 + 2 + 64 + 64));
  EXPECT_EQ(ltrfStorage({64, 256, 16, 32}).total(),
            64u * (256 * 6 + 4 + 256 + 256));
  EXPECT_EQ(ltrfStorage({1, 1, 1, 1}).total(), 1u + 0 + 1 + 1);
  EXPECT_EQ(ltrfStorage({64, 256, 8, 17}).AddressTable, 64u * 256 * 6);
  // The paper's register cache has 16 KB (§2.3).
  EXPECT_EQ(registerCacheBits({}), 16u * 1024 * 8);
}

TEST(LTRF, SizeOfPrefetches) {
  EXPECT_EQ(codeFormat(20).InstructionBytes, 8u);
  EXPECT_EQ(codeFormat(20).VectorBits, 64u);
  EXPECT_EQ(codeFormat(61).InstructionBytes, 8u);
  EXPECT_EQ(codeFormat(70).InstructionBytes, 16u);
  EXPECT_EQ(codeFormat(90).VectorBits, 256u);
  CodeFormat Maxwell = codeFormat(52);
  EXPECT_EQ(prefetchBytes(PrefetchEncoding::EmbeddedBit, 7, Maxwell), 7u * 32);
  EXPECT_EQ(prefetchBytes(PrefetchEncoding::Instruction, 7, Maxwell), 7u * 40);
  EXPECT_EQ(prefetchBytes(PrefetchEncoding::Instruction, 0, Maxwell), 0u);
}

} // namespace
