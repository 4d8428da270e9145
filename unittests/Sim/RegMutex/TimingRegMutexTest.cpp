//===- TimingRegMutexTest.cpp - Extended sets, with timing ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/RegMutex/RegMutex.h"

#include <gmock/gmock.h>
#include <random>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A gtx480 with one SM, on which one CTA of \p Warps is resident; what its
/// base sets of \p K leave of the register file are \p Sections.
DeviceDescription oneCta(const AnnotatedKernel &K, unsigned Warps,
                         unsigned Sections) {
  DeviceDescription D = deviceNamed("gtx480");
  D.NumSMs = 1;
  D.MaxCTAs = 1;
  D.Registers = (Warps * K.Base + Sections * K.Extended) * D.WarpSize;
  return D;
}

TimingOptions under(Scheme S) {
  TimingOptions Options;
  Options.Applied = S;
  Options.Scheduler = "lrr";
  Options.RecordTimeline = true;
  return Options;
}

TimingStats runShared(const DeviceDescription &D, const TimingOptions &Options,
                      const AnnotatedKernel &K, const std::string &Body,
                      unsigned Warps, unsigned Ctas = 1) {
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out =
      T.upload(std::vector<uint32_t>(size_t(Ctas) * Warps * WarpSize));
  return runTimed(*machine(D, Options), T, "k", {Ctas}, {Warps * WarpSize},
                  {Out}, K.Regs);
}

/// \p Length additions of which each needs the one before. All warps come to it
/// at the same time.
std::string region(unsigned Length) {
  return "bar.sync 0;\n" + Acquire + "add.s32 %r8, %r2, 1;\n" +
         repeat("add.s32 %r8, %r8, 1;\n", Length - 1) + Release;
}

/// Cycles from an addition's issue to that of one that needs its result:
/// collector, bank and operand, then the pipe and the way back.
unsigned additionCycles(const DeviceDescription &D) {
  return 2 + figure(D, "core.bank_read_latency") + figure(D, "core.front") +
         figure(D, "core.latency.int.simple") + figure(D, "core.back");
}

/// Cycles from the first warp's acquire to the last one's release.
uint64_t holdingSpan(const TimingStats &S) {
  uint64_t First = ~uint64_t(0), Last = 0;
  for (const TimelineEvent &E : S.Timeline) {
    if (E.K == TimelineEvent::HoldBegin)
      First = std::min(First, E.When);
    if (E.K == TimelineEvent::HoldEnd)
      Last = std::max(Last, E.When);
  }
  return Last - First;
}

/// With one section the regions run one after the other. Each takes the cycle
/// of the acquire, those of the chain, since the release waits for the last
/// result, and one more until the next warp may ask. If that is one of the same
/// scheduler, the `ret` of the warp before takes a slot between. The first
/// scheduler's warps all come before the second's.
TEST(TimingRegMutex, OneSectionIsAQueue) {
  const AnnotatedKernel K;
  DeviceDescription D = deviceNamed("gtx480");
  for (unsigned Length : {1, 7, 20})
    for (unsigned Warps : {1, 6, 12, 24}) {
      TimingStats S = runShared(oneCta(K, Warps, 1), under(schemes::RegMutex),
                                K, region(Length), Warps);
      uint64_t Turn = 2 + Length * additionCycles(D);
      unsigned SameScheduler = Warps > 1 ? Warps - 2 : 0;
      EXPECT_EQ(holdingSpan(S), Warps * Turn - 1 + SameScheduler)
          << Length << " " << Warps;
    }
}

/// S sections serve W warps in W / S turns. Chains that run side by side meet
/// at the ports now and then.
TEST(TimingRegMutex, SectionsAreServersOfAQueue) {
  const AnnotatedKernel K;
  uint64_t Turn = 2 + 30 * additionCycles(deviceNamed("gtx480"));
  for (unsigned Sections : {2, 3, 4})
    for (unsigned Turns : {1, 2, 6}) {
      unsigned Warps = Turns * Sections;
      TimingStats S = runShared(oneCta(K, Warps, Sections),
                                under(schemes::RegMutex), K, region(30), Warps);
      EXPECT_NEAR(double(holdingSpan(S)), double(Turns * Turn),
                  0.02 * double(Turns * Turn))
          << Sections << " " << Turns;
      EXPECT_EQ(S.Pool.PeakInUse, Sections);
    }
}

