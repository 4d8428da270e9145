//===- LaneWaits.cpp - Where lanes wait for lanes -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/LaneWaits.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// False if \p Other adds nothing.
bool LaneWaits::Summary::add(const Summary &Other) {
  bool Adds = !(Other.Needed - Needed).empty() || Other.Stops > Stops ||
              Other.StopsAtBarrier > StopsAtBarrier;
  Needed |= Other.Needed;
  Stops |= Other.Stops;
  StopsAtBarrier |= Other.StopsAtBarrier;
  return Adds;
}

/// Lanes that stop at an instruction have yet to execute it; those that went
/// through it together need not go on together. At a divergent branch they
/// leave others behind: at the starts of its sides, where these meet, or, of a
/// switch, at the branch.
LaneWaits::Summary LaneWaits::ownOf(const MachineBasicBlock &MBB,
                                    const RegisterCode &Code,
                                    const ThreadLiveness &Thread,
                                    bool IsDivergent) const {
  const InstrFacts &Facts = InstrFacts::get(*MBB.getParent());
  Summary S;
  if (Code.canStopLanes(MBB))
    Thread.forEachBackward(MBB, [&](const MachineInstr &MI,
                                    const RegSet &Before, const RegSet &After) {
      if (!Facts.canStopLanes(MI))
        return;
      S.Needed |= Before | After;
      S.Stops = true;
      S.StopsAtBarrier |= Facts.isBarrier(MI);
    });
  if (!IsDivergent)
    return S;
  if (MBB.succ_size() > 2)
    for (const MachineInstr &MI : terminatorsOf(MBB))
      S.Needed |= Thread.assignment().effects(MI).Uses;
  for (const MachineBasicBlock *Succ : MBB.successors())
    S.Needed |= Thread.liveIn(*Succ);
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(MBB))
    S.Needed |= Thread.liveIn(*Meet);
  return S;
}

LaneWaits::Summary LaneWaits::gather(const MachineBasicBlock &Branch,
                                     const MachineBasicBlock &Side) const {
  Summary S;
  Meetings.forEachDependent(Branch, Side, [&](const MachineBasicBlock &Dep) {
    S.add(Blocks[Dep.getNumber()]);
  });
  return S;
}

LaneWaits::LaneWaits(const MachineFunction &MF, const RegisterCode &Code,
                     const ThreadLiveness &Thread,
                     const DivergenceAnalysis &Divergence,
                     const Reconvergence &Meetings)
    : Meetings(Meetings), Blocks(MF.getNumBlockIDs()) {
  if (llvm::none_of(MF, [&](const MachineBasicBlock &MBB) {
        return Code.canStopLanes(MBB);
      }))
    return;
  for (const MachineBasicBlock &MBB : MF)
    Blocks[MBB.getNumber()] =
        ownOf(MBB, Code, Thread, Divergence.isDivergentBranch(MBB));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : Code.postOrder())
      for (const MachineBasicBlock *Succ : MBB->successors())
        Changed |= Blocks[MBB->getNumber()].add(gather(*MBB, *Succ));
  }
}

} // namespace regshare
