//===- Interference.cpp - From stretches to a colouring problem -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interference.h"

using namespace llvm;

namespace regshare {

namespace {
/// The nodes of one register file that are live at a place, in the order in
/// which they became so.
class ActiveNodes {
public:
  void dropEnded(uint32_t Now) {
    size_t Kept = 0;
    for (size_t I = 0; I != Ends.size(); ++I) {
      Ends[Kept] = Ends[I];
      Nodes[Kept] = Nodes[I];
      Kept += Ends[Kept] > Now;
    }
    Ends.resize(Kept);
    Nodes.resize(Kept);
  }
  void add(uint32_t Node, uint32_t End) {
    Nodes.push_back(Node);
    Ends.push_back(End);
  }
  ArrayRef<uint32_t> nodes() const { return Nodes; }

private:
  std::vector<uint32_t> Ends, Nodes;
};
} // namespace

Interference::Interference(const LiveValues &Live, const PeakPressure &Peak) {
  Units.reserve(Live.Values.size(), Live.Stretches.size(), Peak.UnitPairs);
  Preds.reserve(0, 0, Peak.PredPairs);
  auto ProblemOf = [&](uint32_t Value) -> ColoringProblem & {
    return Live.Values[Value].Kind == RegKind::Pred ? Preds : Units;
  };
  NodeOf.reserve(Live.Values.size());
  for (uint32_t V = 0; V != Live.Values.size(); ++V)
    NodeOf.push_back(
        ProblemOf(V).addNode(std::max(1u, unitsOf(Live.Values[V].Kind))));
  ActiveNodes Active[2];
  for (const LiveStretch &S : Live.Stretches) {
    ActiveNodes &A = Active[S.Kind == RegKind::Pred];
    A.dropEnded(S.Start);
    ProblemOf(S.Value).addInterferences(NodeOf[S.Value], A.nodes());
    A.add(NodeOf[S.Value], S.End);
  }
}

} // namespace regshare
