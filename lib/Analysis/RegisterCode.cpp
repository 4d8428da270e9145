//===- RegisterCode.cpp - What code does to registers ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/RegisterCode.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

namespace {
/// A set of blocks for LLVM's walk, in which a hash table would be most of the
/// work.
struct VisitedBlocks {
  std::vector<bool> Seen; // by block number

  std::pair<const MachineBasicBlock *, bool>
  insert(const MachineBasicBlock *MBB) {
    bool IsNew = !Seen[MBB->getNumber()];
    Seen[MBB->getNumber()] = true;
    return {MBB, IsNew};
  }
};
} // namespace

RegisterCode::RegisterCode(const MachineFunction &MF,
                           const RegisterAssignment &Assignment)
    : Blocks(MF.getNumBlockIDs()), StopsLanes(MF.getNumBlockIDs()) {
  VisitedBlocks Visited{std::vector<bool>(MF.getNumBlockIDs())};
  PostOrder.reserve(MF.size());
  for (const MachineBasicBlock *MBB : post_order_ext(&MF, Visited))
    PostOrder.push_back(MBB);
  const InstrFacts &Facts = InstrFacts::get(MF);
  for (const MachineBasicBlock &MBB : MF) {
    Range &R = Blocks[MBB.getNumber()];
    R.Begin = Instrs.size();
    for (const MachineInstr &MI : MBB) {
      if (Facts.canStopLanes(MI))
        StopsLanes[MBB.getNumber()] = true;
      add(MI, Assignment, Facts);
    }
    R.End = Instrs.size();
  }
}

void RegisterCode::add(const MachineInstr &MI,
                       const RegisterAssignment &Assignment,
                       const InstrFacts &Facts) {
  size_t Before = Operands.size();
  bool Defines = false;
  Assignment.forEachOperand(
      MI,
      [&](ArchReg R) {
        Operands.push_back({R, true});
        Defines = true;
      },
      [&](ArchReg R) { Operands.push_back({R, false}); });
  if (Operands.size() == Before)
    return;
  Instrs.push_back({uint32_t(Operands.size())});
  if (!Defines)
    return;
  Instr &I = Instrs.back();
  I.Result = Facts.resultDivergence(MI);
  if (I.Result != ResultDivergence::AsLanes)
    return;
  const MachineOperand &Lanes = MI.getOperand(MI.getNumExplicitOperands() - 1);
  if (Lanes.isReg())
    I.Lanes = Assignment.lookup(Lanes.getReg());
}

} // namespace regshare
