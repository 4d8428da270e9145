//===- WarpScheduler.h - Which warp issues next -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One warp scheduler. Warps are the bits of a mask, by the SM's warp slots.
///
///   LRR        begins after the warp that issued last.
///   GTO        the warp that issued last, then the oldest.
///   two-level  round robin among a bounded set of active warps. One that waits
///              at a barrier or for a long load is replaced by the first to
///              have left that waits no longer; while there is none, it stays.
///   LTLWS      the same with LRR or GTO among the active warps, whose number
///              has no bound until the first warp of the SM has ended.
///   CGGTY      the warp that issued last, then the youngest.
///   OWF        the oldest, of those that the scheme puts first: of CTAs that
///              share in pairs, owners' warps (CtaPairs.h).
///
/// Rules as in GPGPU-Sim 4.2, except that in its two-level scheduler a warp
/// that waits leaves at once, and the first in line comes even if it waits.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_WARPSCHEDULER_H
#define REGSHARE_SIM_TIMING_CORE_WARPSCHEDULER_H

#include "CoreConfig.h"

#include <array>
#include <cstdint>
#include <deque>

namespace regshare::sim {

/// Most warp slots of an SM.
inline constexpr unsigned MaxWarpSlots = 64;

/// LTLWS: how many warps of an SM are active once the first one has ended. All
/// resident ones had issued \p All instructions, the first among them \p First
/// (equation 14). Each scheduler keeps at least one.
unsigned lazyActiveWarps(uint64_t All, uint64_t First, unsigned Schedulers,
                         unsigned MaxWarps);

class WarpScheduler {
public:
  /// \p ActiveLimit bounds the active set of a two-level scheduler; a lazy one
  /// begins without a bound.
  WarpScheduler(SchedulerPolicy Policy, unsigned ActiveLimit)
      : Policy(Policy), ActiveLimit(isLazy() ? MaxWarpSlots : ActiveLimit) {}

  /// A warp becomes resident; it is younger than all before it.
  void arrive(unsigned Slot);
  void leave(unsigned Slot);

  /// Which of \p Candidates, at least one, issues.
  unsigned pick(uint64_t Candidates) const;
  void issued(unsigned Slot) { Last = Slot; }

  /// Warps that may issue; all, unless two-level.
  uint64_t active() const { return Active; }
  /// Demotes and promotes, given the warps that wait at a barrier or for a long
  /// load. Active warps beyond a new limit leave, the youngest of those that
  /// wait first, and then of the others. \p Entered and \p Left receive the
  /// changes of the active set.
  void update(uint64_t Waiting, uint64_t &Entered, uint64_t &Left);
  /// The warp of \p MayLeave that has been active for longest makes room for
  /// the first parked one that is not \p Waiting. False if there is no such
  /// pair.
  bool exchange(uint64_t Waiting, uint64_t MayLeave, unsigned &Entered,
                unsigned &Left);
  bool isTwoLevel() const { return sim::isTwoLevel(Policy); }
  bool isLazy() const { return sim::isLazy(Policy); }
  /// Bounds the active set from the next update() on.
  void setActiveLimit(unsigned Limit) { ActiveLimit = Limit; }

private:
  unsigned oldest(uint64_t Candidates) const;
  unsigned youngest(uint64_t Candidates) const;
  unsigned whoLeaves(uint64_t Waiting) const;
  void activate(unsigned Slot);

  SchedulerPolicy Policy;
  unsigned ActiveLimit;
  unsigned Last = 0;
  uint64_t NextAge = 0;
  uint64_t Active = 0;
  std::array<uint64_t, MaxWarpSlots> Age = {};
  std::array<uint64_t, MaxWarpSlots> Entry = {}; ///< When it became active.
  uint64_t Entries = 0;
  std::deque<uint8_t> Parked;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_WARPSCHEDULER_H
