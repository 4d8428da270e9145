//===- WaitingLoops.cpp - Kernels that may wait for other CTAs ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WaitingLoops.h"

#include <algorithm>

namespace regshare::sim {

/// Another warp's stores can change what it delivers, and it is there for that.
static bool seesOthers(const Function &F, const Inst &I) {
  const ptx::Instruction &Text = F.Syntax->Body[I.Source];
  if (Text.Opcode == "membar" || Text.Opcode == "fence" ||
      Text.Opcode == "nanosleep")
    return true;
  if (I.Kind != InstKind::Memory || I.Where == Space::Local ||
      I.Where == Space::Shared)
    return false;
  // Past L1, which other SMs' stores do not reach.
  bool PastL1 = Text.has("cg") || Text.has("cv");
  return (I.IsAtomic && I.NumWrites) ||
         (I.IsLoad && (PastL1 || I.Flags & FlagVolatile));
}

/// For each instruction, the last one that jumps to it or across it from
/// further on; its own number if none does. All of a loop is jumped across:
/// what leads from its last instruction to its first jumps back.
static std::vector<size_t> jumpsAcross(const Function &F) {
  std::vector<size_t> LastFrom(F.Code.size());
  for (size_t N = 0; N != LastFrom.size(); ++N)
    LastFrom[N] = N;
  auto Jump = [&](size_t From, uint32_t To) {
    if (To <= From)
      LastFrom[To] = std::max(LastFrom[To], From + 1);
  };
  for (size_t N = 0; N != F.Code.size(); ++N) {
    const Inst &I = F.Code[N];
    if (I.Kind == InstKind::Branch)
      Jump(N, I.Target);
    else if (I.Kind == InstKind::IndexedBranch)
      for (uint32_t To : F.BranchTables[I.Target])
        Jump(N, To);
  }
  for (size_t N = 1; N < LastFrom.size(); ++N)
    LastFrom[N] = std::max(LastFrom[N], LastFrom[N - 1]);
  return LastFrom;
}

/// What \p I calls; null if that is not known. \p I is a call.
static const Function *calleeOf(const Program &P, const Function &F,
                                const Inst &I) {
  uint32_t Callee = F.Calls[I.Target].Callee;
  return Callee == NoTarget ? nullptr : P.Functions[Callee].get();
}

static bool waits(const Program &P, const Function &F) {
  std::vector<size_t> LastFrom = jumpsAcross(F);
  for (size_t N = 0; N != F.Code.size(); ++N) {
    const Inst &I = F.Code[N];
    bool InLoop = LastFrom[N] > N;
    if (I.Kind == InstKind::Call) {
      const Function *Callee = calleeOf(P, F, I);
      if (!Callee || Callee->WaitsForOthers)
        return true;
      continue;
    }
    if (InLoop && seesOthers(F, I))
      return true;
  }
  return false;
}

void findWaitingLoops(Program &P) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &F : P.Functions)
      if (F->Syntax->HasBody && !F->WaitsForOthers && waits(P, *F))
        Changed = F->WaitsForOthers = true;
  }
}

} // namespace regshare::sim
