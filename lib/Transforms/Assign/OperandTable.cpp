//===- OperandTable.cpp - The registers that code names -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandTable.h"

#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regshare {

static uint32_t flagsOf(const MachineOperand &MO) {
  using Operand = OperandTable::Operand;
  uint32_t Flags = MO.readsReg() ? Operand::Reads : 0;
  if (!MO.isDef())
    return Flags;
  return Flags | Operand::Writes | (MO.isEarlyClobber() ? Operand::Early : 0) |
         (MO.isDead() ? Operand::Dead : 0);
}

void OperandTable::build(MachineFunction &MF,
                         function_ref<void(MachineInstr &)> Visit) {
  // Most values are written once and read once or twice.
  size_t Expected = MF.getRegInfo().getNumVirtRegs();
  Operands.reserve(3 * Expected);
  OperandEnd.reserve(2 * Expected);
  Instrs.reserve(2 * Expected);
  BlockBegin.reserve(MF.size() + 1);
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const bool Native = isNative(MF);
  // What folded instructions read is read by their group's last one.
  std::vector<Operand> OfGroup;
  for (MachineBasicBlock &MBB : MF) {
    BlockBegin.push_back(Instrs.size());
    for (MachineInstr &MI : MBB) {
      if (MI.isDebugOrPseudoInstr())
        continue;
      Visit(MI);
      const bool Folded = Native && isFolded(MI);
      if (!Folded) {
        llvm::append_range(Operands, OfGroup);
        OfGroup.clear();
      }
      for (MachineOperand &MO : MI.operands()) {
        if (!MO.isReg() || !MO.getReg().isVirtual())
          continue;
        if (MO.isKill())
          MO.setIsKill(false);
        if (Native && nativePlace(MRI, MO.getReg()) != NativePlace::Register)
          continue;
        (Folded ? OfGroup : Operands)
            .emplace_back(MO.getReg().virtRegIndex(), flagsOf(MO));
      }
      Instrs.push_back(&MI);
      OperandEnd.push_back(Operands.size());
    }
  }
  BlockBegin.push_back(Instrs.size());
}

MachineInstr *OperandTable::instrAt(uint32_t Slot) const {
  uint32_t B = 0;
  while (Slot >= startOf(B + 1))
    ++B;
  return Slot < startOf(B) + slot::PerInstr
             ? nullptr
             : Instrs[Slot / slot::PerInstr - B - 1];
}

} // namespace regshare
