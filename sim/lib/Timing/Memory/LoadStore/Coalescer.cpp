//===- Coalescer.cpp - Lanes to lines -------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coalescer.h"

#include "AccessPattern.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

namespace {
/// A transaction while lanes are added to it.
/// Bit N: bits 2N and 2N + 1 of \p Bytes are set.
static uint32_t pairsOf(uint64_t Bytes) {
  uint64_t Pairs = Bytes & (Bytes >> 1) & 0x5555555555555555;
  Pairs = (Pairs | Pairs >> 1) & 0x3333333333333333;
  Pairs = (Pairs | Pairs >> 2) & 0x0f0f0f0f0f0f0f0f;
  Pairs = (Pairs | Pairs >> 4) & 0x00ff00ff00ff00ff;
  Pairs = (Pairs | Pairs >> 8) & 0x0000ffff0000ffff;
  return uint32_t(Pairs | Pairs >> 16);
}

/// The lowest \p N bits.
static uint64_t ones(unsigned N) {
  return N >= 64 ? ~uint64_t(0) : (uint64_t(1) << N) - 1;
}

struct Gathering {
  uint64_t Line;
  uint64_t Bytes[2]; ///< One bit each.

  bool meets(uint64_t Low, uint64_t High) const {
    return (Bytes[0] & Low) || (Bytes[1] & High);
  }
  uint32_t sector(unsigned N) const {
    return uint32_t(Bytes[N / 2] >> (32 * (N % 2)));
  }
  uint64_t halves() const {
    return uint64_t(pairsOf(Bytes[1])) << 32 | pairsOf(Bytes[0]);
  }
};

class LaneGatherer {
public:
  explicit LaneGatherer(bool Exclusive) : Exclusive(Exclusive) {}

  /// The bytes from \p Begin to \p End.
  void add(uint64_t Begin, uint64_t End) {
    while (Begin != End) {
      uint64_t Line = Begin / LineBytes;
      uint64_t Until = std::min(End, (Line + 1) * LineBytes);
      addWithin(Line, unsigned(Begin % LineBytes), unsigned(Until - Begin));
      Begin = Until;
    }
  }

  unsigned size() const { return Count; }
  const Gathering &operator[](unsigned N) const { return All[N]; }

private:
  void addWithin(uint64_t Line, unsigned Offset, unsigned Bytes) {
    unsigned End = Offset + Bytes;
    uint64_t Low = ones(End) & ~ones(Offset);
    uint64_t High =
        End > 64 ? ones(End - 64) & ~(Offset > 64 ? ones(Offset - 64) : 0) : 0;
    Gathering *To = Exclusive ? findExclusive(Line, Low, High) : find(Line);
    if (!To) {
      To = &All[Count++];
      *To = {Line, {0, 0}};
    }
    To->Bytes[0] |= Low;
    To->Bytes[1] |= High;
  }

  /// The last one first: neighbouring lanes mostly share a line.
  Gathering *find(uint64_t Line) {
    for (unsigned N = Count; N-- != 0;)
      if (All[N].Line == Line)
        return &All[N];
    return nullptr;
  }

  /// The first one after all that touch the same bytes.
  Gathering *findExclusive(uint64_t Line, uint64_t Low, uint64_t High) {
    Gathering *First = nullptr;
    for (unsigned N = 0; N != Count; ++N) {
      if (All[N].Line != Line)
        continue;
      if (All[N].meets(Low, High))
        First = nullptr;
      else if (!First)
        First = &All[N];
    }
    return First;
  }

  bool Exclusive;
  unsigned Count = 0;
  Gathering All[2 * WarpSize]; ///< A lane may cross a line.
};
} // namespace

/// The bytes from \p Begin to \p End, without a gap.
static void coalesceRange(uint64_t Begin, uint64_t End,
                          std::vector<Transaction> &To) {
  for (uint64_t Line = Begin / LineBytes; Line * LineBytes < End; ++Line) {
    Transaction T;
    T.Line = Line;
    for (unsigned S = 0; S != SectorsPerLine; ++S) {
      uint64_t Sector = Line * LineBytes + S * SectorBytes;
      uint64_t From = std::max(Begin, Sector);
      uint64_t Until = std::min(End, Sector + SectorBytes);
      if (From >= Until)
        continue;
      T.Sectors |= uint8_t(1u << S);
      if (Until - From != SectorBytes)
        T.Partial |= uint8_t(1u << S);
    }
    if (T.Partial) {
      uint64_t Start = Line * LineBytes;
      auto First = unsigned(Begin > Start ? Begin - Start + 1 : 0) / 2;
      auto Until = unsigned(std::min<uint64_t>(End - Start, LineBytes)) / 2;
      T.Halves = ones(Until) & ~ones(First);
    }
    To.push_back(T);
  }
}

static void addTexel(uint64_t Begin, uint64_t End,
                     std::vector<Transaction> &To) {
  for (uint64_t S = Begin / SectorBytes; S * SectorBytes < End; ++S) {
    uint64_t Line = S / SectorsPerLine;
    auto Known = std::ranges::find(To, Line, &Transaction::Line);
    if (Known == To.end())
      Known = To.insert(To.end(), {Line, 0, 0, 0});
    Known->Sectors |= uint8_t(1u << S % SectorsPerLine);
  }
}

/// The lanes' first texels come first. A read needs to know of whole sectors
/// only.
static void coalesceTexels(const MemoryAccess &Access,
                           std::vector<Transaction> &To) {
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1) {
    uint64_t Begin = Access.Addresses[std::countr_zero(Left)];
    addTexel(Begin, Begin + Access.Bytes, To);
  }
  for (uint64_t Begin : Access.More)
    addTexel(Begin, Begin + Access.Bytes, To);
}

void coalesce(const MemoryAccess &Access, std::vector<Transaction> &To) {
  To.clear();
  if (!Access.More.empty())
    return coalesceTexels(Access, To);
  bool Exclusive =
      Access.Op == MemoryOp::Atomic || Access.Op == MemoryOp::Reduce;
  AccessPattern Pattern = patternOf(Access);
  if (Pattern == AccessPattern::Sequential ||
      (Pattern == AccessPattern::Uniform && !Exclusive)) {
    unsigned Lanes = Pattern == AccessPattern::Sequential ? WarpSize : 1;
    uint64_t Begin = Access.Addresses[0];
    coalesceRange(Begin, Begin + Lanes * Access.Bytes, To);
    return;
  }
  LaneGatherer Lines(Exclusive);
  // Lanes that follow each other in memory are added together, but for atomics,
  // which are placed one by one.
  uint64_t Begin = 0, End = 0, Last = ~uint64_t(0);
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1) {
    uint64_t Address = Access.Addresses[std::countr_zero(Left)];
    if (!Exclusive && Address == Last)
      continue;
    Last = Address;
    if (Exclusive || Address != End) {
      Lines.add(Begin, End);
      Begin = Address;
    }
    End = Address + Access.Bytes;
  }
  Lines.add(Begin, End);
  for (unsigned N = 0; N != Lines.size(); ++N) {
    Transaction T;
    T.Line = Lines[N].Line;
    for (unsigned S = 0; S != SectorsPerLine; ++S) {
      uint32_t Touched = Lines[N].sector(S);
      T.Sectors |= uint8_t((Touched != 0) << S);
      T.Partial |= uint8_t((Touched != 0 && Touched != ~uint32_t(0)) << S);
    }
    if (T.Partial)
      T.Halves = Lines[N].halves();
    To.push_back(T);
  }
}

} // namespace regshare::sim
