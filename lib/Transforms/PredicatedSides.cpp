//===- PredicatedSides.cpp - Code around predicated sides -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PredicatedSides.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/IssueSlots.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

/// The block by whose branch all control comes to \p Meeting, in which its
/// sides meet; null if there is none.
static MachineBasicBlock *headBefore(MachineBasicBlock &Meeting) {
  if (Meeting.pred_empty())
    return nullptr;
  auto IsSideOf = [&](const MachineBasicBlock &Side,
                      const MachineBasicBlock &Head) {
    return Side.pred_size() == 1 && *Side.pred_begin() == &Head &&
           Side.succ_size() == 1 && *Side.succ_begin() == &Meeting;
  };
  MachineBasicBlock *Head = *Meeting.pred_begin();
  if (Head->pred_size() == 1 && IsSideOf(*Head, **Head->pred_begin()))
    Head = *Head->pred_begin();
  auto IsMeetingOrSide = [&](const MachineBasicBlock *Next) {
    return Next == &Meeting || IsSideOf(*Next, *Head);
  };
  auto IsHeadOrSide = [&](const MachineBasicBlock *Before) {
    return Before == Head || IsSideOf(*Before, *Head);
  };
  return Head != &Meeting && all_of(Head->successors(), IsMeetingOrSide) &&
                 all_of(Meeting.predecessors(), IsHeadOrSide)
             ? Head
             : nullptr;
}

MachineBasicBlock *predicatedHead(MachineBasicBlock &MBB, NativeCosts &Costs,
                                  bool &IsSide) {
  IsSide = false;
  MachineBasicBlock *Meeting = &MBB, *Head = headBefore(MBB);
  if (!Head && MBB.succ_size() == 1) {
    IsSide = true;
    Meeting = *MBB.succ_begin();
    Head = headBefore(*Meeting);
  }
  bool IsOfBranch = Head && Head->succ_size() > 1 &&
                    (!IsSide || is_contained(Head->successors(), &MBB));
  return IsOfBranch && Costs.hasPredicatedSides(*Head, *Meeting) ? Head
                                                                 : nullptr;
}

MachineBasicBlock *meetingOfSides(MachineBasicBlock &Head, NativeCosts &Costs) {
  if (Head.succ_size() != 2)
    return nullptr;
  for (MachineBasicBlock *Next : Head.successors()) {
    MachineBasicBlock *After =
        Next->succ_size() == 1 ? *Next->succ_begin() : nullptr;
    for (MachineBasicBlock *Meeting : {Next, After})
      if (Meeting && headBefore(*Meeting) == &Head &&
          Costs.hasPredicatedSides(Head, *Meeting))
        return Meeting;
  }
  return nullptr;
}

bool isLoneComputation(const MachineInstr &MI) {
  const MachineInstr *Before = MI.getPrevNode();
  return !isFolded(MI) && groupOf(MI).size() == 1 && !MI.isInlineAsm() &&
         !MI.mayLoadOrStore() && !MI.hasUnmodeledSideEffects() &&
         MI.getNumExplicitDefs() == 1 &&
         (!Before || statementVerb(*Before).empty());
}

/// The place before the branch of \p MBB and before what is folded into that
/// branch.
static MachineBasicBlock::iterator endOf(MachineBasicBlock &MBB) {
  return groupBegin(MBB, firstTerminator(MBB));
}

/// \p Guard computes the same at the end of \p Head: its sources are the same
/// there, and nobody in between reads what its result was before.
static bool isSameAt(MachineBasicBlock &Head, const MachineInstr &Guard) {
  Register Result = Guard.getOperand(0).getReg();
  auto Conflicts = [&](const MachineInstr &MI) {
    return (!MI.isDebugInstr() && MI.readsRegister(Result, /*TRI=*/nullptr)) ||
           any_of(MI.all_defs(), [&](const MachineOperand &Def) {
             return Guard.readsRegister(Def.getReg(), /*TRI=*/nullptr);
           });
  };
  const MachineBasicBlock &Meeting = *Guard.getParent();
  for (const MachineBasicBlock *Side : Head.successors())
    if (Side != &Meeting && any_of(*Side, Conflicts))
      return false;
  MachineBasicBlock::const_iterator End(Guard);
  return none_of(make_range(Meeting.begin(), End), Conflicts) &&
         none_of(make_range(endOf(Head), Head.end()), Conflicts);
}

bool hoistGuard(MachineInstr &Guard, NativeCosts &Costs) {
  MachineBasicBlock &Meeting = *Guard.getParent();
  MachineBasicBlock *Head = headBefore(Meeting);
  if (!Head || !isLoneComputation(Guard) || !isSameAt(*Head, Guard) ||
      !Costs.hasPredicatedSides(*Head, Meeting))
    return false;
  Head->splice(endOf(*Head), &Meeting, Guard.getIterator());
  for (const MachineOperand &Use : Guard.all_uses())
    Meeting.getParent()->getRegInfo().clearKillFlags(Use.getReg());
  return true;
}

/// What computes the predicate by which \p MBB branches, in \p MBB.
static MachineInstr *guardOf(MachineBasicBlock &MBB) {
  auto Branch = firstTerminator(MBB);
  if (Branch == MBB.end() || !Branch->isConditionalBranch())
    return nullptr;
  const MachineRegisterInfo &MRI = MBB.getParent()->getRegInfo();
  for (const MachineOperand &MO : Branch->operands()) {
    if (!MO.isReg() || !MO.getReg().isVirtual())
      continue;
    MachineInstr *Guard = MRI.getUniqueVRegDef(MO.getReg());
    return Guard && Guard->getParent() == &MBB ? Guard : nullptr;
  }
  return nullptr;
}

void hoistGuards(MachineFunction &MF) {
  NativeCosts Costs(MF);
  for (MachineBasicBlock &MBB : MF)
    if (MachineInstr *Guard = guardOf(MBB))
      hoistGuard(*Guard, Costs);
}

} // namespace regshare
