//===- SetmaxnregPass.cpp - What a CTA's registers are -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace regshare;

namespace {

/// Says in the kernel how many registers its threads start with. Registers are
/// already assigned by the counts that follow from that.
class SetmaxnregPass : public MachineFunctionPass {
public:
  static char ID;
  SetmaxnregPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "RegShare setmaxnreg"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};

} // namespace

/// LLVM's intrinsics have opcodes without a name, by which nobody can tell
/// them.
static Error refuseIntrinsics(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && (Call->getIntrinsicID() ==
                     Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 ||
                 Call->getIntrinsicID() ==
                     Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32))
      return createStringError(F.getName() +
                               ": setmaxnreg as a call of LLVM's intrinsic: "
                               "expected inline PTX, found llvm.nvvm");
  return Error::success();
}

bool SetmaxnregPass::runOnMachineFunction(MachineFunction &MF) {
  if (!isKernel(MF))
    return false;
  eraseStatements(MF, schemeVerbs());
  LLVMContext &Context = MF.getFunction().getContext();
  if (Error E = refuseIntrinsics(MF.getFunction())) {
    reportUnlessFailed(Context, std::move(E));
    return true;
  }
  Expected<unsigned> Launch =
      launchUnits(MF, getAnalysis<SessionPass>().options());
  if (!Launch) {
    reportUnlessFailed(Context, Launch.takeError());
    return true;
  }
  if (!*Launch)
    return true;
  MachineBasicBlock &Entry = MF.front();
  insertStatement(Entry, Entry.SkipPHIsAndLabels(Entry.begin()),
                  printPoolPragma({*Launch}));
  return true;
}

char SetmaxnregPass::ID = 0;

namespace llvm {
void initializeSetmaxnregPassPass(PassRegistry &);
} // namespace llvm

INITIALIZE_PASS_BEGIN(SetmaxnregPass, "regshare-setmaxnreg",
                      "Say which registers the warps of a CTA share", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(SessionPass)
INITIALIZE_PASS_END(SetmaxnregPass, "regshare-setmaxnreg",
                    "Say which registers the warps of a CTA share", false,
                    false)

namespace {

constexpr StringRef Passes[] = {"regshare-setmaxnreg"};
constexpr SchemeCompiler Compiler = {Passes, initializeSetmaxnregPassPass};
constexpr CompilerFamily::Member Members[] = {{schemes::Setmaxnreg, Compiler}};

} // namespace

namespace regshare {
extern const CompilerFamily SetmaxnregCompilers;
const CompilerFamily SetmaxnregCompilers = {Members};
} // namespace regshare
