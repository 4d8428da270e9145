//===- RegMutexPlan.cpp - Where to hold the extended set ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegMutexCompact.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/Transforms/MinCut.h"

using namespace llvm;

namespace regshare {

namespace {

/// Sets up the minimum cut whose labels are the plan: a node for each run of
/// instructions, one for each block's entry, and one for each block that says
/// whether lanes parked while it runs hold the extended set.
class Planner {
public:
  Planner(const MachineFunction &MF, const Analyses &A, const WaitPoints &Waits,
          const StopRules &Stops, const ValueRanges &Ranges,
          const Frequencies &Freq, unsigned Target, double CrossingCost)
      : MF(MF), A(A), Waits(Waits), Stops(Stops), Ranges(Ranges), Freq(Freq),
        Target(Target), CrossingCost(CrossingCost), Runs(MF.getNumBlockIDs()),
        Entry(MF.getNumBlockIDs()), Park(MF.getNumBlockIDs()),
        FirstRun(MF.getNumBlockIDs()) {}

  std::optional<HoldPlan> run();

private:
  void measure();
  bool isOver(uint32_t Point) const { return Pressure[Point] > int(Target); }
  void addBlock(const MachineBasicBlock &MBB);
  void addEdges(const MachineBasicBlock &MBB);
  void addParking(const MachineBasicBlock &MBB);
  uint32_t lastNode(const MachineBasicBlock &MBB) const;
  HoldPlan read(const std::vector<bool> &Labels) const;
  void addOneState(const BitVector &Blocks);

