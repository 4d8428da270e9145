//===- VerifyFoldTest.cpp - Folds that are none ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifyFold.h"

#include "ParsedFunction.h"

#include "regshare/CodeGen/Native/NativeCode.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

/// What is wrong with native code, or "sound".
static std::string violationOf(StringRef Body, bool Native = true) {
  ParsedFunction F(Body);
  if (Native)
    setNative(F.mf());
  std::vector<FoldViolation> Found = verifyFold(F.mf());
  return Found.empty() ? "sound" : Found.front().What;
}

static const char *const Sound = R"(
  bb.0:
    %C0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0
    %C1:b64 = cvta_to_global_64 %C0
    %R4:b32 = INT_PTX_SREG_TID_x
    %F0:b64 = MUL_WIDEs32_ri %R4, 4
    %R6_7:b64 = ADD64rr %F0, %C1
    %R4:b32 = LD_i32 0, 0, 1, 3, 32, -1, %R6_7, 0
    %F1:b32 = AND_b32ri %R4, 7
    %F2:b32 = XOR_b32rr %F1, %R4
    %R5:b32 = OR_b32ri %F2, 1
    ST_i32 %R5, 0, 0, 1, 32, %R6_7, 0
    Return
)";

TEST(VerifyFold, AcceptsGroups) {
  EXPECT_EQ(violationOf(Sound), "sound");
  EXPECT_EQ(violationOf(Sound, /*Native=*/false),
            "only native code has values without a register");
}

/// The sound code with one line, or part of it, replaced.
static std::string with(StringRef From, StringRef To) {
  std::string Text = Sound;
  size_t At = Text.find(From);
  EXPECT_NE(At, Text.npos) << From.str();
  return Text.replace(At, From.size(), To.str());
}

TEST(VerifyFold, FindsMutations) {
  const std::tuple<const char *, const char *, const char *> Mutations[] = {
      {"%F0:b64 = MUL_WIDEs32_ri %R4, 4\n",
       "%F0:b64 = MUL_WIDEs32_ri %R4, 4\n    %R5:b32 = MOV_B32_i 1\n",
       "%F0 is read outside of its group"},
      {"ST_i32 %R5", "ST_i32 %F2", "%F2 is read outside of its group"},
      {"%F2:b32 = XOR",
       "INLINEASM &\".pragma \\22regshare.strand\\22;\", 1\n"
       "    %F2:b32 = XOR",
       "a statement is inside of a group"},
      {"%F1:b32 = AND_b32ri %R4, 7\n",
       "%F1:b32 = AND_b32ri %R4, 7\n    %F1:b32 = AND_b32ri %R4, 3\n",
       "the group has that folded value already"},
      {"%R4:b32 = LD_i32 0, 0, 1, 3, 32, -1, %R6_7, 0",
       "%F9:b32 = LD_i32 0, 0, 1, 3, 32, -1, %R6_7, 0",
       "a folded instruction computes one value and does nothing else"},
      {"%C1:b64 = cvta_to_global_64 %C0",
       "%C1:b64 = cvta_to_global_64 %C0\n    %C1:b64 = cvta_to_global_64 %C0",
       "a constant has one definition"},
      {"%C0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0",
       "%R8_9:b64 = MOV_B64_i 0\n    %C0:b64 = MOV_B64_r %R8_9",
       "a constant is computed from constants alone"},
      {"%F0:b64 = MUL_WIDEs32_ri %R4, 4\n",
       "%F0:b64 = MUL_WIDEs32_ri %R4, 4\n    %C2:b64 = MOV_B64_i 1\n",
       "a constant is defined in a group"},
  };
  for (const auto &[From, To, What] : Mutations)
    EXPECT_EQ(violationOf(with(From, To)), What) << To;
}

TEST(VerifyFold, FindsGroupsWithoutEnd) {
  EXPECT_EQ(violationOf(R"(
  bb.0:
    successors: %bb.1
    %R4:b32 = INT_PTX_SREG_TID_x
    %F0:b32 = ADD32ri %R4, 4
  bb.1:
    Return
)"),
            "a group has no end in its block");
}

