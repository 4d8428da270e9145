//===- TimingCompositionTest.cpp - Two schemes on one SM ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RegMutex and scratchpad sharing in one kernel, on SMs with registers for one
/// extended set, or one for each pair of warps, and scratchpad for one pair of
/// CTAs. Some CTAs come to the lock first and some to the extended set, so that
/// they would wait for each other if both were had in the order of the code.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <gmock/gmock.h>

#include <list>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

constexpr unsigned Ctas = 40, Threads = 192, Bytes = 2048;

const std::string Access =
    "st.shared.u32 [%r7+1024], %r8;\nld.shared.u32 %r11, [%r7+1024];\n"
    "add.u32 %r8, %r8, %r11;\n";
/// Rounds of an extended set with an access to shared scratchpad inside; CTAs
/// with even numbers access it before as well.
const std::string Rounds =
    "shl.b32 %r7, %r2, 2;\nmov.u32 %r5, words;\nadd.u32 %r7, %r7, %r5;\n"
    "and.b32 %r6, %r3, 3;\nadd.u32 %r6, %r6, 1;\nmov.u32 %r8, %r2;\n"
    "and.b32 %r10, %r3, 1;\nsetp.ne.u32 %p3, %r10, 0;\n@%p3 bra ROUND;\n" +
    Access + "ROUND:\n" + Acquire +
    "add.u32 %r16, %r8, 1;\nmul.lo.u32 %r17, %r8, %r16;\n"
    "ld.global.u32 %r9, [%rd0];\nadd.u32 %r16, %r16, %r9;\n" +
    Access +
    "and.b32 %r10, %r2, 5;\nsetp.eq.u32 %p1, %r10, 0;\n@%p1 bra SKIP;\n"
    "mad.lo.u32 %r17, %r16, %r17, %r16;\nSKIP:\n"
    "xor.b32 %r8, %r16, %r17;\n" +
    Release +
    "bar.sync 0;\nst.global.u32 [%rd0], %r8;\nsub.u32 %r6, %r6, 1;\n"
    "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra ROUND;\n";

AnnotatedKernel kernel(std::string Scheme) {
  static std::list<std::string> Names;
  return {Names.emplace_back(std::move(Scheme)).c_str(), 24, 16, 8,
          ".shared .align 16 .b8 words[2048];\n"};
}

/// Room for the base sets of two CTAs and an extended set, or one for each pair
/// of warps, in each partition, and scratchpad for two CTAs that share.
DeviceDescription small(const char *Name, bool IsPaired) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 2;
  D.MaxCTAs = 2;
  unsigned Warps = 2 * Threads / 32 / D.RegisterPartitions;
  unsigned Sets = IsPaired ? (Warps + 1) / 2 : 1;
  unsigned Rows = (IsPaired ? Sets * 2 : Warps) * 16 + Sets * 8;
  D.Registers = D.RegisterPartitions * Rows * D.WarpSize;
  for (D.SharedMemory = D.SharedUnit; D.SharedMemory != 16 * Bytes;
       D.SharedMemory += D.SharedUnit)
    if (sharingResidency(SharedResource::Scratchpad, D, {0, Threads, Bytes},
                         500)
            .Pairs)
      return D;
  ADD_FAILURE() << "no pairs on " << Name;
  return D;
}

struct ComposedRun {
  TimingStats Stats;
  std::vector<uint32_t> Out;
  uint64_t counter(std::string_view Key) const {
    for (const SchemeCounter &C : Stats.Counters)
      if (C.Key == Key)
        return C.Value;
    return 0;
  }
};

class TimingComposition
    : public testing::TestWithParam<std::tuple<const char *, bool>> {
protected:
  ComposedRun run(TimingOptions Options) const {
    Options.Applied = *parseScheme(Name);
    Options.Settings.set(settings::PrivateShare, 500);
    TestProgram T(kernel(Name).around(Rounds));
    EXPECT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
    ComposedRun R;
    R.Stats = runTimed(*machine(Device, Options), T, "k", {Ctas}, {Threads},
                       {Out}, 24);
    R.Out = T.download<uint32_t>(Out, size_t(Ctas) * Threads);
    return R;
  }

  bool IsPaired = std::get<1>(GetParam());
  std::string Name = std::string(IsPaired ? "regmutex-paired" : "regmutex") +
                     "+scratchpad-sharing";
  DeviceDescription Device = small(std::get<0>(GetParam()), IsPaired);
};

