//===- CollectReport.cpp - Gather a kernel's report -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/Pressure.h"
#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Frontend/InlineDeviceFunctions.h"
#include "regshare/Pipeline/Report.h"
#include "regshare/Pipeline/ReportCollector.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

/// Where \p MI comes from in the kernel's own file, if what it was inlined from
/// stands elsewhere (CUDA's headers); null if that is not known.
static const DILocation *ownLocation(const MachineInstr &MI) {
  const DILocation *Innermost = MI.getDebugLoc().get();
  if (!Innermost || !Innermost->getLine())
    return nullptr;
  const DISubprogram *SP = MI.getMF()->getFunction().getSubprogram();
  for (const DILocation *Loc = Innermost; Loc && SP; Loc = Loc->getInlinedAt())
    if (Loc->getFilename() == SP->getFilename() && Loc->getLine())
      return Loc;
  return Innermost;
}

static ReportPoint describe(const PressurePoint &Point) {
  ReportPoint R;
  const MachineInstr &MI = *Point.MI;
  R.Block = MI.getParent()->getNumber();
  R.Live = Point.Thread.Units;
  R.WarpLive = Point.Warp.Units;
  if (const DILocation *Loc = ownLocation(MI)) {
    SmallString<128> Path(Loc->getFilename());
    if (!sys::path::is_absolute(Path) && !Loc->getDirectory().empty()) {
      Path = Loc->getDirectory();
      sys::path::append(Path, Loc->getFilename());
    }
    R.File = std::string(Path);
    R.Line = Loc->getLine();
  }
  raw_string_ostream OS(R.Text);
  MI.print(OS, /*IsStandalone=*/true, /*SkipOpers=*/false,
           /*SkipDebugLoc=*/true, /*AddNewLine=*/false);
  R.Text = StringRef(R.Text).trim().str();
  return R;
}

static KernelReport collect(const MachineFunction &MF, const Analyses &A,
                            const KernelResult &Result) {
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
  K.LocalBytes = MF.getFrameInfo().getStackSize();
  K.Branches = A.Divergence.numBranches();
  K.DivergentBranches = A.Divergence.numDivergentBranches();
  SharedMemoryUse Shared = sharedMemory(F);
  K.SharedBytes = Shared.StaticBytes;
  K.DynamicShared = Shared.Dynamic;
  Pressure P = measurePressure(MF, A.Warp);
  K.WarpPeak = P.Peak.Warp.Units;
  for (const PressurePoint &Point : P.Points)
    if (statementVerb(*Point.MI).empty())
      K.Points.push_back(describe(Point));
  K.Instructions = K.Points.size();
  return K;
}

namespace {
class CollectReportPass : public MachineFunctionPass {
public:
  static char ID;
  explicit CollectReportPass(std::vector<KernelReport> &Kernels)
      : MachineFunctionPass(ID), Kernels(Kernels) {}

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
    Kernels.push_back(
        collect(MF, A, getAnalysis<SessionPass>().Results[MF.getName().str()]));
    return false;
  }

private:
  std::vector<KernelReport> &Kernels;
};
char CollectReportPass::ID = 0;
} // namespace

FunctionPass *createCollectReportPass(std::vector<KernelReport> &Kernels) {
  initializeMachinePostDominatorTreeWrapperPassPass(
      *PassRegistry::getPassRegistry());
  return new CollectReportPass(Kernels);
}

} // namespace regshare
