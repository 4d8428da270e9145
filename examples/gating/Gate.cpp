//===- Gate.cpp - Switches empty registers off ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gate.h"

#include "GatePlan.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/Support/Format.h"

#include <optional>

namespace gating {

using namespace llvm;
using namespace regshare;

/// The bound that \p Asked says, or of all the one that gains most; nothing if
/// none gains anything.
static std::optional<GatePlan> choose(const GatePlanner &Planner, unsigned Regs,
                                      unsigned Asked) {
  std::optional<GatePlan> Best;
  for (unsigned Bound = Asked ? Asked : 1; Bound < Regs; ++Bound) {
    GatePlan Plan = Planner.plan(Bound);
    double Least = Best ? Best->gain(Regs) : 0;
    if (Plan.InstrsOff && (Asked || Plan.gain(Regs) > Least))
      Best = std::move(Plan);
    if (Asked)
      break;
  }
  return Best;
}

static void write(MachineFunction &MF, const GatePlan &Plan, GatingResult &R) {
  R.Bound = Plan.Bound;
  R.Instrs = Plan.Instrs;
  R.InstrsOff = Plan.InstrsOff;
  R.OffShare = Plan.ExecutedOff / Plan.Executed * (R.Regs - R.Bound) / R.Regs;
  for (const GateSwitch &S : Plan.Switches) {
    insertStatement(*S.MBB, S.Before,
                    S.On ? printOnPragma() : printOffPragma());
    ++(S.On ? R.Ons : R.Offs);
  }
  insertStatement(MF.front(), MF.front().begin(),
                  printGatingPragma({Plan.Bound}));
}

Expected<GatingResult> applyGating(MachineFunction &MF, const FlowFacts &Facts,
                                   const CompilerOptions &Options) {
  // Those of the part before this one in a composition stay.
  eraseOldStatements(MF, Options.Scheme, Description);
  Expected<RegisterAssignment> Assignment = RegisterAssignment::fromNames(MF);
  if (!Assignment)
    return Assignment.takeError();
  Analyses A(MF, std::move(*Assignment), Facts.PDT);
  GatePlanner Planner(MF, A, Facts.MBFI);
  GatingResult R;
  R.Regs = A.Assignment.numUnits();
  R.Untouched = Planner.refusal();
  if (!R.Untouched.empty())
    return R;
  std::optional<GatePlan> Plan =
      choose(Planner, R.Regs, Options.Settings.get<unsigned>(Bound));
  if (Plan)
    write(MF, *Plan, R);
  else
    R.Untouched = "no register is empty for long enough";
  return R;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

StringRef GatingResult::key() const { return "gating"; }

json::Object GatingResult::toJSON(const ReportedLaunch &) const {
  json::Object Object{{"registers", Regs}};
  if (!Bound) {
    Object["untouched"] = Untouched;
    return Object;
  }
  Object["bound"] = Bound;
  Object["offs"] = Offs;
  Object["ons"] = Ons;
  Object["instructions"] = Instrs;
  Object["instructions_off"] = InstrsOff;
  Object["off_share"] = OffShare;
  return Object;
}

void GatingResult::print(raw_ostream &OS, const ReportedLaunch &) const {
  OS << "  gating      ";
  if (!Bound) {
    OS << "stays as it is: " << Untouched << "\n";
    return;
  }
  OS << "registers from R" << Bound << " on are off during " << InstrsOff
     << " of " << Instrs << " instructions, " << Offs << " offs, " << Ons
     << " ons\n"
     << Indent << format("%.1f%%", 100 * OffShare)
     << " of the registers are expected to be off\n";
}

} // namespace gating
