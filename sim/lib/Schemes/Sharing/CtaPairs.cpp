//===- CtaPairs.cpp - Who owns what a pair of CTAs shares -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPairs.h"

namespace regshare::sim {

CtaPairs::CtaPairs(const SharingResidency *Layout)
    : Layout(Layout ? *Layout : SharingResidency()),
      IsEnabled(Layout && Layout->Pairs), Warps(this->Layout.ctas()),
      Owners(this->Layout.Pairs) {}

uint64_t CtaPairs::makeOwner(unsigned Pair, std::optional<unsigned> CtaSlot) {
  if (Owners[Pair])
    OwnerWarps &= ~Warps[*Owners[Pair]];
  Owners[Pair] = CtaSlot;
  if (!CtaSlot)
    return 0;
  OwnerWarps |= Warps[*CtaSlot];
  return Warps[*CtaSlot];
}

void CtaPairs::resident(const WarpRef &W) {
  if (!isShared(W.CtaSlot))
    return;
  uint64_t Bit = uint64_t(1) << W.Slot;
  Warps[W.CtaSlot] |= Bit;
  SharedWarps |= Bit;
  unsigned Pair = Layout.pairOf(W.CtaSlot);
  if (!Owners[Pair])
    Owners[Pair] = W.CtaSlot;
  if (Owners[Pair] == W.CtaSlot)
    OwnerWarps |= Bit;
}

uint64_t CtaPairs::finished(const WarpRef &W) {
  if (!isShared(W.CtaSlot))
    return 0;
  uint64_t Bit = uint64_t(1) << W.Slot;
  Warps[W.CtaSlot] &= ~Bit;
  SharedWarps &= ~Bit;
  OwnerWarps &= ~Bit;
  if (Warps[W.CtaSlot] || !isOwner(W.CtaSlot))
    return 0;
  unsigned Partner = Layout.partnerOf(W.CtaSlot);
  return makeOwner(Layout.pairOf(W.CtaSlot),
                   Warps[Partner] ? std::optional(Partner) : std::nullopt);
}

uint64_t CtaPairs::tookLock(unsigned CtaSlot) {
  return isOwner(CtaSlot) ? 0 : makeOwner(Layout.pairOf(CtaSlot), CtaSlot);
}

} // namespace regshare::sim
