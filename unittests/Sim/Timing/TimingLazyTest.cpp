//===- TimingLazyTest.cpp - The lazy two-level scheduler in an SM ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/SchemeModel.h"
#include "Timing/Core/SmCore.h"
#include "TimingTest.h"

#include <bit>

namespace regshare::sim {
namespace {

TEST(LazyLimit, IsEquation14WithinWhatTheSmHas) {
  EXPECT_EQ(lazyActiveWarps(72, 16, 2, 48), 4u);
  EXPECT_EQ(lazyActiveWarps(16, 16, 1, 48), 1u);
  EXPECT_EQ(lazyActiveWarps(16, 16, 4, 64), 4u);
  EXPECT_EQ(lazyActiveWarps(48'000, 999, 2, 48), 48u);
  EXPECT_EQ(lazyActiveWarps(uint64_t(1) << 40, 1, 2, 48), 48u);
}

TimingOptions with(const char *Scheduler) {
  TimingOptions Options;
  Options.Scheduler = Scheduler;
  return Options;
}

DeviceDescription withSMs(const char *Name, unsigned NumSMs) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = NumSMs;
  return D;
}

/// CTA 0 ends after 7 + 8 + 1 instructions; each other one has issued 7 and
/// the load by then, whose result is far away.
const std::string FirstEnds =
    "mov.u32 %r3, %ctaid.x;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra OTHERS;\n"
    "mov.u32 %r4, 0;\n" +
    repeat("add.u32 %r4, %r3, %r4;\n", 7) +
    "ret;\nOTHERS:\nld.global.u32 %r4, [%rd2];\n" +
    repeat("add.u32 %r4, %r4, 1;\n", 60);

TEST(LazyScheduler, LimitIsThatOfAHandComputedKernel) {
  for (const char *Scheduler : {"ltlws-lrr", "ltlws-gto"}) {
    TimingStats S =
        runBody(withSMs("gtx480", 1), FirstEnds, {8}, {32}, with(Scheduler));
    EXPECT_EQ(S.ActiveLimits.NumSMs, 1u);
    // (7 * 8 + 16) / 16 = 4.5.
    EXPECT_EQ(S.ActiveLimits.Smallest, 4u);
    EXPECT_EQ(S.ActiveLimits.Largest, 4u);
    // Three warps: 2 * 8 + 16 of 16, each of two schedulers keeps one.
    S = runBody(withSMs("gtx480", 1), FirstEnds, {3}, {32}, with(Scheduler));
    EXPECT_EQ(S.ActiveLimits.mean(), 2.0);
    // Four sub-cores keep four.
    S = runBody(withSMs("hopper", 1), FirstEnds, {3}, {32}, with(Scheduler));
    EXPECT_EQ(S.ActiveLimits.mean(), 4.0);
  }
}

/// The first SM has seven CTAs, one of which is short, the second one six that
/// are alike.
TEST(LazyScheduler, EachSmHasALimitOfItsOwn) {
  TimingStats S =
      runBody(withSMs("gtx480", 2), FirstEnds, {13}, {32}, with("ltlws-gto"));
  EXPECT_EQ(S.ActiveLimits.NumSMs, 2u);
  // (6 * 8 + 16) / 16 on the first.
  EXPECT_EQ(S.ActiveLimits.Smallest, 4u);
  EXPECT_GE(S.ActiveLimits.Largest, 5u);
  EXPECT_EQ(S.ActiveLimits.Sum,
            S.ActiveLimits.Smallest + S.ActiveLimits.Largest);
}

TEST(LazyScheduler, OnlySmsWithWarpsHaveOne) {
  TimingStats S =
      runBody(deviceNamed("gtx480"), "", {2}, {32}, with("ltlws-lrr"));
  EXPECT_EQ(S.ActiveLimits.NumSMs, 2u);
  for (const char *Scheduler : {"lrr", "gto", "two-level"})
    EXPECT_TRUE(runBody(deviceNamed("gtx480"), "", {2}, {32}, with(Scheduler))
                    .ActiveLimits.isEmpty());
}

/// Where the first warp ends at once nothing is limited.
TEST(LazyScheduler, ShortFirstWarpLeavesAllActive) {
  const std::string Body = "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra END;\n" +
                           repeat("add.u32 %r2, %r1, 1;\n", 400) + "END:\n";
  TimingStats S =
      runBody(withSMs("gtx480", 1), Body, {1}, {1024}, with("ltlws-lrr"));
  EXPECT_GE(S.ActiveLimits.Smallest, 20u);
  EXPECT_LE(S.ActiveLimits.Largest, 48u);
}

/// Warps of all CTAs take one lock in turn, each with its first lane.
TEST(LazyScheduler, SpinLocksMakeProgressUnderEveryScheduler) {
  const std::string Body =
      "and.b32 %r3, %r1, 31;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra END;\n"
      "mov.u32 %r4, 0;\nmov.u32 %r5, 1;\n"
      "SPIN:\natom.global.cas.b32 %r6, [%rd1], %r4, %r5;\n"
      "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra SPIN;\n"
      "ld.volatile.global.u32 %r7, [%rd1+256];\nadd.u32 %r7, %r7, 1;\n"
      "st.volatile.global.u32 [%rd1+256], %r7;\nmembar.gl;\n"
      "atom.global.exch.b32 %r8, [%rd1], %r4;\nEND:\n";
  for (const char *Name : TimedPresets)
    for (const char *Scheduler : EveryScheduler) {
      DeviceDescription D = withSMs(Name, 2);
      setFigure(D, "core.active_warps", 4);
      TestProgram T(kernelAround(Body));
      uint64_t Out = T.upload(std::vector<uint32_t>(2048));
      runTimed(*machine(D, with(Scheduler)), T, "k", {12}, {128}, {Out});
      EXPECT_EQ(T.download<uint32_t>(Out + 256, 1)[0], 48u)
          << Name << " " << Scheduler;
    }
}

/// Knows which warps are active.
class ActiveScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  static inline uint64_t Active;

  void activated(const WarpRef &W) override {
    EXPECT_FALSE(Active >> W.Slot & 1);
    Active |= uint64_t(1) << W.Slot;
  }
  void parked(const WarpRef &W) override {
    EXPECT_TRUE(Active >> W.Slot & 1);
    Active &= ~(uint64_t(1) << W.Slot);
  }
  bool mayIssue(const WarpRef &W, const IssueInfo &) override {
    EXPECT_TRUE(Active >> W.Slot & 1);
    return true;
  }
  void exited(const WarpRef &W) override { parked(W); }
};

/// Warps end one after the other, between barriers at which they wait.
const std::string Staggered =
    "shr.u32 %r3, %r1, 5;\nadd.u32 %r3, %r3, 3;\nLOOP:\n"
    "add.u32 %r4, %r3, 1;\nadd.u32 %r4, %r4, %r4;\n"
    "st.shared.u32 [words], %r4;\nld.shared.u32 %r5, [words];\n"
    "add.u32 %r5, %r5, 1;\nsub.u32 %r3, %r3, 1;\n"
    "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra LOOP;\nbar.sync 0;\n" +
    repeat("add.u32 %r4, %r4, 1;\n", 20);

/// Runs whole CTAs on one SM, which sends no requests on, and looks at it after
/// each cycle. Returns the limit.
template <typename PathT>
unsigned watchActiveSet(const char *Name, SchedulerPolicy Policy) {
  TestProgram T(kernelAround(Staggered, ".shared .b32 words[1];\n"));
  EXPECT_TRUE(T.P) << T.Error;
  DeviceDescription D = deviceNamed(Name);
  CoreConfig Core = *readCoreConfig(D);
  Core.Policy = Policy;
  MemoryConfig MemorySide = *readMemoryConfig(D);
  std::vector<uint8_t> Arguments = *packArguments(
      *T.P->findKernel("k"), {T.upload(std::vector<uint32_t>(1024))});
  LaunchConfig Config{{4}, {320}, 0, Arguments};
  KernelNeeds Needs{{20, 320, 4}, {}};
  SettingValues Values;
  Residency Resident =
      *findModel(schemes::Baseline)->residency(D, Needs, Values);
  SchemeContext Context{D, Core, Needs, Resident, Values};
  ProgramTiming Timing(*T.P, Core, /*Running=*/nullptr);
  LaunchOptions Options;
  const SmContext C{"baseline", *T.P,    T.Memory, *T.P->findKernel("k"),
                    Config,     Options, Context,  MemorySide,
                    Timing,     1,       0,        16,
                    false,      false};
  ActiveScheme::Active = 0;
  SmCore<ActiveScheme, PathT> Of(C, 0);
  for (uint64_t N = 0; N != 4; ++N)
    Of.launch(N);
  unsigned Limit = 0, Most = 0;
  for (Cycle When = 1; When != 20'000 && Of.residentWarps(); ++When) {
    Of.run(When);
    unsigned Active = unsigned(std::popcount(ActiveScheme::Active));
    Most = std::max(Most, Active);
    for (unsigned S = 0; Limit && S != Core.Schedulers; ++S) {
      uint64_t Mine = 0;
      for (unsigned Slot = S; Slot < 64; Slot += Core.Schedulers)
        Mine |= ActiveScheme::Active & uint64_t(1) << Slot;
      EXPECT_LE(unsigned(std::popcount(Mine)),
                Limit / Core.Schedulers + (S < Limit % Core.Schedulers));
    }
    if (!Of.stats().ActiveLimit)
      EXPECT_EQ(Active, Of.residentWarps()) << "all are active at first";
    if (Limit)
      EXPECT_EQ(Of.stats().ActiveLimit, Limit) << "it stays";
    Limit = Of.stats().ActiveLimit;
  }
  EXPECT_EQ(Of.residentWarps(), 0u);
  EXPECT_EQ(Most, 40u);
  return Limit;
}

TEST(LazyScheduler, LimitIsObeyedInEachCycle) {
  for (SchedulerPolicy Policy :
       {SchedulerPolicy::LazyLRR, SchedulerPolicy::LazyGTO}) {
    unsigned Limit = watchActiveSet<CollectorPath>("gtx480", Policy);
    EXPECT_GT(Limit, 1u);
    EXPECT_LE(Limit, 48u);
    Limit = watchActiveSet<SubCorePath>("hopper", Policy);
    EXPECT_GE(Limit, 4u);
  }
}

} // namespace
} // namespace regshare::sim
