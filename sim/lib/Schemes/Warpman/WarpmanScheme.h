//===- WarpmanScheme.h - Registers given out by warps -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warps take registers when they become resident and give them back when they
/// end. A CTA that has no room as a whole becomes resident with some of its
/// warps; the others follow (docs/warpman.md).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_WARPMAN_WARPMANSCHEME_H
#define REGSHARE_SIM_SCHEMES_WARPMAN_WARPMANSCHEME_H

#include "Schemes/Scheme.h"

namespace regshare::sim {

class WarpmanScheme final : public SchemeHooks {
public:
  explicit WarpmanScheme(const SchemeContext &C);

  /// Spreads a CTA over the partitions as far as they have room.
  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override;
  unsigned warpsThatFit(uint64_t Free) const override;

  void resident(const WarpRef &W) override { Threads += threadsOf(W.Index); }
  void finished(const WarpRef &W) override { Threads -= threadsOf(W.Index); }

private:
  unsigned threadsOf(unsigned Index) const;

  unsigned NumPartitions;
  unsigned WarpsOfPartition; ///< That its registers are enough for.
  unsigned WarpSize, ThreadsPerCta, WarpsPerCta;
  unsigned MaxThreads;
  unsigned Threads = 0; ///< Resident.
  uint64_t AllSlots;
  bool OnlyWhole; ///< A CTA may wait for another one.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_WARPMAN_WARPMANSCHEME_H
