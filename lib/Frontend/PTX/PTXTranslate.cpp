//===- PTXTranslate.cpp - Machine instructions for PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXTranslate.h"

#include "PTXCode.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Sim/Types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {
namespace ptx = sim::ptx;
using ptx::Operand;

unsigned opcodeOfName(const TargetInstrInfo &TII, StringRef Name) {
  static const StringMap<unsigned> Table = [&TII] {
    StringMap<unsigned> All;
    for (unsigned Op = 0; Op != TII.getNumOpcodes(); ++Op)
      All[TII.getName(Op)] = Op;
    return All;
  }();
  return Table.lookup(Name);
}

/// A load or store of the generic, global, shared, constant or local space.
struct PTXTranslator::Access {
  bool IsLoad = false;
  bool IsReadOnly = false; ///< .nc
  int64_t AddressSpace = GenericAddressSpace;
  sim::ScalarType Type{};
  RegKind Kind = RegKind::B32; ///< Of the registers that it moves.
  SmallVector<int, 4> Values;  ///< Those registers.
  const Operand *Address = nullptr;
  GlobalVariable *Variable = nullptr; ///< Instead of a register.
};

PTXTranslator::PTXTranslator(MachineFunction &MF, PTXNames Names)
    : MF(MF), Names(Names) {}

bool PTXTranslator::isRegister(const Operand &O) const {
  return O.K == Operand::Reg && !O.Negated && !Names.IsFrame(O.Index);
}

bool PTXTranslator::translate(const ptx::Instruction &I, Builder Build) {
  if (I.Guard >= 0)
    return false;
  return I.Opcode == "ld" || I.Opcode == "st" ? access(I, Build)
                                              : compute(I, Build);
}

/// A literal in the type of its operand: any can be written as a double.
static std::optional<Operand> literalOf(const Operand &O, StringRef Type) {
  if (O.K == Operand::Int)
    return O;
  bool IsSingle = Type == "f32";
  if (!IsSingle && Type != "f64")
    return std::nullopt;
  Operand Converted = O;
  if (IsSingle && O.K == Operand::Float64) {
    Converted.K = Operand::Float32;
    Converted.Value = bit_cast<uint32_t>(float(bit_cast<double>(O.Value)));
  } else if (!IsSingle && O.K == Operand::Float32) {
    Converted.K = Operand::Float64;
    Converted.Value =
        bit_cast<int64_t>(double(bit_cast<float>(uint32_t(O.Value))));
  }
  return Converted;
}

/// A number as LLVM has it: of 32 bits and fewer, it is signed. \p IsWide: of
/// more.
void PTXTranslator::addNumber(MachineInstrBuilder &MI, const Operand &O,
                              StringRef Name, bool IsWide) {
  LLVMContext &C = MF.getFunction().getContext();
  bool IsFloat = Name.ends_with("f32") || Name.ends_with("f64");
  if (IsFloat && O.K == Operand::Float32) {
    MI.addFPImm(ConstantFP::get(
        C, APFloat(APFloat::IEEEsingle(), APInt(32, uint32_t(O.Value)))));
  } else if (IsFloat && O.K == Operand::Float64) {
    MI.addFPImm(ConstantFP::get(
        C, APFloat(APFloat::IEEEdouble(), APInt(64, uint64_t(O.Value)))));
  } else {
    MI.addImm(IsWide || !isUInt<32>(O.Value) ? O.Value
                                             : int64_t(int32_t(O.Value)));
  }
}

bool PTXTranslator::compute(const ptx::Instruction &I, Builder Build) {
  std::string Letters;
  StringRef Type = I.Mods.empty() ? "" : I.Mods.back();
  for (const Operand &O : I.Operands) {
    if (isRegister(O))
      Letters += PTXSelector::letterOf(Names.KindOf(O.Index));
    else if ((O.K == Operand::Int || O.K == Operand::Float32 ||
              O.K == Operand::Float64) &&
             literalOf(O, Type))
      Letters += 'i';
    else if (O.K == Operand::Special)
      Letters += "<" + std::string(O.Name) + ">";
    else
      return false;
  }
  static const PTXSelector Selector(MF.getTarget(),
                                    *MF.getSubtarget().getRegisterInfo());
  for (const std::string &Name : ptxSynonyms(I)) {
    const SelectedPTX *S = Selector.find(Name, Letters);
    if (!S)
      continue;
    MachineInstrBuilder MI = Build(S->Opcode);
    unsigned NumDefs = MI->getDesc().getNumDefs();
    for (auto [N, O] : enumerate(S->Operands)) {
      if (!O.Of)
        MI.addImm(O.Mode);
      else if (const Operand &From = I.Operands[*O.Of]; From.K == Operand::Reg)
        MI.addReg(Names.RegisterOf(From.Index),
                  N < NumDefs ? unsigned(RegState::Define) : 0U);
      else
        addNumber(MI, *literalOf(From, Type), Name,
                  Type.ends_with("64") || (*O.Of == 3 && I.has("wide")));
    }
    return true;
  }
  return false;
}

