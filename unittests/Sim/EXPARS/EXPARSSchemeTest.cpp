//===- EXPARSSchemeTest.cpp - EXPARS' prefetcher, call by call ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSBench.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include <gmock/gmock.h>

#include <set>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

/// A cycle to be granted the lines, one for each row, and the scratchpad's
/// latency. Which is in the queue's order.
TEST(EXPARSScheme, RowsComeOneByOne) {
  Bench B(Sets{{8, 9, 14}});
  const WarpRef W = mixed(0);
  B.S.bundleBegins(W, 0);
  EXPECT_EQ(B.S.nextWork(Begin), Begin + 1);
  EXPECT_FALSE(B.mayIssue(W, 0));
  EXPECT_EQ(B.S.readyAt(W), Never);
  B.tick(3);
  EXPECT_EQ(B.stats().Fetched, 2u);
  EXPECT_EQ(B.S.takeWoken(), 0u);
  EXPECT_EQ(B.S.readyAt(W), Never);
  B.tick();
  EXPECT_EQ(B.stats().Fetched, 3u);
  EXPECT_EQ(B.S.takeWoken(), uint64_t(1) << W.Slot);
  const Cycle Ready = Begin + 1 + 3 + Latency + 1;
  EXPECT_EQ(B.S.readyAt(W), Ready);
  EXPECT_EQ(B.S.nextWork(B.Now), Never);
  // It is written into its bank in the cycle before.
  while (B.Now != Ready - 1) {
    EXPECT_FALSE(B.mayIssue(W, 0));
    B.tick();
  }
  EXPECT_EQ(B.S.takenBanks(), 1u << B.S.read(W, 14).Bank);
  EXPECT_FALSE(B.mayIssue(W, 0));
  B.tick();
  EXPECT_TRUE(B.mayIssue(W, 0));
  EXPECT_EQ(B.S.takenBanks(), 0u);
}

TEST(EXPARSScheme, WholeCTAsAndEmptyBundlesNeedNothing) {
  Bench B(Sets{{8, 9}, {}, {6, 7}});
  B.S.bundleBegins(whole(0), 0);
  EXPECT_TRUE(B.mayIssue(whole(0), 0));
  B.execute(whole(0), Step(0, {8}, {9}));
  for (uint32_t Bundle : {1, 2}) {
    B.S.bundleBegins(mixed(0), Bundle);
    EXPECT_TRUE(B.mayIssue(mixed(0), Bundle));
  }
  B.execute(mixed(0), Step(2, {6}, {7}, true));
  EXPECT_EQ(B.S.nextWork(B.Now), Never);
  EXPECT_EQ(B.S.violation(), "");
  EXPECT_EQ(B.stats().Prefs, 3u);
  EXPECT_EQ(B.stats().Bundles, 0u);
  EXPECT_EQ(B.stats().Reads + B.stats().Writes, 0u);
}

/// Start_Reg divides the pair R7 and R8 of this bundle.
TEST(EXPARSScheme, HalfOfAPair) {
  Bench B(Sets{{7, 8}});
  const WarpRef W = mixed(1);
  B.enter(W, 0);
  EXPECT_EQ(B.stats().Fetched, 1u);
  B.execute(W, Step(0, {7, 8}, {7, 8}));
  EXPECT_EQ(B.stats().Reads, 1u);
  EXPECT_EQ(B.stats().Writes, 1u);
  const unsigned Main = B.Core.MainBanks;
  EXPECT_EQ(B.S.read(W, 7).Bank, (7 + W.Slot) % Main);
  EXPECT_EQ(B.S.read(W, 8).Bank, Main + 8 % 4);
  EXPECT_EQ(B.S.read(whole(1), 8).Bank, (8 + whole(1).Slot) % Main);
  EXPECT_EQ(B.S.resultBanks(W, Step(0, {}, {7, 8}).Info, Regs),
            1u << (7 + W.Slot) % Main | 1u << (Main + 8 % 4));
}

