//===- MinCut.cpp - Two labels at least cost ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/MinCut.h"

#include <algorithm>
#include <cassert>

namespace regshare {

void MinCut::addArcs(uint32_t From, uint32_t To, uint64_t There,
                     uint64_t Back) {
  Arcs.push_back({To, First[From], There});
  First[From] = Arcs.size() - 1;
  Arcs.push_back({From, First[To], Back});
  First[To] = Arcs.size() - 1;
}

// Nodes on the source's side have the label: leaving it costs IfClear, being on
// it costs IfSet.
uint32_t MinCut::addNode(uint64_t IfSet, uint64_t IfClear) {
  uint32_t Node = First.size();
  First.push_back(None);
  if (IfClear)
    addArcs(Source, Node, IfClear, 0);
  if (IfSet)
    addArcs(Node, Sink, IfSet, 0);
  return Node - 2;
}

void MinCut::addEdge(uint32_t A, uint32_t B, uint64_t IfDifferent) {
  assert(A + 2 < First.size() && B + 2 < First.size() && "no such node");
  if (A != B && IfDifferent)
    addArcs(A + 2, B + 2, IfDifferent, IfDifferent);
}

void MinCut::addImplication(uint32_t A, uint32_t B) {
  if (A != B)
    addArcs(A + 2, B + 2, Never, 0);
}

/// Distances from the source along arcs with room; false if the sink has none.
bool MinCut::findLevels() {
  Level.assign(First.size(), None);
  Level[Source] = 0;
  std::vector<uint32_t> Queue{Source};
  for (size_t I = 0; I != Queue.size(); ++I)
    for (uint32_t A = First[Queue[I]]; A != None; A = Arcs[A].Next)
      if (Arcs[A].Capacity && Level[Arcs[A].To] == None) {
        Level[Arcs[A].To] = Level[Queue[I]] + 1;
        Queue.push_back(Arcs[A].To);
      }
  return Level[Sink] != None;
}

/// Pushes flow along one shortest path; 0 if there is none left.
uint64_t MinCut::augment() {
  std::vector<uint32_t> Path; // arcs
  uint32_t Node = Source;
  while (Node != Sink) {
    uint32_t A = Current[Node];
    while (A != None &&
           !(Arcs[A].Capacity && Level[Arcs[A].To] == Level[Node] + 1))
      A = Arcs[A].Next;
    Current[Node] = A;
    if (A != None) {
      Path.push_back(A);
      Node = Arcs[A].To;
      continue;
    }
    if (Path.empty())
      return 0;
    // A dead end: back, and past the arc that led here.
    Node = Arcs[Path.back() ^ 1].To;
    Current[Node] = Arcs[Path.back()].Next;
    Path.pop_back();
  }
  uint64_t Flow = ~uint64_t(0);
  for (uint32_t A : Path)
    Flow = std::min(Flow, Arcs[A].Capacity);
  for (uint32_t A : Path) {
    Arcs[A].Capacity -= Flow;
    Arcs[A ^ 1].Capacity += Flow;
  }
  return Flow;
}

std::optional<std::vector<bool>> MinCut::solve() {
  uint64_t Cost = 0;
  while (findLevels()) {
    Current = First;
    while (uint64_t Flow = augment()) {
      Cost += Flow;
      if (Cost >= Never)
        return std::nullopt;
    }
  }
  // What the source still reaches is the smallest of the best sides.
  std::vector<bool> Labels;
  for (size_t Node = 2; Node != First.size(); ++Node)
    Labels.push_back(Level[Node] != None);
  return Labels;
}

} // namespace regshare
