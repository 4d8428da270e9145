//===- NativeCode.cpp - Places and groups of native code ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/NativeCode.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regshare {

/// Function attribute of native code, which MIR keeps.
static constexpr StringLiteral NativeAttribute = "regshare-native";

NativePlace nativePlaceOfName(StringRef Name) {
  if (Name.size() < 2 || !all_of(Name.drop_front(), isDigit))
    return NativePlace::Register;
  if (Name[0] == 'C')
    return NativePlace::Constant;
  if (Name[0] == 'U')
    return NativePlace::Uniform;
  return Name[0] == 'F' ? NativePlace::Folded : NativePlace::Register;
}

NativePlace nativePlace(const MachineRegisterInfo &MRI, Register VReg) {
  return nativePlaceOfName(MRI.getVRegName(VReg));
}

bool isNative(const MachineFunction &MF) {
  return MF.getFunction().hasFnAttribute(NativeAttribute);
}

void setNative(MachineFunction &MF) {
  MF.getFunction().addFnAttr(NativeAttribute);
}

unsigned reservedUnits(const MachineFunction &MF) {
  return isNative(MF) ? NativeReservedUnits : 0;
}

/// Whether the first result of \p MI is in \p Place.
static bool definesIn(const MachineInstr &MI, NativePlace Place) {
  if (!MI.getNumOperands() || !MI.getOperand(0).isReg() ||
      !MI.getOperand(0).isDef() || !MI.getOperand(0).getReg().isVirtual())
    return false;
  return nativePlace(MI.getMF()->getRegInfo(), MI.getOperand(0).getReg()) ==
         Place;
}

bool isFolded(const MachineInstr &MI) {
  return definesIn(MI, NativePlace::Folded);
}

bool definesConstant(const MachineInstr &MI) {
  return definesIn(MI, NativePlace::Constant);
}

bool definesUniform(const MachineInstr &MI) {
  return definesIn(MI, NativePlace::Uniform);
}

SmallVector<const MachineInstr *, 4> groupOf(const MachineInstr &Last) {
  SmallVector<const MachineInstr *, 4> Group = {&Last};
  const MachineInstr *MI = Last.getPrevNode();
  for (; MI && isFolded(*MI); MI = MI->getPrevNode())
    Group.push_back(MI);
  return Group;
}

const MachineInstr *instrAfterStatement(const MachineInstr &Statement) {
  const MachineInstr *MI = Statement.getNextNode();
  while (MI && (isFolded(*MI) || isOfInstruction(statementVerb(*MI))))
    MI = MI->getNextNode();
  return MI && statementVerb(*MI).empty() ? MI : nullptr;
}

MachineBasicBlock::iterator groupBegin(MachineBasicBlock &MBB,
                                       MachineBasicBlock::iterator Where) {
  while (Where != MBB.begin() && isFolded(*std::prev(Where)))
    --Where;
  return Where;
}

} // namespace regshare
