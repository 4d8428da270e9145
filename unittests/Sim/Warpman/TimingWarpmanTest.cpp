//===- TimingWarpmanTest.cpp - Partial CTAs, with timing ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/TimingTest.h"
#include "regshare/Base/Warpman/Warpman.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned Regs = 20;

TimingOptions warpman(const char *Scheduler = "") {
  TimingOptions Options;
  Options.Applied = schemes::Warpman;
  Options.Scheduler = Scheduler;
  Options.RecordTimeline = true;
  return Options;
}

/// Two SMs, each with registers for so many warps.
DeviceDescription withRoomFor(const char *Name, unsigned Warps,
                              unsigned NumSMs = 2) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = NumSMs;
  D.Registers = Warps * regsPerWarp(D, Regs);
  return D;
}

/// Rounds of arithmetic, shared memory and barriers, longer for some CTAs and
/// warps; each thread leaves what its CTA has made of the others' values.
const std::string Rounds =
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r1;\nmul.wide.u32 %rd3, %r5, 4;\n"
    "add.s64 %rd3, %rd1, %rd3;\n"
    "and.b32 %r6, %r3, 3;\nadd.u32 %r6, %r6, 2;\nshl.b32 %r7, %r1, 2;\n"
    "mov.u32 %r8, words;\nadd.u32 %r7, %r7, %r8;\nmov.u32 %r9, %r5;\n"
    "LOOP:\nst.shared.u32 [%r7], %r9;\nbar.sync 0;\n"
    "ld.shared.u32 %r10, [words+128];\nbar.sync 0;\n"
    "mad.lo.u32 %r9, %r9, 1664525, %r10;\n"
    "ld.global.u32 %r11, [%rd3];\nadd.u32 %r9, %r9, %r11;\n"
    "sub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra LOOP;\n"
    "st.global.u32 [%rd3], %r9;\n"
    "shr.u32 %r12, %r1, 5;\nadd.u32 %r12, %r12, 1;\n"
    "TAIL:\nsub.u32 %r12, %r12, 1;\nsetp.ne.u32 %p2, %r12, 0;\n"
    "@%p2 bra TAIL;\n";
constexpr unsigned Ctas = 30, Threads = 176;
const std::string Words = ".shared .b32 words[176];\n";

struct WarpmanRun {
  TimingStats Stats;
  std::vector<uint32_t> Out;
};

WarpmanRun runRounds(const DeviceDescription &D, const TimingOptions &Options) {
  TestProgram T(kernelAround(Rounds, Words));
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  WarpmanRun R;
  R.Stats = runTimed(*machine(D, Options), T, "k", {Ctas}, {Threads}, {Out});
  R.Out = T.download<uint32_t>(Out, size_t(Ctas) * Threads);
  return R;
}

/// What a timeline says of one SM.
class Residents {
public:
  Residents(const DeviceDescription &D, unsigned WarpsPerCta)
      : D(D), WarpsPerCta(WarpsPerCta), Used(D.RegisterPartitions) {}

  void follow(const std::vector<TimelineEvent> &Events, unsigned SM) {
    for (const TimelineEvent &E : Events)
      if (E.SM == SM)
        follow(E);
    EXPECT_TRUE(Slots.empty());
    EXPECT_EQ(Incomplete, ~uint64_t(0));
  }

  unsigned Partial = 0; ///< CTAs that began with some of their warps.
  unsigned MostCtas = 0;

private:
  void follow(const TimelineEvent &E) {
    switch (E.K) {
    case TimelineEvent::WarpBegin:
      return begins(E);
    case TimelineEvent::WarpEnd:
      Slots.erase(E.Slot);
      Used[E.Slot % D.RegisterPartitions] -= regsPerWarp(D, Regs);
      return;
    case TimelineEvent::CtaEnd:
      EXPECT_EQ(Begun[E.Cta], WarpsPerCta);
      Open.erase(E.Cta);
      return;
    default:
      return;
    }
  }
  void begins(const TimelineEvent &E) {
    EXPECT_TRUE(Slots.insert(E.Slot).second);
    unsigned &Here = Used[E.Slot % D.RegisterPartitions];
    Here += regsPerWarp(D, Regs);
    EXPECT_LE(Here, D.Registers / D.RegisterPartitions);
    EXPECT_EQ(Begun[E.Cta]++, E.Warp) << "in their order";
    if (E.Warp == 0) {
      EXPECT_EQ(Incomplete, ~uint64_t(0)) << "one at a time";
      Open.insert(E.Cta);
      MostCtas = std::max(MostCtas, unsigned(Open.size()));
      EXPECT_LE(Open.size(), D.MaxCTAs);
      Incomplete = E.Cta;
      Since = E.When;
    }
    EXPECT_EQ(E.Cta, Incomplete);
    if (Begun[E.Cta] != WarpsPerCta)
      return;
    Partial += E.When != Since;
    Incomplete = ~uint64_t(0);
  }

