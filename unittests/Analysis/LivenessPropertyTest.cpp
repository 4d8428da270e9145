//===- LivenessPropertyTest.cpp - Random functions -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzedModel.h"
#include "WarpInterpreter.h"

#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/PassInstrumentation.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

void expectThreadLiveness(AnalyzedModel &C, const LivenessOracle &Oracle,
                          unsigned B) {
  const MachineBasicBlock &MBB = C.Parsed.block(B);
  const ThreadLiveness &Thread = C.A.Thread;
  EXPECT_EQ(Thread.liveIn(MBB).str(), Oracle.threadLive(B, 0).str());
  EXPECT_EQ(Thread.liveOut(MBB).str(), Oracle.threadLiveOut(B).str());
  unsigned Terminator = C.Model.Blocks[B].Instrs.size();
  unsigned At = MBB.size();
  Thread.forEachBackward(
      MBB, [&](const MachineInstr &MI, const RegSet &Before, const RegSet &) {
        if (--At <= Terminator)
          EXPECT_EQ(Before.str(), Oracle.threadLive(B, At).str())
              << "bb." << B << ", instruction " << At;
      });
}

void expectWarpLiveness(AnalyzedModel &C,
                        const DivergenceAnalysis &Divergence) {
  LivenessOracle Oracle(C.Model, C.divergentBranches(Divergence));
  RegisterCode Code(C.Parsed.mf(), C.A.Assignment);
  WarpLiveness Warp(C.Parsed.mf(), Code, C.A.Thread, Divergence, C.A.Meetings);
  for (unsigned B = 0; B != C.Model.Blocks.size(); ++B)
    EXPECT_EQ(Warp.parked(C.Parsed.block(B)).str(), Oracle.parked(B).str())
        << "bb." << B;
}

TEST(LivenessProperty, LivenessEqualsTheOracle) {
  forRandomFunctions<AnalyzedModel>([](AnalyzedModel &C, unsigned) {
    LivenessOracle Oracle(C.Model, std::vector<bool>(C.Model.Blocks.size()));
    for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
      expectThreadLiveness(C, Oracle, B);
      const MachineBasicBlock *Meet =
          C.A.Meetings.meetingPoint(C.Parsed.block(B));
      std::optional<unsigned> Found;
      if (Meet)
        Found = Meet->getNumber();
      EXPECT_EQ(Found, immediatePostDominator(C.Model, B)) << "bb." << B;
    }
    expectWarpLiveness(C, C.A.Divergence);
    DivergenceOptions EveryBranch;
    EveryBranch.EveryBranch = true;
    expectWarpLiveness(C, DivergenceAnalysis(C.Parsed.mf(), C.A.Assignment,
                                             C.A.Meetings, EveryBranch));
  });
}

/// Gives every virtual register of a function, which there are few of, a place
/// of its own.
RegisterAssignment assignAll(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  RegisterAssignment Assignment;
  unsigned Unit = 0, Pred = 0;
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    RegKind Kind = *kindOf(*MRI.getRegClass(VReg), TRI);
    unsigned Units = regshare::unitsOf(Kind);
    unsigned First = alignTo(Unit, std::max(Units, 1u));
    unsigned Index = Units ? First : Pred++;
    if (Units)
      Unit = First + Units;
    Assignment.assign(VReg, {Kind, uint8_t(Index)});
  }
  return Assignment;
}

/// What LLVM's own intervals say is live before \p MI.
RegSet liveByIntervals(const MachineInstr &MI, const LiveIntervals &LIS,
                       const RegisterAssignment &Assignment) {
  RegSet Live;
  SlotIndex Before = LIS.getInstructionIndex(MI).getBaseIndex();
  for (unsigned I = 0; I != MI.getMF()->getRegInfo().getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (LIS.hasInterval(VReg) && LIS.getInterval(VReg).liveAt(Before))
      Live.insert(Assignment.lookup(VReg));
  }
  return Live;
}

