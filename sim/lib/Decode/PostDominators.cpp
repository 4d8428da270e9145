//===- PostDominators.cpp - Immediate post-dominators -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostDominators.h"

#include <algorithm>

namespace regshare::sim {

namespace {

/// Basic blocks of a function, with a virtual exit as the last one.
struct Graph {
  std::vector<uint32_t> Starts; ///< First instruction of each block.
  std::vector<uint32_t> BlockOf;
  std::vector<std::vector<uint32_t>> Successors, Predecessors;
  uint32_t Exit = 0;
};

} // namespace

static bool leavesFunction(const Inst &I) {
  return (I.Kind == InstKind::Return || I.Kind == InstKind::Exit ||
          I.Kind == InstKind::Trap) &&
         I.Guard == PredTrue;
}

/// Threads that come to \p At are done: they need not wait for others, who may
/// still want to meet all threads that are left. Statements on the way there
/// change nothing, so that code with them parts and meets as it does without.
static bool endsThread(const Function &F, uint32_t At) {
  while (F.Code[At].Attention & AttendNoSlot)
    ++At; // The last instruction is a return.
  const Inst &I = F.Code[At];
  return leavesFunction(I) && (F.IsEntry || I.Kind != InstKind::Return);
}

static bool endsBlock(const Inst &I) {
  return I.Kind == InstKind::Branch || I.Kind == InstKind::IndexedBranch ||
         leavesFunction(I);
}

static Graph buildGraph(const Function &F) {
  Graph G;
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
  G.BlockOf.resize(N);
  for (size_t I = 0; I != N; ++I) {
    if (Leader[I])
      G.Starts.push_back(uint32_t(I));
    G.BlockOf[I] = uint32_t(G.Starts.size()) - 1;
  }
  G.Exit = uint32_t(G.Starts.size());
  G.Successors.resize(G.Exit + 1);
  G.Predecessors.resize(G.Exit + 1);
  for (uint32_t B = 0; B != G.Exit; ++B) {
    size_t Last = (B + 1 == G.Exit ? N : G.Starts[B + 1]) - 1;
    const Inst &End = F.Code[Last];
    auto &Out = G.Successors[B];
    if (End.Kind == InstKind::Branch)
      Out.push_back(G.BlockOf[End.Target]);
    else if (End.Kind == InstKind::IndexedBranch)
      for (uint32_t T : F.BranchTables[End.Target])
        Out.push_back(G.BlockOf[T]);
    bool FallsThrough =
        !leavesFunction(End) && !(endsBlock(End) && End.Guard == PredTrue);
    if (FallsThrough && Last + 1 < N)
      Out.push_back(G.BlockOf[Last + 1]);
    if (Out.empty())
      Out.push_back(G.Exit);
    for (uint32_t T : Out)
      G.Predecessors[T].push_back(B);
  }
  return G;
}

/// Blocks in post-order of the reversed graph, from the exit.
static std::vector<uint32_t> reversePostOrder(const Graph &G) {
  std::vector<uint32_t> Order;
  std::vector<bool> Seen(G.Exit + 1, false);
  std::vector<std::pair<uint32_t, size_t>> Stack = {{G.Exit, 0}};
  Seen[G.Exit] = true;
  while (!Stack.empty()) {
    auto &[Block, Next] = Stack.back();
    if (Next == G.Predecessors[Block].size()) {
      Order.push_back(Block);
      Stack.pop_back();
      continue;
    }
    uint32_t P = G.Predecessors[Block][Next++];
    if (!Seen[P]) {
      Seen[P] = true;
      Stack.emplace_back(P, 0);
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

std::vector<uint32_t> immediatePostDominators(const Function &F) {
  Graph G = buildGraph(F);
  std::vector<uint32_t> Order = reversePostOrder(G);
  constexpr uint32_t None = NoTarget;
  std::vector<uint32_t> Number(G.Exit + 1, None), Parent(G.Exit + 1, None);
  for (uint32_t K = 0; K != Order.size(); ++K)
    Number[Order[K]] = K;
  Parent[G.Exit] = G.Exit;
  auto Meet = [&](uint32_t A, uint32_t B) {
    while (A != B)
      (Number[A] > Number[B] ? A : B) = Parent[Number[A] > Number[B] ? A : B];
    return A;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t B : Order) {
      if (B == G.Exit)
        continue;
      uint32_t New = None;
      for (uint32_t S : G.Successors[B])
        if (Parent[S] != None)
          New = New == None ? S : Meet(New, S);
      if (New != None && Parent[B] != New) {
        Parent[B] = New;
        Changed = true;
      }
    }
  }
  std::vector<uint32_t> Result(F.Code.size(), NoTarget);
  for (size_t I = 0; I != F.Code.size(); ++I) {
    const Inst &Current = F.Code[I];
    if (Current.Kind != InstKind::Branch &&
        Current.Kind != InstKind::IndexedBranch)
      continue;
    uint32_t P = Parent[G.BlockOf[I]];
    if (P != None && P != G.Exit && !endsThread(F, G.Starts[P]))
      Result[I] = G.Starts[P];
  }
  return Result;
}

} // namespace regshare::sim
