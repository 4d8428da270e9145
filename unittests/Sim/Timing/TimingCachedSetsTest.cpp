//===- TimingCachedSetsTest.cpp - Extended sets behind a register cache ---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RegMutex and a register cache in one kernel, on SMs with registers for one
/// extended set, or one for each pair of warps, and one active warp for each
/// scheduler: a warp that holds its set loses its place to others, which come
/// to their acquires and would keep it from its release.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/LTRF/LTRF.h"

#include <gmock/gmock.h>

#include <list>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

constexpr unsigned Ctas = 24, Threads = 192;
constexpr unsigned Base = 16, Extended = 8;

bool hasIntervals(const std::string &Scheme) {
  return !Scheme.ends_with("rfc");
}

AnnotatedKernel kernel(std::string Scheme) {
  static std::list<std::string> Names;
  std::string Begin;
  if (hasIntervals(Scheme))
    Begin =
        pragma("intervals count=5 registers=16") + prefetch(0, unitList(0, 6));
  return {Names.emplace_back(std::move(Scheme)).c_str(),
          Base + Extended,
          Base,
          Extended,
          {},
          Begin};
}

/// Rounds of an extended set in which the warp waits for memory, on intervals
/// that begin before the acquire, while the set is held, and on one side of a
/// branch, and that end after the release.
std::string rounds(const std::string &Scheme) {
  auto Enter = [&](unsigned Interval, const std::string &Units) {
    return hasIntervals(Scheme) ? prefetch(Interval, Units) : "";
  };
  const std::string Resume =
      hasIntervals(Scheme) ? pragma("interval id=2") : "";
  return Enter(1, "R2,R3,R6,R8") +
         "and.b32 %r6, %r3, 3;\nadd.u32 %r6, %r6, 1;\nmov.u32 %r8, %r2;\n"
         "ROUND:\n" +
         Enter(2, "R0,R1,R2,R8,R9,R10,R16,R17") + Acquire +
         "add.u32 %r16, %r8, 1;\nmul.lo.u32 %r17, %r8, %r16;\n"
         "ld.global.u32 %r9, [%rd0];\nadd.u32 %r16, %r16, %r9;\n"
         "and.b32 %r10, %r2, 5;\nsetp.eq.u32 %p1, %r10, 0;\n"
         "@%p1 bra OTHER;\n" +
         Enter(3, "R16,R17,R18") +
         "add.u32 %r18, %r16, 3;\nmad.lo.u32 %r17, %r16, %r17, %r18;\n"
         "bra SKIP;\nOTHER:\n" +
         Resume +
         "add.u32 %r17, %r17, %r9;\n"
         "SKIP:\n" +
         Enter(4, "R0,R1,R6,R8,R16,R17") + "xor.b32 %r8, %r16, %r17;\n" +
         Release +
         "bar.sync 0;\nst.global.u32 [%rd0], %r8;\nsub.u32 %r6, %r6, 1;\n"
         "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra ROUND;\n";
}

/// Room for the base sets of two CTAs and an extended set, or one for each pair
/// of warps, in each partition.
DeviceDescription small(const char *Name, bool IsPaired) {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 2;
  D.MaxCTAs = 2;
  unsigned Warps = 2 * Threads / 32 / D.RegisterPartitions;
  unsigned Sets = IsPaired ? (Warps + 1) / 2 : 1;
  unsigned Rows = (IsPaired ? Sets * 2 : Warps) * Base + Sets * Extended;
  D.Registers = D.RegisterPartitions * Rows * D.WarpSize;
  setFigure(D, "core.active_warps", figure(D, "core.schedulers"));
  return D;
}

struct CachedRun {
  TimingStats Stats;
  std::vector<uint32_t> Out;
};

class TimingCachedSets : public testing::TestWithParam<
                             std::tuple<const char *, bool, const char *>> {
protected:
  CachedRun run(TimingOptions Options) const {
    Options.Applied = *parseScheme(Name);
    TestProgram T(kernel(Name).around(rounds(Name)));
    EXPECT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
    CachedRun R;
    R.Stats = runTimed(*machine(Device, Options), T, "k", {Ctas}, {Threads},
                       {Out}, Base + Extended);
    R.Out = T.download<uint32_t>(Out, size_t(Ctas) * Threads);
    return R;
  }

  bool IsPaired = std::get<1>(GetParam());
  std::string Name = std::string(IsPaired ? "regmutex-paired+" : "regmutex+") +
                     std::get<2>(GetParam());
  DeviceDescription Device = small(std::get<0>(GetParam()), IsPaired);
};

