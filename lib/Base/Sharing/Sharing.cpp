//===- Sharing.cpp - CTAs that share in pairs -----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Sharing/Sharing.h"

#include "regshare/Base/EXPARS/EXPARS.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace regshare {

unsigned SharingResidency::warpSlot(unsigned Slot, unsigned Index) const {
  unsigned Number = Slot * WarpsPerCTA + Index;
  unsigned Whole = WholeCTAs * WarpsPerCTA;
  if (Number < Whole)
    return Number;
  // Partners follow each other as those that they share with do, so that each
  // partition comes up in turn.
  unsigned Partner = partnerOf(Slot) * WarpsPerCTA + Index;
  unsigned Partition = Partner % Partitions;
  unsigned First =
      Whole + (Partition + Partitions - Whole % Partitions) % Partitions;
  return First + (Number - Whole) / Partitions * Partitions;
}

namespace {

/// What limits CTAs besides the resource that they share.
struct OtherLimits {
  unsigned CTAs = ~0u;
  std::vector<Limiter> What;
};

/// Finds how many pairs an SM has room for.
class PairFitter {
public:
  PairFitter(const DeviceDescription &D, const KernelResources &K,
             unsigned PerMille)
      : D(D), K(K), PerMille(PerMille) {}

  bool fits(const SharingResidency &R, SharedResource What) const {
    return What == SharedResource::Registers ? fitsRegisters(R)
                                             : fitsScratchpad(R);
  }

private:
  bool fitsRegisters(const SharingResidency &R) const;
  bool fitsScratchpad(const SharingResidency &R) const;

  const DeviceDescription &D;
  const KernelResources &K;
  unsigned PerMille;
};

} // namespace

bool PairFitter::fitsRegisters(const SharingResidency &R) const {
  uint64_t PerWarp = regsPerWarp(D, K.RegsPerThread);
  std::vector<uint64_t> Needed(D.RegisterPartitions);
  for (unsigned Slot = 0; Slot != R.ctas(); ++Slot)
    for (unsigned Index = 0; Index != R.WarpsPerCTA; ++Index) {
      unsigned Warp = R.warpSlot(Slot, Index);
      if (Warp >= D.MaxWarps)
        return false;
      Needed[Warp % D.RegisterPartitions] +=
          PerWarp * (Slot < R.WholeCTAs ? 1000 : PerMille);
    }
  uint64_t Most = uint64_t(D.Registers / D.RegisterPartitions) * 1000;
  return std::ranges::all_of(Needed, [&](uint64_t N) { return N <= Most; });
}

bool PairFitter::fitsScratchpad(const SharingResidency &R) const {
  // What the system reserves for each CTA is not shared.
  uint64_t PerCTA = occupancy(D, K).SharedPerCTA;
  uint64_t Reserved = D.SharedReservedPerCTA;
  uint64_t Partner = Reserved * 1000 + (PerCTA - Reserved) * PerMille;
  return R.WholeCTAs * PerCTA * 1000 + R.Pairs * Partner <=
         uint64_t(D.SharedMemory) * 1000;
}

/// The kernel without the resource, or a device with enough of it.
static OtherLimits limitsBut(SharedResource What, DeviceDescription D,
                             KernelResources K) {
  Limiter Shared = What == SharedResource::Registers ? Limiter::Registers
                                                     : Limiter::SharedMemory;
  if (What == SharedResource::Registers) {
    K.RegsPerThread = 0;
  } else {
    K.SharedPerCTA = 0;
    D.SharedReservedPerCTA = 0;
  }
  Occupancy O = occupancy(D, K);
  std::erase(O.Limiters, Shared);
  return {O.CTAs, O.Limiters};
}

static unsigned privatePart(SharedResource What, const DeviceDescription &D,
                            const KernelResources &K, unsigned PerMille) {
  if (What == SharedResource::Registers)
    return privateRegisters(regsPerWarp(D, K.RegsPerThread) / D.WarpSize,
                            PerMille);
  unsigned Own = occupancy(D, K).SharedPerCTA - D.SharedReservedPerCTA;
  return unsigned(uint64_t(Own) * PerMille / 1000);
}

SharingResidency sharingResidency(SharedResource What,
                                  const DeviceDescription &D,
                                  const KernelResources &K, unsigned PerMille) {
  assert(PerMille && PerMille <= 1000 && "a share");
  Occupancy O = occupancy(D, K);
  SharingResidency R;
  R.WholeCTAs = O.CTAs;
  R.WarpsPerCTA = warpsPerCTA(D, K.ThreadsPerCTA);
  R.Partitions = D.RegisterPartitions;
  R.Limiters = O.Limiters;
  Limiter Shared = What == SharedResource::Registers ? Limiter::Registers
                                                     : Limiter::SharedMemory;
  if (!R.WholeCTAs || std::ranges::find(O.Limiters, Shared) == O.Limiters.end())
    return R;
  R.Private = privatePart(What, D, K, PerMille);
  OtherLimits Others = limitsBut(What, D, K);
  PairFitter Fitter(D, K, PerMille);
  unsigned Most = std::min(R.WholeCTAs, Others.CTAs - R.WholeCTAs);
  for (R.Pairs = Most; R.Pairs && !Fitter.fits(R, What);)
    --R.Pairs;
  R.Limiters.clear();
  SharingResidency OneMore = R;
  ++OneMore.Pairs;
  if (R.Pairs == R.WholeCTAs || !Fitter.fits(OneMore, What))
    R.Limiters.push_back(Shared);
  if (R.ctas() == Others.CTAs)
    R.Limiters.insert(R.Limiters.end(), Others.What.begin(), Others.What.end());
  return R;
}

SharingStorage sharingStorage(SharedResource What, const DeviceDescription &D) {
  // ⌈log2 n⌉ bits tell n things apart.
  auto BitsFor = [](uint64_t N) {
    return N ? uint64_t(std::bit_width(N - 1)) : 0;
  };
  SharingStorage S;
  S.Mode = 1;
  S.Partners = D.MaxCTAs * BitsFor(D.MaxCTAs + 1);
  S.Owners = D.MaxWarps;
  if (What == SharedResource::Registers) {
    S.Shared = D.MaxWarps;
    S.Locks = D.MaxWarps / 2 * BitsFor(D.MaxWarps);
  } else {
    S.Locks = D.MaxCTAs / 2 * BitsFor(D.MaxCTAs);
  }
  return S;
}

} // namespace regshare
