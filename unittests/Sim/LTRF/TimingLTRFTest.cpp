//===- TimingLTRFTest.cpp - The register cache ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/LTRF/LTRF.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned Regs = 24;
/// What a register needs to pass the narrow crossbar (LTRF, section 4.2).
constexpr unsigned Crossbar = 4;

DeviceDescription oneSM(const std::string &Name = "ltrf-maxwell") {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 1;
  return D;
}

TimingOptions under(Scheme S) {
  TimingOptions Options;
  Options.Applied = S;
  return Options;
}

TimingStats runDivided(const DeviceDescription &D, const std::string &Body,
                       Scheme S = schemes::LTRF, unsigned Warps = 1,
                       TimingOptions Options = {}) {
  Options.Applied = S;
  std::string Name((S == schemes::Baseline ? schemes::LTRF : S).name());
  TestProgram T(divided(Name.c_str(), Regs).around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Warps) * WarpSize));
  return runTimed(*machine(D, Options), T, "k", {1}, {Warps * WarpSize}, {Out},
                  Regs);
}

/// What a launch with timing fails with.
std::string timedError(const AnnotatedKernel &K, const std::string &Body,
                       Scheme S, const DeviceDescription &D = oneSM()) {
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  Result<std::vector<uint8_t>> Bytes =
      packArguments(*T.P->findKernel("k"), {Out});
  Result<TimingStats> R =
      machine(D, under(S))
          ->run(*T.P, T.Memory, "k", {{1}, {WarpSize}, 0, *Bytes}, {});
  EXPECT_FALSE(R);
  return R ? "" : R.error().str();
}

/// Cycles that a warp waited for registers, of which the intervals before the
/// body brought none that count here.
uint64_t waitFor(const std::string &Body,
                 const DeviceDescription &D = oneSM()) {
  return runDivided(D, Body).RegisterCache.WaitCycles -
         runDivided(D, "").RegisterCache.WaitCycles;
}

/// A register needs its bank's access and the crossbar. Those in different
/// banks come together, and those in one after the other.
TEST(TimingLTRF, APrefetchTakesAsLongAsItsFullestBank) {
  const std::string Then = "mov.u32 %r6, 1;\n";
  const unsigned Own = 1 + figure(oneSM(), "core.bank_read_latency");
  const uint64_t One = waitFor(prefetch(1, "R0,R1,R2,R3,R4,R5,R6") + Then);
  // The cycle of the PREFETCH is not one of waiting, and the last one issues.
  EXPECT_EQ(One, Own + Crossbar);
  EXPECT_EQ(waitFor(prefetch(1, unitList(0, 14)) + Then), One);
  EXPECT_EQ(waitFor(prefetch(1, "R0,R1,R2,R3,R4,R5,R6,R22") + Then),
            One + Crossbar);
  // 5 times as slow a file adds 4 times its own cycles.
  DeviceDescription Slow = oneSM("ltrf-maxwell,regfile.latency=5");
  EXPECT_EQ(waitFor(prefetch(1, "R0,R1,R2,R3,R4,R5,R6") + Then, Slow),
            One + 4 * Own);
}