TEST(VerifyFold, FindsConstantsTheHardwareCannotHave) {
  EXPECT_EQ(violationOf(R"(
  bb.0:
    %C0:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p0, 0
    %C1:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p1, 0
    %R4:b32 = ADD32rr %C0, %C1
    Return
)"),
            "an instruction of the hardware has one constant operand");
  EXPECT_EQ(violationOf(R"(
  bb.0:
    %C0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0
    %R4:b32 = LD_i32 0, 0, 1, 3, 32, -1, %C0, 0
    Return
)"),
            "an address in global memory is in a register");
  EXPECT_EQ(violationOf(R"(
  bb.0:
    %C0:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p0, 0
    %R4_5:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p1, 0
    ST_i32 %C0, 0, 0, 1, 32, %R4_5, 0
    Return
)"),
            "what is stored is in a register");
}

TEST(VerifyFold, FindsVectorsThatAreNotInNeighbouringRegisters) {
  const std::string Begin = R"(
  bb.0:
    %R4_5:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p1, 0
    %R6_7:b64 = LD_i64 0, 0, 1, 3, 64, -1, %R4_5, 0
    %F0:b32 = CVT_u32_u64 %R6_7, 0
)";
  EXPECT_EQ(violationOf(Begin + R"(
    ST_i32 %F0, 0, 0, 1, 32, %R4_5, 0
    Return
)"),
            "sound");
  EXPECT_EQ(violationOf(Begin + R"(
    STV_i32_v2 %F0, 7, 0, 0, 1, 32, %R4_5, 0
    Return
)"),
            "what a vector store takes is in neighbouring registers");
}

TEST(VerifyFold, FindsScratchRegistersInUse) {
  const std::string Head = R"(
  bb.0:
    %R7:b32 = INT_PTX_SREG_TID_x
    INLINEASM &".pragma \22regshare.scratch regs=)";
  const std::string Tail = R"(\22;", 1
    %R8:b32 = SDIV32rr %R7, %R7
    Return
)";
  EXPECT_EQ(violationOf(Head + "R9,R10" + Tail), "sound");
  EXPECT_EQ(violationOf(Head + "R7,R10" + Tail),
            "scratch registers are no sources or results");
  EXPECT_EQ(violationOf(Head + "R8" + Tail),
            "scratch registers are no sources or results");
}

//===----------------------------------------------------------------------===//
// Uniform registers
//===----------------------------------------------------------------------===//

/// Of code that follows this.
static std::string uniformViolation(const std::string &Code) {
  return violationOf(R"(
  bb.0:
    %C0:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p0, 0
    %R4:b32 = INT_PTX_SREG_TID_x
    %R6_7:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p1, 0
    %U0:b32 = INT_PTX_SREG_CTAID_x
)" + Code);
}

TEST(VerifyFold, UniformRegistersAreComputedFromSuch) {
  EXPECT_EQ(uniformViolation("    %U1:b32 = MOV_B32_r %C0\n"
                             "    %F0:b32 = MULT32ri %U0, 8\n"
                             "    %U1:b32 = ADD32rr %F0, %U1\n"
                             "    %R4:b32 = XOR_b32rr %R4, %U1\n"
                             "    Return\n"),
            "sound");
  EXPECT_EQ(uniformViolation("    %U1:b32 = ADD32rr %U0, %R4\n    Return\n"),
            "a uniform register is computed from such alone");
  EXPECT_EQ(uniformViolation("    %F0:b32 = MULT32ri %R4, 8\n"
                             "    %U1:b32 = ADD32rr %F0, %U0\n    Return\n"),
            "a uniform register is computed from such alone");
  EXPECT_EQ(uniformViolation("    %U1:b32 = ADD32rr %U0, %C0\n    Return\n"),
            "a constant is loaded into a uniform register first");
  EXPECT_EQ(uniformViolation("    %U1:b32 = INT_PTX_SREG_TID_x\n    Return\n"),
            "uniform registers are written by integer operations alone");
}

TEST(VerifyFold, UniformRegistersHaveNumbersOfTheirOwn) {
  EXPECT_EQ(uniformViolation("    %U1:b64 = MOV_B64_i 1\n    Return\n"),
            "%U1 is no uniform register: they have 32 bits, or 64 and an even "
            "number, from U0 to U62");
  EXPECT_EQ(uniformViolation("    %U63:b32 = MOV_B32_i 1\n    Return\n"),
            "%U63 is no uniform register: they have 32 bits, or 64 and an even "
            "number, from U0 to U62");
  EXPECT_EQ(uniformViolation("    %U3:b32 = MOV_B32_i 1\n"
                             "    %U2:b64 = MOV_B64_i 1\n    Return\n"),
            "%U2 is another one as well");
}

