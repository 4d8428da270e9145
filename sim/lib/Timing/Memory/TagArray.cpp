//===- TagArray.cpp - Tags of a sectored cache ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TagArray.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace regshare::sim {

TagArray::TagArray(unsigned Sets, unsigned Ways, SetIndex Index,
                   Replacement Policy)
    : SetBits(unsigned(std::countr_zero(Sets))), Ways(Ways), Index(Index),
      Policy(Policy), Numbers(size_t(Sets) * Ways, None), Lines(Numbers.size()),
      Uses(Numbers.size()), Sets(Sets, {NoLine, NoLine, Ways}),
      Buckets(hasBuckets() ? std::bit_ceil(Numbers.size() + 1) : 1, NoLine),
      Next(hasBuckets() ? Numbers.size() : 0, NoLine),
      BucketShift(64 - unsigned(std::countr_zero(Buckets.size()))) {
  assert(std::has_single_bit(Sets) && Ways);
}

CacheLine *TagArray::victim(uint64_t Number) {
  unsigned InSet = setOf(Number);
  size_t First = size_t(InSet) * Ways;
  const Set &S = Sets[InSet];
  if (S.Empty)
    return &Lines[size_t(
        std::find(&Numbers[First], &Numbers[First] + Ways, None) -
        Numbers.data())];
  uint32_t Oldest = S.Oldest;
  while (Oldest != NoLine && Lines[Oldest].Pending)
    Oldest = Uses[Oldest].After;
  if (Oldest == NoLine)
    return nullptr;
  return Policy == Replacement::Random ? byChance(First) : &Lines[Oldest];
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
  CacheLine *Oldest = nullptr;
  for (uint32_t N = Sets[setOf(Number)].Oldest; N != NoLine;
       N = Uses[N].After) {
    if (!Lines[N].Dirty)
      continue;
    if (!Oldest)
      Oldest = &Lines[N];
    if (Count <= 1)
      return Oldest;
    --Count;
  }
  return nullptr;
}

void TagArray::replace(CacheLine &Line, uint64_t Number) {
  Replaced += numberOf(Line) != None;
  drop(Line);
  enter(indexOf(Line), Number);
}

void TagArray::drop(CacheLine &Line) {
  assert(!Line.Pending);
  Line = CacheLine();
  if (numberOf(Line) != None)
    leave(indexOf(Line));
}

/// An empty line stands for \p Number.
void TagArray::enter(uint32_t Index, uint64_t Number) {
  Numbers[Index] = Number;
  if (hasBuckets())
    Next[Index] = std::exchange(Buckets[bucketOf(Number)], Index);
  Set &S = Sets[setOf(Number)];
  --S.Empty;
  link(S, Index);
}

void TagArray::leave(uint32_t Index) {
  if (hasBuckets()) {
    uint32_t *At = &Buckets[bucketOf(Numbers[Index])];
    while (*At != Index)
      At = &Next[*At];
    *At = Next[Index];
  }
  Set &S = Sets[setOf(Numbers[Index])];
  ++S.Empty;
  unlink(S, Index);
  Numbers[Index] = None;
}

/// Appends the line to its set's list, as the newest.
void TagArray::link(Set &S, uint32_t Index) {
  Uses[Index] = {S.Newest, NoLine};
  (S.Newest == NoLine ? S.Oldest : Uses[S.Newest].After) = Index;
  S.Newest = Index;
}

void TagArray::unlink(Set &S, uint32_t Index) {
  Neighbours N = Uses[Index];
  (N.Before == NoLine ? S.Oldest : Uses[N.Before].After) = N.After;
  (N.After == NoLine ? S.Newest : Uses[N.After].Before) = N.Before;
}

void TagArray::clear() {
  for (CacheLine &Line : Lines)
    drop(Line);
  Replaced = 0;
}

} // namespace regshare::sim