  const MachineFunction &MF;
  const Analyses &A;
  const WaitPoints &Waits;
  const StopRules &Stops;
  const ValueRanges &Ranges;
  const Frequencies &Freq;
  unsigned Target;
  double CrossingCost;
  std::vector<int> Pressure; // by point
  MinCut Cut;
  // By block number:
  std::vector<std::vector<HoldRun>> Runs;
  std::vector<uint32_t> Entry, Park, FirstRun; // nodes
};

} // namespace

void Planner::measure() {
  Pressure.assign(2 * Ranges.Instrs.size(), int(Ranges.Reserved));
  for (uint32_t V = 0; V != Ranges.ThreadPoints.size(); ++V)
    for (IndexRange R : Ranges.ThreadPoints[V])
      for (uint32_t P = R.First; P != R.End; ++P)
        Pressure[P] += unitsOf(Ranges.Live.Values[V].Kind);
}

void Planner::addBlock(const MachineBasicBlock &MBB) {
  unsigned N = MBB.getNumber();
  IndexRange Block = Ranges.Blocks[N];
  std::vector<InstrNeed> Needs;
  for (uint32_t I = Block.First; I != Block.End; ++I) {
    bool Over = isOver(2 * I) || isOver(2 * I + 1);
    Needs.push_back({Ranges.Instrs[I], Over ? HoldNeed::Held
                                       : Waits.isWait(*Ranges.Instrs[I])
                                           ? HoldNeed::Free
                                           : HoldNeed::Either});
  }
  Runs[N] = makeRuns(std::move(Needs));
  double Executions = Freq.OfBlock(MBB);
  bool EntryOver = Block.First != Block.End && isOver(2 * Block.First) &&
                   !Waits.isWait(*Ranges.Instrs[Block.First]);
  Entry[N] = Cut.addNode(0, EntryOver ? MinCut::Never : 0);
  Park[N] = Cut.addNode(0, 0);
  uint32_t Before = Entry[N];
  bool First = true;
  for (const HoldRun &R : Runs[N]) {
    uint64_t IfHeld = R.Need == HoldNeed::Free
                          ? MinCut::Never
                          : scaledCost(R.NumInstrs * Executions);
    uint32_t Node =
        Cut.addNode(IfHeld, R.Need == HoldNeed::Held ? MinCut::Never : 0);
    if (First)
      FirstRun[N] = Node;
    First = false;
    Cut.addEdge(Before, Node, scaledCost(Executions * CrossingCost));
    Cut.addImplication(Park[N], Node);
    Before = Node;
  }
  Cut.addImplication(Park[N], Entry[N]);
}

uint32_t Planner::lastNode(const MachineBasicBlock &MBB) const {
  unsigned N = MBB.getNumber();
  return Runs[N].empty() ? Entry[N] : FirstRun[N] + Runs[N].size() - 1;
}

void Planner::addEdges(const MachineBasicBlock &MBB) {
  for (const MachineBasicBlock *Succ : MBB.successors())
    Cut.addEdge(lastNode(MBB), Entry[Succ->getNumber()],
                scaledCost(Freq.OfEdge(MBB, *Succ) * CrossingCost));
}

/// Lanes that wait at the entry of another side, or where all meet, keep what
/// they have there all the while.
void Planner::addParking(const MachineBasicBlock &MBB) {
  const MachineBasicBlock *Meet = A.Meetings.meetingPoint(MBB);
  bool Parts = A.Divergence.isDivergentBranch(MBB);
  for (const MachineBasicBlock *Side : MBB.successors())
    A.Meetings.forEachDependent(MBB, *Side, [&](const MachineBasicBlock &Dep) {
      uint32_t Parked = Park[Dep.getNumber()];
      Cut.addImplication(Park[MBB.getNumber()], Parked);
      if (!Parts)
        return;
      if (Meet)
        Cut.addImplication(Entry[Meet->getNumber()], Parked);
      for (const MachineBasicBlock *Other : MBB.successors())
        if (Other != Side)
          Cut.addImplication(Entry[Other->getNumber()], Parked);
    });
}

HoldPlan Planner::read(const std::vector<bool> &Labels) const {
  HoldPlan Plan;
  Plan.Inside.resize(Ranges.Instrs.size());
  Plan.EntryInside.resize(MF.getNumBlockIDs());
  for (const MachineBasicBlock &MBB : MF) {
    unsigned N = MBB.getNumber();
    Plan.EntryInside[N] = Labels[Entry[N]];
    uint32_t Instr = Ranges.Blocks[N].First, Node = FirstRun[N];
    for (const HoldRun &R : Runs[N]) {
      for (unsigned I = 0; I != R.NumInstrs; ++I)
        Plan.Inside[Instr++] = Labels[Node];
      ++Node;
    }
  }
  return Plan;
}

/// Blocks of one state are all in or all out.
void Planner::addOneState(const BitVector &Blocks) {
  uint32_t Representative = Entry[Blocks.find_first()];
  for (unsigned N : Blocks.set_bits()) {
    Cut.addEquality(Representative, Entry[N]);
    for (uint32_t I = 0; I != Runs[N].size(); ++I)
      Cut.addEquality(Representative, FirstRun[N] + I);
  }
}

std::optional<HoldPlan> Planner::run() {
  measure();
  for (const MachineBasicBlock &MBB : MF)
    addBlock(MBB);
  for (const MachineBasicBlock &MBB : MF) {
    addEdges(MBB);
    addParking(MBB);
  }
  for (const BitVector &Blocks : Stops.oneState())
    addOneState(Blocks);
  std::optional<std::vector<bool>> Labels = Cut.solve();
  if (!Labels)
    return std::nullopt;
  HoldPlan Plan = read(*Labels);
  // A group is one instruction: nothing is copied between its members.
  for (size_t I = Plan.Inside.size(); I-- > 1;)
    if (isFolded(*Ranges.Instrs[I - 1]))
      Plan.Inside[I - 1] = Plan.Inside[I];
  return Plan;
}

std::optional<HoldPlan>
planHolds(const MachineFunction &MF, const Analyses &A, const WaitPoints &Waits,
          const StopRules &Stops, const ValueRanges &Ranges,
          const Frequencies &Freq, unsigned Target, double CrossingCost) {
  return Planner(MF, A, Waits, Stops, Ranges, Freq, Target, CrossingCost).run();
}

} // namespace regshare
