//===- RegMutexPlacement.cpp - Acquires and releases ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state in which a warp enters a block is that of the block it comes from
/// along an edge, or, where it goes on with lanes that were parked, that of the
/// block which the lanes before them ended with. Where any of these differs
/// from what the block wants, the state is established: at the block's entry,
/// or on the edges that differ.
///
//===----------------------------------------------------------------------===//

#include "RegMutexRegions.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Analysis/Sides.h"
#include "regshare/CodeGen/Statements.h"

#include <cmath>

using namespace llvm;

namespace regshare {

namespace {

/// The states in which a block may be entered.
struct Arrivals {
  bool Held = false;
  bool Free = false;

  void add(bool State) { (State ? Held : Free) = true; }
  void add(Arrivals O) {
    Held |= O.Held;
    Free |= O.Free;
  }
  /// True if any of them is not \p Wanted.
  bool differ(bool Wanted) const { return Wanted ? Free : Held; }
  friend bool operator==(Arrivals, Arrivals) = default;
};

class Placer {
public:
  Placer(MachineFunction &MF, const HoldRegions &Regions, const Analyses &A,
         const StopRules &Stops, const Frequencies &Freq)
      : MF(MF), Regions(Regions), A(A), Stops(Stops), Freq(Freq),
        Parked(MF.getNumBlockIDs()), AtStops(MF.getNumBlockIDs()) {}

  std::vector<HoldChange> run();

private:
  void resumeAfter(const MachineBasicBlock &Branch);
  Arrivals statesAtExit(const MachineBasicBlock &MBB) const;
  Arrivals statesAtStops(const MachineBasicBlock &MBB) const;
  Arrivals statesAtEndOf(const MachineBasicBlock &Branch,
                         const MachineBasicBlock &Side) const;
  void insideBlock(MachineBasicBlock &MBB);
  void atEntry(MachineBasicBlock &MBB);
  bool canChangeOnEdge(const MachineBasicBlock &Pred,
                       const MachineBasicBlock &MBB, bool Held) const;
  double costOnEdges(const MachineBasicBlock &MBB, bool Wanted) const;

