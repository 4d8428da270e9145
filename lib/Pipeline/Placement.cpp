//===- Placement.cpp - Where our passes run -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Pipeline/Placement.h"

#include "regshare/Analysis/Passes.h"
#include "regshare/Annotation/Verifier.h"
#include "regshare/Annotation/VerifyControl.h"
#include "regshare/Annotation/VerifyFold.h"
#include "regshare/Annotation/VerifyReuse.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Transforms/Control/Control.h"
#include "regshare/Transforms/Control/Reuse.h"
#include "regshare/Transforms/Passes.h"
#include "regshare/Transforms/Schedule/Schedule.h"
#include "regshare/Transforms/SchemeCompiler.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regshare {

/// The placement table: the pass that ours follow, by optimisation level. The
/// anchors differ because -O0 runs a pipeline of its own. What comes after
/// neither of them changes code or makes registers. Both come after copies are
/// expanded, which drops those that LiveIntervals finds dead.
static StringRef anchorFor(CodeGenOptLevel Level) {
  return Level == CodeGenOptLevel::None ? "postrapseudos" : "block-placement";
}

namespace {

/// LLVM ignores a pass inserted after one that never runs. At the end of code
/// generation this one looks whether ours did.
class PlacementCheckPass : public ModulePass {
public:
  static char ID;
  explicit PlacementCheckPass(std::string Anchor = "")
      : ModulePass(ID), Anchor(std::move(Anchor)) {}

  StringRef getPassName() const override { return "RegShare placement check"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<SessionPass>();
    AU.setPreservesAll();
  }
  bool runOnModule(Module &) override {
    Session = &getAnalysis<SessionPass>();
    return false;
  }
  bool doFinalization(Module &M) override {
    for (const Function &F : M)
      if (!F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel &&
          !Session->Results.count(F.getName().str())) {
        M.getContext().emitError("regshare: no pass '" + Anchor +
                                 "' ran to place RegShare's passes after; "
                                 "nothing was done to kernel '" +
                                 F.getName() + "'");
        break;
      }
    return false;
  }

private:
  std::string Anchor;
  SessionPass *Session = nullptr;
};

char PlacementCheckPass::ID = 0;

} // namespace

std::vector<std::string> schemePasses(StringRef Name, CodeForm Code) {
  std::vector<std::string> Passes = {"regshare-assign-registers"};
  if (Code == CodeForm::Native)
    Passes.insert(Passes.begin(), {"regshare-fold", "regshare-schedule"});
  Result<Scheme> Named = parseScheme(Name.str());
  Scheme S = Named ? *Named : schemes::Baseline;
  for (const SchemeDescription *Part : S.parts())
    if (const SchemeCompiler *Compiler = compilerOf(*Part))
      for (StringRef Each : Compiler->Passes)
        Passes.push_back(Each.str());
  if (!S->Statements.empty())
    Passes.push_back("regshare-verify-annotations");
  if (Code == CodeForm::Native)
    for (const char *Each :
         {"regshare-verify-fold", "regshare-reuse", "regshare-verify-reuse",
          "regshare-control", "regshare-verify-control"})
      Passes.push_back(Each);
  Passes.push_back("regshare-annotate");
  return Passes;
}

static bool Withheld = false;

void withholdPasses(bool Withhold) { Withheld = Withhold; }

static void place(TargetMachine &TM, legacy::PassManagerBase &PM,
                  TargetPassConfig *Config) {
  if (!TM.getTargetTriple().isNVPTX())
    return;
  Config->insertPass(&FinalizeISelID, &ParameterCopiesID);
  if (Withheld)
    return;
  auto *Session = new SessionPass();
  const CompilerOptions &Options = Session->options();
  std::string Anchor = Options.Anchor.empty()
                           ? anchorFor(TM.getOptLevel()).str()
                           : Options.Anchor;
  PM.add(Session);
  PM.add(new PlacementCheckPass(Anchor));
  const PassInfo *Info = PassRegistry::getPassRegistry()->getPassInfo(Anchor);
  if (!Info)
    return; // PlacementCheckPass reports it.
  if (Options.Scheme.empty()) {
    Config->insertPass(Info->getTypeInfo(), &AnalyzeRegistersID);
    if (Options.SharedSpilling)
      Config->insertPass(Info->getTypeInfo(), &SharedSpillingID);
    return;
  }
  for (const std::string &Name :
       schemePasses(Options.Scheme, chosenCode(Options)))
    Config->insertPass(
        Info->getTypeInfo(),
        PassRegistry::getPassRegistry()->getPassInfo(Name)->getTypeInfo());
}

void initializeRegSharePasses() {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeSessionPassPass(Registry);
  initializeFoldPassPass(Registry);
  initializeParameterCopiesPassPass(Registry);
  initializeSchedulePassPass(Registry);
  initializeAssignRegistersPassPass(Registry);
  initializeAnalyzeRegistersPassPass(Registry);
  initializeSharedSpillingPassPass(Registry);
  initializeVerifyAnnotationsPassPass(Registry);
  initializeVerifyFoldPassPass(Registry);
  initializeReusePassPass(Registry);
  initializeVerifyReusePassPass(Registry);
  initializeControlPassPass(Registry);
  initializeVerifyControlPassPass(Registry);
  initializeAnnotatePassPass(Registry);
  initializeAnalysisPasses();
  for (const SchemeCompiler *Compiler : allSchemeCompilers())
    Compiler->InitializePasses(Registry);
}

void placePassesInCodeGen() {
  initializeRegSharePasses();
  static RegisterTargetPassConfigCallback Callback(place);
}

} // namespace regshare