/// With a section for each warp nobody waits, and the acquires and releases
/// take their slots and no more.
TEST(TimingRegMutex, EnoughSectionsCostNothing) {
  const AnnotatedKernel K;
  TimingStats S =
      runShared(oneCta(K, 8, 8), under(schemes::RegMutex), K, region(30), 8);
  EXPECT_EQ(S.Pool.Attempts, 8u);
  EXPECT_EQ(S.Pool.Successes, 8u);
  EXPECT_EQ(S.Pool.WaitCycles, 0u);
  EXPECT_EQ(S.Pool.PeakInUse, 8u);
  EXPECT_EQ(S.Slots[SlotUse::SchemeGate], 0u);
  // The chain and the release.
  EXPECT_EQ(S.Pool.HeldInstructions, 8u * 31);
}

/// One that waits asks first, and then once for each section that comes free:
/// of W warps, the last one asks W times in all.
TEST(TimingRegMutex, AttemptsAreCountedOncePerRelease) {
  const AnnotatedKernel K;
  for (unsigned Warps : {2, 5, 8}) {
    TimingStats S = runShared(oneCta(K, Warps, 1), under(schemes::RegMutex), K,
                              region(30), Warps);
    EXPECT_EQ(S.Pool.Attempts, Warps * (Warps + 1) / 2);
    EXPECT_EQ(S.Pool.Successes, Warps);
    EXPECT_EQ(S.Pool.Returned, Warps);
    EXPECT_EQ(S.Pool.PeakInUse, 1u);
    EXPECT_GT(S.Slots[SlotUse::SchemeGate], 0u);
  }
}

/// A warp that ends gives back what it holds.
TEST(TimingRegMutex, ExitGivesBack) {
  const AnnotatedKernel K;
  TimingStats S = runShared(oneCta(K, 6, 1), under(schemes::RegMutex), K,
                            Acquire + "mov.u32 %r8, 0;\n", 6);
  EXPECT_EQ(S.Pool.Successes, 6u);
  EXPECT_EQ(S.Pool.Returned, 6u);
}

/// Neighbours exclude each other, other pairs do not care.
TEST(TimingRegMutex, PairsExcludeTheirOwn) {
  const AnnotatedKernel K;
  auto Run = [&](unsigned Warps) {
    DeviceDescription D = oneCta(K, Warps, (Warps + 1) / 2);
    D.Registers = (Warps + 1) / 2 * (2 * K.Base + K.Extended) * D.WarpSize;
    return runShared(D, under(schemes::RegMutexPaired), K, region(30), Warps);
  };
  TimingStats One = Run(1), Two = Run(2), Three = Run(3), Eight = Run(8);
  EXPECT_EQ(One.Pool.Attempts, 1u);
  EXPECT_EQ(Two.Pool.Attempts, 3u);
  EXPECT_EQ(Three.Pool.Attempts, 4u);
  EXPECT_EQ(Eight.Pool.Attempts, 12u);
  EXPECT_EQ(Eight.Pool.PeakInUse, 4u);
  // All pairs' turns go on at the same time.
  double Turn = 2 + 30 * additionCycles(deviceNamed("gtx480"));
  EXPECT_EQ(holdingSpan(One), Turn - 1);
  EXPECT_EQ(holdingSpan(Two), 2 * Turn - 1);
  EXPECT_NEAR(double(holdingSpan(Eight)), 2 * Turn, 0.02 * 2 * Turn);
}

