//===- TimingSchemesTest.cpp - What holds of RegMutex and RFV ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RegMutex/RegMutex.h"

namespace regshare::sim {
namespace {

constexpr unsigned Ctas = 60, Threads = 192;

/// Rounds with sixteen registers, then with 24, then a barrier; lanes diverge,
/// and wait for memory while the warp holds.
const std::string Rounds =
    "mul.lo.u32 %r6, %r3, 7;\nand.b32 %r6, %r6, 3;\nadd.u32 %r6, %r6, 2;\n"
    "mov.u32 %r8, %r2;\nROUND:\n"
    "mad.lo.u32 %r8, %r8, 1664525, %r2;\nBEGIN\n"
    "add.u32 %r16, %r8, 1;\nadd.u32 %r17, %r8, %r16;\n"
    "xor.b32 %r18, %r17, %r16;\nadd.u32 %r19, %r18, %r17;\n"
    "mul.lo.u32 %r20, %r19, %r18;\nadd.u32 %r21, %r20, %r19;\n"
    "xor.b32 %r22, %r21, %r20;\nadd.u32 %r23, %r22, %r21;\n"
    "ld.global.u32 %r9, [%rd0];\nadd.u32 %r16, %r16, %r9;\n"
    "and.b32 %r10, %r2, 5;\nsetp.eq.u32 %p1, %r10, 0;\n@%p1 bra SKIP;\n"
    "mad.lo.u32 %r17, %r23, %r17, %r16;\nsqrt.approx.f32 %r17, %r17;\n"
    "SKIP:\nxor.b32 %r8, %r16, %r17;\nEND\n"
    "bar.sync 0;\nst.global.u32 [%rd0], %r8;\nsub.u32 %r6, %r6, 1;\n"
    "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra ROUND;\n";

std::string roundsBetween(const std::string &Begin, const std::string &End) {
  std::string Text = Rounds;
  Text.replace(Text.find("BEGIN\n"), 6, Begin);
  Text.replace(Text.find("\nEND\n") + 1, 4, End);
  return Text;
}

struct SchemeProgram {
  const char *Name;
  Scheme S;
  std::string text() const {
    if (S == schemes::RFV)
      return virtualised(24).around(roundsBetween(
          "", pragma("free regs=R9,R16,R17,R18,R19,R20,R21,R22,R23")));
    return AnnotatedKernel{Name, 24, 16, 8, {}}.around(
        roundsBetween(Acquire, Release));
  }
};

struct SharedRun {
  TimingStats Stats;
  std::vector<uint32_t> Out;
};

SharedRun runRounds(const DeviceDescription &D, const SchemeProgram &P,
                    TimingOptions Options) {
  Options.Applied = P.S;
  TestProgram T(P.text());
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  SharedRun R;
  R.Stats =
      runTimed(*machine(D, Options), T, "k", {Ctas}, {Threads}, {Out}, 24);
  R.Out = T.download<uint32_t>(Out, size_t(Ctas) * Threads);
  return R;
}

/// So few registers that warps have to wait, and so few SMs that CTAs queue.
DeviceDescription small(const char *Name) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 3;
  D.Registers /= D.MaxWarps > 48 ? 4 : D.MaxWarps < 48 ? 8 : 2;
  return D;
}

class TimingSchemesTest
    : public testing::TestWithParam<std::tuple<const char *, SchemeProgram>> {
protected:
  DeviceDescription Device = small(std::get<0>(GetParam()));
  SchemeProgram Program = std::get<1>(GetParam());
};

TEST_P(TimingSchemesTest, SameMemoryAsWithoutTiming) {
  TestProgram T(Program.text());
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  ASSERT_TRUE(T.run("k", {Ctas}, {Threads}, {Out})) << T.Error;
  std::vector<uint32_t> Expected =
      T.download<uint32_t>(Out, size_t(Ctas) * Threads);
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    SharedRun R = runRounds(Device, Program, Options);
    EXPECT_EQ(R.Out, Expected);
    EXPECT_EQ(R.Stats.Functional.WarpInstructions, T.Stats.WarpInstructions);
    EXPECT_GT(R.Stats.Pool.WaitCycles, 0u);
    EXPECT_EQ(R.Stats.Pool.Taken, R.Stats.Pool.Returned);
    EXPECT_GT(R.Stats.Pool.Attempts, R.Stats.Pool.Successes);
    EXPECT_LE(R.Stats.Pool.PeakInUse, R.Stats.Pool.Capacity);
  }
}

