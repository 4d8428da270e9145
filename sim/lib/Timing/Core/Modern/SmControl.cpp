//===- SmControl.cpp - Warps that wait as their code says -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With control statements an SM does not look at registers. The scoreboard is
/// there all the same, to find what issues before hardware would have its
/// values.
///
//===----------------------------------------------------------------------===//

#include "Timing/Core/Sm.h"

namespace regshare::sim {

/// Whether the warp's code has it wait, and if so, for which class of slots.
std::optional<SlotUse> Sm::heldByControl(Slot &S, const IssueInfo &Next) {
  const ControlState &C = Controls[S.Ref.Slot];
  if (waitsUntil(S, C.stallsUntil()))
    return SlotUse::Dependency;
  if (!(C.awaitsAll(Next.Says) && S.InFlight) &&
      !C.awaitsCounter(Next.Says, Now))
    return std::nullopt;
  switch (latestWriter(S, Next)) {
  case LongLoad:
    return SlotUse::DependencyMemory;
  case SharedLoad:
    return SlotUse::DependencyShared;
  default:
    return SlotUse::Dependency;
  }
}

/// Another instruction of the warp has read its operands or written its
/// results, for which this one may wait.
void Sm::wakeByCounter(unsigned Index) {
  uint8_t Class = Slots[Index].Class;
  if (Class == uint8_t(SlotUse::Dependency) ||
      Class == uint8_t(SlotUse::DependencyMemory) ||
      Class == uint8_t(SlotUse::DependencyShared))
    evaluate(Index);
}

static std::string nameOfAccess(const Function &F, uint32_t Access) {
  if (Access < F.NumRows)
    return "register R" + std::to_string(Access);
  return "a predicate or uniform register";
}

/// What is wrong with an instruction that issues now, if something is.
std::optional<std::string> Sm::earlyUse(const Slot &S,
                                        const IssueInfo &Next) const {
  const uint8_t *Board =
      Boards.data() + size_t(S.Ref.Slot) * Context.Timing.MaxAccesses;
  for (unsigned K = 0; K != unsigned(Next.NumReads + Next.NumWrites); ++K) {
    uint32_t Access = Next.Accesses[K];
    if (Board[Access] > Fixed)
      return nameOfAccess(*S.Fn, Access) +
             (K < Next.NumReads ? " is read" : " is overwritten") +
             " and has not been written yet; expected a wait for the counter "
             "of the instruction that writes it";
  }
  if (Timed->overwrites(S.Ref.Slot, Next))
    return "a register is overwritten that an instruction has yet to read; "
           "expected a wait for that instruction's counter";
  if (Cycle Ready = Timed->readyAt(S.Ref.Slot, Next, S.Fn->NumRows);
      Ready > Now)
    return "a result of fixed latency is used " + std::to_string(Ready - Now) +
           " cycles before it is there; expected a longer stall";
  return std::nullopt;
}

/// The warp's next instruction is about to issue. False if that is too early.
bool Sm::isInTime(Slot &S) {
  std::optional<std::string> Wrong = earlyUse(S, *S.Next);
  if (!Wrong)
    return true;
  violated(S, "regshare.control: " + *Wrong, S.W->nextPlace());
  return false;
}

} // namespace regshare::sim
