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
                           const RegisterAssignment &Assignment,
                           SpillSlots Slots)
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
      if (Slots == SpillSlots::AreMemory || !addSpill(MI, Assignment))
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

/// False if \p MI is no access of a spill slot, or of one too many.
bool RegisterCode::addSpill(const MachineInstr &MI,
                            const RegisterAssignment &Assignment) {
  if (!MI.getFlag(SpillSlotAccess) || !MI.mayLoadOrStore())
    return false;
  // Ordering, scope and space come after the value; a load says type, bits and
  // used bytes, a store the bits; base and offset are last.
  const unsigned Last = MI.getNumExplicitOperands() - 1;
  const int64_t Space = MI.getOperand(3).getImm(),
                Bits = MI.getOperand(MI.mayLoad() ? 5 : 4).getImm();
  auto [It, IsNew] =
      Slots.try_emplace({Space, MI.getOperand(Last).getImm(), Bits});
  if (IsNew) {
    unsigned Number = Assignment.numUnits() + unsigned(Slots.size()) - 1;
    if (Number < MaxArchUnits)
      It->second = {RegKind::B32, uint8_t(Number)};
  }
  if (!It->second.isValid())
    return false;
  ArchReg Value = Assignment.lookup(MI.getOperand(0).getReg());
  Operands.push_back({It->second, MI.mayStore()});
  Operands.push_back({Value, MI.mayLoad()});
  Instrs.push_back({uint32_t(Operands.size()), ResultDivergence::AsOperands});
  return true;
}

} // namespace regshare
