//===- ThreadLivenessTest.cpp - Liveness, pressure, references -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzedFunction.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/Analysis/References.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

TEST(ThreadLiveness, HalvesOfAPairAreUnits) {
  AnalyzedFunction F(R"(
  bb.0:
    %R0_1:b64 = MOV_B64_i 0
    %R0:b32 = MOV_B32_i 1
    %R2_3:b64 = ADD64rr %R0_1, %R0_1
    ST_i32 %R0, 0, 0, 1, 32, %R2_3, 0
    Return
)");
  EXPECT_EQ(F.threadBefore(0, 0), "-");
  EXPECT_EQ(F.threadBefore(0, 1), "R1");
  EXPECT_EQ(F.threadBefore(0, 2), "R0-R1");
  EXPECT_EQ(F.threadBefore(0, 3), "R0 R2-R3");
}

TEST(ThreadLiveness, AnUndefinedOperandIsNotRead) {
  AnalyzedFunction F(R"(
  bb.0:
    %R0:b32 = MOV_B32_i 1
    %R1:b32 = ADD32rr undef %R0, %R0
    %R2:b32 = ADD32rr undef %R1, undef %R1
    Return
)");
  EXPECT_EQ(F.threadBefore(0, 1), "R0");
  EXPECT_EQ(F.threadBefore(0, 2), "-");
}

TEST(ThreadLiveness, HalfWordsShareTheUnitOfTheWord) {
  AnalyzedFunction F(R"(
  bb.0:
    %R3:b32 = MOV_B32_i 1
    %H3:b16 = MOV_B16_i 1
    %H4:b16 = ADD16rr %H3, %H3
    Return
)");
  EXPECT_EQ(F.threadBefore(0, 1), "-");
  EXPECT_EQ(F.threadBefore(0, 2), "R3");
}

TEST(Pressure, ADeadResultStillTakesAPlace) {
  AnalyzedFunction F(R"(
  bb.0:
    %R0_1:b64 = MOV_B64_i 0
    %R2_3:b64 = MOV_B64_i 0
    ST_i64 %R0_1, 0, 0, 1, 64, %R0_1, 0
    Return
)");
  Pressure P = measurePressure(F.Parsed.mf(), F.A.Warp);
  EXPECT_EQ(P.Peak.Thread.Units, 4u);
  EXPECT_EQ(P.ThreadPeakAt, &F.Parsed.instr(0, 1));
}

TEST(Pressure, AResultTakesThePlaceOfASourceThatDies) {
  AnalyzedFunction F(R"(
  bb.0:
    %R0:b32 = MOV_B32_i 0
    %R1:b32 = MOV_B32_i 0
    %P0:b1 = SETP_i32rr %R0, %R1, 2
    %R2:b32 = SELP_b32rr %R0, %R1, %P0
    %R3:b32 = ADD32rr %R2, %R2
    Return
)");
  Pressure P = measurePressure(F.Parsed.mf(), F.A.Warp);
  EXPECT_EQ(P.Peak.Thread.Units, 2u);
  EXPECT_EQ(P.Peak.Thread.Preds, 1u);
  EXPECT_EQ(P.Points[3].Thread.Units, 2u);
  EXPECT_EQ(P.Points[4].Thread.Units, 1u);
  EXPECT_EQ(P.Blocks[0].Thread.Units, 2u);
}

TEST(Pressure, TemporariesOfInlinePTXAndEarlyResultsShareNothing) {
  AnalyzedFunction F(R"(
  bb.0:
    %R0:b32 = MOV_B32_i 0
    INLINEASM &".pragma \22regshare.temps t=R4 p=P1\22;", 1
    INLINEASM &"{ .reg .b32 t; .reg .pred p; }", 0, 262154 /* regdef:B32 */, def %R1:b32, 262153 /* reguse:B32 */, %R0
    INLINEASM &"mov.b32 $0, $1;", 0, 262155 /* regdef-ec:B32 */, def early-clobber %R2:b32, 262153 /* reguse:B32 */, %R1
    INLINEASM &"mov.b32 $0, $1;", 0, 262154 /* regdef:B32 */, def %R3:b32, 262153 /* reguse:B32 */, %R2
    Return
)");
  Pressure P = measurePressure(F.Parsed.mf(), F.A.Warp);
  EXPECT_EQ(P.Points[2].Thread.Units, 3u);
  EXPECT_EQ(P.Points[2].Thread.Preds, 1u);
  EXPECT_EQ(P.Points[3].Thread.Units, 2u);
  EXPECT_EQ(P.Points[4].Thread.Units, 1u);
}

/// bb.1 is a loop; bb.3 comes before bb.2 in every path, not in the layout.
const char *const Loop = R"(
  bb.0:
    successors: %bb.1
    %R4:b32 = MOV_B32_i 0
    %R2_3:b64 = MOV_B64_i 0
  bb.1:
    successors: %bb.1(0x70000000), %bb.3(0x10000000)
    %R4:b32 = ADD32rr %R4, %R4
    %P0:b1 = SETP_i32rr %R4, %R4, 2
    CBranch %P0, %bb.1
    GOTO %bb.3
  bb.2:
    %R0:b32 = MOV_B32_r %R1:b32
    Return
  bb.3:
    successors: %bb.2
    %R1:b32 = MOV_B32_i 1
    GOTO %bb.2
)";

TEST(References, FirstUseInLayoutAndInReversePostOrder) {
  AnalyzedFunction F(Loop);
  using Units = std::vector<unsigned>;
  EXPECT_EQ(firstUseOrder(F.Parsed.mf(), F.A.Assignment, BlockOrder::Layout),
            (Units{4, 2, 3, 0, 1}));
  EXPECT_EQ(firstUseOrder(F.Parsed.mf(), F.A.Assignment,
                          BlockOrder::ReversePostOrder),
            (Units{4, 2, 3, 1, 0}));
}

TEST(References, WeightsCountOperandsAndExpectedExecutions) {
  AnalyzedFunction F(Loop);
  MachineDominatorTree MDT(F.Parsed.mf());
  MachineLoopInfo MLI(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI(F.Parsed.mf(), MBPI, MLI);
  std::vector<ReferenceWeight> W =
      referenceWeights(F.Parsed.mf(), F.A.Assignment, MBFI);
  ASSERT_EQ(W.size(), 5u);
  EXPECT_EQ(W[4].Static, 6u);
  EXPECT_EQ(W[2].Static, 1u);
  EXPECT_EQ(W[3].Static, 1u);
  EXPECT_EQ(W[1].Static, 2u);
  // Eight rounds: 7/8 of the lanes go round again.
  EXPECT_NEAR(W[4].Expected, 1 + 5 * 8, 0.01);
  EXPECT_NEAR(W[1].Expected, 2, 0.01);
}

TEST(InstrFacts, ABarrierWaitsAndAnArrivalDoesNot) {
  AnalyzedFunction F(R"(
  bb.0:
    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0
    BARRIER_CTA_ARRIVE_ALIGNED_ii 0, 64
    INLINEASM &"bar.sync 1, 64;", 1
    INLINEASM &"bar.arrive 1, 64;", 1
    Return
)");
  const InstrFacts &Facts = InstrFacts::get(F.Parsed.mf());
  std::vector<bool> Found;
  for (unsigned I = 0; I != 5; ++I)
    Found.push_back(Facts.isBarrier(F.Parsed.instr(0, I)));
  EXPECT_EQ(Found, (std::vector<bool>{true, false, true, false, false}));
}

} // namespace