void expectSame(const ComposedRun &A, const ComposedRun &B) {
  EXPECT_EQ(A.Out, B.Out);
  EXPECT_EQ(A.Stats.Cycles, B.Stats.Cycles);
  EXPECT_EQ(A.Stats.Slots.Slots, B.Stats.Slots.Slots);
  EXPECT_EQ(A.Stats.Pool.Attempts, B.Stats.Pool.Attempts);
  EXPECT_EQ(A.Stats.Pool.WaitCycles, B.Stats.Pool.WaitCycles);
  ASSERT_EQ(A.Stats.Counters.size(), B.Stats.Counters.size());
  for (size_t N = 0; N != A.Stats.Counters.size(); ++N)
    EXPECT_EQ(A.Stats.Counters[N].Value, B.Stats.Counters[N].Value);
}

TEST_P(TimingComposition, BothPartsAreShortAndNobodyWaitsForEver) {
  TestProgram T(kernel(Name).around(Rounds));
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  ASSERT_TRUE(T.run("k", {Ctas}, {Threads}, {Out})) << T.Error;
  std::vector<uint32_t> Expected =
      T.download<uint32_t>(Out, size_t(Ctas) * Threads);
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    ComposedRun R = run(Options);
    EXPECT_EQ(R.Out, Expected);
    EXPECT_EQ(R.Stats.Resident.CTAs, 2u);
    EXPECT_GT(R.Stats.Pool.Attempts, R.Stats.Pool.Successes);
    EXPECT_EQ(R.Stats.Pool.Taken, R.Stats.Pool.Returned);
    EXPECT_GT(R.counter("second_attempts"), R.counter("second_successes"));
    EXPECT_EQ(R.counter("second_successes"), Ctas);
    EXPECT_EQ(R.counter("second_returned"), Ctas);
  }
}

TEST_P(TimingComposition, SameOnAnyNumberOfThreads) {
  ComposedRun First = run({});
  for (unsigned Threads : {1, 2, 3}) {
    TimingOptions Options;
    Options.Threads = Threads;
    expectSame(First, run(Options));
  }
}

TEST_P(TimingComposition, SameAsWhenEveryCycleIsSimulated) {
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    ComposedRun Skips = run(Options);
    Options.EveryCycle = true;
    expectSame(Skips, run(Options));
  }
}

INSTANTIATE_TEST_SUITE_P(Timing, TimingComposition,
                         testing::Combine(testing::Values("gtx480", "hopper"),
                                          testing::Bool()),
                         [](const auto &Info) {
                           return std::string(std::get<0>(Info.param)) +
                                  (std::get<1>(Info.param) ? "Paired"
                                                           : "Pooled");
                         });

/// The rules of both parts are checked, and both destroy what they give back.
TEST(Composition, BreaksARuleOfEitherPart) {
  const AnnotatedKernel K = kernel("regmutex+scratchpad-sharing");
  const std::string Base = "mov.u32 %r5, words;\n";
  EXPECT_THAT(launchError(K, Base + "mov.u32 %r16, 1;\n"),
              HasSubstr("which the warp has not acquired (R16"));
  EXPECT_THAT(launchError(K, Base + Acquire + "mov.u32 %r16, 1;\n" + Release +
                                 Acquire + "add.u32 %r8, %r16, 1;\n"),
              HasSubstr("since the extended set was acquired"));
  EXPECT_THAT(launchError(K, Base + Acquire + pragma("unlock") +
                                 "st.shared.u32 [%r5], %r2;\n"),
              HasSubstr("access to shared memory after a release"));
  EXPECT_THAT(launchError(K, Base + pragma("unlock") + "mov.u32 %r16, 1;\n"),
              HasSubstr("which the warp has not acquired (R16"));
  EXPECT_THAT(launchError(K, Base + pragma("free regs=R8")),
              HasSubstr("belongs to scheme rfv"));
}

/// Under a part its statements are executed and the other's are passed over.
TEST(Composition, CodeRunsUnderAPartAndNotTheOtherWayRound) {
  auto Run = [](const std::string &Code, const char *Under) {
    TestProgram T(kernel(Code).around(Rounds));
    EXPECT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
    TimingOptions Options;
    Options.Applied = *parseScheme(Under);
    auto M = machine(small("gtx480", false), Options);
    TimedLaunchOptions Launch;
    Launch.RegsPerThread = 24;
    auto Arguments = *packArguments(*T.P->findKernel("k"), {Out});
    Result<TimingStats> S =
        M->run(*T.P, T.Memory, "k", {{Ctas}, {Threads}, 0, Arguments}, Launch);
    return S ? "successes " + std::to_string(S->Pool.Successes)
             : S.error().str();
  };
  EXPECT_THAT(Run("regmutex", "regmutex+scratchpad-sharing"),
              HasSubstr("'k' was compiled for scheme 'regmutex', whose "
                        "statements scheme 'regmutex+scratchpad-sharing' does "
                        "not execute"));
  EXPECT_EQ(Run("regmutex+scratchpad-sharing", "regmutex"),
            Run("regmutex", "regmutex"));
}

} // namespace
} // namespace regshare::sim
