//===- FoldTest.cpp - What is folded, and what is not ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Fold/Fold.h"

#include "ParsedFunction.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

/// A function after regshare-fold.
class Folded : public ParsedFunction {
public:
  explicit Folded(const std::string &Body) : ParsedFunction(Body) {
    const HardwareOps &Ops =
        HardwareOps::get(*mf().getSubtarget().getInstrInfo());
    setNative(mf());
    findConstants(mf(), Ops);
    joinInstructions(mf(), Ops);
    placeConstants(mf(), Ops);
  }

  /// The opcodes of a block but for constants: "MUL_WIDEs32_ri+ADD64rr Return",
  /// groups joined by '+'.
  std::string groups(unsigned Block = 0) {
    std::string Text;
    const TargetInstrInfo &TII = *mf().getSubtarget().getInstrInfo();
    bool Joins = false;
    for (const MachineInstr &MI : block(Block)) {
      if (definesConstant(MI))
        continue;
      Text += Text.empty() ? "" : Joins ? "+" : " ";
      Text += TII.getName(MI.getOpcode());
      Joins = isFolded(MI);
    }
    return Text;
  }

  /// Issue slots of the last group but the return.
  unsigned slots() {
    NativeCosts Costs(mf());
    const MachineInstr &Return = mf().front().back();
    return Costs.of(*Return.getPrevNode()).Executed;
  }
};

const std::string Head = R"(
  bb.0:
    %0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0
    %1:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p1, 0
    %2:b32 = INT_PTX_SREG_TID_x
    %3:b32 = INT_PTX_SREG_TID_y
    %4:b32 = INT_PTX_SREG_TID_z
    %5:b64 = CVT_u64_u32 %4, 0
)";
const std::string HeadGroups =
    "INT_PTX_SREG_TID_x INT_PTX_SREG_TID_y INT_PTX_SREG_TID_z ";

/// What the pass makes of \p Code, which follows the head. Something reads each
/// value of the head.
std::string groupsOf(const std::string &Code) {
  std::string Text = Folded(Head + Code + "    Return\n").groups();
  EXPECT_EQ(Text.substr(0, HeadGroups.size()), HeadGroups);
  return Text.substr(HeadGroups.size());
}

unsigned slotsOf(const std::string &Code) {
  return Folded(Head + Code + "    Return\n").slots();
}

} // namespace

TEST(Fold, AddressesAreMultipliedAndAdded) {
  const char *Code = R"(
    %6:b64 = MUL_WIDEs32_ri %2, 4
    %7:b64 = ADD64rr %5, %6
)";
  EXPECT_EQ(groupsOf(Code), "CVT_u64_u32 MUL_WIDEs32_ri+ADD64rr Return");
  EXPECT_EQ(slotsOf(Code), 1u);
}

TEST(Fold, ASecondConstantIsInARegister) {
  EXPECT_EQ(groupsOf(R"(
    %6:b64 = MUL_WIDEs32_ri %2, 4
    %7:b64 = ADD64rr %0, %6
    %8:b64 = MUL_WIDEs32_ri %3, 4
    %9:b64 = ADD64rr %0, %8
)"),
            "CVT_u64_u32 MOV_B32_i MUL_WIDEs32_rr+ADD64rr "
            "MUL_WIDEs32_rr+ADD64rr Return");
}

TEST(Fold, ThreeAreAdded) {
  EXPECT_EQ(groupsOf("    %6:b32 = ADD32rr %2, %3\n"
                     "    %7:b32 = ADD32rr %6, %4\n"),
            "CVT_u64_u32 ADD32rr+ADD32rr Return");
  // Not four.
  EXPECT_EQ(groupsOf("    %6:b32 = ADD32rr %2, %3\n"
                     "    %7:b32 = ADD32rr %6, %4\n"
                     "    %8:b32 = ADD32rr %7, %2\n"),
            "CVT_u64_u32 ADD32rr+ADD32rr ADD32rr Return");
  // Not what others read.
  EXPECT_EQ(groupsOf("    %6:b32 = ADD32rr %2, %3\n"
                     "    %7:b32 = ADD32rr %6, %4\n"
                     "    %8:b32 = MULT32rr %6, %2\n"),
            "CVT_u64_u32 ADD32rr ADD32rr MULT32rr Return");
}

TEST(Fold, ShiftsAreAdded) {
  const char *Code = "    %6:b32 = SHL32_ri %2, 3\n"
                     "    %7:b32 = ADD32rr %6, %1\n";
  EXPECT_EQ(groupsOf(Code), "CVT_u64_u32 SHL32_ri+ADD32rr Return");
  EXPECT_EQ(slotsOf(Code), 1u);
}

TEST(Fold, LogicOfThree) {
  EXPECT_EQ(groupsOf("    %6:b32 = AND_b32rr %2, %3\n"
                     "    %7:b32 = XOR_b32rr %6, %4\n"
                     "    %8:b32 = NOT_b32 %7\n"),
            "CVT_u64_u32 AND_b32rr+XOR_b32rr+NOT_b32 Return");
  EXPECT_EQ(groupsOf("    %6:b32 = AND_b32ri %2, 12\n"
                     "    %7:b1 = SETP_i32ri %6, 0, 0\n"),
            "CVT_u64_u32 AND_b32ri+SETP_i32ri Return");
  // With anything but zero, or for order, it is a comparison of its own.
  EXPECT_EQ(groupsOf("    %6:b32 = AND_b32ri %2, 12\n"
                     "    %7:b1 = SETP_i32ri %6, 4, 0\n"),
            "CVT_u64_u32 AND_b32ri SETP_i32ri Return");
}

TEST(Fold, ComparisonsTakeAPredicate) {
  EXPECT_EQ(groupsOf("    %6:b1 = SETP_i32rr %2, %3, 0\n"
                     "    %7:b1 = SETP_i32rr %2, %4, 0\n"
                     "    %8:b1 = AND_predrr %6, %7\n"),
            "CVT_u64_u32 SETP_i32rr SETP_i32rr+AND_predrr Return");
}

TEST(Fold, NothingIsFoldedOverAWrite) {
  // %9 is written twice, as what joins at a loop's head is.
  std::string Begin = "    %9:b32 = ADD32ri %2, 1\n"
                      "    %6:b32 = ADD32rr %9, %3\n";
  std::string End = "    %7:b32 = ADD32rr %6, %4\n";
  EXPECT_EQ(groupsOf(Begin + "    %9:b32 = MULT32rr %2, %2\n" + End +
                     "    %8:b32 = MULT32rr %9, %2\n"),
            "CVT_u64_u32 ADD32ri ADD32rr MULT32rr ADD32rr MULT32rr Return");
}

TEST(Fold, WideOnesTakeTwo) {
  EXPECT_EQ(slotsOf("    %6:b64 = ADD64rr %5, %5\n"), 2u);
  EXPECT_EQ(slotsOf("    %6:b64 = XOR_b64rr %5, %5\n"), 2u);
  EXPECT_EQ(slotsOf("    %6:b32 = ADD32rr %2, %3\n"), 1u);
  EXPECT_GT(slotsOf("    %6:b32 = SDIV32rr %2, %3\n"), 10u);
}
