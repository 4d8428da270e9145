//===- ScratchpadSharingScheme.cpp - CTAs that share scratchpad -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScratchpadSharingScheme.h"

#include "SharingCode.h"

namespace regshare::sim {

ScratchpadLocks::ScratchpadLocks(const SchemeContext &C)
    : SchemeHooks(C), Pairs(C.Resident.Layout.get<SharingResidency>()),
      MayRelease(C.Needs.Facts.get<ScratchpadReleases>()),
      OwnersFirst(C.Core.Policy == SchedulerPolicy::OWF) {
  Stats.StorageBits =
      unsigned(sharingStorage(SharedResource::Scratchpad, C.Device).total());
  if (!Pairs.isEnabled())
    return;
  const auto &Layout = *C.Resident.Layout.get<SharingResidency>();
  Private = Layout.Private;
  Holders.resize(Layout.ctas());
  Stats.Unit = "lock";
  Stats.Waits = "held back";
  Stats.Holds = "holds a lock";
  Stats.Capacity = Pairs.numPairs();
}

bool ScratchpadLocks::mayIssue(const WarpRef &W, const IssueInfo &) {
  if (!Pairs.isShared(W.CtaSlot) || NextReach <= Private || Holders[W.CtaSlot])
    return true;
  return mayTake(W);
}

/// Whether its CTA may; else the warp waits for the other one's to give the
/// lock back.
bool ScratchpadLocks::mayTake(const WarpRef &W) {
  ++Stats.Attempts;
  if (!partnerHolds(W.CtaSlot))
    return true;
  Waiting |= uint64_t(1) << W.Slot;
  return false;
}

void ScratchpadLocks::issued(const WarpRef &W, const IssueInfo &Info) {
  if (!Pairs.isShared(W.CtaSlot))
    return;
  if (NextReach > Private && !Holders[W.CtaSlot])
    take(W.CtaSlot);
  Stats.HeldInstructions += holds(W);
  if (Info.Statement != SharingCode::Release || !MayRelease || Info.IsForeign)
    return;
  Released |= uint64_t(1) << W.Slot;
  giveBackIfDone(W.CtaSlot);
}

/// What the executed access has touched, not what it was said to touch.
void ScratchpadLocks::hasReached(const WarpRef &W, uint32_t End) {
  if (!Pairs.isShared(W.CtaSlot) || !End)
    return;
  if (Released >> W.Slot & 1)
    violate("shared memory is accessed after the warp's regshare.release");
  if (End <= Private)
    return;
  if (!Holders[W.CtaSlot])
    violate("the shared part of the scratchpad is accessed without the lock");
  if (partnerHolds(W.CtaSlot))
    violate("both CTAs of a pair hold the lock on shared scratchpad");
}

void ScratchpadLocks::take(unsigned CtaSlot) {
  Holders[CtaSlot] = true;
  ++InUse;
  ++Stats.Successes;
  ++Stats.Taken;
  Stats.PeakInUse = std::max(Stats.PeakInUse, InUse);
  Pairs.tookLock(CtaSlot);
}

/// The lock is the CTA's: its last warp to end or release gives it back.
void ScratchpadLocks::giveBackIfDone(unsigned CtaSlot) {
  if (!Holders[CtaSlot] || Pairs.warpsOf(CtaSlot) & ~Released)
    return;
  Holders[CtaSlot] = false;
  --InUse;
  ++Stats.Returned;
  uint64_t MayAsk = Waiting & Pairs.partnersOf(CtaSlot);
  Woken |= MayAsk;
  Waiting &= ~MayAsk;
}

void ScratchpadLocks::resident(const WarpRef &W) {
  Pairs.resident(W);
  Released &= ~(uint64_t(1) << W.Slot);
}

void ScratchpadLocks::finished(const WarpRef &W) {
  if (!Pairs.isShared(W.CtaSlot))
    return;
  Pairs.finished(W);
  giveBackIfDone(W.CtaSlot);
}

HeldBackBy ScratchpadLocks::heldBackBy(const WarpRef &W) const {
  return {"the lock on its shared scratchpad", Pairs.partnersOf(W.CtaSlot)};
}

} // namespace regshare::sim
