//===- WarpmanScheme.cpp - Registers given out by warps -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpmanScheme.h"

#include "regshare/Base/Warpman/Warpman.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace regshare::sim {

WarpmanScheme::WarpmanScheme(const SchemeContext &C)
    : SchemeHooks(C), NumPartitions(C.Device.RegisterPartitions),
      WarpSize(C.Device.WarpSize),
      ThreadsPerCta(C.Needs.Resources.ThreadsPerCTA),
      MaxThreads(C.Device.MaxThreads),
      AllSlots(~uint64_t(0) >> (64 - C.Device.MaxWarps)),
      OnlyWhole(C.Needs.WaitsForOthers) {
  WarpmanResidency Of = warpmanResidency(C.Device, C.Needs.Resources);
  WarpsOfPartition = Of.WarpsOfPartition;
  WarpsPerCta = Of.WarpsPerCTA;
}

unsigned WarpmanScheme::threadsOf(unsigned Index) const {
  return std::min(WarpSize, ThreadsPerCta - Index * WarpSize);
}

std::optional<unsigned> WarpmanScheme::slotFor(uint64_t Free, uint64_t Mine,
                                               unsigned CtaSlot,
                                               unsigned Index) const {
  if (Threads + threadsOf(Index) > MaxThreads)
    return std::nullopt;
  return evenSlot(Free, AllSlots & ~Free, Mine, NumPartitions, WarpsOfPartition,
                  RotatingSchedulers ? CtaSlot + Index : 0);
}

unsigned WarpmanScheme::warpsThatFit(uint64_t Free) const {
  unsigned Fit = 0;
  for (unsigned P = 0; P != NumPartitions; ++P) {
    uint64_t Here = slotsOfPartition(P, NumPartitions);
    unsigned Busy = unsigned(std::popcount(AllSlots & ~Free & Here));
    assert(Busy <= WarpsOfPartition && "no more than there are registers for");
    Fit +=
        std::min(unsigned(std::popcount(Free & Here)), WarpsOfPartition - Busy);
  }
  if (unsigned Left = MaxThreads - Threads; Left < ThreadsPerCta)
    Fit = std::min(Fit, Left / WarpSize);
  Fit = std::min(Fit, WarpsPerCta);
  return OnlyWhole && Fit < WarpsPerCta ? 0 : Fit;
}

} // namespace regshare::sim