  const DeviceDescription &D;
  const unsigned WarpsPerCta;
  std::vector<unsigned> Used;
  std::set<unsigned> Slots;
  std::map<uint64_t, unsigned> Begun;
  std::set<uint64_t> Open;
  uint64_t Incomplete = ~uint64_t(0), Since = 0;
};

/// What the launch of three CTAs of eight warps fails with.
std::string errorOf(const DeviceDescription &D, const std::string &Body) {
  TestProgram T(kernelAround(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(2048));
  TimedLaunchOptions Options;
  Options.RegsPerThread = Regs;
  Options.CycleLimit = 2'000'000;
  std::vector<uint8_t> Bytes = *packArguments(*T.P->findKernel("k"), {Out});
  Result<TimingStats> S =
      machine(D, warpman("lrr"))
          ->run(*T.P, T.Memory, "k", {{3}, {8 * WarpSize}, 0, Bytes}, Options);
  EXPECT_FALSE(S);
  return S ? "" : S.error().str();
}

class TimingWarpmanTest : public testing::TestWithParam<const char *> {};

TEST_P(TimingWarpmanTest, SameMemoryAsWithoutTiming) {
  TestProgram T(kernelAround(Rounds, Words));
  ASSERT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  ASSERT_TRUE(T.run("k", {Ctas}, {Threads}, {Out})) << T.Error;
  for (const char *Scheduler : EveryScheduler)
    for (unsigned Warps : {8, 12, 20, 28}) {
      WarpmanRun R =
          runRounds(withRoomFor(GetParam(), Warps), warpman(Scheduler));
      EXPECT_EQ(R.Out, T.download<uint32_t>(Out, size_t(Ctas) * Threads));
      EXPECT_EQ(R.Stats.Functional.WarpInstructions, T.Stats.WarpInstructions);
      EXPECT_EQ(R.Stats.Functional.Ctas, Ctas);
    }
}

/// Registers suffice at all times, warps come in order, and one CTA at a time
/// is incomplete.
TEST_P(TimingWarpmanTest, TimelineObeysTheRules) {
  for (unsigned Warps : {8, 12, 20, 28}) {
    DeviceDescription D = withRoomFor(GetParam(), Warps);
    WarpmanRun R = runRounds(D, warpman());
    EXPECT_EQ(R.Stats.Resident.Warps, Warps);
    EXPECT_EQ(R.Stats.Resident.CTAs, (Warps + 5) / 6);
    unsigned Partial = 0;
    for (unsigned SM = 0; SM != 2; ++SM) {
      Residents Of(D, 6);
      Of.follow(R.Stats.Timeline, SM);
      Partial += Of.Partial;
    }
    EXPECT_GT(Partial, 0u);
    TimingOptions Baseline;
    TimingStats B = runRounds(D, Baseline).Stats;
    EXPECT_GT(double(R.Stats.WarpCycles) / double(R.Stats.Cycles),
              double(B.WarpCycles) / double(B.Cycles));
  }
}

TEST_P(TimingWarpmanTest, SameOnAnyThreadsAndWhenEveryCycleIsSimulated) {
  for (const char *Scheduler : EveryScheduler) {
    DeviceDescription D = withRoomFor(GetParam(), 16);
    TimingOptions Options = warpman(Scheduler);
    WarpmanRun First = runRounds(D, Options);
    for (bool EveryCycle : {false, true}) {
      Options.EveryCycle = EveryCycle;
      Options.Threads = EveryCycle ? 1 : 2;
      WarpmanRun Other = runRounds(D, Options);
      EXPECT_EQ(First.Out, Other.Out);
      EXPECT_EQ(First.Stats.Cycles, Other.Stats.Cycles);
      EXPECT_EQ(First.Stats.WarpCycles, Other.Stats.WarpCycles);
      EXPECT_EQ(First.Stats.Slots.Slots, Other.Stats.Slots.Slots);
      ASSERT_EQ(First.Stats.Timeline.size(), Other.Stats.Timeline.size());
      for (size_t N = 0; N != First.Stats.Timeline.size(); ++N) {
        EXPECT_EQ(First.Stats.Timeline[N].When, Other.Stats.Timeline[N].When);
        EXPECT_EQ(First.Stats.Timeline[N].Slot, Other.Stats.Timeline[N].Slot);
      }
    }
  }
}

/// Without a limit by registers it is Baseline, to the cycle.
TEST_P(TimingWarpmanTest, IsBaselineWhereWholeCtasFillTheSm) {
  DeviceDescription D = deviceNamed(GetParam());
  D.NumSMs = 2;
  TimingOptions Baseline;
  TestProgram T(kernelAround(Rounds, Words));
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  auto Run = [&](const TimingOptions &Options) {
    return runTimed(*machine(D, Options), T, "k", {4}, {Threads}, {Out});
  };
  TimingStats A = Run(warpman()), B = Run(Baseline);
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Slots.Slots, B.Slots.Slots);
}

