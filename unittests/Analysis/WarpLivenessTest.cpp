//===- WarpLivenessTest.cpp - What parked lanes keep alive ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzedFunction.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::test;

namespace {

/// Both sides of a diamond read a register of their own. %s is where the
/// branch's predicate comes from.
std::string diamond(const char *Source) {
  return std::string(R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = MOV_B32_i 2
    %R3:b32 = MOV_B32_i 3
    %R4:b32 = MOV_B32_i 4
    %R5:b32 = )") +
         Source + R"(
    %P0:b1 = SETP_i32rr %R5, %R2, 2
    CBranch %P0, %bb.2
  bb.1:
    successors: %bb.3
    ST_i32 %R2:b32, 0, 0, 1, 32, %R0_1, 0
    %R6:b32 = MOV_B32_i 6
    GOTO %bb.3
  bb.2:
    successors: %bb.3
    ST_i32 %R3:b32, 0, 0, 1, 32, %R0_1, 0
    %R6:b32 = MOV_B32_i 7
  bb.3:
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
    ST_i32 %R6, 0, 0, 1, 32, %R0_1, 0
    Return
)";
}

TEST(WarpLiveness, EachSideOfADivergentDiamondKeepsWhatTheOtherReads) {
  AnalyzedFunction F(diamond("SREG_LANEID"));
  ASSERT_TRUE(F.divergentBranch(0));
  EXPECT_EQ(F.threadIn(1), "R0-R2 R4");
  EXPECT_EQ(F.threadIn(2), "R0-R1 R3-R4");
  // R6 too: lanes that came from the other side wait at bb.3 with it.
  EXPECT_EQ(F.warpIn(1), "R0-R4 R6");
  EXPECT_EQ(F.warpIn(2), "R0-R4 R6");
  // R2 is dead to the thread after its store, not to the lanes that wait.
  EXPECT_EQ(F.threadBefore(1, 1), "R0-R1 R4");
  EXPECT_EQ(F.warpBefore(1, 1), "R0-R1 R3-R4 R6");
  EXPECT_EQ(F.warpOut(2), "R0-R2 R4 R6");
  // Outside of the branch nothing is added.
  EXPECT_EQ(F.warpIn(3), F.threadIn(3));
  EXPECT_EQ(F.warpIn(0), F.threadIn(0));
  EXPECT_EQ(F.warpOut(0), "R0-R4");
}

TEST(WarpLiveness, AUniformBranchWidensNothing) {
  for (const char *Source : {"INT_PTX_SREG_CTAID_x", "MOV_B32_i 5"}) {
    AnalyzedFunction F(diamond(Source));
    ASSERT_FALSE(F.divergentBranch(0)) << Source;
    for (unsigned B = 0; B != 4; ++B) {
      EXPECT_EQ(F.warpIn(B), F.threadIn(B)) << "bb." << B;
      EXPECT_EQ(F.A.Warp.parked(F.Parsed.block(B)).str(), "-") << "bb." << B;
    }
  }
}

TEST(WarpLiveness, EveryBranchPartsWhenNothingIsTrusted) {
  DivergenceOptions EveryBranch;
  EveryBranch.EveryBranch = true;
  AnalyzedFunction F(diamond("MOV_B32_i 5"), EveryBranch);
  EXPECT_EQ(F.warpIn(1), "R0-R4 R6");
}

TEST(WarpLiveness, ALoopThatLanesLeaveOneByOneKeepsWhatFollowsIt) {
  AnalyzedFunction F(R"(
  bb.0:
    successors: %bb.1
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 1
  bb.1:
    successors: %bb.2, %bb.3
    %R4:b32 = ADD32rr %R2, %R3:b32
    %P0:b1 = SETP_i32rr %R4, %R3, 2
    CBranch %P0, %bb.3
  bb.2:
    successors: %bb.1
    %R2:b32 = ADD32rr %R2:b32, %R3
    %R5:b32 = MOV_B32_i 5
    GOTO %bb.1
  bb.3:
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
    Return
)");
  ASSERT_TRUE(F.divergentBranch(1));
  // R4 is written anew in every round, so that a lane that stays has no use for
  // the old one; a lane that has left waits with it.
  EXPECT_EQ(F.threadIn(1), "R0-R3");
  EXPECT_EQ(F.warpIn(1), "R0-R4");
  EXPECT_EQ(F.warpBefore(1, 0), "R0-R4");
  EXPECT_EQ(F.warpBefore(2, 1), "R0-R4");
  EXPECT_EQ(F.threadIn(2), "R0-R3");
  EXPECT_EQ(F.warpIn(3), F.threadIn(3));
}

