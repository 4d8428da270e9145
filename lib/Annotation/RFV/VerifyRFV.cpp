//===- VerifyRFV.cpp - The rule of register file virtualisation -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/RFV/RFVRules.h"
#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Base/RFV/RFV.h"
#include "regshare/Base/RFV/RFVStatements.h"

namespace regshare {

namespace {

class FreeRules final : public SchemeRules {
  void verify(VerifierRun &Run) const override {
    GivenBack Given;
    for (const PlacedStatement &S : Run.Statements) {
      const std::vector<unsigned> Units = *parseFree(S);
      for (unsigned Unit : Units)
        Given[S.MI].set(Unit);
    }
    Run.reportBadReads(rules::LostByFree, Given);
  }
};

constexpr FreeRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::RFV, Rules}};

} // namespace

extern const RulesFamily RFVRules;
const RulesFamily RFVRules = {Members};

} // namespace regshare
