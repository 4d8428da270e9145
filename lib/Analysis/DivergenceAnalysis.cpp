//===- DivergenceAnalysis.cpp - Which branches part a warp ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/DivergenceAnalysis.h"

#include "regshare/Analysis/InstrFacts.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

const MachineBasicBlock *
reconvergencePoint(const MachineBasicBlock &MBB,
                   const MachinePostDominatorTree &PDT) {
  const MachineDomTreeNode *Node = PDT.getNode(&MBB);
  const MachineDomTreeNode *IPDom = Node ? Node->getIDom() : nullptr;
  return IPDom ? IPDom->getBlock() : nullptr;
}

class DivergenceSolver {
public:
  DivergenceSolver(const MachineFunction &MF,
                   const RegisterAssignment &Assignment,
                   const MachinePostDominatorTree &PDT,
                   DivergenceOptions Options, DivergenceAnalysis &Result)
      : MF(MF), Assignment(Assignment), PDT(PDT), Options(Options),
        Facts(InstrFacts::get(*MF.getSubtarget().getInstrInfo())),
        Result(Result), Written(MF.getNumBlockIDs()),
        Forced(MF.getNumBlockIDs()), Out(MF.getNumBlockIDs()),
        Sides(MF.getNumBlockIDs()), SeenBy(MF.getNumBlockIDs()) {}

  void run();

private:
  bool visit(const MachineBasicBlock &MBB);
  void apply(const MachineInstr &MI, RegSet &State) const;
  bool branchDiverges(const MachineBasicBlock &MBB, const RegSet &State) const;
  void part(const MachineBasicBlock &MBB);
  RegSet markReachable(const MachineBasicBlock &From,
                       const MachineBasicBlock *Join);

  const MachineFunction &MF;
  const RegisterAssignment &Assignment;
  const MachinePostDominatorTree &PDT;
  DivergenceOptions Options;
  const InstrFacts &Facts;
  DivergenceAnalysis &Result;
  std::vector<RegSet> Written; // by a block, whatever its lanes
  std::vector<RegSet> Forced;  // divergent on entry by where lanes meet
  std::vector<RegSet> Out;
  // Scratch of part(): how many sides reach a block, which looked last, and
  // the blocks to clear.
  std::vector<uint8_t> Sides;
  std::vector<unsigned> SeenBy;
  unsigned Side = 0;
  SmallVector<unsigned, 32> Reached;
};

void DivergenceSolver::apply(const MachineInstr &MI, RegSet &State) const {
  RegEffects E = Assignment.effects(MI);
  if (E.Defs.empty())
    return;
  ResultDivergence D = Facts.resultDivergence(MI);
  bool Diverges =
      D == ResultDivergence::Always ||
      (D == ResultDivergence::AsOperands && !(E.Uses & State).empty());
  if (Diverges)
    State |= E.Defs;
  else
    State -= E.Defs;
}

bool DivergenceSolver::branchDiverges(const MachineBasicBlock &MBB,
                                      const RegSet &State) const {
  if (MBB.succ_size() < 2)
    return false;
  if (Options.EveryBranch)
    return true;
  for (const MachineInstr &MI : MBB.terminators())
    if (MI.isInlineAsm() || !(Assignment.effects(MI).Uses & State).empty())
      return true;
  return false;
}

/// Counts a side for each of the blocks that lanes starting at \p From can run
/// before \p Join. Returns what those blocks write.
RegSet DivergenceSolver::markReachable(const MachineBasicBlock &From,
                                       const MachineBasicBlock *Join) {
  RegSet Writes;
  if (&From == Join)
    return Writes;
  SmallVector<const MachineBasicBlock *, 16> Stack = {&From};
  SeenBy[From.getNumber()] = ++Side;
  while (!Stack.empty()) {
    const MachineBasicBlock *MBB = Stack.pop_back_val();
    unsigned N = MBB->getNumber();
    if (Sides[N] == 0)
      Reached.push_back(N);
    Sides[N] = std::min<unsigned>(Sides[N] + 1, 2);
    Writes |= Written[N];
    for (const MachineBasicBlock *Succ : MBB->successors())
      if (Succ != Join && SeenBy[Succ->getNumber()] != Side) {
        SeenBy[Succ->getNumber()] = Side;
        Stack.push_back(Succ);
      }
  }
  return Writes;
}

/// The branch at the end of \p MBB parts lanes. They meet at the immediate
/// post-dominator; a machine that lets them meet earlier could do so in any
/// block that two sides reach.
void DivergenceSolver::part(const MachineBasicBlock &MBB) {
  const MachineBasicBlock *Join = reconvergencePoint(MBB, PDT);
  RegSet Writes;
  SmallPtrSet<const MachineBasicBlock *, 8> Targets;
  for (const MachineBasicBlock *Succ : MBB.successors())
    if (Targets.insert(Succ).second)
      Writes |= markReachable(*Succ, Join);
  for (unsigned N : Reached) {
    if (Sides[N] == 2)
      Forced[N] |= Writes;
    Sides[N] = 0;
  }
  Reached.clear();
  if (Join)
    Forced[Join->getNumber()] |= Writes;
}

/// Returns true if anything changed that other blocks see.
bool DivergenceSolver::visit(const MachineBasicBlock &MBB) {
  unsigned N = MBB.getNumber();
  RegSet State = Forced[N];
  for (const MachineBasicBlock *Pred : MBB.predecessors())
    State |= Out[Pred->getNumber()];
  Result.In[N] = State;
  for (const MachineInstr &MI : MBB)
    apply(MI, State);
  bool Changed = State != Out[N];
  Out[N] = State;
  if (!Result.Divergent[N] && branchDiverges(MBB, State)) {
    Result.Divergent[N] = true;
    part(MBB);
    Changed = true;
  }
  return Changed;
}

void DivergenceSolver::run() {
  for (const MachineBasicBlock &MBB : MF) {
    Result.NumBranches += MBB.succ_size() > 1;
    for (const MachineInstr &MI : MBB)
      Written[MBB.getNumber()] |= Assignment.effects(MI).Defs;
  }
  ReversePostOrderTraversal<const MachineFunction *> RPO(&MF);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : RPO)
      Changed |= visit(*MBB);
  }
  Result.NumDivergent = llvm::count(Result.Divergent, true);
}

DivergenceAnalysis::DivergenceAnalysis(const MachineFunction &MF,
                                       const RegisterAssignment &Assignment,
                                       const MachinePostDominatorTree &PDT,
                                       DivergenceOptions Options)
    : In(MF.getNumBlockIDs()), Divergent(MF.getNumBlockIDs()) {
  DivergenceSolver(MF, Assignment, PDT, Options, *this).run();
}

} // namespace regshare
