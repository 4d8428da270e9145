//===- RewriteRegisters.cpp - Name registers after their assignment -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UndefinedValues.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/FlowPass.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

static const TargetRegisterClass *classFor(RegKind Kind,
                                           const TargetRegisterInfo &TRI) {
  for (const TargetRegisterClass *RC : TRI.regclasses())
    if (kindOf(*RC, TRI) == Kind)
      return RC;
  llvm_unreachable("NVPTX has a class for every kind");
}

/// True for a copy from a register to itself.
static bool isIdleCopy(const MachineInstr &MI,
                       const RegisterAssignment &Assignment) {
  const MachineOperand &Dst = MI.getOperand(0), &Src = MI.getOperand(1);
  if (!Src.isReg() || !Src.getReg().isVirtual() || !Dst.getReg().isVirtual())
    return false;
  ArchReg To = Assignment.lookup(Dst.getReg());
  return To.isValid() && To == Assignment.lookup(Src.getReg());
}

namespace {
/// The register operands of a function, for as long as they name nothing.
struct NamedOperands {
  /// Grows in place where it is large, which std::vector does not.
  SmallVector<std::pair<MachineOperand *, ArchReg>, 0> Operands;
  bool Wanted[5][256] = {}; ///< By kind and index.

  /// A value of native code that takes no register, and who names it.
  struct Unassigned {
    std::string Name;
    const TargetRegisterClass *Class;
    SmallVector<MachineOperand *, 2> Operands;
  };
  MapVector<Register, Unassigned> Others;

  void take(MachineInstr &MI, const RegisterAssignment &Assignment);

private:
  void takeUnassigned(MachineOperand &MO);
};
} // namespace

void NamedOperands::takeUnassigned(MachineOperand &MO) {
  const MachineRegisterInfo &MRI = MO.getParent()->getMF()->getRegInfo();
  Unassigned &U = Others[MO.getReg()];
  if (U.Operands.empty())
    U = {MRI.getVRegName(MO.getReg()).str(), MRI.getRegClass(MO.getReg()), {}};
  U.Operands.push_back(&MO);
  if (MO.isUse())
    MO.setIsKill(false);
}

void NamedOperands::take(MachineInstr &MI,
                         const RegisterAssignment &Assignment) {
  for (MachineOperand &MO : MI.operands()) {
    if (!MO.isReg() || !MO.getReg().isVirtual())
      continue;
    // What a debug instruction names may be gone by now, and its register
    // taken: it says "unknown" rather than something wrong.
    ArchReg R = Assignment.lookup(MO.getReg());
    if (!MI.isDebugInstr() && !R.isValid()) {
      takeUnassigned(MO);
      continue;
    }
    if (!MI.isDebugInstr()) {
      Operands.emplace_back(&MO, R);
      Wanted[unsigned(R.Kind)][R.Index] = true;
      // Kill flags described one value; the register holds several.
      if (MO.isUse())
        MO.setIsKill(false);
    }
    MO.setReg(Register());
  }
}

static void insertScratchPragma(MachineInstr &MI, ArrayRef<ArchReg> Temps) {
  std::vector<unsigned> Units;
  for (ArchReg R : Temps)
    Units.push_back(R.Index);
  llvm::sort(Units);
  insertStatement(*MI.getParent(), MI, printScratchPragma(Units));
}

/// Writes the registers of inline-PTX temporaries down before their block.
static void insertTempsPragmas(MachineFunction &MF,
                               RegisterAssignment &Assignment,
                               const RegisterAssignment &Old) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  if (!MF.hasInlineAsm() && !isNative(MF))
    return;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : llvm::make_early_inc_range(MBB)) {
      ArrayRef<ArchReg> Temps = Old.temps(MI);
      if (Temps.empty())
        continue;
      Assignment.setTemps(MI, Temps);
      if (!MI.isInlineAsm()) {
        insertScratchPragma(MI, Temps);
        continue;
      }
      std::string Text = printTempsPragma(
          cantFail(parseInlinePTXTemps(inlinePTXText(MI))), Temps);
      BuildMI(MBB, MI, MI.getDebugLoc(), TII.get(TargetOpcode::INLINEASM))
          .addExternalSymbol(MF.createExternalSymbolName(Text))
          .addImm(InlineAsm::Extra_HasSideEffects);
    }
}

/// Removes all virtual registers. LLVM would give their names to those that are
/// made next without one, and in native code a name says where a value is.
static void clearRegisters(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  unsigned Count = isNative(MF) ? MRI.getNumVirtRegs() : 0;
  MRI.clearVirtRegs();
  if (!Count)
    return;
  const TargetRegisterClass *Any =
      classFor(RegKind::B32, *MF.getSubtarget().getRegisterInfo());
  for (unsigned N = 0; N != Count; ++N)
    MRI.createVirtualRegister(Any, "gone");
  MRI.clearVirtRegs();
}

RegisterAssignment rewriteToArchitected(MachineFunction &MF,
                                        const RegisterAssignment &Assignment,
                                        unsigned &CopiesRemoved) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  NamedOperands Named;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : llvm::make_early_inc_range(MBB)) {
      if (Opcodes.isCopy(MI) && isIdleCopy(MI, Assignment)) {
        MI.eraseFromParent();
        ++CopiesRemoved;
      } else {
        Named.take(MI, Assignment);
      }
    }
  for (auto &[Old, U] : Named.Others)
    for (MachineOperand *MO : U.Operands)
      MO->setReg(Register());
  clearRegisters(MF);

  // By kind and index: a virtual register, once somebody asks for it, and in
  // that order so that PTX counts them so.
  Register NewRegs[5][256];
  RegisterAssignment Result;
  Result.reserve(Assignment.reserved());
  for (unsigned Kind = 0; Kind != 5; ++Kind)
    for (unsigned Index = 0; Index != 256; ++Index) {
      if (!Named.Wanted[Kind][Index])
        continue;
      ArchReg R{RegKind(Kind), uint8_t(Index)};
      Register VReg =
          MRI.createVirtualRegister(classFor(R.Kind, TRI), R.name());
      Result.assign(VReg, R);
      NewRegs[Kind][Index] = VReg;
    }
  for (auto &[MO, R] : Named.Operands)
    MO->setReg(NewRegs[unsigned(R.Kind)][R.Index]);
  for (auto &[Old, U] : Named.Others) {
    Register New = MRI.createVirtualRegister(U.Class, U.Name);
    if (nativePlaceOfName(U.Name) == NativePlace::Folded)
      Result.fold(New);
    for (MachineOperand *MO : U.Operands)
      MO->setReg(New);
  }
  defineGuardedResults(MF, Result);
  // What a function that is no kernel does with registers is not said at all.
  if (isKernel(MF))
    insertTempsPragmas(MF, Result, Assignment);
  return Result;
}

} // namespace regshare
