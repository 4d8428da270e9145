//===- PTXMnemonics.cpp - PTX names ---------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/PTXMnemonics.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

PTXMnemonics::PTXMnemonics(const TargetMachine &Target)
    : Target(Target),
      Printer(Target.getTarget().createMCInstPrinter(
          Target.getTargetTriple(), 0, *Target.getMCAsmInfo(),
          *Target.getMCInstrInfo(), *Target.getMCRegisterInfo())),
      Depends(Target.getMCInstrInfo()->getNumOpcodes(), -1) {}

PTXMnemonics::~PTXMnemonics() = default;

/// Whether the text of an opcode's mnemonic has operands in it: LLVM's own
/// mnemonic ends before the first of them, and in white space if there is none.
bool PTXMnemonics::dependsOnOperands(unsigned Opcode) {
  if (Depends[Opcode] < 0) {
    MCInst Inst;
    Inst.setOpcode(Opcode);
    StringRef Prefix = StringRef(Printer->getMnemonic(Inst).first).ltrim();
    Depends[Opcode] = Prefix.find_first_of(" \t;") == StringRef::npos;
  }
  return Depends[Opcode];
}

/// The instruction with operands that print: which registers and symbols it
/// names does not matter.
static MCInst withoutNames(const MachineInstr &MI) {
  // What LLVM's printer takes for the first 32-bit virtual register.
  constexpr unsigned AnyRegister = (3U << 28) | 1;
  MCInst Inst;
  Inst.setOpcode(MI.getOpcode());
  for (const MachineOperand &MO : MI.explicit_operands())
    if (MO.isReg())
      Inst.addOperand(MCOperand::createReg(AnyRegister));
    else
      Inst.addOperand(MCOperand::createImm(MO.isImm() ? MO.getImm() : 0));
  return Inst;
}

std::string PTXMnemonics::print(const MCInst &Inst) const {
  std::string Text;
  raw_string_ostream OS(Text);
  Printer->printInst(&Inst, 0, "", *Target.getMCSubtargetInfo(), OS);
  return Text;
}

std::string PTXMnemonics::ofText(StringRef Text) {
  Text = Text.ltrim();
  // A load of which some bytes are not used says so before itself.
  while (Text.starts_with(".pragma"))
    Text = Text.split(';').second.ltrim();
  // A scope for a register that is not used otherwise: { .reg .b32 tmp; …; }
  if (Text.consume_front("{"))
    Text = Text.split(';').second.ltrim();
  if (Text.starts_with("@"))
    Text =
        Text.drop_until([](char C) { return C == ' ' || C == '\t'; }).ltrim();
  StringRef Name =
      Text.take_until([](char C) { return C == ' ' || C == '\t' || C == ';'; });
  StringRef Operands = Text.drop_front(Name.size()).ltrim();
  if (!Name.starts_with("mov.") || !Operands.contains('{'))
    return Name.str();
  return (Name + (Operands.starts_with("{") ? ".unpack" : ".pack")).str();
}

StringRef PTXMnemonics::get(const MachineInstr &MI) {
  if (MI.isMetaInstruction() || MI.isInlineAsm())
    return "";
  if (MI.isCopy())
    return "mov";
  // Its text begins with the last line of the table of targets.
  if (MI.getMF()->getSubtarget().getInstrInfo()->getName(MI.getOpcode()) ==
      "BRX_END")
    return "brx.idx";
  Key K = {MI.getOpcode()};
  if (!MI.isCall() && dependsOnOperands(MI.getOpcode()))
    for (const MachineOperand &MO : MI.explicit_operands())
      if (MO.isImm())
        K.push_back(MO.getImm());
  auto [Found, New] = Known.try_emplace(std::move(K));
  if (New)
    Found->second = MI.isCall() ? "call" : ofText(print(withoutNames(MI)));
  return Found->second;
}

} // namespace regshare