/// What the new interval has in common with the old one stays.
TEST(TimingLTRF, OnlyTheDifferenceMoves) {
  RegisterCacheStats S = runDivided(oneSM(), "").RegisterCache;
  EXPECT_EQ(S.Prefetches, 1u);
  EXPECT_EQ(S.Fetched, 6u);
  EXPECT_EQ(S.WrittenBack, 0u);
  S = runDivided(oneSM(), prefetch(1, "R0,R1,R8,R9,R10")).RegisterCache;
  EXPECT_EQ(S.Prefetches, 2u);
  EXPECT_EQ(S.Fetched, 6u + 3);
  EXPECT_EQ(S.WrittenBack, 4u);
  EXPECT_EQ(S.Rows, 128u);
  EXPECT_EQ(S.ActiveWarps, 8u);
  EXPECT_EQ(S.StorageBits, 114'880u);
}

/// LTRF+ moves what is live: the prologue has written R0 to R5 when the next
/// interval comes, and nothing before.
TEST(TimingLTRF, LivenessSavesTransfers) {
  auto Moved = [](const std::string &Body) {
    return runDivided(oneSM(), Body, schemes::LTRFPlus).RegisterCache;
  };
  // An access to memory, for what is on its way to have landed.
  const std::string Wait = "add.u32 %r5, %r5, 1;\nadd.u32 %r5, %r5, 1;\n";
  const std::string Next = prefetch(1, "R0,R1,R8");
  EXPECT_EQ(Moved(Wait + Next).Fetched, 0u);
  EXPECT_EQ(Moved(Wait + Next).WrittenBack, 4u);
  EXPECT_EQ(Moved(Wait + pragma("dead regs=R2,R3") + Next).WrittenBack, 2u);
  // It comes back.
  EXPECT_EQ(Moved(Wait + Next + prefetch(2, "R2,R5")).Fetched, 2u);
  EXPECT_EQ(Moved(Wait + pragma("dead regs=R2") + Next + prefetch(2, "R2,R5"))
                .Fetched,
            1u);
}

/// Of R0 to R5, R2 and R3 are changed after they came back.
TEST(TimingLTRF, DirtyBitsSaveWriteBacks) {
  const std::string Body = "add.u32 %r5, %r5, 1;\n"
                           "setp.eq.u32 %p0, %r5, 1;\n" +
                           prefetch(1, "R8") + prefetch(2, unitList(0, 6)) +
                           "add.u32 %r2, %r2, 1;\nadd.u32 %r3, %r2, 1;\n"
                           "add.u32 %r3, %r3, 1;\nadd.u32 %r3, %r3, 1;\n"
                           "setp.eq.u32 %p0, %r3, 1;\n" +
                           prefetch(3, "R8");
  TimingOptions Options;
  RegisterCacheStats Whole = runDivided(oneSM(), Body).RegisterCache;
  Options.Settings.set(settings::DirtyBits, true);
  RegisterCacheStats Changed =
      runDivided(oneSM(), Body, schemes::LTRF, 1, Options).RegisterCache;
  EXPECT_EQ(Whole.WrittenBack, 6u + 1 + 6);
  EXPECT_EQ(Changed.WrittenBack, 6u + 0 + 2);
  EXPECT_EQ(Changed.StorageBits, Whole.StorageBits + 64u * 256);
}

TEST(TimingLTRF, DeadOperandsArePoisonedAndTakeNoSlot) {
  const std::string Read = "add.u32 %r4, %r2, %r3;\n";
  EXPECT_THAT(
      launchError(divided("ltrf-plus"), Read + pragma("dead regs=R2") +
                                            "st.global.u32 [%rd0], %r2;\n"),
      HasSubstr("read"));
  TimingStats A = runDivided(oneSM(), Read, schemes::LTRFPlus);
  TimingStats B =
      runDivided(oneSM(), Read + pragma("dead regs=R2"), schemes::LTRFPlus);
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Functional.WarpInstructions, B.Functional.WarpInstructions);
}

TEST(TimingLTRF, RegistersBeyondTheVectorAreRefused) {
  EXPECT_THAT(launchError(divided(), "mov.u32 %r9, 1;\n"),
              AllOf(HasSubstr("R9"), HasSubstr("not in the register cache"),
                    HasSubstr("interval 0")));
  EXPECT_THAT(launchError(divided(), pragma("interval") + "mov.u32 %r0, 1;\n"),
              HasSubstr("an interval without registers"));
  // Where it is not executed it does no harm.
  EXPECT_EQ(launchWords(divided(), "bra DONE;\nmov.u32 %r9, 1;\nDONE:\n"
                                   "st.global.u32 [%rd0], %r2;\n")[7],
            7u);
  EXPECT_THAT(launchError(divided(), prefetch(1, "R1") + prefetch(1, "R1")),
              HasSubstr("a second prefetch"));
}