void expectSame(const CachedRun &A, const CachedRun &B) {
  EXPECT_EQ(A.Out, B.Out);
  EXPECT_EQ(A.Stats.Cycles, B.Stats.Cycles);
  EXPECT_EQ(A.Stats.Slots.Slots, B.Stats.Slots.Slots);
  EXPECT_EQ(A.Stats.Pool.Attempts, B.Stats.Pool.Attempts);
  EXPECT_EQ(A.Stats.Pool.WaitCycles, B.Stats.Pool.WaitCycles);
  const RegisterCacheStats &Of = A.Stats.RegisterCache;
  const RegisterCacheStats &Other = B.Stats.RegisterCache;
  EXPECT_EQ(Of.Prefetches, Other.Prefetches);
  EXPECT_EQ(Of.PopPrefetches, Other.PopPrefetches);
  EXPECT_EQ(Of.Fetched, Other.Fetched);
  EXPECT_EQ(Of.WrittenBack, Other.WrittenBack);
  EXPECT_EQ(Of.LateWrites, Other.LateWrites);
}

TEST_P(TimingCachedSets, BothPartsAreShortAndNobodyWaitsForEver) {
  TestProgram T(kernel(Name).around(rounds(Name)));
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  ASSERT_TRUE(T.run("k", {Ctas}, {Threads}, {Out})) << T.Error;
  CachedRun R = run({});
  EXPECT_EQ(R.Out, T.download<uint32_t>(Out, size_t(Ctas) * Threads));
  EXPECT_EQ(R.Stats.Resident.CTAs, 2u);
  EXPECT_GT(R.Stats.Pool.Attempts, R.Stats.Pool.Successes);
  EXPECT_EQ(R.Stats.Pool.Taken, R.Stats.Pool.Returned);
  // One for each round of each warp: those of CTA n have 1 + n mod 4.
  EXPECT_EQ(R.Stats.Pool.Successes, Ctas / 4 * 10 * (Threads / 32));
  EXPECT_GT(R.Stats.RegisterCache.WrittenBack, 0u);
  EXPECT_EQ(R.Stats.RegisterCache.PopPrefetches != 0, hasIntervals(Name));
}

TEST_P(TimingCachedSets, SameOnAnyNumberOfThreads) {
  CachedRun First = run({});
  for (unsigned Threads : {1, 2, 3}) {
    TimingOptions Options;
    Options.Threads = Threads;
    expectSame(First, run(Options));
  }
}

TEST_P(TimingCachedSets, SameAsWhenEveryCycleIsSimulated) {
  TimingOptions Options;
  Options.EveryCycle = true;
  expectSame(run({}), run(Options));
}

INSTANTIATE_TEST_SUITE_P(
    Timing, TimingCachedSets,
    testing::Combine(testing::Values("gtx480", "hopper", "ltrf-maxwell"),
                     testing::Bool(),
                     testing::Values("ltrf", "ltrf-plus", "ltrf-strand",
                                     "rfc")),
    [](const auto &Info) {
      return testNameOf(std::string(std::get<0>(Info.param)) +
                        (std::get<1>(Info.param) ? "Paired" : "Pooled") +
                        std::get<2>(Info.param));
    });

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

