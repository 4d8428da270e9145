//===- LivelockTest.cpp - Kernels that never end --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/TimingTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Runs kernelAround(Body), whose buffer is zero, in both modes, without
/// limits that a test's end would wait for; "" if it ends by itself.
class LivelockTest : public testing::TestWithParam<bool> {
protected:
  std::string message(const std::string &Body, Dim3 Grid, Dim3 Block,
                      const std::string &ModuleScope = "") {
    TestProgram T(kernelAround(Body, ModuleScope));
    EXPECT_TRUE(T.P) << T.Error;
    uint64_t Out = T.upload(std::vector<uint32_t>(2048));
    if (!GetParam()) {
      T.Options.InstructionLimit = 200'000'000;
      return T.run("k", Grid, Block, {Out}) ? "" : T.Error;
    }
    TimedLaunchOptions Options;
    Options.RegsPerThread = 20;
    Options.CycleLimit = 20'000'000;
    Result<TimingStats> S =
        machine(deviceNamed("gtx480"))
            ->run(
                *T.P, T.Memory, "k",
                {Grid, Block, 0, *packArguments(*T.P->findKernel("k"), {Out})},
                Options);
    return S ? "" : S.error().str();
  }
};

/// The lane that has the lock waits where the branch's sides meet, for those
/// that wait for the lock.
TEST_P(LivelockTest, LockInAWarp) {
  EXPECT_THAT(message("SPIN: atom.global.cas.b32 %r2, [%rd1], 0, 1;\n"
                      "setp.ne.u32 %p1, %r2, 0;\n"
                      "@%p1 bra SPIN;\n"
                      "atom.global.exch.b32 %r3, [%rd1], 0;\n",
                      {1}, {32}),
              AllOf(HasSubstr("livelock"), HasSubstr("1 warp goes round"),
                    HasSubstr("CTA (0,0,0), warp 0: lanes 1-31 at PTX line"),
                    HasSubstr("meanwhile lane 0 waits before PTX line"),
                    HasSubstr("atom.global.exch.b32")));
}

TEST_P(LivelockTest, FlagThatNobodySets) {
  EXPECT_THAT(message("SPIN: ld.volatile.global.u32 %r2, [%rd1];\n"
                      "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n",
                      {4}, {64}),
              AllOf(HasSubstr("livelock"), HasSubstr("8 warps go round")));
}

TEST_P(LivelockTest, OthersWaitAtABarrier) {
  EXPECT_THAT(message("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra WAIT;\n"
                      "SPIN: ld.shared.u32 %r2, [flag];\n"
                      "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n"
                      "WAIT: bar.sync 0;\n",
                      {1}, {96}, ".shared .align 4 .b32 flag;\n"),
              AllOf(HasSubstr("livelock"), HasSubstr("1 warp goes round"),
                    HasSubstr("2 wait at barriers")));
}

/// A loop of many different states that come again.
TEST_P(LivelockTest, LongRound) {
  EXPECT_THAT(message("mov.u32 %r2, 0;\n"
                      "SPIN: add.u32 %r2, %r2, 1;\nand.b32 %r2, %r2, 1023;\n"
                      "ld.volatile.global.u32 %r3, [%rd1];\n"
                      "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra SPIN;\n",
                      {1}, {32}),
              HasSubstr("livelock"));
}

/// Long, but it ends: a counter grows in a register, in memory, or elsewhere.
TEST_P(LivelockTest, WhatEndsIsNone) {
  unsigned Rounds = GetParam() ? 30'000 : 2'000'000;
  std::string Count = std::to_string(Rounds);
  EXPECT_EQ(message("mov.u32 %r2, 0;\nSPIN: add.u32 %r2, %r2, 1;\n"
                    "setp.lt.u32 %p1, %r2, " +
                        Count + ";\n@%p1 bra SPIN;\n",
                    {1}, {32}),
            "");
  EXPECT_EQ(message("SPIN: atom.global.add.u32 %r2, [%rd2], 1;\n"
                    "setp.lt.u32 %p1, %r2, " +
                        std::to_string(Rounds / 10) + ";\n@%p1 bra SPIN;\n",
                    {1}, {32}),
            "");
  // One warp waits for another, which takes its time.
  EXPECT_EQ(message("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra COUNT;\n"
                    "SPIN: ld.volatile.global.u32 %r2, [%rd1];\n"
                    "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n"
                    "bra END;\n"
                    "COUNT: mov.u32 %r2, 0;\n"
                    "NEXT: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " +
                        Count +
                        ";\n@%p1 bra NEXT;\nst.global.u32 [%rd1], %r2;\nEND:\n",
                    {1}, {64}),
            "");
}

/// The registers repeat, but time goes on.
TEST_P(LivelockTest, WhoWaitsForTheClockDoesNot) {
  unsigned Bit = GetParam() ? 20 : 23;
  EXPECT_EQ(message("SPIN: mov.u32 %r2, %clock;\n"
                    "shr.u32 %r2, %r2, " +
                        std::to_string(Bit) +
                        ";\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra SPIN;\n",
                    {1}, {32}),
            "");
}

INSTANTIATE_TEST_SUITE_P(Sim, LivelockTest, testing::Bool(),
                         [](const auto &Info) {
                           return Info.param ? "Timed" : "Functional";
                         });

} // namespace
} // namespace regshare::sim
