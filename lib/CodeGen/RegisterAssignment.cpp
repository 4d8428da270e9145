//===- RegisterAssignment.cpp - Which register holds a vreg ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/RegisterAssignment.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regshare {

std::optional<RegKind> kindOf(const TargetRegisterClass &RC,
                              const TargetRegisterInfo &TRI) {
  return StringSwitch<std::optional<RegKind>>(TRI.getRegClassName(&RC))
      .Case("B1", RegKind::Pred)
      .Case("B16", RegKind::B16)
      .Case("B32", RegKind::B32)
      .Case("B64", RegKind::B64)
      .Case("B128", RegKind::B128)
      .Default(std::nullopt);
}

RegKinds::RegKinds(const TargetRegisterInfo &TRI) {
  for (const TargetRegisterClass *RC : TRI.regclasses())
    Kinds.push_back(kindOf(*RC, TRI));
}

std::optional<RegKind>
RegKinds::operator()(const TargetRegisterClass &RC) const {
  return Kinds[RC.getID()];
}

Expected<RegisterAssignment>
RegisterAssignment::fromNames(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  RegisterAssignment Result;
  Result.reserve(reservedUnits(MF));
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(VReg))
      continue;
    StringRef Name = MRI.getVRegName(VReg);
    auto Error = [&](const Twine &Why) {
      std::string Shown = Name.empty() ? std::to_string(I) : Name.str();
      return createStringError(MF.getName() + ": %" + Shown + ": " + Why);
    };
    if (Name.empty())
      return Error("not an architected register; run "
                   "regshare-assign-registers first");
    if (NativePlace Place = nativePlaceOfName(Name);
        Place != NativePlace::Register) {
      if (Place == NativePlace::Folded)
        Result.fold(VReg);
      continue;
    }
    regshare::Result<ArchReg> R = ArchReg::parse({Name.data(), Name.size()});
    if (!R)
      return Error(R.error().Message);
    const TargetRegisterClass *RC = MRI.getRegClassOrNull(VReg);
    if (!RC || kindOf(*RC, TRI) != R->Kind)
      return Error("the name does not fit its register class" +
                   (RC ? Twine(" ") + TRI.getRegClassName(RC) : Twine()));
    if (!R->isPred() && R->Index < Result.reserved())
      return Error("native code's first " + Twine(Result.reserved()) +
                   " registers hold no value of the program");
    Result.assign(VReg, *R);
  }
  if (Error E = Result.readTemps(MF))
    return std::move(E);
  return Result;
}

/// The registers of a regshare.scratch.
static Expected<std::vector<ArchReg>> readScratch(const MachineInstr &MI) {
  Result<Statement> S = parseStatement(statementString(MI));
  KernelDescriptor Any;
  Any.Regs = MaxArchUnits;
  Result<std::vector<unsigned>> Units =
      S ? parseScratch(*S, Any) : tl::make_unexpected(S.error());
  if (!Units)
    return createStringError(MI.getMF()->getName() + ": " +
                             Units.error().Message);
  std::vector<ArchReg> Regs;
  for (unsigned Unit : *Units)
    Regs.push_back({RegKind::B32, uint8_t(Unit)});
  return Regs;
}

/// A regshare.temps statement speaks of the inline-PTX block that follows it.
Error RegisterAssignment::readTemps(const MachineFunction &MF) {
  if (!MF.hasInlineAsm())
    return Error::success();
  for (const MachineBasicBlock &MBB : MF) {
    std::optional<std::vector<ArchReg>> Pending, Scratch;
    for (const MachineInstr &MI : MBB) {
      if (Scratch && !MI.isInlineAsm() && !MI.isDebugInstr() && !isFolded(MI))
        setTemps(MI, *std::exchange(Scratch, std::nullopt));
      if (!MI.isInlineAsm())
        continue;
      if (statementVerb(MI) == "scratch") {
        Expected<std::vector<ArchReg>> Units = readScratch(MI);
        if (!Units)
          return Units.takeError();
        Scratch = std::move(*Units);
        continue;
      }
      if (Pending)
        setTemps(MI, *std::exchange(Pending, std::nullopt));
      auto Temps = parseTempsPragma(inlinePTXText(MI));
      if (!Temps)
        return createStringError(MF.getName() + ": " +
                                 toString(Temps.takeError()));
      Pending = std::move(*Temps);
    }
  }
  return Error::success();
}

void RegisterAssignment::note(ArchReg R) {
  if (R.isPred())
    NumPreds = std::max(NumPreds, R.Index + 1u);
  else
    NumUnits = std::max(NumUnits, R.Index + R.units());
}

void RegisterAssignment::assign(Register VReg, ArchReg R) {
  unsigned I = VReg.virtRegIndex();
  if (I >= Regs.size())
    Regs.resize(I + 1);
  Regs[I] = R;
  note(R);
}

void RegisterAssignment::fold(Register VReg) {
  unsigned I = VReg.virtRegIndex();
  if (I >= FoldedRegs.size())
    FoldedRegs.resize(I + 1);
  FoldedRegs[I] = true;
  AnyFolded = true;
}

ArrayRef<ArchReg> RegisterAssignment::temps(const MachineInstr &MI) const {
  auto It = TempRegs.find(&MI);
  return It == TempRegs.end() ? ArrayRef<ArchReg>() : It->second;
}

void RegisterAssignment::setTemps(const MachineInstr &MI,
                                  ArrayRef<ArchReg> Temps) {
  TempRegs[&MI].assign(Temps.begin(), Temps.end());
  for (ArchReg R : Temps)
    note(R);
}

RegSet RegisterAssignment::named(const MachineInstr &MI) const {
  RegSet Named;
  if (MI.isMetaInstruction() || isFolded(MI))
    return Named;
  auto Name = [&](const MachineInstr &Part) {
    for (const MachineOperand &MO : Part.operands())
      if (MO.isReg() && MO.getReg().isVirtual())
        if (ArchReg R = lookup(MO.getReg()); R.isValid())
          Named.insert(R);
  };
  Name(MI);
  forEachFolded(MI, Name);
  for (ArchReg R : temps(MI))
    Named.insert(R);
  return Named;
}

RegEffects RegisterAssignment::effects(const MachineInstr &MI) const {
  RegEffects E;
  forEachOperand(
      MI, [&](ArchReg R) { E.Defs.insert(R); },
      [&](ArchReg R) { E.Uses.insert(R); });
  if (!TempRegs.empty())
    for (ArchReg R : temps(MI))
      E.Temps.insert(R);
  return E;
}

} // namespace regshare