TEST(VerifyFold, AnInstructionHasOneUniformOperand) {
  const char *Why =
      "an instruction has one operand that is a constant or a uniform register";
  EXPECT_EQ(uniformViolation("    %R5:b32 = MAD_LO_S32rrr %R4, %U0, %C0\n"
                             "    Return\n"),
            Why);
  EXPECT_EQ(uniformViolation("    %F0:b32 = MULT32rr %R4, %U0\n"
                             "    %R5:b32 = ADD32rr %F0, %U0\n    Return\n"),
            Why);
  EXPECT_EQ(
      uniformViolation("    ST_i32 %U0, 0, 0, 1, 32, %R6_7, 0\n    Return\n"),
      "only what computes takes a uniform register");
}

/// A branch on \p Condition, over code that writes U1.
static std::string branchOver(const std::string &Condition,
                              const std::string &Before,
                              const std::string &After) {
  return uniformViolation("    %P0:b1 = SETP_i32ri " + Condition + ", 3, 2\n" +
                          Before + R"(
    CBranch %P0, %bb.2
  bb.1:
    %U1:b32 = ADD32ri %U0, 1
    %R5:b32 = ADD32rr %R4, %U1
    ST_i32 %R5, 0, 0, 1, 32, %R6_7, 0
  bb.2:
)" + After + "    Return\n");
}

TEST(VerifyFold, ThreadsThatPartLeaveOthersTheirUniformRegisters) {
  const char *Why =
      "threads that part here write U1, which others have or need";
  std::string First = "    %U1:b32 = MOV_B32_i 7\n",
              Last = "    %R5:b32 = ADD32rr %R4, %U1\n";
  // Read nowhere else, and by all after a branch that all take together.
  EXPECT_EQ(branchOver("%R4", "", ""), "sound");
  EXPECT_EQ(branchOver("%U0", First, Last), "sound");
  EXPECT_EQ(branchOver("%R4", First, Last), Why);
}

TEST(VerifyFold, UniformCountersOfLoops) {
  auto Loop = [](const std::string &Counter, const std::string &Condition,
                 const std::string &After) {
    return uniformViolation("    %U1:b32 = MOV_B32_i 0\n"
                            "    %R5:b32 = MOV_B32_i 0\n"
                            "  bb.1:\n"
                            "    successors: %bb.1, %bb.2\n"
                            "    %R5:b32 = ADD32ri %R5, 1\n"
                            "    %U1:b32 = ADD32ri " +
                            Counter +
                            ", 4\n"
                            "    %R4:b32 = XOR_b32rr %R4, %U1\n"
                            "    %P0:b1 = SETP_i32ri " +
                            Condition +
                            ", 9, 2\n"
                            "    CBranch %P0, %bb.1\n"
                            "  bb.2:\n" +
                            After + "    Return\n");
  };
  std::string Reads = "    %R4:b32 = ADD32rr %R4, %U1\n";
  EXPECT_EQ(Loop("%U1", "%R5", Reads), "sound");
  EXPECT_EQ(Loop("%U1", "%R4", ""), "sound");
  EXPECT_EQ(Loop("%U1", "%R4", Reads),
            "threads that part here write U1, which others have or need");
}

TEST(VerifyFold, AccessesAddUniformRegisters) {
  const std::string Pair = "    %C1:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p1, 0\n"
                           "    %U2:b64 = MOV_B64_r %C1\n";
  auto Store = [&](const std::string &Sum, const std::string &Access) {
    return uniformViolation(Pair + Sum + "    ST_i32 %R4, 0, 0, " + Access +
                            ", 0\n    Return\n");
  };
  const char *Why = "what an access adds is a uniform register and a thread's "
                    "own, in global memory and on sm_75";
  EXPECT_EQ(Store("", "1, 32, %U2"), "sound");
  EXPECT_EQ(Store("    %F0:b64 = ADD64rr %U2, %R6_7\n", "1, 32, %F0"), "sound");
  EXPECT_EQ(Store("", "3, 32, %U2"),
            "only what computes takes a uniform register");
  EXPECT_EQ(Store("    %F0:b64 = ADD64rr %U2, %R6_7\n", "3, 32, %F0"), Why);
  EXPECT_EQ(Store("    %F0:b64 = ADD64rr %R6_7, %R6_7\n", "1, 32, %F0"), Why);
  EXPECT_EQ(Store("    %F0:b64 = SUB64rr %R6_7, %U2\n", "1, 32, %F0"), Why);
}
