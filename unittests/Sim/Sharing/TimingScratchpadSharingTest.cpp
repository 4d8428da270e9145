//===- TimingScratchpadSharingTest.cpp - Scratchpad sharing, with timing --===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels whose CTAs take 2,048 bytes of shared memory. Of a pair whose CTAs
/// have half of them for themselves, the bytes from 1,024 on are shared.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "PairOracle.h"
#include "regshare/Base/Sharing/Sharing.h"

namespace regshare::sim {
namespace {

constexpr unsigned Bytes = 2048;

const std::string Words = ".shared .align 16 .b8 words[2048];\n";

AnnotatedKernel plain(std::string ModuleScope = Words) {
  return {"baseline", PairRegs, 0, 0, std::move(ModuleScope)};
}

TimingOptions under(Scheme S, const char *Scheduler = "",
                    unsigned PerMille = 500) {
  TimingOptions Options;
  Options.Applied = S;
  Options.Scheduler = Scheduler;
  Options.Settings.set(settings::PrivateShare, PerMille);
  Options.RecordTimeline = true;
  return Options;
}

TimingOptions sharing(const char *Scheduler = "", unsigned PerMille = 500) {
  return under(schemes::ScratchpadSharing, Scheduler, PerMille);
}

SharingResidency residencyOn(const DeviceDescription &D, unsigned Block,
                             unsigned PerMille, unsigned Of = Bytes) {
  return sharingResidency(SharedResource::Scratchpad, D, {PairRegs, Block, Of},
                          PerMille);
}

/// SMs with the least shared memory for a pair of CTAs, and for \p Others that
/// share nothing.
DeviceDescription withPairs(const char *Name, unsigned PerMille = 500,
                            unsigned NumSMs = 2, unsigned Others = 1) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = NumSMs;
  D.MaxCTAs = Others + 2;
  for (D.SharedMemory = 0; D.SharedMemory != 16 * Bytes;) {
    D.SharedMemory += 32;
    SharingResidency R = residencyOn(D, 96, PerMille);
    if (R.Pairs == 1 && R.unsharedCTAs() == Others)
      return D;
  }
  ADD_FAILURE() << "no pairs on " << Name;
  return D;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// R7 is the address of the thread's word in the private part.
const std::string Address =
    "shl.b32 %r7, %r2, 2;\nmov.u32 %r6, words;\nadd.u32 %r7, %r7, %r6;\n"
    "mov.u32 %r5, %r2;\n";
const std::string Store = "st.global.u32 [%rd0], %r5;\n";

/// Rounds between barriers, more of them in some CTAs, first with the private
/// part alone.
const std::string Barriers =
    Address +
    "and.b32 %r4, %r3, 3;\nadd.u32 %r4, %r4, 2;\nLOOP:\n"
    "st.shared.u32 [%r7], %r5;\nbar.sync 0;\nld.shared.u32 %r8, [words+16];\n"
    "mad.lo.u32 %r5, %r5, 3, %r8;\nst.shared.u32 [%r7+1024], %r5;\n"
    "bar.sync 0;\nld.shared.u32 %r8, [words+1028];\nadd.u32 %r5, %r5, %r8;\n"
    "bar.sync 0;\nsub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n"
    "@%p1 bra LOOP;\n" +
    Store;

/// The lanes of a warp come to the barrier one half after the other, and one
/// half alone has accessed the shared part.
const std::string Halves =
    Address +
    "and.b32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra EVEN;\n"
    "st.shared.u32 [%r7+1024], %r2;\nld.shared.u32 %r5, [%r7+1024];\n"
    "barrier.sync 0;\nbra JOIN;\nEVEN:\nst.shared.u32 [%r7], %r3;\n"
    "barrier.sync 0;\nJOIN:\n@%p1 ld.shared.u32 %r5, [%r7+1028];\n" +
    Store;

/// Lanes go on in the shared part as far as their number says.
const std::string Loops =
    Address +
    "and.b32 %r4, %r2, 7;\nLOOP:\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra DONE;\n"
    "st.shared.u32 [%r7+992], %r4;\nld.shared.u32 %r8, [%r7+992];\n"
    "mad.lo.u32 %r5, %r8, 3, %r5;\nsub.u32 %r4, %r4, 1;\nbra LOOP;\nDONE:\n" +
    Store;

/// Lanes and whole warps end before they come to the shared part, and others
/// after it.
const std::string Exits =
    Address + Store +
    "setp.ge.u32 %p1, %r2, 64;\n@%p1 exit;\nand.b32 %r4, %r2, 3;\n"
    "setp.eq.u32 %p2, %r4, 1;\n@%p2 exit;\nst.shared.u32 [%r7+1024], %r3;\n"
    "setp.eq.u32 %p2, %r4, 2;\n@%p2 exit;\nbar.sync 0;\n"
    "ld.shared.u32 %r5, [%r7+1024];\n" +
    Store;

/// One warp of each CTA, through generic addresses; in each half of it lanes
/// access other memory. The others wait at the barrier for it.
const std::string OneWarp =
    Address +
    "setp.ge.u32 %p1, %r2, 32;\n@%p1 bra OTHERS;\n"
    "cvt.u64.u32 %rd4, %r7;\ncvta.shared.u64 %rd4, %rd4;\n"
    "add.s64 %rd4, %rd4, 1024;\nst.u32 [%rd4], %r2;\n"
    "and.b32 %r6, %r2, 1;\nsetp.eq.u32 %p2, %r6, 0;\n"
    "selp.b64 %rd5, %rd4, %rd0, %p2;\nst.u32 [%rd5], %r3;\n"
    "ld.u32 %r5, [%rd5];\nadd.u32 %r5, %r5, 1;\n"
    "OTHERS:\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n" +
    Store;

/// All threads of a CTA add to one word, and look at it after a barrier.
const std::string Atomics =
    Address +
    "setp.ne.u32 %p1, %r2, 0;\n@!%p1 st.shared.u32 [words+1200], %r3;\n"
    "bar.sync 0;\natom.shared.add.u32 %r8, [words+1200], 3;\n"
    "red.shared.add.u32 [words+1200], %r2;\nbar.sync 0;\n"
    "ld.shared.u32 %r5, [words+1200];\n" +
    Store;

/// Copies that arrive when the warp has gone on; their source is global.
const std::string Copies =
    Address + Store +
    "add.u32 %r7, %r7, 1024;\n"
    "cp.async.ca.shared.global [%r7], [%rd0], 4;\ncp.async.commit_group;\n"
    "mul.lo.u32 %r4, %r2, 5;\ncp.async.wait_all;\nbar.sync 0;\n"
    "ld.shared.u32 %r5, [%r7];\nadd.u32 %r5, %r5, %r4;\n" +
    Store;

const std::string Callee =
    ".func f(.param .u32 p)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r0, [p];\n"
    "ld.shared.u32 %r1, [%r0];\nadd.u32 %r1, %r1, 7;\n"
    "st.shared.u32 [%r0], %r1;\nret;\n}\n";
const std::string Call =
    Address +
    "add.u32 %r7, %r7, 1024;\nst.shared.u32 [%r7], %r3;\n"
    "{\n.param .b32 a;\nst.param.b32 [a], %r7;\ncall.uni f, (a);\n}\n"
    "ld.shared.u32 %r5, [%r7];\n" +
    Store;

/// Bytes below them are static.
const std::string Dynamic =
    Address +
    "mov.u32 %r8, more;\nshl.b32 %r9, %r2, 2;\nadd.u32 %r8, %r8, %r9;\n"
    "st.shared.u32 [%r8], %r3;\nst.shared.u32 [%r8+1200], %r2;\nbar.sync 0;\n"
    "ld.shared.u32 %r5, [%r8];\nld.shared.u32 %r4, [more+1204];\n"
    "add.u32 %r5, %r5, %r4;\n" +
    Store;

AnnotatedKernel releasing() {
  return {"scratchpad-sharing", PairRegs, 0, 0, Words};
}

/// Warps go on for long without shared memory, some without ever having
/// accessed it, and meet in between.
const std::string Releases =
    Address +
    "setp.ge.u32 %p1, %r2, 64;\n@%p1 bra OTHERS;\n"
    "st.shared.u32 [%r7+1024], %r5;\nbar.sync 0;\n"
    "ld.shared.u32 %r5, [words+1032];\n" +
    Release + "bra MEET;\nOTHERS:\n" + Release +
    "bar.sync 0;\nMEET:\nmov.u32 %r4, 20;\nLOOP:\n"
    "mad.lo.u32 %r5, %r5, 3, %r4;\nsub.u32 %r4, %r4, 1;\n"
    "setp.ne.u32 %p2, %r4, 0;\n@%p2 bra LOOP;\nbar.sync 0;\n" +
    Release + Store;

struct Case {
  const char *Name;
  std::string Text;
  unsigned DynamicBytes = 0;
  bool HasReleases = false;
};
const std::vector<Case> &cases() {
  static const std::vector<Case> All = {
      {"Barriers", plain().around(Barriers)},
      {"Halves", plain().around(Halves)},
      {"Loops", plain().around(Loops)},
      {"Exits", plain().around(Exits)},
      {"OneWarp", plain().around(OneWarp)},
      {"Atomics", plain().around(Atomics)},
      {"Copies", plain().around(Copies)},
      {"Call", plain(Words + Callee).around(Call)},
      {"Dynamic",
       plain(".shared .align 4 .b8 words[400];\n"
             ".extern .shared .align 4 .b8 more[];\n")
           .around(Dynamic),
       Bytes - 400},
      {"Releases", releasing().around(Releases), 0, true}};
  return All;
}

//===----------------------------------------------------------------------===//
// Every kernel, device and scheduler
//===----------------------------------------------------------------------===//

class ScratchpadSharingTest
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

/// CTAs of several warps, some with one that is not full, and of one.
constexpr std::pair<unsigned, unsigned> Shapes[] = {
    {96, 500}, {80, 100}, {32, 250}, {17, 500}};

TEST_P(ScratchpadSharingTest, SameMemoryAndTheRulesHold) {
  auto [Name, Scheduler] = GetParam();
  for (const Case &Each : cases())
    for (auto [Block, PerMille] : Shapes) {
      SCOPED_TRACE(testing::Message() << Each.Name << " " << Block);
      const PairLaunch L{14, Block, Each.DynamicBytes};
      DeviceDescription D = withPairs(Name, PerMille);
      PairRun R = runPairs(D, Each.Text, sharing(Scheduler, PerMille), L);
      EXPECT_EQ(R.Out, expectedWords(Each.Text, L));
      PairOracle O = followPairs(SharedResource::Scratchpad,
                                 residencyOn(D, Block, PerMille), R.Stats,
                                 false, Each.HasReleases);
      EXPECT_GT(O.Locks, 0u);
      EXPECT_EQ(O.MostCtas, 3u);
    }
}

TEST_P(ScratchpadSharingTest, EveryCycleAndAnyThreadsGiveTheSame) {
  auto [Name, Scheduler] = GetParam();
  for (const Case &Each : cases()) {
    SCOPED_TRACE(Each.Name);
    const PairLaunch L{14, 96, Each.DynamicBytes};
    DeviceDescription D = withPairs(Name, 500, 3);
    TimingOptions Options = sharing(Scheduler);
    TimingStats First = runPairs(D, Each.Text, Options, L).Stats;
    Options.Threads = 3;
    expectSamePairs(First, runPairs(D, Each.Text, Options, L).Stats);
    Options.Threads = 2;
    Options.EveryCycle = true;
    expectSamePairs(First, runPairs(D, Each.Text, Options, L).Stats);
  }
}

INSTANTIATE_TEST_SUITE_P(Timing, ScratchpadSharingTest,
                         testing::Combine(testing::ValuesIn(TimedPresets),
                                          testing::ValuesIn(EveryScheduler)),
                         NameOfDeviceAndScheduler);

//===----------------------------------------------------------------------===//
// Where nothing is shared it is Baseline
//===----------------------------------------------------------------------===//

class ScratchpadSharingDeviceTest
    : public testing::TestWithParam<const char *> {};

TEST_P(ScratchpadSharingDeviceTest, IsBaselineWhereNothingIsShared) {
  DeviceDescription Whole = deviceNamed(GetParam());
  Whole.NumSMs = 2;
  Whole.MaxCTAs = 2;
  DeviceDescription Small = withPairs(GetParam());
  for (const Case &Each : cases()) {
    const PairLaunch L{14, 96, Each.DynamicBytes};
    expectBaseline(Whole, Each.Text, sharing("", 100), L);
    // A pair would need the memory of two whole CTAs.
    expectBaseline(Small, Each.Text, sharing("", 1000), L);
  }
}

/// A kernel without shared memory, on SMs that are full of warps.
TEST_P(ScratchpadSharingDeviceTest, IsBaselineWithoutSharedMemory) {
  DeviceDescription D = withPairs(GetParam());
  expectBaseline(D, plain("").around("mov.u32 %r5, %r2;\n" + Store),
                 sharing("", 100), {200, 192});
}

TEST_P(ScratchpadSharingDeviceTest, IsBaselineWhereCtasMayWaitForOthers) {
  const std::string Lock =
      Address +
      "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra HELD;\nmov.u64 %rd5, lock;\n"
      "SPIN:\natom.global.cas.b32 %r8, [%rd5], 0, 1;\n"
      "setp.ne.u32 %p2, %r8, 0;\n@%p2 bra SPIN;\nHELD:\nbar.sync 0;\n"
      "st.shared.u32 [%r7+1024], %r3;\nbar.sync 0;\n@%p1 bra END;\n"
      "mov.u64 %rd5, lock;\natom.global.exch.b32 %r8, [%rd5], 0;\nEND:\n" +
      Store;
  expectBaseline(withPairs(GetParam()),
                 plain(Words + ".global .align 4 .b32 lock;\n").around(Lock),
                 sharing(), {});
}

//===----------------------------------------------------------------------===//
// Locks, by the access and the cycle
//===----------------------------------------------------------------------===//

/// Whether the access takes the lock of its CTA.
bool takesLock(const DeviceDescription &D, const std::string &Access,
               unsigned PerMille) {
  TimingStats S = runPairs(D, plain().around(Address + Access + Store),
                           sharing("", PerMille), {2, 32})
                      .Stats;
  return S.Pool.Successes == 2;
}

/// The private part ends at any byte: 681 of 2,048 with t = 0.333.
TEST_P(ScratchpadSharingDeviceTest, AccessesAcrossTheBoundaryTakeTheLock) {
  DeviceDescription D = withPairs(GetParam(), 333, 1, 0);
  ASSERT_EQ(residencyOn(D, 32, 333).Private, 681u);
  auto Takes = [&](const std::string &Access) {
    return takesLock(D, Access, 333);
  };
  EXPECT_FALSE(Takes("ld.shared.u8 %r8, [words+680];\n"));
  EXPECT_TRUE(Takes("st.shared.u8 [words+681], %r2;\n"));
  EXPECT_FALSE(Takes("st.shared.u32 [words+676], %r2;\n"));
  EXPECT_TRUE(Takes("st.shared.u32 [words+680], %r2;\n"));
  EXPECT_TRUE(Takes("ld.shared.v2.u32 {%r8, %r9}, [words+680];\n"));
  EXPECT_FALSE(Takes("ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, "
                     "[words+656];\n"));
  EXPECT_TRUE(Takes("ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, "
                    "[words+672];\n"));
  EXPECT_TRUE(Takes("st.shared.u64 [words+680], %rd4;\n"));
  // The last lane alone is beyond it, and only if it takes part.
  EXPECT_FALSE(Takes("st.shared.u32 [%r7+552], %r2;\n"));
  EXPECT_TRUE(Takes("st.shared.u32 [%r7+556], %r2;\n"));
  EXPECT_FALSE(Takes("setp.ne.u32 %p1, %r2, 31;\n"
                     "@%p1 st.shared.u32 [%r7+556], %r2;\n"));
  EXPECT_FALSE(Takes("setp.gt.u32 %p1, %r2, 31;\n"
                     "@%p1 st.shared.u32 [%r7+1024], %r2;\n"));
  EXPECT_TRUE(Takes("atom.shared.add.u32 %r8, [words+680], 1;\n"));
  EXPECT_FALSE(Takes("red.shared.add.u32 [words+676], 1;\n"));
  // Sixteen bytes of a copy.
  const std::string Aligned =
      "mov.u32 %r8, words;\nld.param.u64 %rd0, [out];\n";
  EXPECT_TRUE(Takes(Aligned + "cp.async.cg.shared.global [%r8+672], [%rd0], "
                              "16;\ncp.async.wait_all;\n"));
  EXPECT_FALSE(Takes(Aligned + "cp.async.cg.shared.global [%r8+656], [%rd0], "
                               "16;\ncp.async.wait_all;\n"));
  // Global memory with a large address is none of it.
  EXPECT_FALSE(Takes("ld.u32 %r8, [%rd0];\nst.u32 [%rd0], %r8;\n"));
}

/// The first warp takes the lock for its CTA, and the last one to end hands it
/// over; the partner's warps go on in the cycle after that.
TEST_P(ScratchpadSharingDeviceTest, TheLastWarpHandsOver) {
  const std::string Text =
      plain().around(Address + "st.shared.u32 [%r7+1024], %r2;\n" +
                     repeat("add.u32 %r5, %r5, 1;\n", 30) + Store);
  for (unsigned Warps : {1, 2, 5}) {
    const PairLaunch L{2, Warps * WarpSize};
    DeviceDescription D = withPairs(GetParam(), 500, 1, 0);
    TimingStats S = runPairs(D, Text, sharing("lrr"), L).Stats;
    followPairs(SharedResource::Scratchpad, residencyOn(D, L.Block, 500), S);
    uint64_t LastEnd = 0, FirstBegin = ~uint64_t(0);
    std::optional<uint64_t> First;
    for (const TimelineEvent &E : S.Timeline) {
      if (E.K == TimelineEvent::HoldBegin && !First)
        First = E.Cta;
      if (E.K == TimelineEvent::WarpEnd && E.Cta == First)
        LastEnd = std::max(LastEnd, E.When);
      if (E.K == TimelineEvent::HoldBegin && E.Cta != First)
        FirstBegin = std::min(FirstBegin, E.When);
    }
    EXPECT_EQ(FirstBegin, LastEnd + 1);
    EXPECT_EQ(S.Pool.Attempts, 1 + Warps + 1);
    EXPECT_EQ(S.Pool.Successes, 2u);
    EXPECT_EQ(S.Pool.Returned, 2u);
    EXPECT_EQ(S.Pool.Capacity, 1u);
    EXPECT_GT(S.Slots[SlotUse::SchemeGate], 0u);
  }
}

TEST_P(ScratchpadSharingDeviceTest, ThePrivatePartNeedsNoLock) {
  const std::string Text =
      plain().around(Address +
                     "st.shared.u32 [%r7], %r2;\nbar.sync 0;\n"
                     "ld.shared.u32 %r5, [words+64];\n" +
                     Store);
  DeviceDescription D = withPairs(GetParam(), 500, 1, 0);
  TimingStats S = runPairs(D, Text, sharing(), {2, 96}).Stats;
  EXPECT_EQ(S.Pool.Attempts, 0u);
  EXPECT_EQ(S.Pool.WaitCycles, 0u);
  EXPECT_EQ(S.Pool.HeldInstructions, 0u);
  // With memory for both it takes as long.
  DeviceDescription Large = D;
  Large.SharedMemory *= 2;
  EXPECT_EQ(
      runPairs(Large, Text, under(schemes::Baseline), {2, 96}).Stats.Cycles,
      S.Cycles);
  EXPECT_EQ(S.Pool.StorageBits,
            sharingStorage(SharedResource::Scratchpad, D).total());
}

INSTANTIATE_TEST_SUITE_P(Timing, ScratchpadSharingDeviceTest,
                         testing::ValuesIn(TimedPresets), [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

/// Warps hold from their first instruction after their CTA's access on.
TEST(ScratchpadSharing, InstructionsOfAllWarpsCount) {
  const std::string Text = plain().around(
      "setp.ge.u32 %p1, %r2, 32;\n@%p1 bra OTHERS;\n"
      "st.shared.u32 [words+1024], %r2;\nOTHERS:\nbar.sync 0;\n" +
      repeat("add.u32 %r5, %r2, 1;\n", 10) + Store);
  TimingStats S =
      runPairs(withPairs("gtx480", 500, 1, 0), Text, sharing(), {1, 64}).Stats;
  EXPECT_EQ(S.Pool.isEmpty(), false);
  // The store, and of both warps ten additions, a store and the end; and the
  // barrier of the first one, which the other may have come to before.
  EXPECT_GE(S.Pool.HeldInstructions, 1 + 1 + 2 * (10 + 2u));
  EXPECT_LE(S.Pool.HeldInstructions, 1 + 2 + 2 * (10 + 2u));
}

/// The partner goes on in the cycle after the last warp has released.
TEST(ScratchpadSharing, TheLastReleaseHandsOver) {
  const PairLaunch L{2, 96};
  DeviceDescription D = withPairs("gtx480", 500, 1, 0);
  auto Run = [&](const std::string &Release) {
    return runPairs(D,
                    releasing().around(
                        Address + "st.shared.u32 [%r7+1024], %r2;\n" +
                        "ld.shared.u32 %r5, [%r7+1024];\n"
                        "add.u32 %r5, %r5, 1;\n" +
                        Release + repeat("add.u32 %r5, %r5, 1;\n", 50) + Store),
                    sharing("lrr"), L);
  };
  PairRun Late = Run(""), Early = Run(Release);
  EXPECT_EQ(Late.Out, Early.Out);
  EXPECT_LT(Early.Stats.Cycles + 400, Late.Stats.Cycles);
  uint64_t LastEnd = 0, FirstBegin = ~uint64_t(0);
  for (const TimelineEvent &E : Early.Stats.Timeline) {
    if (E.K == TimelineEvent::HoldEnd && E.Cta == 0)
      LastEnd = std::max(LastEnd, E.When);
    if (E.K == TimelineEvent::HoldBegin && E.Cta == 1)
      FirstBegin = std::min(FirstBegin, E.When);
  }
  EXPECT_EQ(FirstBegin, LastEnd + 1);
  EXPECT_EQ(Early.Stats.Pool.Successes, 2u);
  EXPECT_EQ(Early.Stats.Pool.Returned, 2u);
}

/// Register sharing's release says nothing of shared memory.
TEST(ScratchpadSharing, ReleasesOfRegistersAreNone) {
  const std::string Text =
      AnnotatedKernel{"register-sharing",         PairRegs, 0, 0, Words,
                      pragma("sharing private=9")}
          .around(Address + Release +
                  "st.shared.u32 [%r7+1024], %r2;\nbar.sync 0;\n"
                  "ld.shared.u32 %r5, [words+1032];\n" +
                  Store);
  DeviceDescription D = withPairs("gtx480");
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  followPairs(SharedResource::Scratchpad, residencyOn(D, 96, 500), R.Stats);
}

/// Code of RegMutex runs as well; what it releases is no lock.
TEST(ScratchpadSharing, ReleasesOfOtherSchemesAreNone) {
  const std::string Text =
      AnnotatedKernel{"regmutex", PairRegs, 8, 4, Words}.around(
          Address + Acquire + "add.u32 %r8, %r2, 1;\n" + Release +
          "st.shared.u32 [%r7+1024], %r2;\nbar.sync 0;\n"
          "ld.shared.u32 %r5, [words+1032];\n" +
          Store);
  DeviceDescription D = withPairs("gtx480");
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  followPairs(SharedResource::Scratchpad, residencyOn(D, 96, 500), R.Stats);
}

} // namespace
} // namespace regshare::sim
