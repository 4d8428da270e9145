//===- FreePoints.cpp - Where registers die -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/FreePoints.h"

#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

static std::vector<unsigned> unitsIn(const RegSet &Set) {
  std::vector<unsigned> Units;
  Set.forEach([&](unsigned Bit) {
    if (Bit < RegSet::PredBase)
      Units.push_back(Bit);
  });
  return Units;
}

namespace {
class FreeFinder {
public:
  FreeFinder(const MachineFunction &MF, const Analyses &A);

  void visit(const MachineBasicBlock &MBB);
  std::vector<FreePoint> take() { return std::move(Points); }

private:
  RegSet heldAtEnd(const MachineBasicBlock &MBB) const;
  RegSet heldAtPop(const MachineBasicBlock &Branch) const;
  RegSet heldOnEntry(const MachineBasicBlock &MBB) const;
  void add(const MachineBasicBlock &MBB, const MachineInstr *After,
           const RegSet &Dead);

  const Analyses &A;
  std::vector<RegSet> AtEnd; ///< By block number: held when a warp leaves it.
  RegSet OnReturn;           ///< Held where some block returns.
  std::vector<FreePoint> Points;
};
} // namespace

void FreeFinder::add(const MachineBasicBlock &MBB, const MachineInstr *After,
                     const RegSet &Dead) {
  if (std::vector<unsigned> Units = unitsIn(Dead); !Units.empty())
    Points.push_back({&MBB, After, std::move(Units)});
}

/// What a warp holds when it leaves \p MBB: its terminators free nothing.
RegSet FreeFinder::heldAtEnd(const MachineBasicBlock &MBB) const {
  RegSet Held = A.Warp.liveOut(MBB);
  for (const MachineInstr &MI : terminatorsOf(MBB)) {
    RegEffects E = A.Assignment.effects(MI);
    Held |= E.Uses | E.Defs | E.Temps;
  }
  return Held;
}

FreeFinder::FreeFinder(const MachineFunction &MF, const Analyses &A)
    : A(A), AtEnd(MF.getNumBlockIDs()) {
  for (const MachineBasicBlock &MBB : MF)
    AtEnd[MBB.getNumber()] = heldAtEnd(MBB);
  for (const MachineBasicBlock &MBB : MF)
    if (onlyReturns(MBB))
      OnReturn |= heldOnEntry(MBB);
    else if (MBB.succ_empty())
      OnReturn |= AtEnd[MBB.getNumber()];
}

/// What a warp may hold when one side of \p Branch has reached the meeting
/// point, or the end of the function, and the next one starts: no edge of the
/// graph leads there.
RegSet FreeFinder::heldAtPop(const MachineBasicBlock &Branch) const {
  const MachineBasicBlock *Meet = A.Meetings.meetingPoint(Branch);
  if (!Meet)
    return OnReturn;
  RegSet Held;
  for (const MachineBasicBlock *Pred : Meet->predecessors())
    Held |= AtEnd[Pred->getNumber()];
  return Held;
}

RegSet FreeFinder::heldOnEntry(const MachineBasicBlock &MBB) const {
  RegSet Held;
  for (const MachineBasicBlock *Pred : MBB.predecessors()) {
    Held |= AtEnd[Pred->getNumber()];
    if (A.Divergence.isDivergentBranch(*Pred))
      Held |= heldAtPop(*Pred);
  }
  return Held;
}

void FreeFinder::visit(const MachineBasicBlock &MBB) {
  if (onlyReturns(MBB))
    return;
  add(MBB, nullptr, heldOnEntry(MBB) - A.Warp.liveIn(MBB));
  size_t First = Points.size();
  A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI, const RegSet &Before,
                                  const RegSet &After) {
    if (MI.isTerminator())
      return;
    RegEffects E = A.Assignment.effects(MI);
    add(MBB, &MI, (Before | E.Defs | E.Temps) - After);
  });
  std::reverse(Points.begin() + First, Points.end());
}

std::vector<FreePoint> findFrees(const MachineFunction &MF, const Analyses &A) {
  FreeFinder Finder(MF, A);
  for (const MachineBasicBlock &MBB : MF)
    Finder.visit(MBB);
  return Finder.take();
}

} // namespace regshare
