//===- FoldAddresses.cpp - Accesses that add a uniform register -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// On sm_75 an access to global memory adds a uniform register to the one that
/// each thread has, or takes it alone: with ptxas 13.0 a kernel that stores to
/// 8 parameters, or to 8 parameters and a 64-bit offset, takes 8 instructions
/// more than with 4 of them, and no registers; on sm_80 and sm_90 it takes two
/// registers more for each (docs/native-code-probes.md). An offset that is an
/// index times a constant is multiplied and added by one instruction instead.
///
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "Uniformity.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

bool definesOneOf(const MachineInstr &MI, const DenseSet<Register> &Registers) {
  return MI.getNumOperands() && MI.getOperand(0).isReg() &&
         MI.getOperand(0).isDef() &&
         Registers.contains(MI.getOperand(0).getReg());
}

bool addsInAccesses(const MachineFunction &MF) {
  return MF.getTarget().getTargetCPU() == "sm_75";
}

bool isGlobalAccess(const MachineInstr &MI, const HardwareOps &Ops) {
  const HardwareOp &Op = Ops.of(MI);
  if ((Op.Kind != OpKind::Load && Op.Kind != OpKind::Store) ||
      MI.getNumExplicitOperands() < MI.getNumExplicitDefs() + 7u)
    return false;
  const MachineOperand &Space =
      MI.getOperand(MI.getNumExplicitDefs() + Op.Sources + 2);
  return Space.isImm() && Space.getImm() == GlobalAddressSpace;
}

/// Whether \p Add, whose result is \p Address, can be done by all that read it.
static bool isOfAccesses(MachineInstr &Add, Register Address,
                         const MachineRegisterInfo &MRI,
                         const HardwareOps &Ops) {
  FoldGroup Alone;
  Alone.Last = &Add;
  bool Any = false;
  for (MachineOperand &MO : MRI.use_nodbg_operands(Address)) {
    MachineInstr &Access = *MO.getParent();
    if (!isGlobalAccess(Access, Ops) || &HardwareOps::address(Access) != &MO ||
        !isUnchanged(Alone, Access))
      return false;
    Any = true;
  }
  return Any;
}

/// Whether \p MO is an index times the size of an element.
static bool isScaledIndex(const MachineOperand &MO,
                          const MachineRegisterInfo &MRI,
                          const HardwareOps &Ops) {
  return MRI.hasOneDef(MO.getReg()) &&
         Ops.of(*MRI.getOneDef(MO.getReg())->getParent()).Kind ==
             OpKind::MulWide;
}

DenseSet<Register> findAddresses(MachineFunction &MF, const HardwareOps &Ops,
                                 const Uniformity &Is) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  DenseSet<Register> Addresses;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      const HardwareOp &Op = Ops.of(MI);
      if (Op.Kind != OpKind::Add || Op.Bits != 64 || isFolded(MI))
        continue;
      Register Address = MI.getOperand(0).getReg();
      const MachineOperand &A = HardwareOps::source(MI, 0),
                           &B = HardwareOps::source(MI, 1);
      if (A.isReg() && B.isReg() && MRI.hasOneDef(Address) &&
          (Is.isUniform(A.getReg()) || Is.isUniform(B.getReg())) &&
          !isScaledIndex(A, MRI, Ops) && !isScaledIndex(B, MRI, Ops) &&
          isOfAccesses(MI, Address, MRI, Ops))
        Addresses.insert(Address);
    }
  return Addresses;
}

void foldAddress(MachineFunction &MF, Register Address, unsigned &NumFolded) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineInstr *Add = MRI.getOneDef(Address)->getParent();
  for (MachineOperand &MO : make_early_inc_range(MRI.reg_operands(Address))) {
    MachineInstr &User = *MO.getParent();
    if (User.isDebugInstr())
      MO.setReg(Register());
    if (&User == Add || User.isDebugInstr())
      continue;
    MachineInstr *Copy = MF.CloneMachineInstr(Add);
    User.getParent()->insert(User.getIterator(), Copy);
    Register Folded = MRI.createVirtualRegister(MRI.getRegClass(Address),
                                                "F" + Twine(NumFolded++).str());
    Copy->getOperand(0).setReg(Folded);
    MO.setReg(Folded);
    MO.setIsKill(false);
  }
  for (const MachineOperand &MO : Add->all_uses())
    MRI.clearKillFlags(MO.getReg());
  Add->eraseFromParent();
}

} // namespace regshare
