//===- RegisterCounts.cpp - What threads have -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Setmaxnreg/RegisterCounts.h"

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace regshare {

/// The number that operand \p Index of inline PTX is, as its text counts them;
/// 0: it is none.
static unsigned immediateOf(const MachineInstr &InlinePTX, unsigned Index) {
  unsigned At = InlineAsm::MIOp_FirstOperand;
  while (At < InlinePTX.getNumOperands() && InlinePTX.getOperand(At).isImm()) {
    InlineAsm::Flag Group(uint32_t(InlinePTX.getOperand(At).getImm()));
    if (!Index--)
      return Group.isImmKind() ? unsigned(InlinePTX.getOperand(At + 1).getImm())
                               : 0;
    At += Group.getNumOperandRegisters() + 1;
  }
  return 0;
}

std::optional<CountChange> countChangeOf(const MachineInstr &MI) {
  for (StringRef Text : inlinePTXInstructions(inlinePTXText(MI))) {
    if (!Text.consume_front("setmaxnreg."))
      continue;
    auto [Name, Operand] = Text.split(".u32");
    Operand = Operand.trim();
    bool IsOperand = Operand.consume_front("$");
    Operand.consume_front("{");
    unsigned Number = 0;
    CountChange Change{Name.starts_with("inc"), 0};
    if (!Operand.consumeInteger(10, Number))
      Change.Count = IsOperand ? immediateOf(MI, Number) : Number;
    return Change;
  }
  return std::nullopt;
}

bool changesCounts(const MachineFunction &MF) {
  return MF.hasInlineAsm() && any_of(MF, [](const MachineBasicBlock &MBB) {
           return any_of(MBB, [](const MachineInstr &MI) {
             return countChangeOf(MI).has_value();
           });
         });
}

unsigned mostRegisters(const MachineFunction &MF, LaunchRegisters Launch) {
  unsigned Most = Launch.PerThread;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (std::optional<CountChange> Change = countChangeOf(MI))
        Most = std::max(Most, Change->Count);
  return Most;
}

unsigned CountSet::least() const {
  unsigned Count = 0;
  while (!Bits.test(Count))
    ++Count;
  return Count;
}

int RegisterCounts::numberOf(const MachineBasicBlock &MBB) {
  return MBB.getNumber();
}

CountSet RegisterCounts::after(const MachineInstr &MI, const CountSet &Before) {
  std::optional<CountChange> Change = countChangeOf(MI);
  if (!Change || Before.isEmpty())
    return Before;
  CountSet After;
  After.insert(Change->Count);
  return After;
}

RegisterCounts::RegisterCounts(const MachineFunction &MF,
                               LaunchRegisters Launch)
    : Entry(MF.getNumBlockIDs()) {
  Entry[unsigned(numberOf(MF.front()))].insert(Launch.PerThread);
  SmallVector<const MachineBasicBlock *, 16> Work = {&MF.front()};
  while (!Work.empty()) {
    const MachineBasicBlock *MBB = Work.pop_back_val();
    CountSet Now = atEntry(*MBB);
    for (const MachineInstr &MI : *MBB)
      Now = after(MI, Now);
    for (const MachineBasicBlock *Succ : MBB->successors())
      if (Entry[unsigned(numberOf(*Succ))].merge(Now))
        Work.push_back(Succ);
  }
}

} // namespace regshare
