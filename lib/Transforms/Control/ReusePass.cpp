//===- ReusePass.cpp - regshare-reuse as a machine pass -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Options.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/Control/Reuse.h"
#include "regshare/Transforms/FlowPass.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

namespace {
class ReusePass : public MachineFunctionPass {
public:
  static char ID;
  ReusePass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare reuse"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!getAnalysis<SessionPass>().options().Reuse || !isKernel(MF) ||
        !isNative(MF))
      return false;
    eraseStatements(MF, {"reuse"});
    Expected<ControlCode> Code = readControlCode(
        MF,
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
    if (!Code) {
      reportUnlessFailed(MF.getFunction().getContext(), Code.takeError());
      return false;
    }
    assignReuse(*Code);
    for (const ControlBlock &B : *Code)
      for (const ControlUnit &U : B.Units)
        if (U.Reuse) {
          auto &MI = const_cast<MachineInstr &>(*U.At);
          insertStatement(*MI.getParent(), MI, printReusePragma(U.Reuse));
        }
    return true;
  }
};
} // namespace

char ReusePass::ID = 0;
INITIALIZE_PASS_BEGIN(ReusePass, "regshare-reuse",
                      "Say which operands the register-file cache keeps", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(ReusePass, "regshare-reuse",
                    "Say which operands the register-file cache keeps", false,
                    false)