void expectSame(const SharedRun &A, const SharedRun &B) {
  EXPECT_EQ(A.Out, B.Out);
  EXPECT_EQ(A.Stats.Cycles, B.Stats.Cycles);
  EXPECT_EQ(A.Stats.Slots.Slots, B.Stats.Slots.Slots);
  EXPECT_EQ(A.Stats.WriteConflicts, B.Stats.WriteConflicts);
  EXPECT_EQ(A.Stats.Memory.Requests, B.Stats.Memory.Requests);
  const PoolStats &S = A.Stats.Pool, &T = B.Stats.Pool;
  EXPECT_EQ(S.Attempts, T.Attempts);
  EXPECT_EQ(S.Successes, T.Successes);
  EXPECT_EQ(S.Taken, T.Taken);
  EXPECT_EQ(S.PeakInUse, T.PeakInUse);
  EXPECT_EQ(S.HeldInstructions, T.HeldInstructions);
  EXPECT_EQ(S.WaitCycles, T.WaitCycles);
  ASSERT_EQ(A.Stats.Timeline.size(), B.Stats.Timeline.size());
  for (size_t N = 0; N != A.Stats.Timeline.size(); ++N) {
    EXPECT_EQ(A.Stats.Timeline[N].When, B.Stats.Timeline[N].When);
    EXPECT_EQ(A.Stats.Timeline[N].K, B.Stats.Timeline[N].K);
    EXPECT_EQ(A.Stats.Timeline[N].Slot, B.Stats.Timeline[N].Slot);
  }
  ASSERT_EQ(A.Stats.Samples.size(), B.Stats.Samples.size());
  for (size_t N = 0; N != A.Stats.Samples.size(); ++N)
    EXPECT_EQ(A.Stats.Samples[N].PoolInUse, B.Stats.Samples[N].PoolInUse);
}

TEST_P(TimingSchemesTest, SameEachTimeAndOnAnyNumberOfThreads) {
  TimingOptions Options;
  Options.RecordTimeline = true;
  Options.SampleCycles = 500;
  SharedRun First = runRounds(Device, Program, Options);
  expectSame(First, runRounds(Device, Program, Options));
  for (unsigned Threads : {2, 3}) {
    Options.Threads = Threads;
    expectSame(First, runRounds(Device, Program, Options));
  }
}

TEST_P(TimingSchemesTest, SameAsWhenEveryCycleIsSimulated) {
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    SharedRun Skips = runRounds(Device, Program, Options);
    Options.EveryCycle = true;
    expectSame(Skips, runRounds(Device, Program, Options));
  }
}

/// Waits and holds are slices that begin before they end, within their warp,
/// and never overlap; a barrier is never within a hold.
TEST_P(TimingSchemesTest, TimelineNests) {
  TimingOptions Options;
  Options.RecordTimeline = true;
  SharedRun R = runRounds(Device, Program, Options);
  using Event = TimelineEvent;
  std::map<std::pair<unsigned, unsigned>, std::vector<Event::Kind>> Open;
  uint64_t Waits = 0, Holds = 0;
  for (const Event &E : R.Stats.Timeline) {
    if (E.K == Event::CtaBegin || E.K == Event::CtaEnd)
      continue;
    auto &Stack = Open[{E.SM, E.Slot}];
    bool Begins = E.K == Event::WarpBegin || E.K == Event::BarrierBegin ||
                  E.K == Event::WaitBegin || E.K == Event::HoldBegin;
    if (Begins) {
      EXPECT_LE(Stack.size(), 1u);
      Stack.push_back(E.K);
      Waits += E.K == Event::WaitBegin;
      Holds += E.K == Event::HoldBegin;
      continue;
    }
    ASSERT_FALSE(Stack.empty());
    EXPECT_EQ(unsigned(Stack.back()) + 1, unsigned(E.K));
    Stack.pop_back();
  }
  for (const auto &[Where, Stack] : Open)
    EXPECT_TRUE(Stack.empty());
  EXPECT_GT(Waits, 0u);
  EXPECT_EQ(Holds, Program.S == schemes::RFV ? 0 : R.Stats.Pool.Successes);
}

INSTANTIATE_TEST_SUITE_P(
    Timing, TimingSchemesTest,
    testing::Combine(testing::ValuesIn(TimedPresets),
                     testing::Values(SchemeProgram{"regmutex",
                                                   schemes::RegMutex},
                                     SchemeProgram{"regmutex-paired",
                                                   schemes::RegMutexPaired},
                                     SchemeProgram{"rfv", schemes::RFV})),
    [](const auto &Info) {
      return testNameOf(std::string(std::get<0>(Info.param)) +
                        std::get<1>(Info.param).Name);
    });

} // namespace
} // namespace regshare::sim
