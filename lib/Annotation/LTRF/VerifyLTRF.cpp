//===- VerifyLTRF.cpp - The rules of LTRF and LTRF+ -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyLTRF.h"

#include "regshare/Base/LTRF/LTRF.h"
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

void IntervalText::addPrefetch(VerifierRun &Run, const SchemeStatement &S) {
  Prefetches[S.MI] = *S.Interval;
  auto [It, IsFirst] = FirstPrefetch.try_emplace(*S.Interval, S.MI);
  if (IsFirst)
    Vectors[*S.Interval] = setOf(S.Units);
  else
    Run.report(AnnotationRule::Statement, *S.MI, {},
               "interval " + std::to_string(*S.Interval) +
                   " has a PREFETCH already, in " + instrPlace(*It->second));
}

IntervalText::IntervalText(VerifierRun &Run) {
  auto Next = Run.Statements.begin();
  unsigned Now = NoInterval;
  bool Begun = false;
  for (const MachineBasicBlock &MBB : Run.MF)
    for (const MachineInstr &MI : MBB) {
      if (Next != Run.Statements.end() && Next->MI == &MI) {
        const SchemeStatement &S = *Next++;
        if (S.Verb == "prefetch")
          addPrefetch(Run, S);
        if (S.Verb == "prefetch" || S.Verb == "interval") {
          Now = S.Interval.value_or(NoInterval);
          Begun = true;
        }
        continue;
      }
      if (MI.isMetaInstruction() || !statementVerb(MI).empty())
        continue;
      if (!Begun)
        Run.report(AnnotationRule::Statement, MI, {},
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
    Run.report(AnnotationRule::InVector, *MI, Missing, What);
  }
}

/// N is raised for what cannot be cut, and no further.
static void verifySize(VerifierRun &Run, const IntervalText &Text) {
  unsigned N = Run.Options.CacheRegisters;
  if (!N || Run.Bounds->Registers <= N)
    return;
  unsigned Widest = 0;
  for (const MachineInstr *MI : Text.instrs())
    Widest = std::max(Widest, Run.Assignment.named(*MI).countUnits());
  if (Run.Bounds->Registers <= Widest)
    return;
  for (const SchemeStatement &S : Run.Statements)
    if (S.Verb == "intervals")
      Run.report(AnnotationRule::IntervalSize, *S.MI, {},
                 std::to_string(Run.Bounds->Registers) +
                     " registers are asked for, where " + std::to_string(N) +
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
  for (const MachineOperand &MO : MI.operands()) {
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
  for (const SchemeStatement &S : Run.Statements) {
    if (S.Verb != "dead")
      continue;
    RegSet Marked = setOf(S.Units);
    Given[S.MI] = Marked;
    const MachineInstr *MI = markedBy(*S.MI);
    if (!MI || MI->isTerminator()) {
      Run.report(AnnotationRule::DeadOperand, *S.MI, Marked,
                 "stands behind no instruction with operands to mark");
      continue;
    }
    RegSet Halves;
    RegSet Others = Marked - wholeOperands(*MI, Run.Assignment, Marked, Halves);
    if (!Others.empty())
      Run.report(AnnotationRule::DeadOperand, *S.MI, Others,
                 Others.str() +
                     ((Others - Halves).empty()
                          ? " is a part of what the instruction before reads, "
                            "whose operands are marked whole"
                          : " is not read by the instruction before"));
  }
  Run.reportBadReads(AnnotationRule::LostByDead, Given, AtBarriers::Lost);
}

void verifyLTRF(VerifierRun &Run) {
  IntervalText Text(Run);
  verifySize(Run, Text);
  verifyVectors(Run, Text);
  verifyEntries(Run, Text);
  if (Run.Options.Asked == schemes::LTRFStrand)
    verifyStrands(Run, Text);
  verifyDeadOperands(Run);
}

} // namespace regshare
