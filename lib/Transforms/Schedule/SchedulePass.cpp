//===- SchedulePass.cpp - The pass regshare-schedule ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/Schedule/Schedule.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

namespace {
class SchedulePass : public MachineFunctionPass {
public:
  static char ID;
  SchedulePass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare schedule"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addRequired<AAResultsWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

static void remark(MachineFunction &MF, const ScheduleStats &S) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  ORE.emit([&] {
    using NV = DiagnosticInfoOptimizationBase::Argument;
    MachineOptimizationRemark R("regshare", "Scheduled", locationOf(MF),
                                &MF.front());
    R << NV("Reordered", S.Reordered) << " of " << NV("Regions", S.Regions)
      << " regions in another order, within " << NV("Budget", S.Budget)
      << " registers";
    if (S.Recomputed)
      R << ", for which " << NV("Recomputed", S.Recomputed)
        << " instructions compute values again";
    R << "; a warp that is alone takes " << NV("CyclesAfter", S.CyclesAfter)
      << " cycles through all of them instead of "
      << NV("CyclesBefore", S.CyclesBefore);
    return R;
  });
}

bool SchedulePass::runOnMachineFunction(MachineFunction &MF) {
  const CompilerOptions &Options = getAnalysis<SessionPass>().options();
  if (!isKernel(MF) || !Options.Schedule)
    return false;
  Expected<ScheduleStats> Stats =
      schedule(MF, getAnalysis<MachineLoopInfoWrapperPass>().getLI(),
               &getAnalysis<AAResultsWrapperPass>().getAAResults(), Options);
  if (!Stats) {
    reportUnlessFailed(MF.getFunction().getContext(), Stats.takeError());
    return false;
  }
  remark(MF, *Stats);
  return true;
}

char SchedulePass::ID = 0;
INITIALIZE_PASS_BEGIN(SchedulePass, "regshare-schedule",
                      "Order native code such that latency is hidden", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_DEPENDENCY(AAResultsWrapperPass)
INITIALIZE_PASS_END(SchedulePass, "regshare-schedule",
                    "Order native code such that latency is hidden", false,
                    false)
