//===- BundlesTest.cpp - Bundles of EXPARS --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMachineFunction.h"

#include "regshare/Analysis/EXPARS/Bundles.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace regshare;

namespace {

RegSet setOf(std::initializer_list<unsigned> Bits) {
  RegSet Set;
  for (unsigned Bit : Bits)
    Set.set(Bit);
  return Set;
}

BundleInstr instr(std::initializer_list<unsigned> Names,
                  std::initializer_list<unsigned> Late = {},
                  std::initializer_list<unsigned> Live = {}) {
  return {setOf(Names), setOf(Late), setOf(Live), false};
}

using Starts = std::vector<unsigned>;

TEST(Bundles, NothingToCut) {
  EXPECT_EQ(cutIntoBundles({}, {}), Starts());
  std::vector<BundleInstr> Block(5, instr({0, 15}));
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0}));
}

/// At 2 KB R4 and R20 have the same line, and at 4 KB R4 and R36.
TEST(Bundles, LinesExclude) {
  std::vector<BundleInstr> Block = {instr({4}), instr({20}), instr({36})};
  EXPECT_EQ(cutIntoBundles(Block, {{1024}, 0}), Starts({0, 1, 2}));
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 0}), Starts({0, 1, 2}));
  EXPECT_EQ(cutIntoBundles(Block, {{4096}, 0}), Starts({0, 2}));
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 5}), Starts({0, 2}));
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 21}), Starts({0}));
}

TEST(Bundles, LateResultsAreReadElsewhere) {
  std::vector<BundleInstr> Block = {instr({1, 2}, {2}), instr({3}),
                                    instr({2, 3})};
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0, 2}));
  // Registers that are always in the register file come late all the same.
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 8}), Starts({0, 2}));
  // So do predicates.
  Block = {instr({256}, {256}), instr({256})};
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0, 1}));
}

TEST(Bundles, EndWhereWarpsMayWait) {
  std::vector<BundleInstr> Block(4, instr({0}));
  Block[1].Ends = Block[3].Ends = true;
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0, 2}));
}

/// Of places for a cut the one where fewest registers are live that can be in
/// scratchpad; of several the last.
TEST(Bundles, CutWhereFewAreLive) {
  std::vector<BundleInstr> Block = {
      instr({0, 1}, {0}), instr({1}, {}, {1, 2, 3}), instr({2}, {}, {1, 2}),
      instr({2}, {}, {2, 3}), instr({0}, {}, {0, 1, 2})};
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0, 3}));
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 2}), Starts({0, 4}));
  EXPECT_EQ(cutIntoBundles(Block, {{2048}, 3}), Starts({0, 4}));
}

//===----------------------------------------------------------------------===//
// All divisions
//===----------------------------------------------------------------------===//

/// The rules as they are written, for instructions \p Begin to before \p End.
bool isBundle(const std::vector<BundleInstr> &Block, unsigned Begin,
              unsigned End, const BundleRules &Rules) {
  std::set<unsigned> Late;
  std::map<unsigned, unsigned> UnitIn; // By line.
  for (unsigned I = Begin; I != End; ++I) {
    bool Fits = true;
    Block[I].Names.forEach([&](unsigned Bit) {
      Fits &= !Late.count(Bit);
      if (Bit >= RegSet::PredBase || Bit < Rules.Kept)
        return;
      unsigned Line = Bit % (Rules.Cache.Bytes / 128);
      Fits &= UnitIn.try_emplace(Line, Bit).first->second == Bit;
    });
    if (!Fits || (Block[I].Ends && I + 1 != End))
      return false;
    Block[I].Late.forEach([&](unsigned Bit) { Late.insert(Bit); });
  }
  return UnitIn.size() <= Rules.Cache.Bytes / 128;
}

/// Bundles, live registers, and the cuts from the last to the first, for each
/// of which later is better.
using Cost = std::tuple<unsigned, unsigned, std::vector<int>>;