TEST(EXPARSScheme, WhatIsThereIsNotFetchedAgain) {
  Bench B(Sets{{8, 9}, {9, 10}});
  B.enter(mixed(0), 0);
  B.end(mixed(0), 0);
  B.S.bundleBegins(mixed(0), 1);
  B.tick(2);
  EXPECT_EQ(B.stats().Hits, 1u);
  EXPECT_EQ(B.stats().Fetched, 3u);
  B.tick(Latency + 1);
  EXPECT_TRUE(B.mayIssue(mixed(0), 1));
  B.end(mixed(0), 1);
  // All of it: ready as soon as it is granted.
  B.S.bundleBegins(mixed(0), 0);
  B.S.takeWoken();
  B.tick();
  EXPECT_EQ(B.S.takeWoken(), uint64_t(1) << mixed(0).Slot);
  EXPECT_TRUE(B.mayIssue(mixed(0), 0));
  EXPECT_EQ(B.stats().Hits, 3u);
  EXPECT_EQ(B.stats().Fetched, 3u);
  EXPECT_EQ(B.stats().Bundles, 3u);
}

/// Lines that others need are waited for, whoever is behind in the queue; and
/// the first in the queue is the warp whose bundle ended last.
TEST(EXPARSScheme, TheLastComesFirst) {
  Bench B(Sets{{8}, {8 + 16}, {9}, {10}});
  B.enter(mixed(0), 0);
  B.enter(mixed(3), 3);
  B.end(mixed(3), 3);
  B.S.bundleBegins(mixed(1), 1); // New.
  B.S.bundleBegins(mixed(2), 2); // New: could go on, and is behind.
  B.tick(100);
  EXPECT_EQ(B.S.readyAt(mixed(2)), Never);
  EXPECT_EQ(B.S.heldBackBy(mixed(1)).Holders, uint64_t(1) << mixed(0).Slot);
  // Whom the first one waits for keeps out those after it as well.
  EXPECT_EQ(B.S.heldBackBy(mixed(2)).Holders, uint64_t(1) << mixed(0).Slot);
  EXPECT_EQ(B.S.nextWork(B.Now), Never);
  // One that has run goes first, and waits for nobody.
  B.S.bundleBegins(mixed(3), 3);
  B.tick();
  EXPECT_TRUE(B.mayIssue(mixed(3), 3));
  B.end(mixed(3), 3);
  // As would this one, for what the first new one waits for.
  B.end(mixed(0), 0);
  B.S.bundleBegins(mixed(0), 0);
  B.tick();
  EXPECT_TRUE(B.mayIssue(mixed(0), 0));
  B.end(mixed(0), 0);
  B.tick(2);
  EXPECT_EQ(B.S.heldBackBy(mixed(0)).Holders, 0u);
  B.tick(2 + Latency + 1);
  EXPECT_TRUE(B.mayIssue(mixed(1), 1));
  EXPECT_TRUE(B.mayIssue(mixed(2), 2));
}

/// Two warps that always come back could keep a third one out.
TEST(EXPARSScheme, WhoWasOvertakenOftenGoesFirst) {
  Bench B(Sets{{8}});
  B.enter(mixed(0), 0);
  B.S.bundleBegins(mixed(1), 0);
  B.S.bundleBegins(mixed(2), 0);
  unsigned Grants = 0;
  std::set<unsigned> Served;
  while (!Served.count(2) && Grants != 500) {
    unsigned Runs = 0;
    while (Runs != 3 && !B.mayIssue(mixed(Runs), 0))
      ++Runs;
    if (Runs == 3) {
      B.tick();
      continue;
    }
    ++Grants;
    Served.insert(Runs);
    B.end(mixed(Runs), 0);
    B.S.bundleBegins(mixed(Runs), 0);
  }
  EXPECT_TRUE(Served.count(1));
  EXPECT_LE(Grants, 64u + 4);
  EXPECT_GE(Grants, 64u);
}

