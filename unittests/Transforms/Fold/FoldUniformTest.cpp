//===- FoldUniformTest.cpp - What is in uniform registers -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Fold/Fold.h"
#include "Transforms/Fold/Uniformity.h"

#include "ParsedFunction.h"

#include "regshare/Analysis/Reconvergence.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

/// What regshare-fold makes of a function.
static void fold(ParsedFunction &F) {
  MachineFunction &MF = F.mf();
  const HardwareOps &Ops = HardwareOps::get(*MF.getSubtarget().getInstrInfo());
  Reconvergence Meetings(MF, F.postDominators());
  setNative(MF);
  findConstants(MF, Ops);
  DenseSet<Register> Addresses =
      findAddresses(MF, Ops, Uniformity(MF, Meetings));
  joinInstructions(MF, Ops, Addresses);
  placeUniform(MF, Ops, Meetings, Addresses);
  joinInstructions(MF, Ops);
  placeConstants(MF, Ops);
}

/// What it has in uniform registers: "U0=ADD32ri …", in the order of the code.
static std::string uniformOf(const std::string &Body) {
  ParsedFunction F(Body);
  fold(F);
  const MachineFunction &MF = F.mf();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  std::string Text;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (definesUniform(MI))
        Text += (Text.empty() ? "" : " ") +
                MF.getRegInfo().getVRegName(MI.getOperand(0).getReg()).str() +
                "=" + TII.getName(MI.getOpcode()).str();
  return Text;
}

static const char *const Head = R"(
  bb.0:
    %0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0
    %1:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p1, 0
    %2:b32 = INT_PTX_SREG_TID_x
    %3:b32 = INT_PTX_SREG_CTAID_x
)";

static std::string uniformIn(const std::string &Code) {
  return uniformOf(Head + Code + "    Return\n");
}

TEST(FoldUniform, ComputesFromTheCTA) {
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b32 = XOR_b32rr %2, %4\n"),
            "U0=INT_PTX_SREG_CTAID_x U1=MULT32ri");
  // A parameter is loaded first.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32rr %3, %1\n"
                      "    %5:b32 = XOR_b32rr %2, %4\n"),
            "U2=MOV_B32_r U0=INT_PTX_SREG_CTAID_x U1=MULT32rr");
  // What threads have.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %2, 100\n"
                      "    %5:b32 = XOR_b32rr %2, %4\n"),
            "");
}

TEST(FoldUniform, ReadersTakeOne) {
  // A second constant.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b32 = MAD_LO_S32rir %2, 7, %4\n"),
            "");
  // Two.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b32 = MULT32ri %3, 104\n"
                      "    %6:b32 = MAD_LO_S32rrr %2, %4, %5\n"),
            "");
  // What a shift shifts, what is stored, and a condition that is compared with
  // a number.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b32 = SHL32_rr %4, %2\n"),
            "");
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    ST_i32 %4, 0, 0, 3, 32, %2, 0\n"),
            "");
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b1 = SETP_i32ri %4, 7, 2\n"),
            "");
  // Of several readers, all.
  EXPECT_EQ(uniformIn("    %4:b32 = MULT32ri %3, 100\n"
                      "    %5:b32 = XOR_b32rr %2, %4\n"
                      "    ST_i32 %4, 0, 0, 3, 32, %2, 0\n"),
            "");
}

/// A loop that counts, with a reader of the counter, as long as \p Condition.
static std::string loopUntil(const std::string &Condition) {
  return std::string(Head) + R"(
    %4:b32 = MOV_B32_i 0
    %9:b32 = MOV_B32_r %2
  bb.1:
    successors: %bb.1, %bb.2
    %9:b32 = XOR_b32rr %9, %4
    %4:b32 = ADD32ri %4, 3
)" + Condition +
         R"(
    CBranch %5, %bb.1
  bb.2:
    ST_i32 %9, 0, 0, 3, 32, %2, 0
    Return
)";
}

TEST(FoldUniform, LoopsThatAllThreadsLeaveTogether) {
  EXPECT_EQ(uniformOf(loopUntil("    %6:b32 = ADD32ri %3, 9\n"
                                "    %5:b1 = SETP_i32ri %6, 7, 2\n")),
            "U0=MOV_B32_i U0=ADD32ri");
  EXPECT_EQ(uniformOf(loopUntil("    %5:b1 = SETP_i32rr %9, %2, 2\n")), "");
}

/// \p Other is where threads go that do not go to the loop.
static std::string afterBranch(const std::string &Other) {
  return std::string(Head) + R"(
    %8:b1 = SETP_i32rr %2, %1, 2
    CBranch %8, %bb.2
  bb.1:
    %4:b32 = MULT32ri %3, 100
    %9:b32 = XOR_b32rr %2, %4
    ST_i32 %9, 0, 0, 3, 32, %2, 0
  bb.2:
)" + Other +
         "    Return\n";
}

TEST(FoldUniform, AfterThreadsHaveEnded) {
  EXPECT_EQ(uniformOf(afterBranch("")), "U0=INT_PTX_SREG_CTAID_x U1=MULT32ri");
  EXPECT_EQ(uniformOf(afterBranch("    ST_i32 %2, 0, 0, 3, 32, %2, 0\n")), "");
}

/// The address of the last access: "U0", "R", or "U0+R" for a group's sum.
static std::string addressOf(const std::string &Code) {
  ParsedFunction F(Head + Code + "    Return\n");
  fold(F);
  MachineInstr &Access = *F.mf().back().back().getPrevNode();
  const MachineRegisterInfo &MRI = F.mf().getRegInfo();
  auto NameOf = [&](const MachineOperand &MO) {
    return nativePlace(MRI, MO.getReg()) == NativePlace::Register
               ? "R"
               : MRI.getVRegName(MO.getReg()).str();
  };
  const MachineOperand &Base = HardwareOps::address(Access);
  MachineInstr *Sum = FoldGroup::of(Access).definition(Base);
  return Sum ? NameOf(Sum->getOperand(1)) + "+" + NameOf(Sum->getOperand(2))
             : NameOf(Base);
}

TEST(FoldUniform, AccessesAdd) {
  EXPECT_EQ(addressOf("    ST_i32 %2, 0, 0, 1, 32, %0, 0\n"), "U0");
  EXPECT_EQ(addressOf("    %4:b64 = CVT_s64_s32 %2, 0\n"
                      "    %5:b64 = ADD64rr %0, %4\n"
                      "    ST_i32 %2, 0, 0, 1, 32, %5, 0\n"),
            "U0+R");
  // An index is multiplied and added at once.
  EXPECT_EQ(addressOf("    %4:b64 = MUL_WIDEs32_ri %2, 4\n"
                      "    %5:b64 = ADD64rr %0, %4\n"
                      "    ST_i32 %2, 0, 0, 1, 32, %5, 0\n"),
            "R");
  // Somebody else reads the sum.
  EXPECT_EQ(addressOf("    %4:b64 = CVT_s64_s32 %2, 0\n"
                      "    %5:b64 = ADD64rr %0, %4\n"
                      "    ST_i64 %5, 0, 0, 3, 64, %2, 0\n"
                      "    ST_i32 %2, 0, 0, 1, 32, %5, 0\n"),
            "R");
  // All of it is uniform.
  EXPECT_EQ(addressOf("    %4:b64 = MUL_WIDEs32_ri %3, 4\n"
                      "    %5:b64 = ADD64rr %0, %4\n"
                      "    ST_i32 %2, 0, 0, 1, 32, %5, 0\n"),
            "U0");
}
