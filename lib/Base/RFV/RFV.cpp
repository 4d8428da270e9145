//===- RFV.cpp - What RFV is ----------------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/RFV/RFV.h"

#include "regshare/Base/IndexBits.h"
#include "regshare/Base/RFV/RFVStatements.h"
#include "regshare/Base/Statements.h"

namespace regshare {

RFVStorage rfvStorage(const DeviceDescription &D) {
  unsigned Rows = partitionRows(D);
  return {D.MaxWarps * D.MaxRegsPerThread * indexBits(Rows),
          Rows * D.RegisterPartitions};
}

std::string printFreePragma(std::span<const unsigned> Units) {
  return statement("free regs=" + printUnits(Units));
}

Result<std::vector<unsigned>> parseFree(const Statement &D) {
  if (D.Fields.size() != 1 || D.Fields[0].first != "regs")
    return failAt(D, "expected regs=R3,R4 and nothing else");
  return parseUnits(D, D.Fields[0].second);
}

static Result<void> checkFree(const Statement &S, const KernelDescriptor &K,
                              SchemeFacts &) {
  Result<std::vector<unsigned>> Units = parseFree(S);
  return Units ? checkUnits(S, K, *Units) : fail(Units.error());
}

static constexpr StatementKind Statements[] = {
    {"free", StatementKind::Anywhere, StatementKind::SteppedOver,
     "no lane of the warp needs these registers any more", checkFree}};

const Setting settings::ThrottleCtas =
    Setting::flag("throttle-ctas", SettingUse::Machine, true,
                  "a CTA becomes resident only if there are rows for what CTAs "
                  "are seen to use; without, all do that threads and shared "
                  "memory allow");
static const Setting *const Settings[] = {&settings::ThrottleCtas};

static constexpr Claim Claims[] = {
    {Domain::Rows, "gives one to a register when it is written"},
    {Domain::Operands, "reads a register where it was renamed to"},
    {Domain::Waiting, "has warps wait for a free row"}};

const SchemeDescription schemes::RFV = {
    .Name = "rfv",
    .Summary = "registers renamed when written and freed when dead",
    .Page = "rfv",
    .Statements = Statements,
    .Settings = Settings,
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::RFV};
extern const SchemeFamily RFVFamily;
const SchemeFamily RFVFamily = {Members};

} // namespace regshare