TEST(WarpLiveness, InnerSidesKeepWhatEveryOuterSideReads) {
  AnalyzedFunction F(R"(
  bb.0:
    successors: %bb.1, %bb.5
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 3
    %R4:b32 = MOV_B32_i 4
    %R5:b32 = MOV_B32_i 5
    %P0:b1 = SETP_i32rr %R2, %R3, 2
    CBranch %P0, %bb.5
  bb.1:
    successors: %bb.2, %bb.3
    %P0:b1 = SETP_i32rr %R2, %R4, 2
    CBranch %P0, %bb.3
  bb.2:
    successors: %bb.4
    ST_i32 %R3:b32, 0, 0, 1, 32, %R0_1, 0
    GOTO %bb.4
  bb.3:
    successors: %bb.4
    ST_i32 %R4:b32, 0, 0, 1, 32, %R0_1, 0
  bb.4:
    successors: %bb.6
    GOTO %bb.6
  bb.5:
    successors: %bb.6
    ST_i32 %R5:b32, 0, 0, 1, 32, %R0_1, 0
  bb.6:
    Return
)");
  EXPECT_EQ(F.threadIn(2), "R0-R1 R3");
  EXPECT_EQ(F.warpIn(2), "R0-R1 R3-R5");
  EXPECT_EQ(F.warpIn(3), "R0-R1 R3-R5");
  // The inner lanes have met; those of the outer branch still wait.
  EXPECT_EQ(F.warpIn(4), "R0-R1 R5");
  EXPECT_EQ(F.warpIn(5), "R0-R5");
  EXPECT_EQ(F.warpIn(6), "-");
}

TEST(WarpLiveness, SidesThatReturnOnTheirOwnNeverMeet) {
  AnalyzedFunction F(R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 3
    %P0:b1 = SETP_i32rr %R2, %R3, 2
    CBranch %P0, %bb.2
  bb.1:
    ST_i32 %R2, 0, 0, 1, 32, %R0_1, 0
    Return
  bb.2:
    successors: %bb.3
    %R4:b32 = MOV_B32_i 3
  bb.3:
    ST_i32 %R3, 0, 0, 1, 32, %R0_1, 0
    Return
)");
  EXPECT_EQ(F.A.Meetings.meetingPoint(F.Parsed.block(0)), nullptr);
  EXPECT_EQ(F.warpIn(1), "R0-R3");
  EXPECT_EQ(F.warpIn(2), "R0-R3");
  EXPECT_EQ(F.warpIn(3), "R0-R3");
}

TEST(WarpLiveness, LanesCanMeetAnywhereInAnEndlessLoop) {
  AnalyzedFunction F(R"(
  bb.0:
    successors: %bb.1
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 3
  bb.1:
    successors: %bb.2, %bb.3
    %P0:b1 = SETP_i32rr %R2, %R3, 2
    %R4:b32 = MOV_B32_i 4
    CBranch %P0, %bb.3
  bb.2:
    successors: %bb.3
    ST_i32 %R2, 0, 0, 1, 32, %R0_1, 0
    %R4:b32 = MOV_B32_i 5
  bb.3:
    successors: %bb.1, %bb.4
    %R2:b32 = SREG_LANEID
    %P0:b1 = SETP_i32rr %R4, %R3, 2
    CBranch %P0, %bb.1
  bb.4:
    successors: %bb.1
    GOTO %bb.1
)");
  EXPECT_EQ(F.A.Meetings.meetingPoint(F.Parsed.block(1)), nullptr);
  EXPECT_TRUE(F.A.Meetings.isUncertain());
  // Lanes that wait in bb.3 need R4 while others are still in bb.2.
  EXPECT_EQ(F.threadIn(2), "R0-R3");
  EXPECT_EQ(F.warpIn(2), "R0-R4");
  EXPECT_TRUE(F.divergentBranch(3));
}

