//===- RegMutexStops.cpp - Lanes that stop in the middle of a side --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexStops.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

BitVector blocksOfSide(const MachineBasicBlock &Branch,
                       const MachineBasicBlock &Side,
                       const Reconvergence &Meetings) {
  BitVector Blocks(Branch.getParent()->getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 16> Worklist;
  auto Reach = [&](const MachineBasicBlock &MBB) {
    if (Blocks.test(MBB.getNumber()))
      return;
    Blocks.set(MBB.getNumber());
    Worklist.push_back(&MBB);
  };
  Meetings.forEachDependent(Branch, Side, Reach);
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.pop_back_val();
    for (const MachineBasicBlock *Succ : MBB.successors())
      Meetings.forEachDependent(MBB, *Succ, Reach);
  }
  return Blocks;
}

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

/// True if a machine may let the lanes of \p Branch, which diverges, meet
/// elsewhere than the graph says, or part twice at its end. One endless loop in
/// a function is enough: which branches it concerns is the machine's business.
static bool canMeetAnywhere(const MachineBasicBlock &Branch,
                            const Analyses &A) {
  auto ReadsRegisters = [&](const MachineInstr &MI) {
    return !A.Assignment.effects(MI).Uses.empty();
  };
  return A.Meetings.isUncertain() ||
         llvm::count_if(Branch.terminators(), ReadsRegisters) > 1;
}

/// True for a barrier at which the lanes of a warp may arrive one after the
/// other.
static bool isLooseBarrier(const MachineInstr &MI, const InstrFacts &Facts) {
  if (!Facts.isBarrier(MI))
    return false;
  if (MI.isInlineAsm())
    return inlinePTXText(MI).contains("barrier.") &&
           !inlinePTXText(MI).contains(".aligned");
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  return !TII.getName(MI.getOpcode()).contains("ALIGNED");
}

namespace {
/// Where lanes can stop in some blocks; null: nowhere.
struct Stops {
  const MachineInstr *Any = nullptr, *Barrier = nullptr, *Loose = nullptr;
};
} // namespace

static Stops stopsIn(const MachineFunction &MF, const BitVector &Blocks) {
  const InstrFacts &Facts = InstrFacts::get(*MF.getSubtarget().getInstrInfo());
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
      if (isLooseBarrier(MI, Facts))
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
      Unknown = &*MBB.getFirstTerminator();
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
  const InstrFacts &Facts = InstrFacts::get(*MF.getSubtarget().getInstrInfo());
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
