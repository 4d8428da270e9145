//===- TimingMemoryAccessTest.cpp - Bank conflicts and coalescing ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/LoadStore/Coalescer.h"
#include "Timing/Memory/LoadStore/SharedBanks.h"
#include "TimingMemory.h"

#include <numeric>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

unsigned passes(uint64_t Stride, uint8_t Bytes = 4,
                MemoryOp Op = MemoryOp::Load) {
  return sharedPasses(accessOf(Space::Shared, Op, 0x40, Stride, Bytes));
}

TEST(SharedBanks, WordStrideConflictsAreTheGcdWithTheBanks) {
  for (unsigned Words = 1; Words <= 64; ++Words)
    EXPECT_EQ(passes(Words * 4), std::gcd(Words, SharedBanks)) << Words;
}

TEST(SharedBanks, OneWordForAllIsABroadcast) { EXPECT_EQ(passes(0), 1u); }

TEST(SharedBanks, PartsOfAWordAreOneAccess) {
  EXPECT_EQ(passes(1, 1), 1u);
  EXPECT_EQ(passes(2, 2), 1u);
}

TEST(SharedBanks, WideAccessesTakeAPassForEachPartOfTheWarp) {
  EXPECT_EQ(passes(8, 8), 2u);
  EXPECT_EQ(passes(16, 16), 4u);
  // Half a warp at a stride of 16 bytes meets twice in every bank it uses.
  EXPECT_EQ(passes(16, 8), 4u);
  EXPECT_EQ(passes(0, 8), 2u) << "each half is a broadcast";
}

TEST(SharedBanks, LanesOfAWholeWarpShareWhatTheyAllWant) {
  auto Passes = [](uint64_t Stride, uint8_t Bytes) {
    return sharedPasses(
        accessOf(Space::Shared, MemoryOp::Load, 0x40, Stride, Bytes), true);
  };
  EXPECT_EQ(Passes(0, 8), 1u);
  EXPECT_EQ(Passes(0, 16), 1u);
  EXPECT_EQ(Passes(8, 8), 2u);
  EXPECT_EQ(Passes(16, 16), 4u);
}

TEST(SharedBanks, AtomicsOnAWordTakeTurns) {
  EXPECT_EQ(passes(0, 4, MemoryOp::Atomic), 32u);
  EXPECT_EQ(passes(4, 4, MemoryOp::Atomic), 1u);
  EXPECT_EQ(passes(128, 4, MemoryOp::Reduce), 32u);
}

TEST(SharedBanks, LanesThatAreOffDoNotCount) {
  MemoryAccess A = accessOf(Space::Shared, MemoryOp::Load, 0, 128);
  A.Mask = 0x80000001;
  EXPECT_EQ(sharedPasses(A), 2u);
  A.Mask = 0;
  EXPECT_EQ(sharedPasses(A), 1u);
}

/// All over \p Span elements, or in one of the patterns that are common.
void placeLanes(MemoryAccess &A, unsigned Span, std::mt19937 &Random) {
  uint64_t Base = uint64_t(Random() % Span) * A.Bytes;
  uint64_t Pitch = uint64_t(Random() % Span) * A.Bytes;
  unsigned Pattern = Random() % 6;
  if (Pattern < 3)
    A.Mask = ~0u;
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Addresses[L] = Pattern == 0   ? Base
                     : Pattern == 1 ? Base + L * A.Bytes
                     : Pattern == 2 ? Base + L % 8 * A.Bytes + L / 8 * Pitch
                     : Pattern == 3 ? Base + L / 8 * Pitch
                     : Pattern == 4 ? Base + 4 + L * A.Bytes // Across lines.
                                    : uint64_t(Random() % Span) * A.Bytes;
}

/// The definition, word by word.
unsigned slowPasses(const MemoryAccess &A, bool WholeWarp) {
  unsigned Words = std::max(1, A.Bytes / 4);
  unsigned Lanes = WholeWarp ? WarpSize : WarpSize / Words;
  unsigned Sum = 0;
  for (unsigned From = 0; From != WarpSize; From += Lanes) {
    std::map<unsigned, std::set<uint64_t>> Wanted;
    for (unsigned L = From; L != From + Lanes; ++L)
      for (unsigned W = 0; W != Words && (A.Mask >> L & 1); ++W)
        Wanted[(A.Addresses[L] / 4 + W) % 32].insert(A.Addresses[L] / 4 + W);
    size_t Most = 0;
    for (const auto &[Bank, All] : Wanted)
      Most = std::max(Most, All.size());
    Sum += unsigned(Most);
  }
  return std::max(1u, Sum);
}

TEST(SharedBanks, RandomAccessesMatchTheDefinition) {
  std::mt19937 Random(7);
  for (unsigned N = 0; N != 5000; ++N) {
    MemoryAccess A;
    A.Where = Space::Shared;
    A.Bytes = uint8_t(1u << Random() % 5);
    A.Mask = Random();
    unsigned Span = 1u << (Random() % 10 + 1);
    placeLanes(A, Span, Random);
    for (bool WholeWarp : {false, true})
      ASSERT_EQ(sharedPasses(A, WholeWarp), slowPasses(A, WholeWarp)) << N;
  }
}

