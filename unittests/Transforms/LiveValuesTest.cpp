//===- LiveValuesTest.cpp - Property tests of live stretches --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Holds the stretches through which values are live, and the results that are
/// dead, against what LLVM's LiveIntervals find.
///
//===----------------------------------------------------------------------===//

#include "Transforms/Assign/LiveValues.h"

#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/IR/PassInstrumentation.h"
#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

using Extents = std::vector<std::pair<uint32_t, uint32_t>>;
/// By virtual register index.
using AllExtents = std::map<unsigned, Extents>;

/// Takes down which registers are split from which.
class SplitRecord : MachineRegisterInfo::Delegate {
public:
  SplitRecord(MachineRegisterInfo &MRI) : MRI(MRI) { MRI.addDelegate(this); }
  ~SplitRecord() override { MRI.resetDelegate(this); }
  /// The register that \p VReg was part of.
  Register whole(Register VReg) const {
    auto It = Sources.find(VReg);
    return It == Sources.end() ? VReg : whole(It->second);
  }

private:
  void MRI_NoteNewVirtualRegister(Register) override {}
  void MRI_NoteCloneVirtualRegister(Register New, Register Source) override {
    Sources[New] = Source;
  }
  MachineRegisterInfo &MRI;
  std::map<Register, Register> Sources;
};

/// In order, those that touch as one.
Extents merged(Extents In) {
  llvm::sort(In);
  Extents Out;
  for (auto [Start, End] : In)
    if (!Out.empty() && Out.back().second == Start)
      Out.back().second = End;
    else
      Out.emplace_back(Start, End);
  return Out;
}

AllExtents byIntervals(MachineFunction &MF) {
  MachineFunctionAnalysisManager MFAM;
  MFAM.registerPass([] { return PassInstrumentationAnalysis(); });
  MFAM.registerPass([] { return MachineDominatorTreeAnalysis(); });
  MFAM.registerPass([] { return SlotIndexesAnalysis(); });
  MFAM.registerPass([] { return LiveIntervalsAnalysis(); });
  MachineRegisterInfo &MRI = MF.getRegInfo();
  SplitRecord Splits(MRI);
  LiveIntervals &LIS = MFAM.getResult<LiveIntervalsAnalysis>(MF);
  SlotIndex Zero = LIS.getSlotIndexes()->getZeroIndex();
  AllExtents All;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (!LIS.hasInterval(VReg))
      continue;
    Extents &Of = All[Splits.whole(VReg).virtRegIndex()];
    for (const LiveRange::Segment &S : LIS.getInterval(VReg))
      Of.emplace_back(Zero.distance(S.start), Zero.distance(S.end));
  }
  for (auto &[VReg, Of] : All)
    Of = merged(Of);
  return All;
}

AllExtents byStretches(const LiveValues &Live) {
  AllExtents All;
  for (const LiveValue &V : Live.Values)
    All[V.VReg.virtRegIndex()];
  for (const LiveStretch &S : Live.Stretches)
    All[Live.Values[S.Value].VReg.virtRegIndex()].emplace_back(S.Start, S.End);
  return All;
}

std::vector<bool> deadFlags(const MachineFunction &MF) {
  std::vector<bool> Flags;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      for (const MachineOperand &MO : MI.operands())
        if (MO.isReg() && MO.isDef())
          Flags.push_back(MO.isDead());
  return Flags;
}

void compare(const std::string &MIR) {
  ParsedFunction Ours(MIR), Theirs(MIR);
  Expected<LiveValues> Live = LiveValues::collect(Ours.mf());
  ASSERT_TRUE(bool(Live));
  EXPECT_EQ(byStretches(*Live), byIntervals(Theirs.mf())) << MIR;
  EXPECT_EQ(deadFlags(Ours.mf()), deadFlags(Theirs.mf())) << MIR;
  EXPECT_TRUE(llvm::is_sorted(
      Live->Stretches, [](const LiveStretch &A, const LiveStretch &B) {
        return std::tie(A.Start, A.Value) < std::tie(B.Start, B.Value);
      }));
}

