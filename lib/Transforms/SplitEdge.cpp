//===- SplitEdge.cpp - A block on an edge ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitEdge.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

bool fallsThrough(const MachineBasicBlock &MBB) {
  return MBB.empty() || !MBB.back().isBarrier();
}

MachineBasicBlock *splitEdges(ArrayRef<MachineBasicBlock *> Preds,
                              MachineBasicBlock &To) {
  MachineFunction &MF = *To.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineBasicBlock *New = MF.CreateMachineBasicBlock();
  const auto *Above = llvm::find_if(Preds, [&](MachineBasicBlock *From) {
    return From->isLayoutSuccessor(&To) && fallsThrough(*From);
  });
  if (Above != Preds.end()) {
    MF.insert(std::next((*Above)->getIterator()), New);
  } else {
    MF.insert(MF.end(), New);
    TII.insertBranch(*New, &To, nullptr, {}, DebugLoc());
  }
  for (MachineBasicBlock *From : Preds) {
    for (MachineInstr &MI : terminatorsOf(*From))
      for (MachineOperand &MO : MI.operands())
        if (MO.isMBB() && MO.getMBB() == &To)
          MO.setMBB(New);
    From->replaceSuccessor(&To, New);
  }
  New->addSuccessor(&To, BranchProbability::getOne());
  return New;
}

MachineBasicBlock *splitEdge(MachineBasicBlock &From, MachineBasicBlock &To) {
  return splitEdges(&From, To);
}

} // namespace regshare
