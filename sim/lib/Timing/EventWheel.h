//===- EventWheel.h - Things that are due at a cycle ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_EVENTWHEEL_H
#define REGSHARE_SIM_TIMING_EVENTWHEEL_H

#include "MemoryPort.h"

#include <array>
#include <bit>
#include <cassert>
#include <vector>

namespace regshare::sim {

/// Events less than Size cycles ahead, in buckets of a cycle. Constant time,
/// and no allocation once the buckets have grown.
template <typename Event> class EventWheel {
public:
  static constexpr unsigned Size = 2048;

  void add(Cycle When, Cycle Now, Event E) {
    assert(When > Now && When - Now < Size && "beyond the wheel");
    unsigned B = When % Size;
    Buckets[B].push_back(E);
    Used[B / 64] |= uint64_t(1) << (B % 64);
  }

  /// Moves the events of cycle \p Now to \p Due, in the order of add().
  void take(Cycle Now, std::vector<Event> &Due) {
    Due.clear();
    unsigned B = Now % Size;
    if (!(Used[B / 64] >> (B % 64) & 1))
      return;
    std::swap(Due, Buckets[B]);
    Used[B / 64] &= ~(uint64_t(1) << (B % 64));
  }

  /// The cycle of the first event after \p Now.
  Cycle next(Cycle Now) const {
    unsigned Begin = (Now + 1) % Size;
    for (unsigned N = 0; N <= Size / 64; ++N) {
      unsigned W = (Begin / 64 + N) % (Size / 64);
      uint64_t Bits = Used[W];
      if (N == 0)
        Bits &= ~uint64_t(0) << (Begin % 64);
      if (Bits) {
        unsigned B = W * 64 + std::countr_zero(Bits);
        return Now + 1 + (B + Size - Begin) % Size;
      }
    }
    return Never;
  }

private:
  std::array<std::vector<Event>, Size> Buckets;
  std::array<uint64_t, Size / 64> Used = {};
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_EVENTWHEEL_H
