//===- UndefinedValues.cpp - Reads of what nothing has written ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UndefinedValues.h"

#include "regshare/Base/ArchReg.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

/// Whether MI executes, and is no text of a user's.
static bool isMachineCode(const MachineInstr &MI) {
  return !MI.isInlineAsm() && !MI.isMetaInstruction();
}

void defineUndefinedOperands(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      for (MachineOperand &MO : MI.all_uses()) {
        if (!isMachineCode(MI) || !MO.isUndef() || !MO.getReg().isVirtual() ||
            MO.isTied())
          continue;
        Register R = MRI.cloneVirtualRegister(MO.getReg());
        BuildMI(MBB, MI, MI.getDebugLoc(), TII.get(TargetOpcode::IMPLICIT_DEF),
                R);
        MO.setReg(R);
        MO.setIsUndef(false);
      }
}

/// Whether an instruction of inline PTX names operand \p N: $1 or ${1:…}, and
/// not $10.
static bool names(StringRef Instruction, unsigned N) {
  std::string Digits = std::to_string(N);
  for (size_t At = Instruction.find('$'); At != StringRef::npos;
       At = Instruction.find('$', At + 1)) {
    StringRef Rest = Instruction.drop_front(At + 1);
    Rest.consume_front("{");
    if (Rest.consume_front(Digits) && (Rest.empty() || !isDigit(Rest.front())))
      return true;
  }
  return false;
}

/// Whether the first instruction that names result \p N has a guard.
static bool isGuarded(ArrayRef<StringRef> Instructions, unsigned N) {
  const auto *First =
      find_if(Instructions, [&](StringRef I) { return names(I, N); });
  return First != Instructions.end() && First->starts_with("@");
}

/// The results of inline PTX that some threads may leave unwritten, and whose
/// earlier value it does not read.
static SmallVector<Register, 2>
guardedResults(const MachineInstr &MI, const RegisterAssignment &Assignment) {
  SmallVector<Register, 2> Found;
  StringRef Text = inlinePTXText(MI);
  if (!Text.contains('@'))
    return Found;
  RegSet Reads;
  for (const MachineOperand &MO : MI.all_uses())
    if (MO.getReg().isVirtual() && !MO.isUndef())
      if (ArchReg R = Assignment.lookup(MO.getReg()); R.isValid())
        Reads.insert(R);
  std::vector<StringRef> Instructions = inlinePTXInstructions(Text);
  for (auto [N, MO] : enumerate(MI.all_defs())) {
    ArchReg R = Assignment.lookup(MO.getReg());
    if (R.isValid() && !Reads.intersects(R) && isGuarded(Instructions, N))
      Found.push_back(MO.getReg());
  }
  return Found;
}

void defineGuardedResults(MachineFunction &MF,
                          const RegisterAssignment &Assignment) {
  if (!MF.hasInlineAsm())
    return;
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      for (Register R : guardedResults(MI, Assignment)) {
        BuildMI(MBB, MI, MI.getDebugLoc(), TII.get(TargetOpcode::IMPLICIT_DEF))
            .addReg(R, RegState::Define);
        bool IsNamed = false;
        for (MachineOperand &MO : MI.all_uses())
          if (MO.getReg() == R) {
            MO.setIsUndef(false);
            IsNamed = true;
          }
        if (!IsNamed)
          MI.addOperand(MF, MachineOperand::CreateReg(R, /*isDef=*/false,
                                                      /*isImp=*/true));
      }
}

} // namespace regshare
