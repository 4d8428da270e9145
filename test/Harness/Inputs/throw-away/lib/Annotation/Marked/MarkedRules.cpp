//===- MarkedRules.cpp - Nothing is forbidden -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/SchemeRules.h"

namespace regshare {

namespace schemes {
extern const SchemeDescription Marked;
} // namespace schemes

namespace {
class MarkedRule final : public SchemeRules {
  void verify(VerifierRun &) const override {}
};
} // namespace

static constexpr MarkedRule Rules;
static constexpr RulesFamily::Member Members[] = {{schemes::Marked, Rules}};
extern const RulesFamily MarkedRules;
const RulesFamily MarkedRules = {Members};

} // namespace regshare