/// The first thread of a CTA holds a lock while the CTA meets at barriers. A
/// partial CTA that held it would wait for warps that come once others end,
/// which wait for the lock.
TEST_P(TimingWarpmanTest, LocksAcrossBarriersDoNotDeadlock) {
  const std::string Body =
      "mov.u32 %r4, 0;\nmov.u32 %r5, 1;\nsetp.ne.u32 %p1, %r1, 0;\n"
      "@%p1 bra HELD;\n"
      "SPIN:\natom.global.cas.b32 %r6, [%rd1], %r4, %r5;\n"
      "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra SPIN;\n"
      "HELD:\nbar.sync 0;\n"
      "@!%p1 ld.volatile.global.u32 %r7, [%rd1+256];\n"
      "@!%p1 add.u32 %r7, %r7, 1;\n"
      "@!%p1 st.volatile.global.u32 [%rd1+256], %r7;\n"
      "bar.sync 0;\nmembar.gl;\n@%p1 bra END;\n"
      "atom.global.exch.b32 %r8, [%rd1], %r4;\nEND:\n";
  for (const char *Scheduler : {"lrr", "gto", "two-level"})
    for (unsigned Warps : {8, 12, 20}) {
      DeviceDescription D = withRoomFor(GetParam(), Warps);
      TestProgram T(kernelAround(Body));
      uint64_t Out = T.upload(std::vector<uint32_t>(2048));
      TimingStats S = runTimed(*machine(D, warpman(Scheduler)), T, "k", {13},
                               {Threads}, {Out});
      EXPECT_EQ(S.Resident.CTAs, Warps / 6);
      EXPECT_EQ(T.download<uint32_t>(Out + 256, 1)[0], 13u);
      for (unsigned SM = 0; SM != 2; ++SM) {
        Residents Of(D, 6);
        Of.follow(S.Timeline, SM);
        EXPECT_EQ(Of.Partial, 0u);
      }
    }
}

/// Each even CTA waits for what the next one writes; two are resident.
TEST_P(TimingWarpmanTest, CtasThatWaitForTheNextEnd) {
  const std::string Body =
      "mov.u32 %r3, %ctaid.x;\nmul.wide.u32 %rd3, %r3, 4;\n"
      "add.s64 %rd3, %rd1, %rd3;\nmov.u32 %r5, 1;\nand.b32 %r6, %r3, 1;\n"
      "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra ODD;\n"
      "EVEN:\nld.volatile.global.u32 %r7, [%rd3+4];\n"
      "setp.eq.u32 %p2, %r7, 0;\n@%p2 bra EVEN;\nbra.uni END;\n"
      "ODD:\nbar.sync 0;\nst.volatile.global.u32 [%rd3], %r5;\nEND:\n";
  DeviceDescription D = withRoomFor(GetParam(), 20, 1);
  TimingStats S = runBody(D, Body, {16}, {8 * WarpSize}, warpman());
  EXPECT_EQ(S.Resident.CTAs, 2u);
  EXPECT_EQ(S.Functional.Ctas, 16u);
}

/// What ends in a deadlock does so under Warpman, and the CTA that is named is
/// not the one that only waits for its own warps to become resident.
TEST_P(TimingWarpmanTest, DeadlocksAreFound) {
  // Half of CTA 0 ends early, and leaves its slots to CTA 1, of which the odd
  // warps wait twice; the other half to CTA 2.
  const std::string Body =
      "mov.u32 %r3, %ctaid.x;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra FIRST;\n"
      "bar.sync 0;\nand.b32 %r4, %r1, 32;\nsetp.eq.u32 %p2, %r4, 0;\n"
      "setp.ne.u32 %p3, %r3, 1;\nor.pred %p2, %p2, %p3;\n@%p2 bra LAST;\n"
      "bar.sync 1;\nLAST:\nbar.sync 0;\nbra.uni END;\n"
      "FIRST:\nsetp.ge.u32 %p2, %r1, 128;\n@%p2 bra END;\n"
      "mov.u32 %r5, 300;\nLOOP:\nsub.u32 %r5, %r5, 1;\n"
      "setp.ne.u32 %p2, %r5, 0;\n@%p2 bra LOOP;\nEND:\n";
  DeviceDescription D = withRoomFor(GetParam(), 12, 1);
  EXPECT_THAT(errorOf(D, Body), AllOf(HasSubstr("deadlock"), HasSubstr("of 8"),
                                      HasSubstr("CTA (1,0,0)")));
}

