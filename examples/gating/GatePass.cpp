//===- GatePass.cpp - The compiler half of the library --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gate.h"
#include "VerifyGating.h"

#include "regshare/Base/SchemeLibrary.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/SchemeCompiler.h"

using namespace llvm;
using namespace regshare;

namespace {

class GatePass : public FlowPass {
public:
  static char ID;
  GatePass() : FlowPass(ID) {}

  StringRef getPassName() const override { return "RegShare gating"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    FlowPass::getAnalysisUsage(AU);
    AU.setPreservesCFG();
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!isKernel(MF))
      return false;
    SessionPass &Session = getAnalysis<SessionPass>();
    Expected<gating::GatingResult> R =
        gating::applyGating(MF, facts(), Session.options());
    if (!R) {
      reportUnlessFailed(MF.getFunction().getContext(), R.takeError());
      return true;
    }
    Session.Results[MF.getName().str()].OfScheme =
        std::make_shared<gating::GatingResult>(std::move(*R));
    return true;
  }
};

char GatePass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(GatePass, "regshare-gating",
                              "Switch registers off while they are empty",
                              false)

namespace {

class GatingCompiler final : public SchemeCompiler {
  std::vector<StringRef> passes() const override { return {"regshare-gating"}; }
  void initializePasses(PassRegistry &Registry) const override {
    initializeGatePassPass(Registry);
  }
};

constexpr GatingCompiler Compiler;

} // namespace

static Result<void> registerCompilerHalf() {
  if (Result<void> Ok = registerSchemeCompiler(gating::Description, Compiler);
      !Ok)
    return Ok;
  return registerSchemeRules(gating::Description, gating::verifierRules());
}

REGSHARE_SCHEME_COMPILERS(registerCompilerHalf)
