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

class GatePass : public SchemePass<gating::GatingResult> {
public:
  static char ID;
  GatePass()
      : SchemePass(ID, "RegShare gating", gating::applyGating, nullptr) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    FlowPass::getAnalysisUsage(AU);
    AU.setPreservesCFG();
  }
};

char GatePass::ID = 0;

} // namespace

REGSHARE_INITIALIZE_FLOW_PASS(GatePass, "regshare-gating",
                              "Switch registers off while they are empty",
                              false)

namespace {

constexpr StringRef Passes[] = {"regshare-gating"};
constexpr SchemeCompiler Compiler = {Passes, initializeGatePassPass};

} // namespace

static Result<void> registerCompilerHalf() {
  if (Result<void> Ok = registerSchemeCompiler(gating::Description, Compiler);
      !Ok)
    return Ok;
  return registerSchemeRules(gating::Description, gating::verifierRules());
}

REGSHARE_SCHEME_COMPILERS(registerCompilerHalf)
