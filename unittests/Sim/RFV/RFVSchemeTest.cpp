//===- RFVSchemeTest.cpp - Tables of register file virtualisation ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/RFV/RFVScheme.h"
#include "Timing/SchemeBench.h"
#include "regshare/Base/RFV/RFV.h"

#include <gmock/gmock.h>
#include <numeric>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

/// An instruction that writes \p Rows.
struct Writer {
  std::vector<uint32_t> Rows;
  IssueInfo Info;
  explicit Writer(std::vector<uint32_t> Of) : Rows(std::move(Of)) {
    Info.Accesses = Rows.data();
    Info.NumWrites = uint16_t(Rows.size());
  }
};

/// The first free row of the bank where Baseline has the register.
TEST(RFVScheme, RowsAreTheFirstThatAreFree) {
  SchemeBench<RFVScheme> B(schemes::RFV, "gtx480", {{24, 64, 0}, {}});
  WarpRef W = B.warp(0, 0, 0), V = B.warp(1, 0, 1);
  B.S->resident(W);
  B.S->resident(V);
  Writer A({5, 9}), C({5});
  B.S->issued(W, A.Info);
  B.S->issued(V, C.Info);
  EXPECT_EQ(B.S->rowOf(W, 5), 5u);
  EXPECT_EQ(B.S->rowOf(W, 9), 9u);
  EXPECT_EQ(B.S->rowOf(V, 5), 6u);
  EXPECT_EQ(B.S->rowOf(V, 9), std::nullopt);
  EXPECT_EQ(B.S->read(V, 5).Bank, 6u);
  B.S->freed(W, 5, false);
  EXPECT_EQ(B.S->rowOf(W, 5), std::nullopt);
  // A result is on its way: the row stays until it has come.
  B.S->freed(V, 5, true);
  EXPECT_EQ(B.S->rowOf(V, 5), 6u);
  B.S->landed(V, C.Info);
  EXPECT_EQ(B.S->rowOf(V, 5), std::nullopt);
  Writer D({4, 21, 20});
  B.S->issued(V, D.Info);
  EXPECT_EQ(B.S->rowOf(V, 4), 5u);
  EXPECT_EQ(B.S->rowOf(V, 21), 6u);
  EXPECT_EQ(B.S->rowOf(V, 20), 21u);
  B.S->finished(W);
  EXPECT_EQ(B.S->inUse(), 3u);
  B.S->finished(V);
  EXPECT_EQ(B.S->inUse(), 0u);
  EXPECT_EQ(B.S->violation(), "");
}

/// Three CTAs may claim 250 rows each of a partition of 512. Younger ones get
/// rows as long as the oldest can still have all of its own.
TEST(RFVScheme, TheOldestCtaKeepsItsReserve) {
  KernelNeeds K{{250, 64, 0}, {}};
  SchemeBench<RFVScheme> B(schemes::RFV, "ltrf-maxwell", K);
  WarpRef Old = B.warp(0, 0, 0), Young = B.warp(4, 1, 0),
          Third = B.warp(8, 2, 0);
  for (const WarpRef &W : {Old, Young, Third})
    B.S->resident(W);
  auto Take = [&](const WarpRef &W, uint32_t First, uint32_t Count) {
    std::vector<uint32_t> Rows(Count);
    for (uint32_t N = 0; N != Count; ++N)
      Rows[N] = First + N;
    Writer Many(Rows);
    if (!B.S->mayIssue(W, Many.Info))
      return false;
    B.S->issued(W, Many.Info);
    return true;
  };
  EXPECT_TRUE(Take(Third, 0, 150));
  EXPECT_TRUE(Take(Young, 0, 112));
  // 250 are free.
  EXPECT_FALSE(Take(Young, 112, 1));
  EXPECT_FALSE(Take(Third, 150, 1));
  EXPECT_TRUE(Take(Old, 0, 250));
  EXPECT_EQ(B.S->inUse(), 512u);
  EXPECT_EQ(B.S->heldBackBy(Young).Holders, 0b100000001u);
  EXPECT_EQ(B.S->takeWoken(), 0u);
  // One row does not help: the younger one may want 137 after that.
  B.S->freed(Old, 0, false);
  EXPECT_EQ(B.S->takeWoken(), 0u);
  B.S->finished(Old);
  EXPECT_EQ(B.S->takeWoken(), 0b100010000u);
  EXPECT_TRUE(Take(Third, 150, 100));
  EXPECT_TRUE(Take(Young, 112, 138));
  EXPECT_EQ(B.S->inUse(), 500u);
}

