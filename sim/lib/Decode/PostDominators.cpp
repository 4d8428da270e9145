//===- PostDominators.cpp - Immediate post-dominators -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostDominators.h"

#include "CodeGraph.h"

#include <algorithm>

namespace regshare::sim {

/// Threads that come to \p At are done: they need not wait for others, who may
/// still want to meet all threads that are left. Statements on the way there
/// change nothing, so that code with them parts and meets as it does without.
static bool endsThread(const Function &F, uint32_t At) {
  while (F.Code[At].Attention & AttendNoSlot)
    ++At; // The last instruction is a return.
  const Inst &I = F.Code[At];
  return leavesFunction(I) && (F.IsEntry || I.Kind != InstKind::Return);
}

/// Blocks in post-order of the reversed graph, from the exit.
static std::vector<uint32_t> reversePostOrder(const CodeGraph &G) {
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
  const CodeGraph G(F);
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
