//===- TagArray.h - Tags of a sectored cache --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tags, sector states and replacement order of a set-associative cache, for
/// the L1 and for a slice of the L2. Lines are lent to a fetch when it is
/// requested and cannot be evicted until all their fetches have come back.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_TAGARRAY_H
#define REGSHARE_SIM_TIMING_MEMORY_TAGARRAY_H

#include "MemoryConfig.h"

#include <cstdint>
#include <vector>

namespace regshare::sim {

/// States are bits, one for each sector. A sector is in at most one of Valid,
/// Partial and Pending, but that a pending one may have been written in part.
struct CacheLine {
  int32_t FirstMshr = -1; ///< Of the list of its fetches under way.
  uint8_t Valid = 0;
  uint8_t Partial = 0; ///< Written in part, the rest unknown.
  uint8_t Dirty = 0;
  uint8_t Pending = 0; ///< Asked for.
  bool Doomed = false; ///< Not to be used once its fetches have come.
};

class TagArray {
public:
  static constexpr uint64_t None = ~uint64_t(0);

  /// \p Sets is a power of two.
  TagArray(unsigned Sets, unsigned Ways, SetIndex Index,
           Replacement Policy = Replacement::LRU);

  /// The line if the cache has it, or fetches it; else null. Changes nothing.
  CacheLine *find(uint64_t Number) {
    if (hasBuckets()) {
      for (uint32_t N = Buckets[bucketOf(Number)]; N != NoLine; N = Next[N])
        if (Numbers[N] == Number)
          return &Lines[N];
      return nullptr;
    }
    size_t First = size_t(setOf(Number)) * Ways;
    for (size_t N = First; N != First + Ways; ++N)
      if (Numbers[N] == Number)
        return &Lines[N];
    return nullptr;
  }
  /// The line of the set of \p Number that gives way: an empty one if there is
  /// any; else, of those without a fetch under way, the least recently used, or
  /// one by chance. Null if all have one. The same until a line is replaced.
  CacheLine *victim(uint64_t Number);
  /// The dirty line of the set of \p Number that was used last the longest ago,
  /// if at least \p Count of the set are dirty; else null.
  CacheLine *oldestDirty(uint64_t Number, unsigned Count);
  /// Makes \p Line stand for \p Number, with no sector valid, as last used.
  void replace(CacheLine &Line, uint64_t Number);
  void use(CacheLine &Line) {
    uint32_t Index = indexOf(Line);
    if (Uses[Index].After == NoLine)
      return;
    Set &S = Sets[setOf(Numbers[Index])];
    unlink(S, Index);
    link(S, Index);
  }
  void drop(CacheLine &Line);
  /// Forgets all lines; none has a fetch under way.
  void clear();

  uint32_t indexOf(const CacheLine &Line) const {
    return uint32_t(&Line - Lines.data());
  }
  CacheLine &operator[](uint32_t Index) { return Lines[Index]; }
  /// Of the line in memory that \p Line stands for; None if it is empty.
  uint64_t numberOf(const CacheLine &Line) const {
    return Numbers[indexOf(Line)];
  }

private:
  static constexpr uint32_t NoLine = ~uint32_t(0);
  /// The numbers of so many lines lie closer together than what a hash table
  /// reads.
  static constexpr unsigned MostScanned = 16;
  /// Neighbours in the list of a set's lines in the order of their last use.
  struct Neighbours {
    uint32_t Before = NoLine, After = NoLine;
  };
  struct Set {
    uint32_t Oldest = NoLine, Newest = NoLine; ///< Of that list.
    uint32_t Empty;                            ///< Lines.
  };

  CacheLine *byChance(size_t First);
  void link(Set &S, uint32_t Index);
  void unlink(Set &S, uint32_t Index);
  void enter(uint32_t Index, uint64_t Number);
  void leave(uint32_t Index);
  bool hasBuckets() const { return Ways > MostScanned; }
  unsigned bucketOf(uint64_t Number) const {
    return unsigned(Number * 0x9e3779b97f4a7c15u >> BucketShift);
  }
  unsigned setOf(uint64_t Number) const {
    // Two more digits of the number on top of the lowest spread power-of-two
    // strides over the sets.
    uint64_t Spread = (Number >> SetBits) ^ (Number >> (2 * SetBits));
    uint64_t Mask = (uint64_t(1) << SetBits) - 1;
    return unsigned((Index == SetIndex::Hashed ? Number ^ Spread : Number) &
                    Mask);
  }

  unsigned SetBits, Ways;
  SetIndex Index;
  Replacement Policy;
  uint64_t Replaced = 0; ///< Lines so far.
  /// Set by set.
  std::vector<uint64_t> Numbers;
  std::vector<CacheLine> Lines;
  std::vector<Neighbours> Uses;
  std::vector<Set> Sets;
  /// If hasBuckets(), the first line of each bucket of a hash table by number,
  /// and the one that follows each line in its bucket.
  std::vector<uint32_t> Buckets, Next;
  unsigned BucketShift;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_TAGARRAY_H
