//===- CheckAssignment.cpp - Check a hand-written assignment --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interference.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

using namespace llvm;

namespace regshare {

/// "kernel, bb.2, file.cu:12: `the instruction`", for the end of a message.
static std::string describe(const MachineInstr &MI) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "in bb." << MI.getParent()->getNumber();
  if (const DebugLoc &DL = MI.getDebugLoc()) {
    OS << ", ";
    DL.print(OS);
  }
  std::string Instr;
  raw_string_ostream IS(Instr);
  MI.print(IS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  OS << ": " << StringRef(Instr).trim();
  return Text;
}

bool hasArchitectedNames(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register VReg = Register::index2VirtReg(I);
    StringRef Name = MRI.getVRegName(VReg);
    // One that is misspelt, as %R1_2, is to be told of, not to be replaced.
    if (Name.size() > 1 && StringRef("RHP").contains(Name[0]) &&
        isDigit(Name[1]))
      return true;
  }
  return false;
}

/// The operands of a vector access are the units of one aligned group, as
/// AssignRegisters makes them: constants need no register, and one register
/// next to them can be any.
static Error checkGroup(const MachineInstr &MI, unsigned Elements,
                        const RegisterAssignment &Assignment) {
  SmallVector<std::pair<ArchReg, unsigned>, 4> Members; // And their place.
  for (unsigned I = 0; I != Elements; ++I) {
    const MachineOperand &MO = MI.getOperand(I);
    if (!MO.isReg() || !MO.getReg().isVirtual() || MO.isUndef())
      continue;
    ArchReg R = Assignment.lookup(MO.getReg());
    Members.push_back({R, I * R.units()});
  }
  if (Members.size() < 2)
    return Error::success();
  for (auto [R, Offset] : Members) {
    unsigned Align = Elements * R.units();
    auto [First, FirstOffset] = Members.front();
    if (R.Index < Offset || (R.Index - Offset) % Align != 0 ||
        First.Index - FirstOffset != R.Index - Offset)
      return createStringError(MI.getMF()->getName() + ": %" + R.name() +
                               " is not in its place of an aligned group of " +
                               Twine(Align) + " registers, " + describe(MI));
  }
  return Error::success();
}

Error checkVectorGroups(const MachineFunction &MF,
                        const RegisterAssignment &Assignment) {
  const NVPTXOpcodes &Opcodes = NVPTXOpcodes::get(MF);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (unsigned Elements = Opcodes.vectorElements(MI))
        if (Error E = checkGroup(MI, Elements, Assignment))
          return E;
  return Error::success();
}

Error checkNoOverlap(MachineFunction &MF,
                     const RegisterAssignment &Assignment) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  // Registers of inline-PTX temporaries, by block and order.
  std::vector<ArchReg> RegOf(Live->Values.size());
  const MachineInstr *Asm = nullptr;
  unsigned NextTemp = 0;
  for (uint32_t V = 0; V != Live->Values.size(); ++V) {
    const LiveValue &Value = Live->Values[V];
    if (!Value.Asm) {
      RegOf[V] = Assignment.lookup(Value.VReg);
      continue;
    }
    if (std::exchange(Asm, Value.Asm) != Value.Asm)
      NextTemp = 0;
    ArrayRef<ArchReg> Temps = Assignment.temps(*Value.Asm);
    if (NextTemp >= Temps.size() || Temps[NextTemp].Kind != Value.Kind)
      return createStringError(
          MF.getName() +
          ": the temporaries of this inline PTX have no registers that fit "
          "(a regshare.temps statement before it names them), " +
          describe(*Value.Asm));
    RegOf[V] = Temps[NextTemp++];
  }

  std::vector<uint32_t> Holder(RegSet::PredBase + NumPredicates, ~0u);
  std::vector<uint32_t> HeldUntil(Holder.size());
  for (const LiveStretch &S : Live->Stretches) {
    RegSet Units;
    Units.insert(RegOf[S.Value]);
    Error Result = Error::success();
    Units.forEach([&](unsigned Bit) {
      if (!Result && Holder[Bit] != ~0u && Holder[Bit] != S.Value &&
          HeldUntil[Bit] > S.Start) {
        const MachineInstr *At = Live->Code.instrAt(S.Start);
        Result = joinErrors(
            std::move(Result),
            createStringError(MF.getName() + ": %" + RegOf[S.Value].name() +
                              " overwrites the live value in %" +
                              RegOf[Holder[Bit]].name() +
                              (At ? ", " + describe(*At)
                                  : std::string(", at the start of a block"))));
      }
      if (Holder[Bit] == S.Value)
        HeldUntil[Bit] = std::max(HeldUntil[Bit], S.End);
      else
        HeldUntil[Bit] = S.End;
      Holder[Bit] = S.Value;
    });
    if (Result)
      return Result;
  }
  return Error::success();
}

} // namespace regshare
