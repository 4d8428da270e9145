//===- SmScheme.h - What an SM and its scheme tell each other ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of SmCore that tells the scheme what warps do, and does what the
/// scheme says of them: holds them back, wakes them, ends the launch. Included
/// by SmCore.h.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SMSCHEME_H
#define REGSHARE_SIM_TIMING_CORE_SMSCHEME_H

#include "SmCore.h"

namespace regshare::sim {

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::arrived(unsigned Index) {
  Issue.schedulerOf(Index).arrive(Index);
  Hooks.resident(Slots[Index].Ref);
  if (!Issue.hasActiveSets())
    Hooks.activated(Slots[Index].Ref);
  Next = Now;
  obeys(Slots[Index], Slots[Index].W->nextPlace());
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::left(unsigned Index) {
  if (Slots[Index].Holds)
    record(TimelineEvent::HoldEnd, Slots[Index]);
  Hooks.finished(Slots[Index].Ref);
  obeys(Slots[Index], Slots[Index].W->lastPlace());
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::stepsOver(unsigned Index, Rows Dead) {
  const Slot &W = Slots[Index];
  Hooks.steppedOver(W.Ref, *W.Next);
  if (Dead.empty())
    return;
  for (uint32_t Row : Dead)
    Hooks.freed(W.Ref, Row, isOnItsWay(Index, Row));
  obeys(W, W.W->nextPlace());
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
PoolStats SmCore<SchemeT, PathT>::poolStats() const {
  PoolStats S = Hooks.stats();
  S.WaitCycles = Stats.WaitCycles;
  return S;
}

template <typename SchemeT, typename PathT>
RegisterCacheStats SmCore<SchemeT, PathT>::cacheStats() const {
  RegisterCacheStats S = Hooks.cacheStats();
  if (S.isEmpty())
    return S;
  S.WaitCycles = Stats.WaitCycles;
  return S;
}

template <typename SchemeT, typename PathT>
OperandCacheStats SmCore<SchemeT, PathT>::operandCacheStats() const {
  OperandCacheStats S = Hooks.operandCacheStats();
  if (!S.isEmpty())
    S.WaitCycles = Stats.WaitCycles;
  return S;
}

/// The scheme refused the warp, which asks again once it is woken.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::holdBack(unsigned Index) {
  Slot &W = Slots[Index];
  moveTo(Index, WarpClasses::Held);
  Cycle Ready = Hooks.readyAt(W.Ref);
  if (Ready <= Now) [[unlikely]]
    return refuseReadyAt(W, Ready);
  if (Ready != Never)
    Wheel.add(std::min(Ready, Now + Wheel.Size - 1), Now, WakeEvent | Index);
  if (W.HeldSince != Never)
    return;
  W.HeldSince = Now;
  W.W->setHeldBack(true);
  record(TimelineEvent::WaitBegin, W);
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::wakeHeldBack() {
  uint64_t Woken = Hooks.takeWoken();
  if (Woken & ~allSlots()) [[unlikely]]
    return refuseWoken(Woken);
  for (; Woken; Woken &= Woken - 1) {
    Wheel.add(Now + 1, Now, WakeEvent | unsigned(std::countr_zero(Woken)));
    Next = std::min(Next, Now + 1);
  }
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::compareStalls(uint64_t Own, uint64_t OfFirst) {
  Hooks.compareStalls(Own, OfFirst);
  wakeHeldBack();
}

/// Tells the scheme if control of the warp went along no edge.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::notePops(Slot &W) {
  uint64_t Pops = W.W->divergentPops();
  if (Pops == W.Pops) [[likely]]
    return;
  Stats.DivergentPops += Pops - W.Pops;
  W.Pops = Pops;
  Hooks.divergentPop(W.Ref);
  obeys(W, W.W->lastPlace());
}

/// Fails the launch if the scheme found that an instruction of the warp has
/// broken a rule; to be asked after each event, as others follow.
template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::obeys(const Slot &W, const CodePlace &Cause) {
  if (Hooks.violation().empty()) [[likely]]
    return true;
  violated(W, Hooks.violation(), Cause);
  return false;
}

/// An instruction has issued, and the scheme changes its state.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::tellScheme(Slot &W, const IssueInfo &Info) {
  Hooks.issued(W.Ref, Info);
  if (Hooks.wantsReach(W.Ref, Info))
    Hooks.hasReached(W.Ref, W.W->lastScratchpadEnd());
  obeys(W, W.W->lastPlace());
  if constexpr (!Refuses)
    return;
  if (W.HeldSince != Never) {
    Stats.WaitCycles += Now - W.HeldSince;
    W.HeldSince = Never;
    W.W->setHeldBack(false);
    record(TimelineEvent::WaitEnd, W);
  }
  // Others of its CTA may have got what it holds since it issued last.
  if (W.Holds != Hooks.holds(W.Ref)) {
    record(W.Holds ? TimelineEvent::HoldEnd : TimelineEvent::HoldBegin, W);
    W.Holds = !W.Holds;
  }
  wakeHeldBack();
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_SMSCHEME_H
