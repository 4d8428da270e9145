//===- VerifierTest.cpp - What hand-written MIR files do not show ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParsedFunction.h"

#include "regshare/Annotation/Verifier.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

const std::string Split = R"(
    INLINEASM &".pragma \22regshare.regmutex base=4 extended=2\22;", 1
)";
const std::string Acquire = R"(
    INLINEASM &".pragma \22regshare.acquire\22;", 1
)";
const std::string Release = R"(
    INLINEASM &".pragma \22regshare.release\22;", 1
)";

/// "block: rule" of each violation.
std::string verify(const std::string &Body) {
  ParsedFunction P(Body);
  auto Assignment = cantFail(RegisterAssignment::fromNames(P.mf()));
  std::string Found;
  for (const AnnotationViolation &V :
       verifyAnnotations(P.mf(), Assignment, P.postDominators()))
    Found += "bb." + std::to_string(V.MBB->getNumber()) + ": " +
             std::string(V.Rule.Name) + "\n";
  return Found;
}

/// A branch on the lane's number, and its sides bb.1 and bb.2.
std::string branch(const std::string &Before) {
  return "  bb.0:\n    successors: %bb.1, %bb.2\n" + Split +
         R"(
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
)" + Before +
         R"(
    %P0:b1 = SETP_i32ri %R2, 5, 2
    CBranch %P0, %bb.1
    GOTO %bb.2
)";
}

} // namespace

TEST(Verifier, PlainCodeIsSound) {
  EXPECT_EQ(verify("  bb.0:\n    %R9:b32 = MOV_B32_i 0\n    Return\n"), "");
}

TEST(Verifier, LanesThatWaitInASideKeepTheirValues) {
  // bb.1 waits for bb.2's lanes with a value of its own; nothing that meets or
  // starts needs it.
  auto Text = [](const std::string &Wait, const std::string &InOther) {
    return branch(Acquire) + R"(
  bb.1:
    successors: %bb.3
    %R4:b32 = MOV_B32_i 1
)" + Wait + R"(
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
    GOTO %bb.3
  bb.2:
    successors: %bb.3
)" + InOther +
           R"(
    GOTO %bb.3
  bb.3:
    Return
)";
  };
  EXPECT_EQ(verify(Text("    INT_BAR_WARP_SYNC_I -1\n", "")), "");
  EXPECT_EQ(verify(Text("    INT_BAR_WARP_SYNC_I -1\n", Release + Acquire)),
            "bb.1: lost-by-release\n");
  // Without the wait bb.1 has read it, or has yet to write it.
  EXPECT_EQ(verify(Text("", Release + Acquire)), "");
  EXPECT_EQ(verify(Text("", Release)), "bb.1: held-at-use\n"
                                       "bb.1: held-at-use\n");
}

TEST(Verifier, LanesThatEndBeforeABarrier) {
  // A lane that returns early holding does not make the others' barrier one
  // that is reached holding: they release before it, whoever runs first.
  const std::string Rest = R"(
  bb.1:
    Return
  bb.2:
)" + Release + R"(
    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0
    Return
)";
  EXPECT_EQ(verify(branch(Acquire) + Rest), "");
}

TEST(Verifier, LanesThatRunAheadOfABarrierToTheirEnd) {
  // Those of bb.1 wait at the barrier while the others go on from bb.2 and end
  // with the set.
  auto Text =
      [](const std::string &AtEnd) {
        return branch("") + R"(
  bb.1:
    successors: %bb.2
    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0
    GOTO %bb.2
  bb.2:
)" + Acquire + R"(
    %R4:b32 = MOV_B32_i 1
)" + AtEnd + R"(
    Return
)";
      };
  EXPECT_EQ(verify(Text("")), "bb.1: held-at-wait\n");
  EXPECT_EQ(verify(Text(Release)), "");
}

/// A loop with \p Body on one side of a branch, and \p Meet where the sides
/// meet: lanes that wait there for lanes at a barrier run ahead, and come to
/// that barrier too. \p Back: what the loop's branch goes to.
std::string loopWithSide(const std::string &Body, const std::string &Meet,
                         const std::string &Back = "%bb.1") {
  return "  bb.0:\n    successors: %bb.1\n" + Split + R"(
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    GOTO %bb.1
  bb.1:
    successors: %bb.2, %bb.3
    %P0:b1 = SETP_i32ri %R2, 5, 2
    CBranch %P0, %bb.2
    GOTO %bb.3
  bb.2:
    successors: %bb.3
)" + Body +
         R"(
    GOTO %bb.3
  bb.3:
    successors: )" +
         Back + R"(, %bb.4
    %R2:b32 = ADD32ri %R2, 1
    %P1:b1 = SETP_i32ri %R2, 50, 2
)" + Meet +
         R"(
    CBranch %P1, )" +
         Back + R"(
    GOTO %bb.4
  bb.4:
    Return
)";
}

