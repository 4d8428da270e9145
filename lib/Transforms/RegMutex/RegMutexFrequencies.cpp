//===- RegMutexFrequencies.cpp - Expected executions ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's frequencies are of a thread and guess. Here they become a warp's: it
/// runs a side of a branch that any of its lanes takes. And where LLVM expects
/// a loop of which it knows nothing to go round 32 times, kernels have loops
/// that a CTA's threads share out among each other and that go round a few
/// times: the counter starts at a thread's index, and step and bound are in the
/// code.
///
//===----------------------------------------------------------------------===//

#include "RegMutexTransform.h"

#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <cmath>
#include <memory>

using namespace llvm;

namespace regshare {

namespace {

/// How often loops are expected to go round.
class TripCounts {
public:
  explicit TripCounts(const MachineFunction &MF, FlowFacts Facts);

  /// By what LLVM's frequency of code in \p L, and in no loop within, is off.
  double factor(const MachineLoop *L) const {
    double Product = 1;
    for (; L; L = L->getParentLoop())
      Product *= Factors.lookup_or(L, 1.0);
    return Product;
  }
  const MachineLoop *loopOf(const MachineBasicBlock &MBB) const {
    return Loops.getLoopFor(&MBB);
  }
  const MachineLoop *loopOfBoth(const MachineBasicBlock &A,
                                const MachineBasicBlock &B) const {
    const MachineLoop *L = loopOf(A);
    while (L && !L->contains(&B))
      L = L->getParentLoop();
    return L;
  }

private:
  bool is(const MachineInstr &MI,
          std::initializer_list<StringRef> Names) const {
    return is_contained(Names, TII.getName(MI.getOpcode()));
  }
  const MachineInstr *defBefore(const MachineInstr &MI, Register Reg) const;
  const MachineInstr *defAbove(const MachineBasicBlock &MBB,
                               Register Reg) const;
  const MachineInstr *defIn(const MachineLoop &L, Register Reg) const;
  const MachineInstr *stepOf(const MachineInstr &Compare,
                             const MachineLoop &L) const;
  int64_t startOf(const MachineLoop &L, Register Counter) const;
  std::optional<double> count(const MachineLoop &L) const;

