//===- VerifyGating.cpp - What the verifier proves ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Knows the statements, and nothing of the pass that placed them.
///
//===----------------------------------------------------------------------===//

#include "VerifyGating.h"

#include "Gating.h"

#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Annotation/WarpState.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace gating {

using namespace llvm;
using namespace regshare;

static constexpr TwoState On = TwoState::AsAtStart;
static constexpr TwoState Off = TwoState::Other;

static TwoState after(const MachineInstr &MI, TwoState Before) {
  StringRef Verb = statementVerb(MI);
  if (Verb == "off")
    return Off;
  return Verb == "on" ? On : Before;
}

static RegSet gatedUnits(const GatedRegisters &G) {
  RegSet Units;
  for (unsigned Unit = G.Bound; Unit != RegSet::PredBase; ++Unit)
    Units.set(Unit);
  return Units;
}

/// Reports the instructions that name \p Gated and can be reached in state Off.
static void checkUses(VerifierRun &Run, const RegSet &Gated, unsigned Bound) {
  WarpState State(Run.Flow, after);
  SmallPtrSet<const MachineInstr *, 16> Told;
  for (unsigned N = 0; N != Run.Flow.nodes().size(); ++N)
    for (TwoState OnEntry : {On, Off}) {
      if (!State.canEnter(N, OnEntry))
        continue;
      const FlowNode &Node = Run.Flow.nodes()[N];
      TwoState Now = OnEntry;
      for (const MachineInstr &MI : make_range(Node.Begin, Node.End)) {
        Now = after(MI, Now);
        RegSet Named = Run.Assignment.named(MI) & Gated;
        if (Now == On || Named.empty() || !Told.insert(&MI).second)
          continue;
        Run.report(rules::GatingOn, MI, Named,
                   "names " + Named.str() +
                       ", whose rows may be off; those from R" +
                       std::to_string(Bound) + " on are gated",
                   State.path(N, OnEntry));
      }
    }
}

namespace {

class GatingRules final : public SchemeRules {
  void verify(VerifierRun &Run) const override {
    const auto *Registers = Run.Facts.get<GatedRegisters>();
    if (!Registers)
      return;
    RegSet Gated = gatedUnits(*Registers);
    checkUses(Run, Gated, Registers->Bound);
    GivenBack Given;
    for (const PlacedStatement &S : Run.Statements)
      if (S.Verb == "off")
        Given[S.MI] = Gated;
    // Lanes come to barriers with values in gated registers.
    Run.reportBadReads(rules::LostByOff, Given, AtBarriers::Lost,
                       "switched off");
  }
};

constexpr GatingRules Rules;

} // namespace

const SchemeRules &verifierRules() { return Rules; }

} // namespace gating