TEST(LivenessProperty, ThreadLivenessEqualsLLVMsIntervals) {
  for (unsigned Seed = 0, E = fuzzIterations(250); Seed != E; ++Seed) {
    RandomFunctionOptions Options = variedOptions(Seed);
    Options.Virtual = true;
    Options.Registers = 4;
    ModelFunction Model = makeRandomFunction(Options);
    ParsedFunction Parsed(Model.mir());
    MachineFunctionAnalysisManager MFAM;
    MFAM.registerPass([] { return PassInstrumentationAnalysis(); });
    MFAM.registerPass([] { return SlotIndexesAnalysis(); });
    MFAM.registerPass([] { return MachineDominatorTreeAnalysis(); });
    MFAM.registerPass([] { return LiveIntervalsAnalysis(); });
    const auto &LIS = MFAM.getResult<LiveIntervalsAnalysis>(Parsed.mf());
    RegisterAssignment Assignment = assignAll(Parsed.mf());
    ThreadLiveness Thread(Parsed.mf(), Assignment);
    for (const MachineBasicBlock &MBB : Parsed.mf())
      Thread.forEachBackward(MBB, [&](const MachineInstr &MI,
                                      const RegSet &Before, const RegSet &) {
        EXPECT_EQ(Before.str(), liveByIntervals(MI, LIS, Assignment).str())
            << "bb." << MBB.getNumber();
      });
    ASSERT_FALSE(HasFailure()) << "seed " << Seed << ":\n" << Model.mir();
  }
}

/// What the analyses say about a point, by block and instruction.
struct StaticFacts {
  std::vector<std::vector<RegSet>> WarpLive;
  std::vector<RegSet> DivergentIn;
  std::vector<bool> DivergentBranch;

  explicit StaticFacts(AnalyzedModel &C)
      : DivergentBranch(C.divergentBranches(C.A.Divergence)) {
    for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
      const MachineBasicBlock &MBB = C.Parsed.block(B);
      DivergentIn.push_back(C.A.Divergence.divergentIn(MBB));
      WarpLive.emplace_back();
      C.A.Warp.forEachBackward(
          MBB, [&](const MachineInstr &, const RegSet &Before, const RegSet &) {
            WarpLive.back().push_back(Before);
          });
      std::ranges::reverse(WarpLive.back());
    }
  }
};

void expectSound(const WarpStep &S, const StaticFacts &Facts) {
  RegSet Dropped = S.Needed - Facts.WarpLive[S.Block][S.Instr];
  EXPECT_TRUE(S.Again || Dropped.empty())
      << "bb." << S.Block << ", instruction " << S.Instr << " drops "
      << Dropped.str();
  RegSet Missed = S.Differ - Facts.DivergentIn[S.Block];
  EXPECT_TRUE(S.Instr != 0 || Missed.empty())
      << "bb." << S.Block << " calls uniform " << Missed.str();
  EXPECT_TRUE(!S.Parted || Facts.DivergentBranch[S.Block])
      << "bb." << S.Block << " parts lanes";
}

TEST(LivenessProperty, ExecutionNeedsNoMoreThanWarpLivenessSays) {
  unsigned Parted = 0, ThreadDrops = 0;
  forRandomFunctions<AnalyzedModel>([&](AnalyzedModel &C, unsigned Seed) {
    StaticFacts Facts(C);
    LivenessOracle Thread(C.Model, std::vector<bool>(C.Model.Blocks.size()));
    for (unsigned Run = 0; Run != 3; ++Run) {
      WarpInterpreter Warp(C.Model, Seed * 3 + Run);
      for (const WarpStep &S : Warp.run(300)) {
        expectSound(S, Facts);
        Parted += S.Parted;
        ThreadDrops +=
            !(S.Needed - Thread.threadLive(S.Block, S.Instr)).empty();
      }
    }
  });
  // The runs must have been worth it: lanes parted, and thread liveness would
  // have dropped what they needed.
  EXPECT_GT(Parted, randomFunctions());
  EXPECT_GT(ThreadDrops, randomFunctions());
}

} // namespace
