//===- CollectReport.cpp - Gather a kernel's report -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribePeak.h"
#include "SourceText.h"
#include "ValueNames.h"

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Pipeline/Report.h"
#include "regshare/Pipeline/ReportCollector.h"
#include "regshare/Transforms/IssueSlots.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

static ReportPoint describe(const PressurePoint &Point) {
  ReportPoint R;
  const MachineInstr &MI = *Point.MI;
  R.Block = MI.getParent()->getNumber();
  R.Live = Point.Thread.Units;
  R.WarpLive = Point.Warp.Units;
  SourcePlace Place = placeOf(MI);
  R.File = Place.File;
  R.Line = Place.Line;
  raw_string_ostream OS(R.Text);
  MI.print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  R.Text = StringRef(R.Text).trim().str();
  return R;
}

/// Describes the first of the instructions at which most units are live.
static KernelPeak peakOf(ArrayRef<const PressurePoint *> Points,
                         const Analyses &A, const ValueNames &Names) {
  KernelPeak Peak;
  for (auto [N, P] : enumerate(Points))
    if (P->Thread.Units > Points[Peak.Point]->Thread.Units)
      Peak.Point = N;
  Peak.Place = placeOf(*Points[Peak.Point]->MI);
  Peak.Values = describePeak(Points, Peak.Point, A.Thread, Names);
  return Peak;
}

static KernelReport collect(MachineFunction &MF, const Analyses &A,
                            const KernelResult &Result,
                            const ValueNames &Names) {
  const Function &F = MF.getFunction();
  KernelReport K;
  K.Name = MF.getName().str();
  K.Demangled = demangle(K.Name);
  K.IsKernel = isKernel(F);
  K.Target = MF.getTarget().getTargetCPU().str();
  K.Stats = Result.Stats;
  K.CopiesRemoved = Result.CopiesRemoved;
  K.OfScheme = Result.OfScheme;
  K.Bounds = launchBounds(F);
  K.SharedRoom = Result.SharedRoom;
  K.LocalBytes = MF.getFrameInfo().getStackSize();
  K.Branches = A.Divergence.numBranches();
  K.DivergentBranches = A.Divergence.numDivergentBranches();
  SharedMemoryUse Shared = sharedMemory(F);
  K.SharedBytes = Shared.StaticBytes;
  K.DynamicShared = Shared.Dynamic;
  Pressure P = measurePressure(MF, A.Warp);
  K.WarpPeak = P.Peak.Warp.Units;
  SmallVector<const PressurePoint *, 0> Points;
  for (const PressurePoint &Point : P.Points)
    if (statementVerb(*Point.MI).empty())
      Points.push_back(&Point);
  if (!Points.empty())
    K.Peak = peakOf(Points, A, Names);
  // The numbers have served their purpose, and would be printed.
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      MI.dropDebugNumber();
  for (const PressurePoint *Point : Points)
    K.Points.push_back(describe(*Point));
  K.Instructions = K.Points.size();
  if (isNative(MF)) {
    NativeCosts Costs(MF);
    Costs.noteBranches(MF, A.Meetings, A.Divergence);
    K.HardwareInstructions = Costs.count(MF);
  }
  return K;
}

/// Variables are for the report; in PTX they would be text.
static void removeDebugValues(MachineFunction &MF) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : llvm::make_early_inc_range(MBB))
      if (MI.isDebugValue())
        MI.eraseFromParent();
}

namespace {
class CollectReportPass : public MachineFunctionPass {
public:
  static char ID;
  CollectReportPass(std::vector<KernelReport> &Kernels,
                    std::shared_ptr<const ValueNames> Names)
      : MachineFunctionPass(ID), Kernels(Kernels), Names(std::move(Names)) {}

  StringRef getPassName() const override { return "RegShare collect report"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
    if (!Assignment) {
      reportUnlessFailed(MF.getFunction().getContext(), Assignment.takeError());
      return false;
    }
    const MachinePostDominatorTree &PDT =
        getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree();
    Analyses A(MF, std::move(*Assignment), PDT);
    const KernelResult &Result =
        getAnalysis<SessionPass>().Results[MF.getName().str()];
    Kernels.push_back(collect(MF, A, Result, *Names));
    removeDebugValues(MF);
    return false;
  }

private:
  std::vector<KernelReport> &Kernels;
  std::shared_ptr<const ValueNames> Names;
};
char CollectReportPass::ID = 0;
} // namespace

FunctionPass *createCollectReportPass(std::vector<KernelReport> &Kernels,
                                      std::shared_ptr<const ValueNames> Names) {
  initializeMachinePostDominatorTreeWrapperPassPass(
      *PassRegistry::getPassRegistry());
  return new CollectReportPass(Kernels, std::move(Names));
}

} // namespace regshare
