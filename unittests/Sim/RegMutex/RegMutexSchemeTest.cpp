//===- RegMutexSchemeTest.cpp - Tables of RegMutex ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/RegMutex/RegMutexScheme.h"
#include "Timing/SchemeBench.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

#include <gmock/gmock.h>
#include <random>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

PartitionShape shape(unsigned Warps, unsigned Sections) {
  return {Warps, Sections, {18, 6}};
}

TEST(SharedPool, FindsTheFirstZero) {
  SharedPool P(shape(8, 3));
  for (unsigned Warp : {5, 2, 7}) {
    ASSERT_TRUE(P.sectionFor(Warp));
    P.take(Warp, *P.sectionFor(Warp));
  }
  EXPECT_EQ(P.state().Lut[5], 0u);
  EXPECT_EQ(P.state().Lut[2], 1u);
  EXPECT_EQ(P.state().Lut[7], 2u);
  EXPECT_FALSE(P.sectionFor(0));
  EXPECT_EQ(P.holders(0), 0b10100100u);
  P.giveBack(7);
  P.giveBack(5);
  // The lower one, though it came free later.
  EXPECT_EQ(P.sectionFor(0), 0u);
  EXPECT_EQ(P.inUse(), 1u);
}

TEST(SharedPool, BitsWithoutASectionStaySet) {
  EXPECT_EQ(SharedPool(shape(48, 26)).state().Taken, ~uint64_t(0) << 26);
  EXPECT_EQ(SharedPool(shape(64, 64)).state().Taken, 0u);
  EXPECT_FALSE(SharedPool(shape(4, 0)).sectionFor(0));
}

/// Against a slow model: any order of takes and returns.
TEST(SharedPool, AgainstASet) {
  std::mt19937 Random(3);
  SharedPool P(shape(48, 26));
  std::map<unsigned, unsigned> Held;
  for (unsigned N = 0; N != 20'000; ++N) {
    unsigned Warp = unsigned(Random() % 48);
    if (Held.count(Warp)) {
      P.giveBack(Warp);
      Held.erase(Warp);
    } else {
      unsigned First = 0;
      while (std::ranges::any_of(
          Held, [&](const auto &Each) { return Each.second == First; }))
        ++First;
      if (First == 26) {
        EXPECT_FALSE(P.sectionFor(Warp));
        continue;
      }
      ASSERT_EQ(P.sectionFor(Warp), First);
      P.take(Warp, First);
      Held[Warp] = First;
    }
    ASSERT_EQ(P.inUse(), Held.size());
    ASSERT_EQ(P.inconsistency(), "");
  }
}

TEST(SharedPool, TwoOwnersAreFound) {
  SharedPool P(shape(8, 3));
  P.take(1, 0);
  P.take(2, 1);
  EXPECT_EQ(P.inconsistency(), "");
  P.state().Lut[2] = 0;
  EXPECT_THAT(P.inconsistency(),
              HasSubstr("SRP section 0 is held by two warps, 1 and 2"));
  P.state().Lut[2] = 1;
  P.state().Taken &= ~uint64_t(2);
  EXPECT_THAT(P.inconsistency(),
              HasSubstr("SRP section 1 is held and counts as free"));
  P.state().Lut[2] = 3;
  EXPECT_THAT(P.inconsistency(), HasSubstr("does not exist: there are 3"));
}

TEST(PairedPool, NeighboursExcludeEachOther) {
  PairedPool P({6, 3, {18, 6}});
  EXPECT_EQ(P.sectionFor(2), 1u);
  P.take(2, 1);
  EXPECT_FALSE(P.sectionFor(3));
  EXPECT_EQ(P.holders(3), 0b100u);
  EXPECT_EQ(P.holders(4), 0u);
  EXPECT_TRUE(P.sectionFor(4));
  P.giveBack(2);
  EXPECT_EQ(P.sectionFor(3), 1u);
  P.take(3, 1);
  EXPECT_EQ(P.inconsistency(), "");
  P.state() |= 1u << 2;
  EXPECT_THAT(P.inconsistency(),
              HasSubstr("pair 1 is held by two warps, 2 and 3"));
}

IssueInfo acquire() {
  IssueInfo I;
  I.Statement = RegMutexCode::Acquire;
  return I;
}

IssueInfo release() {
  IssueInfo I;
  I.Statement = RegMutexCode::Release;
  return I;
}

KernelNeeds split(unsigned Threads, RegMutexSplit S) {
  KernelNeeds K{{S.Base + S.Extended, Threads, 0}};
  K.Facts.set(S);
  return K;
}
const KernelNeeds Example = split(128, {18, 6});

/// 16 banks, skewed.
unsigned bankOf(unsigned Row) { return (Row + Row / 16) % 16; }

