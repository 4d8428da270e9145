//===- MutantCompiler.cpp - Code with one mistake -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantCompiler.h"

#include "DropWarnings.h"
#include "MachineWarp.h"

#include "regshare/Annotation/Verifier.h"
#include "regshare/Annotation/VerifyFold.h"
#include "regshare/Frontend/Target.h"
#include "regshare/Pipeline/Pipeline.h"
#include "regshare/Pipeline/Placement.h"
#include "regshare/Transforms/Session.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
void initializeMutatePassPass(PassRegistry &);
} // namespace llvm

using namespace llvm;
using regshare::test::MachineWarp;

namespace regshare::mutation {

namespace {

/// What the pass is to do next: passes are made by name.
struct Request {
  std::string Kernel;
  std::function<void(MachineFunction &, const MachinePostDominatorTree &)>
      Change;
};
Request Current;

class MutatePass : public MachineFunctionPass {
public:
  static char ID;
  MutatePass() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};

char MutatePass::ID = 0;

} // namespace

/// In different orders of the sides of branches.
static std::vector<MachineWarp> runWarps(const MachineFunction &MF,
                                         const MachinePostDominatorTree &PDT) {
  constexpr unsigned Orders = 8, MaxBranches = 200;
  std::vector<MachineWarp> Warps;
  for (unsigned Order = 0; Order != Orders; ++Order) {
    Warps.emplace_back(MF, Reconvergence(MF, PDT), Order);
    Warps.back().run(MaxBranches);
  }
  return Warps;
}

static std::string difference(const std::vector<MachineWarp> &Before,
                              const std::vector<MachineWarp> &After) {
  for (size_t I = 0; I != Before.size(); ++I) {
    if (!After[I].Violation.empty())
      return After[I].Violation;
    if (Before[I].Trace != After[I].Trace)
      return "lanes do something else";
  }
  return {};
}

bool MutatePass::runOnMachineFunction(MachineFunction &MF) {
  if (MF.getName() != Current.Kernel)
    return false;
  Current.Change(
      MF, getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree());
  return true;
}

/// Changes \p MF, and verifies it.
static void mutate(MachineFunction &MF, const MachinePostDominatorTree &PDT,
                   Scheme S, const std::optional<Wish> &What, Mutant &R) {
  bool IsModelled = trialOf(S).isModelled();
  auto Assignment = cantFail(RegisterAssignment::fromNames(MF));
  R.Subjects = subjects(MF, Assignment, S);
  if (!What)
    return;
  std::vector<MachineWarp> Before;
  if (IsModelled)
    Before = runWarps(MF, PDT);
  VerifierOptions Options;
  Options.Asked = S;
  R.Did = change(MF, Assignment, *What, S);
  // A statement may have come between a block of inline PTX and its registers.
  Expected<RegisterAssignment> Now = RegisterAssignment::fromNames(MF);
  if (!Now) {
    R.Violations.push_back(toString(Now.takeError()));
    return;
  }
  for (const AnnotationViolation &V : verifyAnnotations(MF, *Now, PDT, Options))
    R.Violations.push_back(V.str());
  for (const FoldViolation &V : verifyFold(MF))
    R.Violations.push_back(V.str());
  if (IsModelled)
    R.Wrong = difference(Before, runWarps(MF, PDT));
}

Expected<std::string> annotate(const InputOptions &Options, Scheme S,
                               const SettingValues &Settings,
                               const std::string &Device) {
  Expected<LoadedInput> Input = loadInput(Options);
  if (!Input)
    return Input.takeError();
  test::dropWarnings(*Input->Context);
  Input->TM->Options.AllowFPOpFusion = FPOpFusion::Strict;
  CompilerOptions Compiler;
  Compiler.Scheme = S.name();
  Compiler.Settings = Settings;
  Compiler.Device = Device;
  Compiler.Code = Options.Code;
  // An operand is kept for the instruction that comes next: in another order
  // the bits are wrong, whatever the order is. Mutants of the bits themselves
  // are those of unittests/Transforms/Control/ReuseTest.cpp.
  Compiler.Reuse = false;
  if (Error E = prepareForCodeGen(*Input))
    return std::move(E);
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  if (Error E = runPipeline(
          *Input, new SessionPass(Compiler),
          passesForScheme(Compiler.Scheme, OutputKind::MIR, Options.Code),
          OutputKind::MIR, OS))
    return std::move(E);
  return Text.str().str();
}

Expected<std::string> compileChanged(
    const std::string &MIR, const std::string &Kernel, Scheme S,
    std::function<void(MachineFunction &, const MachinePostDominatorTree &)>
        Change) {
  InputOptions Options;
  Options.Path = "annotated.mir";
  Options.Contents = MemoryBufferRef(MIR, "annotated.mir");
  Options.Language = "mir";
  Expected<LoadedInput> Input = loadInput(Options);
  if (!Input)
    return Input.takeError();
  test::dropWarnings(*Input->Context);
  Current = {Kernel, std::move(Change)};
  CompilerOptions Compiler;
  Compiler.Scheme = S.name();
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  if (Error E = runPipeline(*Input, new SessionPass(Compiler),
                            {"regshare-mutate", "regshare-annotate"},
                            OutputKind::PTX, OS))
    return std::move(E);
  return Text.str().str();
}

Expected<std::string> annotateBitcode(StringRef Bitcode, CodeForm Code,
                                      Scheme S, const SettingValues &Settings) {
  InputOptions Input;
  Input.Path = "kernel.bc";
  Input.Contents = MemoryBufferRef(Bitcode, "kernel.bc");
  Input.Language = "ir";
  Input.Code = Code;
  return annotate(Input, S, Settings);
}

Expected<Mutant> makeMutant(const std::string &MIR, const std::string &Kernel,
                            Scheme S, std::optional<Wish> What) {
  Mutant Result;
  auto PTX = compileChanged(
      MIR, Kernel, S,
      [&](MachineFunction &MF, const MachinePostDominatorTree &PDT) {
        mutate(MF, PDT, S, What, Result);
      });
  if (!PTX)
    return PTX.takeError();
  Result.PTX = std::move(*PTX);
  return Result;
}

} // namespace regshare::mutation

using regshare::mutation::MutatePass;
INITIALIZE_PASS_BEGIN(MutatePass, "regshare-mutate", "Make one mistake", false,
                      false)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(MutatePass, "regshare-mutate", "Make one mistake", false,
                    false)

void regshare::mutation::initializeMutation() {
  initializeTarget();
  initializeRegSharePasses();
  llvm::initializeMutatePassPass(*PassRegistry::getPassRegistry());
}
