//===- TimingMemoryConstantTest.cpp - The nearest constant cache ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzIterations.h"
#include "Timing/Memory/LoadStore/ConstantCache.h"
#include "TimingMemory.h"

#include <map>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

MemoryConfig withConstantCache() {
  MemoryConfig C = smallMemory();
  C.Constant = {.Latency = 6,
                .PassCycles = 2,
                .PassBytes = 8,
                .Lines = 4,
                .MissLatency = 50};
  return C;
}

MemoryAccess constant(uint64_t Base, uint64_t Stride = 0, uint8_t Bytes = 4) {
  return accessOf(Space::Const, MemoryOp::Load, Base, Stride, Bytes);
}

TEST(ConstantCache, AMissTakesLongerAndHoldsUpNobody) {
  UnitUnderTest U(withConstantCache());
  U.accept(constant(0), 1);
  U.tickTo(2);
  U.accept(constant(60), 2);
  U.tickTo(4);
  U.accept(constant(64), 3);
  U.tickTo(100);
  EXPECT_EQ(U.Done.at(1), 0u + 6 + 50);
  EXPECT_EQ(U.Done.at(2), 2u + 6);
  EXPECT_EQ(U.Done.at(3), 4u + 6 + 50);
}

TEST(ConstantCache, ALinesFirstAccessGoesBeyondAnEmptyL2) {
  MemoryConfig C = withConstantCache();
  C.Constant.ColdLatency = 300;
  ConstantCache Cache(C.Constant);
  EXPECT_EQ(Cache.access(constant(0)).Latency, 6u + 300);
  EXPECT_EQ(Cache.access(constant(4)).Latency, 6u);
  // Of two lines, one for the first time.
  EXPECT_EQ(Cache.access(constant(60, 0, 8)).Latency, 6u + 300);
  for (unsigned Line : {2, 3, 4, 5})
    EXPECT_EQ(Cache.access(constant(64 * Line)).Latency, 6u + 300);
  EXPECT_EQ(Cache.access(constant(0)).Latency, 6u + 50) << "it had to go";
  Cache.invalidate();
  EXPECT_EQ(Cache.access(constant(0)).Latency, 6u + 300);
}

TEST(ConstantCache, AWideConstantTakesAPassForEightBytes) {
  UnitUnderTest U(withConstantCache());
  U.accept(constant(0, 0, 16), 1);
  U.accept(constant(16, 0, 8), 2);
  U.accept(constant(0, 0, 4), 3);
  U.tickTo(100);
  // Two passes of two cycles, of which the latency has one.
  EXPECT_EQ(U.Done.at(1), 0u + 6 + 50 + 2);
  EXPECT_EQ(U.Done.at(2), 4u + 6);
  EXPECT_EQ(U.Done.at(3), 6u + 6);
  EXPECT_EQ(U.Unit.stats().ConstantPasses, 2u + 1 + 1);
}

TEST(ConstantCache, AWordCanTakeAShorterPass) {
  MemoryConfig C = withConstantCache();
  C.Constant.WordCycles = 1;
  ConstantCache Cache(C.Constant);
  EXPECT_EQ(Cache.access(constant(0, 0, 4)).Cycles, 1u);
  EXPECT_EQ(Cache.access(constant(0, 0, 2)).Cycles, 1u);
  EXPECT_EQ(Cache.access(constant(0, 0, 8)).Cycles, 2u);
}

TEST(ConstantCache, EveryAddressHasItsPasses) {
  UnitUnderTest U(withConstantCache());
  U.accept(constant(0, 4), 1); // 32 words of two lines.
  U.accept(constant(0), 2);
  U.tickTo(200);
  EXPECT_EQ(U.Done.at(1), 0u + 6 + 50 + 31 * 2);
  EXPECT_EQ(U.Done.at(2), 64u + 6);
}

TEST(ConstantCache, ParametersAreNotConstants) {
  MemoryConfig C = withConstantCache();
  ConstantCache Cache(C.Constant);
  MemoryAccess Parameter = constant(0);
  Parameter.Where = Space::Param;
  EXPECT_EQ(Cache.access(constant(0)).Latency, 56u);
  EXPECT_EQ(Cache.access(Parameter).Latency, 56u);
  EXPECT_EQ(Cache.access(Parameter).Latency, 6u);
  Cache.invalidate();
  EXPECT_EQ(Cache.access(Parameter).Latency, 56u);
}

TEST(ConstantCache, WithoutLinesEverythingHits) {
  MemoryConfig C = smallMemory();
  ConstantCache Cache(C.Constant);
  EXPECT_EQ(Cache.access(constant(4096, 256, 16)).Latency, 6u);
  EXPECT_EQ(Cache.access(constant(4096, 256, 16)).Passes, 32u);
}

/// A cache that writes down when each line was used last, and counts the lines
/// that were used after it.
class SlowCache {
public:
  explicit SlowCache(unsigned Lines) : Lines(Lines) {}

  bool access(const MemoryAccess &A) {
    bool Hit = true;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (A.Mask >> Lane & 1)
        for (unsigned Byte = 0; Byte != A.Bytes; ++Byte)
          Hit &= touch({A.Where, (A.Addresses[Lane] + Byte) / 64});
    return Hit;
  }

private:
  using Line = std::pair<Space, uint64_t>;
  unsigned Lines;
  std::map<Line, uint64_t> LastUse;
  uint64_t Time = 0;

  bool touch(Line L) {
    auto Known = LastUse.find(L);
    bool Hit = Known != LastUse.end();
    if (Hit) {
      unsigned Newer = 0;
      for (auto [Other, When] : LastUse)
        Newer += When > Known->second;
      Hit = Newer < Lines;
    }
    LastUse[L] = ++Time;
    return Hit;
  }
};

TEST(ConstantCache, DoesWhatASlowOneDoes) {
  for (unsigned Seed = 0; Seed != test::randomCases(20); ++Seed) {
    std::mt19937 Random(Seed);
    MemoryConfig C = withConstantCache();
    C.Constant.Lines = 1 + Random() % 12;
    ConstantCache Cache(C.Constant);
    SlowCache Slow(C.Constant.Lines);
    unsigned Hits = 0;
    for (unsigned N = 0; N != 500; ++N) {
      uint8_t Bytes = uint8_t(1) << Random() % 5;
      MemoryAccess A = constant(0, 0, Bytes);
      A.Where = Random() % 3 ? Space::Const : Space::Param;
      A.Mask = Random() % 2 ? ~0u : Random() | 1;
      uint64_t Base = Random() % 640;
      unsigned Spread = Random() % 3 * 16;
      std::set<uint64_t> Different;
      for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
        A.Addresses[Lane] = Base + (Spread ? Random() % Spread * 4 : 0);
        if (A.Mask >> Lane & 1)
          Different.insert(A.Addresses[Lane]);
      }
      ConstantCache::Outcome O = Cache.access(A);
      bool Hit = Slow.access(A);
      ASSERT_EQ(O.Latency, Hit ? 6u : 56u) << "seed " << Seed << ", " << N;
      ASSERT_EQ(O.Passes, Different.size() * (Bytes == 16 ? 2 : 1));
      Hits += Hit;
    }
    EXPECT_GT(Hits, 0u);
    EXPECT_LT(Hits, 500u);
  }
}

} // namespace
} // namespace regshare::sim
