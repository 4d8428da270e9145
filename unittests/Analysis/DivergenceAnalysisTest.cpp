//===- DivergenceAnalysisTest.cpp - Sources and spread of divergence -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzedFunction.h"

#include "regshare/CodeGen/Statements.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::test;

namespace {

/// True if R8, as \p Code leaves it, can differ between lanes. R0_1 holds a
/// uniform address, R2_3 one that differs, R4 and P0 are uniform, R5 and P1
/// differ.
bool diverges(llvm::StringRef Code) {
  AnalyzedFunction F((R"(
  bb.0:
    successors: %bb.1
    %R0_1:b64 = LD_i64 0, 0, 101, 3, 64, -1, &k_param_0, 0
    %R4:b32 = INT_PTX_SREG_CTAID_x
    %R5:b32 = INT_PTX_SREG_TID_x
    %R2_3:b64 = CVT_u64_u32 %R5, 0
    %P0:b1 = SETP_i32rr %R4, %R4, 2
    %P1:b1 = SETP_i32rr %R5, %R4, 2
    )" + Code + R"(
  bb.1:
    ST_i32 %R8:b32, 0, 0, 1, 32, %R0_1, 0
    Return
)")
                         .str());
  return F.A.Divergence.divergentIn(F.Parsed.block(1)).test(8);
}

TEST(DivergenceAnalysis, SpecialRegisters) {
  for (const char *S :
       {"INT_PTX_SREG_TID_x", "INT_PTX_SREG_TID_y", "SREG_LANEID",
        "INT_PTX_SREG_LANEMASK_LT", "SREG_CLOCK", "SREG_GLOBALTIMER_LO"})
    EXPECT_TRUE(diverges(std::string("%R8:b32 = ") + S)) << S;
  for (const char *S : {"INT_PTX_SREG_CTAID_x", "INT_PTX_SREG_NTID_x",
                        "SREG_WARPID", "SREG_SMID", "ACTIVEMASK"})
    EXPECT_FALSE(diverges(std::string("%R8:b32 = ") + S)) << S;
}

TEST(DivergenceAnalysis, ResultsFollowOperands) {
  EXPECT_FALSE(diverges("%R8:b32 = ADD32rr %R4, %R4"));
  EXPECT_TRUE(diverges("%R8:b32 = ADD32rr %R4, %R5"));
  EXPECT_TRUE(diverges("%R8:b32 = SELP_b32rr %R4, %R4, %P1"));
  EXPECT_FALSE(diverges("%R8:b32 = SELP_b32rr %R4, %R4, %P0"));
  // A later, uniform write ends it; half of a pair taints the whole.
  EXPECT_FALSE(diverges("%R8:b32 = MOV_B32_r %R5\n"
                        "    %R8:b32 = MOV_B32_i 1"));
  EXPECT_TRUE(diverges("%R6_7:b64 = MOV_B64_i 1\n"
                       "    %R7:b32 = MOV_B32_r %R5\n"
                       "    %R8:b32 = CVT_u32_u64 %R6_7, 0"));
  EXPECT_TRUE(diverges("%R8:b32 = ADD32rr %R4, undef %R4"));
  EXPECT_TRUE(diverges("%R8:b32 = IMPLICIT_DEF"));
  // The carry is no operand.
  EXPECT_TRUE(diverges("%R8:b32 = ADDCCi32rr %R4, %R5\n"
                       "    %R8:b32 = ADDCCCi32rr %R4, %R4"));
}

TEST(DivergenceAnalysis, Loads) {
  auto Load = [](const char *Space, const char *Address) {
    return std::string("%R8:b32 = LD_i32 0, 0, ") + Space + ", 3, 32, -1, " +
           Address + ", 0";
  };
  for (const char *Space : {"1", "3", "4", "101"}) {
    EXPECT_FALSE(diverges(Load(Space, "%R0_1"))) << Space;
    EXPECT_TRUE(diverges(Load(Space, "%R2_3"))) << Space;
  }
  // Local memory, and generic addresses, which may be local.
  EXPECT_TRUE(diverges(Load("5", "%R0_1")));
  EXPECT_TRUE(diverges(Load("0", "%R0_1")));
  // What a call returns.
  EXPECT_TRUE(diverges(Load("101", "&retval0")));
  EXPECT_FALSE(diverges("%R8:b32 = LD_GLOBAL_NC_i32 3, 32, 5, %R0_1, 0"));
  EXPECT_TRUE(diverges("%R8:b32 = LD_GLOBAL_NC_i32 3, 32, -1, %R2_3, 0"));
  EXPECT_FALSE(diverges("%R8:b32, %R9:b32 = LDV_i32_v2 0, 0, 1, 3, 32, -1, "
                        "%R0_1, 0"));
  EXPECT_TRUE(diverges("%R8:b32, %R9:b32 = LDV_i32_v2 0, 0, 5, 3, 32, -1, "
                       "%R0_1, 0"));
  EXPECT_TRUE(diverges("%R8:b32 = INT_PTX_ATOM_ADD_32_Gi %R0_1, 0, 1"));
}

TEST(DivergenceAnalysis, WhatLanesExchange) {
  EXPECT_FALSE(diverges("%R8:b32 = VOTE_SYNC_BALLOTi %P1, -1"));
  EXPECT_FALSE(diverges("%R8:b32 = VOTE_SYNC_BALLOTr %P1, %R4"));
  EXPECT_TRUE(diverges("%R8:b32 = VOTE_SYNC_BALLOTr %P0, %R5"));
  EXPECT_TRUE(diverges("%R8:b32 = MATCH_ANY_SYNC_32ri %R4, -1"));
  EXPECT_TRUE(diverges("%R8:b32, %P2:b1 = INT_ELECT_SYNC_I -1"));
  EXPECT_FALSE(diverges("%R8:b32 = BARRIER_CTA_RED_POPC_ALIGNED_ALL_ip 0, "
                        "%P1"));
}

TEST(DivergenceAnalysis, InlinePTX) {
  auto Code = [](const std::string &Text, const char *Source) {
    return "INLINEASM &\"" + Text +
           "\", 0, 262154 /* regdef:B32 */, def %R8:b32, "
           "262153 /* reguse:B32 */, " +
           Source;
  };
  EXPECT_FALSE(diverges(Code("mul.lo.s32 $0, $1, $1;", "%R4")));
  EXPECT_TRUE(diverges(Code("mul.lo.s32 $0, $1, $1;", "%R5")));
  for (const char *Text :
       {"mov.u32 $0, %laneid;", "mov.u32 $0, %tid.x;", "addc.u32 $0, $1, $1;",
        "shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "ld.local.u32 $0, [$1];",
        "atom.add.u32 $0, [$1], 1;", "@p mov.u32 $0, $1;"})
    EXPECT_TRUE(diverges(Code(Text, "%R4"))) << Text;
}

/// bb.0 branches by \p Source, and \p Then goes on; one side writes R3; bb.2 is
/// where they meet.
std::string oneSided(const char *Source, const char *Then = "") {
  return std::string(R"(
  bb.0:
    successors: %bb.1, %bb.2
    %R0_1:b64 = MOV_B64_i 0
    %R3:b32 = MOV_B32_i 3
    %R4:b32 = MOV_B32_i 4
    %R2:b32 = )") +
         Source + R"(
    %P0:b1 = SETP_i32rr %R2, %R4, 2
    CBranch %P0, %bb.2
)" + Then +
         R"(
  bb.1:
    successors: %bb.2
    %R3:b32 = MOV_B32_i 5
  bb.2:
    successors: %bb.3, %bb.4
    %P0:b1 = SETP_i32rr %R3, %R4, 2
    CBranch %P0, %bb.4
  bb.3:
    successors: %bb.4
    ST_i32 %R4, 0, 0, 1, 32, %R0_1, 0
  bb.4:
    Return
)";
}