/// Y = X + 18 * warp, and after all base sets the sections of six rows.
TEST(RegMutexScheme, BanksFollowThePhysicalRow) {
  SchemeBench<RegMutexScheme> B(schemes::RegMutex, "gtx480", Example);
  ASSERT_EQ(B.Resident.Limits.Warps, 32u);
  WarpRef W = B.warp(7), Other = B.warp(20);
  B.S->resident(W);
  B.S->resident(Other);
  for (unsigned X = 0; X != 18; ++X)
    EXPECT_EQ(B.S->read(W, X).Bank, bankOf(X + 7 * 18));
  for (const WarpRef &First : {W, Other}) {
    ASSERT_TRUE(B.S->mayIssue(First, acquire()));
    B.S->issued(First, acquire());
  }
  for (unsigned X = 18; X != 24; ++X) {
    EXPECT_EQ(B.S->read(W, X).Bank, bankOf(32 * 18 + X - 18));
    EXPECT_EQ(B.S->write(Other, X).Bank, bankOf(32 * 18 + 6 + X - 18));
  }
  // The next holder of a section is where the last one was.
  B.S->issued(W, release());
  B.S->issued(Other, release());
  B.S->issued(Other, acquire());
  EXPECT_EQ(B.S->read(Other, 18).Bank, bankOf(32 * 18));
}

/// Three rows of 2 * 18 + 6 for each pair.
TEST(RegMutexPairedScheme, BanksFollowThePhysicalRow) {
  SchemeBench<RegMutexPairedScheme> B(schemes::RegMutexPaired, "gtx480",
                                      Example);
  for (unsigned Slot : {4, 5}) {
    WarpRef W = B.warp(Slot);
    B.S->resident(W);
    EXPECT_EQ(B.S->read(W, 3).Bank, bankOf(2 * 42 + Slot % 2 * 18 + 3));
    B.S->issued(W, acquire());
    EXPECT_EQ(B.S->read(W, 20).Bank, bankOf(2 * 42 + 36 + 2));
    B.S->issued(W, release());
  }
}

/// A warp of an hopper draws on its own partition: slots mod 4.
TEST(RegMutexScheme, PartitionsDoNotHelpEachOther) {
  SchemeBench<RegMutexScheme> B(schemes::RegMutex, "hopper",
                                split(128, {32, 32}));
  ASSERT_EQ(B.Resident.Limits.Warps, 60u);
  ASSERT_THAT(B.Resident.Layout.get<SectionCounts>()->OfPartition,
              testing::ElementsAre(1, 1, 1, 1));
  for (unsigned Slot = 0; Slot != 8; ++Slot) {
    WarpRef W = B.warp(Slot);
    B.S->resident(W);
    EXPECT_EQ(B.S->mayIssue(W, acquire()), Slot < 4) << Slot;
    if (Slot < 4)
      B.S->issued(W, acquire());
  }
  EXPECT_EQ(B.S->takeWoken(), 0u);
  EXPECT_EQ(B.S->heldBackBy(B.warp(6)).Holders, 1u << 2);
  B.S->issued(B.warp(2), release());
  EXPECT_EQ(B.S->takeWoken(), 1u << 6);
  EXPECT_EQ(B.S->stats().Attempts, 8u);
  EXPECT_EQ(B.S->inUse(), 3u);
}

/// On a GV100 each CTA slot begins with another sub-core. Whatever warps have
/// ended, one that may be resident has a slot with a base set.
template <typename SchemeT> void checkSlots(Scheme Of, RegMutexSplit Split) {
  constexpr unsigned WarpsOfCta = 6;
  SchemeBench<SchemeT> B(Of, "gv100", split(WarpsOfCta * 32, Split));
  std::vector<uint64_t> Ctas(B.Resident.Limits.CTAs);
  ASSERT_GT(Ctas.size(), 2u);
  std::mt19937 Random(7);
  uint64_t Busy = 0;
  for (unsigned Round = 0; Round != 500; ++Round) {
    unsigned Cta = unsigned(Random() % Ctas.size());
    Busy &= ~std::exchange(Ctas[Cta], 0);
    for (unsigned Index = 0; Index != WarpsOfCta; ++Index) {
      std::optional<unsigned> Slot = B.S->slotFor(~Busy, Ctas[Cta], Cta, Index);
      ASSERT_TRUE(Slot) << "round " << Round;
      ASSERT_FALSE(Busy >> *Slot & 1);
      Busy |= uint64_t(1) << *Slot;
      Ctas[Cta] |= uint64_t(1) << *Slot;
      B.S->resident(B.warp(*Slot, Cta, Index));
      ASSERT_EQ(B.S->violation(), "") << "round " << Round;
    }
  }
}

TEST(RegMutexScheme, EveryWarpHasABaseSet) {
  checkSlots<RegMutexScheme>(schemes::RegMutex, {58, 14});
  checkSlots<RegMutexPairedScheme>(schemes::RegMutexPaired, {58, 14});
}

TEST(RegMutexScheme, OverflowIsFound) {
  SchemeBench<RegMutexScheme> B(schemes::RegMutex, "gtx480", Example);
  B.S->resident(B.warp(31));
  EXPECT_EQ(B.S->violation(), "");
  B.S->resident(B.warp(32));
  EXPECT_THAT(B.S->violation(),
              HasSubstr("the register file overflows: warp slot 32"));
}

} // namespace
} // namespace regshare::sim
