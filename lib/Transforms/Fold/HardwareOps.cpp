//===- HardwareOps.cpp - PTX as instructions of the hardware --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HardwareOps.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace regshare {

/// Bit 0 for "a".
static constexpr uint8_t places(std::string_view Letters) {
  uint8_t Mask = 0;
  for (char C : Letters)
    Mask |= uint8_t(1 << (C - 'a'));
  return Mask;
}

static const std::pair<StringRef, HardwareOp> NamedOps[] = {
#define HARDWARE_OP(Name, Kind, Bits, Sources, Constants)                      \
  {Name, {OpKind::Kind, Bits, Sources, places(Constants)}},
#include "HardwareOps.def"
};

static const FoldRule Rules[] = {
#define FOLD_RULE(Reader, Bits, Places, Folded, Leaves, Slots, Copies,         \
                  Instruction)                                                 \
  {OpKind::Reader, Bits, places(Places), OpKind::Folded, Leaves, Slots, Copies},
#include "FoldRules.def"
};

/// The name without the letters that say what its operands are.
static StringRef baseName(StringRef Name) {
  if (Name.ends_with("_sym"))
    return Name.drop_back(4);
  StringRef Base = Name.rtrim("ri");
  return Base.ends_with("_") ? Base.drop_back() : Base;
}

static HardwareOp memoryOp(StringRef Name) {
  HardwareOp Op;
  if (Name.starts_with("LD_") || Name.starts_with("LDV_"))
    Op.Kind = OpKind::Load;
  if (Name.starts_with("ST_i"))
    Op = {OpKind::Store, 0, 1, 0};
  else if (Name.starts_with("STV_i")) {
    unsigned Values = 0;
    Name.rsplit('v').second.consumeInteger(10, Values);
    Op = {OpKind::Store, 0, uint8_t(Values), 0};
  }
  return Op;
}

HardwareOps::HardwareOps(const TargetInstrInfo &TII) {
  StringMap<HardwareOp> ByName;
  for (const auto &[Name, Op] : NamedOps)
    ByName[Name] = Op;
  for (unsigned Opcode = 0; Opcode != TII.getNumOpcodes(); ++Opcode) {
    StringRef Name = TII.getName(Opcode);
    OpcodeOf[Name] = Opcode;
    auto It = ByName.find(baseName(Name));
    Table.push_back(It != ByName.end() ? It->second : memoryOp(Name));
  }
}

const HardwareOps &HardwareOps::get(const TargetInstrInfo &TII) {
  static const HardwareOps Ops(TII);
  return Ops;
}

const HardwareOp &HardwareOps::of(const MachineInstr &MI) const {
  return Table[MI.getOpcode()];
}

MachineOperand &HardwareOps::source(MachineInstr &MI, unsigned Source) {
  return MI.getOperand(MI.getNumExplicitDefs() + Source);
}

const MachineOperand &HardwareOps::source(const MachineInstr &MI,
                                          unsigned Source) {
  return MI.getOperand(MI.getNumExplicitDefs() + Source);
}

MachineOperand &HardwareOps::address(MachineInstr &MI) {
  return MI.getOperand(MI.getNumExplicitOperands() - 2);
}

bool HardwareOps::needsAddressRegister(const MachineInstr &MI,
                                       const HardwareOp &Op) {
  // LD_GLOBAL_NC, which does not say its address space.
  if (MI.getNumExplicitOperands() < MI.getNumExplicitDefs() + 7u)
    return true;
  int64_t Space =
      MI.getOperand(MI.getNumExplicitDefs() + Op.Sources + 2).getImm();
  return Space == GlobalAddressSpace || Space == GenericAddressSpace;
}