/// An edge leads into an interval whose PREFETCH is elsewhere.
TEST(TimingLTRF, AWayWithoutPrefetchIsAnError) {
  const std::string Body = "bra L;\n" + prefetch(1, "R2,R8") +
                           "mov.u32 %r8, 1;\nL:\nmov.u32 %r8, 2;\n";
  EXPECT_THAT(timedError(divided(), Body, schemes::LTRF),
              HasSubstr("no PREFETCH of its interval"));
}

/// The side of a branch that runs last comes from where the warp had been in
/// another interval; so do the lanes that the sides' end resumes.
TEST(TimingLTRF, APopPrefetchesByItself) {
  const std::string Body =
      "setp.lt.u32 %p0, %r2, 16;\n@%p0 bra TAKEN;\n" + prefetch(1, "R2,R8,R9") +
      "add.u32 %r8, %r2, 1;\nbra JOIN;\n"
      "TAKEN:\n" +
      pragma("interval id=0") + "add.u32 %r4, %r2, 2;\nJOIN:\n" +
      prefetch(2, "R0,R1,R2,R4,R8") +
      "@%p0 st.global.u32 [%rd0], %r4;\n@!%p0 st.global.u32 [%rd0], %r8;\n";
  RegisterCacheStats S = runDivided(oneSM(), Body).RegisterCache;
  EXPECT_EQ(S.PopPrefetches, 1u);
  EXPECT_EQ(S.Prefetches, 3u);
  std::vector<uint32_t> Words = launchWords(divided(), Body);
  EXPECT_EQ(Words[3], 5u);
  EXPECT_EQ(Words[20], 21u);
}

/// An instruction of three operands reads the WCB's two ports twice.
TEST(TimingLTRF, LookUpsAreOnTheWay) {
  auto Chain = [](const std::string &Text, unsigned LookUp) {
    DeviceDescription D = oneSM();
    setFigure(D, "core.cache_lookup", LookUp);
    return runDivided(D, repeat(Text, 60)).Cycles -
           runDivided(D, repeat(Text, 10)).Cycles;
  };
  const std::string Two = "add.u32 %r5, %r5, %r3;\n";
  const std::string Three = "mad.lo.u32 %r5, %r5, %r3, %r4;\n";
  EXPECT_EQ(Chain(Two, 1), Chain(Two, 0) + 50);
  EXPECT_EQ(Chain(Three, 1), Chain(Three, 0) + 2 * 50);
}

/// While no other can go on, a warp that waits keeps its place.
TEST(TimingLTRF, WarpsThatNobodyReplacesStay) {
  const std::string Loads =
      repeat("ld.global.u32 %r4, [%rd0];\nadd.u32 %r2, %r2, %r4;\n", 3);
  RegisterCacheStats C =
      runDivided(oneSM(), Loads, schemes::LTRF, 8).RegisterCache;
  EXPECT_EQ(C.Refetches, 0u);
  EXPECT_EQ(C.WrittenBack, 0u);
  EXPECT_EQ(C.LateWrites, 0u);
  EXPECT_EQ(C.Fetched, 8u * 6);
}

/// Warps that wait for memory make room, and get back what they had.
TEST(TimingLTRF, WarpsThatWaitGiveTheirPlaceAway) {
  const std::string Loads =
      repeat("ld.global.u32 %r4, [%rd0];\nadd.u32 %r2, %r2, %r4;\n", 3);
  for (Scheme S : {Scheme(schemes::LTRF), Scheme(schemes::LTRFPlus)}) {
    RegisterCacheStats C = runDivided(oneSM(), Loads, S, 24).RegisterCache;
    EXPECT_EQ(C.Prefetches, 24u);
    // The last to leave have nobody to make room for.
    EXPECT_GE(C.Refetches, 2 * 24u);
    EXPECT_LE(C.Refetches, 3 * 24u);
    // What was loaded, and the addition before it.
    EXPECT_GE(C.LateWrites, C.Refetches);
    EXPECT_LE(C.LateWrites, 2 * C.Refetches);
    if (S == schemes::LTRF) {
      EXPECT_EQ(C.Fetched, 24u * 6 + 6 * C.Refetches);
      EXPECT_EQ(C.WrittenBack, 6 * C.Refetches);
      continue;
    }
    // R2 or R4 is not live while it is on its way for the first time, and
    // nothing is before the prologue.
    EXPECT_LE(C.Fetched, 6 * C.Refetches);
    EXPECT_GE(C.Fetched, 5 * C.Refetches);
    EXPECT_LE(C.WrittenBack, 6 * C.Refetches);
    EXPECT_GE(C.WrittenBack, 5 * C.Refetches);
  }
}

