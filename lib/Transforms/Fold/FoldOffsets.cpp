//===- FoldOffsets.cpp - Constant offsets of addresses --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An access adds a constant to the register that has its address. LLVM leaves
/// additions where it has moved addresses out of a loop, and each of their
/// results holds a register throughout it; with the constants in the accesses
/// the one register that all of them come from is enough. ptxas 13.0 makes the
/// same code for sm_90 of a loop with 24 loads of shared memory whether the
/// sums are computed before the loop or are in the loads, and 7 instructions
/// more from a constant of 2^23 on (docs/native-code-probes.md).
///
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regshare {

/// Of the constant in an access, with its sign.
static constexpr unsigned OffsetBits = 24;

namespace {

/// `Result = Base + Constant`.
struct OffsetAddition {
  MachineInstr *Add;
  Register Result, Base;
  int64_t Constant;
};

} // namespace

/// The addition that \p MI is; without a base if it is something else.
static OffsetAddition additionIn(MachineInstr &MI,
                                 const MachineRegisterInfo &MRI,
                                 const HardwareOps &Ops) {
  OffsetAddition None = {&MI, Register(), Register(), 0};
  const HardwareOp &Op = Ops.of(MI);
  if (Op.Kind != OpKind::Add || Op.Bits < 32 ||
      !MI.getOperand(0).getReg().isVirtual() ||
      !MRI.hasOneDef(MI.getOperand(0).getReg()))
    return None;
  const MachineOperand &A = HardwareOps::source(MI, 0),
                       &B = HardwareOps::source(MI, 1);
  if (!A.isReg() || !A.getReg().isVirtual() || !B.isImm())
    return None;
  return {&MI, MI.getOperand(0).getReg(), A.getReg(), B.getImm()};
}

/// The constant that a load or store adds to its base.
static MachineOperand &offsetOf(MachineInstr &Access) {
  return Access.getOperand(Access.getNumExplicitOperands() - 1);
}

/// Whether \p MO, which reads the result of \p Of, is the base of an access
/// that can have the base and the constant of \p Of instead.
static bool canTake(const MachineOperand &MO, const OffsetAddition &Of,
                    const HardwareOps &Ops) {
  MachineInstr &Access = *const_cast<MachineInstr *>(MO.getParent());
  OpKind Kind = Ops.of(Access).Kind;
  if ((Kind != OpKind::Load && Kind != OpKind::Store) ||
      &HardwareOps::address(Access) != &MO || !offsetOf(Access).isImm())
    return false;
  FoldGroup Alone;
  Alone.Last = Of.Add;
  return isInt<OffsetBits>(offsetOf(Access).getImm() + Of.Constant) &&
         isUnchanged(Alone, Access);
}

static void replace(const OffsetAddition &Of, MachineRegisterInfo &MRI) {
  for (MachineOperand &MO : make_early_inc_range(MRI.reg_operands(Of.Result))) {
    MachineInstr &User = *MO.getParent();
    if (User.isDebugInstr()) {
      MO.setReg(Register());
    } else if (&User != Of.Add) {
      MachineOperand &Offset = offsetOf(User);
      Offset.setImm(Offset.getImm() + Of.Constant);
      MO.setReg(Of.Base);
      MO.setIsKill(false);
    }
  }
  MRI.clearKillFlags(Of.Base);
  Of.Add->eraseFromParent();
}

static bool foldOne(MachineInstr &MI, MachineRegisterInfo &MRI,
                    const HardwareOps &Ops) {
  OffsetAddition Of = additionIn(MI, MRI, Ops);
  if (!Of.Base || MRI.use_nodbg_empty(Of.Result) ||
      !all_of(MRI.use_nodbg_operands(Of.Result),
              [&](const MachineOperand &MO) { return canTake(MO, Of, Ops); }))
    return false;
  replace(Of, MRI);
  return true;
}

void foldOffsets(MachineFunction &MF, const HardwareOps &Ops) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  // From the end: of a sum of sums the last goes first.
  for (MachineBasicBlock &MBB : reverse(MF))
    for (MachineInstr &MI : make_early_inc_range(reverse(MBB)))
      foldOne(MI, MRI, Ops);
}

} // namespace regshare