TEST(Verifier, LanesThatLeaveABarrierOneAfterTheOtherKeepTheirFrees) {
  // Those that were at the barrier first leave it last: they read R3 when
  // others have gone through bb.3.
  auto Frees = [](const std::string &Meet, const char *Back) {
    std::string Text = loopWithSide(R"(
    %R3:b32 = MOV_B32_i 1
    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0
    ST_i32 %R3, 0, 0, 1, 32, %R0_1, 0
)",
                                    Meet, Back);
    return verify(Text.erase(Text.find(Split), Split.size()));
  };
  const char *Free = R"(
    INLINEASM &".pragma \22regshare.free regs=R3\22;", 1
)";
  EXPECT_EQ(Frees("", "%bb.1"), "");
  EXPECT_EQ(Frees(Free, "%bb.1"), "bb.2: lost-by-free\n");
  // Lanes that do not come to it again can only end.
  EXPECT_EQ(Frees(Free, "%bb.3"), "");
}

TEST(Verifier, LanesThatLeaveABarrierOneAfterTheOtherKeepTheirSet) {
  // At bar.warp.sync they wait for those that have yet to leave the barrier,
  // with a value of their own or with none.
  auto Waiting = [](const std::string &Before, const std::string &Behind) {
    return verify(
        loopWithSide("    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0\n" + Before +
                         Acquire + "    %R4:b32 = MOV_B32_i 1\n" + Behind +
                         "    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0\n" + Release,
                     ""));
  };
  const char *Wait = "    INT_BAR_WARP_SYNC_I -1\n";
  EXPECT_EQ(Waiting("", ""), "");
  EXPECT_EQ(Waiting(Wait, ""), "");
  EXPECT_EQ(Waiting("", Wait), "bb.2: held-at-wait\n"
                               "bb.2: held-at-use\n"
                               "bb.2: lost-by-release\n");
}

TEST(Verifier, WhereLanesEndInInlinePTXTheyMayMeetAnywhere) {
  auto Text = [](const std::string &PTX) {
    return branch("") + R"(
  bb.1:
    successors: %bb.3
    INLINEASM &")" +
           PTX + R"(", 1
    GOTO %bb.3
  bb.2:
    successors: %bb.3
)" + Acquire +
           R"(
    %R4:b32 = MOV_B32_i 1
    GOTO %bb.3
  bb.3:
)" + Release +
           R"(
    Return
)";
  };
  EXPECT_EQ(verify(Text("nop;")), "");
  // All lanes end there, which the graph can tell.
  EXPECT_EQ(verify(Text("exit;")), "");
  // The rest of bb.1 may be where others wait.
  EXPECT_EQ(verify(Text("@%p1 exit;")), "");
  EXPECT_EQ(verify(branch(Acquire) + R"(
  bb.1:
    successors: %bb.2
    INLINEASM &"@%p1 exit;", 1
)" + Release + R"(
    GOTO %bb.2
  bb.2:
    successors: %bb.3
    %R4:b32 = MOV_B32_i 1
    GOTO %bb.3
  bb.3:
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
    Return
)"),
            "bb.2: held-at-use\nbb.3: held-at-use\nbb.3: lost-by-release\n");
}

TEST(Verifier, TwoBranchesInABlock) {
  // Lanes of bb.1 and bb.2 meet in bb.4, before bb.3's come. Those of bb.1
  // have released when those of bb.2 start.
  const char *Head = R"(
  bb.0:
    successors: %bb.1, %bb.2, %bb.3
)";
  const std::string Text = Head + Split + R"(
    %R0_1:b64 = MOV_B64_i 0
    %R2:b32 = SREG_LANEID
    %P0:b1 = SETP_i32ri %R2, 5, 2
    %P1:b1 = SETP_i32ri %R2, 9, 2
)" + Acquire + R"(
    CBranch %P0, %bb.3
    CBranch %P1, %bb.1
    GOTO %bb.2
  bb.1:
    successors: %bb.4
)" + Release + R"(
    GOTO %bb.4
  bb.2:
    successors: %bb.4
    %R4:b32 = MOV_B32_i 1
    GOTO %bb.4
  bb.3:
    successors: %bb.5
)" + Acquire + R"(
    %R4:b32 = MOV_B32_i 2
    GOTO %bb.5
  bb.4:
    successors: %bb.5
)" + Acquire + R"(
    %R4:b32 = MOV_B32_i 3
    GOTO %bb.5
  bb.5:
    Return
)";
  EXPECT_EQ(verify(Text), "bb.2: held-at-use\n");
}