/// A kernel without a split runs as under Baseline.
TEST(TimingRegMutex, KernelsWithoutASplitAreUntouched) {
  AnnotatedKernel K;
  K.Base = 0;
  DeviceDescription D = deviceNamed("gtx480");
  const std::string Body = repeat("add.u32 %r6, %r2, %r3;\n", 50);
  TimingStats Plain = runShared(D, under(schemes::Baseline), K, Body, 8, 40);
  for (Scheme S :
       {Scheme(schemes::RegMutex), Scheme(schemes::RegMutexPaired)}) {
    TimingStats Same = runShared(D, under(S), K, Body, 8, 40);
    EXPECT_EQ(Same.Cycles, Plain.Cycles);
    EXPECT_EQ(Same.Slots.Slots, Plain.Slots.Slots);
    EXPECT_TRUE(Same.Pool.isEmpty());
  }
}

/// And code with acquires runs without their scheme: nobody waits.
TEST(TimingRegMutex, OtherSchemesGrantEverything) {
  const AnnotatedKernel K;
  TimingStats S = runShared(deviceNamed("gtx480"), under(schemes::Baseline), K,
                            region(9), 8);
  EXPECT_EQ(S.Slots[SlotUse::SchemeGate], 0u);
}

/// Regions, sides that acquire or release on their own, and barriers between
/// them, in random order. %r6 collects what they compute.
class RandomRegions {
public:
  explicit RandomRegions(unsigned Seed) : Random(Seed) {
    Text = "mov.u32 %r6, %r2;\n";
    for (unsigned N = 0; N != 6; ++N)
      part();
    Text += Release + "st.global.u32 [%rd0], %r6;\n";
  }
  std::string Text;

private:
  unsigned upTo(unsigned N) { return unsigned(Random() % (N + 1)); }

  void compute() {
    Text += "add.u32 %r8, %r6, " + std::to_string(upTo(99)) + ";\n" +
            repeat("mad.lo.u32 %r8, %r8, 5, %r2;\n", upTo(4)) +
            "xor.b32 %r6, %r6, %r8;\n";
  }
  void diverge() {
    std::string Name = std::to_string(Labels++);
    Text += "and.b32 %r7, %r2, " + std::to_string(1 + upTo(62)) +
            ";\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra ELSE" + Name + ";\n";
    // Each side acquires what it needs, whatever the other has left.
    for (const char *Next : {"ELSE", "JOIN"}) {
      if (upTo(2)) {
        Text += Acquire;
        compute();
      } else {
        Text += "add.u32 %r6, %r6, 3;\n";
      }
      Text += upTo(1) ? Release : "";
      Text += Next[0] == 'E' ? "bra JOIN" + Name + ";\n" : "";
      Text += Next + Name + ":\n";
    }
  }
  void part() {
    switch (upTo(3)) {
    case 0:
      Text += Release + "bar.sync 0;\n";
      break;
    case 1:
      diverge();
      break;
    default:
      Text += Acquire;
      compute();
      Text += upTo(1) ? Release : "ld.global.u32 %r7, [%rd0];\n";
    }
  }

  std::mt19937 Random;
  unsigned Labels = 0;
};

TEST(TimingRegMutex, RandomRegionsEndWithEqualMemory) {
  const AnnotatedKernel K;
  for (unsigned Seed = 0; Seed != 60; ++Seed) {
    unsigned Warps = 2 + Seed % 5, Ctas = 4;
    const std::string Body = RandomRegions(Seed).Text;
    TestProgram T(K.around(Body));
    size_t Words = size_t(Ctas) * Warps * WarpSize;
    uint64_t Out = T.upload(std::vector<uint32_t>(Words));
    ASSERT_TRUE(T.run("k", {Ctas}, {Warps * WarpSize}, {Out}))
        << T.Error << "\n"
        << Body;
    auto Expected = T.download<uint32_t>(Out, Words);
    for (Scheme S :
         {Scheme(schemes::RegMutex), Scheme(schemes::RegMutexPaired)}) {
      DeviceDescription D = oneCta(K, Warps, 1 + Seed % 3);
      if (S == schemes::RegMutexPaired)
        D.Registers = (Warps + 1) / 2 * (2 * K.Base + K.Extended) * WarpSize;
      T.Memory.write(Out, std::vector<uint32_t>(Words).data(), 4 * Words);
      TimingStats Stats = runTimed(*machine(D, under(S)), T, "k", {Ctas},
                                   {Warps * WarpSize}, {Out}, K.Regs);
      EXPECT_EQ(T.download<uint32_t>(Out, Words), Expected) << Body;
      EXPECT_EQ(Stats.Pool.Taken, Stats.Pool.Returned);
    }
  }
}

