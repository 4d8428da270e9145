//===- CtaPairs.h - Who owns what a pair of CTAs shares ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The resident warps of an SM whose CTAs share in pairs, and which CTA of each
/// pair is the owner (docs/sharing.md).
///
/// A pair with a resident CTA has one owner: the one that came first, until the
/// other takes a lock, or until the owner has ended. The paper calls a CTA
/// owner once the other waits for it (§IV), and says nothing of the time
/// before.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHARING_CTAPAIRS_H
#define REGSHARE_SIM_SCHEMES_SHARING_CTAPAIRS_H

#include "Schemes/Scheme.h"
#include "regshare/Base/Sharing/Sharing.h"

#include <optional>
#include <vector>

namespace regshare::sim {

class CtaPairs {
public:
  /// Without a layout no CTA shares anything.
  explicit CtaPairs(const SharingResidency *Layout);

  bool isShared(unsigned CtaSlot) const {
    return IsEnabled && Layout.isShared(CtaSlot);
  }
  bool isEnabled() const { return IsEnabled; }
  unsigned numPairs() const { return IsEnabled ? Layout.Pairs : 0; }
  /// Resident warps of a CTA, a mask of slots.
  uint64_t warpsOf(unsigned CtaSlot) const { return Warps[CtaSlot]; }
  /// The same of the pair's other CTA. Only if isShared.
  uint64_t partnersOf(unsigned CtaSlot) const {
    return Warps[Layout.partnerOf(CtaSlot)];
  }
  /// Only if isShared.
  unsigned partnerOf(unsigned CtaSlot) const {
    return Layout.partnerOf(CtaSlot);
  }
  /// Whether a CTA that shares is the owner.
  bool isOwner(unsigned CtaSlot) const {
    return Owners[Layout.pairOf(CtaSlot)] == CtaSlot;
  }
  /// The warp slot that the layout has for a warp. Only if isEnabled.
  unsigned warpSlot(unsigned CtaSlot, unsigned Index) const {
    return Layout.warpSlot(CtaSlot, Index);
  }
  /// The slot of the warp whose registers are those that a warp shares.
  unsigned homeSlot(const WarpRef &W) const {
    return W.CtaSlot < Layout.WholeCTAs
               ? W.Slot
               : Layout.warpSlot(Layout.partnerOf(W.CtaSlot), W.Index);
  }

  void resident(const WarpRef &W);
  /// The warp has ended. The warps that this has made owners'.
  uint64_t finished(const WarpRef &W);
  /// A warp of the CTA has taken a lock. The warps that this has made owners'.
  uint64_t tookLock(unsigned CtaSlot);

  /// Owner warp first (§IV-A): those of \p Candidates that come before others:
  /// of owners, of CTAs that share nothing, of non-owners.
  uint64_t ownersFirst(uint64_t Candidates) const {
    if (uint64_t Found = Candidates & OwnerWarps)
      return Found;
    uint64_t Unshared = Candidates & ~SharedWarps;
    return Unshared ? Unshared : Candidates;
  }

private:
  uint64_t makeOwner(unsigned Pair, std::optional<unsigned> CtaSlot);

  SharingResidency Layout;
  bool IsEnabled;
  std::vector<uint64_t> Warps;                 ///< By CTA slot.
  std::vector<std::optional<unsigned>> Owners; ///< CTA slot, by pair.
  uint64_t SharedWarps = 0, OwnerWarps = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHARING_CTAPAIRS_H
