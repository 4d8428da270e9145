//===- SchemeRules.cpp - The rules of schemes -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/SchemeRules.h"

namespace regshare {

#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) extern const RulesFamily Folder##Rules;
#include "regshare/Base/Schemes.def"

namespace {
struct Entry {
  Scheme Of;
  const SchemeRules *Rules;
};
} // namespace

static std::vector<Entry> &registry() {
  static std::vector<Entry> All = [] {
    std::vector<Entry> BuiltIn;
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder)                                               \
  for (const RulesFamily::Member &M : Folder##Rules.Members)                   \
    BuiltIn.push_back({M.Description, &M.Rules});
#include "regshare/Base/Schemes.def"
    return BuiltIn;
  }();
  return All;
}

const SchemeRules *rulesOf(Scheme S) {
  for (const Entry &E : registry())
    if (E.Of == S)
      return E.Rules;
  return nullptr;
}

Result<void> registerSchemeRules(Scheme S, const SchemeRules &Rules) {
  if (rulesOf(S))
    return fail("scheme '" + std::string(S.name()) +
                "': its rules are registered already");
  registry().push_back({S, &Rules});
  return {};
}

} // namespace regshare
