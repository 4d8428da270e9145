//===- SplitEdge.cpp - A block on an edge ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitEdge.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// True if control can run over the end of \p MBB.
static bool fallsThrough(const MachineBasicBlock &MBB) {
  return MBB.empty() || !MBB.back().isBarrier();
}

MachineBasicBlock *splitEdge(MachineBasicBlock &From, MachineBasicBlock &To) {
  MachineFunction &MF = *From.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineBasicBlock *New = MF.CreateMachineBasicBlock();
  bool OverTheEnd = From.isLayoutSuccessor(&To) && fallsThrough(From);
  MF.insert(OverTheEnd ? std::next(From.getIterator()) : MF.end(), New);
  if (!OverTheEnd)
    TII.insertBranch(*New, &To, nullptr, {}, DebugLoc());
  for (MachineInstr &MI : From.terminators())
    for (MachineOperand &MO : MI.operands())
      if (MO.isMBB() && MO.getMBB() == &To)
        MO.setMBB(New);
  From.replaceSuccessor(&To, New);
  New->addSuccessor(&To, BranchProbability::getOne());
  return New;
}

} // namespace regshare