TEST(DivergenceAnalysis, WhereLanesMeetTheyBringDifferentValues) {
  AnalyzedFunction F(oneSided("SREG_LANEID"));
  EXPECT_TRUE(F.divergentBranch(0));
  EXPECT_EQ(F.divergentIn(1), "R2 P0");
  EXPECT_EQ(F.divergentIn(2), "R2-R3 P0");
  EXPECT_TRUE(F.divergentBranch(2));
  EXPECT_EQ(F.A.Divergence.numDivergentBranches(), 2u);
  EXPECT_EQ(F.A.Divergence.numBranches(), 2u);
}

/// Whether bb.0's branch by \p Source parts lanes, with a statement between it
/// and a second branch.
bool partsBeforeAStatement(const char *Source) {
  ParsedFunction F(oneSided(Source, "    GOTO %bb.1"));
  llvm::MachineBasicBlock &MBB = *F.mf().getBlockNumbered(0);
  insertStatement(MBB, std::prev(MBB.end()),
                  ".pragma \"regshare.control stall=2\";");
  Analyses A(F.mf(), llvm::cantFail(RegisterAssignment::fromNames(F.mf())),
             F.postDominators());
  return A.Divergence.isDivergentBranch(MBB);
}

TEST(DivergenceAnalysis, AStatementBetweenTwoBranchesHidesNone) {
  EXPECT_TRUE(partsBeforeAStatement("SREG_LANEID"));
  EXPECT_FALSE(partsBeforeAStatement("INT_PTX_SREG_CTAID_x"));
}

