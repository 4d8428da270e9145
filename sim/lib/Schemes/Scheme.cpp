//===- Scheme.cpp - What schemes have in common ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheme.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

uint64_t slotsOfPartition(unsigned Partition, unsigned NumPartitions) {
  uint64_t Slots = 0;
  for (unsigned Slot = Partition; Slot < 64; Slot += NumPartitions)
    Slots |= uint64_t(1) << Slot;
  return Slots;
}

std::optional<unsigned> evenSlot(uint64_t Free, uint64_t Busy, uint64_t Mine,
                                 unsigned NumPartitions, unsigned Most,
                                 unsigned First) {
  std::optional<unsigned> Best;
  std::pair<unsigned, unsigned> Fewest;
  for (unsigned P = 0; P != NumPartitions; ++P) {
    uint64_t Here =
        slotsOfPartition((First + P) % NumPartitions, NumPartitions);
    std::pair<unsigned, unsigned> Has(std::popcount(Mine & Here),
                                      std::popcount(Busy & Here));
    if (!(Free & Here) || Has.second >= Most || (Best && Has >= Fewest))
      continue;
    Fewest = Has;
    Best = unsigned(std::countr_zero(Free & Here));
  }
  return Best;
}

Result<CoreConfig> withCachePlaces(const CoreConfig &C, unsigned Rows) {
  CoreConfig Of = C;
  unsigned Capacity = C.CacheRows * C.ActiveWarps;
  Of.CacheRows = std::max(C.CacheRows, Rows);
  Of.ActiveWarps = Capacity / Of.CacheRows;
  if (Of.ActiveWarps < C.Schedulers)
    return fail("a warp has " + std::to_string(Of.CacheRows) +
                    " registers in the register cache; one of " +
                    std::to_string(Capacity) + " has room for " +
                    std::to_string(Of.ActiveWarps) +
                    " such warps, less than one for each of " +
                    std::to_string(C.Schedulers) + " schedulers",
                ErrorKind::NotForDevice);
  return Of;
}

Result<CoreConfig> withCacheBanks(const CoreConfig &C) {
  CoreConfig Of = C;
  Of.Banks = std::min(C.MainBanks + C.CacheRows, MaxBanks);
  if (Of.Banks == C.MainBanks)
    return fail("a register file of " + std::to_string(C.MainBanks) +
                    " banks leaves none for a register cache",
                ErrorKind::NotForDevice);
  return Of;
}

} // namespace regshare::sim
