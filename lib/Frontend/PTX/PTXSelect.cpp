//===- PTXSelect.cpp - NVPTX's instructions by their PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXSelect.h"

#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <array>

using namespace llvm;

namespace regshare {

/// Immediate operand N prints as this number plus N, which no instruction's
/// text contains otherwise.
static constexpr unsigned FirstNumber = 70000;

PTXSelector::PTXSelector(const TargetMachine &Target,
                         const TargetRegisterInfo &TRI)
    : Target(Target),
      Printer(Target.getTarget().createMCInstPrinter(
          Target.getTargetTriple(), 0, *Target.getMCAsmInfo(),
          *Target.getMCInstrInfo(), *Target.getMCRegisterInfo())) {
  for (unsigned Op = 0; Op != Target.getMCInstrInfo()->getNumOpcodes(); ++Op)
    learn(Op, TRI);
}

PTXSelector::~PTXSelector() = default;

/// Whether it computes something from its operands and does nothing else.
static bool computes(const MCInstrDesc &D) {
  return D.getNumDefs() == 1 && !D.isPseudo() && !D.isVariadic() &&
         !D.isTerminator() && !D.isCall() && !D.isConvergent() &&
         !D.mayLoad() && !D.mayStore() && !D.hasUnmodeledSideEffects() &&
         D.implicit_defs().empty() && D.implicit_uses().empty();
}

/// The numbers that an instruction's mode operands can have (LLVM's NVPTX.h:
/// PTXCvtMode, PTXCmpMode; its printer takes no others); elsewhere a mode is
/// whether to flush subnormals.
static SmallVector<int64_t> modesOf(StringRef Opcode, bool IsFirst) {
  SmallVector<int64_t> Modes;
  if (Opcode.starts_with("CVT_")) {
    for (int64_t Flags : {0x00, 0x10, 0x20, 0x30})
      for (int64_t Rounding = 0; Rounding != 9; ++Rounding)
        Modes.push_back(Flags + Rounding);
  } else if (Opcode.starts_with("SETP_i") && IsFirst) {
    Modes = {0, 1, 2, 3, 4, 5, /*unsigned*/ 8, 9, 10, 11};
  } else if (Opcode.starts_with("SETP_") && IsFirst) {
    Modes = to_vector(seq<int64_t>(0, 14));
  } else {
    Modes = {0, 1};
  }
  return Modes;
}

/// LLVM's printer takes a number for a virtual register: which kind it is of,
/// then which it is.
static unsigned numberOfRegister(RegKind K, unsigned N) {
  return (unsigned(K) + 1) << 28 | N;
}

void PTXSelector::learn(unsigned Opcode, const TargetRegisterInfo &TRI) {
  const MCInstrInfo &TII = *Target.getMCInstrInfo();
  const MCInstrDesc &D = TII.get(Opcode);
  if (!computes(D))
    return;
  MCInst Inst;
  Inst.setOpcode(Opcode);
  SelectedPTX Form;
  Form.Opcode = Opcode;
  std::string Letters;
  SmallVector<unsigned, 2> Modes;
  for (auto [N, O] : enumerate(D.operands())) {
    Form.Operands.emplace_back();
    Letters += ' ';
    if (O.OperandType == MCOI::OPERAND_REGISTER && O.RegClass >= 0) {
      std::optional<RegKind> K = kindOf(*TRI.getRegClass(O.RegClass), TRI);
      if (!K)
        return;
      Letters.back() = letterOf(*K);
      Inst.addOperand(MCOperand::createReg(numberOfRegister(*K, unsigned(N))));
      continue;
    }
    bool IsNumber = O.OperandType == MCOI::OPERAND_IMMEDIATE;
    Inst.addOperand(MCOperand::createImm(IsNumber ? FirstNumber + N : 0));
    if (IsNumber)
      Letters.back() = 'i';
    else
      Modes.push_back(unsigned(N));
  }
  if (Modes.size() > 2)
    return;
  StringRef Name = TII.getName(Opcode);
  auto First = Modes.empty() ? SmallVector<int64_t>{0} : modesOf(Name, true);
  auto Second =
      Modes.size() < 2 ? SmallVector<int64_t>{0} : modesOf(Name, false);
  for (int64_t A : First)
    for (int64_t B : Second) {
      const std::array<int64_t, 2> Both = {A, B};
      for (auto [N, Mode] : zip(Modes, Both)) {
        Inst.getOperand(N).setImm(Mode);
        Form.Operands[N].Mode = Mode;
      }
      learnForm(Inst, Form, Letters);
    }
}

/// Of an operand in the text of an instruction which it is of the machine
/// instruction's; nothing if the text itself has it.
static std::optional<unsigned> operandOf(StringRef Text) {
  unsigned N;
  if (!Text.getAsInteger(10, N))
    return N >= FirstNumber ? std::optional(N - FirstNumber) : std::nullopt;
  StringRef Digits = Text.drop_until(isDigit);
  static constexpr StringRef Prefixes[] = {"%p", "%rs", "%r", "%rd", "%rq"};
  if (Digits.getAsInteger(10, N) ||
      !is_contained(Prefixes, Text.drop_back(Digits.size())))
    return std::nullopt;
  return N;
}

/// \p Letters: of each operand of the machine instruction, a blank for a mode.
void PTXSelector::learnForm(const MCInst &Inst, SelectedPTX Form,
                            StringRef Letters) {
  std::string Text;
  raw_string_ostream OS(Text);
  Printer->printInst(&Inst, 0, "", *Target.getMCSubtargetInfo(), OS);
  StringRef Rest = StringRef(Text).trim();
  if (!Rest.consume_back(";") || Rest.find_first_of(";{}[]@|!\n") != Rest.npos)
    return;
  StringRef Name = Rest.take_until(isSpace);
  std::string Key = (Name + " ").str();
  size_t Missing = Letters.size() - Letters.count(' ');
  unsigned Place = 0;
  for (StringRef Operand : split(Rest.drop_front(Name.size()), ',')) {
    Operand = Operand.trim();
    if (std::optional<unsigned> N = operandOf(Operand)) {
      if (*N >= Letters.size() || Letters[*N] == ' ' || Form.Operands[*N].Of)
        return;
      Key += Letters[*N];
      Form.Operands[*N].Of = Place;
      --Missing;
    } else {
      Key += ("<" + Operand + ">").str();
    }
    ++Place;
  }
  if (!Missing)
    Table.try_emplace(Key, std::move(Form));
}

const SelectedPTX *PTXSelector::find(StringRef Name, StringRef Operands) const {
  auto Found = Table.find((Name + " " + Operands).str());
  return Found == Table.end() ? nullptr : &Found->second;
}

/// The types that an instruction can name instead of s32 or f32, say.
static StringRef typesLike(const sim::ptx::Instruction &I) {
  auto Is = [&](auto... Names) { return ((I.Opcode == Names) || ...); };
  if (Is("mov", "selp"))
    return "b";
  if (I.has("sat") || I.has("cc") ||
      !StringRef("sub").contains(I.Mods.back()[0]))
    return "";
  if (Is("add", "sub") || (Is("mul", "mad") && I.has("lo")) ||
      (Is("setp") && (I.has("eq") || I.has("ne"))))
    return "sub";
  return Is("and", "or", "xor", "not", "shl") ? "b" : "";
}

SmallVector<std::string, 4> ptxSynonyms(const sim::ptx::Instruction &I) {
  std::string Stem(I.Opcode);
  if (I.Mods.empty())
    return {Stem};
  for (std::string_view Mod : ArrayRef(I.Mods).drop_back())
    Stem += "." + std::string(Mod);
  std::string_view Type = I.Mods.back();
  SmallVector<std::string, 4> Names = {Stem + "." + std::string(Type)};
  for (char T : typesLike(I))
    Names.push_back(Stem + "." + T + std::string(Type.substr(1)));
  return Names;
}

} // namespace regshare
