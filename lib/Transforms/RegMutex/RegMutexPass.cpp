//===- RegMutexPass.cpp - Pass wrappers of RegMutex -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Transforms/RegMutex/RegMutex.h"

#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regshare;

/// What the user asked for and did not get.
static void warn(const MachineFunction &MF, const RegMutexResult &R,
                 unsigned Extended) {
  const Function &F = MF.getFunction();
  std::string Message = "regshare: " + MF.getName().str() +
                        ": no extended set of " + std::to_string(Extended) +
                        " registers: " + R.Untouched +
                        "; the kernel stays as it is";
  if (!F.getSubprogram())
    return F.getContext().diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
  F.getContext().diagnose(
      DiagnosticInfoGenericWithLoc(Message, F, locationOf(MF), DS_Warning));
}

static void remark(MachineFunction &MF, const RegMutexResult &R) {
  MachineOptimizationRemarkEmitter ORE(MF, nullptr);
  using NV = DiagnosticInfoOptimizationBase::Argument;
  DiagnosticLocation Where = locationOf(MF);
  if (!R.Split) {
    ORE.emit([&] {
      MachineOptimizationRemarkMissed M("regshare", "RegMutexUntouched", Where,
                                        &MF.front());
      M << "RegMutex leaves the kernel as it is: " << NV("Why", R.Untouched);
      return M;
    });
    return;
  }
  ORE.emit([&] {
    MachineOptimizationRemark M("regshare", "RegMutex", Where, &MF.front());
    M << NV("Base", R.Split->Base) << " base and "
      << NV("Extended", R.Split->Extended) << " extended registers, "
      << NV("Acquires", R.Acquires) << " acquires and "
      << NV("Releases", R.Releases) << " releases, held during "
      << NV("HeldInstructions", R.HeldInstrs) << " of "
      << NV("Instructions", R.Instrs) << " instructions";
    if (R.Copies)
      M << ", " << NV("Copies", R.Copies) << " copies";
    if (R.Recomputed)
      M << ", " << NV("Recomputed", R.Recomputed)
        << " instructions that compute values again";
    return M;
  });
}

static Expected<RegMutexResult> apply(MachineFunction &MF,
                                      const FlowFacts &Facts,
                                      const CompilerOptions &Options) {
  Expected<RegMutexResult> R = applyRegMutex(MF, Facts, Options);
  unsigned Asked = Options.Settings.get<unsigned>(settings::ExtendedSet);
  if (R && Asked && !R->Split)
    warn(MF, *R, Asked);
  return R;
}

namespace {

class RegMutexPass : public SchemePass<RegMutexResult> {
public:
  static char ID;
  RegMutexPass() : SchemePass(ID, "RegShare RegMutex", apply, remark) {}
};

class PrintRegMutexPass : public FlowPass {
public:
  static char ID;
  PrintRegMutexPass() : FlowPass(ID) {}

  StringRef getPassName() const override { return "RegShare print RegMutex"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    FlowPass::getAnalysisUsage(AU);
    AU.setPreservesAll();
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!isKernel(MF))
      return false;
    Expected<RegMutexResult> R =
        chooseRegMutex(MF, facts(), getAnalysis<SessionPass>().options());
    if (!R) {
      reportUnlessFailed(MF.getFunction().getContext(), R.takeError());
      return false;
    }
    outs() << "RegMutex on " << MF.getName() << ": ";
    printRegMutex(outs(), *R);
    return false;
  }
};

char RegMutexPass::ID = 0;
char PrintRegMutexPass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(
    RegMutexPass, "regshare-regmutex",
    "Divide registers into a base and an extended set", false)
REGSHARE_INITIALIZE_FLOW_PASS(PrintRegMutexPass, "regshare-print-regmutex",
                              "Print RegMutex's candidates and choice", true)

namespace {

constexpr StringRef Passes[] = {"regshare-regmutex"};
constexpr SchemeCompiler Compiler = {Passes, [](PassRegistry &Registry) {
                                       initializeRegMutexPassPass(Registry);
                                       initializePrintRegMutexPassPass(
                                           Registry);
                                     }};
constexpr CompilerFamily::Member Members[] = {
    {schemes::RegMutex, Compiler}, {schemes::RegMutexPaired, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily RegMutexCompilers;
const CompilerFamily RegMutexCompilers = {Members};
} // namespace regshare
