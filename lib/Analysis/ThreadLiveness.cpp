//===- ThreadLiveness.cpp - What a thread still reads ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/ThreadLiveness.h"

#include "llvm/CodeGen/MachineFunction.h"

#include <deque>

using namespace llvm;

namespace regshare {

namespace {
/// What a block as a whole reads first, and writes.
struct BlockEffects {
  RegSet Reads;
  RegSet Writes;
};
} // namespace

static BlockEffects summarize(const MachineBasicBlock &MBB,
                              const RegisterCode &Code) {
  BlockEffects B;
  auto [Begin, End] = Code.instrs(MBB);
  for (uint32_t I = End; I-- != Begin;) {
    ArrayRef<RegisterCode::Operand> Operands = Code.operands(I);
    for (RegisterCode::Operand O : Operands)
      if (O.IsDef) {
        B.Reads.erase(O.Reg);
        B.Writes.insert(O.Reg);
      }
    for (RegisterCode::Operand O : Operands)
      if (!O.IsDef)
        B.Reads.insert(O.Reg);
  }
  return B;
}

ThreadLiveness::ThreadLiveness(const MachineFunction &MF,
                               const RegisterAssignment &Assignment,
                               const RegisterCode &Code)
    : Assignment(Assignment), In(MF.getNumBlockIDs()),
      Out(MF.getNumBlockIDs()) {
  std::vector<BlockEffects> Effects(MF.getNumBlockIDs());
  std::deque<const MachineBasicBlock *> Worklist;
  std::vector<bool> Queued(MF.getNumBlockIDs());
  auto Enqueue = [&](const MachineBasicBlock *MBB) {
    if (Queued[MBB->getNumber()])
      return;
    Queued[MBB->getNumber()] = true;
    Worklist.push_back(MBB);
  };
  for (const MachineBasicBlock *MBB : Code.postOrder())
    Enqueue(MBB);
  for (const MachineBasicBlock &MBB : MF) {
    Enqueue(&MBB); // Those that the entry does not reach.
    Effects[MBB.getNumber()] = summarize(MBB, Code);
  }
  while (!Worklist.empty()) {
    const MachineBasicBlock &MBB = *Worklist.front();
    Worklist.pop_front();
    unsigned N = MBB.getNumber();
    Queued[N] = false;
    for (const MachineBasicBlock *Succ : MBB.successors())
      Out[N] |= In[Succ->getNumber()];
    RegSet NewIn = Effects[N].Reads | (Out[N] - Effects[N].Writes);
    if (NewIn == In[N])
      continue;
    In[N] = NewIn;
    for (const MachineBasicBlock *Pred : MBB.predecessors())
      Enqueue(Pred);
  }
}

HeldRegisters heldDuring(const RegEffects &Effects, const RegSet &Before,
                         const RegSet &After) {
  RegSet Result = After | Effects.Defs;
  if (!Effects.Temps.empty()) {
    RegSet All = Before | Result | Effects.Temps;
    return {All.countUnits(), All.countPreds()};
  }
  return {std::max(Before.countUnits(), Result.countUnits()),
          std::max(Before.countPreds(), Result.countPreds())};
}

} // namespace regshare