  MachineFunction &MF;
  const HoldRegions &Regions;
  const Analyses &A;
  const StopRules &Stops;
  const Frequencies &Freq;
  /// By block number: the states in which lanes parked there go on.
  std::vector<Arrivals> Parked;
  std::vector<Arrivals> AtStops; ///< By block number.
  std::vector<HoldChange> Changes;
};

} // namespace

/// Where threads only end nothing is placed: the state stays what it was.
Arrivals Placer::statesAtExit(const MachineBasicBlock &MBB) const {
  Arrivals States;
  if (!endsThread(MBB)) {
    States.add(Regions.heldAtExit(MBB));
    return States;
  }
  States.add(Parked[MBB.getNumber()]);
  for (const MachineBasicBlock *Pred : MBB.predecessors())
    States.add(statesAtExit(*Pred));
  return States;
}

/// How the lanes of \p Side end, where those of the branch meet or at returns,
/// and how they stop before that.
Arrivals Placer::statesAtEndOf(const MachineBasicBlock &Branch,
                               const MachineBasicBlock &Side) const {
  const MachineBasicBlock *Meet = A.Meetings.meetingPoint(Branch);
  Arrivals States;
  const BitVector Blocks = blocksOfSide(Branch, Side, A.Meetings);
  for (unsigned N : Blocks.set_bits()) {
    const MachineBasicBlock &MBB = *MF.getBlockNumbered(N);
    bool Meets = is_contained(MBB.successors(), Meet);
    if (MBB.succ_empty() || Meets)
      States.add(statesAtExit(MBB));
    States.add(AtStops[N]);
    // What may be done on the edge.
    if (Meets && canChangeOnEdge(MBB, *Meet, Regions.heldAtEntry(*Meet)))
      States.add(Regions.heldAtEntry(*Meet));
  }
  return States;
}

/// Takes down in which states a machine goes on with the sides of \p Branch
/// that it has parked.
void Placer::resumeAfter(const MachineBasicBlock &Branch) {
  const MachineBasicBlock *Meet = A.Meetings.meetingPoint(Branch);
  for (const MachineBasicBlock *Side : Branch.successors()) {
    if (Side == Meet)
      continue;
    Arrivals States = statesAtEndOf(Branch, *Side);
    // Two indices of a switch may lead to one side.
    for (const MachineBasicBlock *Other : Branch.successors())
      if ((Other != Side || Branch.succ_size() > 2) && Other != Meet)
        Parked[Other->getNumber()].add(States);
    if (!Meet)
      continue;
    const BitVector Blocks = blocksOfSide(Branch, *Side, A.Meetings);
    for (unsigned N : Blocks.set_bits())
      Parked[Meet->getNumber()].add(AtStops[N]);
  }
}

/// In which states lanes stop inside of \p MBB.
Arrivals Placer::statesAtStops(const MachineBasicBlock &MBB) const {
  const InstrFacts &Facts = InstrFacts::get(MF);
  Arrivals States;
  bool Held = Regions.heldAtEntry(MBB);
  auto Next = Regions.Runs[MBB.getNumber()].begin();
  for (const MachineInstr &MI : MBB) {
    if (Next != Regions.Runs[MBB.getNumber()].end() && Next->First == &MI)
      Held = (Next++)->Held;
    if (Facts.canStopLanes(MI))
      States.add(Held);
  }
  return States;
}

void Placer::insideBlock(MachineBasicBlock &MBB) {
  // The runs belong to the same function, which is ours to change.
  auto Before = [](const HoldRun &Run) {
    return const_cast<MachineInstr *>(Run.First)->getIterator();
  };
  const std::vector<HoldRun> &Runs = Regions.Runs[MBB.getNumber()];
  for (size_t I = 1; I != Runs.size(); ++I)
    if (Runs[I].Held != Runs[I - 1].Held)
      Changes.push_back(
          {Runs[I].Held, &MBB, Before(Runs[I]), nullptr, Freq.OfBlock(MBB)});
}

/// True if the last instructions of \p MBB can be preceded by what is meant for
/// its only edge.
static bool endsInJump(const MachineBasicBlock &MBB) {
  return MBB.succ_size() == 1;
}

/// A block on the edge is run by one side of what lanes have parted at. It must
/// not release what lanes parked meanwhile need, and where \p Pred parts lanes
/// that meet in \p MBB, it would be a side of its own.
bool Placer::canChangeOnEdge(const MachineBasicBlock &Pred,
                             const MachineBasicBlock &MBB, bool Held) const {
  bool Parts = A.Divergence.isDivergentBranch(Pred);
  if (Parts && A.Meetings.meetingPoint(Pred) == &MBB)
    return false;
  if (Stops.isOneState(Pred))
    return false;
  if (Held)
    return true;
  RegSet Needed = A.Warp.parked(Pred);
  if (Parts)
    for (const MachineBasicBlock *Other : Pred.successors())
      if (Other != &MBB)
        Needed |= A.Thread.liveIn(*Other);
  return (Needed & Regions.Extended).empty();
}

/// What it costs to set the state on the edges into \p MBB that need it.
double Placer::costOnEdges(const MachineBasicBlock &MBB, bool Wanted) const {
  double Cost = 0;
  for (const MachineBasicBlock *Pred : MBB.predecessors()) {
    if (Regions.heldAtExit(*Pred) == Wanted)
      continue;
    if (!canChangeOnEdge(*Pred, MBB, Wanted))
      return HUGE_VAL;
    // A block of its own needs a jump as well, unless it falls through.
    double Instrs = endsInJump(*Pred) || Pred->isLayoutSuccessor(&MBB) ? 1 : 2;
    Cost += Instrs * Freq.OfEdge(*Pred, MBB);
  }
  return Cost;
}

void Placer::atEntry(MachineBasicBlock &MBB) {
  bool Wanted = Regions.heldAtEntry(MBB);
  // A thread that ends gives all back, but its warp goes on with other lanes.
  if (endsThread(MBB))
    return;
  // Nothing comes back to a block that no edge leads to.
  bool ParkedDiffer =
      Parked[MBB.getNumber()].differ(Wanted) && !MBB.pred_empty();
  bool IsEntry = &MBB == &MF.front();
  bool Differ = ParkedDiffer || (IsEntry && Wanted) ||
                llvm::any_of(MBB.predecessors(), [&](MachineBasicBlock *P) {
                  return Regions.heldAtExit(*P) != Wanted;
                });
  if (!Differ)
    return;
  if (ParkedDiffer || IsEntry ||
      Freq.OfBlock(MBB) <= costOnEdges(MBB, Wanted)) {
    Changes.push_back({Wanted, &MBB, MBB.SkipPHIsAndLabels(MBB.begin()),
                       nullptr, Freq.OfBlock(MBB)});
    return;
  }
  for (MachineBasicBlock *Pred : MBB.predecessors())
    if (Regions.heldAtExit(*Pred) != Wanted)
      Changes.push_back({Wanted, Pred, firstTerminator(*Pred), &MBB,
                         Freq.OfEdge(*Pred, MBB)});
}

std::vector<HoldChange> Placer::run() {
  for (const MachineBasicBlock &MBB : MF)
    AtStops[MBB.getNumber()] = statesAtStops(MBB);
  for (const MachineBasicBlock &MBB : MF)
    if (Stops.resumesFree(MBB))
      Parked[MBB.getNumber()].add(false);
  // What lanes do where threads only end depends on how they came there.
  for (std::vector<Arrivals> Before; Before != Parked;) {
    Before = Parked;
    for (const MachineBasicBlock &MBB : MF)
      if (A.Divergence.isDivergentBranch(MBB))
        resumeAfter(MBB);
  }
  for (MachineBasicBlock &MBB : MF) {
    atEntry(MBB);
    insideBlock(MBB);
  }
  return std::move(Changes);
}

std::vector<HoldChange> placeChanges(MachineFunction &MF,
                                     const HoldRegions &Regions,
                                     const Analyses &A, const StopRules &Stops,
                                     const Frequencies &Freq) {
  return Placer(MF, Regions, A, Stops, Freq).run();
}

} // namespace regshare
