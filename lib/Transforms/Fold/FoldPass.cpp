//===- FoldPass.cpp - Native code as a machine pass -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "Uniformity.h"

#include "regshare/Analysis/Reconvergence.h"
#include "regshare/CodeGen/Native/HardwareCost.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regshare;

namespace {
class FoldPass : public MachineFunctionPass {
public:
  static char ID;
  FoldPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare fold"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    // A table may still name a function, which nothing calls any more.
    if (!isKernel(MF))
      return false;
    // Whatever comes after this pass takes native code for what hardware has.
    if (auto Costs = HardwareCosts::get(MF.getTarget().getTargetCPU());
        !Costs) {
      reportUnlessFailed(
          MF.getFunction().getContext(),
          createStringError("no native code: " + Costs.error().Message));
      return false;
    }
    const HardwareOps &Ops =
        HardwareOps::get(*MF.getSubtarget().getInstrInfo());
    setNative(MF);
    foldOffsets(MF, Ops);
    findConstants(MF, Ops);
    const Reconvergence Meetings(
        MF,
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
    DenseSet<Register> Addresses;
    if (addsInAccesses(MF))
      Addresses = findAddresses(MF, Ops, Uniformity(MF, Meetings));
    joinInstructions(MF, Ops, Addresses);
    placeUniform(MF, Ops, Meetings, Addresses);
    // What is in no access after all.
    if (!Addresses.empty())
      joinInstructions(MF, Ops);
    placeConstants(MF, Ops);
    return true;
  }
};
} // namespace

char FoldPass::ID = 0;
INITIALIZE_PASS_BEGIN(FoldPass, "regshare-fold",
                      "Join what is one instruction of the hardware", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(FoldPass, "regshare-fold",
                    "Join what is one instruction of the hardware", false,
                    false)
