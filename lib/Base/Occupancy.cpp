//===- Occupancy.cpp - How many CTAs an SM holds --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Occupancy.h"

#include <algorithm>

namespace regshare {

static unsigned roundUp(unsigned N, unsigned Unit) {
  return Unit > 1 ? (N + Unit - 1) / Unit * Unit : N;
}

static unsigned warpsPerCTA(const DeviceDescription &D, unsigned Threads) {
  return roundUp((Threads + D.WarpSize - 1) / D.WarpSize, D.WarpsPerCTAUnit);
}

/// Registers a CTA takes. A device that hands registers to warps counts whole
/// warps; one that does not counts threads.
static unsigned regsPerCTA(const DeviceDescription &D, unsigned Regs,
                           unsigned Threads) {
  unsigned PerThread = roundUp(Regs, D.RegsPerThreadUnit);
  if (D.RegsPerWarpUnit <= 1)
    return PerThread * Threads;
  return roundUp(PerThread * D.WarpSize, D.RegsPerWarpUnit) *
         warpsPerCTA(D, Threads);
}

Occupancy occupancy(const DeviceDescription &D, const KernelResources &K) {
  Occupancy O;
  unsigned Warps = warpsPerCTA(D, K.ThreadsPerCTA);
  O.RegsPerCTA = regsPerCTA(D, K.RegsPerThread, K.ThreadsPerCTA);
  O.SharedPerCTA =
      K.SharedPerCTA + D.SharedReservedPerCTA
          ? roundUp(K.SharedPerCTA + D.SharedReservedPerCTA, D.SharedUnit)
          : 0;
  auto fit = [](unsigned Have, unsigned Need) {
    return Need ? Have / Need : ~0u;
  };
  struct Limit {
    Limiter What;
    unsigned CTAs;
  };
  Limit Limits[] = {
      {Limiter::Registers, K.RegsPerThread > D.MaxRegsPerThread
                               ? 0
                               : fit(D.Registers, O.RegsPerCTA)},
      {Limiter::SharedMemory, K.SharedPerCTA > D.MaxSharedPerCTA
                                  ? 0
                                  : fit(D.SharedMemory, O.SharedPerCTA)},
      {Limiter::Threads, K.ThreadsPerCTA > D.MaxThreadsPerCTA
                             ? 0
                             : fit(D.MaxThreads, K.ThreadsPerCTA)},
      {Limiter::Warps, fit(D.MaxWarps, Warps)},
      {Limiter::CTAs, D.MaxCTAs},
  };
  O.CTAs = std::min_element(
               std::begin(Limits), std::end(Limits),
               [](const Limit &A, const Limit &B) { return A.CTAs < B.CTAs; })
               ->CTAs;
  for (const Limit &L : Limits)
    if (L.CTAs == O.CTAs)
      O.Limiters.push_back(L.What);
  O.Warps = O.CTAs * Warps;
  O.RegsLeft = D.Registers - O.CTAs * O.RegsPerCTA;
  return O;
}

unsigned regsForCTAs(const DeviceDescription &D, unsigned ThreadsPerCTA,
                     unsigned CTAs) {
  for (unsigned Regs = D.MaxRegsPerThread; Regs != 0; --Regs)
    if (regsPerCTA(D, Regs, ThreadsPerCTA) * CTAs <= D.Registers)
      return Regs;
  return 0;
}

std::optional<unsigned> regsForOneMoreCTA(const DeviceDescription &D,
                                          const KernelResources &K) {
  unsigned Wanted = occupancy(D, K).CTAs + 1;
  unsigned Regs = regsForCTAs(D, K.ThreadsPerCTA, Wanted);
  if (!Regs || Regs >= K.RegsPerThread)
    return std::nullopt;
  KernelResources Fewer = K;
  Fewer.RegsPerThread = Regs;
  if (occupancy(D, Fewer).CTAs < Wanted)
    return std::nullopt;
  return Regs;
}

} // namespace regshare
