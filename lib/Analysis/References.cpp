//===- References.cpp - How registers are referenced ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/References.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// Calls F(unit) for every unit of every register operand of \p MI, in order,
/// and for its temporaries.
template <typename Fn>
static void forEachUnit(const MachineInstr &MI,
                        const RegisterAssignment &Assignment, Fn F) {
  auto each = [&](ArchReg R) {
    if (R.isValid() && !R.isPred())
      for (unsigned U = 0; U != R.units(); ++U)
        F(R.Index + U);
  };
  if (MI.isDebugInstr())
    return;
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg().isVirtual())
      each(Assignment.lookup(MO.getReg()));
  for (ArchReg Temp : Assignment.temps(MI))
    each(Temp);
}

std::vector<ReferenceWeight>
referenceWeights(const MachineFunction &MF,
                 const RegisterAssignment &Assignment,
                 const MachineBlockFrequencyInfo &MBFI) {
  std::vector<ReferenceWeight> Weights(Assignment.numUnits());
  for (const MachineBasicBlock &MBB : MF) {
    double Frequency = MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
    for (const MachineInstr &MI : MBB)
      forEachUnit(MI, Assignment, [&](unsigned Unit) {
        ++Weights[Unit].Static;
        Weights[Unit].Expected += Frequency;
      });
  }
  return Weights;
}

std::vector<unsigned> firstUseOrder(const MachineFunction &MF,
                                    const RegisterAssignment &Assignment) {
  std::vector<unsigned> Order;
  std::vector<bool> Seen(Assignment.numUnits());
  ReversePostOrderTraversal<const MachineFunction *> RPO(&MF);
  for (const MachineBasicBlock *MBB : RPO)
    for (const MachineInstr &MI : *MBB)
      forEachUnit(MI, Assignment, [&](unsigned Unit) {
        if (Seen[Unit])
          return;
        Seen[Unit] = true;
        Order.push_back(Unit);
      });
  return Order;
}

} // namespace regshare
