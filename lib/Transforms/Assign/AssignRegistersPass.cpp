//===- AssignRegistersPass.cpp - Pass wrappers of register assignment -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UndefinedValues.h"

#include "regshare/Transforms/FlowPass.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/RegisterLimit.h"
#include "regshare/Transforms/Schedule/Schedule.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

/// Reports \p E as an error of the compilation, at the kernel's place.
static void report(const MachineFunction &MF, Error E) {
  const Function &F = MF.getFunction();
  std::string Message = toString(std::move(E));
  const DISubprogram *SP = F.getSubprogram();
  if (!SP)
    return F.getContext().emitError("regshare: " + Message);
  DiagnosticLocation Where(SP);
  F.getContext().diagnose(
      DiagnosticInfoGenericWithLoc("regshare: " + Message, F, Where, DS_Error));
}

static void remark(MachineFunction &MF, const KernelResult &Result) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  ORE.emit([&] {
    using NV = DiagnosticInfoOptimizationBase::Argument;
    const AssignStats &S = Result.Stats;
    MachineOptimizationRemark R("regshare", "RegistersAssigned", locationOf(MF),
                                &MF.front());
    R << NV("Registers", S.Units) << " registers per thread ("
      << NV("PeakLive", S.AssignedPeak) << " live at the peak), "
      << NV("Predicates", S.Preds) << " predicates";
    if (S.GroupCopies)
      R << ", " << NV("GroupCopies", S.GroupCopies)
        << " copies for vector accesses";
    if (S.Rematerialized)
      R << ", " << NV("Rematerialized", S.Rematerialized)
        << " values computed again";
    if (S.Spilled)
      R << ", " << NV("Spilled", S.Spilled) << " values spilled ("
        << NV("SpillBytes", S.SpillBytes) << " bytes of local memory)";
    if (S.SharedSpilled)
      R << ", of which " << NV("SharedSpilled", S.SharedSpilled)
        << " to shared memory (" << NV("SharedSpillBytes", S.SharedSpillBytes)
        << " bytes of a CTA)";
    return R;
  });
}

namespace {

/// Base of the two passes: they need the same analyses and options.
class AssignPassBase : public MachineFunctionPass {
public:
  AssignPassBase(char &ID) : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

protected:
  Expected<RegisterAssignment> assign(MachineFunction &MF, bool ReadOnly,
                                      KernelResult &Result) {
    AssignOptions Options;
    Options.ReadOnly = ReadOnly;
    // Constants of native code are operands already; what is left costs an
    // instruction wherever it is computed.
    Options.LowerPeak =
        getAnalysis<SessionPass>().options().Rematerialize && !isNative(MF);
    Expected<unsigned> Limit = limitOf(MF);
    if (!Limit)
      return Limit.takeError();
    Options.MaxUnits = *Limit;
    Expected<unsigned> Launch =
        launchUnits(MF, getAnalysis<SessionPass>().options());
    if (!Launch)
      return Launch.takeError();
    Options.LaunchUnits = *Launch;
    if (isNative(MF)) {
      Expected<unsigned> Free =
          scheduleBudget(MF, getAnalysis<SessionPass>().options(), /*Peak=*/0);
      if (!Free)
        return Free.takeError();
      Options.FreeUnits = *Free;
    }
    if (Error E = sharedSpillRoom(MF, getAnalysis<SessionPass>().options(),
                                  Options.MaxUnits)
                      .moveInto(Options.SharedRoom))
      return std::move(E);
    Result.SharedRoom = Options.SharedRoom;
    Expected<RegisterAssignment> Assignment = assignRegisters(
        MF, getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
        Options, Result.Stats);
    if (Assignment && !ReadOnly)
      noteSharedSpills(MF.getFunction(), Options.SharedRoom,
                       Result.Stats.SharedSpillBytes);
    return Assignment;
  }

  Expected<unsigned> limitOf(const MachineFunction &MF) {
    return registerLimit(MF, getAnalysis<SessionPass>().options());
  }

  KernelResult &resultFor(const MachineFunction &MF) {
    return getAnalysis<SessionPass>().Results[MF.getName().str()];
  }
};

class AssignRegistersPass : public AssignPassBase {
public:
  static char ID;
  AssignRegistersPass() : AssignPassBase(ID) {}

  StringRef getPassName() const override { return "RegShare assign registers"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AssignPassBase::getAnalysisUsage(AU);
    AU.setPreservesCFG();
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    KernelResult &Result = resultFor(MF);
    bool HasNames = hasArchitectedNames(MF);
    if (!HasNames)
      defineUndefinedOperands(MF);
    Expected<RegisterAssignment> Assignment =
        HasNames ? check(MF, Result) : assign(MF, false, Result);
    if (!Assignment) {
      report(MF, Assignment.takeError());
      return false;
    }
    if (!HasNames)
      rewriteToArchitected(MF, *Assignment, Result.CopiesRemoved);
    remark(MF, Result);
    return true;
  }

private:
  Error checkLimit(const MachineFunction &MF, const RegisterAssignment &Given) {
    Expected<unsigned> Limit = limitOf(MF);
    if (!Limit)
      return Limit.takeError();
    if (Given.numUnits() <= *Limit)
      return Error::success();
    return createStringError(MF.getName() + ": names registers up to R" +
                             Twine(Given.numUnits() - 1) + ", but may use " +
                             Twine(*Limit));
  }

  /// Somebody has assigned the registers already.
  Expected<RegisterAssignment> check(MachineFunction &MF,
                                     KernelResult &Result) {
    Expected<RegisterAssignment> Given = RegisterAssignment::fromNames(MF);
    if (!Given)
      return Given;
    if (Error E = checkNoOverlap(MF, *Given))
      return std::move(E);
    if (Error E = measurePeak(MF, Result.Stats))
      return std::move(E);
    if (Error E = checkLimit(MF, *Given))
      return std::move(E);
    Result.Stats.Units = Given->numUnits();
    Result.Stats.Preds = Given->numPreds();
    return Given;
  }
};

class AnalyzeRegistersPass : public AssignPassBase {
public:
  static char ID;
  AnalyzeRegistersPass() : AssignPassBase(ID) {}

  StringRef getPassName() const override {
    return "RegShare analyze registers";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AssignPassBase::getAnalysisUsage(AU);
    AU.setPreservesAll();
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    KernelResult &Result = resultFor(MF);
    if (auto Assignment = assign(MF, /*ReadOnly=*/true, Result))
      remark(MF, Result);
    else
      report(MF, Assignment.takeError());
    return false;
  }
};

char AssignRegistersPass::ID = 0;
char AnalyzeRegistersPass::ID = 0;

} // namespace

char &regshare::AnalyzeRegistersID = AnalyzeRegistersPass::ID;

INITIALIZE_PASS_BEGIN(AssignRegistersPass, "regshare-assign-registers",
                      "Give every value an architected register", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineBlockFrequencyInfoWrapperPass)
INITIALIZE_PASS_END(AssignRegistersPass, "regshare-assign-registers",
                    "Give every value an architected register", false, false)

INITIALIZE_PASS_BEGIN(AnalyzeRegistersPass, "regshare-analyze-registers",
                      "Report register use, changing nothing", false, true)
INITIALIZE_PASS_DEPENDENCY(MachineBlockFrequencyInfoWrapperPass)
INITIALIZE_PASS_END(AnalyzeRegistersPass, "regshare-analyze-registers",
                    "Report register use, changing nothing", false, true)
