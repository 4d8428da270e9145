//===- ParameterCopies.cpp - Addresses of parameters ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function that takes a structure by value accesses it by its address in
/// local memory. LLVM 22 makes that address of 64 bits and copies it as it is
/// where pointers to local memory have 32, and then finds such a copy
/// impossible. It is a truncation.
///
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/Passes.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/PassRegistry.h"

using namespace llvm;
using namespace regshare;

static bool truncates(const MachineInstr &MI, const MachineRegisterInfo &MRI) {
  if (!MI.isCopy())
    return false;
  Register To = MI.getOperand(0).getReg(), From = MI.getOperand(1).getReg();
  if (!To.isVirtual() || !From.isVirtual())
    return false;
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  return TRI.getRegSizeInBits(To, MRI) == 32 &&
         TRI.getRegSizeInBits(From, MRI) == 64;
}

namespace {
class ParameterCopiesPass : public MachineFunctionPass {
public:
  static char ID;
  ParameterCopiesPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare parameter copies"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
    bool Changed = false;
    for (MachineBasicBlock &MBB : MF)
      for (MachineInstr &MI : MBB)
        if (truncates(MI, MF.getRegInfo())) {
          MI.setDesc(TII.get(NVPTXOpcodes::get(MF).truncateOpcode()));
          MI.addOperand(MF, MachineOperand::CreateImm(0)); // no rounding
          Changed = true;
        }
    return Changed;
  }
};
} // namespace

char ParameterCopiesPass::ID = 0;
char &regshare::ParameterCopiesID = ParameterCopiesPass::ID;
INITIALIZE_PASS(ParameterCopiesPass, "regshare-parameter-copies",
                "Give addresses of parameters the width of their uses", false,
                false)
