//===- LivenessOracle.cpp - Liveness by its definition -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LivenessOracle.h"

#include <set>

namespace regshare::test {

RegSet unitsOf(const std::vector<ModelReg> &Regs) {
  RegSet Set;
  for (ModelReg R : Regs)
    for (unsigned U = 0; U != std::max(1u, regshare::unitsOf(R.Kind)); ++U)
      Set.set((R.Kind == RegKind::Pred ? RegSet::PredBase : 0) + R.Index + U);
  return Set;
}

/// The blocks that paths from \p From reach without entering \p Without.
static std::set<unsigned> reachable(const ModelFunction &F, unsigned From,
                                    std::optional<unsigned> Without) {
  std::set<unsigned> Seen;
  std::vector<unsigned> Stack;
  auto Enter = [&](unsigned B) {
    if (Without != B && Seen.insert(B).second)
      Stack.push_back(B);
  };
  Enter(From);
  while (!Stack.empty()) {
    unsigned B = Stack.back();
    Stack.pop_back();
    for (unsigned S : F.Blocks[B].Succs)
      Enter(S);
  }
  return Seen;
}

static bool reachesReturn(const ModelFunction &F, unsigned From) {
  for (unsigned B : reachable(F, From, std::nullopt))
    if (F.Blocks[B].Succs.empty())
      return true;
  return false;
}

bool canRunForever(const ModelFunction &F) {
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    if (!reachesReturn(F, B))
      return true;
  return false;
}

/// True if every way from \p B to its end goes through \p P.
static bool postDominates(const ModelFunction &F, unsigned P, unsigned B) {
  for (unsigned R : reachable(F, B, P))
    if (F.Blocks[R].Succs.empty() || !reachesReturn(F, R))
      return false;
  return true;
}

std::optional<unsigned> immediatePostDominator(const ModelFunction &F,
                                               unsigned B) {
  if (!reachesReturn(F, B))
    return std::nullopt;
  std::vector<unsigned> All;
  for (unsigned P = 0; P != F.Blocks.size(); ++P)
    if (P != B && postDominates(F, P, B))
      All.push_back(P);
  for (unsigned P : All) {
    bool Nearest = true;
    for (unsigned Q : All)
      Nearest &= postDominates(F, Q, P);
    if (Nearest)
      return P;
  }
  return std::nullopt;
}

LivenessOracle::LivenessOracle(const ModelFunction &F,
                               const std::vector<bool> &Divergent)
    : F(F), Divergent(Divergent), Preds(F.Blocks.size()),
      Parked(F.Blocks.size()) {
  for (unsigned B = 0; B != F.Blocks.size(); ++B) {
    Thread.emplace_back(F.Blocks[B].Instrs.size() + 1);
    for (unsigned S : F.Blocks[B].Succs)
      Preds[S].push_back(B);
  }
  searchBackFromUses();
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    if (Divergent[B])
      park(B);
}

void LivenessOracle::searchBackFromUses() {
  for (unsigned B = 0; B != F.Blocks.size(); ++B) {
    const ModelBlock &Block = F.Blocks[B];
    for (unsigned I = 0; I <= Block.Instrs.size(); ++I) {
      RegSet Reads = unitsOf(I < Block.Instrs.size() ? Block.Instrs[I].Uses
                                                     : Block.terminatorUses());
      Reads.forEach([&](unsigned Unit) { searchBack(B, I, Unit); });
    }
  }
}

/// \p Unit is live before instruction \p I of \p B, and on every path to
/// there from the last write.
void LivenessOracle::searchBack(unsigned B, unsigned I, unsigned Unit) {
  std::vector<std::pair<unsigned, unsigned>> Stack = {{B, I}};
  while (!Stack.empty()) {
    auto [AtBlock, At] = Stack.back();
    Stack.pop_back();
    if (Thread[AtBlock][At].test(Unit))
      continue;
    Thread[AtBlock][At].set(Unit);
    if (At == 0) {
      for (unsigned P : Preds[AtBlock])
        Stack.emplace_back(P, F.Blocks[P].Instrs.size());
      continue;
    }
    if (!unitsOf(F.Blocks[AtBlock].Instrs[At - 1].Defs).test(Unit))
      Stack.emplace_back(AtBlock, At - 1);
  }
}

RegSet LivenessOracle::threadLiveOut(unsigned B) const {
  RegSet Out;
  for (unsigned S : F.Blocks[B].Succs)
    Out |= Thread[S][0];
  return Out;
}

/// What lanes need that have stopped at a ballot in \p Region, and those that
/// they left behind there at divergent branches.
RegSet LivenessOracle::stoppedIn(const std::set<unsigned> &Region) const {
  RegSet Need;
  bool Stops = false;
  for (unsigned B : Region) {
    const ModelBlock &Block = F.Blocks[B];
    for (unsigned I = 0; I != Block.Instrs.size(); ++I)
      if (Block.Instrs[I].Op == ModelOp::Ballot) {
        Stops = true;
        Need |= Thread[B][I] | Thread[B][I + 1];
      }
    if (!Divergent[B])
      continue;
    for (unsigned S : Block.Succs)
      Need |= Thread[S][0];
    if (std::optional<unsigned> Meet = immediatePostDominator(F, B))
      Need |= Thread[*Meet][0];
    if (Block.Succs.size() > 2)
      Need |= unitsOf(Block.terminatorUses());
  }
  return Stops ? Need : RegSet();
}

void LivenessOracle::park(unsigned Branch) {
  const std::vector<unsigned> &Sides = F.Blocks[Branch].Succs;
  const bool IsSwitch = Sides.size() > 2;
  std::optional<unsigned> Meet = immediatePostDominator(F, Branch);
  for (unsigned Side : Sides) {
    RegSet Need;
    // A switch is executed again for each index.
    if (IsSwitch)
      Need |= unitsOf(F.Blocks[Branch].terminatorUses());
    if (Meet)
      Need |= Thread[*Meet][0];
    // Machines need not agree on where lanes meet in an endless loop.
    if (!Meet && canRunForever(F))
      for (const std::vector<RegSet> &Block : Thread)
        Need |= Block[0];
    for (unsigned Other : Sides) {
      if (Other != Side || IsSwitch)
        Need |= Thread[Other][0];
      if ((Other != Side || IsSwitch) && Other != Meet)
        Need |= stoppedIn(reachable(F, Other, Meet));
    }
    for (unsigned B : reachable(F, Side, Meet))
      Parked[B] |= Need;
  }
}

} // namespace regshare::test
