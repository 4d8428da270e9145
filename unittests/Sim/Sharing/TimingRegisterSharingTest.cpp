//===- TimingRegisterSharingTest.cpp - Register sharing, with timing ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register sharing on every device and under every scheduler, against the
/// functional mode, the rules of the paper, and Baseline.
///
//===----------------------------------------------------------------------===//

#include "RegisterPairs.h"

namespace regshare::sim {
namespace {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Rounds between barriers, more of them in some CTAs.
const std::string Barriers =
    "and.b32 %r4, %r3, 3;\nadd.u32 %r4, %r4, 2;\nmov.u32 %r5, %r2;\nLOOP:\n"
    "bar.sync 0;\nmad.lo.u32 %r8, %r5, 7, %r2;\nxor.b32 %r5, %r5, %r8;\n"
    "bar.sync 0;\nsub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n"
    "@%p1 bra LOOP;\n" +
    Store;

/// The lanes of a warp come to the barrier one half after the other, and one
/// half alone names a shared register before.
const std::string Halves =
    "and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, 0;\nmov.u32 %r5, 5;\n"
    "@%p1 bra EVEN;\nadd.u32 %r9, %r2, 3;\nmov.u32 %r5, %r9;\n"
    "barrier.sync 0;\nbra JOIN;\nEVEN:\nadd.u32 %r5, %r5, 1;\n"
    "barrier.sync 0;\nJOIN:\nadd.u32 %r5, %r5, %r3;\nbar.sync 0;\n"
    "add.u32 %r11, %r5, 2;\nadd.u32 %r5, %r5, %r11;\n" +
    Store;

/// Lanes go round as often as their number says.
const std::string Loops =
    "and.b32 %r4, %r2, 7;\nmov.u32 %r5, %r3;\nLOOP:\n"
    "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra DONE;\nadd.u32 %r10, %r5, %r4;\n"
    "mad.lo.u32 %r5, %r10, 3, %r5;\nsub.u32 %r4, %r4, 1;\nbra LOOP;\nDONE:\n" +
    Store;

/// Lanes and whole warps end before they name a shared register, and others
/// while they hold.
const std::string Exits =
    "mov.u32 %r5, 4;\n" + Store +
    "setp.ge.u32 %p1, %r2, 64;\n@%p1 exit;\nand.b32 %r4, %r2, 3;\n"
    "setp.eq.u32 %p2, %r4, 1;\n@%p2 exit;\nadd.u32 %r8, %r2, %r3;\n"
    "setp.eq.u32 %p2, %r4, 2;\n@%p2 exit;\nbar.sync 0;\n"
    "mul.lo.u32 %r5, %r8, 5;\n" +
    Store;

/// One warp of each CTA names shared registers, the others go their way.
const std::string OneWarp =
    "mov.u32 %r5, %r2;\nsetp.ge.u32 %p1, %r2, 32;\n@%p1 bra OTHERS;\n"
    "mov.u32 %r10, 40;\nLOOP:\nmad.lo.u32 %r5, %r5, 5, %r10;\n"
    "sub.u32 %r10, %r10, 1;\nsetp.ne.u32 %p2, %r10, 0;\n@%p2 bra LOOP;\n"
    "OTHERS:\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n" +
    Store;

/// The values come from beyond the SM into shared registers.
const std::string Loads =
    "mov.u32 %r4, 4;\nmov.u32 %r5, %r2;\nLOOP:\n"
    "ld.global.u32 %r6, [%rd0];\nadd.u32 %r5, %r5, %r6;\n"
    "mul.lo.u32 %r9, %r5, 3;\nst.global.u32 [%rd0], %r9;\n"
    "sub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra LOOP;\n" +
    Store;

/// A branch of its own on nothing but a predicate.
const std::string Callee =
    ".func f(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
    ".reg .b64 %rd<1>;\nld.param.u64 %rd0, [p];\nld.global.u32 %r1, [%rd0];\n"
    "setp.lt.u32 %p0, %r1, 40;\n@%p0 bra SMALL;\nadd.u32 %r1, %r1, 7;\n"
    "SMALL:\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;\nret;\n}\n";
const std::string Call =
    "mov.u32 %r5, %r2;\n" + Store +
    "{\n.param .b64 a;\nst.param.b64 [a], %rd0;\ncall.uni f, (a);\n}\n"
    "bar.sync 0;\nld.global.u32 %r5, [%rd0];\nadd.u32 %r5, %r5, %r3;\n" +
    Store;

/// Warps go on for long with private registers, some without ever having named
/// another, and meet in between.
const std::string Releases =
    "mov.u32 %r5, %r2;\nsetp.ge.u32 %p1, %r2, 64;\n@%p1 bra OTHERS;\n"
    "mad.lo.u32 %r9, %r2, 5, %r3;\nbar.sync 0;\nadd.u32 %r5, %r9, 1;\n" +
    Release + "bra MEET;\nOTHERS:\n" + Release +
    "bar.sync 0;\nMEET:\nmov.u32 %r4, 20;\nLOOP:\n"
    "mad.lo.u32 %r5, %r5, 3, %r4;\nsub.u32 %r4, %r4, 1;\n"
    "setp.ne.u32 %p2, %r4, 0;\n@%p2 bra LOOP;\nbar.sync 0;\n" +
    Release + Store;

/// Lanes part for their last use of shared registers, and the warp releases
/// where they meet.
const std::string SideReleases =
    "and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra EVEN;\n"
    "add.u32 %r8, %r2, 9;\nmul.lo.u32 %r5, %r8, %r8;\nbra JOIN;\nEVEN:\n"
    "sub.u32 %r5, %r3, %r2;\nJOIN:\n" +
    Release + "setp.lt.u32 %p1, %r2, 40;\n@%p1 exit;\nadd.u32 %r5, %r5, 1;\n" +
    Store;

struct Case {
  const char *Name;
  std::string Text;
  bool HasReleases = false;
};
const std::vector<Case> &cases() {
  static const std::vector<Case> All = {
      {"Barriers", plain().around(Barriers)},
      {"Halves", plain().around(Halves)},
      {"Loops", plain().around(Loops)},
      {"Exits", plain().around(Exits)},
      {"OneWarp", plain().around(OneWarp)},
      {"Loads", plain().around(Loads)},
      {"Call", plain(Callee).around(Call)},
      {"Releases", releasing().around(Releases), true},
      {"SideReleases", releasing().around(SideReleases), true}};
  return All;
}

//===----------------------------------------------------------------------===//
// Every kernel, device and scheduler
//===----------------------------------------------------------------------===//

class RegisterSharingTest
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

/// CTAs of several warps, some with one that is not full, and of one.
constexpr std::pair<unsigned, unsigned> Shapes[] = {
    {96, 500}, {80, 100}, {32, 250}, {17, 500}};

TEST_P(RegisterSharingTest, SameMemoryAndTheRulesHold) {
  auto [Name, Scheduler] = GetParam();
  for (const Case &Each : cases())
    for (auto [Block, PerMille] : Shapes) {
      SCOPED_TRACE(testing::Message() << Each.Name << " " << Block);
      const PairLaunch L{14, Block};
      DeviceDescription D = withPairs(Name, Block, PerMille);
      PairRun R = runPairs(D, Each.Text, sharing(Scheduler, PerMille), L);
      EXPECT_EQ(R.Out, expectedWords(Each.Text, L));
      PairOracle O = followPairs(SharedResource::Registers,
                                 residencyOn(D, Block, PerMille), R.Stats,
                                 false, Each.HasReleases);
      EXPECT_GT(O.Locks, 0u);
      EXPECT_EQ(O.MostCtas, std::min(R.Stats.Resident.CTAs, L.Grid / 2));
    }
}

TEST_P(RegisterSharingTest, EveryCycleAndAnyThreadsGiveTheSame) {
  auto [Name, Scheduler] = GetParam();
  for (const Case &Each : cases()) {
    SCOPED_TRACE(Each.Name);
    DeviceDescription D = withPairs(Name, 96, 500, 3);
    TimingOptions Options = sharing(Scheduler);
    Options.Settings.set(settings::DynamicWarps, true);
    TimingStats First = runPairs(D, Each.Text, Options).Stats;
    Options.Threads = 3;
    expectSamePairs(First, runPairs(D, Each.Text, Options).Stats);
    Options.Threads = 2;
    Options.EveryCycle = true;
    expectSamePairs(First, runPairs(D, Each.Text, Options).Stats);
  }
}

INSTANTIATE_TEST_SUITE_P(Timing, RegisterSharingTest,
                         testing::Combine(testing::ValuesIn(TimedPresets),
                                          testing::ValuesIn(EveryScheduler)),
                         NameOfDeviceAndScheduler);

//===----------------------------------------------------------------------===//
// Where nothing is shared it is Baseline
//===----------------------------------------------------------------------===//

class RegisterSharingDeviceTest : public testing::TestWithParam<const char *> {
};

TEST_P(RegisterSharingDeviceTest, IsBaselineWhereRegistersDoNotLimit) {
  DeviceDescription D = deviceNamed(GetParam());
  D.NumSMs = 2;
  for (const Case &Each : cases())
    expectBaseline(D, Each.Text, sharing("", 100), {40, 96});
}

/// A pair would need the registers of two whole CTAs.
TEST_P(RegisterSharingDeviceTest, IsBaselineWhereNothingIsShared) {
  for (const Case &Each : cases())
    expectBaseline(withPairs(GetParam(), 96, 500), Each.Text, sharing("", 1000),
                   {14, 96});
}

/// CTAs that wait for others in a loop are in no pairs.
TEST_P(RegisterSharingDeviceTest, IsBaselineWhereCtasMayWaitForOthers) {
  const std::string Lock =
      "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra HELD;\nmov.u64 %rd3, lock;\n"
      "SPIN:\natom.global.cas.b32 %r8, [%rd3], 0, 1;\n"
      "setp.ne.u32 %p2, %r8, 0;\n@%p2 bra SPIN;\nHELD:\nbar.sync 0;\n"
      "mov.u32 %r9, 3;\nmov.u32 %r5, %r9;\nbar.sync 0;\n@%p1 bra END;\n"
      "mov.u64 %rd3, lock;\natom.global.exch.b32 %r8, [%rd3], 0;\nEND:\n" +
      Store;
  expectBaseline(withPairs(GetParam(), 96, 500),
                 plain(".global .align 4 .b32 lock;\n").around(Lock),
                 sharing("", 500), {14, 96});
}

//===----------------------------------------------------------------------===//
// Locks, by the cycle
//===----------------------------------------------------------------------===//

/// The first instruction of the body takes the lock. A chain of so many
/// additions follows.
std::string chain(unsigned Length) {
  return plain().around("add.u32 %r10, %r2, 1;\n" +
                        repeat("add.u32 %r10, %r10, 1;\n", Length) +
                        "mov.u32 %r5, %r10;\n" + Store);
}

/// The partner's warps go on in the cycle after the last holder has ended, and
/// ask once before.
TEST_P(RegisterSharingDeviceTest, TheLastHolderHandsOver) {
  for (unsigned Rows : {1, 2, 3}) {
    unsigned Warps = Rows * deviceNamed(GetParam()).RegisterPartitions;
    // A pair is looked for beside a CTA that shares nothing.
    if (3 * Warps > deviceNamed(GetParam()).MaxWarps)
      continue;
    const PairLaunch L{2, Warps * WarpSize};
    DeviceDescription D = onePair(GetParam(), L.Block);
    TimingStats S = runPairs(D, chain(40), sharing("lrr"), L).Stats;
    followPairs(SharedResource::Registers, residencyOn(D, L.Block, 500), S);
    uint64_t LastEnd = 0, FirstBegin = ~uint64_t(0);
    std::optional<uint64_t> First;
    for (const TimelineEvent &E : S.Timeline) {
      if (E.K == TimelineEvent::HoldBegin && !First)
        First = E.Cta;
      if (E.K == TimelineEvent::HoldEnd && E.Cta == First)
        LastEnd = std::max(LastEnd, E.When);
      if (E.K == TimelineEvent::HoldBegin && E.Cta != First)
        FirstBegin = std::min(FirstBegin, E.When);
    }
    EXPECT_EQ(FirstBegin, LastEnd + 1);
    EXPECT_EQ(S.Pool.Attempts, 3 * Warps);
    EXPECT_EQ(S.Pool.Successes, 2 * Warps);
    EXPECT_EQ(S.Pool.PeakInUse, Warps);
    EXPECT_EQ(S.Pool.Capacity, Warps);
    // Of each warp the first addition, the chain, the move, the store, the end.
    EXPECT_EQ(S.Pool.HeldInstructions, 2 * Warps * (1 + 40 + 3));
    EXPECT_EQ(S.Pool.HeldAccesses, 0u);
    EXPECT_GT(S.Slots[SlotUse::SchemeGate], 0u);
  }
}

/// The time of a warp that never names a shared register does not depend on
/// who holds the locks.
TEST_P(RegisterSharingDeviceTest, PrivateRegistersNeedNoLock) {
  const PairLaunch L{2, 4 * WarpSize};
  DeviceDescription D = onePair(GetParam(), L.Block);
  const std::string Text = plain().around(
      "mov.u32 %r5, %r2;\n" + repeat("add.u32 %r5, %r5, 1;\n", 40) + Store);
  TimingStats S = runPairs(D, Text, sharing(), L).Stats;
  EXPECT_EQ(S.Pool.Attempts, 0u);
  EXPECT_EQ(S.Pool.WaitCycles, 0u);
  EXPECT_EQ(S.Pool.HeldInstructions, 0u);
  EXPECT_EQ(S.Slots[SlotUse::SchemeGate], 0u);
  // With registers for both it takes as long.
  DeviceDescription Large = D;
  Large.Registers *= 2;
  EXPECT_EQ(runPairs(Large, Text, under(schemes::Baseline), L).Stats.Cycles,
            S.Cycles);
}

TEST_P(RegisterSharingDeviceTest, StorageIsThePublishedOne) {
  DeviceDescription D = onePair(GetParam(), 128);
  TimingStats S = runPairs(D, chain(1), sharing(), {2, 128}).Stats;
  EXPECT_EQ(S.Pool.StorageBits,
            sharingStorage(SharedResource::Registers, D).total());
  unsigned Own = residencyOn(D, 128, 500).Private;
  EXPECT_EQ(S.Pool.RowsOfUnit, PairRegs - Own);
  EXPECT_STREQ(S.Pool.Unit, "lock");
}

/// What a barrier waits for never waits for what the barrier's warps hold. In
/// each CTA another warp comes to its shared registers first and then waits at
/// the barrier for one that comes later (figure 5). In SharingSchemesTest.cpp
/// the same ends in a deadlock where warps look at their own pair alone.
TEST_P(RegisterSharingDeviceTest, FigureFiveEnds) {
  const std::string Text = plain().around(
      "shr.u32 %r4, %r2, 5;\nxor.b32 %r4, %r4, %r3;\n"
      "and.b32 %r4, %r4, 1;\nsetp.eq.u32 %p1, %r4, 1;\n"
      "mov.u32 %r5, 60;\n@%p1 bra EARLY;\nLATE:\nsub.u32 %r5, %r5, 1;\n"
      "setp.ne.u32 %p2, %r5, 0;\n@%p2 bra LATE;\nEARLY:\n"
      "add.u32 %r11, %r2, 1;\nbar.sync 0;\nmov.u32 %r5, %r11;\n" +
      Store);
  const PairLaunch L{8, 128};
  DeviceDescription D = onePair(GetParam(), L.Block);
  for (const char *Scheduler : EveryScheduler) {
    PairRun R = runPairs(D, Text, sharing(Scheduler), L);
    followPairs(SharedResource::Registers, residencyOn(D, L.Block, 500),
                R.Stats);
    EXPECT_EQ(R.Stats.Pool.Successes, 32u);
    EXPECT_EQ(R.Out, expectedWords(Text, L));
  }
}

INSTANTIATE_TEST_SUITE_P(Timing, RegisterSharingDeviceTest,
                         testing::ValuesIn(TimedPresets), [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

} // namespace
} // namespace regshare::sim
