//===- Gating.cpp - The scheme's description ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gating.h"

#include "regshare/Base/ArchReg.h"
#include "regshare/Base/Statements.h"

namespace gating {

using namespace regshare;

std::string printGatingPragma(const GatedRegisters &G) {
  return statement("gating bound=" + std::to_string(G.Bound));
}

std::string printOffPragma() { return statement("off"); }

std::string printOnPragma() { return statement("on"); }

//===----------------------------------------------------------------------===//
// Statements in their function
//===----------------------------------------------------------------------===//

static Result<void> addGating(const Statement &S, const KernelDescriptor &,
                              SchemeFacts &Facts) {
  static constexpr const char *Keys[] = {"bound"};
  if (Facts.get<GatedRegisters>())
    return failAt(S, "a function has one bound");
  Result<std::vector<std::string>> Fields = fieldsOf(S, Keys);
  if (!Fields)
    return fail(Fields.error());
  Result<unsigned> Bound =
      parseNumber(S, Keys[0], Fields->front(), 1, MaxArchUnits);
  if (!Bound)
    return fail(Bound.error());
  Facts.set(GatedRegisters{*Bound});
  return {};
}

static Result<void> addSwitch(const Statement &S, const KernelDescriptor &,
                              SchemeFacts &Facts) {
  if (Result<void> Ok = checkNoFields(S); !Ok)
    return Ok;
  if (!Facts.get<GatedRegisters>())
    return failAt(S, "before the function's regshare.gating");
  return {};
}

static constexpr StatementKind Statements[] = {
    {"gating", StatementKind::Head, StatementKind::Unexecuted,
     "from which register on the rows of a warp are switched off and on",
     addGating},
    {"off", StatementKind::Anywhere, StatementKind::Issued,
     "the warp's gated rows are off from here on, and what they held is lost",
     addSwitch},
    {"on", StatementKind::Anywhere, StatementKind::Issued,
     "the warp's gated rows are on from here on", addSwitch},
};

//===----------------------------------------------------------------------===//
// The scheme
//===----------------------------------------------------------------------===//

const Setting Bound =
    Setting::number("gating-bound", SettingUse::Compiler, 0, 0, MaxArchUnits,
                    "first register that is switched off where none from it on "
                    "holds a value",
                    "chosen for each kernel");
const Setting WakeCycles =
    Setting::number("wake-cycles", SettingUse::Machine, 10, 0, 255,
                    "cycles until rows that are switched on can be used");

static const Setting *const Settings[] = {&Bound, &WakeCycles};

static ShownFacts show(const SchemeFacts &Facts) {
  const auto *Gated = Facts.get<GatedRegisters>();
  if (!Gated)
    return {"gating", "none: the kernel is as under baseline", {}};
  return {"gating",
          "registers from R" + std::to_string(Gated->Bound) + " on",
          {{"bound", Gated->Bound}}};
}

/// In a composition no other scheme has registers lose their values.
static constexpr Claim Claims[] = {
    {Domain::Values, "switches rows off where they hold nothing"}};

const SchemeDescription Description = {
    .Name = "gating",
    .Summary = "rows of high registers are switched off while they are empty",
    .Page = "gating",
    .Statements = Statements,
    .Settings = Settings,
    .Show = show,
    .Claims = Claims};

} // namespace gating
