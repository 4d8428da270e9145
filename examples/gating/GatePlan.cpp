//===- GatePlan.cpp - Where registers are switched off --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows are the warp's: they can be off where none of its lanes has a value in
/// them, those that wait on another side of a branch included. The state is the
/// warp's, too. Lanes that have waited go on in the state that the others have
/// left, which no edge of the graph shows, so that the state is set again where
/// they go on. Where lanes stop in the middle of a side, no code runs before
/// they go on, and all stays on.
///
//===----------------------------------------------------------------------===//

#include "GatePlan.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"

#include <algorithm>

namespace gating {

using namespace llvm;
using namespace regshare;

/// Rows that would soon be needed again stay on: a switch is an instruction,
/// and waking takes cycles.
static constexpr unsigned FewestOff = 8;

double GatePlan::gain(unsigned Regs) const {
  return (ExecutedOff - SwitchesExecuted * FewestOff / 2) *
         (Regs - std::min(Regs, Bound));
}

//===----------------------------------------------------------------------===//
// What the code needs
//===----------------------------------------------------------------------===//

static unsigned topOf(const RegSet &Set) {
  unsigned Top = 0;
  Set.forEach([&](unsigned Bit) {
    if (Bit < RegSet::PredBase)
      Top = Bit + 1;
  });
  return Top;
}

GatePlanner::GatePlanner(MachineFunction &MF, const Analyses &A,
                         const MachineBlockFrequencyInfo &Frequencies)
    : MF(MF), A(A), Frequencies(Frequencies), Needs(MF.getNumBlockIDs()),
      AlwaysOn(MF.getNumBlockIDs()) {
  for (MachineBasicBlock &MBB : MF) {
    findNeeds(MBB);
    if (A.Divergence.isDivergentBranch(MBB))
      addParting(MBB);
  }
}

void GatePlanner::findNeeds(MachineBasicBlock &MBB) {
  std::vector<Need> &Of = Needs[MBB.getNumber()];
  A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI, const RegSet &Before,
                                  const RegSet &After) {
    unsigned Top = topOf(Before | After | A.Assignment.named(MI));
    // Nothing stands between `regshare.temps` and what it speaks of, or between
    // the branches at the end.
    bool JoinsNext = MI.isTerminator() || statementVerb(MI) == "temps";
    if (JoinsNext && !Of.empty())
      Top = std::max(Top, Of.back().Top);
    // The block is of a function that is ours to change.
    Of.push_back({const_cast<MachineInstr *>(&MI), Top});
  });
  std::ranges::reverse(Of);
  auto End = std::ranges::find_if(
      Of, [](const Need &N) { return N.First->isTerminator(); });
  for (auto I = End; I != Of.end(); ++I)
    I->Top = End->Top;
}

void GatePlanner::addParting(const MachineBasicBlock &Branch) {
  Parting P{&Branch, A.Meetings.meetingPoint(Branch),
            BitVector(MF.getNumBlockIDs())};
  unsigned NumSides = 0;
  for (const MachineBasicBlock *Side : Branch.successors()) {
    if (Side == P.Meet)
      continue;
    ++NumSides;
    P.Sides |= blocksOfSide(Branch, *Side, A.Meetings);
  }
  // Then a machine may let lanes part and meet elsewhere than the graph says.
  if (canMeetAnywhere(Branch, A))
    Refusal = "it is not certain where lanes meet";
  // It is executed again for every target.
  if (Branch.succ_size() > 2) {
    AlwaysOn |= P.Sides;
    AlwaysOn.set(Branch.getNumber());
  }
  checkStops(P, NumSides);
  Partings.push_back(std::move(P));
}

