//===- FoldOffsetsTest.cpp - Constants go into accesses -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Fold/Fold.h"

#include "FuzzIterations.h"
#include "ParsedFunction.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

const HardwareOps &opsOf(MachineFunction &MF) {
  return HardwareOps::get(*MF.getSubtarget().getInstrInfo());
}

bool isAccess(const MachineInstr &MI, const HardwareOps &Ops) {
  OpKind Kind = Ops.of(MI).Kind;
  return Kind == OpKind::Load || Kind == OpKind::Store;
}

/// The additions that are left in \p Body, and its offsets: "1 add; 16 288".
std::string foldedIn(const std::string &Body) {
  ParsedFunction F(Body);
  const HardwareOps &Ops = opsOf(F.mf());
  foldOffsets(F.mf(), Ops);
  unsigned Adds = 0;
  std::string Offsets;
  for (MachineBasicBlock &MBB : F.mf())
    for (MachineInstr &MI : MBB) {
      Adds += Ops.of(MI).Kind == OpKind::Add;
      if (isAccess(MI, Ops) && HardwareOps::address(MI).isReg())
        Offsets +=
            " " + std::to_string(
                      MI.getOperand(MI.getNumExplicitOperands() - 1).getImm());
    }
  return std::to_string(Adds) + " add;" + Offsets;
}

const std::string Head = R"(
  bb.0:
    %0:b64 = LD_i64 0, 0, 101, 3, 64, -1, &p0, 0
    %1:b32 = LD_i32 0, 0, 101, 3, 32, -1, &p1, 0
)";

std::string load(unsigned Result, unsigned Base, int Offset = 0) {
  return "    %" + std::to_string(Result) +
         ":b32 = LD_i32 0, 0, 1, 3, 32, -1, %" + std::to_string(Base) + ", " +
         std::to_string(Offset) + "\n";
}

std::string add(unsigned Result, unsigned Base, int64_t Constant) {
  return "    %" + std::to_string(Result) + ":b64 = ADD64ri %" +
         std::to_string(Base) + ", " + std::to_string(Constant) + "\n";
}

/// Runs the additions and accesses of a function whose blocks follow each
/// other, but for one that is its own successor and is executed three times.
/// The addresses that are accessed, in order.
std::vector<uint64_t> accessedBy(MachineFunction &MF) {
  const HardwareOps &Ops = opsOf(MF);
  std::map<Register, uint64_t> Values;
  std::vector<uint64_t> Accessed;
  auto Execute = [&](const MachineInstr &MI) {
    auto Value = [&](const MachineOperand &MO) {
      return MO.isImm() ? uint64_t(MO.getImm()) : Values[MO.getReg()];
    };
    if (isAccess(MI, Ops)) {
      const MachineOperand &Base =
          HardwareOps::address(const_cast<MachineInstr &>(MI));
      uint64_t At = Base.isReg() ? Value(Base) : 4096;
      At += MI.getOperand(MI.getNumExplicitOperands() - 1).getImm();
      Accessed.push_back(At);
      if (MI.getNumExplicitDefs())
        Values[MI.getOperand(0).getReg()] = At * 0x9e3779b97f4a7c15;
    } else if (Ops.of(MI).Kind == OpKind::Add) {
      Values[MI.getOperand(0).getReg()] =
          Value(MI.getOperand(1)) + Value(MI.getOperand(2));
    }
  };
  for (const MachineBasicBlock &MBB : MF)
    for (unsigned I = 0, E = MBB.isSuccessor(&MBB) ? 3 : 1; I != E; ++I)
      for (const MachineInstr &MI : MBB)
        Execute(MI);
  return Accessed;
}

