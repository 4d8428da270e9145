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
  return useOfWait(latestWriter(S, Next));
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
  if (Access < F.firstUniform())
    return "predicate P" + std::to_string(Access - F.NumRows);
  return "uniform register U" + std::to_string(Access - F.firstUniform());
}

/// An instruction of the warp that some of its present lanes have executed has
/// yet to write \p Access, or to read it. What other lanes do is theirs.
bool Sm::awaitsFlight(const Slot &S, uint32_t Access, bool ItsReading) const {
  return std::ranges::any_of(Flights, [&](const Flight &F) {
    if (!F.Info || F.HasLanded || F.Slot != S.Ref.Slot ||
        hasFixedLatency(F.Info->Class) || !(F.Lanes & S.W->activeLanes()) ||
        (ItsReading && F.HasRead))
      return false;
    const uint32_t *Reads = F.Info->Accesses,
                   *Writes = Reads + F.Info->NumReads;
    return ItsReading ? std::find(Reads, Writes, Access) != Writes
                      : std::find(Writes, Writes + F.Info->NumWrites, Access) !=
                            Writes + F.Info->NumWrites;
  });
}

/// What is wrong with an instruction that issues now, if something is.
std::optional<std::string> Sm::earlyUse(const Slot &S,
                                        const IssueInfo &Next) const {
  const uint8_t *Board =
      Boards.data() + size_t(S.Ref.Slot) * Context.Timing.MaxAccesses;
  for (unsigned K = 0; K != unsigned(Next.NumReads + Next.NumWrites); ++K) {
    uint32_t Access = Next.Accesses[K];
    if (Board[Access] > Fixed && awaitsFlight(S, Access, false))
      return nameOfAccess(*S.Fn, Access) +
             (K < Next.NumReads ? " is read" : " is overwritten") +
             " and has not been written yet; expected a wait for the counter "
             "of the instruction that writes it";
  }
  if (Timed->overwrites(S.Ref.Slot, Next))
    for (unsigned K = 0; K != Next.NumWrites; ++K)
      if (uint32_t Access = Next.Accesses[Next.NumReads + K];
          awaitsFlight(S, Access, true))
        return nameOfAccess(*S.Fn, Access) +
               " is overwritten and an instruction has yet to read it; "
               "expected "
               "a wait for that instruction's counter";
  if (Cycle Ready =
          Timed->readyAt(S.Ref.Slot, Next, S.Fn->NumRows, S.W->activeLanes());
      Ready > Now)
    return "a result of fixed latency is used " + std::to_string(Ready - Now) +
           " cycles before it is there; expected a longer stall";
  return std::nullopt;
}

/// The warp's next instruction is about to issue. False if that is too early.
bool Sm::isInTime(Slot &S) {
  if (S.Next->isNothing())
    return true;
  std::optional<std::string> Wrong = earlyUse(S, *S.Next);
  if (!Wrong)
    return true;
  violated(S, "regshare.control: " + *Wrong, S.W->nextPlace());
  return false;
}

} // namespace regshare::sim
