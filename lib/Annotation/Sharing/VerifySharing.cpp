//===- VerifySharing.cpp - The rules of resource sharing ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/Sharing/SharingRules.h"
#include "regshare/Annotation/VerifierRun.h"
#include "regshare/Annotation/WarpState.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

namespace {

class SharingVerifier {
public:
  explicit SharingVerifier(VerifierRun &Run)
      : Run(Run), Facts(InstrFacts::get(Run.MF)) {
    if (const auto *Private = Run.Facts.get<PrivateRegisters>())
      PrivateRegs = Private->Registers;
    for (const PlacedStatement &S : Run.Statements)
      if (S.Verb == "release" || S.Verb == "unlock")
        Releases.insert(S.MI);
  }
  void run();

private:
  bool isRelease(const MachineInstr &MI) const {
    return Releases.contains(&MI);
  }
  RegSet sharedNamed(const MachineInstr &MI) const;
  bool needsShared(const MachineInstr &MI) const;
  void verifyShare();
  void verifyUses();
  void reportUse(const MachineInstr &MI, const LostValues::Example &Example);
  void verifyReleases();

  VerifierRun &Run;
  const InstrFacts &Facts;
  std::optional<unsigned> PrivateRegs; ///< Nothing: scratchpad is shared.
  /// The scheme's own: another part of a composition may have the verb, too.
  SmallPtrSet<const MachineInstr *, 8> Releases;
};

} // namespace

/// The shared registers that \p MI names.
RegSet SharingVerifier::sharedNamed(const MachineInstr &MI) const {
  RegSet Shared;
  Run.Assignment.named(MI).forEach([&](unsigned Bit) {
    if (Bit >= *PrivateRegs && Bit < RegSet::PredBase)
      Shared.set(Bit);
  });
  return Shared;
}

/// A function that is called may use anything.
bool SharingVerifier::needsShared(const MachineInstr &MI) const {
  if (!statementVerb(MI).empty())
    return false;
  if (!PrivateRegs)
    return Facts.mayAccessShared(MI);
  return MI.isCall() || !sharedNamed(MI).empty();
}

void SharingVerifier::verifyShare() {
  const SettingValues &Settings = Run.Options.Settings;
  if (!PrivateRegs || !Settings.has(settings::PrivateShare))
    return;
  unsigned Registers = Run.Assignment.numUnits();
  unsigned ByShare = privateRegisters(
      Registers, Settings.get<unsigned>(settings::PrivateShare));
  for (const PlacedStatement &S : Run.Statements)
    if (S.Verb == "sharing" && *PrivateRegs != ByShare)
      Run.report(rules::PrivateShare, *S.MI, {},
                 std::to_string(*PrivateRegs) + " of " +
                     std::to_string(Registers) +
                     " registers are private, where " +
                     std::to_string(ByShare) + " are by the share");
}

void SharingVerifier::reportUse(const MachineInstr &MI,
                                const LostValues::Example &Example) {
  RegSet Named;
  std::string What = "may access shared memory";
  if (MI.isCall()) {
    What = "calls a function";
  } else if (PrivateRegs) {
    Named = sharedNamed(MI);
    What = "names " + Named.str() + ", shared from R" +
           std::to_string(*PrivateRegs) + " on";
  }
  What += ", after the release";
  if (Example.Culprit)
    What += " in " + instrPlace(*Example.Culprit);
  if (Example.WhileWaiting)
    What += ", which other lanes may execute while these wait";
  Run.report(rules::UsedReleased, MI, Named, What, Example.Path);
}

/// What is shared is like the value of a register that is there from the start,
/// that is read where it is needed, and that a release takes from all lanes.
void SharingVerifier::verifyUses() {
  constexpr ArchReg Shared{RegKind::B32, 0};
  RegisterAssignment Reads;
  GivenBack Given;
  for (const MachineBasicBlock &MBB : Run.MF)
    for (const MachineInstr &MI : MBB)
      if (needsShared(MI))
        Reads.addRead(MI, Shared);
      else if (isRelease(MI))
        Given[&MI].insert(Shared);
  LostValues Lost(Run.Flow, Reads, Given, AtBarriers::Lost);
  Lost.forEachBadRead(
      [&](unsigned Node, const MachineInstr &MI, const RegSet &) {
        reportUse(MI, Lost.explain(Node, MI, Shared.Index));
      });
}

void SharingVerifier::verifyReleases() {
  constexpr TwoState Idle = TwoState::AsAtStart,
                     MayHaveNeeded = TwoState::Other;
  auto After = [&](const MachineInstr &MI, TwoState Before) {
    return needsShared(MI) ? MayHaveNeeded : Before;
  };
  WarpState State(Run.Flow, After);
  for (unsigned N = 0; N != Run.Flow.nodes().size(); ++N) {
    if (State.canEnter(N, MayHaveNeeded) || !State.canEnter(N, Idle))
      continue;
    TwoState Now = Idle;
    const FlowNode &Node = Run.Flow.nodes()[N];
    for (const MachineInstr &MI : make_range(Node.Begin, Node.End)) {
      Now = After(MI, Now);
      if (Now == Idle && isRelease(MI))
        Run.report(rules::IdleRelease, MI, {},
                   "gives back what the warp has not used on any path");
    }
  }
}

void SharingVerifier::run() {
  verifyShare();
  verifyUses();
  verifyReleases();
}

namespace {

class PairRules final : public SchemeRules {
  void verify(VerifierRun &Run) const override { SharingVerifier(Run).run(); }
};

constexpr PairRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::RegisterSharing, Rules},
                                           {schemes::ScratchpadSharing, Rules}};

} // namespace

extern const RulesFamily SharingRules;
const RulesFamily SharingRules = {Members};

} // namespace regshare
