//===- Coalescer.cpp - Lanes to lines -------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coalescer.h"

#include <bit>

namespace regshare::sim {

namespace {
/// A transaction while lanes are added to it.
struct Gathering {
  uint64_t Line = 0;
  uint64_t Bytes[2] = {}; ///< One bit each.

  bool meets(uint64_t Low, uint64_t High) const {
    return (Bytes[0] & Low) || (Bytes[1] & High);
  }
  void add(uint64_t Low, uint64_t High) {
    Bytes[0] |= Low;
    Bytes[1] |= High;
  }
  uint32_t sector(unsigned N) const {
    return uint32_t(Bytes[N / 2] >> (32 * (N % 2)));
  }
};

class LaneGatherer {
public:
  explicit LaneGatherer(bool Exclusive) : Exclusive(Exclusive) {}

  void add(uint64_t Address, unsigned Bytes) {
    while (Bytes) {
      unsigned Offset = Address % LineBytes;
      unsigned Here = std::min(Bytes, LineBytes - Offset);
      addWithin(Address / LineBytes, Offset, Here);
      Address += Here;
      Bytes -= Here;
    }
  }

  unsigned size() const { return Count; }
  const Gathering &operator[](unsigned N) const { return All[N]; }

private:
  void addWithin(uint64_t Line, unsigned Offset, unsigned Bytes) {
    uint64_t Low = 0, High = 0;
    for (unsigned End = Offset + Bytes; Offset != End; ++Offset)
      (Offset < 64 ? Low : High) |= uint64_t(1) << (Offset % 64);
    // The last one first: neighbouring lanes mostly share a line.
    for (unsigned N = Count; N-- != 0;) {
      if (All[N].Line != Line || (Exclusive && All[N].meets(Low, High)))
        continue;
      // An atomic may not overtake one to the same place further on.
      if (!Exclusive || !meetsAfter(N, Line, Low, High)) {
        All[N].add(Low, High);
        return;
      }
    }
    All[Count].Line = Line;
    All[Count].Bytes[0] = Low;
    All[Count].Bytes[1] = High;
    ++Count;
  }

  bool meetsAfter(unsigned N, uint64_t Line, uint64_t Low, uint64_t High) {
    for (++N; N != Count; ++N)
      if (All[N].Line == Line && All[N].meets(Low, High))
        return true;
    return false;
  }

  bool Exclusive;
  unsigned Count = 0;
  Gathering All[2 * WarpSize];
};
} // namespace

void coalesce(const MemoryAccess &Access, std::vector<Transaction> &To) {
  To.clear();
  LaneGatherer Lines(Access.Op == MemoryOp::Atomic ||
                     Access.Op == MemoryOp::Reduce);
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1)
    Lines.add(Access.Addresses[std::countr_zero(Left)], Access.Bytes);
  for (unsigned N = 0; N != Lines.size(); ++N) {
    Transaction T;
    T.Line = Lines[N].Line;
    for (unsigned S = 0; S != SectorsPerLine; ++S) {
      uint32_t Touched = Lines[N].sector(S);
      T.Sectors |= uint8_t((Touched != 0) << S);
      T.Partial |= uint8_t((Touched != 0 && Touched != ~uint32_t(0)) << S);
    }
    To.push_back(T);
  }
}

} // namespace regshare::sim
