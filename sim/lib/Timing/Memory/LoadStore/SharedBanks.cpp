//===- SharedBanks.cpp - Passes of an access ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBanks.h"

#include "AccessPattern.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

namespace {
/// The words that lanes want from the banks together.
class BankDemand {
public:
  explicit BankDemand(bool Exclusive) : Exclusive(Exclusive) {}

  void add(uint64_t Word) {
    unsigned Bank = Word % SharedBanks;
    if (!Exclusive)
      for (int8_t N = First[Bank]; N >= 0; N = Next[N])
        if (Words[N] == Word)
          return;
    Words[Count] = Word;
    Next[Count] = First[Bank];
    First[Bank] = int8_t(Count++);
    Deepest = std::max<unsigned>(Deepest, ++Depth[Bank]);
  }
  unsigned passes() const { return Deepest; }

private:
  static constexpr unsigned MaxWords = WarpSize * 4;

  bool Exclusive;
  unsigned Count = 0, Deepest = 0;
  uint64_t Words[MaxWords];
  int8_t Next[MaxWords];
  int8_t First[SharedBanks] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                               -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  uint8_t Depth[SharedBanks] = {};
};
} // namespace

/// All lanes ask for words of one aligned block that has a word in each bank.
static bool isWithinBlock(const MemoryAccess &Access) {
  if (Access.Mask != ~uint32_t(0))
    return false;
  uint64_t Differing = 0;
  for (uint64_t Address : Access.Addresses)
    Differing |= Address ^ Access.Addresses[0];
  return Differing < SharedBanks * 4;
}

/// No bank has to deliver two of the words that lanes ask for.
static bool isFreeOfConflicts(const MemoryAccess &Access) {
  uint64_t WordOf[SharedBanks];
  uint32_t Seen = 0;
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1) {
    uint64_t Word = Access.Addresses[std::countr_zero(Left)] / 4;
    uint32_t Bit = uint32_t(1) << Word % SharedBanks;
    if ((Seen & Bit) && WordOf[Word % SharedBanks] != Word)
      return false;
    Seen |= Bit;
    WordOf[Word % SharedBanks] = Word;
  }
  return true;
}

/// The pieces of a matrix, a warp of them at a time.
static unsigned passesOfPieces(const MemoryAccess &Access, bool WholeWarp) {
  MemoryAccess Piece = Access;
  Piece.More.clear();
  unsigned Passes = sharedPasses(Piece, WholeWarp);
  for (size_t At = 0; At != Access.More.size(); At += WarpSize) {
    std::copy_n(Access.More.begin() + ptrdiff_t(At), WarpSize,
                Piece.Addresses.begin());
    Passes += sharedPasses(Piece, WholeWarp);
  }
  return Passes;
}

unsigned sharedPasses(const MemoryAccess &Access, bool WholeWarp) {
  if (!Access.More.empty())
    return passesOfPieces(Access, WholeWarp);
  bool Exclusive =
      Access.Op == MemoryOp::Atomic || Access.Op == MemoryOp::Reduce;
  unsigned Words = std::max(1u, (Access.Bytes + 3u) / 4);
  if (!Exclusive && Words == 1 && isWithinBlock(Access))
    return 1;
  // Side by side in aligned groups, the lanes want every bank once.
  AccessPattern Pattern = patternOf(Access);
  if (!Exclusive && Pattern == AccessPattern::Uniform)
    return WholeWarp ? 1 : Words;
  if (Access.Bytes >= 4 && Pattern == AccessPattern::Sequential)
    return Words;
  if (!Exclusive && Words == 1 && isFreeOfConflicts(Access))
    return 1;
  unsigned GroupSize = WholeWarp ? WarpSize : std::max(1u, WarpSize / Words);
  unsigned Passes = 0;
  for (unsigned From = 0; From < WarpSize; From += GroupSize) {
    uint32_t Lanes = uint32_t((uint64_t(1) << GroupSize) - 1) << From;
    uint32_t Left = Access.Mask & Lanes;
    if (!Left)
      continue;
    BankDemand Demand(Exclusive);
    for (; Left; Left &= Left - 1)
      for (unsigned W = 0; W != Words; ++W)
        Demand.add(Access.Addresses[std::countr_zero(Left)] / 4 + W);
    Passes += Demand.passes();
  }
  return std::max(1u, Passes);
}

unsigned constantPasses(const MemoryAccess &Access) {
  if (patternOf(Access) == AccessPattern::Uniform)
    return 1;
  uint64_t Seen[WarpSize];
  unsigned Count = 0;
  for (uint32_t Left = Access.Mask; Left; Left &= Left - 1) {
    uint64_t Address = Access.Addresses[std::countr_zero(Left)];
    // The last one first: mostly all lanes name the same.
    bool Known = false;
    for (unsigned N = Count; N-- != 0 && !Known;)
      Known = Seen[N] == Address;
    if (!Known)
      Seen[Count++] = Address;
  }
  return std::max(1u, Count);
}

} // namespace regshare::sim
