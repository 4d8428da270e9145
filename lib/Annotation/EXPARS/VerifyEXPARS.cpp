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

#include "regshare/Annotation/VerifierRun.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

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
  bool IsReported = false; ///< To be outside of one, or behind WaitsAt: once.
};

class BundleVerifier {
public:
  explicit BundleVerifier(VerifierRun &Run)
      : Run(Run),
        Facts(InstrFacts::get(*Run.MF.getSubtarget().getInstrInfo())) {}
  void run();

private:
  void verifyBounds();
  unsigned mostNeeded() const;
  void verifyBlock(const MachineBasicBlock &MBB);
  void verifyInstr(const MachineInstr &MI);
  void verifyNames(const MachineInstr &MI, const RegSet &Named);

  VerifierRun &Run;
  const InstrFacts &Facts;
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
  unsigned Lines = Run.Bundles->Cache.lines();
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
  const VerifierOptions &Options = Run.Options;
  for (const SchemeStatement &S : Run.Statements) {
    if (S.Verb != "bundles")
      continue;
    unsigned Bytes = Run.Bundles->Cache.Bytes;
    if (Options.OperandCacheBytes && Bytes > Options.OperandCacheBytes)
      Run.report(AnnotationRule::CacheSize, *S.MI, {},
                 "an operand cache of " + std::to_string(Bytes) +
                     " bytes is asked for, where there are " +
                     std::to_string(Options.OperandCacheBytes));
    if (!Options.TauPerMille)
      continue;
    unsigned ByTau = keptByTau(Run.Assignment.numUnits(), *Options.TauPerMille);
    unsigned Kept = Run.Bundles->Kept;
    if (Kept <= ByTau)
      continue;
    unsigned Needed = mostNeeded();
    if (Kept > Needed)
      Run.report(AnnotationRule::Kept, *S.MI, {},
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
    if (Bit >= Run.Bundles->Kept && Bit < RegSet::PredBase &&
        !Open.Vector.test(Bit))
      Missing.set(Bit);
  });
  if (!Missing.empty())
    Run.report(AnnotationRule::InVector, MI, Missing,
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
    Run.report(AnnotationRule::LateResult, MI, Waits,
               "names " + Waits.str() + ", which comes late from " +
                   instrPlace(*From) + " of the same bundle");
}

void BundleVerifier::verifyInstr(const MachineInstr &MI) {
  RegSet Named = Run.Assignment.named(MI);
  if (!Open.Pref) {
    if (std::exchange(Open.IsReported, true))
      return;
    Run.report(AnnotationRule::BundleBlock, MI, {},
               "stands before the first regshare.pref of its block");
    return;
  }
  if (Open.WaitsAt && !std::exchange(Open.IsReported, true))
    Run.report(AnnotationRule::BundleEnd, MI, {},
               "stands behind " + instrPlace(*Open.WaitsAt) +
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
  for (const SchemeStatement &S : Run.Statements) {
    if (S.Verb != "pref")
      continue;
    RegSet &Vector = Prefs[S.MI];
    for (unsigned Unit : S.Units)
      Vector.set(Unit);
  }
  verifyBounds();
  for (const MachineBasicBlock &MBB : Run.MF)
    verifyBlock(MBB);
}

void verifyEXPARS(VerifierRun &Run) { BundleVerifier(Run).run(); }

} // namespace regshare
