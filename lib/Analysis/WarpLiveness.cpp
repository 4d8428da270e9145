//===- WarpLiveness.cpp - What any lane of a warp still reads -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/WarpLiveness.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachinePostDominators.h"

using namespace llvm;

namespace regshare {

namespace {
/// The divergent branches that meet at one block, together: what their parked
/// lanes need spreads from their successors up to that block.
class ParkedSets {
public:
  ParkedSets(const MachineFunction &MF, std::vector<RegSet> &Total)
      : Total(Total), Sets(MF.getNumBlockIDs()) {}

  void spread(const MachineBasicBlock *Join,
              ArrayRef<const MachineBasicBlock *> Branches,
              const ThreadLiveness &Thread);

private:
  void add(const MachineBasicBlock &MBB, const RegSet &Need);
  void seed(const MachineBasicBlock &Branch, const MachineBasicBlock *Join,
            const ThreadLiveness &Thread);

  std::vector<RegSet> &Total;
  std::vector<RegSet> Sets; // of the join at hand, by block number
  SmallVector<const MachineBasicBlock *, 32> Worklist, Touched;
};
} // namespace

void ParkedSets::add(const MachineBasicBlock &MBB, const RegSet &Need) {
  RegSet &Set = Sets[MBB.getNumber()];
  if ((Need - Set).empty())
    return;
  if (Set.empty())
    Touched.push_back(&MBB);
  Set |= Need;
  Worklist.push_back(&MBB);
}

void ParkedSets::seed(const MachineBasicBlock &Branch,
                      const MachineBasicBlock *Join,
                      const ThreadLiveness &Thread) {
  for (const MachineBasicBlock *Side : Branch.successors()) {
    if (Side == Join)
      continue;
    RegSet Need;
    if (Join)
      Need = Thread.liveIn(*Join);
    for (const MachineBasicBlock *Other : Branch.successors())
      if (Other != Side)
        Need |= Thread.liveIn(*Other);
    add(*Side, Need);
  }
}

void ParkedSets::spread(const MachineBasicBlock *Join,
                        ArrayRef<const MachineBasicBlock *> Branches,
                        const ThreadLiveness &Thread) {
  for (const MachineBasicBlock *Branch : Branches)
    seed(*Branch, Join, Thread);
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.pop_back_val();
    for (const MachineBasicBlock *Succ : MBB->successors())
      if (Succ != Join)
        add(*Succ, Sets[MBB->getNumber()]);
  }
  for (const MachineBasicBlock *MBB : Touched) {
    Total[MBB->getNumber()] |= Sets[MBB->getNumber()];
    Sets[MBB->getNumber()] = RegSet();
  }
  Touched.clear();
}

WarpLiveness::WarpLiveness(const MachineFunction &MF,
                           const ThreadLiveness &Thread,
                           const DivergenceAnalysis &Divergence,
                           const MachinePostDominatorTree &PDT)
    : Thread(Thread), Parked(MF.getNumBlockIDs()) {
  MapVector<const MachineBasicBlock *,
            SmallVector<const MachineBasicBlock *, 2>>
      ByJoin;
  for (const MachineBasicBlock &MBB : MF)
    if (Divergence.isDivergentBranch(MBB))
      ByJoin[reconvergencePoint(MBB, PDT)].push_back(&MBB);
  ParkedSets Sets(MF, Parked);
  for (const auto &[Join, Branches] : ByJoin)
    Sets.spread(Join, Branches, Thread);
}

} // namespace regshare
