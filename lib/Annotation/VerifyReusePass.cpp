//===- VerifyReusePass.cpp - regshare-verify-reuse ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstrPlace.h"

#include "regshare/Annotation/VerifyReuse.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/FlowPass.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

namespace {
class VerifyReusePass : public MachineFunctionPass {
public:
  static char ID;
  VerifyReusePass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare verify reuse"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

bool VerifyReusePass::runOnMachineFunction(MachineFunction &MF) {
  if (!isKernel(MF) || !isNative(MF) || !hasStatement(MF, "reuse"))
    return false;
  LLVMContext &Context = MF.getFunction().getContext();
  Expected<ControlCode> Code = readControlCode(
      MF, getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
  if (!Code) {
    reportUnlessFailed(Context, Code.takeError());
    return false;
  }
  for (const ReuseViolation &V : verifyReuse(*Code))
    Context.emitError("regshare: function '" + MF.getName() + "': " +
                      atInstr(V.What, *(*Code)[V.Block].Units[V.Unit].At));
  return false;
}

char VerifyReusePass::ID = 0;
INITIALIZE_PASS_BEGIN(VerifyReusePass, "regshare-verify-reuse",
                      "Prove that kept operands are what registers hold", false,
                      true)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(VerifyReusePass, "regshare-verify-reuse",
                    "Prove that kept operands are what registers hold", false,
                    true)