TEST(DivergenceAnalysis, AUniformBranchBringsNone) {
  AnalyzedFunction F(oneSided("INT_PTX_SREG_CTAID_x"));
  EXPECT_EQ(F.divergentIn(2), "-");
  EXPECT_EQ(F.A.Divergence.numDivergentBranches(), 0u);
}

/// A loop whose counter R2 is uniform, and whose exit is decided by %s.
std::string countingLoop(const char *Source) {
  return std::string(R"(
  bb.0:
    successors: %bb.1
    %R2:b32 = MOV_B32_i 0
    %R3:b32 = MOV_B32_i 9
    %R4:b32 = )") +
         Source + R"(
  bb.1:
    successors: %bb.1, %bb.2
    %R2:b32 = ADD32rr %R2, %R3:b32
    %P0:b1 = SETP_i32rr %R2, %R4:b32, 2
    CBranch %P0, %bb.1
  bb.2:
    successors: %bb.3, %bb.4
    %P1:b1 = SETP_i32rr %R2, %R3, 2
    CBranch %P1, %bb.4
  bb.3:
    successors: %bb.4
  bb.4:
    Return
)";
}

TEST(DivergenceAnalysis, ACounterDivergesForLanesThatLeaveAtDifferentTimes) {
  AnalyzedFunction F(countingLoop("SREG_LANEID"));
  EXPECT_TRUE(F.divergentBranch(1));
  EXPECT_EQ(F.divergentIn(1), "R4 P0"); // Not R2: those still inside agree.
  EXPECT_EQ(F.divergentIn(2), "R2 R4 P0");
  EXPECT_TRUE(F.divergentBranch(2));
}

TEST(DivergenceAnalysis, ACounterOfAUniformLoopStaysUniform) {
  AnalyzedFunction F(countingLoop("INT_PTX_SREG_NTID_x"));
  EXPECT_FALSE(F.divergentBranch(1));
  EXPECT_FALSE(F.divergentBranch(2));
}

TEST(DivergenceAnalysis, LanesOfTheSecondOfTwoBranchesInABlockMeetEarlier) {
  // bb.2 and bb.3 meet at bb.4; with bb.1 they meet only at bb.6.
  AnalyzedFunction F(R"(
  bb.0:
    successors: %bb.1, %bb.2, %bb.3
    %R2:b32 = SREG_LANEID
    %R3:b32 = MOV_B32_i 3
    %P0:b1 = SETP_i32rr %R2, %R3, 2
    %P1:b1 = SETP_i32rr %R2, %R3, 1
    CBranch %P0, %bb.1
    CBranch %P1, %bb.2
    GOTO %bb.3
  bb.1:
    successors: %bb.6
    GOTO %bb.6
  bb.2:
    successors: %bb.4
    %R4:b32 = MOV_B32_i 1
    GOTO %bb.4
  bb.3:
    successors: %bb.4
    %R4:b32 = MOV_B32_i 2
  bb.4:
    successors: %bb.5, %bb.6
    %P0:b1 = SETP_i32rr %R4:b32, %R4, 2
    CBranch %P0, %bb.6
  bb.5:
    successors: %bb.6
  bb.6:
    Return
)");
  EXPECT_TRUE(F.divergentBranch(4));
}

} // namespace
