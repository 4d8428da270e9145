//===- SchemeCompiler.cpp - The passes of schemes -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/SchemeCompiler.h"

namespace regshare {

#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) extern const CompilerFamily Folder##Compilers;
#include "regshare/Base/Schemes.def"

namespace {
struct Entry {
  Scheme Of;
  const SchemeCompiler *Compiler;
};
} // namespace

static std::vector<Entry> &registry() {
  static std::vector<Entry> All = [] {
    std::vector<Entry> BuiltIn;
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder)                                               \
  for (const CompilerFamily::Member &M : Folder##Compilers.Members)            \
    BuiltIn.push_back({M.Description, &M.Compiler});
#include "regshare/Base/Schemes.def"
    return BuiltIn;
  }();
  return All;
}

const SchemeCompiler *compilerOf(Scheme S) {
  for (const Entry &E : registry())
    if (E.Of == S)
      return E.Compiler;
  return nullptr;
}

std::vector<const SchemeCompiler *> allSchemeCompilers() {
  std::vector<const SchemeCompiler *> All;
  for (const Entry &E : registry())
    All.push_back(E.Compiler);
  return All;
}

Result<void> registerSchemeCompiler(Scheme S, const SchemeCompiler &Compiler) {
  if (compilerOf(S))
    return fail("scheme '" + std::string(S.name()) +
                "': its compiler is registered already");
  registry().push_back({S, &Compiler});
  return {};
}

} // namespace regshare
