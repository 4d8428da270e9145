//===- Uniformity.cpp - What threads of a warp have in common -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Reconvergence.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

bool Uniformity::readsDiffering(const MachineInstr &MI) const {
  return any_of(MI.all_uses(), [&](const MachineOperand &MO) {
    return MO.getReg().isVirtual() && Differs[MO.getReg().virtRegIndex()];
  });
}

/// True if \p MI has made a value differ that did not until now.
bool Uniformity::noteResults(const MachineInstr &MI, const InstrFacts &Facts) {
  ResultDivergence How = Facts.resultDivergence(MI);
  bool Uniform = !Apart[MI.getParent()->getNumber()] &&
                 (How == ResultDivergence::Never ||
                  (How == ResultDivergence::AsOperands && !readsDiffering(MI)));
  bool Changed = false;
  if (!Uniform)
    for (const MachineOperand &MO : MI.all_defs())
      if (MO.getReg().isVirtual() && !Differs[MO.getReg().virtRegIndex()])
        Changed = Differs[MO.getReg().virtRegIndex()] = true;
  return Changed;
}

/// Whether lanes that go to \p MBB do nothing but end.
static bool onlyReturns(const MachineBasicBlock *MBB) {
  if (!MBB)
    return true;
  auto First = MBB->getFirstNonDebugInstr();
  return First != MBB->end() && First->isReturn();
}

/// Notes the blocks between the branch at the end of \p MBB, if that parts
/// threads, and where they meet.
bool Uniformity::notePartings(const MachineBasicBlock &MBB,
                              const Reconvergence &Meetings) {
  if (MBB.succ_size() < 2 ||
      none_of(terminatorsOf(MBB), [&](const MachineInstr &MI) {
        return MI.isIndirectBranch() || readsDiffering(MI);
      }))
    return false;
  const MachineBasicBlock *Meeting = Meetings.meetingPoint(MBB);
  bool SomeEnd = onlyReturns(Meeting) &&
                 any_of(MBB.successors(), [&](const MachineBasicBlock *Next) {
                   return Next == Meeting || onlyReturns(Next);
                 });
  if (SomeEnd && MBB.succ_size() == 2)
    return false;
  bool Changed = false;
  SmallVector<const MachineBasicBlock *, 8> Work(MBB.successors());
  std::vector<bool> Seen(Apart.size());
  while (!Work.empty()) {
    const MachineBasicBlock *Next = Work.pop_back_val();
    if (Next == Meeting || Seen[Next->getNumber()])
      continue;
    Seen[Next->getNumber()] = true;
    Changed |= !Apart[Next->getNumber()];
    Apart[Next->getNumber()] = true;
    append_range(Work, Next->successors());
  }
  return Changed;
}

Uniformity::Uniformity(const MachineFunction &MF, const Reconvergence &Meetings)
    : Differs(MF.getRegInfo().getNumVirtRegs()),
      Apart(MF.getNumBlockIDs(), Meetings.isUncertain()) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const MachineBasicBlock &MBB : MF) {
      for (const MachineInstr &MI : MBB)
        Changed |= noteResults(MI, Facts);
      Changed |= notePartings(MBB, Meetings);
    }
}

} // namespace regshare
