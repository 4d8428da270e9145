//===- VerifyFold.cpp - Prove folds sound ---------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifyFold.h"

#include "VerifyUniform.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regshare {

std::string FoldViolation::str() const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "bb." << MI->getParent()->getNumber() << ": " << What << ", at: ";
  std::string Instr;
  raw_string_ostream IS(Instr);
  MI->print(IS, /*IsStandalone=*/true, /*SkipOpers=*/false,
            /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  OS << StringRef(Instr).trim();
  return Text;
}

namespace {

/// Walks a function once.
class Checker {
public:
  explicit Checker(const MachineFunction &MF)
      : MF(MF), MRI(MF.getRegInfo()), Native(isNative(MF)) {}

  std::vector<FoldViolation> run();

private:
  void visit(const MachineInstr &MI);
  void checkFolded(const MachineInstr &MI);
  void checkConstant(const MachineInstr &MI);
  void checkReads(const MachineInstr &MI);
  void countConstants(const MachineInstr &MI);
  void checkAddress(const MachineInstr &MI);
  void report(const MachineInstr &MI, const Twine &What) {
    Found.push_back({&MI, What.str()});
  }
  bool isPure(const MachineInstr &MI) const {
    return !MI.mayLoadOrStore() && !MI.hasUnmodeledSideEffects() &&
           !MI.isInlineAsm() && !MI.isTerminator() && !MI.isCall() &&
           MI.getNumExplicitDefs() == 1;
  }

  const MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  const bool Native;
  std::vector<FoldViolation> Found;
  SmallVector<Register, 4> Open; ///< Folded values of the group so far.
  /// Constants that the group names, in the bank; predicates are none.
  SmallPtrSet<const MachineOperand *, 4> Banked;
};

} // namespace

/// A folded instruction computes one value from its operands alone.
void Checker::checkFolded(const MachineInstr &MI) {
  if (!isPure(MI))
    report(MI, "a folded instruction computes one value and does nothing else");
  Register Value = MI.getOperand(0).getReg();
  if (is_contained(Open, Value))
    report(MI, "the group has that folded value already");
  Open.push_back(Value);
}

/// A constant has one definition, from constants: wherever that stands, the
/// value is the same.
void Checker::checkConstant(const MachineInstr &MI) {
  if (!MRI.hasOneDef(MI.getOperand(0).getReg()))
    report(MI, "a constant has one definition");
  if (!Open.empty())
    report(MI, "a constant is defined in a group");
  for (const MachineOperand &MO : MI.uses())
    if (MO.isReg() && MO.getReg().isVirtual() &&
        nativePlace(MRI, MO.getReg()) != NativePlace::Constant)
      report(MI, "a constant is computed from constants alone");
}

void Checker::checkReads(const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.uses())
    if (MO.isReg() && MO.getReg().isVirtual() &&
        nativePlace(MRI, MO.getReg()) == NativePlace::Folded &&
        !is_contained(Open, MO.getReg()))
      report(MI, "%" + MRI.getVRegName(MO.getReg()) +
                     " is read outside of its group");
}

/// One operand of an instruction comes from the constant bank, and none of what
/// accesses memory, where parameters are no memory.
void Checker::countConstants(const MachineInstr &MI) {
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  for (const MachineOperand &MO : MI.uses())
    if (MO.isReg() && MO.getReg().isVirtual() &&
        nativePlace(MRI, MO.getReg()) == NativePlace::Constant &&
        TRI.getRegSizeInBits(*MRI.getRegClass(MO.getReg())) > 1)
      Banked.insert(&MO);
}

