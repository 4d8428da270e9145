//===- TimingDynamicWarpsTest.cpp - Releases, and accesses put off --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What register sharing does beside its locks: early releases, and dynamic
/// warp execution on several SMs.
///
//===----------------------------------------------------------------------===//

#include "RegisterPairs.h"

namespace regshare::sim {
namespace {

/// The partner goes on in the cycle after the last holder has released, and
/// the warps' own ends come later.
TEST(RegisterSharing, ReleasesHandOver) {
  const PairLaunch L{2, 96};
  DeviceDescription D = onePair("gtx480", L.Block);
  auto Run = [&](const std::string &Release) {
    return runPairs(D,
                    releasing().around("add.u32 %r10, %r2, 1;\n" +
                                       repeat("add.u32 %r10, %r10, 1;\n", 10) +
                                       "mov.u32 %r5, %r10;\n" + Release +
                                       repeat("add.u32 %r5, %r5, 1;\n", 50) +
                                       Store),
                    sharing("lrr"), L);
  };
  PairRun Late = Run(""), Early = Run(Release);
  EXPECT_EQ(Late.Out, Early.Out);
  EXPECT_LT(Early.Stats.Cycles + 400, Late.Stats.Cycles);
  uint64_t LastEnd = 0, FirstBegin = ~uint64_t(0), FirstWarpEnd = 0;
  for (const TimelineEvent &E : Early.Stats.Timeline) {
    if (E.K == TimelineEvent::HoldEnd && E.Cta == 0)
      LastEnd = std::max(LastEnd, E.When);
    if (E.K == TimelineEvent::HoldBegin && E.Cta == 1)
      FirstBegin = std::min(FirstBegin, E.When);
    if (E.K == TimelineEvent::WarpEnd && !FirstWarpEnd)
      FirstWarpEnd = E.When;
  }
  EXPECT_EQ(FirstBegin, LastEnd + 1);
  EXPECT_LT(LastEnd + 400, FirstWarpEnd);
  // The first addition, the chain, the move and the release.
  EXPECT_EQ(Early.Stats.Pool.HeldInstructions, 2u * 3 * (1 + 10 + 1 + 1));
}

/// What is on its way to a shared register has arrived before that is the other
/// warp's.
TEST(RegisterSharing, ReleasesWaitForResults) {
  DeviceDescription D = onePair("gtx480", 32);
  auto HoldCycles = [&](const std::string &Load) {
    TimingStats S = runPairs(D, releasing().around(Load + Release + Store),
                             sharing(), {1, 32})
                        .Stats;
    uint64_t Begin = 0, End = 0;
    for (const TimelineEvent &E : S.Timeline) {
      Begin = E.K == TimelineEvent::HoldBegin ? E.When : Begin;
      End = E.K == TimelineEvent::HoldEnd ? E.When : End;
    }
    return End - Begin;
  };
  const std::string Own = "mov.u32 %r5, 1;\n";
  EXPECT_GT(HoldCycles(Own + "ld.global.u32 %r10, [%rd0];\n"), 150u);
  // Others need not have.
  EXPECT_LT(HoldCycles("mov.u32 %r10, 1;\nld.global.u32 %r5, [%rd0];\n"), 20u);
}

/// After a release the code still names R6 to R8, which it was compiled to
/// have for itself, and which warps of this SM share: they keep their locks.
TEST(RegisterSharing, ReleasesOfCodeWithALargerPartAreNone) {
  AnnotatedKernel K = releasing();
  K.Begin = pragma("sharing private=9");
  const std::string Text =
      K.around("add.u32 %r10, %r2, 1;\nadd.u32 %r7, %r10, 1;\n" + Release +
               "add.u32 %r5, %r7, 1;\n" + Store);
  DeviceDescription D = withPairs("gtx480", 96);
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  PairOracle O =
      followPairs(SharedResource::Registers, residencyOn(D, 96, 500), R.Stats);
  EXPECT_GT(O.Locks, 0u);
}

/// Scratchpad sharing's release says nothing of registers.
TEST(RegisterSharing, ReleasesOfScratchpadAreNone) {
  const std::string Text =
      AnnotatedKernel{"scratchpad-sharing", PairRegs, 0, 0, {}}.around(
          "add.u32 %r10, %r2, 1;\n" + Release + "add.u32 %r5, %r10, 1;\n" +
          Store);
  DeviceDescription D = withPairs("gtx480", 96);
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  followPairs(SharedResource::Registers, residencyOn(D, 96, 500), R.Stats);
}

/// Nor does one of a called function, whose registers are others.
TEST(RegisterSharing, ReleasesOfCalleesAreNone) {
  const std::string Releasing =
      ".func f(.param .u64 p)\n{\n.reg .b32 %r<12>;\n.reg .b64 %rd<1>;\n" +
      pragma("kernel v1 name=f scheme=register-sharing regs=12 preds=0 "
             "peak=12 shared=0 local=0 target=sm_80") +
      pragma("map %r2=R2 %rd0=R0_1") + pragma("sharing private=6") +
      "ld.param.u64 %rd0, [p];\nmov.u32 %r2, 9;\n" + Release +
      "st.global.u32 [%rd0], %r2;\nret;\n}\n";
  AnnotatedKernel K = releasing();
  K.ModuleScope = Releasing;
  const std::string Text =
      K.around("{\n.param .b64 a;\nst.param.b64 [a], %rd0;\n"
               "call.uni f, (a);\n}\nld.global.u32 %r10, [%rd0];\n"
               "add.u32 %r5, %r10, %r2;\n" +
               Store);
  DeviceDescription D = withPairs("gtx480", 96);
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  followPairs(SharedResource::Registers, residencyOn(D, 96, 500), R.Stats);
}

/// A call takes the lock: what is called may name any register.
TEST(RegisterSharing, CallsTakeTheLock) {
  const std::string Callee = ".func f(.param .u64 p)\n{\n.reg .b32 %r<1>;\n"
                             ".reg .b64 %rd<1>;\nld.param.u64 %rd0, [p];\n"
                             "ld.global.u32 %r0, [%rd0];\nret;\n}\n";
  const std::string Text = plain(Callee).around(
      "mov.u32 %r5, %r2;\n{\n.param .b64 a;\nst.param.b64 [a], %rd0;\n"
      "call.uni f, (a);\n}\n" +
      Store);
  TimingStats S =
      runPairs(onePair("gtx480", 96), Text, sharing(), {2, 96}).Stats;
  // The call, three instructions of the function, the store and the end.
  EXPECT_EQ(S.Pool.HeldInstructions, 2u * 3 * (1 + 3 + 2));
  EXPECT_EQ(S.Pool.Successes, 2u * 3);
}

/// Code of RegMutex runs as well; what it releases is no lock.
TEST(RegisterSharing, ReleasesOfOtherSchemesAreNone) {
  const std::string Text =
      AnnotatedKernel{"regmutex", PairRegs, 8, 4, {}}.around(
          Acquire + "add.u32 %r8, %r2, 1;\n" + Release +
          "add.u32 %r7, %r2, 2;\n" + Acquire +
          "add.u32 %r9, %r7, 1;\n"
          "mov.u32 %r5, %r9;\n" +
          Release + Store);
  DeviceDescription D = withPairs("gtx480", 96);
  PairRun R = runPairs(D, Text, sharing());
  EXPECT_EQ(R.Out, expectedWords(Text));
  followPairs(SharedResource::Registers, residencyOn(D, 96, 500), R.Stats);
}

//===----------------------------------------------------------------------===//
// Dynamic warp execution
//===----------------------------------------------------------------------===//

TimingOptions dynamic() {
  TimingOptions Options = sharing();
  Options.Settings.set(settings::DynamicWarps, true);
  return Options;
}

PairOracle followOne(const DeviceDescription &D, unsigned Block,
                     const TimingStats &S, unsigned SM) {
  PairOracle O(SharedResource::Registers, residencyOn(D, Block, 500), true);
  for (const TimelineEvent &E : S.Timeline)
    if (E.SM == SM)
      O.follow(E);
  O.finish();
  return O;
}

/// Loads and stores with private registers alone, in some CTAs more than in
/// others.
const std::string Streams =
    "mul.lo.u32 %r4, %r3, 7;\nand.b32 %r4, %r4, 15;\nadd.u32 %r4, %r4, "
    "1;\nLOOP:\nld.global.u32 %r5, [%rd0];\n"
    "add.u32 %r5, %r5, %r2;\nst.global.u32 [%rd0], %r5;\n"
    "sub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra LOOP;\n";

/// On SM 0 a CTA comes to its end as an owner alone, since it has to store; on
/// others, which are not more stalled, CTAs end before their owners.
TEST(DynamicWarps, TheFirstSmPutsAllAccessesOff) {
  const PairLaunch L{64, 96};
  DeviceDescription D = withPairs("gtx480", L.Block, 500, 4);
  const std::string Text = plain().around(Streams);
  PairRun R = runPairs(D, Text, dynamic(), L);
  EXPECT_EQ(R.Out, expectedWords(Text, L));
  followPairs(SharedResource::Registers, residencyOn(D, L.Block, 500), R.Stats,
              true);
  PairOracle First = followOne(D, L.Block, R.Stats, 0);
  EXPECT_EQ(First.EndedBeforeOwner, 0u);
  EXPECT_GT(First.PutOff, 0u);
  EXPECT_GT(First.HandOvers, 0u);
  for (unsigned SM : {1, 2, 3})
    EXPECT_GT(followOne(D, L.Block, R.Stats, SM).EndedBeforeOwner, 0u);

  TimingStats Off = runPairs(D, Text, sharing(), L).Stats;
  EXPECT_EQ(Off.Pool.HeldAccesses, 0u);
  EXPECT_EQ(Off.Pool.WaitCycles, 0u);
  EXPECT_GT(followOne(D, L.Block, Off, 0).EndedBeforeOwner, 0u);
}

/// With one SM there is nothing to compare with.
TEST(DynamicWarps, OneSmIsAsWithout) {
  DeviceDescription D = withPairs("gtx480", 96, 500, 1);
  for (const std::string &Body :
       {Streams, "ld.global.u32 %r9, [%rd0];\nadd.u32 %r5, %r9, 1;\n" + Store})
    expectSamePairs(runPairs(D, plain().around(Body), dynamic()).Stats,
                    runPairs(D, plain().around(Body), sharing()).Stats);
}

/// Each access that waits counts once, however often it is asked about: SM 0's
/// owner goes on for many periods.
TEST(DynamicWarps, AccessesAreCountedOnce) {
  const PairLaunch L{4, 96};
  DeviceDescription D = onePair("gtx480", L.Block);
  D.NumSMs = 2;
  const std::string Text =
      plain().around("mov.u32 %r5, 300;\nLOOP:\nsub.u32 %r5, %r5, 1;\n"
                     "setp.ne.u32 %p1, %r5, 0;\n@%p1 bra LOOP;\n" +
                     Store +
                     "mov.u32 %r5, 300;\nsetp.lt.u32 %p2, %r3, 2;\n"
                     "@!%p2 bra END;\nWAIT:\nsub.u32 %r5, %r5, 1;\n"
                     "setp.ne.u32 %p1, %r5, 0;\n@%p1 bra WAIT;\nEND:\n");
  TimingStats S = runPairs(D, Text, dynamic(), L).Stats;
  EXPECT_GT(S.Cycles, 9000u);
  PairOracle First = followOne(D, L.Block, S, 0);
  EXPECT_EQ(First.PutOff, 3u);
  EXPECT_EQ(First.PutOff + followOne(D, L.Block, S, 1).PutOff,
            S.Pool.HeldAccesses);
}

/// SM 1 waits for memory all the time, SM 0 never, or the other way round.
/// Until the first comparison all accesses are allowed; after it fewer are, if
/// SM 1 stalls more often.
TEST(DynamicWarps, StallsAreComparedWithTheFirstSm) {
  for (bool MemoryBound : {true, false}) {
    const std::string Text = plain().around(
        "mov.u32 %r4, %smid;\nsetp.eq.u32 %p1, %r4, " +
        std::to_string(unsigned(MemoryBound)) +
        ";\nmov.u32 %r4, 60;\n@%p1 bra MEMORY;\n"
        "ARITH:\nadd.u32 %r5, %r2, 1;\n" +
        repeat("add.u32 %r5, %r2, 2;\nadd.u32 %r3, %r2, 3;\n", 10) +
        "sub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p2, %r4, 0;\n"
        "@%p2 bra ARITH;\nbra END;\n"
        "MEMORY:\nld.global.u32 %r5, [%rd0];\n"
        "add.u32 %r5, %r5, %r2;\nst.global.u32 [%rd0], %r5;\nsub.u32 %r4, %r4, "
        "4;\n"
        "setp.ne.u32 %p2, %r4, 0;\n@%p2 bra MEMORY;\nEND:\n" +
        Store);
    const PairLaunch L{60, 96};
    DeviceDescription D = withPairs("gtx480", L.Block, 500, 2);
    TimingStats S = runPairs(D, Text, dynamic(), L).Stats;
    ASSERT_GT(S.Cycles, 4000u);
    PairOracle O(SharedResource::Registers, residencyOn(D, L.Block, 500), true);
    uint64_t Before = 0, Longest = 0;
    std::map<unsigned, uint64_t> Since;
    for (const TimelineEvent &E : S.Timeline) {
      if (E.SM != 1)
        continue;
      O.follow(E);
      if (E.When < 1000)
        Before = O.PutOff;
      if (E.K == TimelineEvent::WaitBegin && E.When < 2000)
        Since[E.Slot] = E.When;
      if (E.K == TimelineEvent::WaitEnd && Since.count(E.Slot)) {
        Longest = std::max(Longest, E.When - Since[E.Slot]);
        Since.erase(E.Slot);
      }
    }
    // In the second period nine in ten are.
    EXPECT_LT(Longest, 100u);
    EXPECT_EQ(Longest > 0, MemoryBound);
    EXPECT_EQ(Before, 0u);
    EXPECT_EQ(O.PutOff > 0, MemoryBound) << O.PutOff;
  }
}

} // namespace
} // namespace regshare::sim
