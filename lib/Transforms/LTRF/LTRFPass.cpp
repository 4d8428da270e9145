//===- LTRFPass.cpp - Pass wrappers of LTRF -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Transforms/LTRF/LTRF.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare;

static void remark(MachineFunction &MF, const LTRFResult &R) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  using NV = DiagnosticInfoOptimizationBase::Argument;
  DiagnosticLocation Where = locationOf(MF);
  ORE.emit([&] {
    MachineOptimizationRemark M("regshare", "LTRF", Where, &MF.front());
    M << NV("Intervals", R.Intervals)
      << (R.Kind == PartitionKind::Strands ? " strands" : " intervals")
      << " of at most " << NV("Registers", R.MaxRegisters) << " registers, "
      << NV("Prefetches", R.Cost.Prefetches)
      << " prefetches, expected to execute "
      << NV("PrefetchesExecuted", decimal(R.Cost.Executed)) << " times for "
      << NV("InstructionsExecuted", decimal(R.InstrsExecuted))
      << " instructions; code grows by "
      << NV("EmbeddedBytes", unsigned(R.EmbeddedBytes)) << " of "
      << NV("CodeBytes", unsigned(R.CodeBytes)) << " bytes, "
      << NV("ExplicitBytes", unsigned(R.ExplicitBytes))
      << " with an instruction for each prefetch";
    if (R.DeadOperands)
      M << ", " << NV("DeadOperands", R.DeadOperands) << " dead operands";
    return M;
  });
}

/// The scheme that the options name, alone or as a part; LTRF if another.
static Scheme intervalScheme(const CompilerOptions &Options) {
  Result<Scheme> S = parseScheme(Options.Scheme);
  if (S)
    for (const SchemeDescription *Part : S->parts())
      if (usesIntervals(*Part))
        return *Part;
  return schemes::LTRF;
}

static Expected<LTRFResult> apply(MachineFunction &MF, const FlowFacts &Facts,
                                  const CompilerOptions &Options) {
  return applyLTRF(MF, Facts, intervalScheme(Options), Options);
}

namespace {

class LTRFPass : public SchemePass<LTRFResult> {
public:
  static char ID;
  LTRFPass() : SchemePass(ID, "RegShare LTRF", apply, remark) {}
};

class PrintIntervalsPass : public FlowPass {
public:
  static char ID;
  PrintIntervalsPass() : FlowPass(ID) {}

  StringRef getPassName() const override { return "RegShare print intervals"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    FlowPass::getAnalysisUsage(AU);
    AU.setPreservesAll();
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
    if (!Assignment) {
      reportUnlessFailed(MF.getFunction().getContext(), Assignment.takeError());
      return false;
    }
    FlowFacts Facts = facts();
    Analyses A(MF, std::move(*Assignment), Facts.PDT);
    IntervalCode Code(MF, A.Assignment, A.Warp, Facts.MBFI, Facts.MBPI);
    const CompilerOptions &Options = getAnalysis<SessionPass>().options();
    Scheme S = intervalScheme(Options);
    IntervalPartition P = divideIntoIntervals(Code, S, Options);
    outs() << (P.Kind == PartitionKind::Strands ? "strands" : "intervals")
           << " of " << MF.getName() << ": " << P.Intervals.size() << "\n";
    printIntervals(outs(), Code, P);
    return false;
  }
};

char LTRFPass::ID = 0;
char PrintIntervalsPass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(LTRFPass, "regshare-ltrf",
                              "Prefetch the registers of each interval (LTRF)",
                              false)
REGSHARE_INITIALIZE_FLOW_PASS(PrintIntervalsPass, "regshare-print-intervals",
                              "Print the register-intervals or strands of LTRF",
                              true)

namespace {

constexpr StringRef Passes[] = {"regshare-ltrf"};
constexpr SchemeCompiler Compiler = {Passes, [](PassRegistry &Registry) {
                                       initializeLTRFPassPass(Registry);
                                       initializePrintIntervalsPassPass(
                                           Registry);
                                     }};
constexpr CompilerFamily::Member Members[] = {{schemes::LTRF, Compiler},
                                              {schemes::LTRFPlus, Compiler},
                                              {schemes::LTRFStrand, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily LTRFCompilers;
const CompilerFamily LTRFCompilers = {Members};
} // namespace regshare