TEST(LiveValues, AsLiveIntervalsSay) {
  for (unsigned Seed = 0, E = fuzzIterations(1500); Seed != E; ++Seed) {
    RandomFunctionOptions Options;
    Options.Seed = Seed;
    Options.Blocks = 1 + Seed % 23;
    Options.InstrsPerBlock = 1 + Seed % 9;
    Options.Registers = 2 + Seed % 11;
    Options.Structured = Seed % 2;
    Options.Virtual = true;
    compare(makeRandomFunction(Options).mir());
    if (HasFailure())
      FAIL() << "seed " << Seed;
  }
}

TEST(LiveValues, ArchitectedRegistersHoldManyValues) {
  for (unsigned Seed = 0, E = fuzzIterations(500); Seed != E; ++Seed) {
    RandomFunctionOptions Options;
    Options.Seed = Seed;
    Options.Blocks = 1 + Seed % 17;
    Options.Structured = Seed % 2;
    compare(makeRandomFunction(Options).mir());
    if (HasFailure())
      FAIL() << "seed " << Seed;
  }
}

TEST(LiveValues, EarlyClobbersStartBeforeOtherResults) {
  ParsedFunction F("  bb.0:\n"
                   "    %2:b64 = MOV_B64_i 1\n"
                   "    %0:b32 = MOV_B32_i 1\n"
                   "    INLINEASM &\"\", 0, 262155, def early-clobber %1:b32, "
                   "262153, %0\n"
                   "    ST_i32 %1, 0, 0, 1, 32, %2, 0\n"
                   "    Return\n");
  Expected<LiveValues> Live = LiveValues::collect(F.mf());
  ASSERT_TRUE(bool(Live));
  AllExtents All = byStretches(*Live);
  EXPECT_EQ(All[1], (Extents{{34, 50}}));
  EXPECT_EQ(All[2], (Extents{{49, 66}}));
  EXPECT_EQ(All[0], (Extents{{18, 66}}));
}

TEST(LiveValues, WhatIsReadIsNotMarkedDead) {
  ParsedFunction F("  bb.0:\n"
                   "    %2:b64 = MOV_B64_i 1\n"
                   "    %0:b32 = MOV_B32_i 1\n"
                   "    %1:b32 = MOV_B32_i 2\n"
                   "    ST_i32 %0, 0, 0, 1, 32, %2, 0\n"
                   "    Return\n");
  MachineInstr &Read = *std::next(F.mf().front().begin());
  Read.getOperand(0).setIsDead();
  ASSERT_TRUE(bool(LiveValues::collect(F.mf())));
  EXPECT_FALSE(Read.getOperand(0).isDead());
  EXPECT_TRUE(F.instr(0, 2).getOperand(0).isDead());
}

TEST(LiveValues, TemporariesOverlapTheirBlock) {
  ParsedFunction F("  bb.0:\n"
                   "    %2:b64 = MOV_B64_i 1\n"
                   "    %0:b32 = MOV_B32_i 1\n"
                   "    INLINEASM &\"{ .reg .pred q; }\", 0, 262154, def "
                   "%1:b32, 262153, %0\n"
                   "    ST_i32 %1, 0, 0, 1, 32, %2, 0\n"
                   "    Return\n");
  Expected<LiveValues> Live = LiveValues::collect(F.mf());
  ASSERT_TRUE(bool(Live));
  ASSERT_EQ(Live->Values.size(), 4u);
  EXPECT_EQ(Live->Values[3].Asm, Live->Code.instrAt(48));
  EXPECT_EQ(Live->Stretches[2].Start, 49u);
  EXPECT_EQ(Live->Stretches[2].End, 51u);
  EXPECT_EQ(Live->Code.instrAt(0), nullptr);
  EXPECT_EQ(Live->Code.instrAt(66), &F.instr(0, 3));
}

} // namespace
