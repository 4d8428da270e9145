//===- regshare/Base/Sharing.h - CTAs that share in pairs -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is resident on an SM whose CTAs share registers or scratchpad in pairs,
/// and what that costs in storage (Jatala, Anantpur, Karkare, "Improving GPU
/// performance through resource sharing", HPDC 2016; docs/sharing.md).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_SHARING_SHARING_H
#define REGSHARE_BASE_SHARING_SHARING_H

#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"

#include <cstdint>

namespace regshare {

/// t in thousandths: what of its resource a CTA of a pair has for itself. The
/// paper's is 0.1, "90% sharing" (§VI-A).
inline constexpr unsigned DefaultPrivatePerMille = 100;

/// Which registers register sharing gives the lowest numbers, those that a warp
/// has of its own (§IV-B).
enum class RegisterOrder : uint8_t {
  FirstUse, ///< What the text names first: the published order (§IV-B).
  Declared, ///< The numbers stay as assignment left them.
  Earliest, ///< What the fewest instructions lead to, of all paths.
  Weight,   ///< What lets most instructions run before a shared register.
};

namespace settings {
extern const Setting PrivateShare, Order, EarlyRelease, DynamicWarps;
} // namespace settings

namespace schemes {
extern const SchemeDescription RegisterSharing, ScratchpadSharing;
} // namespace schemes

/// Of \p Registers, a thread's, those that a warp of a pair has for itself:
/// ⌊tn⌋, R0 and up (§III-A).
constexpr unsigned privateRegisters(unsigned Registers, unsigned PerMille) {
  return unsigned(uint64_t(Registers) * PerMille / 1000);
}

/// What CTAs of a pair share.
enum class SharedResource { Registers, Scratchpad };

/// How CTAs lie in the CTA slots of an SM: first those that share nothing, then
/// one of each pair, then the other of each pair. So CTAs that come in the
/// order of the slots find all that they need for as long as there is some.
struct SharingResidency {
  /// CTAs that can have all of their resource at the same time.
  unsigned WholeCTAs = 0;
  unsigned Pairs = 0; ///< S, at most WholeCTAs.
  unsigned WarpsPerCTA = 0;
  unsigned Partitions = 1; ///< Of the register file.
  /// Of the registers allocated to a thread, or the bytes of scratchpad that a
  /// CTA addresses, those at the begin that are its own in a pair.
  unsigned Private = 0;
  /// Every limit that allows no more CTAs; never empty. That of the shared
  /// resource: a further pair finds no room, or all CTAs are in pairs.
  std::vector<Limiter> Limiters;

  unsigned ctas() const { return WholeCTAs + Pairs; } ///< M.
  unsigned warps() const { return ctas() * WarpsPerCTA; }
  unsigned unsharedCTAs() const { return WholeCTAs - Pairs; } ///< U.
  bool isShared(unsigned Slot) const { return Slot >= unsharedCTAs(); }
  /// The CTA slot of the pair's other CTA. Only if isShared.
  unsigned partnerOf(unsigned Slot) const {
    return Slot < WholeCTAs ? Slot + Pairs : Slot - Pairs;
  }
  /// The pair's number. Only if isShared.
  unsigned pairOf(unsigned Slot) const {
    return (Slot < WholeCTAs ? Slot : partnerOf(Slot)) - unsharedCTAs();
  }
  /// A warp slot for the warp \p Index of the CTA in \p Slot. No two have the
  /// same; warps that share registers have slots of the same partition, which
  /// is that of the slot's number modulo Partitions.
  unsigned warpSlot(unsigned Slot, unsigned Index) const;
};

/// ⌊R/Rtb⌋ CTAs, and S = min(⌊(R mod Rtb)/(t Rtb)⌋, ⌊R/Rtb⌋) more that share
/// with one of them (§III-C; equation 4 leaves the second bound out), as far as
/// the other limits allow. Rtb is rounded as the device does, t Rtb is not. In
/// a partitioned register file a warp's partner is in the same partition, so
/// that S may be smaller. Where \p What does not limit, this is occupancy().
/// \p PerMille is from 1 to 1,000. Zero CTAs if not one fits.
SharingResidency sharingResidency(SharedResource What,
                                  const DeviceDescription &D,
                                  const KernelResources &K,
                                  unsigned PerMille = DefaultPrivatePerMille);

/// Bits that the hardware adds to one SM (§V).
struct SharingStorage {
  uint64_t Mode = 0;     ///< Whether sharing is enabled.
  uint64_t Partners = 0; ///< For each CTA slot the partner, or none.
  uint64_t Owners = 0;   ///< For each warp.
  uint64_t Shared = 0;   ///< For each warp; registers only.
  uint64_t Locks = 0;    ///< Who has it, for each pair of warps or of CTAs.
  uint64_t total() const { return Mode + Partners + Owners + Shared + Locks; }
};
/// What sharing of \p What stores on an SM of \p D.
SharingStorage sharingStorage(SharedResource What, const DeviceDescription &D);

} // namespace regshare

#endif // REGSHARE_BASE_SHARING_SHARING_H