/// One warp, whose R0 to R5 are in the cache when the body begins.
TimingStats runOne(const std::string &Body,
                   const std::string &Scheme = "regmutex+ltrf",
                   bool KnowsChanges = false) {
  TestProgram T(kernel(Scheme).around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  TimingOptions Options;
  Options.Applied = *parseScheme(Scheme);
  Options.Settings.set(settings::DirtyBits, KnowsChanges);
  return runTimed(*machine(deviceNamed("ltrf-maxwell"), Options), T, "k", {1},
                  {WarpSize}, {Out}, Base + Extended);
}

RegisterCacheStats moved(const std::string &Body,
                         const std::string &Scheme = "regmutex+ltrf",
                         bool KnowsChanges = false) {
  return runOne(Body, Scheme, KnowsChanges).RegisterCache;
}

const std::string Writes = "mov.u32 %r16, 1;\nmov.u32 %r17, 2;\n";
/// What is on its way to them has landed.
const std::string Landed =
    "setp.eq.u32 %p0, %r16, 1;\nsetp.eq.u32 %p0, %r17, 1;\n";
const std::string Named = prefetch(1, "R2,R16,R17");
const std::string Others = prefetch(2, "R2,R3");

/// Fetched before: R0 to R5, of which a PREFETCH of R2 sends five back.
TEST(CachedSets, WhatHasNoRowIsNeitherFetchedNorWrittenBack) {
  RegisterCacheStats S = moved(Named + Acquire + Writes + Release + Others);
  EXPECT_EQ(S.Fetched, 6u + 0 + 1);
  EXPECT_EQ(S.WrittenBack, 5u + 0);
  // While the set is held, its registers are like others.
  S = moved(Acquire + Named + Writes + Landed + Others + Release);
  EXPECT_EQ(S.Fetched, 6u + 2 + 1);
  EXPECT_EQ(S.WrittenBack, 5u + 2);
  S = moved(Named + Acquire + Writes + Landed + Others + Release);
  EXPECT_EQ(S.Fetched, 6u + 0 + 1);
  EXPECT_EQ(S.WrittenBack, 5u + 2);
}

/// Of what was there before the last release nothing comes to the new set.
TEST(CachedSets, WhatIsReleasedIsForgotten) {
  const std::string Again = Acquire +
                            "mov.u32 %r17, 3;\nsetp.eq.u32 %p0, %r17, 1;\n" +
                            Others + Release;
  const std::string Body = Acquire + Named + Writes + Release + Again;
  EXPECT_EQ(moved(Body).WrittenBack, 5u + 1);
  EXPECT_EQ(moved(Body, "regmutex+ltrf", true).WrittenBack,
            moved(Acquire + Named + Release + Again, "regmutex+ltrf", true)
                .WrittenBack);
  // With liveness no fetch brings it back either.
  const std::string Back = Acquire + prefetch(3, "R2,R16") + Release;
  EXPECT_EQ(
      moved(Acquire + Named + Writes + Release + Others + Back,
            "regmutex+ltrf-plus")
          .Fetched,
      moved(Acquire + Named + Release + Others + Back, "regmutex+ltrf-plus")
          .Fetched);
}

/// A section is another warp's only after all that goes back to it is there.
TEST(CachedSets, AReleaseWaitsForWhatIsWrittenBack) {
  const std::string Body =
      Acquire + Named + Writes +
      "add.u32 %r16, %r17, 1;\nsetp.eq.u32 %p0, %r16, 1;\n" + prefetch(2, "R2");
  const uint64_t Without = moved(Body).WaitCycles;
  EXPECT_GT(moved(Body + Release).WaitCycles, Without);
  EXPECT_EQ(moved(Body + "add.u32 %r2, %r2, 1;\n").WaitCycles, Without);
}

/// A warp whose registers are still to come has not come to its acquire.
TEST(CachedSets, AnAcquireIsAttemptedOnce) {
  const TimingStats S =
      runOne(prefetch(1, "R2,R6,R16") + Acquire + Release + Acquire + Release);
  EXPECT_EQ(S.Pool.Attempts, 2u);
  EXPECT_EQ(S.Pool.Successes, 2u);
}

//===----------------------------------------------------------------------===//
// Rules of both
//===----------------------------------------------------------------------===//

TEST(CachedSets, BreaksARuleOfEitherPart) {
  const AnnotatedKernel K = kernel("regmutex+ltrf");
  EXPECT_THAT(launchError(K, Named + "mov.u32 %r16, 1;\n"),
              HasSubstr("which the warp has not acquired (R16"));
  EXPECT_THAT(launchError(K, Acquire + "mov.u32 %r16, 1;\n"),
              HasSubstr("not in the register cache (R16"));
  EXPECT_THAT(launchError(K, Named + Acquire + Writes + Release + Acquire +
                                 "add.u32 %r2, %r16, 1;\n"),
              HasSubstr("since the extended set was acquired"));
  EXPECT_THAT(launchError(K, Acquire + "bar.sync 0;\n"),
              HasSubstr("a barrier while the warp holds its extended set"));
}

std::string timedError(const std::string &Body) {
  TestProgram T(kernel("regmutex+ltrf").around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  TimingOptions Options;
  Options.Applied = *parseScheme("regmutex+ltrf");
  auto Arguments = *packArguments(*T.P->findKernel("k"), {Out});
  Result<TimingStats> S =
      machine(deviceNamed("ltrf-maxwell"), Options)
          ->run(*T.P, T.Memory, "k", {{1}, {WarpSize}, 0, Arguments}, {});
  return S ? "none" : S.error().str();
}

/// Neither an acquire nor a release is an excuse for a way without PREFETCH.
TEST(CachedSets, AStatementOfTheOtherPartLeadsIntoNoInterval) {
  const std::string There = pragma("interval id=0") + "add.u32 %r5, %r5, 1;\n";
  const std::string Away = prefetch(1, "R2,R16") + "add.u32 %r2, %r2, 1;\n";
  for (const std::string &Between : {std::string(), Acquire, Acquire + Release})
    EXPECT_THAT(timedError(Away + Between + There),
                HasSubstr("has no PREFETCH of its interval"));
  EXPECT_EQ(
      timedError(Away + Acquire + prefetch(2, "R5") + "add.u32 %r5, %r5, 1;\n"),
      "none");
}

} // namespace
} // namespace regshare::sim
