//===- PredicatedSides.cpp - Code that no lane executes -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreConfig.h"

#include "regshare/Sim/Program.h"

namespace regshare::sim {

/// More slots than compilers execute under a predicate.
static constexpr size_t MostSlots = 64;

/// The slots from the instruction \p At up to \p Meeting.
static PredicatedSide findSide(const Function &F, const FunctionTiming &T,
                               uint32_t At, uint32_t Meeting) {
  PredicatedSide Side;
  while (At != Meeting) {
    if (At >= F.Code.size() || Side.size() > MostSlots)
      return {};
    const Inst &I = F.Code[At];
    const IssueInfo &Info = T.Insts[At];
    if (Info.IsControl) {
      bool IsJump = I.Kind == InstKind::Branch && I.Guard == PredTrue &&
                    !Info.Slots && I.Target > At;
      if (!IsJump)
        return {};
      At = I.Target;
      continue;
    }
    if (!Info.TakesNoSlot && !Info.IsDefine)
      for (unsigned Left = Info.Slots; Left; --Left)
        Side.push_back({At, uint16_t(Left)});
    ++At;
  }
  return Side;
}

PredicatedBranches findPredicatedBranches(const Function &F,
                                          const FunctionTiming &T) {
  PredicatedBranches Found;
  if (F.Native.empty())
    return Found;
  for (uint32_t N = 0; N != F.Code.size(); ++N) {
    const Inst &I = F.Code[N];
    if (I.Kind != InstKind::Branch || I.Guard == PredTrue || T.Insts[N].Slots ||
        I.Reconverge == NoTarget)
      continue;
    PredicatedBranch B{findSide(F, T, I.Target, I.Reconverge),
                       findSide(F, T, N + 1, I.Reconverge)};
    if (!B.Taken.empty() || !B.NotTaken.empty())
      Found.emplace(N, std::move(B));
  }
  return Found;
}

} // namespace regshare::sim
