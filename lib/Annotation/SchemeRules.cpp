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

static SchemeRegistry<SchemeRules> &registry() {
  static SchemeRegistry<SchemeRules> All("rules", {
#define REGSHARE_SCHEMES_WITHOUT_COMPILER(Folder)
#define REGSHARE_SCHEMES(Folder) Folder##Rules,
#include "regshare/Base/Schemes.def"
                                                  });
  return All;
}

const SchemeRules *rulesOf(Scheme S) { return registry().find(S); }

Result<void> registerSchemeRules(Scheme S, const SchemeRules &Rules) {
  return registry().add(S, Rules);
}

} // namespace regshare
