//===- ScratchpadSharingScheme.h - CTAs that share scratchpad ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scratchpad sharing (Jatala et al., HPDC 2016, §III-B; docs/sharing.md). A
/// CTA of a pair takes a lock before one of its threads accesses the shared
/// part of its scratchpad, and keeps it until all of its warps have ended or
/// come to a `regshare.release`. A kernel whose CTAs may wait for each other
/// runs as under Baseline.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHARING_SCRATCHPADSHARINGSCHEME_H
#define REGSHARE_SIM_SCHEMES_SHARING_SCRATCHPADSHARINGSCHEME_H

#include "CtaPairs.h"

namespace regshare::sim {

/// What a launch knows of code that was made for scratchpad sharing: its
/// releases are of scratchpad.
struct ScratchpadReleases {};

/// The hooks, which tests override.
class ScratchpadLocks : public SchemeHooks {
public:
  explicit ScratchpadLocks(const SchemeContext &C);

  bool wantsReach(const WarpRef &W, const IssueInfo &Info) const override {
    return Info.Target == Pipe::Memory && Pairs.isShared(W.CtaSlot);
  }
  void willReach(const WarpRef &, uint32_t End) override { NextReach = End; }
  void hasReached(const WarpRef &W, uint32_t End) override;

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override;
  /// A warp that others wait for never waits for the lock: its CTA takes that
  /// before.
  bool mayHold(const WarpRef &W) override {
    return !needsLockToHold(W) || mayTake(W);
  }
  void begunToHold(const WarpRef &W) override {
    if (needsLockToHold(W))
      take(W.CtaSlot);
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  void resident(const WarpRef &W) override;
  void finished(const WarpRef &W) override;
  void issued(const WarpRef &W, const IssueInfo &Info) override;

  /// Its CTA has the lock, and the warp has not released it.
  bool holds(const WarpRef &W) const final {
    return Pairs.isShared(W.CtaSlot) && Holders[W.CtaSlot] &&
           !(Released >> W.Slot & 1);
  }
  PoolStats stats() const override { return Stats; }
  unsigned inUse() const final { return InUse; }
  uint64_t preferred(uint64_t Candidates) const override {
    return OwnersFirst ? Pairs.ownersFirst(Candidates) : Candidates;
  }

private:
  bool partnerHolds(unsigned CtaSlot) const {
    return Holders[Pairs.partnerOf(CtaSlot)];
  }
  /// The warp may yet access what the pair shares.
  bool needsLockToHold(const WarpRef &W) const {
    return Pairs.isShared(W.CtaSlot) && !Holders[W.CtaSlot] &&
           !(Released >> W.Slot & 1);
  }
  bool mayTake(const WarpRef &W);
  void take(unsigned CtaSlot);
  void giveBackIfDone(unsigned CtaSlot);

  CtaPairs Pairs;
  bool MayRelease; ///< The code's releases are not another scheme's.
  bool OwnersFirst;
  unsigned Private = 0; ///< Bytes of a CTA's scratchpad that are its own.
  uint32_t NextReach = 0;
  std::vector<bool> Holders; ///< By CTA slot.
  unsigned InUse = 0;
  uint64_t Released = 0, Waiting = 0, Woken = 0; ///< Warp slots.
  PoolStats Stats;
};

class ScratchpadSharingScheme final : public ScratchpadLocks {
public:
  using ScratchpadLocks::ScratchpadLocks;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHARING_SCRATCHPADSHARINGSCHEME_H
