//===- AnnotateFrees.cpp - Where registers die ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RFV/AnnotateFrees.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RFV/RFVStatements.h"

#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Base/Annotation.h"
#include "regshare/CodeGen/Statements.h"

using namespace llvm;

namespace regshare {

void insertFrees(MachineFunction &MF, const std::vector<FreePoint> &Frees) {
  // A block may free a hundred registers at its entry; lines stay readable.
  constexpr size_t MostPerStatement = 32;
  for (const FreePoint &P : Frees) {
    MachineBasicBlock &MBB = *MF.getBlockNumbered(P.MBB->getNumber());
    MachineBasicBlock::iterator Where = MBB.SkipPHIsAndLabels(MBB.begin());
    if (P.After)
      Where = std::next(P.After->getIterator()).getNonConst();
    ArrayRef<unsigned> Rest = P.Units;
    while (!Rest.empty()) {
      ArrayRef<unsigned> Some = Rest.take_front(MostPerStatement);
      Rest = Rest.drop_front(Some.size());
      insertStatement(MBB, Where, printFreePragma({Some.data(), Some.size()}));
    }
  }
}

} // namespace regshare

using namespace regshare;

namespace {
class AnnotateFreesPass : public MachineFunctionPass {
public:
  static char ID;
  AnnotateFreesPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare annotate frees"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

bool AnnotateFreesPass::runOnMachineFunction(MachineFunction &MF) {
  if (!isKernel(MF))
    return false;
  eraseStatements(MF, schemeVerbs());
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment) {
    reportUnlessFailed(MF.getFunction().getContext(), Assignment.takeError());
    return false;
  }
  Analyses A(
      MF, std::move(*Assignment),
      getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
  insertFrees(MF, findFrees(MF, A));
  return true;
}

char AnnotateFreesPass::ID = 0;

namespace llvm {
void initializeAnnotateFreesPassPass(PassRegistry &);
} // namespace llvm

INITIALIZE_PASS_BEGIN(AnnotateFreesPass, "regshare-annotate-frees",
                      "Say where a warp's registers die (RFV)", false, false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(AnnotateFreesPass, "regshare-annotate-frees",
                    "Say where a warp's registers die (RFV)", false, false)

namespace {

constexpr StringRef Passes[] = {"regshare-annotate-frees"};
constexpr SchemeCompiler Compiler = {Passes, initializeAnnotateFreesPassPass};
constexpr CompilerFamily::Member Members[] = {{schemes::RFV, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily RFVCompilers;
const CompilerFamily RFVCompilers = {Members};
} // namespace regshare
