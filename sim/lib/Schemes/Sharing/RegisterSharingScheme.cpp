//===- RegisterSharingScheme.cpp - Warps that share registers -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterSharingScheme.h"

#include "regshare/Base/Sharing/SharingStatements.h"

namespace regshare::sim {

RegisterLocks::RegisterLocks(const SchemeContext &C)
    : SchemeHooks(C), Pairs(C.Resident.Layout.get<SharingResidency>()),
      IsDynamic(C.Values.get<bool>(settings::DynamicWarps)),
      OwnersFirst(C.Core.Policy == SchedulerPolicy::OWF) {
  Stats.StorageBits =
      unsigned(sharingStorage(SharedResource::Registers, C.Device).total());
  if (!Pairs.isEnabled())
    return;
  const auto &Layout = *C.Resident.Layout.get<SharingResidency>();
  Private = Layout.Private;
  const auto *Made = C.Needs.Facts.get<PrivateRegisters>();
  MayRelease = Made && Made->Registers <= Private;
  EndRow = C.Needs.Resources.RegsPerThread;
  Stats.Unit = "lock";
  // It may be put off, too.
  Stats.Waits = "held back";
  Stats.Holds = "holds a lock";
  Stats.Capacity = Pairs.numPairs() * Layout.WarpsPerCTA;
  Stats.RowsOfUnit = EndRow - std::min(EndRow, Private);
}

/// A warp may take a lock only while none of the other CTA holds one: with
/// locks of one pair on both sides, barriers could close a round (§III-A).
bool RegisterLocks::mayIssueShared(const WarpRef &W, const IssueInfo &Info) {
  uint64_t Bit = uint64_t(1) << W.Slot;
  Throttled &= ~Bit;
  if (Info.EndRow > Private && !holds(W) &&
      Holding & Pairs.partnersOf(W.CtaSlot)) {
    // It may ask again because of an event that is out of date.
    Stats.Attempts += !(Waiting & Bit);
    Waiting |= Bit;
    // What was drawn was for an access that would need no lock.
    Throttle.forget(W.Slot);
    return false;
  }
  // What reaches scratchpad by a generic address stays in the SM.
  bool LeavesSm = Info.LeavesSm && !NextReach;
  if (!IsDynamic || !LeavesSm || Pairs.isOwner(W.CtaSlot) ||
      Throttle.allows(W.Slot, Now))
    return true;
  Throttled |= Bit;
  Stats.HeldAccesses += !(PutOff & Bit);
  PutOff |= Bit;
  return false;
}

bool RegisterLocks::namesShared(const IssueInfo &Info) const {
  if (Info.Statement)
    return false;
  if (Info.IsForeign)
    return Info.NumReads + Info.NumWrites != 0;
  return std::any_of(Info.Accesses,
                     Info.Accesses + Info.NumReads + Info.NumWrites,
                     [&](uint32_t Row) { return isSharedRow(Row); });
}

void RegisterLocks::issuedShared(const WarpRef &W, const IssueInfo &Info) {
  PutOff &= ~(uint64_t(1) << W.Slot);
  if (Info.EndRow > Private && !holds(W))
    take(W);
  Stats.HeldInstructions += holds(W);
  if (isRelease(Info)) {
    Released |= uint64_t(1) << W.Slot;
    giveBack(W);
  }
  if (!namesShared(Info))
    return;
  if (!holds(W))
    violate("a shared register is named without the lock");
  if (Holding & Pairs.partnersOf(W.CtaSlot))
    violate("both CTAs of a pair hold locks on shared registers");
  if (Released >> W.Slot & 1)
    violate("a shared register is named after the warp's regshare.release");
}

void RegisterLocks::take(const WarpRef &W) {
  Holding |= uint64_t(1) << W.Slot;
  ++Stats.Attempts;
  ++Stats.Successes;
  ++Stats.Taken;
  Stats.PeakInUse = std::max(Stats.PeakInUse, inUse());
  becameOwners(Pairs.tookLock(W.CtaSlot));
}

/// The other CTA's warps ask again once none of this one's holds a lock.
void RegisterLocks::giveBack(const WarpRef &W) {
  if (!holds(W))
    return;
  Holding &= ~(uint64_t(1) << W.Slot);
  ++Stats.Returned;
  if (Holding & Pairs.warpsOf(W.CtaSlot))
    return;
  uint64_t MayAsk = Waiting & Pairs.partnersOf(W.CtaSlot);
  Woken |= MayAsk;
  Waiting &= ~MayAsk;
}

void RegisterLocks::becameOwners(uint64_t Slots) {
  uint64_t Freed = Slots & Throttled;
  Woken |= Freed;
  Throttled &= ~Freed;
  for (; Freed; Freed &= Freed - 1)
    Throttle.forget(unsigned(std::countr_zero(Freed)));
}

void RegisterLocks::compareStalls(uint64_t Stalls, uint64_t OfFirst) {
  Throttle.compare(Stalls, OfFirst);
  Woken |= Throttled;
  Throttled = 0;
}

void RegisterLocks::resident(const WarpRef &W) {
  Pairs.resident(W);
  if (!Pairs.isShared(W.CtaSlot))
    return;
  Released &= ~(uint64_t(1) << W.Slot);
  Throttle.forget(W.Slot);
  if (Pairs.warpSlot(W.CtaSlot, W.Index) != W.Slot)
    violate("warp slot " + std::to_string(W.Slot) +
            " has registers of another warp");
}

void RegisterLocks::finished(const WarpRef &W) {
  if (!Pairs.isShared(W.CtaSlot))
    return;
  giveBack(W);
  becameOwners(Pairs.finished(W));
}

HeldBackBy RegisterLocks::heldBackBy(const WarpRef &W) const {
  uint64_t Others = Pairs.partnersOf(W.CtaSlot);
  if (Waiting >> W.Slot & 1)
    return {"the lock on its shared registers", Holding & Others};
  return {"leave to access memory", Others};
}

} // namespace regshare::sim
