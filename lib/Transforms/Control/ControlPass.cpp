//===- ControlPass.cpp - regshare-control as a machine pass ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/FlowPass.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/InitializePasses.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

static Result<FixedLatencies> latenciesFor(const MachineFunction &MF) {
  StringRef CPU = MF.getTarget().getTargetCPU();
  return FixedLatencies::get({CPU.data(), CPU.size()});
}

bool hasControl(const MachineFunction &MF, const CompilerOptions &Options) {
  return Options.Control && isKernel(MF) && isNative(MF) && latenciesFor(MF);
}

/// The statement stands before the unit's group, and before what else is said
/// of it.
static void annotate(const ControlCode &Code) {
  for (const ControlBlock &B : Code)
    for (const ControlUnit &U : B.Units) {
      if (U.Says.isDefault())
        continue;
      auto &MI = const_cast<MachineInstr &>(*U.At);
      MachineBasicBlock &MBB = *MI.getParent();
      insertStatement(MBB, MI, printControlPragma(U.Says));
      // LLVM does not see branches before a statement between two of them.
      if (MI.isTerminator())
        for (MachineBasicBlock *Target : MBB.successors())
          Target->setLabelMustBeEmitted();
    }
}

} // namespace regshare

using namespace regshare;

namespace {
class ControlPass : public MachineFunctionPass {
public:
  static char ID;
  ControlPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare control"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!hasControl(MF, getAnalysis<SessionPass>().options()))
      return false;
    eraseStatements(MF, {"control"});
    Expected<ControlCode> Code = readControlCode(
        MF,
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
    if (!Code) {
      reportUnlessFailed(MF.getFunction().getContext(), Code.takeError());
      return false;
    }
    assignControl(*Code, *latenciesFor(MF));
    annotate(*Code);
    return true;
  }
};
} // namespace

char ControlPass::ID = 0;
INITIALIZE_PASS_BEGIN(ControlPass, "regshare-control",
                      "Say when results are there and operands are read", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(ControlPass, "regshare-control",
                    "Say when results are there and operands are read", false,
                    false)
