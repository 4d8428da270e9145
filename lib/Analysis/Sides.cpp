//===- Sides.cpp - The sides of branches ----------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

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

bool canMeetAnywhere(const MachineBasicBlock &Branch, const Analyses &A) {
  auto ReadsRegisters = [&](const MachineInstr &MI) {
    return !A.Assignment.effects(MI).Uses.empty();
  };
  return A.Meetings.isUncertain() ||
         llvm::count_if(terminatorsOf(Branch), ReadsRegisters) > 1;
}

bool onlyReturns(const MachineBasicBlock &MBB) {
  return MBB.succ_empty() && llvm::all_of(MBB, [](const MachineInstr &MI) {
           return MI.isTerminator() || MI.isDebugInstr();
         });
}

} // namespace regshare
