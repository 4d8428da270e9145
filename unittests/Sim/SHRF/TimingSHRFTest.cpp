//===- TimingSHRFTest.cpp - A register cache that code manages ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/SHRF/SHRF.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

constexpr unsigned Regs = 24;

AnnotatedKernel managed(unsigned Slots = 16) {
  return {"shrf",
          Regs,
          0,
          0,
          {},
          pragma("cache slots=" + std::to_string(Slots)) + pragma("strand")};
}

/// \p Text with its operands' places said before it.
std::string with(const std::string &Places, const std::string &Text) {
  return pragma("operands " + Places) + Text;
}

TimingStats runManaged(const std::string &Device, const std::string &Body,
                       unsigned Warps = 1, TimingOptions Options = {}) {
  DeviceDescription D = deviceNamed(Device);
  D.NumSMs = 1;
  Options.Applied = schemes::SHRF;
  TestProgram T(managed().around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Warps) * WarpSize));
  return runTimed(*machine(D, Options), T, "k", {1}, {Warps * WarpSize}, {Out},
                  Regs);
}

/// What a launch with timing fails with, or "none".
std::string timedError(const std::string &Body, unsigned Slots = 16,
                       const std::string &Device = "ltrf-maxwell") {
  TestProgram T(managed(Slots).around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  TimingOptions Options;
  Options.Applied = schemes::SHRF;
  Result<std::vector<uint8_t>> Bytes =
      packArguments(*T.P->findKernel("k"), {Out});
  Result<TimingStats> R =
      machine(deviceNamed(Device), Options)
          ->run(*T.P, T.Memory, "k", {{1}, {WarpSize}, 0, *Bytes}, {});
  return R ? "none" : R.error().str();
}

/// The same with and without timing.
std::string errorOf(const std::string &Body) {
  std::string Functional = launchError(managed(), Body);
  std::string Timed = timedError(Body);
  EXPECT_EQ(Functional.substr(0, Functional.find('\n')),
            Timed.substr(0, Timed.find('\n')));
  return Functional;
}

/// Beyond what a kernel without a body does.
RegisterCacheStats statsOf(const std::string &Body) {
  RegisterCacheStats A = runManaged("ltrf-maxwell", "").RegisterCache;
  RegisterCacheStats B = runManaged("ltrf-maxwell", Body).RegisterCache;
  B.Reads -= A.Reads;
  B.Fetched -= A.Fetched;
  B.Writes -= A.Writes;
  B.MainResults -= A.MainResults;
  B.WaitCycles -= A.WaitCycles;
  return B;
}

const std::string Store = "st.global.u32 [%rd0], %r6;\n";

TEST(TimingSHRF, ValuesAreWhereCodeSays) {
  const std::string Body =
      with("cache=R6:0", "mov.u32 %r6, 7;\n") +
      with("read=R6:0 both=R7:1", "add.u32 %r7, %r6, 1;\n") +
      with("fetch=R2:2 read=R7:1 cache=R8:3", "add.u32 %r8, %r7, %r2;\n") +
      with("read=R2:2,R8:3", "sub.u32 %r6, %r8, %r2;\n") +
      "add.u32 %r6, %r6, %r7;\n" + Store;
  EXPECT_THAT(launchWords(managed(), Body), Each(16u));
  RegisterCacheStats S = statsOf(Body);
  EXPECT_EQ(S.Reads, 1u + 1 + 2);
  EXPECT_EQ(S.Writes, 1u + 1 + 2);
  // R2; R6 and R7; the address and R6.
  EXPECT_EQ(S.Fetched, 1u + 2 + 3);
  // R7, and R6 twice.
  EXPECT_EQ(S.MainResults, 3u);
  EXPECT_EQ(S.WrittenBack, 0u);
}

TEST(TimingSHRF, ReadingWhatIsNotThereIsAnError) {
  const std::string Make = with("cache=R6:0", "mov.u32 %r6, 7;\n");
  const std::string Use = with("read=R6:0", Store);
  EXPECT_THAT(errorOf(with("read=R2:0", "add.u32 %r6, %r2, 1;\n")),
              HasSubstr("read of R2 from slot 0 of the register cache, which "
                        "does not hold it"));
  EXPECT_THAT(errorOf(Make + with("read=R6:1", Store)), HasSubstr("slot 1"));
  // Another register has taken its slot.
  EXPECT_THAT(errorOf(Make + with("both=R7:0", "mov.u32 %r7, 7;\n") + Use),
              HasSubstr("read of R6 from slot 0"));
  // It has another value since.
  EXPECT_THAT(errorOf(Make + "mov.u32 %r6, 8;\n" + Use),
              HasSubstr("read of R6 from slot 0"));
  EXPECT_THAT(errorOf(Make + pragma("strand") + Use),
              HasSubstr("read of R6 from slot 0"));
  EXPECT_THAT(errorOf(Make + Store),
              HasSubstr("read of a register that was never written to the main "
                        "register file since the register cache had it"));
  // What the cache alone had is lost with it.
  EXPECT_THAT(errorOf("mov.u32 %r6, 1;\n" + Make + pragma("strand") + Store),
              HasSubstr("never written to the main register file"));
}

TEST(TimingSHRF, StrandsEndWhereLanesPartMeetAndWait) {
  const std::string Make = with("both=R6:0", "mov.u32 %r6, 7;\n");
  const std::string Use = with("read=R6:0", Store);
  const std::string Lost = "read of R6 from slot 0";
  const std::string Halves = "setp.lt.u32 %p0, %r2, 9;\n";
  EXPECT_THAT(errorOf(Make + Halves + "@%p0 bra T;\n" + Use + "T:\n"),
              HasSubstr(Lost));
  EXPECT_THAT(errorOf(Make + Halves + "@%p0 bra T;\n" + Make + "T:\n" + Use),
              HasSubstr(Lost));
  EXPECT_THAT(errorOf(Make + "bar.sync 0;\n" + Use), HasSubstr(Lost));
  EXPECT_THAT(errorOf(Make + "shfl.sync.idx.b32 %r7, %r2, 0, 31, -1;\n" + Use),
              AllOf(HasSubstr(Lost)));
  // All lanes take this one together.
  EXPECT_THAT(launchWords(managed(), Make +
                                         "setp.lt.u32 %p0, %r3, 9;\n"
                                         "@%p0 bra T;\nmov.u32 %r7, 1;\n"
                                         "T:\n" +
                                         Use),
              Each(7u));
}

/// Only the timing model knows when a warp leaves the active set.
TEST(TimingSHRF, AWarpThatWaitsLosesTheCache) {
  const std::string Make = with("both=R6:0", "mov.u32 %r6, 7;\n");
  const std::string Load = "ld.global.u32 %r7, [%rd0];\n";
  const std::string Wait = "add.u32 %r7, %r7, 1;\n";
  const std::string Use = with("read=R6:0", Store);
  EXPECT_THAT(timedError(Make + Load + Wait + Use),
              HasSubstr("read of R6 from slot 0"));
  // To load is not to wait.
  EXPECT_EQ(timedError(Make + Load + Use + Wait), "none");
  EXPECT_THAT(launchWords(managed(), Make + Load + Wait + Use), Each(7u));
}

/// Lanes that a guard leaves out keep what they have.
TEST(TimingSHRF, APartialWriteLeavesTheRest) {
  const std::string Halves = "setp.lt.u32 %p0, %r2, 9;\n";
  const std::string Some = with("cache=R6:0", "@%p0 mov.u32 %r6, 1;\n");
  const std::string Use = with("read=R6:0", Store);
  std::vector<uint32_t> Expected(32, 7);
  std::fill_n(Expected.begin(), 9, 1);
  EXPECT_EQ(launchWords(managed(), Halves +
                                       with("cache=R6:0", "mov.u32 %r6, 7;\n") +
                                       Some + Use),
            Expected);
  EXPECT_THAT(errorOf(Halves + "mov.u32 %r6, 7;\n" + Some + Use),
              HasSubstr("read of R6 from slot 0"));
}

TEST(TimingSHRF, StatementsSpeakOfTheInstructionBehindThem) {
  auto Error = [](const std::string &Body) {
    return launchError(managed(), Body);
  };
  EXPECT_THAT(Error(with("read=R7:0", Store)),
              HasSubstr("R7 is no operand, as 'read' says, of what follows"));
  EXPECT_THAT(Error(with("cache=R6:0", Store)),
              HasSubstr("R6 is no operand, as 'cache' says"));
  EXPECT_THAT(Error(with("cache=R6:0", "ld.global.u32 %r6, [%rd0];\n")),
              HasSubstr("its result may come when the strand is over"));
  EXPECT_THAT(Error(with("both=R6:0", "bar.sync 0;\n")),
              HasSubstr("R6 is no operand"));
  EXPECT_THAT(Error(pragma("operands cache=R6:0") +
                    with("cache=R6:1", "mov.u32 %r6, 5;\n")),
              HasSubstr("which has not come yet"));
  // A { } of several is one.
  EXPECT_THAT(launchWords(managed(),
                          with("cache=R6:0", "mov.u32 %r6, 5;\n") +
                              with("read=R6:0 both=R7:1",
                                   "{\nshl.b32 %r8, %r6, 1;\n"
                                   "add.u32 %r7, %r8, %r6;\n}\n") +
                              with("read=R7:1", "mov.u32 %r6, %r7;\n") + Store),
              Each(15u));
}

/// A dependent chain in the cache is as fast at any latency of the main file;
/// one in the main file is not.
TEST(TimingSHRF, OnlyTheMainFileIsSlow) {
  const std::string Slow = "ltrf-maxwell,regfile.latency=6";
  const std::string Begin = with("cache=R6:0", "mov.u32 %r6, 7;\n");
  const std::string Step =
      with("read=R6:0 cache=R6:1", "add.u32 %r6, %r6, 1;\n") +
      with("read=R6:1 cache=R6:0", "add.u32 %r6, %r6, 1;\n");
  const std::string Main = repeat("add.u32 %r6, %r6, 1;\n", 2);
  // Of 20 such pairs; what is before them overlaps with some.
  auto Cycles = [&](const std::string &Device, const std::string &Pair) {
    const std::string First = Pair == Main ? "mov.u32 %r6, 7;\n" : Begin;
    return runManaged(Device, First + repeat(Pair, 40)).Cycles -
           runManaged(Device, First + repeat(Pair, 20)).Cycles;
  };
  const unsigned Own =
      1 + figure(deviceNamed("ltrf-maxwell"), "core.bank_read_latency");
  EXPECT_EQ(Cycles(Slow, Step), Cycles("ltrf-maxwell", Step));
  EXPECT_EQ(Cycles(Slow, Main), Cycles("ltrf-maxwell", Main) + 40 * 5 * Own);
  // Nothing is looked up.
  EXPECT_EQ(Cycles("ltrf-maxwell", Step), Cycles("ltrf-maxwell", Main));
}

/// What is fetched can be read from its slot once it has come: the next
/// instruction waits for it, and one that comes later does not.
TEST(TimingSHRF, AFetchTakesItsTime) {
  const std::string Slow = "ltrf-maxwell,regfile.latency=6";
  const std::string Fetch = with("fetch=R2:0", "add.u32 %r6, %r2, 1;\n");
  const std::string Read = with("read=R2:0", "add.u32 %r7, %r2, 1;\n");
  const unsigned Own =
      1 + figure(deviceNamed("ltrf-maxwell"), "core.bank_read_latency");
  auto Waited = [&](const std::string &Body) {
    return runManaged(Slow, Body).RegisterCache.WaitCycles;
  };
  // From the cycle after its issue on.
  EXPECT_EQ(Waited(Fetch + Read), 6 * Own);
  EXPECT_EQ(Waited(Fetch + "mov.u32 %r8, 1;\n" + Read), 6 * Own - 1);
  EXPECT_EQ(Waited(Fetch + repeat("mov.u32 %r8, 1;\n", 20) + Read), 0u);
}

/// Results on their way to one slot come one after the other.
TEST(TimingSHRF, ASlotWaitsForItsResult) {
  const std::string Two = with("both=R6:0", "mov.u32 %r6, 1;\n") +
                          with("both=R7:0", "mov.u32 %r7, 1;\n");
  const std::string Apart = with("both=R6:0", "mov.u32 %r6, 1;\n") +
                            with("both=R7:1", "mov.u32 %r7, 1;\n");
  EXPECT_GT(statsOf(Two).WaitCycles, 0u);
  EXPECT_EQ(statsOf(Apart).WaitCycles, 0u);
}

TEST(TimingSHRF, PlacesAreAsLargeAsCodeWantsThem) {
  const std::string Body = "mov.u32 %r6, 1;\n";
  EXPECT_EQ(runManaged("ltrf-maxwell,timing.core.cache_registers=8", Body)
                .RegisterCache.ActiveWarps,
            4u);
  EXPECT_THAT(timedError(Body, 64),
              HasSubstr("room for 2 such warps, less than one for each of 4 "
                        "schedulers"));
  TestProgram T(AnnotatedKernel{"rfc", Regs, 0, 0, {}}.around(Body));
  TimingOptions Options;
  Options.Applied = schemes::SHRF;
  Result<TimingStats> R =
      machine(deviceNamed("ltrf-maxwell"), Options)
          ->run(
              *T.P, T.Memory, "k",
              {{1}, {WarpSize}, 0, *packArguments(*T.P->findKernel("k"), {0})},
              {});
  ASSERT_FALSE(R);
  EXPECT_THAT(R.error().str(), HasSubstr("compile it with --scheme=shrf"));
}

/// What Base counts, for the places that there are.
TEST(TimingSHRF, Storage) {
  auto Bits = [](const char *Device) {
    return runManaged(Device, "mov.u32 %r6, 1;\n").RegisterCache.StorageBits;
  };
  EXPECT_EQ(Bits("ltrf-maxwell"), 64u * 3 + 2 * 8 * 16);
  EXPECT_EQ(Bits("gtx480"), 48u * 3 + 2 * 8 * 16);
  EXPECT_EQ(Bits("ltrf-maxwell,timing.core.cache_registers=8"),
            64u * 2 + 2 * 4 * 16);
}

TEST(TimingSHRF, EveryCycleGivesTheSame) {
  const std::string Round =
      "ld.global.u32 %r6, [%rd0];\n" + pragma("strand") +
      with("fetch=R6:0 cache=R7:1", "add.u32 %r7, %r2, %r6;\n") +
      with("read=R6:0,R7:1 both=R2:2", "add.u32 %r2, %r7, %r6;\n");
  for (const char *Device : {"ltrf-maxwell", "gtx480", "hopper"}) {
    TimingOptions Every;
    Every.EveryCycle = true;
    EXPECT_EQ(runManaged(Device, repeat(Round, 5), 16).Cycles,
              runManaged(Device, repeat(Round, 5), 16, Every).Cycles)
        << Device;
  }
}

} // namespace
} // namespace regshare::sim
