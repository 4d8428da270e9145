//===- SharingReach.cpp - How far a warp comes on its own -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingReach.h"

#include "regshare/CodeGen/Statements.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunction.h"

#include <map>
#include <queue>

using namespace llvm;

namespace regshare {

SharingReach::SharingReach(const MachineFunction &MF,
                           const MachineBranchProbabilityInfo &MBPI,
                           function_ref<RegSet(const MachineInstr &)> NeedsOf)
    : Earliest(RegSet::PredBase) {
  ReversePostOrderTraversal<const MachineFunction *> RPO(&MF);
  DenseMap<const MachineBasicBlock *, unsigned> Number;
  for (const MachineBasicBlock *MBB : RPO)
    Number[MBB] = Number.size();
  for (const MachineBasicBlock *MBB : RPO) {
    Block &B = Blocks.emplace_back();
    for (const MachineInstr &MI : *MBB)
      if (!MI.isMetaInstruction() && statementVerb(MI).empty())
        B.Needs.push_back(NeedsOf(MI));
    for (const MachineBasicBlock *Succ : MBB->successors()) {
      BranchProbability P = MBPI.getEdgeProbability(MBB, Succ);
      B.Succs.push_back(
          {Number[Succ], double(P.getNumerator()) / P.getDenominator()});
    }
  }
  measureDistances();
}

void SharingReach::measureDistances() {
  using Arrival = std::pair<unsigned, unsigned>; // Distance, block.
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> Queue;
  Queue.push({0, 0});
  while (!Queue.empty()) {
    auto [Distance, N] = Queue.top();
    Queue.pop();
    Block &B = Blocks[N];
    if (B.Distance)
      continue;
    B.Distance = Distance;
    for (unsigned I = 0; I != B.Needs.size(); ++I)
      B.Needs[I].forEach([&](unsigned Bit) {
        if (Bit < Earliest.size() &&
            (!Earliest[Bit] || *Earliest[Bit] > Distance + I))
          Earliest[Bit] = Distance + I;
      });
    for (auto [Succ, Probability] : B.Succs)
      Queue.push({Distance + unsigned(B.Needs.size()), Succ});
  }
}

std::optional<unsigned> SharingReach::least(const RegSet &Own) const {
  std::optional<unsigned> Least;
  for (unsigned Bit = 0; Bit != Earliest.size(); ++Bit)
    if (Earliest[Bit] && !Own.test(Bit) && (!Least || *Earliest[Bit] < *Least))
      Least = Earliest[Bit];
  return Least;
}

unsigned SharingReach::stopOf(const Block &B, const RegSet &Own) {
  return std::distance(B.Needs.begin(),
                       llvm::find_if(B.Needs, [&](const RegSet &Needs) {
                         return !(Needs - Own).empty();
                       }));
}

std::vector<RegSet> SharingReach::lacking(const RegSet &Own) const {
  std::vector<RegSet> Sets;
  std::vector<bool> Seen(Blocks.size());
  std::vector<unsigned> Worklist = {0};
  Seen[0] = true;
  while (!Worklist.empty()) {
    const Block &B = Blocks[Worklist.back()];
    Worklist.pop_back();
    unsigned Stop = stopOf(B, Own);
    if (Stop != B.Needs.size()) {
      if (RegSet Lacks = B.Needs[Stop] - Own; !is_contained(Sets, Lacks))
        Sets.push_back(Lacks);
      continue;
    }
    for (auto [Succ, Probability] : B.Succs)
      if (!Seen[Succ]) {
        Seen[Succ] = true;
        Worklist.push_back(Succ);
      }
  }
  return Sets;
}

namespace {

/// x = Constant + the sum of Factors times other unknowns, for each unknown x,
/// of which the first is wanted.
class Equations {
public:
  explicit Equations(unsigned Count) : Rows(Count), UsedBy(Count) {}

  void addConstant(unsigned Row, double C) { Rows[Row].Constant += C; }
  void addFactor(unsigned Row, unsigned Unknown, double Factor) {
    if (Rows[Row].Factors.try_emplace(Unknown, 0).second)
      UsedBy[Unknown].push_back(Row);
    Rows[Row].Factors[Unknown] += Factor;
  }
  double solve();

private:
  struct Row {
    double Constant = 0;
    std::map<unsigned, double> Factors;
  };
  void resolve(unsigned Unknown);

  std::vector<Row> Rows;
  std::vector<std::vector<unsigned>> UsedBy;
};

} // namespace

/// Takes \p Unknown off its own right side. A loop that cannot be left is
/// counted as if it were, once in a million rounds.
void Equations::resolve(unsigned Unknown) {
  constexpr double LeastLeft = 1e-6;
  Row &R = Rows[Unknown];
  auto Self = R.Factors.find(Unknown);
  if (Self == R.Factors.end())
    return;
  double Scale = 1 / std::max(1 - Self->second, LeastLeft);
  R.Factors.erase(Self);
  R.Constant *= Scale;
  for (auto &[Other, Factor] : R.Factors)
    Factor *= Scale;
}

/// From the last to the first: what is left of a row then are the few unknowns
/// before it, the headers of loops that it is in.
double Equations::solve() {
  for (unsigned Unknown = Rows.size(); --Unknown;) {
    resolve(Unknown);
    for (unsigned User : UsedBy[Unknown]) {
      auto At = Rows[User].Factors.find(Unknown);
      if (User >= Unknown || At == Rows[User].Factors.end())
        continue;
      double By = At->second;
      Rows[User].Factors.erase(At);
      Rows[User].Constant += By * Rows[Unknown].Constant;
      for (auto [Other, Factor] : Rows[Unknown].Factors)
        addFactor(User, Other, By * Factor);
    }
  }
  resolve(0);
  return Rows[0].Constant;
}

double SharingReach::expected(const RegSet &Own) const {
  Equations E(Blocks.size());
  for (unsigned N = 0; N != Blocks.size(); ++N) {
    unsigned Stop = stopOf(Blocks[N], Own);
    E.addConstant(N, Stop);
    if (Stop == Blocks[N].Needs.size())
      for (auto [Succ, Probability] : Blocks[N].Succs)
        E.addFactor(N, Succ, Probability);
  }
  return E.solve();
}

} // namespace regshare
