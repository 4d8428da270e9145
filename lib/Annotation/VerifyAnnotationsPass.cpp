//===- VerifyAnnotationsPass.cpp - The verifier as a machine pass ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Transforms/RegisterLimit.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regshare;

namespace {
class VerifyAnnotationsPass : public MachineFunctionPass {
public:
  static char ID;
  VerifyAnnotationsPass() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "RegShare verify annotations";
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

static Expected<VerifierOptions>
verifierOptions(const Function &F, const CompilerOptions &Options) {
  VerifierOptions V;
  if (Result<Scheme> S = parseScheme(Options.Scheme);
      S && !(*S)->Statements.empty())
    V.Asked = *S;
  V.Settings = Options.Settings;
  if (V.Asked)
    for (const Setting *S : (*V.Asked)->Settings)
      V.Settings.set(*S, Options.Settings[*S]);
  if (Options.Device.empty())
    return V;
  Result<DeviceDescription> D = loadDevice(Options.Device);
  if (!D)
    return createStringError(D.error().str());
  V.Device = std::move(*D);
  V.Resources = expectedResources(F, 0, Options);
  return V;
}

static void emit(const MachineFunction &MF, const AnnotationViolation &V) {
  LLVMContext &Context = MF.getFunction().getContext();
  std::string Message =
      ("regshare: kernel '" + MF.getName() + "': " + V.str()).str();
  if (V.MI && V.MI->getDebugLoc())
    Context.diagnose(DiagnosticInfoGenericWithLoc(
        Message, MF.getFunction(), DiagnosticLocation(V.MI->getDebugLoc())));
  else
    Context.emitError(Message);
}

bool VerifyAnnotationsPass::runOnMachineFunction(MachineFunction &MF) {
  const Function &F = MF.getFunction();
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return false;
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment) {
    reportUnlessFailed(F.getContext(), Assignment.takeError());
    return false;
  }
  Expected<VerifierOptions> Options =
      verifierOptions(F, getAnalysis<SessionPass>().options());
  if (!Options) {
    reportUnlessFailed(F.getContext(), Options.takeError());
    return false;
  }
  const MachinePostDominatorTree &PDT =
      getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree();
  for (const AnnotationViolation &V :
       verifyAnnotations(MF, *Assignment, PDT, *Options))
    emit(MF, V);
  return false;
}

char VerifyAnnotationsPass::ID = 0;
INITIALIZE_PASS_BEGIN(VerifyAnnotationsPass, "regshare-verify-annotations",
                      "Prove a scheme's annotations sound", false, true)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(VerifyAnnotationsPass, "regshare-verify-annotations",
                    "Prove a scheme's annotations sound", false, true)
