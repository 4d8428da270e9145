//===- WarpLiveness.cpp - What any lane of a warp still reads -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/WarpLiveness.h"

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

/// While one side of \p Branch runs, the lanes of the others wait at their own
/// first block or where all meet.
void WarpLiveness::park(const MachineBasicBlock &Branch,
                        const Reconvergence &Meetings) {
  const RegSet OnMeeting = neededOnMeeting(Branch, Meetings);
  for (const MachineBasicBlock *Side : Branch.successors()) {
    RegSet Need = OnMeeting;
    for (const MachineBasicBlock *Other : Branch.successors())
      if (Other != Side)
        Need |= Thread.liveIn(*Other);
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

WarpLiveness::WarpLiveness(const MachineFunction &MF,
                           const ThreadLiveness &Thread,
                           const DivergenceAnalysis &Divergence,
                           const Reconvergence &Meetings)
    : Thread(Thread), Parked(MF.getNumBlockIDs()) {
  for (const MachineBasicBlock &MBB : MF)
    if (Divergence.isDivergentBranch(MBB))
      park(MBB, Meetings);
  spread(Meetings);
}

} // namespace regshare
