//===- TagArray.cpp - Tags of a sectored cache ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TagArray.h"

#include <bit>
#include <cassert>

namespace regshare::sim {

TagArray::TagArray(unsigned Sets, unsigned Ways, SetIndex Index,
                   Replacement Policy)
    : SetBits(unsigned(std::countr_zero(Sets))), Ways(Ways), Index(Index),
      Policy(Policy), Numbers(size_t(Sets) * Ways, None),
      Lines(size_t(Sets) * Ways), Found(Sets) {
  assert(std::has_single_bit(Sets) && Ways);
}

CacheLine *TagArray::victim(uint64_t Number) {
  size_t First = size_t(setOf(Number)) * Ways;
  CacheLine *Oldest = nullptr;
  for (size_t N = First; N != First + Ways; ++N) {
    CacheLine &Line = Lines[N];
    if (Numbers[N] == None)
      return &Line;
    if (!Line.Pending && (!Oldest || Line.LastUse < Oldest->LastUse))
      Oldest = &Line;
  }
  return Policy == Replacement::Random && Oldest ? byChance(First) : Oldest;
}

/// Of the full set that begins with \p First, where some line has no fetch
/// under way.
CacheLine *TagArray::byChance(size_t First) {
  unsigned Way = unsigned((Replaced * 0x9e3779b97f4a7c15u >> 32) % Ways);
  while (Lines[First + Way].Pending)
    Way = (Way + 1) % Ways;
  return &Lines[First + Way];
}

CacheLine *TagArray::oldestDirty(uint64_t Number, unsigned Count) {
  size_t First = size_t(setOf(Number)) * Ways;
  CacheLine *Oldest = nullptr;
  for (size_t N = First; N != First + Ways; ++N) {
    CacheLine &Line = Lines[N];
    if (!Line.Dirty)
      continue;
    Count -= Count != 0;
    if (!Oldest || Line.LastUse < Oldest->LastUse)
      Oldest = &Line;
  }
  return Count ? nullptr : Oldest;
}

void TagArray::replace(CacheLine &Line, uint64_t Number) {
  Replaced += numberOf(Line) != None;
  drop(Line);
  Numbers[indexOf(Line)] = Number;
  use(Line);
}

void TagArray::drop(CacheLine &Line) {
  assert(!Line.Pending);
  Line = CacheLine();
  Numbers[indexOf(Line)] = None;
}

void TagArray::clear() {
  for (CacheLine &Line : Lines)
    drop(Line);
  Clock = Replaced = 0;
}

} // namespace regshare::sim