/// Warps that have not begun do not keep a livelock from being seen.
TEST_P(TimingWarpmanTest, LivelocksAreFound) {
  EXPECT_THAT(errorOf(withRoomFor(GetParam(), 12, 1), "LOOP: bra.uni LOOP;\n"),
              AllOf(HasSubstr("livelock"), HasSubstr("12 warps go round")));
}

/// CTA slots and shared memory are free once a CTA's last warp has ended, so
/// that more CTAs can have warps left than are resident at first.
TEST_P(TimingWarpmanTest, CtasKeepSlotsAndSharedMemoryUntilTheirLastWarp) {
  // The last warp of each CTA goes on for long.
  const std::string Body =
      "setp.lt.u32 %p1, %r1, 224;\n@%p1 bra END;\nmov.u32 %r3, 300;\n"
      "LOOP:\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra LOOP;\n"
      "st.shared.u32 [words], %r3;\nEND:\n";
  auto MostCtas = [&](unsigned Slots, unsigned Shared) {
    DeviceDescription D = withRoomFor(GetParam(), 12, 1);
    D.MaxCTAs = Slots;
    unsigned Bytes = D.SharedMemory / Shared - D.SharedReservedPerCTA - 256;
    TimingStats S =
        runBody(D, Body, {24}, {8 * WarpSize}, warpman(),
                ".shared .align 4 .b8 words[" + std::to_string(Bytes) + "];\n");
    EXPECT_EQ(S.Functional.Ctas, 24u);
    EXPECT_EQ(S.Resident.CTAs, 2u);
    Residents Of(D, 8);
    Of.follow(S.Timeline, 0);
    return Of.MostCtas;
  };
  EXPECT_EQ(MostCtas(3, 8), 3u);
  EXPECT_EQ(MostCtas(6, 8), 6u);
  EXPECT_EQ(MostCtas(8, 5), 5u);
}

INSTANTIATE_TEST_SUITE_P(Timing, TimingWarpmanTest,
                         testing::ValuesIn(TimedPresets), [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

/// Threads limit where warps do not; the last warp of a CTA has few.
TEST(TimingWarpman, ThreadsOfAShortWarpAreCounted) {
  DeviceDescription D = withRoomFor("gtx480", 48, 1);
  D.MaxThreads = 2 * 40 + 32;
  TimingStats S = runBody(D, "bar.sync 0;\n", {9}, {40}, warpman());
  EXPECT_EQ(S.Resident.CTAs, 3u);
  EXPECT_EQ(S.Resident.Warps, 5u);
  EXPECT_EQ(S.Functional.Ctas, 9u);
}

/// Two CTAs fill each of two SMs. Two warps of CTA 0 on SM 0 end shortly before
/// all four of CTA 1 on SM 1: where both are seen at the same time CTA 4 goes
/// to where it is whole, though it is SM 0's turn.
TEST(TimingWarpman, WholeCtasComeFirst) {
  DeviceDescription D = withRoomFor("gtx480", 8, 2);
  unsigned Whole = 0;
  for (unsigned Delay = 0; Delay != 16; ++Delay) {
    const std::string Body =
        "mov.u32 %r3, %ctaid.x;\nshr.u32 %r4, %r1, 6;\n"
        "or.b32 %r4, %r4, %r3;\n"
        "setp.eq.u32 %p1, %r4, 0;\nsetp.eq.u32 %p2, %r3, 1;\n" +
        repeat("mov.u32 %r5, 9;\n", Delay) +
        "@%p1 bra END;\n@%p2 bra END;\nmov.u32 %r6, 900;\nLOOP:\n"
        "sub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p3, %r6, 0;\n@%p3 bra LOOP;\n"
        "END:\n";
    TimingStats S = runBody(D, Body, {5}, {4 * WarpSize}, warpman());
    std::set<uint64_t> Begins;
    for (const TimelineEvent &E : S.Timeline)
      if (E.K == TimelineEvent::WarpBegin && E.Cta == 4)
        Begins.insert(E.SM * 1'000'000 + E.When);
    Whole += Begins.size() == 1 && *Begins.begin() > 1'000'000;
  }
  EXPECT_GT(Whole, 0u);
}

} // namespace
} // namespace regshare::sim
