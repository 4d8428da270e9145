//===- TimingRFCTest.cpp - A register cache without prefetching -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/RFC/RFC.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

constexpr unsigned Regs = 40;

TimingStats runCached(const std::string &Device, const std::string &Body,
                      unsigned Warps = 1, TimingOptions Options = {}) {
  DeviceDescription D = deviceNamed(Device);
  D.NumSMs = 1;
  Options.Applied = schemes::RFC;
  TestProgram T(AnnotatedKernel{"rfc", Regs, 0, 0, {}}.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Warps) * WarpSize));
  return runTimed(*machine(D, Options), T, "k", {1}, {Warps * WarpSize}, {Out},
                  Regs);
}

RegisterCacheStats statsOf(const std::string &Body) {
  RegisterCacheStats A = runCached("ltrf-maxwell", "").RegisterCache;
  RegisterCacheStats B = runCached("ltrf-maxwell", Body).RegisterCache;
  B.Reads -= A.Reads;
  B.Fetched -= A.Fetched;
  B.WrittenBack -= A.WrittenBack;
  B.Writes -= A.Writes;
  return B;
}

/// Writes \p Count registers from \p First on and reads the last, for which all
/// have to land.
std::string writes(unsigned First, unsigned Count) {
  std::string Text;
  for (unsigned N = First; N != First + Count; ++N)
    Text += "mov.u32 %r" + std::to_string(N) + ", 7;\n";
  return Text + "setp.eq.u32 %p0, %r" + std::to_string(First + Count - 1) +
         ", 1;\n";
}

/// The place has 16 registers, of which the prologue has taken 6.
TEST(TimingRFC, TheOldestResultMakesRoom) {
  EXPECT_EQ(statsOf(writes(6, 10)).WrittenBack, 0u);
  EXPECT_EQ(statsOf(writes(6, 12)).WrittenBack, 2u);
  // One that is there keeps its place.
  EXPECT_EQ(statsOf(writes(6, 10) + writes(6, 10)).WrittenBack, 0u);
  // The last of the prologue's is a pair that only now lands before the end.
  EXPECT_EQ(statsOf(writes(6, 12)).Writes, 12u + 2);
}

TEST(TimingRFC, OperandsHitWhatIsStillThere) {
  const std::string Read = "setp.eq.u32 %p0, %r7, 1;\n";
  RegisterCacheStats Hit = statsOf(writes(6, 10) + Read);
  EXPECT_EQ(Hit.Reads, 1u + 1);
  EXPECT_EQ(Hit.Fetched, 0u);
  RegisterCacheStats Miss = statsOf(writes(6, 30) + Read);
  EXPECT_EQ(Miss.Reads, 1u);
  EXPECT_EQ(Miss.Fetched, 1u);
}

/// A dependent chain hits at any latency of the main file; operands that have
/// been displaced come from there.
TEST(TimingRFC, OnlyMissesFeelASlowFile) {
  const std::string Slow = "ltrf-maxwell,regfile.latency=6";
  const std::string Chain = repeat("add.u32 %r2, %r2, 1;\n", 50);
  EXPECT_EQ(runCached(Slow, Chain).Cycles - runCached(Slow, "").Cycles,
            runCached("ltrf-maxwell", Chain).Cycles -
                runCached("ltrf-maxwell", "").Cycles);
  const std::string Far =
      writes(6, 30) + repeat("add.u32 %r35, %r7, %r35;\n", 50);
  const unsigned Own =
      1 + figure(deviceNamed("ltrf-maxwell"), "core.bank_read_latency");
  EXPECT_GE(runCached(Slow, Far).Cycles,
            runCached("ltrf-maxwell", Far).Cycles + 50 * 5 * Own);
}

TEST(TimingRFC, WarpsThatWaitLoseTheirResults) {
  const std::string Loads =
      repeat("ld.global.u32 %r6, [%rd0];\nadd.u32 %r2, %r2, %r6;\n", 3);
  RegisterCacheStats S = runCached("ltrf-maxwell", Loads, 24).RegisterCache;
  // The prologue's six are lost once; what was loaded comes after the warp has
  // left, as long as others take its place.
  EXPECT_GE(S.WrittenBack, 24u * 6);
  EXPECT_GE(S.LateWrites, 24u * 2);
  EXPECT_LE(S.LateWrites, 24u * (3 + 2));
  S = runCached("ltrf-maxwell", Loads, 8).RegisterCache;
  EXPECT_EQ(S.WrittenBack, 0u);
  EXPECT_EQ(S.LateWrites, 0u);
}

TEST(TimingRFC, EveryCycleGivesTheSame) {
  const std::string Body =
      repeat("ld.global.u32 %r6, [%rd0];\nadd.u32 %r2, %r2, %r6;\n", 5);
  for (const char *Device : {"ltrf-maxwell", "gtx480", "hopper"}) {
    TimingOptions Every;
    Every.EveryCycle = true;
    EXPECT_EQ(runCached(Device, Body, 16).Cycles,
              runCached(Device, Body, 16, Every).Cycles)
        << Device;
  }
}

/// As under LTRF and SHRF: a scheduler without an active warp issues nothing.
TEST(TimingRFC, FewerPlacesThanSchedulersAreRefused) {
  TestProgram T(AnnotatedKernel{"rfc", Regs, 0, 0, {}}.around(""));
  TimingOptions Options;
  Options.Applied = schemes::RFC;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  Result<TimingStats> R =
      machine(deviceNamed("ltrf-maxwell,timing.core.active_warps=3"), Options)
          ->run(*T.P, T.Memory, "k",
                {{1},
                 {WarpSize},
                 0,
                 *packArguments(*T.P->findKernel("k"), {Out})},
                {});
  ASSERT_FALSE(R);
  EXPECT_THAT(
      R.error().Message,
      testing::HasSubstr("one of 48 has room for 3 such warps, less than one "
                         "for each of 4 schedulers"));
}

} // namespace
} // namespace regshare::sim
