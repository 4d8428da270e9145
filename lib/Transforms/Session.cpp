//===- Session.cpp - Options in, results out ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Session.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace regshare {

char SessionPass::ID = 0;

SessionPass::SessionPass() : SessionPass(compilerOptions()) {}

SessionPass::SessionPass(CompilerOptions Options)
    : ImmutablePass(ID), Options(std::move(Options)) {
  initializeSessionPassPass(*PassRegistry::getPassRegistry());
}

void reportUnlessFailed(LLVMContext &Context, Error E) {
  if (Context.getDiagHandlerPtr()->HasErrors)
    consumeError(std::move(E));
  else
    Context.emitError("regshare: " + toString(std::move(E)));
}

} // namespace regshare

using regshare::SessionPass;
INITIALIZE_PASS(SessionPass, "regshare-session", "RegShare options and results",
                false, true)