/// Reads the instruction. False if it is one that has no such form: it is
/// volatile, ordered, has a cache policy, names a parameter, …
bool PTXTranslator::readAccess(const ptx::Instruction &I, Access &A) const {
  A.IsLoad = I.Opcode == "ld";
  if (I.Operands.size() != 2 || I.Mods.empty())
    return false;
  std::optional<sim::ScalarType> T = sim::parseScalarType(I.Mods.back());
  if (!T || sizeOf(*T) == 0 || sizeOf(*T) > 8)
    return false;
  A.Type = *T;
  size_t Elements = 1;
  for (StringRef Mod : drop_end(I.Mods)) {
    if (Mod == "v2" || Mod == "v4") {
      Elements = Mod == "v2" ? 2 : 4;
    } else if (Mod == "nc") {
      A.IsReadOnly = true;
    } else {
      A.AddressSpace = StringSwitch<int64_t>(Mod)
                           .Case("global", GlobalAddressSpace)
                           .Case("shared", SharedAddressSpace)
                           .Case("const", ConstantAddressSpace)
                           .Case("local", LocalAddressSpace)
                           .Default(-1);
      if (A.AddressSpace < 0)
        return false;
    }
  }
  if (A.IsReadOnly && A.AddressSpace != GlobalAddressSpace)
    return false;
  const Operand &Value = I.Operands[A.IsLoad ? 0 : 1];
  bool IsList = Value.K == Operand::Vector;
  if ((IsList ? Value.Elements.size() : 1) != Elements)
    return false;
  for (const Operand &O : IsList ? ArrayRef(Value.Elements) : ArrayRef(Value)) {
    if (!isRegister(O))
      return false;
    A.Values.push_back(O.Index);
  }
  A.Kind = Names.KindOf(A.Values[0]);
  if (!all_of(A.Values, [&](int R) { return Names.KindOf(R) == A.Kind; }))
    return false;
  const Operand &At = I.Operands[A.IsLoad ? 1 : 0];
  if (At.K != Operand::Address || At.Elements.size() != 1 ||
      !isInt<32>(ptxOffset(At)))
    return false;
  A.Address = &At;
  if (!isRegister(At.Elements[0])) {
    Operand Beginning = At.Elements[0];
    Beginning.Value = 0;
    A.Variable = Names.Variable(Beginning);
  }
  return A.Variable || isRegister(At.Elements[0]);
}

/// 0 if there is none.
unsigned PTXTranslator::opcodeOf(const Access &A) const {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  std::string Of = A.Kind == RegKind::B16   ? "i16"
                   : A.Kind == RegKind::B32 ? "i32"
                   : A.Kind == RegKind::B64 ? "i64"
                                            : "none";
  size_t Count = A.Values.size();
  std::string Vector = Count > 1 ? "v" + std::to_string(Count) : "";
  if (A.IsReadOnly)
    return opcodeOfName(TII, "LD_GLOBAL_NC_" + Vector + Of);
  std::string Stem = A.IsLoad ? "LD" : "ST";
  return opcodeOfName(TII,
                      Stem + (Count > 1 ? "V_" + Of + "_" + Vector : "_" + Of));
}

bool PTXTranslator::access(const ptx::Instruction &I, Builder Build) {
  Access A;
  if (!readAccess(I, A))
    return false;
  unsigned Opcode = opcodeOf(A);
  if (!Opcode)
    return false;
  // LLVM's printer writes the first as .s8 to .s64, the second as .b8 to .b64.
  constexpr int64_t Signed = 1, Untyped = 3;
  unsigned Bytes = sizeOf(A.Type);
  MachineInstrBuilder MI = Build(Opcode);
  for (int R : A.Values)
    MI.addReg(Names.RegisterOf(R), A.IsLoad ? unsigned(RegState::Define) : 0U);
  if (!A.IsReadOnly)
    MI.addImm(0).addImm(0).addImm(A.AddressSpace); // neither order nor scope
  if (A.IsLoad)
    MI.addImm(isSigned(A.Type) ? Signed : Untyped);
  MI.addImm(8 * Bytes);
  if (A.IsLoad)
    MI.addImm(-1); // all bytes are used
  if (A.Variable)
    MI.addGlobalAddress(A.Variable);
  else
    MI.addReg(Names.RegisterOf(A.Address->Elements[0].Index));
  MI.addImm(ptxOffset(*A.Address));
  // LLVM does not mark its read-only loads as loads: they have no memory
  // operand.
  if (A.IsReadOnly)
    return true;
  auto Flags =
      A.IsLoad ? MachineMemOperand::MOLoad : MachineMemOperand::MOStore;
  if (A.AddressSpace == ConstantAddressSpace)
    Flags |= MachineMemOperand::MOInvariant;
  unsigned Size = Bytes * unsigned(A.Values.size());
  MI.addMemOperand(MF.getMachineMemOperand(
      MachinePointerInfo(unsigned(A.AddressSpace)), Flags, Size, Align(Size)));
  return true;
}

} // namespace regshare
