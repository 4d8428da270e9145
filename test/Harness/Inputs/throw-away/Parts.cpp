//===- Parts.cpp - Says what is known of a scheme -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules/CodeRules.h"
#include "SchemeTrial.h"
#include "Schemes/SchemeModel.h"
#include "regshare/Annotation/SchemeRules.h"
#include "regshare/Transforms/SchemeCompiler.h"

#include <cstdio>

using namespace regshare;

int main(int, char **Arguments) {
  const Result<Scheme> S = parseScheme(Arguments[1]);
  if (!S)
    return 1;
  const SchemeCompiler *Compiler = compilerOf(*S);
  const std::string Pass = Compiler ? Compiler->Passes.front().str() : "none";
  std::printf("%s: pass %s, rules %d, model %d, code %d, sizes %zu\n",
              std::string(S->name()).c_str(), Pass.c_str(),
              rulesOf(*S) != nullptr, sim::findModel(*S) != nullptr,
              sim::findCode(S->name()) != nullptr,
              mutation::trialOf(*S).programSizes().size());
}
