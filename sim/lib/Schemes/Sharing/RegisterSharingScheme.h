//===- RegisterSharingScheme.h - Warps that share registers -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register sharing (Jatala et al., HPDC 2016, §III-A; docs/sharing.md). A warp
/// of a pair takes a lock before it names a shared register, and keeps it until
/// it ends or a `regshare.release`. A kernel whose CTAs may wait for each other
/// runs as under Baseline: a later CTA could hold what an earlier one needs.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHARING_REGISTERSHARINGSCHEME_H
#define REGSHARE_SIM_SCHEMES_SHARING_REGISTERSHARINGSCHEME_H

#include "CtaPairs.h"
#include "MemoryThrottle.h"
#include "SharingCode.h"

namespace regshare::sim {

/// The hooks, which tests override.
class RegisterLocks : public SchemeHooks {
public:
  explicit RegisterLocks(const SchemeContext &C);

  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override {
    return Pairs.isEnabled() ? Pairs.warpSlot(CtaSlot, Index)
                             : SchemeHooks::slotFor(Free, Mine, CtaSlot, Index);
  }
  void runsOn(unsigned SmId, unsigned NumSms) override {
    if (IsDynamic)
      Throttle.start(SmId, NumSms);
  }

  bool wantsReach(const WarpRef &W, const IssueInfo &Info) const override {
    return IsDynamic && Info.LeavesSm && Pairs.isShared(W.CtaSlot);
  }
  void willReach(const WarpRef &, uint32_t End) override { NextReach = End; }

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    return !Pairs.isShared(W.CtaSlot) || mayIssueShared(W, Info);
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  void tick(Cycle Cycle) override { Now = Cycle; }
  Cycle readyAt(const WarpRef &W) const override {
    return Throttled >> W.Slot & 1 ? Throttle.readyAt(W.Slot) : Never;
  }
  Cycle comparisonPeriod() const override { return MemoryThrottle::Period; }
  void compareStalls(uint64_t Stalls, uint64_t OfFirst) override;

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (!Pairs.isShared(W.CtaSlot) || !isSharedRow(Row))
      return SchemeHooks::read(W, Row);
    return {uint8_t((Row + Pairs.homeSlot(W)) % Banks), Delay};
  }

  void resident(const WarpRef &W) override;
  void finished(const WarpRef &W) override;
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    if (Pairs.isShared(W.CtaSlot))
      issuedShared(W, Info);
  }

  bool holds(const WarpRef &W) const final { return Holding >> W.Slot & 1; }
  PoolStats stats() const override { return Stats; }
  unsigned inUse() const final { return unsigned(std::popcount(Holding)); }
  uint64_t preferred(uint64_t Candidates) const override {
    return OwnersFirst ? Pairs.ownersFirst(Candidates) : Candidates;
  }

private:
  bool isSharedRow(uint32_t Row) const {
    return Row >= Private && Row < EndRow;
  }
  bool mayIssueShared(const WarpRef &W, const IssueInfo &Info);
  void issuedShared(const WarpRef &W, const IssueInfo &Info);
  bool namesShared(const IssueInfo &Info) const;
  bool isRelease(const IssueInfo &Info) const {
    return Info.Statement == SharingCode::Release && MayRelease &&
           !Info.IsForeign;
  }
  void take(const WarpRef &W);
  void giveBack(const WarpRef &W);
  void becameOwners(uint64_t Slots);

  CtaPairs Pairs;
  MemoryThrottle Throttle;
  bool IsDynamic;
  /// Code that releases names private registers alone after that. Not so if it
  /// is another scheme's, or was made for a larger private part.
  bool MayRelease = false;
  bool OwnersFirst;
  unsigned Private = 0; ///< R0 to R<Private-1> are a warp's own.
  unsigned EndRow = 0;  ///< Rows from here on are none of a thread's registers.
  uint32_t NextReach = 0; ///< Bytes of scratchpad, of the next access.
  Cycle Now = 0;
  /// Warp slots, as all of these. Throttled ones ask again by themselves;
  /// PutOff are those whose next instruction was throttled.
  uint64_t Holding = 0, Released = 0;
  uint64_t Waiting = 0, Throttled = 0, PutOff = 0, Woken = 0;
  PoolStats Stats;
};

class RegisterSharingScheme final : public RegisterLocks {
public:
  using RegisterLocks::RegisterLocks;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHARING_REGISTERSHARINGSCHEME_H
