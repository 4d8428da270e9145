//===- VerifyRegMutex.cpp - The rules of RegMutex -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/RegMutex/RegMutexRules.h"
#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Annotation/WarpState.h"
#include "regshare/Base/RegMutex/RegMutex.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/CodeGen/Statements.h"

using namespace llvm;

namespace regshare {

static RegSet extendedUnits(const RegMutexSplit &Split) {
  RegSet Units;
  for (unsigned U = Split.Base; U < MaxArchUnits + 1; ++U)
    Units.set(U);
  return Units;
}

static constexpr TwoState Released = TwoState::AsAtStart;
static constexpr TwoState Acquired = TwoState::Other;

static TwoState stateAfter(const MachineInstr &MI, TwoState Before) {
  StringRef Verb = statementVerb(MI);
  if (Verb == "acquire")
    return Acquired;
  return Verb == "release" ? Released : Before;
}

namespace {

class RegMutexVerifier {
public:
  RegMutexVerifier(VerifierRun &Run, const RegMutexSplit &Split)
      : Run(Run), Split(Split), State(Run.Flow, stateAfter),
        Extended(extendedUnits(Split)),
        Waits(Run.MF, Run.Assignment, Run.Meetings) {}

  void run();

private:
  void visit(unsigned Node);
  void checkUse(const MachineInstr &MI, unsigned Node, TwoState OnEntry);
  void checkWait(const MachineInstr &MI, unsigned Node, TwoState OnEntry);
  void checkSection();

  VerifierRun &Run;
  const RegMutexSplit Split;
  WarpState State;
  RegSet Extended;
  WaitPoints Waits;
  GivenBack Given;
  /// Violations are told once, however the state comes about.
  SmallPtrSet<const MachineInstr *, 16> ToldUse, ToldWait;
};

} // namespace

void RegMutexVerifier::checkUse(const MachineInstr &MI, unsigned Node,
                                TwoState OnEntry) {
  RegSet Named = Run.Assignment.named(MI) & Extended;
  if (Named.empty() || !ToldUse.insert(&MI).second)
    return;
  Run.report(
      rules::HeldAtUse, MI, Named,
      "names " + Named.str() + " of the extended set, which starts at R" +
          std::to_string(Split.Base) + ", where the warp may have released it",
      State.path(Node, OnEntry));
}

void RegMutexVerifier::checkWait(const MachineInstr &MI, unsigned Node,
                                 TwoState OnEntry) {
  std::optional<WaitKind> Kind = Waits.kindOf(MI);
  if (!Kind)
    return;
  // Of a loop the first instruction of each block will do.
  const MachineInstr *Told =
      *Kind == WaitKind::SpinLoop ? &*Run.Flow.nodes()[Node].Begin : &MI;
  if (!ToldWait.insert(Told).second)
    return;
  Run.report(rules::HeldAtWait, MI, {},
             std::string(waitName(*Kind)) +
                 " where the warp may hold its extended set, for which others "
                 "may wait",
             State.path(Node, OnEntry));
}

void RegMutexVerifier::visit(unsigned Node) {
  const FlowNode &N = Run.Flow.nodes()[Node];
  for (TwoState OnEntry : {Released, Acquired}) {
    if (!State.canEnter(Node, OnEntry))
      continue;
    TwoState Now = OnEntry;
    for (const MachineInstr &MI : make_range(N.Begin, N.End)) {
      TwoState After = stateAfter(MI, Now);
      if (Now == Acquired && After == Released)
        Given[&MI] = Extended;
      Now = After;
      if (Now == Released)
        checkUse(MI, Node, OnEntry);
      else
        checkWait(MI, Node, OnEntry);
    }
  }
}

void RegMutexVerifier::checkSection() {
  if (!Run.Options.Device)
    return;
  RegMutexKind Kind =
      regMutexKind(Run.Options.Asked.value_or(schemes::RegMutex));
  KernelResources K = Run.Options.Resources;
  K.RegsPerThread = Run.Assignment.numUnits();
  Result<RegMutexResidency> R =
      regMutexResidency(Kind, *Run.Options.Device, K, Split);
  std::string What;
  if (!R)
    What = R.error().Message;
  else if (!R->CTAs)
    What = "not one CTA of " + std::to_string(K.ThreadsPerCTA) +
           " threads is resident on " + Run.Options.Device->Name +
           " with a section of " + std::to_string(Split.Extended) +
           " registers";
  if (!What.empty())
    Run.Found.push_back({rules::Section, nullptr, nullptr, {}, What, {}});
}

void RegMutexVerifier::run() {
  checkSection();
  for (unsigned N = 0; N != Run.Flow.nodes().size(); ++N)
    visit(N);
  Run.reportBadReads(rules::LostByRelease, Given);
}

namespace {

class HoldingRules final : public SchemeRules {
  Refusal refusalOf(const Statement &S, const SchemeFacts &) const override {
    return {S.Verb == "regmutex" ? rules::Split : rules::Statement};
  }
  void verify(VerifierRun &Run) const override {
    if (const auto *Split = Run.Facts.get<RegMutexSplit>())
      RegMutexVerifier(Run, *Split).run();
  }
};

constexpr HoldingRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::RegMutex, Rules},
                                           {schemes::RegMutexPaired, Rules}};

} // namespace

extern const RulesFamily RegMutexRules;
const RulesFamily RegMutexRules = {Members};

} // namespace regshare