/// A CTA of 8 warps of 40 registers may claim 320 of 1,024 rows, so that three
/// always fit. More do once it is seen what CTAs use.
TEST(RFVScheme, AsManyCtasAsAreSeenToFit) {
  KernelNeeds K{{40, 256, 0}, {}};
  SchemeBench<RFVScheme> B(schemes::RFV, "gtx480", K);
  ASSERT_EQ(B.Resident.Limits.CTAs, 6u);
  EXPECT_EQ(B.S->ctaLimit(), 3u);
  std::vector<uint32_t> All(40);
  std::iota(All.begin(), All.end(), 0);
  Writer Most(All), Few({0, 1, 2, 3, 4});
  auto Run = [&](const Writer &What) {
    for (unsigned N = 0; N != 8; ++N)
      B.S->resident(B.warp(N, 0, N));
    for (unsigned N = 0; N != 8; ++N)
      B.S->issued(B.warp(N, 0, N), What.Info);
    for (unsigned N = 0; N != 8; ++N)
      B.S->finished(B.warp(N, 0, N));
  };
  // 180 rows on average and 320 at most: 250, of which four fit.
  Run(Most);
  EXPECT_EQ(B.S->ctaLimit(), 4u);
  // 101 on average: 210.
  Run(Few);
  EXPECT_EQ(B.S->ctaLimit(), 4u);
  // 75 on average: 198.
  Run(Few);
  EXPECT_EQ(B.S->ctaLimit(), 5u);
  for (unsigned N = 0; N != 200; ++N)
    Run(Few);
  // 23 on average: 172, of which five fit.
  EXPECT_EQ(B.S->ctaLimit(), 5u);
  EXPECT_EQ(B.S->violation(), "");

  SettingValues Values;
  Values.set(settings::ThrottleCtas, false);
  EXPECT_EQ(
      SchemeBench<RFVScheme>(schemes::RFV, "gtx480", K, Values).S->ctaLimit(),
      6u);
  K.WaitsForOthers = true;
  EXPECT_EQ(
      SchemeBench<RFVScheme>(schemes::RFV, "gtx480", K).Resident.Limits.CTAs,
      3u);
  EXPECT_EQ(
      SchemeBench<RFVScheme>(schemes::RFV, "gtx480", K, Values).S->ctaLimit(),
      3u);
}

/// Warps of CTAs that do not divide evenly go where most room is left.
TEST(RFVScheme, OddCtasDoNotCrowdOnePartition) {
  SchemeBench<RFVScheme> B(schemes::RFV, "hopper", {{32, 32, 0}, {}});
  uint64_t Free = ~uint64_t(0);
  for (unsigned N = 0; N != 4; ++N)
    Free &= ~(uint64_t(1) << *B.S->slotFor(Free, 0, 0, N));
  EXPECT_EQ(~Free, 0b1111u);
}

TEST(RFVScheme, CtasAreSpreadOverPartitions) {
  SchemeBench<RFVScheme> B(schemes::RFV, "hopper", {{32, 128, 0}, {}});
  // Slots 0, 1, 2, 4, 5 and 7 are free, and so on: one of each partition.
  uint64_t Free = 0b10110111, Mine = 0;
  for (unsigned N = 0; N != 4; ++N) {
    unsigned Slot = *B.S->slotFor(Free, Mine, 0, N);
    Free &= ~(uint64_t(1) << Slot);
    Mine |= uint64_t(1) << Slot;
  }
  EXPECT_EQ(Mine, 0b10000111u);
}

TEST(RFVScheme, ViolationsAreFound) {
  SchemeBench<RFVScheme> B(schemes::RFV, "hopper", {{250, 32, 0}, {}});
  for (unsigned N = 0; N != 3; ++N)
    B.S->resident(B.warp(4 * N, 0, N));
  EXPECT_THAT(B.S->violation(),
              HasSubstr("3 warps of a CTA may claim 750 rows"));
}

} // namespace
} // namespace regshare::sim
