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
  auto Each = [&](ArchReg R) {
    if (R.isValid() && !R.isPred())
      for (unsigned U = 0; U != R.units(); ++U)
        F(R.Index + U);
  };
  if (MI.isMetaInstruction())
    return;
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg().isVirtual())
      Each(Assignment.lookup(MO.getReg()));
  for (ArchReg Temp : Assignment.temps(MI))
    Each(Temp);
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

static std::vector<const MachineBasicBlock *>
blocksInOrder(const MachineFunction &MF, BlockOrder Order) {
  std::vector<const MachineBasicBlock *> Blocks;
  if (Order == BlockOrder::Layout) {
    for (const MachineBasicBlock &MBB : MF)
      Blocks.push_back(&MBB);
    return Blocks;
  }
  ReversePostOrderTraversal<const MachineFunction *> RPO(&MF);
  Blocks.assign(RPO.begin(), RPO.end());
  return Blocks;
}

std::vector<unsigned> firstUseOrder(const MachineFunction &MF,
                                    const RegisterAssignment &Assignment,
                                    BlockOrder Order) {
  std::vector<unsigned> Units;
  std::vector<bool> Seen(Assignment.numUnits());
  for (const MachineBasicBlock *MBB : blocksInOrder(MF, Order))
    for (const MachineInstr &MI : *MBB)
      forEachUnit(MI, Assignment, [&](unsigned Unit) {
        if (Seen[Unit])
          return;
        Seen[Unit] = true;
        Units.push_back(Unit);
      });
  return Units;
}

} // namespace regshare