/// Additions to registers that are there, some with several definitions, and
/// accesses to some of the sums.
std::string randomBody(uint64_t Seed) {
  std::mt19937 Numbers(Seed);
  std::string Text = Head;
  // 2 and 3 are written again.
  Text += add(2, 0, 8) + add(3, 0, 12);
  unsigned Next = 4;
  std::vector<unsigned> Bases = {0, 2, 3};
  auto Block = [&] {
    for (unsigned I = 0, E = 3 + Numbers() % 6; I != E; ++I) {
      unsigned Base = Bases[Numbers() % Bases.size()];
      int Constant = Numbers() % 8 ? int(Numbers() % 4096) - 2048
                                   : int(Numbers() % (1 << 25));
      switch (Numbers() % 5) {
      case 0:
        Text += add(2 + Numbers() % 2, Base, Constant);
        break;
      case 1:
      case 2:
        Text += add(Next, Base, Constant);
        Bases.push_back(Next++);
        break;
      default:
        Text += load(Next++, Base, Numbers() % 64);
      }
    }
  };
  Block();
  Text += "  bb.1:\n    successors: %bb.1, %bb.2\n";
  Block();
  Text += "    %99:b1 = SETP_i32ri %1, 7, 2\n    CBranch %99, %bb.1\n  bb.2:\n";
  Block();
  return Text + "    Return\n";
}

} // namespace

TEST(FoldOffsets, OfALoopGoIntoItsAccesses) {
  std::string Loop = "    successors: %bb.1, %bb.2\n" + load(6, 2) +
                     load(7, 3) + load(8, 4, 4) +
                     "    %9:b1 = SETP_i32ri %1, 7, 2\n"
                     "    CBranch %9, %bb.1\n  bb.2:\n    Return\n";
  EXPECT_EQ(foldedIn(Head + add(2, 0, 16) + add(3, 0, 288) + add(4, 3, -8) +
                     "  bb.1:\n" + Loop),
            "0 add; 16 288 284");
}

TEST(FoldOffsets, OfWhatOthersRead) {
  // The sum is stored.
  EXPECT_EQ(foldedIn(Head + add(2, 0, 16) + load(3, 2) +
                     "    ST_i64 %2, 0, 0, 1, 64, %0, 0\n    Return\n"),
            "1 add; 0 0");
  // It is a store's address.
  EXPECT_EQ(foldedIn(Head + add(2, 0, 16) +
                     "    ST_i32 %1, 0, 0, 1, 32, %2, 4\n    Return\n"),
            "0 add; 20");
  // Nothing reads it.
  EXPECT_EQ(foldedIn(Head + add(2, 0, 16) + "    Return\n"), "1 add;");
}

TEST(FoldOffsets, OfARegisterThatIsWrittenAgain) {
  std::string Begin = Head + add(2, 0, 0);
  EXPECT_EQ(foldedIn(Begin + add(3, 2, 16) + load(4, 3) + add(2, 2, 4) +
                     "    Return\n"),
            "2 add; 16");
  EXPECT_EQ(foldedIn(Begin + add(3, 2, 16) + add(2, 2, 4) + load(4, 3) +
                     "    Return\n"),
            "3 add; 0");
}

TEST(FoldOffsets, HaveTwentyFourBits) {
  for (auto [Constant, Folded] :
       {std::pair((1 << 23) - 1 - 4, "0 add; 8388607"),
        {(1 << 23) - 4, "1 add; 4"},
        {-(1 << 23) - 4, "0 add; -8388608"},
        {-(1 << 23) - 5, "1 add; 4"}})
    EXPECT_EQ(
        foldedIn(Head + add(2, 0, Constant) + load(3, 2, 4) + "    Return\n"),
        Folded)
        << Constant;
}

TEST(FoldOffsets, AccessesGoWhereTheyWent) {
  unsigned Folded = 0;
  for (unsigned Seed = 0, E = fuzzIterations(400); Seed != E; ++Seed) {
    std::string Body = randomBody(Seed);
    ParsedFunction F(Body);
    std::vector<uint64_t> Before = accessedBy(F.mf());
    unsigned Instructions = F.mf().getInstructionCount();
    foldOffsets(F.mf(), opsOf(F.mf()));
    Folded += Instructions - F.mf().getInstructionCount();
    ASSERT_EQ(accessedBy(F.mf()), Before) << "seed " << Seed << Body;
  }
  EXPECT_GT(Folded, fuzzIterations(400) / 2);
}
