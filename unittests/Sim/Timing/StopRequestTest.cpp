//===- StopRequestTest.cpp - Launches that end early ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Sim/StopRequest.h"

#include "TimingTest.h"

using namespace regshare;
using namespace regshare::sim;

namespace {

struct WithdrawnAtEnd {
  ~WithdrawnAtEnd() { withdrawStopRequest(); }
};

/// 2,000 rounds of additions to a word of each thread.
const char *const Loop =
    "mov.u32 %r2, 0;\nS: ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 1;\n"
    "st.global.u32 [%rd2], %r3; add.u32 %r2, %r2, 1;\n"
    "setp.lt.u32 %p1, %r2, 2000; @%p1 bra S;\n";

TimingStats runUntil(const char *Device, uint64_t StopCycle) {
  WithdrawnAtEnd Withdraw;
  TimingOptions Options;
  Options.OnProgress = [&](const Progress &P) {
    if (P.Cycles >= StopCycle)
      requestStop();
  };
  return runBody(deviceNamed(Device), Loop, {4}, {64}, Options);
}

} // namespace

/// runBody() checks the accounts of each.
TEST(StopRequest, FiguresAreOfWhatHasRun) {
  for (const char *Device : {"gtx480", "rtx6000"}) {
    TimingStats Whole = runUntil(Device, ~uint64_t(0));
    EXPECT_TRUE(Whole.Functional.IsWhole);
    EXPECT_EQ(Whole.Functional.Ctas, 4u);
    ASSERT_GT(Whole.Cycles, 40'000u);
    uint64_t Before = 0;
    for (uint64_t Stop : {10'000, 20'000, 40'000}) {
      TimingStats Part = runUntil(Device, Stop);
      EXPECT_FALSE(Part.Functional.IsWhole);
      EXPECT_GE(Part.Cycles, Stop);
      EXPECT_LT(Part.Cycles, Stop + 2048);
      EXPECT_GT(Part.Functional.WarpInstructions, Before);
      EXPECT_LT(Part.Functional.WarpInstructions,
                Whole.Functional.WarpInstructions);
      EXPECT_EQ(Part.Functional.Ctas, 0u);
      Before = Part.Functional.WarpInstructions;
    }
  }
}

TEST(StopRequest, WithoutTiming) {
  WithdrawnAtEnd Withdraw;
  TestProgram T(kernelAround("S: bra S;"));
  ASSERT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  LaunchConfig Config{
      {1}, {32}, 0, *packArguments(*T.P->findKernel("k"), {Out})};
  requestStop();
  auto Stopped = runKernel(*T.P, T.Memory, "k", Config);
  ASSERT_TRUE(Stopped) << Stopped.error().str();
  EXPECT_FALSE(Stopped->IsWhole);
  EXPECT_EQ(Stopped->Ctas, 0u);
}
