//===- CycleSet.h - Cycles of the near future -------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CYCLESET_H
#define REGSHARE_SIM_TIMING_CYCLESET_H

#include "Timing/Memory/MemoryPort.h"

#include <array>
#include <bit>

namespace regshare::sim {

/// A set of cycles that are less than \p Size apart; a multiple of 64.
template <unsigned Size> class CycleSet {
public:
  bool contains(Cycle C) const { return Words[word(C)] & bit(C); }
  void insert(Cycle C) { Words[word(C)] |= bit(C); }
  void erase(Cycle C) { Words[word(C)] &= ~bit(C); }

  /// The first member from \p C on; Never if the set is empty.
  Cycle firstFrom(Cycle C) const {
    unsigned Begin = C % Size;
    for (unsigned N = 0; N <= Size / 64; ++N) {
      unsigned W = (Begin / 64 + N) % (Size / 64);
      uint64_t Bits = Words[W];
      if (N == 0)
        Bits &= ~uint64_t(0) << (Begin % 64);
      if (Bits) {
        unsigned B = W * 64 + unsigned(std::countr_zero(Bits));
        return C + (B + Size - Begin) % Size;
      }
    }
    return Never;
  }

private:
  static unsigned word(Cycle C) { return C % Size / 64; }
  static uint64_t bit(Cycle C) { return uint64_t(1) << (C % 64); }
  std::array<uint64_t, Size / 64> Words = {};
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CYCLESET_H
