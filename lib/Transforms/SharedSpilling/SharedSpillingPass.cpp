//===- SharedSpillingPass.cpp - The pragma for ptxas ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/CodeGen/SharedSpilling.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

static bool hasCalls(const MachineFunction &MF) {
  return llvm::any_of(MF, [](const MachineBasicBlock &MBB) {
    return llvm::any_of(MBB,
                        [](const MachineInstr &MI) { return MI.isCall(); });
  });
}

namespace {

class SharedSpillingPass : public MachineFunctionPass {
public:
  static char ID;
  SharedSpillingPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare shared spilling"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  /// ptxas refuses a kernel that asks for it and has dynamic shared memory, or
  /// calls a function that is not inlined, such as vprintf.
  bool runOnMachineFunction(MachineFunction &MF) override {
    bool Asks = asksForSharedSpilling(MF);
    if (!isKernel(MF) || sharedMemory(MF.getFunction()).Dynamic ||
        hasCalls(MF) ||
        (!Asks && !getAnalysis<SessionPass>().options().SharedSpilling))
      return false;
    insertStatement(MF.front(), MF.front().begin(),
                    (".pragma \"" + SharedSpillingPragma + "\";").str());
    return true;
  }
};

char SharedSpillingPass::ID = 0;

} // namespace

char &regshare::SharedSpillingID = SharedSpillingPass::ID;

INITIALIZE_PASS(SharedSpillingPass, "regshare-smem-spilling",
                "Ask ptxas to spill registers to shared memory first", false,
                false)