/// The paper's example: 24 registers, 48 warps.
TEST(TimingRegMutex, ResidencyAndStorageOfTheWorkedExample) {
  AnnotatedKernel K;
  K.Regs = 24;
  K.Base = 18;
  K.Extended = 6;
  DeviceDescription D = deviceNamed("gtx480");
  auto Run = [&](Scheme S) { return runShared(D, under(S), K, "", 6, 1); };
  TimingStats Shared = Run(schemes::RegMutex);
  EXPECT_EQ(Shared.Resident.Warps, 48u);
  EXPECT_EQ(Shared.Pool.Capacity, 26u);
  EXPECT_EQ(Shared.Pool.StorageBits, 384u);
  EXPECT_EQ(Run(schemes::RegMutexPaired).Pool.StorageBits, 24u);
  EXPECT_LT(Run(schemes::Baseline).Resident.Warps, 48u);
}

std::string deadlock(const DeviceDescription &D, Scheme S,
                     const AnnotatedKernel &K, const std::string &Body,
                     unsigned Warps) {
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(Warps * WarpSize));
  TimedLaunchOptions Options;
  Options.Functional.CheckHolding = false;
  Options.CycleLimit = 10'000'000;
  Result<TimingStats> R =
      machine(D, under(S))
          ->run(*T.P, T.Memory, "k",
                {{1},
                 {Warps * WarpSize},
                 0,
                 *packArguments(*T.P->findKernel("k"), {Out})},
                Options);
  EXPECT_FALSE(R);
  return R ? "" : R.error().str();
}

/// A barrier in the region: the holder waits there for warps that wait for the
/// section.
TEST(TimingRegMutex, DeadlockNamesTheCycle) {
  const AnnotatedKernel K;
  const std::string Body = Acquire + "bar.sync 0;\n" + Release;
  EXPECT_THAT(deadlock(oneCta(K, 3, 1), schemes::RegMutex, K, Body, 3),
              AllOf(HasSubstr("deadlock: warps wait for each other"),
                    HasSubstr("kernel 'k', SM 0"),
                    HasSubstr("CTA (0,0,0) warp 0 waits for an SRP section at "
                              "PTX line 40: 'regshare.acquire', held by CTA "
                              "(0,0,0) warp 1"),
                    HasSubstr("CTA (0,0,0) warp 1 waits at barrier 0 at PTX "
                              "line 41: 'bar.sync 0' for CTA (0,0,0) warp 0 "
                              "and 1 other warp"),
                    HasSubstr("test.ptx:40")));
  DeviceDescription D = oneCta(K, 2, 1);
  EXPECT_THAT(deadlock(D, schemes::RegMutexPaired, K, Body, 2),
              AllOf(HasSubstr("deadlock: warps wait for each other"),
                    HasSubstr("waits for an SRP section")));
}

/// The holder spins until another warp has written, which needs the section.
TEST(TimingRegMutex, SpinningWhileHoldingIsALivelock) {
  AnnotatedKernel K;
  const std::string Body =
      "ld.param.u64 %rd0, [out];\n" + Acquire +
      "setp.gt.u32 %p1, %r2, 31;\n@%p1 bra SET;\n"
      "SPIN:\nld.volatile.global.u32 %r6, [%rd0];\n"
      "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra SPIN;\nbra J;\n"
      "SET:\nmov.u32 %r7, 1;\nst.volatile.global.u32 [%rd0], %r7;\nJ:\n" +
      Release;
  EXPECT_THAT(deadlock(oneCta(K, 2, 1), schemes::RegMutex, K, Body, 2),
              AllOf(HasSubstr("livelock"), HasSubstr("1 warp goes round, 1 "
                                                     "waits for registers")));
}

} // namespace
} // namespace regshare::sim
