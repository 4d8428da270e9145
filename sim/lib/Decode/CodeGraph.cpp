//===- CodeGraph.cpp - Basic blocks of decoded code -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGraph.h"

namespace regshare::sim {

/// A trap ends everything, so that what comes after it is never reached. Code
/// goes on there all the same, for threads that another way brings there.
bool leavesFunction(const Inst &I) {
  return (I.Kind == InstKind::Return || I.Kind == InstKind::Exit) &&
         I.Guard == PredTrue;
}

static bool endsBlock(const Inst &I) {
  return I.Kind == InstKind::Branch || I.Kind == InstKind::IndexedBranch ||
         leavesFunction(I);
}

CodeGraph::CodeGraph(const Function &F) {
  size_t N = F.Code.size();
  std::vector<bool> Leader(N + 1, false);
  Leader[0] = true;
  for (size_t I = 0; I != N; ++I) {
    const Inst &Current = F.Code[I];
    if (Current.Kind == InstKind::Branch)
      Leader[Current.Target] = true;
    if (Current.Kind == InstKind::IndexedBranch)
      for (uint32_t T : F.BranchTables[Current.Target])
        Leader[T] = true;
    if (endsBlock(Current))
      Leader[I + 1] = true;
  }
  BlockOf.resize(N);
  for (size_t I = 0; I != N; ++I) {
    if (Leader[I])
      Starts.push_back(uint32_t(I));
    BlockOf[I] = uint32_t(Starts.size()) - 1;
  }
  Exit = uint32_t(Starts.size());
  Successors.resize(Exit + 1);
  Predecessors.resize(Exit + 1);
  for (uint32_t B = 0; B != Exit; ++B) {
    size_t Last = endOf(B) - 1;
    const Inst &End = F.Code[Last];
    auto &Out = Successors[B];
    if (End.Kind == InstKind::Branch)
      Out.push_back(BlockOf[End.Target]);
    else if (End.Kind == InstKind::IndexedBranch)
      for (uint32_t T : F.BranchTables[End.Target])
        Out.push_back(BlockOf[T]);
    bool FallsThrough =
        !leavesFunction(End) && !(endsBlock(End) && End.Guard == PredTrue);
    if (FallsThrough && Last + 1 < N)
      Out.push_back(BlockOf[Last + 1]);
    if (Out.empty())
      Out.push_back(Exit);
    for (uint32_t T : Out)
      Predecessors[T].push_back(B);
  }
}

} // namespace regshare::sim