/// A line stays until it has been read, and until its result is there.
TEST(EXPARSScheme, InstructionsUnderWayKeepTheirLines) {
  Bench B(Sets{{8}, {8 + 16}});
  B.enter(mixed(0), 0);
  const Step I(0, {8}, {8}, true);
  B.S.issued(mixed(0), I.Info);
  B.S.started(mixed(0), I.Info);
  B.S.bundleBegins(mixed(1), 1);
  B.tick(50);
  EXPECT_EQ(B.stats().Fetched, 1u);
  B.S.collected(mixed(0), I.Info);
  B.tick(50);
  EXPECT_EQ(B.stats().Fetched, 1u);
  EXPECT_EQ(B.S.heldBackBy(mixed(1)).Holders, uint64_t(1) << mixed(0).Slot);
  EXPECT_EQ(B.S.resultBanks(mixed(0), I.Info, Regs),
            1u << B.S.read(mixed(0), 8).Bank);
  B.S.landed(mixed(0), I.Info);
  EXPECT_EQ(B.S.nextWork(B.Now), B.Now + 1);
  // What was changed goes back first.
  B.tick(2);
  EXPECT_EQ(B.stats().WrittenBack, 1u);
  EXPECT_EQ(B.S.takenBanks(), 1u << B.S.read(mixed(0), 8).Bank);
  EXPECT_EQ(B.stats().Fetched, 1u);
  B.tick();
  EXPECT_EQ(B.stats().Fetched, 2u);
  EXPECT_EQ(B.S.readyAt(mixed(1)), B.Now + Latency + 1);
}

/// What a load brings is awaited before the row is fetched. It is written where
/// the register is when it comes.
TEST(EXPARSScheme, LateResults) {
  for (bool IsDisplaced : {false, true}) {
    Bench B(Sets{{8}, {8 + 16}});
    B.enter(mixed(0), 0);
    const Step Load(0, {}, {8}, true, true);
    B.S.issued(mixed(0), Load.Info);
    B.S.started(mixed(0), Load.Info);
    B.S.collected(mixed(0), Load.Info);
    B.S.bundleBegins(mixed(0), 0);
    B.tick(50);
    EXPECT_FALSE(B.mayIssue(mixed(0), 0));
    EXPECT_EQ(B.S.nextWork(B.Now), Never);
    EXPECT_EQ(B.stats().Hits, 0u);
    if (IsDisplaced) {
      B.enter(mixed(1), 1);
      B.end(mixed(1), 1);
    }
    EXPECT_EQ(B.stats().WrittenBack, 0u);
    const uint64_t Fetched = B.stats().Fetched;
    EXPECT_EQ(B.S.resultBanks(mixed(0), Load.Info, Regs) != 0, !IsDisplaced);
    B.S.landed(mixed(0), Load.Info);
    B.tick();
    EXPECT_EQ(B.stats().LateWrites, IsDisplaced);
    EXPECT_EQ(B.stats().Writes, !IsDisplaced);
    EXPECT_EQ(B.stats().Hits, !IsDisplaced);
    B.tick();
    EXPECT_EQ(B.stats().Fetched, Fetched + IsDisplaced);
    EXPECT_EQ(B.S.readyAt(mixed(0)) > B.Now, IsDisplaced);
  }
}

