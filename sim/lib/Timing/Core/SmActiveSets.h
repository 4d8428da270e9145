//===- SmActiveSets.h - Which warps are active ------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of SmCore for two-level schedulers: warps that come to wait make
/// room for others, and take turns where that is not enough. Included by
/// SmCore.h.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SMACTIVESETS_H
#define REGSHARE_SIM_TIMING_CORE_SMACTIVESETS_H

#include "SmCore.h"

namespace regshare::sim {

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::updateActiveSets() {
  if (!Issue.hasActiveSets() || (!Classes.takeChange() && !TakeTurns))
    return;
  // Whoever holds what another waits for has to come to run.
  uint64_t Waiting = Classes.waiting(SlotUse::DependencyMemory) |
                     Classes.waiting(SlotUse::Barrier) |
                     Classes.waiting(SlotUse::Fence) |
                     Hooks.mayLeave(Classes.heldBack());
  // Code may not rely on nobody taking the place of a warp that waits.
  if (Hooks.codeManagesCache())
    for (uint64_t Rest = Issue.active() & Waiting; Rest; Rest &= Rest - 1)
      Slots[std::countr_zero(Rest)].W->parked();
  auto Leaves = [&](unsigned Index) {
    const Slot &W = Slots[Index];
    Hooks.parked(W.Ref);
    // A warp at a barrier has executed it, others wait for their next one.
    obeys(W, W.W->isBlocked() ? W.W->lastPlace() : W.W->nextPlace());
  };
  auto Enters = [&](unsigned Index) {
    Hooks.activated(Slots[Index].Ref);
    obeys(Slots[Index], Slots[Index].W->nextPlace());
  };
  Issue.updateActiveSets(Waiting, Leaves, Enters);
  if (TakeTurns) [[unlikely]]
    Issue.takeTurns(Now, Waiting, mayBeParked(), Leaves, Enters);
}

/// Warps that could issue but for their places outside of the active sets.
template <typename SchemeT, typename PathT>
uint64_t SmCore<SchemeT, PathT>::parkedAndReady() const {
  uint64_t Ready = 0;
  for (unsigned P = 0; P <= NumPipes; ++P)
    Ready |= Classes.ready(P);
  return Issue.hasActiveSets() ? Ready & ~Issue.active() : 0;
}

/// Warps that can give their places to others although they wait for nothing.
template <typename SchemeT, typename PathT>
uint64_t SmCore<SchemeT, PathT>::mayBeParked() const {
  uint64_t May = 0;
  for (uint64_t Rest = Issue.active(); Rest; Rest &= Rest - 1) {
    unsigned Index = std::countr_zero(Rest);
    const Slot &W = Slots[Index];
    if (!W.SlotsLeft && !W.HasPaid && !W.W->needsItsPlace())
      May |= uint64_t(1) << Index;
  }
  return May;
}

/// The first warp of the SM has issued its last instruction: a lazy scheduler
/// learns how many are active from now on.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::limitActiveWarps(const Slot &First) {
  uint64_t All = 0;
  for (const Slot &Each : Slots)
    All += Each.Issued;
  Stats.ActiveLimit = lazyActiveWarps(All, First.Issued, Core.Schedulers,
                                      Context.Setup.Device.MaxWarps);
  Issue.limitActiveWarps(Stats.ActiveLimit);
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_SMACTIVESETS_H
