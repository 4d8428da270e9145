//===- WarpLiveness.cpp - What any lane of a warp still reads -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/WarpLiveness.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// \p Need is parked throughout the region from \p MBB to its meeting point.
void WarpLiveness::add(const MachineBasicBlock &MBB, const RegSet &Need) {
  RegSet &Set = Parked[MBB.getNumber()];
  if ((Need - Set).empty())
    return;
  Set |= Need;
  Worklist.push_back(&MBB);
}

/// What lanes of \p Branch need that have arrived where they meet.
RegSet WarpLiveness::neededOnMeeting(const MachineBasicBlock &Branch,
                                     const Reconvergence &Meetings) const {
  if (const MachineBasicBlock *Meet = Meetings.meetingPoint(Branch))
    return Thread.liveIn(*Meet);
  RegSet Need;
  if (Meetings.isUncertain()) // Anywhere, then.
    for (const MachineBasicBlock &MBB : *Branch.getParent())
      Need |= Thread.liveIn(MBB);
  return Need;
}

/// What the lanes of \p Branch read that wait there: a switch takes one target
/// at a time, and is executed again for the others.
static RegSet neededAtSwitch(const MachineBasicBlock &Branch,
                             const RegisterAssignment &Assignment) {
  RegSet Need;
  if (Branch.succ_size() > 2)
    for (const MachineInstr &MI : terminatorsOf(Branch))
      Need |= Assignment.effects(MI).Uses;
  return Need;
}

/// While one side of \p Branch runs, the lanes of the others wait at their own
/// first block, where all meet, at the branch, or where they stopped.
void WarpLiveness::park(const MachineBasicBlock &Branch,
                        const Reconvergence &Meetings, const LaneWaits &Waits) {
  const RegSet Elsewhere = neededOnMeeting(Branch, Meetings) |
                           neededAtSwitch(Branch, Thread.assignment());
  // Indices of a switch that have the same target may take their turns.
  const bool IsSwitch = Branch.succ_size() > 2;
  for (const MachineBasicBlock *Side : Branch.successors()) {
    RegSet Need = Elsewhere;
    for (const MachineBasicBlock *Other : Branch.successors())
      if (Other != Side || IsSwitch)
        Need |= Thread.liveIn(*Other) | Waits.neededOn(Branch, *Other);
    Meetings.forEachDependent(
        Branch, *Side, [&](const MachineBasicBlock &MBB) { add(MBB, Need); });
  }
}

void WarpLiveness::spread(const Reconvergence &Meetings) {
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.back();
    Worklist.pop_back();
    const RegSet Need = Parked[MBB.getNumber()];
    for (const MachineBasicBlock *Succ : MBB.successors())
      Meetings.forEachDependent(
          MBB, *Succ, [&](const MachineBasicBlock &Dep) { add(Dep, Need); });
  }
}

WarpLiveness::WarpLiveness(const MachineFunction &MF, const RegisterCode &Code,
                           const ThreadLiveness &Thread,
                           const DivergenceAnalysis &Divergence,
                           const Reconvergence &Meetings)
    : Thread(Thread), Parked(MF.getNumBlockIDs()) {
  LaneWaits Waits(MF, Code, Thread, Divergence, Meetings);
  RegSet Anywhere;
  for (const MachineBasicBlock &MBB : MF) {
    if (!Divergence.isDivergentBranch(MBB))
      continue;
    park(MBB, Meetings, Waits);
    if (Meetings.meetingPoint(MBB))
      for (const MachineBasicBlock *Side : MBB.successors())
        Anywhere |= Waits.neededAtBarriersOn(MBB, *Side);
  }
  spread(Meetings);
  for (RegSet &Set : Parked)
    Set |= Anywhere;
}

} // namespace regshare
