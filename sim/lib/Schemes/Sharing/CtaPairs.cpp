//===- CtaPairs.cpp - Who owns what a pair of CTAs shares -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPairs.h"

namespace regshare::sim {

Result<Residency> pairedResidency(SharedResource What,
                                  const DeviceDescription &D,
                                  const KernelNeeds &K,
                                  const SchemeOptions &Options) {
  Result<Residency> R = SchemeHooks::residency(D, K, Options);
  if (!R || K.WaitsForOthers)
    return R;
  SharingResidency S =
      sharingResidency(What, D, K.Resources, Options.PrivatePerMille);
  unsigned OfPartner = What == SharedResource::Registers
                           ? S.WarpsPerCTA * S.Private * D.WarpSize
                           : R->Limits.RegsPerCTA;
  R->Limits.CTAs = S.ctas();
  R->Limits.Warps = S.warps();
  R->Limits.Limiters = S.Limiters;
  R->Limits.RegsLeft -= S.Pairs * OfPartner;
  R->Pairs = S;
  return R;
}

CtaPairs::CtaPairs(const std::optional<SharingResidency> &Layout)
    : Layout(Layout.value_or(SharingResidency())),
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
