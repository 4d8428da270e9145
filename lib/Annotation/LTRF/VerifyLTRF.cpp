//===- VerifyLTRF.cpp - The rules of LTRF and LTRF+ -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyLTRF.h"

#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

static RegSet withoutPredicates(const RegSet &Set) {
  RegSet Units;
  Set.forEach([&](unsigned Bit) {
    if (Bit < RegSet::PredBase)
      Units.set(Bit);
  });
  return Units;
}

static RegSet setOf(ArrayRef<unsigned> Units) {
  RegSet Set;
  for (unsigned Unit : Units)
    Set.set(Unit);
  return Set;
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

void IntervalText::addPrefetch(VerifierRun &Run, const PlacedStatement &S) {
  const PrefetchVector P = *parsePrefetch(S);
  Prefetches[S.MI] = P.Interval;
  auto [It, IsFirst] = FirstPrefetch.try_emplace(P.Interval, S.MI);
  if (IsFirst)
    Vectors[P.Interval] = setOf(P.Units);
  else
    Run.report(rules::Statement, *S.MI, {},
               "interval " + std::to_string(P.Interval) +
                   " has a PREFETCH already, in " + instrPlace(*It->second));
}

IntervalText::IntervalText(VerifierRun &Run) {
  auto Next = Run.Statements.begin();
  unsigned Now = NoInterval;
  bool Begun = false;
  for (const MachineBasicBlock &MBB : Run.MF)
    for (const MachineInstr &MI : MBB) {
      if (Next != Run.Statements.end() && Next->MI == &MI) {
        const PlacedStatement &S = *Next++;
        if (S.Verb == "prefetch") {
          addPrefetch(Run, S);
          Now = prefetchAt(MI);
        } else if (S.Verb == "interval") {
          Now = parseInterval(S)->value_or(NoInterval);
        } else {
          continue;
        }
        Begun = true;
        continue;
      }
      if (MI.isMetaInstruction() || !statementVerb(MI).empty())
        continue;
      if (!Begun)
        Run.report(rules::Statement, MI, {},
                   "stands before the first regshare.prefetch or "
                   "regshare.interval");
      Begun = true;
      Instrs.push_back(&MI);
      IntervalOf[&MI] = Now;
    }
}

static void verifyVectors(VerifierRun &Run, const IntervalText &Text) {
  for (const MachineInstr *MI : Text.instrs()) {
    unsigned Interval = Text.intervalOf(*MI);
    const RegSet *Vector = Text.vectorOf(Interval);
    RegSet Missing = Run.Assignment.named(*MI);
    if (Vector)
      Missing -= *Vector;
    if (!Missing.countUnits())
      continue;
    Missing = withoutPredicates(Missing);
    std::string What = "names " + Missing.str();
    if (Interval == NoInterval)
      What += " in code that belongs to no interval";
    else if (Vector)
      What += ", which the PREFETCH of interval " + std::to_string(Interval) +
              " does not bring";
    else
      What += " in interval " + std::to_string(Interval) +
              ", which has no PREFETCH";
    Run.report(rules::InVector, *MI, Missing, What);
  }
}

/// N is raised for what cannot be cut, and no further.
static void verifySize(VerifierRun &Run, const IntervalText &Text) {
  const SettingValues &Settings = Run.Options.Settings;
  unsigned N = Settings.get<unsigned>(settings::IntervalRegisters);
  unsigned Asked = Run.Facts.get<IntervalBounds>()->Registers;
  if (!Settings.has(settings::IntervalRegisters) || Asked <= N)
    return;
  unsigned Widest = 0;
  for (const MachineInstr *MI : Text.instrs())
    Widest = std::max(Widest, Run.Assignment.named(*MI).countUnits());
  if (Asked <= Widest)
    return;
  for (const PlacedStatement &S : Run.Statements)
    if (S.Verb == "intervals")
      Run.report(rules::IntervalSize, *S.MI, {},
                 std::to_string(Asked) + " registers are asked for, where " +
                     std::to_string(N) +
                     " are to do and no instruction names more than " +
                     std::to_string(Widest));
}

//===----------------------------------------------------------------------===//
// Dead operands
//===----------------------------------------------------------------------===//

/// What \p Dead speaks of: the instruction before it, other such statements
/// aside. Null if there is none.
static const MachineInstr *markedBy(const MachineInstr &Dead) {
  const MachineBasicBlock &MBB = *Dead.getParent();
  for (auto I = Dead.getIterator(); I != MBB.begin();) {
    --I;
    if (I->isMetaInstruction() || statementVerb(*I) == "dead")
      continue;
    return statementVerb(*I).empty() ? &*I : nullptr;
  }
  return nullptr;
}

/// Units of the operands of \p MI that have all of theirs in \p Marked; those
/// of the others in \p Halves.
static RegSet wholeOperands(const MachineInstr &MI,
                            const RegisterAssignment &Assignment,
                            const RegSet &Marked, RegSet &Halves) {
  RegSet Whole;
  for (const MachineInstr *Part : groupOf(MI))
    for (const MachineOperand &MO : Part->operands()) {
      if (!MO.isReg() || !MO.isUse() || !MO.getReg().isVirtual())
        continue;
      ArchReg R = Assignment.lookup(MO.getReg());
      if (R.isValid() && !R.isPred())
        (Marked.contains(R) ? Whole : Halves).insert(R);
    }
  return Whole;
}

static void verifyDeadOperands(VerifierRun &Run) {
  GivenBack Given;
  for (const PlacedStatement &S : Run.Statements) {
    if (S.Verb != "dead")
      continue;
    RegSet Marked = setOf(*parseDead(S));
    Given[S.MI] = Marked;
    const MachineInstr *MI = markedBy(*S.MI);
    if (!MI || MI->isTerminator()) {
      Run.report(rules::DeadOperand, *S.MI, Marked,
                 "stands after no instruction with operands to mark");
      continue;
    }
    RegSet Halves;
    RegSet Others = Marked - wholeOperands(*MI, Run.Assignment, Marked, Halves);
    if (!Others.empty())
      Run.report(rules::DeadOperand, *S.MI, Others,
                 Others.str() +
                     ((Others - Halves).empty()
                          ? " is a part of what the instruction before reads, "
                            "whose operands are marked whole"
                          : " is not read by the instruction before"));
  }
  Run.reportBadReads(rules::LostByDead, Given, AtBarriers::Lost, "marked dead");
}

static void verifyIntervals(VerifierRun &Run) {
  IntervalText Text(Run);
  verifySize(Run, Text);
  verifyVectors(Run, Text);
  verifyEntries(Run, Text);
  if (Run.Options.Asked && Run.Options.Asked->includes(schemes::LTRFStrand))
    verifyStrands(Run, Text);
  verifyDeadOperands(Run);
}

namespace {

class IntervalRules final : public SchemeRules {
  Refusal refusalOf(const Statement &S,
                    const SchemeFacts &Facts) const override;
  void verify(VerifierRun &Run) const override { verifyIntervals(Run); }
};

/// A vector that is too long can be read.
SchemeRules::Refusal IntervalRules::refusalOf(const Statement &S,
                                              const SchemeFacts &Facts) const {
  const auto *Bounds = Facts.get<IntervalBounds>();
  if (S.Verb != "prefetch" || !Bounds)
    return {};
  Result<PrefetchVector> P = parsePrefetch(S);
  if (!P || P->Interval >= Bounds->Count ||
      P->Units.size() <= Bounds->Registers)
    return {};
  return {rules::IntervalSize, /*IsRead=*/true};
}

constexpr IntervalRules Rules;
constexpr RulesFamily::Member Members[] = {{schemes::LTRF, Rules},
                                           {schemes::LTRFPlus, Rules},
                                           {schemes::LTRFStrand, Rules}};

} // namespace

extern const RulesFamily LTRFRules;
const RulesFamily LTRFRules = {Members};

} // namespace regshare