/// Of two rows one has gone through the port when other lanes come to run: it
/// is there when it comes, and the other one is not.
TEST(EXPARSScheme, FetchesOfLanesThatDoNotRunAreLeft) {
  Bench B(Sets{{8, 9}, {8}, {9}});
  B.S.bundleBegins(mixed(0), 0);
  B.tick(2);
  EXPECT_EQ(B.stats().Fetched, 1u);
  const Cycle There = B.Now + Latency + 1;
  EXPECT_FALSE(B.mayIssue(mixed(0), 1));
  EXPECT_EQ(B.stats().ResumePrefs, 1u);
  B.tick(2);
  EXPECT_EQ(B.stats().Fetched, 1u);
  EXPECT_EQ(B.stats().Hits, 1u);
  EXPECT_EQ(B.S.readyAt(mixed(0)), There);
  while (B.Now != There)
    B.tick();
  EXPECT_TRUE(B.mayIssue(mixed(0), 1));
  B.S.bundleBegins(mixed(0), 2);
  B.tick(2);
  EXPECT_EQ(B.stats().Hits, 1u);
  EXPECT_EQ(B.stats().Fetched, 2u);
}

/// Lanes that go on in a bundle without registers in scratchpad leave the lines
/// of the others to whoever needs them: they may come to a barrier.
TEST(EXPARSScheme, OtherLanesGiveTheLinesBack) {
  Bench B(Sets{{8}, {}, {8 + 16}});
  B.enter(mixed(0), 0);
  B.S.bundleBegins(mixed(1), 2);
  B.tick(10);
  EXPECT_EQ(B.stats().Fetched, 1u);
  EXPECT_TRUE(B.mayIssue(mixed(0), 1));
  EXPECT_EQ(B.stats().ResumePrefs, 0u);
  B.tick(2);
  EXPECT_EQ(B.stats().Fetched, 2u);
  EXPECT_FALSE(B.mayIssue(mixed(0), 0));
  EXPECT_EQ(B.stats().ResumePrefs, 1u);
}

/// A barrier in the middle of a block of inline PTX, or where no bundle is.
TEST(EXPARSScheme, WhereTheWarpMayWaitItHoldsNothing) {
  for (uint32_t Bundle : {uint32_t(0), NoGroup}) {
    Bench B(Sets{{8}, {8 + 16}});
    B.enter(mixed(0), 0);
    B.S.bundleBegins(mixed(1), 1);
    EXPECT_TRUE(B.mayIssue(mixed(0), Bundle));
    B.end(mixed(0), Bundle);
    B.tick(2);
    EXPECT_EQ(B.stats().Fetched, 2u);
  }
}

/// What a warp leaves is not written back.
TEST(EXPARSScheme, TheEndOfAWarp) {
  Bench B(Sets{{8}, {8 + 16}});
  B.enter(mixed(0), 0);
  B.execute(mixed(0), Step(0, {}, {8}));
  const Step Load(0, {}, {8}, true, true);
  B.S.issued(mixed(0), Load.Info);
  B.S.started(mixed(0), Load.Info);
  B.S.exited(mixed(0));
  B.S.collected(mixed(0), Load.Info);
  B.S.landed(mixed(0), Load.Info);
  B.S.finished(mixed(0));
  B.enter(mixed(1), 1);
  EXPECT_EQ(B.stats().WrittenBack, 0u);
  EXPECT_EQ(B.stats().LateWrites, 0u);
  // The next one in its slot has none of it.
  B.end(mixed(1), 1);
  B.S.resident(mixed(0));
  B.S.bundleBegins(mixed(0), 0);
  B.tick(2);
  EXPECT_EQ(B.stats().Hits, 0u);
  EXPECT_EQ(B.stats().Fetched, 3u);
}

/// One that ends while it waits leaves the queue.
TEST(EXPARSScheme, TheEndOfAWarpThatWaits) {
  Bench B(Sets{{8}, {8 + 16}, {8, 9}});
  B.enter(mixed(0), 0);
  B.S.bundleBegins(mixed(1), 1);
  B.S.bundleBegins(mixed(2), 2);
  B.tick(5);
  B.S.exited(mixed(1));
  B.S.finished(mixed(1));
  B.end(mixed(0), 0);
  B.tick(4);
  EXPECT_EQ(B.stats().Fetched, 3u);
  // Or on its way in.
  B.S.bundleBegins(mixed(3), 1);
  B.end(mixed(2), 2);
  B.tick();
  B.S.exited(mixed(3));
  B.tick(5);
  EXPECT_EQ(B.stats().Fetched, 3u);
  EXPECT_EQ(B.S.nextWork(B.Now), Never);
}

