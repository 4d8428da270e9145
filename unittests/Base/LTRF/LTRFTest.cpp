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
}

} // namespace