TEST(TimingLTRF, EveryCycleAndAnyThreadsGiveTheSame) {
  const std::string Body =
      repeat(prefetch(1, unitList(0, 6) + ",R8") +
                 "ld.global.u32 %r8, [%rd0];\nadd.u32 %r2, %r2, %r8;\n",
             1) +
      repeat("ld.global.u32 %r8, [%rd0];\nadd.u32 %r2, %r8, %r2;\n", 4);
  for (const char *Name : {"ltrf-maxwell", "gtx480", "hopper"}) {
    TimingOptions Every, Threads;
    Every.EveryCycle = true;
    Threads.Threads = 3;
    TimingStats A = runDivided(deviceNamed(Name), Body, schemes::LTRF, 16);
    TimingStats B =
        runDivided(deviceNamed(Name), Body, schemes::LTRF, 16, Every);
    TimingStats C =
        runDivided(deviceNamed(Name), Body, schemes::LTRF, 16, Threads);
    EXPECT_EQ(A.Cycles, B.Cycles) << Name;
    EXPECT_EQ(A.Slots.Slots, B.Slots.Slots) << Name;
    EXPECT_EQ(A.Cycles, C.Cycles) << Name;
  }
}

TEST(TimingLTRF, LargeIntervalsLeaveRoomForFewerWarps) {
  auto Active = [](const std::string &Device, unsigned Most) {
    TestProgram T(divided("ltrf", Regs, Most).around(""));
    uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
    return runTimed(*machine(oneSM(Device), under(schemes::LTRF)), T, "k", {1},
                    {WarpSize}, {Out}, Regs)
        .RegisterCache.ActiveWarps;
  };
  EXPECT_EQ(Active("ltrf-maxwell", 8), 8u);
  EXPECT_EQ(Active("ltrf-maxwell", 24), 5u);
  EXPECT_EQ(Active("ltrf-maxwell,timing.core.cache_registers=32", 24), 8u);
  EXPECT_THAT(timedError(divided("ltrf", Regs, 64), "", schemes::LTRF),
              AllOf(HasSubstr("64 registers"), HasSubstr("room for 2")));
}

TEST(TimingLTRF, RefusesWhatItCannotRun) {
  EXPECT_THAT(timedError(virtualised(), "", schemes::LTRF),
              HasSubstr("not divided into intervals"));
  TimingOptions Options = under(schemes::LTRF);
  for (const char *Scheduler : {"lrr", "gto", "ltlws-lrr", "ltlws-gto"}) {
    Options.Scheduler = Scheduler;
    auto M = Machine::create(oneSM(), Options);
    ASSERT_FALSE(M);
    EXPECT_THAT(M.error().Message, HasSubstr("two-level scheduler"));
  }
}

/// Other schemes feel the slower file with each operand, Ideal does not.
TEST(TimingLTRF, ASlowRegisterFileSlowsOthersDown) {
  const std::string Chain = repeat("add.u32 %r5, %r5, 1;\n", 100);
  DeviceDescription Slow = oneSM("ltrf-maxwell,regfile.latency=6");
  auto Cycles = [&](const DeviceDescription &D, Scheme S) {
    return runDivided(D, Chain, S).Cycles;
  };
  const unsigned Own = 1 + figure(oneSM(), "core.bank_read_latency");
  EXPECT_GE(Cycles(Slow, schemes::Baseline),
            Cycles(oneSM(), schemes::Baseline) + 100 * 5 * Own);
  EXPECT_LE(Cycles(Slow, schemes::LTRF),
            Cycles(oneSM(), schemes::LTRF) + 2 * 5 * Own);
}

} // namespace
} // namespace regshare::sim
