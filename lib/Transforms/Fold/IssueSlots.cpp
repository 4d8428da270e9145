//===- IssueSlots.cpp - What native code costs ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/IssueSlots.h"

#include "HardwareOps.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <set>

using namespace llvm;

namespace regshare {

/// What sets the stack pointer.
static constexpr unsigned InstructionsOfKernel = 1;

static HardwareCost slots(unsigned N) { return {N, N, 0, 0}; }

NativeCosts::NativeCosts(const MachineFunction &MF)
    : Ops(HardwareOps::get(*MF.getSubtarget().getInstrInfo())),
      Mnemonics(MF.getTarget()) {
  if (auto Table = HardwareCosts::get(MF.getTarget().getTargetCPU()))
    Costs = *Table;
}

/// The first architected unit of \p MO; nothing if it has none.
static std::optional<unsigned> firstUnit(const MachineOperand &MO) {
  if (!MO.isReg() || !MO.getReg().isVirtual())
    return std::nullopt;
  StringRef Name =
      MO.getParent()->getMF()->getRegInfo().getVRegName(MO.getReg());
  Result<ArchReg> R = ArchReg::parse({Name.data(), Name.size()});
  return R ? std::optional<unsigned>(R->Index) : std::nullopt;
}

/// Whether a conversion that leaves the low half as it is finds its result
/// where its source is.
static bool isInPlace(const MachineInstr &MI) {
  std::optional<unsigned> To = firstUnit(MI.getOperand(0));
  return To && To == firstUnit(MI.getOperand(1));
}

/// Whether \p MO was loaded, so that it fills its register: loads of 8 and 16
/// bits extend what they load.
static bool isLoaded(const MachineOperand &MO, const HardwareOps &Ops) {
  if (!MO.isReg() || !MO.getReg().isVirtual())
    return false;
  // The last definition in the block; a register has several.
  const MachineInstr *MI = MO.getParent()->getPrevNode();
  while (MI && !MI->definesRegister(MO.getReg(), nullptr))
    MI = MI->getPrevNode();
  return MI && Ops.of(*MI).Kind == OpKind::Load;
}

/// A move of 64 bits is two, but for zero.
static unsigned slotsOfMove(const MachineInstr &MI, const HardwareOp &Op) {
  const MachineOperand &From = MI.getOperand(1);
  bool Wide = Op.Bits == 64;
  if (MI.isCopy())
    Wide =
        MI.getMF()->getSubtarget().getRegisterInfo()->getRegSizeInBits(
            *MI.getMF()->getRegInfo().getRegClass(MI.getOperand(0).getReg())) ==
        64;
  bool IsZero = !From.isReg() && !isConstantOperand(From);
  // ULDC loads a pair.
  if (definesUniform(MI) && From.isReg() && isConstantOperand(From))
    return 1;
  return Wide && !IsZero ? 2 : 1;
}

/// What \p MI, of a kind that HardwareOps.def knows, is by itself; nothing
/// where the measured table says it better.
static std::optional<unsigned> slotsOfKind(const MachineInstr &MI,
                                           const HardwareOp &Op,
                                           const HardwareOps &Ops) {
  switch (Op.Kind) {
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Logic:
  case OpKind::Compare:
  case OpKind::Select:
    return Op.Bits == 64 ? 2 : 1;
  case OpKind::Shl:
  case OpKind::Shr:
    if (Op.Bits == 64)
      return HardwareOps::source(MI, 1).isImm() ? std::optional<unsigned>(2)
                                                : std::nullopt;
    return 1;
  case OpKind::Truncate:
    return isInPlace(MI) ? 0 : 1;
  case OpKind::Extend16:
    return isLoaded(MI.getOperand(1), Ops) && isInPlace(MI) ? 0 : 1;
  case OpKind::Field:
    return 2;
  case OpKind::Move:
    return slotsOfMove(MI, Op);
  case OpKind::Other:
  case OpKind::Load:
  case OpKind::Store:
  case OpKind::Function:
  case OpKind::FConvert:
    return std::nullopt;
  default:
    return 1;
  }
}

/// The rule of the outermost fold of \p G that says what the group takes.
static unsigned slotsOfRules(const FoldGroup &G, const HardwareOps &Ops) {
  const HardwareOp &Op = Ops.of(*G.Last);
  unsigned Slots = 0;
  for (unsigned S = 0; S != Op.Sources; ++S)
    if (MachineInstr *Def = G.definition(HardwareOps::source(*G.Last, S)))
      if (const FoldRule *Rule = Ops.rule(*G.Last, S, *Def)) {
        unsigned Its = Rule->Slots;
        // A shift of what is extended is a multiplication.
        if (Rule->Folded == OpKind::Shl && Rule->Bits == 64 &&
            G.definition(HardwareOps::source(*Def, 0)))
          Its = 1;
        Slots = std::max(Slots, Its);
      }
  return Slots;
}

HardwareCost NativeCosts::of(const MachineInstr &MI) {
  HardwareCost Cost = Saved.contains(&MI) ? slots(0) : costOf(MI);
  unsigned More = Added.lookup(&MI);
  Cost.Slots += More;
  Cost.Executed += More;
  return Cost;
}

HardwareCost NativeCosts::costOf(const MachineInstr &MI) {
  if (MI.isMetaInstruction() || !statementVerb(MI).empty() ||
      definesConstant(MI))
    return slots(0);
  if (MI.isInlineAsm()) {
    if (isEmptyInlinePTX(MI))
      return slots(0);
    StringRef Text = inlinePTXText(MI);
    HardwareCost Cost =
        slots(std::max<size_t>(1, Text.count(';') - Text.count(".reg")));
    // Each instruction of the text issues by itself; a statement before it
    // would be about the first alone.
    Cost.Executed = 1;
    return Cost;
  }
  // The table of groups asks for what it does not change.
  FoldGroup G = FoldGroup::of(const_cast<MachineInstr &>(MI));
  if (!G.Folded.empty())
    if (unsigned Slots = slotsOfRules(G, Ops))
      return slots(Slots);
  const HardwareOp &Op = Ops.of(MI);
  if (std::optional<unsigned> Slots = slotsOfKind(MI, Op, Ops))
    return slots(*Slots);
  StringRef Mnemonic = Mnemonics.get(MI);
  HardwareCost Cost =
      Costs && !Mnemonic.empty() ? Costs->cost(Mnemonic) : slots(1);
  // In the probe's code for sm_75 the vote takes the place of a comparison.
  return Cost.Slots || !MI.isConvergent() ? Cost : slots(1);
}

unsigned NativeCosts::count(const MachineFunction &MF) {
  unsigned Instructions = InstructionsOfKernel;
  std::set<StringRef> Called;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      if (isFolded(MI))
        continue;
      HardwareCost Cost = of(MI);
      Instructions += Cost.Slots;
      if (Cost.OncePerKernel && Called.insert(Mnemonics.get(MI)).second)
        Instructions += Cost.OncePerKernel;
    }
  return Instructions;
}

void NativeCosts::annotate(MachineFunction &MF) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (isFolded(MI) || MI.isMetaInstruction() || definesConstant(MI) ||
          !statementVerb(MI).empty() || isEmptyInlinePTX(MI))
        continue;
      unsigned Slots = of(MI).Executed;
      if (Slots == 1)
        continue;
      insertStatement(MBB, MI, printIssuePragma(Slots));
      // LLVM does not see branches before a statement between two of them.
      if (MI.isTerminator())
        for (MachineBasicBlock *Target : MBB.successors())
          Target->setLabelMustBeEmitted();
    }
}

} // namespace regshare
