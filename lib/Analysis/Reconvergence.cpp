//===- Reconvergence.cpp - Where parted lanes meet ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Reconvergence.h"

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePostDominators.h"

using namespace llvm;

namespace regshare {

/// The blocks from which some path ends the function, by number.
static std::vector<bool> blocksThatCanEnd(const MachineFunction &MF) {
  std::vector<bool> CanEnd(MF.getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 32> Worklist;
  for (const MachineBasicBlock &MBB : MF)
    if (MBB.succ_empty()) {
      CanEnd[MBB.getNumber()] = true;
      Worklist.push_back(&MBB);
    }
  while (!Worklist.empty())
    for (const MachineBasicBlock *Pred :
         Worklist.pop_back_val()->predecessors())
      if (!CanEnd[Pred->getNumber()]) {
        CanEnd[Pred->getNumber()] = true;
        Worklist.push_back(Pred);
      }
  return CanEnd;
}

/// True if lanes can leave the function in \p MBB, which has successors. The
/// sides of a branch before it may then never meet where the graph says so.
static bool leavesByInlinePTX(const MachineBasicBlock &MBB) {
  return !MBB.succ_empty() && llvm::any_of(MBB, [](const MachineInstr &MI) {
    if (!MI.isInlineAsm())
      return false;
    StringRef Text = inlinePTXText(MI);
    return Text.contains("exit") || Text.contains("trap") ||
           Text.contains("ret;");
  });
}

Reconvergence::Reconvergence(const MachineFunction &MF,
                             const MachinePostDominatorTree &PDT)
    : Points(MF.getNumBlockIDs()) {
  Uncertain = MF.hasInlineAsm() && llvm::any_of(MF, leavesByInlinePTX);
  if (Uncertain)
    return;
  std::vector<bool> CanEnd = blocksThatCanEnd(MF);
  for (const MachineBasicBlock &MBB : MF) {
    // In an endless loop LLVM's tree takes some block for the exit, which no
    // machine has to agree with.
    if (!CanEnd[MBB.getNumber()]) {
      Uncertain = true;
      continue;
    }
    const MachineDomTreeNode *Node = PDT.getNode(&MBB);
    if (const MachineDomTreeNode *IPDom = Node ? Node->getIDom() : nullptr)
      Points[MBB.getNumber()] = IPDom->getBlock();
  }
}

} // namespace regshare