void GatePlanner::checkStops(const Parting &P, unsigned NumSides) {
  const InstrFacts &Facts = InstrFacts::get(MF);
  for (const MachineBasicBlock &MBB : MF) {
    if (!P.Sides.test(MBB.getNumber()))
      continue;
    for (const MachineInstr &MI : MBB) {
      if (!Facts.canStopLanes(MI))
        continue;
      // With one side, the others wait where it ends.
      if (NumSides > 1)
        AlwaysOn |= P.Sides;
      // They do not at barriers: these let them run on from there.
      if (Facts.isBarrier(MI) &&
          (!Facts.isAlignedBarrier(MI) || (P.Meet && !onlyReturns(*P.Meet))))
        Refusal = "a barrier stands on one side of a branch";
    }
  }
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

GatePlanner::Runs GatePlanner::runsFor(unsigned Bound) const {
  Runs R(Needs.size());
  for (const MachineBasicBlock &MBB : MF) {
    if (onlyReturns(MBB))
      continue;
    unsigned N = MBB.getNumber();
    for (const Need &Each : Needs[N]) {
      bool On = AlwaysOn.test(N) || Each.Top > Bound;
      if (R[N].empty() || R[N].back().On != On)
        R[N].push_back({Each.First, 0, On});
      ++R[N].back().NumInstrs;
    }
    // A block without instructions.
    if (R[N].empty())
      R[N].push_back(
          {nullptr, 0, AlwaysOn.test(N) || topOf(A.Warp.liveIn(MBB)) > Bound});
  }
  while (fillShort(R))
    ;
  return R;
}

/// True if the rows are on just before the run and just after it, or nothing
/// follows. A kernel starts with them on.
bool GatePlanner::isEnclosed(const Runs &R, const MachineBasicBlock &MBB,
                             size_t Which) const {
  const std::vector<Run> &Of = R[MBB.getNumber()];
  auto EndsOff = [&](const MachineBasicBlock *Pred) {
    return !R[Pred->getNumber()].back().On;
  };
  auto StartsOff = [&](const MachineBasicBlock *Succ) {
    return !R[Succ->getNumber()].empty() && !R[Succ->getNumber()].front().On;
  };
  return (Which || none_of(MBB.predecessors(), EndsOff)) &&
         (Which + 1 != Of.size() || none_of(MBB.successors(), StartsOff));
}

/// Leaves rows on that would be off for a few instructions. False if nothing
/// changes.
bool GatePlanner::fillShort(Runs &R) const {
  bool Changed = false;
  for (const MachineBasicBlock &MBB : MF) {
    std::vector<Run> &Of = R[MBB.getNumber()];
    for (size_t N = 0; N != Of.size(); ++N)
      if (!Of[N].On && Of[N].NumInstrs < FewestOff && isEnclosed(R, MBB, N))
        Changed = Of[N].On = true;
    std::vector<Run> Joined;
    for (const Run &Each : Of)
      if (!Joined.empty() && Joined.back().On == Each.On)
        Joined.back().NumInstrs += Each.NumInstrs;
      else
        Joined.push_back(Each);
    Of = std::move(Joined);
  }
  return Changed;
}

/// By block number: the states in which lanes go on there that have waited
/// while others ran sides of a branch.
std::vector<GatePlanner::Arrivals>
GatePlanner::resumptions(const Runs &R) const {
  std::vector<Arrivals> At(R.size());
  for (const Parting &P : Partings) {
    Arrivals Left;
    Left.add(R[P.Branch->getNumber()].back().On);
    for (unsigned N : P.Sides.set_bits())
      for (const Run &Each : R[N])
        Left.add(Each.On);
    auto Arrive = [&](const MachineBasicBlock &MBB) {
      At[MBB.getNumber()].On |= Left.On;
      At[MBB.getNumber()].Off |= Left.Off;
    };
    for (const MachineBasicBlock *Side : P.Branch->successors())
      Arrive(*Side);
    if (P.Meet)
      Arrive(*P.Meet);
  }
  return At;
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

void GatePlanner::place(const Runs &R, GatePlan &Plan) const {
  std::vector<Arrivals> At = resumptions(R);
  for (MachineBasicBlock &MBB : MF) {
    const std::vector<Run> &Of = R[MBB.getNumber()];
    if (Of.empty())
      continue;
    Arrivals &Here = At[MBB.getNumber()];
    if (&MBB == &MF.front())
      Here.add(true);
    for (const MachineBasicBlock *Pred : MBB.predecessors())
      Here.add(R[Pred->getNumber()].back().On);
    if (Here.differ(Of.front().On))
      Plan.Switches.push_back(
          {Of.front().On, &MBB, MBB.SkipPHIsAndLabels(MBB.begin())});
    for (const Run &Each : drop_begin(Of))
      Plan.Switches.push_back({Each.On, &MBB, Each.First->getIterator()});
  }
}

void GatePlanner::count(const Runs &R, GatePlan &Plan) const {
  auto Executions = [&](const MachineBasicBlock &MBB) {
    return Frequencies.getBlockFreqRelativeToEntryBlock(&MBB);
  };
  for (const MachineBasicBlock &MBB : MF)
    for (const Run &Each : R[MBB.getNumber()]) {
      Plan.Instrs += Each.NumInstrs;
      Plan.Executed += Each.NumInstrs * Executions(MBB);
      if (Each.On)
        continue;
      Plan.InstrsOff += Each.NumInstrs;
      Plan.ExecutedOff += Each.NumInstrs * Executions(MBB);
    }
  for (const GateSwitch &S : Plan.Switches)
    Plan.SwitchesExecuted += Executions(*S.MBB);
}

GatePlan GatePlanner::plan(unsigned Bound) const {
  GatePlan Plan;
  Plan.Bound = Bound;
  Runs R = runsFor(Bound);
  place(R, Plan);
  count(R, Plan);
  return Plan;
}

} // namespace gating
