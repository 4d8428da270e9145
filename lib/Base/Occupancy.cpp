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

const char *limiterName(Limiter L) {
  switch (L) {
  case Limiter::Registers:
    return "registers";
  case Limiter::SharedMemory:
    return "shared memory";
  case Limiter::Threads:
    return "threads";
  case Limiter::Warps:
    return "warps";
  case Limiter::CTAs:
    break;
  }
  return "CTA slots";
}

static unsigned roundUp(unsigned N, unsigned Unit) {
  return Unit > 1 ? (N + Unit - 1) / Unit * Unit : N;
}

unsigned warpsPerCTA(const DeviceDescription &D, unsigned ThreadsPerCTA) {
  return (ThreadsPerCTA + D.WarpSize - 1) / D.WarpSize;
}

unsigned regsPerWarp(const DeviceDescription &D, unsigned Regs) {
  return roundUp(roundUp(Regs, D.RegsPerThreadUnit) * D.WarpSize,
                 D.RegsPerWarpUnit);
}

unsigned partitionRows(const DeviceDescription &D) {
  return D.Registers / D.WarpSize / D.RegisterPartitions;
}

unsigned warpsInPartition(const DeviceDescription &D, unsigned Warps,
                          unsigned Partition) {
  unsigned P = D.RegisterPartitions;
  return Warps / P + (Partition < Warps % P);
}

/// Whole warps: the lanes that a CTA leaves idle have their registers too.
static unsigned regsPerCTA(const DeviceDescription &D, unsigned Regs,
                           unsigned Threads) {
  return regsPerWarp(D, Regs) * warpsPerCTA(D, Threads);
}

static unsigned fit(unsigned Have, unsigned Need) {
  return Need ? Have / Need : ~0u;
}

/// CTAs that the registers allow. Partitions waste what is left of each after
/// whole warps; and a launch is refused unless the CTA would fit with its warps
/// rounded up to a multiple of the partitions, as CUDA's own calculator has it.
static unsigned ctasByRegs(const DeviceDescription &D, unsigned Regs,
                           unsigned Threads) {
  if (Regs > D.MaxRegsPerThread)
    return 0;
  unsigned PerWarp = regsPerWarp(D, Regs);
  unsigned Warps = warpsPerCTA(D, Threads);
  if (!PerWarp || !Warps)
    return ~0u;
  if (roundUp(Warps, D.RegisterPartitions) * PerWarp > D.Registers)
    return 0;
  unsigned Partition = D.Registers / D.RegisterPartitions;
  return Partition / PerWarp * D.RegisterPartitions / Warps;
}

Occupancy occupancy(const DeviceDescription &D, const KernelResources &K) {
  Occupancy O;
  unsigned Warps = warpsPerCTA(D, K.ThreadsPerCTA);
  O.RegsPerCTA = regsPerCTA(D, K.RegsPerThread, K.ThreadsPerCTA);
  O.SharedPerCTA =
      K.SharedPerCTA + D.SharedReservedPerCTA
          ? roundUp(K.SharedPerCTA + D.SharedReservedPerCTA, D.SharedUnit)
          : 0;
  struct Limit {
    Limiter What;
    unsigned CTAs;
  };
  Limit Limits[] = {
      {Limiter::Registers, ctasByRegs(D, K.RegsPerThread, K.ThreadsPerCTA)},
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

double Occupancy::fraction(const DeviceDescription &D) const {
  return double(Warps) / D.MaxWarps;
}

unsigned regsForCTAs(const DeviceDescription &D, unsigned ThreadsPerCTA,
                     unsigned CTAs) {
  for (unsigned Regs = D.MaxRegsPerThread; Regs != 0; --Regs)
    if (ctasByRegs(D, Regs, ThreadsPerCTA) >= CTAs)
      return Regs;
  return 0;
}

std::vector<unsigned> registerSteps(const DeviceDescription &D,
                                    const KernelResources &K) {
  KernelResources Least = K;
  Least.RegsPerThread = 1;
  std::vector<unsigned> Steps(occupancy(D, Least).CTAs);
  for (unsigned N = 0; N != Steps.size(); ++N)
    Steps[N] = regsForCTAs(D, K.ThreadsPerCTA, N + 1);
  return Steps;
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
