//===- RegMutexStops.cpp - Lanes that stop in the middle of a side --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexStops.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Statements.h"

using namespace llvm;

namespace regshare {

bool endsThread(const MachineBasicBlock &MBB) {
  const MachineBasicBlock *At = &MBB;
  for (unsigned Steps = 0; Steps != MBB.getParent()->size(); ++Steps) {
    for (const MachineInstr &MI : *At)
      if (!MI.isTerminator() && !MI.isDebugInstr() && statementVerb(MI).empty())
        return false;
    if (At->succ_empty())
      return true;
    if (At->succ_size() > 1)
      return false;
    At = *At->succ_begin();
  }
  return false;
}

namespace {
/// Where lanes can stop in some blocks; null: nowhere.
struct Stops {
  const MachineInstr *Any = nullptr, *Barrier = nullptr, *Loose = nullptr;
};
} // namespace

static Stops stopsIn(const MachineFunction &MF, const BitVector &Blocks) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  Stops S;
  for (const MachineBasicBlock &MBB : MF) {
    if (!Blocks.test(MBB.getNumber()))
      continue;
    for (const MachineInstr &MI : MBB) {
      if (!Facts.canStopLanes(MI))
        continue;
      S.Any = &MI;
      if (Facts.isBarrier(MI))
        S.Barrier = &MI;
      if (Facts.isLooseBarrier(MI))
        S.Loose = &MI;
    }
  }
  return S;
}

StopRules::StopRules(const MachineFunction &MF, const Analyses &A,
                     WaitPoints &Waits)
    : MF(MF), A(A), InOneState(MF.getNumBlockIDs()),
      ResumesFree(MF.getNumBlockIDs()) {
  for (const MachineBasicBlock &MBB : MF) {
    if (!A.Divergence.isDivergentBranch(MBB))
      continue;
    if (canMeetAnywhere(MBB, A))
      Unknown = &*firstTerminator(MBB);
    addBranch(MBB, Waits);
  }
}

void StopRules::addBranch(const MachineBasicBlock &Branch, WaitPoints &Waits) {
  const MachineBasicBlock *Meet = A.Meetings.meetingPoint(Branch);
  BitVector Region(MF.getNumBlockIDs());
  unsigned Sides = 0;
  for (const MachineBasicBlock *Side : Branch.successors()) {
    if (Side == Meet)
      continue;
    ++Sides;
    Region |= blocksOfSide(Branch, *Side, A.Meetings);
  }
  Stops S = stopsIn(MF, Region);
  if (S.Loose)
    Unknown = S.Loose;
  // Two indices of a switch may lead to one side.
  if (S.Any && (Sides > 1 || Branch.succ_size() > 2)) {
    InOneState |= Region;
    OneState.push_back(std::move(Region));
  }
  if (S.Barrier && Meet && !endsThread(*Meet))
    addContinuation(*Meet, Waits);
}

/// Lanes that wait at \p Meet go on alone while others are at a barrier, which
/// they leave in the state that these then stop in.
void StopRules::addContinuation(const MachineBasicBlock &Meet,
                                WaitPoints &Waits) {
  if (ResumesFree.test(Meet.getNumber()))
    return;
  ResumesFree.set(Meet.getNumber());
  const InstrFacts &Facts = InstrFacts::get(MF);
  BitVector Seen(MF.getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 16> Worklist = {&Meet};
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.pop_back_val();
    if (Seen.test(MBB.getNumber()))
      continue;
    Seen.set(MBB.getNumber());
    for (const MachineInstr &MI : MBB)
      if (Facts.canStopLanes(MI) || (MI.isTerminator() && MBB.succ_empty()))
        Waits.add(MI, WaitKind::Lanes);
    llvm::append_range(Worklist, MBB.successors());
  }
}

} // namespace regshare
