//===- SchemeTest.cpp - Tables of the sharing schemes ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/RFV/RFVScheme.h"
#include "Schemes/RegMutex/RegMutexScheme.h"
#include "Schemes/SchemeModel.h"
#include "Schemes/Warpman/WarpmanScheme.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Warpman/Warpman.h"

#include <gmock/gmock.h>
#include <numeric>
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

/// A scheme with everything that it refers to.
template <typename SchemeT> struct Bench {
  DeviceDescription Device;
  CoreConfig Core;
  KernelNeeds Needs;
  Residency Resident;
  SettingValues Values;
  std::optional<SchemeT> S;

  Bench(Scheme Of, const char *Name, KernelNeeds K, SettingValues V = {})
      : Needs(K), Values(V) {
    Device = *loadDevice(Name);
    Core = *readCoreConfig(Device);
    Result<Residency> R = findModel(Of)->residency(Device, Needs, Values);
    EXPECT_TRUE(R) << (R ? "" : R.error().str());
    if (R)
      Resident = *R;
    S.emplace(SchemeContext{Device, Core, Needs, Resident, Values});
  }
  static WarpRef warp(unsigned Slot, unsigned Cta = 0, unsigned Index = 0) {
    return {Slot, Cta, Index};
  }
};

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

/// Y = X + 18 * warp, and behind all base sets the sections of six rows.
TEST(RegMutexScheme, BanksFollowThePhysicalRow) {
  Bench<RegMutexScheme> B(schemes::RegMutex, "gtx480", Example);
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
  Bench<RegMutexPairedScheme> B(schemes::RegMutexPaired, "gtx480", Example);
  for (unsigned Slot : {4, 5}) {
    WarpRef W = B.warp(Slot);
    B.S->resident(W);
    EXPECT_EQ(B.S->read(W, 3).Bank, bankOf(2 * 42 + Slot % 2 * 18 + 3));
    B.S->issued(W, acquire());
    EXPECT_EQ(B.S->read(W, 20).Bank, bankOf(2 * 42 + 36 + 2));
    B.S->issued(W, release());
  }
}

/// A warp of an h100 draws on its own partition: slots mod 4.
TEST(RegMutexScheme, PartitionsDoNotHelpEachOther) {
  Bench<RegMutexScheme> B(schemes::RegMutex, "h100", split(128, {32, 32}));
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

TEST(RegMutexScheme, OverflowIsFound) {
  Bench<RegMutexScheme> B(schemes::RegMutex, "gtx480", Example);
  B.S->resident(B.warp(31));
  EXPECT_EQ(B.S->violation(), "");
  B.S->resident(B.warp(32));
  EXPECT_THAT(B.S->violation(),
              HasSubstr("the register file overflows: warp slot 32"));
}

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
  Bench<RFVScheme> B(schemes::RFV, "gtx480", {{24, 64, 0}, {}});
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
  Bench<RFVScheme> B(schemes::RFV, "ltrf-maxwell", K);
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
  Bench<RFVScheme> B(schemes::RFV, "gtx480", K);
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
  EXPECT_EQ(Bench<RFVScheme>(schemes::RFV, "gtx480", K, Values).S->ctaLimit(),
            6u);
  K.WaitsForOthers = true;
  EXPECT_EQ(Bench<RFVScheme>(schemes::RFV, "gtx480", K).Resident.Limits.CTAs,
            3u);
  EXPECT_EQ(Bench<RFVScheme>(schemes::RFV, "gtx480", K, Values).S->ctaLimit(),
            3u);
}

/// Warps of CTAs that do not divide evenly go where most room is left.
TEST(RFVScheme, OddCtasDoNotCrowdOnePartition) {
  Bench<RFVScheme> B(schemes::RFV, "h100", {{32, 32, 0}, {}});
  uint64_t Free = ~uint64_t(0);
  for (unsigned N = 0; N != 4; ++N)
    Free &= ~(uint64_t(1) << *B.S->slotFor(Free, 0, 0, N));
  EXPECT_EQ(~Free, 0b1111u);
}

TEST(RFVScheme, CtasAreSpreadOverPartitions) {
  Bench<RFVScheme> B(schemes::RFV, "h100", {{32, 128, 0}, {}});
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
  Bench<RFVScheme> B(schemes::RFV, "h100", {{250, 32, 0}, {}});
  for (unsigned N = 0; N != 3; ++N)
    B.S->resident(B.warp(4 * N, 0, N));
  EXPECT_THAT(B.S->violation(),
              HasSubstr("3 warps of a CTA may claim 750 rows"));
}

TEST(WarpmanScheme, WarpsTakeWhatPartitionsHave) {
  // 16,384 registers of a partition are 16 warps of 1,024.
  Bench<WarpmanScheme> B(schemes::Warpman, "h100", {{32, 12 * 32, 0}, {}});
  EXPECT_EQ(B.Resident.Limits.CTAs, 6u);
  EXPECT_EQ(B.Resident.Limits.Warps, 64u);
  uint64_t Free = ~uint64_t(0);
  EXPECT_EQ(B.S->warpsThatFit(Free), 12u);
  EXPECT_EQ(B.S->warpsThatFit(0b10111), 4u);
  EXPECT_EQ(B.S->warpsThatFit(0), 0u);

  // Eleven of 1,472.
  Bench<WarpmanScheme> C(schemes::Warpman, "h100", {{46, 12 * 32, 0}, {}});
  EXPECT_EQ(C.Resident.Limits.CTAs, 4u);
  EXPECT_EQ(C.Resident.Limits.Warps, 40u);
}

TEST(WarpmanScheme, FullPartitionsGetNoWarp) {
  // Ten warps of 48 registers in each of four partitions.
  Bench<WarpmanScheme> B(schemes::Warpman, "h100", {{48, 12 * 32, 0}, {}});
  uint64_t Free = ~uint64_t(0), Mine = 0;
  for (unsigned N = 0; N != 40; ++N) {
    std::optional<unsigned> Slot = B.S->slotFor(Free, Mine, 0, N % 12);
    ASSERT_EQ(Slot, N);
    Free &= ~(uint64_t(1) << *Slot);
    Mine |= uint64_t(1) << *Slot;
    if (N % 12 == 11)
      Mine = 0;
  }
  EXPECT_FALSE(B.S->slotFor(Free, 0, 3, 4));
  EXPECT_EQ(B.S->warpsThatFit(Free), 0u);
  // A warp of partition 2 ends: the next one comes there.
  Free |= uint64_t(1) << 6;
  EXPECT_EQ(B.S->warpsThatFit(Free), 1u);
  EXPECT_EQ(B.S->slotFor(Free, 0, 3, 4), 6u);
}

TEST(WarpmanScheme, NoPartOfACtaThatMayWaitForOthers) {
  KernelNeeds K{{48, 12 * 32, 0}, {}};
  K.WaitsForOthers = true;
  Bench<WarpmanScheme> B(schemes::Warpman, "h100", K);
  EXPECT_EQ(B.Resident.Limits.CTAs, 3u);
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0)), 12u);
  // Slots 0 to 31 are taken; eight more warps have registers.
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0) << 32), 0u);
  // From 28 on, it is twelve.
  EXPECT_EQ(B.S->warpsThatFit(~uint64_t(0) << 28), 12u);
}

} // namespace
} // namespace regshare::sim
