//===- regshare/Base/Warpman.h - Partial CTAs on an SM ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is resident on an SM that gives out registers by warps (Xiang, Yang and
/// Zhou, "Warp-level divergence in GPUs", HPCA 2014), as far as EXPARS, which
/// compares with it, describes it (TACO 15(4), 2018, sections 1 and 4).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_WARPMAN_WARPMAN_H
#define REGSHARE_BASE_WARPMAN_WARPMAN_H

#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/Scheme.h"

namespace regshare {

/// What is resident on an SM that gives out registers by warps.
struct WarpmanResidency {
  unsigned WholeCTAs = 0;    ///< Those of occupancy().
  unsigned PartialWarps = 0; ///< Of one CTA more; 0: there is none.
  unsigned WarpsPerCTA = 0;
  /// Warps that a partition of the register file has registers for.
  unsigned WarpsOfPartition = 0;
  /// CTAs that CTA slots and shared memory allow, which a CTA keeps until its
  /// last warp has ended.
  unsigned MostCTAs = 0;
  /// Every limit that allows not one warp more; never empty.
  std::vector<Limiter> Limiters;
  unsigned RegsPerWarp = 0;  ///< After rounding.
  unsigned SharedPerCTA = 0; ///< After rounding, bytes.

  unsigned ctas() const { return WholeCTAs + (PartialWarps != 0); }
  unsigned warps() const { return WholeCTAs * WarpsPerCTA + PartialWarps; }
  /// What is allocated. The partial CTA has all of its shared memory.
  EXPARSUtilisation utilisation(const DeviceDescription &D) const;
};

/// As many whole CTAs as occupancy() has, and then as many warps of one more as
/// there are registers, warp slots and threads for, if it has a CTA slot and
/// shared memory. Without \p AllowPartial no more than occupancy(). Zero CTAs
/// if not one whole CTA fits.
WarpmanResidency warpmanResidency(const DeviceDescription &D,
                                  const KernelResources &K,
                                  bool AllowPartial = true);

namespace schemes {
extern const SchemeDescription Warpman;
} // namespace schemes

} // namespace regshare

#endif // REGSHARE_BASE_WARPMAN_WARPMAN_H