  const MachineFunction &MF;
  const TargetInstrInfo &TII;
  MachineDominatorTree MDT;
  MachineLoopInfo Loops;
  DenseMap<const MachineLoop *, double> Factors;
};

} // namespace

/// The last one before \p MI in its block.
const MachineInstr *TripCounts::defBefore(const MachineInstr &MI,
                                          Register Reg) const {
  for (const MachineInstr *I = MI.getPrevNode(); I; I = I->getPrevNode())
    if (I->definesRegister(Reg, nullptr))
      return I;
  return nullptr;
}

/// The last one in \p MBB or in what alone leads there.
const MachineInstr *TripCounts::defAbove(const MachineBasicBlock &MBB,
                                         Register Reg) const {
  const MachineBasicBlock *B = &MBB;
  for (unsigned Steps = 0; B && Steps != 8; ++Steps) {
    for (const MachineInstr &MI : llvm::reverse(*B))
      if (MI.definesRegister(Reg, nullptr))
        return &MI;
    B = B->pred_size() == 1 ? *B->pred_begin() : nullptr;
  }
  return nullptr;
}

/// The only definition of \p Reg in \p L; null if there are more.
const MachineInstr *TripCounts::defIn(const MachineLoop &L,
                                      Register Reg) const {
  const MachineInstr *Def = nullptr;
  for (const MachineInstr &MI : MF.getRegInfo().def_instructions(Reg))
    if (L.contains(MI.getParent())) {
      if (Def)
        return nullptr;
      Def = &MI;
    }
  return Def;
}

/// The instruction that adds a constant to what \p Compare compares with one.
const MachineInstr *TripCounts::stepOf(const MachineInstr &Compare,
                                       const MachineLoop &L) const {
  Register Counter = Compare.getOperand(1).getReg(), Next = Counter;
  const MachineInstr *Step = defBefore(Compare, Counter);
  if (!Step)
    Step = defIn(L, Counter);
  if (Step && NVPTXOpcodes::get(MF).isCopy(*Step) &&
      Step->getOperand(1).isReg()) {
    Next = Step->getOperand(1).getReg();
    Step = defIn(L, Next);
  }
  if (!Step || !is(*Step, {"ADD32ri", "ADD64ri"}) ||
      !Step->getOperand(1).isReg() || !Step->getOperand(2).isImm())
    return nullptr;
  Register From = Step->getOperand(1).getReg();
  return From == Counter || From == Next ? Step : nullptr;
}

/// Where \p Counter starts. What is not known, such as a thread's index, is
/// taken to be 0, its least value: warps that start late go round less often.
int64_t TripCounts::startOf(const MachineLoop &L, Register Counter) const {
  const MachineBasicBlock *Before = L.getLoopPredecessor();
  const MachineInstr *Def = Before ? defAbove(*Before, Counter) : nullptr;
  if (Def && is(*Def, {"MOV_B32_i", "MOV_B64_i"}) && Def->getOperand(1).isImm())
    return Def->getOperand(1).getImm();
  if (Def && is(*Def, {"ADD32ri", "ADD64ri"}) && Def->getOperand(2).isImm())
    return Def->getOperand(2).getImm();
  return 0;
}

std::optional<double> TripCounts::count(const MachineLoop &L) const {
  const MachineBasicBlock *Exiting = L.getExitingBlock();
  if (!Exiting)
    return std::nullopt;
  auto Branch = firstTerminator(*Exiting);
  if (Branch == Exiting->end() || !Branch->isConditionalBranch() ||
      !Branch->getOperand(0).isReg())
    return std::nullopt;
  const MachineInstr *Compare =
      defBefore(*Branch, Branch->getOperand(0).getReg());
  if (!Compare || !is(*Compare, {"SETP_i32ri", "SETP_i64ri"}) ||
      !Compare->getOperand(1).isReg() || !Compare->getOperand(2).isImm())
    return std::nullopt;
  const MachineInstr *Step = stepOf(*Compare, L);
  if (!Step || !Step->getOperand(2).getImm())
    return std::nullopt;
  double Way = double(Compare->getOperand(2).getImm()) -
               double(startOf(L, Step->getOperand(0).getReg()));
  double Count = std::ceil(Way / double(Step->getOperand(2).getImm()));
  if (Count < 1)
    return std::nullopt;
  return Count;
}

TripCounts::TripCounts(const MachineFunction &MF, FlowFacts Facts)
    : MF(MF), TII(*MF.getSubtarget().getInstrInfo()),
      MDT(const_cast<MachineFunction &>(MF)), Loops(MDT) {
  for (const MachineLoop *L : Loops.getLoopsInPreorder()) {
    double Entered = 0;
    const MachineBasicBlock &Header = *L->getHeader();
    for (const MachineBasicBlock *Pred : Header.predecessors())
      if (!L->contains(Pred)) {
        BranchProbability P = Facts.MBPI.getEdgeProbability(Pred, &Header);
        Entered += Facts.MBFI.getBlockFreqRelativeToEntryBlock(Pred) *
                   P.getNumerator() / P.getDenominator();
      }
    double Rounds = Facts.MBFI.getBlockFreqRelativeToEntryBlock(&Header);
    std::optional<double> Count = count(*L);
    if (Count && Entered > 0 && Rounds > 0)
      Factors[L] = *Count * Entered / Rounds;
  }
}

/// By block number: by what a thread's frequency falls short of its warp's for
/// the sides of branches that it is on.
static std::vector<double> sideFactors(const MachineFunction &MF,
                                       FlowFacts Facts, const Analyses &A,
                                       const TripCounts &Counts) {
  // Lanes of one warp decide alike more often than not.
  constexpr double Deciding = 4;
  std::vector<double> Factors(MF.getNumBlockIDs(), 1);
  for (const MachineBasicBlock &MBB : MF) {
    if (!A.Divergence.isDivergentBranch(MBB) ||
        llvm::any_of(MBB.successors(), [&](const MachineBasicBlock *Succ) {
          return Counts.loopOfBoth(MBB, *Succ) != Counts.loopOf(MBB);
        }))
      continue;
    for (const MachineBasicBlock *Side : MBB.successors()) {
      BranchProbability P = Facts.MBPI.getEdgeProbability(&MBB, Side);
      double Lane = double(P.getNumerator()) / P.getDenominator();
      if (Side == A.Meetings.meetingPoint(MBB) || Lane <= 0)
        continue;
      double Any = 1 - std::pow(1 - Lane, Deciding);
      const BitVector Blocks = blocksOfSide(MBB, *Side, A.Meetings);
      for (unsigned N : Blocks.set_bits())
        Factors[N] *= Any / Lane;
    }
  }
  return Factors;
}

Frequencies frequenciesOf(const MachineFunction &MF, FlowFacts Facts,
                          const Analyses &A) {
  auto Counts = std::make_shared<TripCounts>(MF, Facts);
  auto SideOf = [Factors = sideFactors(MF, Facts, A, *Counts)](
                    const MachineBasicBlock &MBB) {
    unsigned N = MBB.getNumber();
    return N < Factors.size() ? Factors[N] : 1;
  };
  auto OfBlock = [=](const MachineBasicBlock &MBB) {
    return Facts.MBFI.getBlockFreqRelativeToEntryBlock(&MBB) * SideOf(MBB) *
           Counts->factor(Counts->loopOf(MBB));
  };
  // An edge that enters or leaves a loop is not executed more often for it.
  auto OfEdge = [=, &A](const MachineBasicBlock &From,
                        const MachineBasicBlock &To) {
    BranchProbability P = Facts.MBPI.getEdgeProbability(&From, &To);
    bool Parts = A.Divergence.isDivergentBranch(From);
    return Facts.MBFI.getBlockFreqRelativeToEntryBlock(&From) *
           P.getNumerator() / P.getDenominator() * SideOf(Parts ? To : From) *
           Counts->factor(Counts->loopOfBoth(From, To));
  };
  return {OfBlock, OfEdge};
}

} // namespace regshare
