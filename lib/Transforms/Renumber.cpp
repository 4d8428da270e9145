//===- Renumber.cpp - New numbers for registers ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Renumber.h"

#include "regshare/CodeGen/Directives.h"
#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include <bit>

using namespace llvm;

namespace regshare {

std::vector<unsigned> registerGranules(const MachineFunction &MF,
                                       const RegisterAssignment &Assignment) {
  std::vector<unsigned> Granules(Assignment.numUnits(), 1);
  auto Bind = [&](unsigned Unit, unsigned Size) {
    Size = std::bit_ceil(Size);
    unsigned First = Unit / Size * Size;
    for (unsigned I = First; I != First + Size && I < Granules.size(); ++I)
      Granules[I] = std::max(Granules[I], Size);
  };
  const NVPTXOpcodes &Opcodes =
      NVPTXOpcodes::get(*MF.getSubtarget().getInstrInfo());
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      unsigned Elements = Opcodes.vectorElements(MI);
      for (unsigned I = 0; I != MI.getNumOperands(); ++I) {
        const MachineOperand &MO = MI.getOperand(I);
        if (!MO.isReg() || !MO.getReg().isVirtual())
          continue;
        ArchReg R = Assignment.lookup(MO.getReg());
        if (R.isValid() && !R.isPred())
          Bind(R.Index, R.units() * (I < Elements ? Elements : 1));
      }
      for (ArchReg Temp : Assignment.temps(MI))
        if (!Temp.isPred())
          Bind(Temp.Index, Temp.units());
    }
  return Granules;
}

RegisterAssignment renumberRegisters(MachineFunction &MF,
                                     const RegisterAssignment &Assignment,
                                     const std::vector<unsigned> &Numbers) {
  auto Renumbered = [&](ArchReg R) {
    if (R.isValid() && !R.isPred())
      R.Index = Numbers[R.Index];
    return R;
  };
  RegisterAssignment New;
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  for (unsigned I = 0; I != MRI.getNumVirtRegs(); ++I) {
    Register VReg = Register::index2VirtReg(I);
    if (ArchReg R = Assignment.lookup(VReg); R.isValid())
      New.assign(VReg, Renumbered(R));
  }
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB) {
      SmallVector<ArchReg, 4> Temps;
      for (ArchReg Temp : Assignment.temps(MI))
        Temps.push_back(Renumbered(Temp));
      if (!Temps.empty())
        New.setTemps(MI, Temps);
    }
  eraseDirectives(MF, {"temps"});
  unsigned CopiesRemoved = 0;
  return rewriteToArchitected(MF, New, CopiesRemoved);
}

} // namespace regshare
