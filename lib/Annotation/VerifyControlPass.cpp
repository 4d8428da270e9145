//===- VerifyControlPass.cpp - regshare-verify-control --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstrPlace.h"

#include "regshare/Annotation/VerifyControl.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/FlowPass.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regshare;

namespace {
class VerifyControlPass : public MachineFunctionPass {
public:
  static char ID;
  VerifyControlPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare verify control"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

/// Code without any statement is executed with a scoreboard.
bool VerifyControlPass::runOnMachineFunction(MachineFunction &MF) {
  if (!isKernel(MF) || !isNative(MF) || !hasStatement(MF, "control"))
    return false;
  LLVMContext &Context = MF.getFunction().getContext();
  StringRef CPU = MF.getTarget().getTargetCPU();
  Result<FixedLatencies> L = FixedLatencies::get({CPU.data(), CPU.size()});
  if (!L) {
    Context.emitError("regshare: function '" + MF.getName() +
                      "' has regshare.control: " + L.error().Message);
    return false;
  }
  Expected<ControlCode> Code = readControlCode(
      MF, getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
  if (!Code) {
    reportUnlessFailed(Context, Code.takeError());
    return false;
  }
  for (const ControlViolation &V : verifyControl(*Code, *L))
    Context.emitError("regshare: function '" + MF.getName() + "': " +
                      atInstr(V.What, *(*Code)[V.Block].Units[V.Unit].At));
  return false;
}

char VerifyControlPass::ID = 0;
INITIALIZE_PASS_BEGIN(VerifyControlPass, "regshare-verify-control",
                      "Prove that no value is used before it is there", false,
                      true)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(VerifyControlPass, "regshare-verify-control",
                    "Prove that no value is used before it is there", false,
                    true)