/// The best of all ways to cut \p Block, each looked at.
Starts bestOfAll(const std::vector<BundleInstr> &Block,
                 const BundleRules &Rules) {
  std::optional<Cost> Least;
  Starts Best;
  for (unsigned Cuts = 0; Cuts != 1u << (Block.size() - 1); ++Cuts) {
    Starts Begins = {0};
    for (unsigned I = 1; I != Block.size(); ++I)
      if (Cuts >> (I - 1) & 1)
        Begins.push_back(I);
    bool Allowed = true;
    unsigned Live = 0;
    std::vector<int> Backward;
    for (unsigned B = 0; B != Begins.size(); ++B) {
      unsigned End = B + 1 < Begins.size() ? Begins[B + 1] : Block.size();
      Allowed &= isBundle(Block, Begins[B], End, Rules);
      if (B)
        Block[Begins[B]].Live.forEach([&](unsigned Bit) {
          Live += Bit >= Rules.Kept && Bit < RegSet::PredBase;
        });
      Backward.insert(Backward.begin(), -int(Begins[B]));
    }
    Cost This(Begins.size(), Live, Backward);
    if (Allowed && (!Least || This < *Least)) {
      Least = This;
      Best = Begins;
    }
  }
  return Best;
}

std::vector<BundleInstr> randomBlock(std::mt19937 &Random, unsigned Units,
                                     const BundleRules &Rules) {
  std::vector<BundleInstr> Block(1 + Random() % 11);
  for (BundleInstr &I : Block) {
    do {
      I = BundleInstr();
      for (unsigned N = Random() % 5; N; --N) {
        unsigned Bit = Random() % Units;
        I.Names.set(Bit);
        if (Random() % 6 == 0)
          I.Late.set(Bit);
      }
      if (Random() % 4 == 0)
        I.Names.set(RegSet::PredBase + Random() % 3);
      if (Random() % 12 == 0)
        I.Late.set(RegSet::PredBase + Random() % 3);
    } while (leastKept(I.Names, Rules.Cache) > Rules.Kept);
    for (unsigned N = Random() % 8; N; --N)
      I.Live.set(Random() % Units);
    I.Ends = Random() % 10 == 0;
  }
  return Block;
}

TEST(Bundles, AreTheBestOfAllDivisions) {
  std::mt19937 Random(1);
  unsigned Several = 0;
  for (unsigned Round = 0, E = test::fuzzIterations(2000); Round != E;
       ++Round) {
    unsigned Units = 4 + Random() % 60;
    BundleRules Rules{{1024u << Random() % 3},
                      unsigned(Random() % (Units / 2))};
    std::vector<BundleInstr> Block = randomBlock(Random, Units, Rules);
    Starts Cut = cutIntoBundles(Block, Rules);
    ASSERT_EQ(Cut, bestOfAll(Block, Rules)) << "round " << Round;
    Several += Cut.size() > 2;
  }
  EXPECT_GE(Several, test::atLeast(200));
}

/// Blocks of thousands of instructions take no longer for each of them.
TEST(Bundles, LongBlocks) {
  std::vector<BundleInstr> Block(200000, instr({0, 1}));
  EXPECT_EQ(cutIntoBundles(Block, {}), Starts({0}));
  for (unsigned I = 0; I != Block.size(); ++I)
    Block[I] = instr({I % 250});
  EXPECT_EQ(cutIntoBundles(Block, {}).size(), 12800u);
}

TEST(Bundles, LeastKeptIsLeast) {
  EXPECT_EQ(leastKept(setOf({0, 16}), {2048}), 1u);
  EXPECT_EQ(leastKept(setOf({0, 16}), {4096}), 0u);
  EXPECT_EQ(leastKept(setOf({3, 19, 35, 40, 56, 60, 257}), {2048}), 41u);
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != test::randomCases(2000); ++Round) {
    RegSet Names;
    for (unsigned N = Random() % 40; N; --N)
      Names.set(Random() % (1 + Random() % MaxArchUnits));
    OperandCache Cache{1024u << Random() % 3};
    unsigned Kept = 0;
    while (!isBundle({{Names, {}, {}, false}}, 0, 1, {Cache, Kept}))
      ++Kept;
    EXPECT_EQ(leastKept(Names, Cache), Kept);
  }
}

TEST(Bundles, TauRoundsWhatMayMoveDown) {
  EXPECT_EQ(keptByTau(20, 800), 4u);
  EXPECT_EQ(keptByTau(21, 800), 5u);
  EXPECT_EQ(keptByTau(255, 1000), 0u);
  EXPECT_EQ(keptByTau(255, 0), 255u);
}

} // namespace