TEST(EXPARSScheme, ARegisterThatNobodyBroughtBreaksARule) {
  Bench B(Sets{{8}});
  B.S.issued(mixed(0), Step(0, {9}, {}).Info);
  EXPECT_THAT(B.S.violation(), HasSubstr("does not have R9"));
  Bench Whole(Sets{{8}});
  Whole.S.issued(whole(0), Step(0, {9}, {}).Info);
  EXPECT_EQ(Whole.S.violation(), "");
}

/// A barrier or a jump through a table names registers that nothing reads out
/// of a bank; the energy account takes operands of lines off those of banks.
TEST(EXPARSScheme, OnlyWhatIsReadOutOfBanksCounts) {
  Bench B(Sets{{8, 9}});
  B.enter(mixed(0), 0);
  B.S.issued(mixed(0), Step(0, {8}, {}).Info);
  EXPECT_EQ(B.stats().Reads, 0u);
  B.execute(mixed(0), Step(0, {8, 9}, {}));
  EXPECT_EQ(B.stats().Reads, 2u);
}

/// Predicates of a function with fewer registers than the kernel have numbers
/// that are registers elsewhere.
TEST(EXPARSScheme, PredicatesAreNotInScratchpad) {
  Bench B(Sets{{8}});
  B.enter(mixed(0), 0);
  Step I(0, {8, 14}, {8, 15});
  I.Info.Registers = 12;
  B.execute(mixed(0), I);
  EXPECT_EQ(B.S.violation(), "");
  EXPECT_EQ(B.stats().Reads, 1u);
  EXPECT_EQ(B.stats().Writes, 1u);
}

/// CTAs have registers in scratchpad only where a grid has so many.
TEST(EXPARSScheme, SmallGridsHaveNoMixedCTAs) {
  DeviceDescription D = *loadDevice("gtx480,sms=3");
  KernelNeeds K{{36, 256, 3072}, {}};
  K.Facts.set(BundleBounds{{}, 8});
  const SchemeModel &Model = *findModel(schemes::EXPARS);
  const unsigned Own = occupancy(D, K.Resources).CTAs;
  for (unsigned Grid : {1u, 2u, 3 * Own, 3 * Own + 1, 1000u}) {
    K.GridCTAs = Grid;
    Result<Residency> R = Model.residency(D, K, {});
    ASSERT_TRUE(R) << R.error().str();
    const auto &Of = *R->Layout.get<EXPARSResidency>();
    EXPECT_EQ(Of.MixedCTAs > 0, Grid > 3 * Own) << Grid;
    EXPECT_EQ(R->Limits.CTAs > Own, Grid > 3 * Own) << Grid;
    EXPECT_EQ(R->Limits.CTAs, Of.ctas());
    EXPECT_GE(Of.StartReg, 8u);
  }
  // Where τ leaves none, and where not one CTA fits.
  SettingValues None;
  None.set(settings::Tau, 0);
  EXPECT_EQ(Model.residency(D, K, None)->Limits.CTAs, Own);
  K.Resources.SharedPerCTA = 50'000;
  EXPECT_THAT(Model.residency(D, K, {}).error().str(),
              HasSubstr("not even one CTA fits into an SM of 'gtx480"));
}

TEST(EXPARSScheme, NoRoomForTheBanks) {
  CoreConfig C = *readCoreConfig(*loadDevice("gtx480"));
  C.MainBanks = C.Banks = 29;
  EXPECT_THAT(
      findModel(schemes::EXPARS)->coreFor(C, Bench::needs(2048)).error().str(),
      HasSubstr("29 banks leaves none"));
}

} // namespace
} // namespace regshare::sim