const FoldRule *HardwareOps::rule(const MachineInstr &Reader, unsigned Source,
                                  const MachineInstr &Folded) const {
  const HardwareOp &R = of(Reader), &F = of(Folded);
  for (const FoldRule &Rule : Rules)
    if (Rule.Reader == R.Kind && Rule.Folded == F.Kind &&
        (!Rule.Bits || Rule.Bits == R.Bits) && Rule.Places >> Source & 1)
      return &Rule;
  return nullptr;
}

unsigned HardwareOps::withRegister(const MachineInstr &MI,
                                   unsigned Source) const {
  // The table outlives the target that it was made from.
  StringRef Name =
      MI.getMF()->getSubtarget().getInstrInfo()->getName(MI.getOpcode());
  size_t Letters = Name.size() - Name.rtrim("ri").size();
  unsigned Sources = of(MI).Kind == OpKind::Select ? 2 : of(MI).Sources;
  if (Letters > Sources || Source + Letters < Sources)
    return 0;
  std::string Wanted = Name.str();
  Wanted[Name.size() - Sources + Source] = 'r';
  return OpcodeOf.lookup(Wanted);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

FoldGroup FoldGroup::of(MachineInstr &Last) {
  FoldGroup G;
  G.Last = &Last;
  MachineInstr *MI = Last.getPrevNode();
  for (; MI && isFolded(*MI); MI = MI->getPrevNode())
    G.Folded.push_back(MI);
  std::reverse(G.Folded.begin(), G.Folded.end());
  return G;
}

SmallVector<MachineInstr *, 5> FoldGroup::all() const {
  SmallVector<MachineInstr *, 5> All(Folded.begin(), Folded.end());
  All.push_back(Last);
  return All;
}

MachineInstr *FoldGroup::definition(const MachineOperand &MO) const {
  if (!MO.isReg())
    return nullptr;
  for (MachineInstr *MI : Folded)
    if (MI->getOperand(0).getReg() == MO.getReg())
      return MI;
  return nullptr;
}

bool isConstantOperand(const MachineOperand &MO) {
  if (MO.isReg())
    return MO.getReg().isVirtual() &&
           nativePlace(MO.getParent()->getMF()->getRegInfo(), MO.getReg()) ==
               NativePlace::Constant;
  if (MO.isImm())
    return MO.getImm() != 0;
  if (MO.isFPImm())
    return !MO.getFPImm()->isZero() || MO.getFPImm()->isNegative();
  return MO.isGlobal() || MO.isSymbol();
}

/// The number of bits of a shift is a field of SHF and LEA; a shift of what is
/// extended is a multiplication, and the factor one of its operands.
static bool isField(const FoldGroup &G, const MachineInstr &MI, unsigned Source,
                    const HardwareOp &Op) {
  return Op.Kind == OpKind::Shl && Source == 1 &&
         HardwareOps::source(MI, 1).isImm() &&
         !G.definition(HardwareOps::source(MI, 0));
}

SmallVector<MachineOperand *, 4> constantsOf(const FoldGroup &G,
                                             const HardwareOps &Ops) {
  SmallVector<MachineOperand *, 4> Constants;
  for (MachineInstr *MI : G.all()) {
    const HardwareOp &Op = Ops.of(*MI);
    for (unsigned S = 0; S != Op.Sources; ++S) {
      MachineOperand &MO = HardwareOps::source(*MI, S);
      if (isConstantOperand(MO) && !isField(G, *MI, S, Op))
        Constants.push_back(&MO);
    }
  }
  return Constants;
}

unsigned leavesOf(const FoldGroup &G, const HardwareOps &Ops) {
  unsigned Leaves = 0;
  for (MachineInstr *MI : G.all()) {
    const HardwareOp &Op = Ops.of(*MI);
    for (unsigned S = 0; S != Op.Sources; ++S) {
      const MachineOperand &MO = HardwareOps::source(*MI, S);
      bool IsZero = !MO.isReg() && !isConstantOperand(MO);
      Leaves += !G.definition(MO) && !isField(G, *MI, S, Op) && !IsZero;
    }
  }
  return Leaves;
}

} // namespace regshare