/// Of loads and stores; atomics have other operands.
void Checker::checkAddress(const MachineInstr &MI) {
  constexpr unsigned StoreOperands = 6; // beside the values
  if (MI.mayLoad() == MI.mayStore() || MI.isInlineAsm() ||
      MI.getNumExplicitOperands() < MI.getNumExplicitDefs() + 4u ||
      (MI.mayStore() && MI.getNumExplicitOperands() < StoreOperands))
    return;
  const MachineOperand &Base = MI.getOperand(MI.getNumExplicitOperands() - 2);
  unsigned Values =
      MI.mayStore() ? MI.getNumExplicitOperands() - StoreOperands : 0;
  const MachineOperand &Space =
      MI.getOperand(MI.getNumExplicitDefs() + Values + 2);
  for (unsigned V = 0; V != Values; ++V)
    if (Banked.contains(&MI.getOperand(V)))
      report(MI, "what is stored is in a register");
    else if (const MachineOperand &MO = MI.getOperand(V);
             Values > 1 && MO.isReg() && MO.getReg().isVirtual() &&
             nativePlace(MRI, MO.getReg()) != NativePlace::Register)
      report(MI, "what a vector store takes is in neighbouring registers");
  if (Base.isReg() && Space.isImm() &&
      (Space.getImm() == GenericAddressSpace ||
       Space.getImm() == GlobalAddressSpace) &&
      Banked.contains(&Base))
    report(MI, "an address in global memory is in a register");
}

void Checker::visit(const MachineInstr &MI) {
  if (MI.isDebugInstr())
    return;
  if (!Open.empty() && !statementVerb(MI).empty())
    report(MI, "a statement is inside of a group");
  checkReads(MI);
  for (const MachineOperand &MO : MI.all_defs()) {
    if (!MO.getReg().isVirtual())
      continue;
    NativePlace Place = nativePlace(MRI, MO.getReg());
    if (Place == NativePlace::Register)
      continue;
    if (!Native)
      report(MI, "only native code has values without a register");
    if (&MO != &MI.getOperand(0))
      report(MI, "a value without a register is not the first result");
  }
  if (definesConstant(MI)) {
    checkConstant(MI);
    return Open.clear();
  }
  countConstants(MI);
  if (isFolded(MI))
    return checkFolded(MI);
  checkAddress(MI);
  if (Banked.size() > 1)
    report(MI, "an instruction of the hardware has one constant operand");
  Open.clear();
  Banked.clear();
}

std::vector<FoldViolation> Checker::run() {
  for (const MachineBasicBlock &MBB : MF) {
    for (const MachineInstr &MI : MBB)
      visit(MI);
    if (!Open.empty())
      report(MBB.back(), "a group has no end in its block");
    Open.clear();
  }
  return std::move(Found);
}

/// Scratch registers are overwritten before all sources are read, and after
/// some results are written. Uniform registers have rules of their own.
static void checkRegisters(const MachineFunction &MF,
                           std::vector<FoldViolation> &Found) {
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment) {
    Found.push_back({&MF.front().front(), toString(Assignment.takeError())});
    return;
  }
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (MI.isInlineAsm())
        continue;
      RegEffects E = Assignment->effects(MI);
      if (!(E.Temps & (E.Uses | E.Defs)).empty())
        Found.push_back({&MI, "scratch registers are no sources or results"});
    }
  verifyUniform(MF, *Assignment, Found);
}

std::vector<FoldViolation> verifyFold(const MachineFunction &MF) {
  std::vector<FoldViolation> Found = Checker(MF).run();
  if (isNative(MF))
    checkRegisters(MF, Found);
  return Found;
}

} // namespace regshare

using namespace regshare;

namespace {
class VerifyFoldPass : public MachineFunctionPass {
public:
  static char ID;
  VerifyFoldPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare verify folds"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    for (const FoldViolation &V : verifyFold(MF))
      MF.getFunction().getContext().emitError("regshare: function '" +
                                              MF.getName() + "': " + V.str());
    return false;
  }
};
} // namespace

char VerifyFoldPass::ID = 0;
INITIALIZE_PASS(VerifyFoldPass, "regshare-verify-fold",
                "Prove that native code keeps the rules of folding", false,
                true)