TEST(WarpLiveness, LanesThatLeaveByInlinePTXMeetNobody) {
  const std::string Head = R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 3
    %P0:b1 = SETP_i32rr %R2, %R3, 2
    CBranch %P0, %bb.2
  bb.1:
    successors: %bb.2
    ST_i32 %R3, 0, 0, 1, 32, %R0_1, 0
)";
  const std::string Tail = R"(
  bb.2:
    successors: %bb.3
    %R2:b32 = MOV_B32_i 1
  bb.3:
    ST_i32 %R2, 0, 0, 1, 32, %R0_1, 0
    Return
)";
  AnalyzedFunction Stays(Head + Tail);
  EXPECT_EQ(Stays.warpIn(3), "R0-R2");
  // A machine that knows that bb.1 ends here can run bb.2 and bb.3 first.
  AnalyzedFunction Leaves(Head + "    INLINEASM &\"exit;\", 1\n" + Tail);
  EXPECT_EQ(Leaves.A.Meetings.meetingPoint(Leaves.Parsed.block(0)), nullptr);
  EXPECT_EQ(Leaves.warpIn(3), "R0-R3");
}

TEST(WarpLiveness, EveryCaseOfASwitchKeepsWhatTheOthersRead) {
  const char *Text = R"(
  bb.0:
    successors: %bb.1, %bb.2, %bb.3
    %R0_1:b64 = MOV_B64_i 0
    %R3:b32 = MOV_B32_i 3
    %R4:b32 = MOV_B32_i 4
    %R2:b32 = SREG_LANEID
    BRX_START 0
    BRX_ITEM %bb.1
    BRX_ITEM %bb.2
    BRX_END %bb.3, %R2, 0
  bb.1:
    successors: %bb.4
    ST_i32 %R3, 0, 0, 1, 32, %R0_1, 0
    GOTO %bb.4
  bb.2:
    successors: %bb.4
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
    GOTO %bb.4
  bb.3:
    successors: %bb.4
  bb.4:
    Return
)";
  AnalyzedFunction F(Text);
  ASSERT_TRUE(F.divergentBranch(0));
  EXPECT_EQ(F.threadIn(3), "-");
  // The index too, for the lanes that go on from the switch later.
  for (unsigned Case : {1, 2, 3})
    EXPECT_EQ(F.warpIn(Case), "R0-R4");
}

/// One side waits for the other's lanes in the middle, with R3 to read after
/// it. Wait is what it waits at.
std::string waitingSide(const char *Wait) {
  return std::string(R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %P0:b1 = SETP_i32rr %R2, %R2, 2
    CBranch %P0, %bb.2
  bb.1:
    successors: %bb.3
    %R3:b32 = MOV_B32_i 3
)") + Wait +
         R"(
    ST_i32 %R3, 0, 0, 1, 32, %R0_1, 0
    GOTO %bb.3
  bb.2:
    successors: %bb.3
    ST_i32 %R2, 0, 0, 1, 32, %R0_1, 0
  bb.3:
    ST_i32 %R2, 0, 0, 1, 32, %R0_1, 4
    Return
)";
}

TEST(WarpLiveness, LanesThatStopInTheMiddleOfASideKeepWhatTheyHave) {
  AnalyzedFunction Plain(waitingSide("    %R4:b32 = MOV_B32_i 4"));
  EXPECT_EQ(Plain.warpIn(2), "R0-R2");
  AnalyzedFunction Vote(waitingSide("    %R4:b32 = VOTE_SYNC_BALLOTi %P0, -1"));
  ASSERT_TRUE(Vote.divergentBranch(0));
  EXPECT_EQ(Vote.warpIn(2), "R0-R3 P0");
  EXPECT_EQ(Vote.warpIn(3), "R0-R2");
  AnalyzedFunction Inline(
      waitingSide("    INLINEASM &\"bar.warp.sync 3;\", 1"));
  EXPECT_EQ(Inline.warpIn(2), "R0-R3");
  // From where the sides meet lanes run on to a barrier.
  AnalyzedFunction Barrier(waitingSide("    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0"));
  for (unsigned Block : {1, 2, 3})
    EXPECT_EQ(Barrier.warpIn(Block), "R0-R3") << "bb." << Block;
}

} // namespace
