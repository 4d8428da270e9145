//===- ConstantCache.cpp - The nearest cache of constants -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantCache.h"

#include "SharedBanks.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

ConstantCache::ConstantCache(const ConstantConfig &Config) : Config(Config) {
  Lines.reserve(Config.Lines);
}

/// Whether \p Line was there; afterwards it is, as the most recently used.
bool ConstantCache::touch(uint64_t Line) {
  auto Place = std::ranges::find(Lines, Line);
  bool Hit = Place != Lines.end();
  if (!Hit && Lines.size() < Config.Lines)
    Place = Lines.insert(Place, Line);
  else if (!Hit)
    *--Place = Line;
  std::rotate(Lines.begin(), Place, Place + 1);
  return Hit;
}

bool ConstantCache::touchLinesOf(const MemoryAccess &Access) {
  bool Hit = true;
  IsFirst = false;
  // Constants and parameters have addresses of their own.
  uint64_t Parameters = Access.Where == Space::Param;
  uint64_t Last = Never;
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1) {
    uint64_t First = Access.Addresses[std::countr_zero(Left)];
    for (uint64_t Line = First / ConstantLineBytes,
                  End = (First + Access.Bytes - 1) / ConstantLineBytes;
         Line <= End; ++Line)
      // Neighbouring lanes mostly name one line.
      if (Line != Last) {
        Hit &= touch(Line * 2 + Parameters);
        if (Config.ColdLatency)
          IsFirst |= Known.insert(Line * 2 + Parameters).second;
        Last = Line;
      }
  }
  return Hit;
}

ConstantCache::Outcome ConstantCache::access(const MemoryAccess &Access) {
  unsigned OfAnAddress =
      std::max(1u, (Access.Bytes + Config.PassBytes - 1) / Config.PassBytes);
  bool Hit = !Config.Lines || touchLinesOf(Access);
  unsigned Miss = IsFirst ? Config.ColdLatency : Config.MissLatency;
  bool IsWord = Config.WordCycles && Access.Bytes <= 4;
  return {constantPasses(Access) * OfAnAddress,
          IsWord ? Config.WordCycles : Config.PassCycles,
          Config.Latency + (Hit ? 0 : Miss)};
}

void ConstantCache::invalidate() {
  Lines.clear();
  Known.clear();
}

} // namespace regshare::sim
