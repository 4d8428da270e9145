//===- VerifyEXPARS.cpp - The rules of EXPARS -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the bundles off the text, one instruction after the other, and knows
/// nothing of how they were chosen.
///
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/EXPARS/EXPARSRules.h"
#include "regshare/Annotation/VerifierRun.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;

namespace regshare {

namespace {

/// The bundle that the text is in.
struct OpenBundle {
  const MachineInstr *Pref = nullptr;
  RegSet Vector;
  /// The last instruction that comes late, by unit or predicate.
  DenseMap<unsigned, const MachineInstr *> Late;
  const MachineInstr *WaitsAt = nullptr; ///< May have stopped the warp.
  bool IsReported = false; ///< To be outside of one, or after WaitsAt: once.
};

class BundleVerifier {
public:
  explicit BundleVerifier(VerifierRun &Run)
      : Run(Run), Facts(InstrFacts::get(Run.MF)),
        Bounds(*Run.Facts.get<BundleBounds>()) {}
  void run();

private:
  void verifyBounds();
  unsigned mostNeeded() const;
  void verifyBlock(const MachineBasicBlock &MBB);
  void verifyInstr(const MachineInstr &MI);
  void verifyNames(const MachineInstr &MI, const RegSet &Named);

  VerifierRun &Run;
  const InstrFacts &Facts;
  const BundleBounds Bounds;
  DenseMap<const MachineInstr *, RegSet> Prefs;
  OpenBundle Open;
};

} // namespace

static bool isInstr(const MachineInstr &MI) {
  return !MI.isMetaInstruction() && statementVerb(MI).empty();
}

/// Registers that some instruction needs in the register file, because others
/// of its own have their lines.
unsigned BundleVerifier::mostNeeded() const {
  unsigned Most = 0;
  unsigned Lines = Bounds.Cache.lines();
  for (const MachineBasicBlock &MBB : Run.MF) {
    RegSet Terminators;
    for (const MachineInstr &MI : MBB) {
      RegSet Named = Run.Assignment.named(MI);
      if (MI.isTerminator())
        Named = Terminators |= Named;
      for (unsigned Low = 0; Low != MaxArchUnits; ++Low)
        for (unsigned High = Low + Lines; High < MaxArchUnits; High += Lines)
          if (Named.test(Low) && Named.test(High))
            Most = std::max(Most, Low + 1);
    }
  }
  return Most;
}

void BundleVerifier::verifyBounds() {
  const SettingValues &Settings = Run.Options.Settings;
  unsigned There = Settings.get<unsigned>(settings::OperandCacheBytes);
  for (const PlacedStatement &S : Run.Statements) {
    if (S.Verb != "bundles")
      continue;
    unsigned Bytes = Bounds.Cache.Bytes;
    if (Settings.has(settings::OperandCacheBytes) && Bytes > There)
      Run.report(rules::CacheSize, *S.MI, {},
                 "an operand cache of " + std::to_string(Bytes) +
                     " bytes is asked for, where there are " +
                     std::to_string(There));
    if (!Settings.has(settings::Tau))
      continue;
    unsigned ByTau = keptByTau(Run.Assignment.numUnits(),
                               Settings.get<unsigned>(settings::Tau));
    unsigned Kept = Bounds.Kept;
    if (Kept <= ByTau)
      continue;
    unsigned Needed = mostNeeded();
    if (Kept > Needed)
      Run.report(rules::Kept, *S.MI, {},
                 std::to_string(Kept) +
                     " registers are to stay in the register file, where " +
                     std::to_string(ByTau) + " do by the share and " +
                     std::to_string(Needed) +
                     " by the operands of one instruction");
  }
}

void BundleVerifier::verifyNames(const MachineInstr &MI, const RegSet &Named) {
  RegSet Missing;
  Named.forEach([&](unsigned Bit) {
    if (Bit >= Bounds.Kept && Bit < RegSet::PredBase && !Open.Vector.test(Bit))
      Missing.set(Bit);
  });
  if (!Missing.empty())
    Run.report(rules::InVector, MI, Missing,
               "names " + Missing.str() +
                   ", which may be in scratchpad and which the PREF of its "
                   "bundle does not bring");
  RegSet Waits;
  const MachineInstr *From = nullptr;
  Named.forEach([&](unsigned Bit) {
    if (const MachineInstr *Late = Open.Late.lookup(Bit)) {
      Waits.set(Bit);
      From = Late;
    }
  });
  if (From)
    Run.report(rules::LateResult, MI, Waits,
               "names " + Waits.str() + ", which comes late from " +
                   instrPlace(*From) + " of the same bundle");
}

void BundleVerifier::verifyInstr(const MachineInstr &MI) {
  RegSet Named = Run.Assignment.named(MI);
  if (!Open.Pref) {
    if (std::exchange(Open.IsReported, true))
      return;
    Run.report(rules::BundleBlock, MI, {},
               "stands before the first regshare.pref of its block");
    return;
  }
  if (Open.WaitsAt && !std::exchange(Open.IsReported, true))
    Run.report(rules::BundleEnd, MI, {},
               "stands after " + instrPlace(*Open.WaitsAt) +
                   ", where the warp may wait, in the same bundle");
  verifyNames(MI, Named);
  if (Facts.comesLate(MI)) {
    RegEffects E = Run.Assignment.effects(MI);
    (E.Defs | E.Temps).forEach([&](unsigned Bit) { Open.Late[Bit] = &MI; });
  }
  if (Facts.mayWait(MI))
    Open.WaitsAt = &MI;
}

void BundleVerifier::verifyBlock(const MachineBasicBlock &MBB) {
  Open = OpenBundle();
  for (const MachineInstr &MI : MBB) {
    if (auto It = Prefs.find(&MI); It != Prefs.end()) {
      Open = OpenBundle();
      Open.Pref = &MI;
      Open.Vector = It->second;
    } else if (isInstr(MI)) {
      verifyInstr(MI);
    }
  }
}

void BundleVerifier::run() {
  for (const PlacedStatement &S : Run.Statements) {
    if (S.Verb != "pref")
      continue;
    RegSet &Vector = Prefs[S.MI];
    const std::vector<unsigned> Units = *parsePref(S);
    for (unsigned Unit : Units)
      Vector.set(Unit);
  }
  verifyBounds();
  for (const MachineBasicBlock &MBB : Run.MF)
    verifyBlock(MBB);
}

namespace {

class BundleRules final : public SchemeRules {
  Refusal refusalOf(const Statement &S,
                    const SchemeFacts &Facts) const override;
  void verify(VerifierRun &Run) const override { BundleVerifier(Run).run(); }
};

/// A vector whose registers need the same line can be read.
SchemeRules::Refusal BundleRules::refusalOf(const Statement &S,
                                            const SchemeFacts &Facts) const {
  const auto *Bounds = Facts.get<BundleBounds>();
  if (S.Verb != "pref" || !Bounds)
    return {};
  Result<std::vector<unsigned>> Units = parsePref(S);
  if (!Units || !sharesLine(*Units, Bounds->Cache))
    return {};
  return {rules::CacheLine, /*IsRead=*/true};
}

constexpr BundleRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::EXPARS, Rules}};

} // namespace

extern const RulesFamily EXPARSRules;
const RulesFamily EXPARSRules = {Members};

} // namespace regshare