TEST(ConstantPort, TakesAPassForEachAddress) {
  EXPECT_EQ(constantPasses(accessOf(Space::Const, MemoryOp::Load, 8, 0)), 1u);
  EXPECT_EQ(constantPasses(accessOf(Space::Const, MemoryOp::Load, 8, 4)), 32u);
  MemoryAccess A = accessOf(Space::Const, MemoryOp::Load, 0, 4);
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Addresses[L] = L % 3 * 4;
  EXPECT_EQ(constantPasses(A), 3u);
}

std::vector<Transaction> transactions(const MemoryAccess &A) {
  std::vector<Transaction> T;
  coalesce(A, T);
  return T;
}

size_t lines(uint64_t Base, uint64_t Stride, uint8_t Bytes = 4,
             MemoryOp Op = MemoryOp::Load) {
  return transactions(accessOf(Space::Global, Op, Base, Stride, Bytes)).size();
}

TEST(Coalescer, StridesTouchTheLinesTheySpan) {
  EXPECT_EQ(lines(0, 0), 1u);
  EXPECT_EQ(lines(0, 4), 1u);
  EXPECT_EQ(lines(64, 4), 2u) << "not aligned to a line";
  for (unsigned Words = 1; Words <= 32; ++Words)
    EXPECT_EQ(lines(0, Words * 4), Words) << Words;
  EXPECT_EQ(lines(0, 256), 32u);
  EXPECT_EQ(lines(0, 8, 8), 2u);
  EXPECT_EQ(lines(0, 16, 16), 4u);
}

TEST(Coalescer, SectorsAreThoseTouched) {
  MemoryAccess A = accessOf(Space::Global, MemoryOp::Load, 32, 0);
  ASSERT_EQ(transactions(A).size(), 1u);
  EXPECT_EQ(transactions(A)[0].Sectors, 2);
  EXPECT_EQ(transactions(A)[0].Partial, 2);
  A = accessOf(Space::Global, MemoryOp::Store, 128, 4, 4, 20);
  EXPECT_EQ(transactions(A)[0].Line, 1u);
  EXPECT_EQ(transactions(A)[0].Sectors, 7);
  EXPECT_EQ(transactions(A)[0].Partial, 4) << "16 of 32 bytes of the third";
}

TEST(Coalescer, ALaneMayCrossALine) {
  MemoryAccess A = accessOf(Space::Global, MemoryOp::Load, 124, 0, 8, 1);
  std::vector<Transaction> T = transactions(A);
  ASSERT_EQ(T.size(), 2u);
  EXPECT_EQ(T[0].Sectors, 8);
  EXPECT_EQ(T[1].Sectors, 1);
}

TEST(Coalescer, AtomicsThatMeetAreSeparate) {
  EXPECT_EQ(lines(0, 4, 4, MemoryOp::Atomic), 1u);
  EXPECT_EQ(lines(0, 0, 4, MemoryOp::Atomic), 32u);
  MemoryAccess A = accessOf(Space::Global, MemoryOp::Reduce, 0, 0);
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Addresses[L] = L / 4 * 4; // Four lanes a word.
  EXPECT_EQ(transactions(A).size(), 4u);
}

/// Each byte that a lane touches is in exactly the sectors of its line.
TEST(Coalescer, RandomAccessesMatchTheDefinition) {
  std::mt19937 Random(3);
  for (unsigned N = 0; N != 3000; ++N) {
    MemoryAccess A;
    A.Bytes = uint8_t(1u << Random() % 5);
    A.Mask = Random();
    unsigned Span = 1u << (Random() % 12 + 1);
    placeLanes(A, Span, Random);
    std::map<uint64_t, std::set<unsigned>> Bytes;
    for (unsigned L = 0; L != WarpSize; ++L)
      for (unsigned B = 0; B != A.Bytes && (A.Mask >> L & 1); ++B) {
        uint64_t Address = A.Addresses[L] + B;
        Bytes[Address / LineBytes].insert(unsigned(Address % LineBytes));
      }
    std::vector<Transaction> T = transactions(A);
    ASSERT_EQ(T.size(), Bytes.size());
    for (const Transaction &One : T) {
      unsigned Touched[SectorsPerLine] = {};
      for (unsigned B : Bytes[One.Line])
        ++Touched[B / SectorBytes];
      for (unsigned S = 0; S != SectorsPerLine; ++S) {
        EXPECT_EQ(One.Sectors >> S & 1, Touched[S] != 0);
        EXPECT_EQ(One.Partial >> S & 1,
                  Touched[S] != 0 && Touched[S] != SectorBytes);
      }
      for (unsigned H = 0; One.Partial && H != LineBytes / 2; ++H) {
        bool Both = Bytes[One.Line].count(2 * H) != 0 &&
                    Bytes[One.Line].count(2 * H + 1) != 0;
        EXPECT_EQ(One.Halves >> H & 1, Both);
      }
    }
  }
}

} // namespace
} // namespace regshare::sim
