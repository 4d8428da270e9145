//===- EXPARSRenumberTest.cpp - Hot registers first -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/EXPARS/EXPARSRenumber.h"
#include "GroupOrders.h"
#include "RandomMachineFunction.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace regshare;
using namespace regshare::test;

namespace {

TEST(EXPARSRenumber, SortsSingles) {
  EXPECT_EQ(orderByWeight({1, 5, 3, 5}, {1, 1, 1, 1}), Numbers({3, 0, 2, 1}));
  EXPECT_EQ(orderByWeight({}, {}), Numbers());
}

/// R0:R1 of 4 references each, between singles of 9, 8, 3 and 0.
TEST(EXPARSRenumber, PairsStayAligned) {
  EXPECT_EQ(orderByWeight({4, 4, 9, 0, 3, 8}, {2, 2, 1, 1, 1, 1}),
            Numbers({2, 3, 0, 5, 4, 1}));
}

/// A group that ends after the last register stays last.
TEST(EXPARSRenumber, UsesNoNumberBeyond) {
  EXPECT_EQ(orderByWeight({0, 0, 0, 0, 9, 9, 9}, {1, 1, 1, 1, 4, 4, 4}),
            Numbers({0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(orderByWeight({1, 1, 1, 1, 9}, {4, 4, 4, 4, 1}),
            Numbers({0, 1, 2, 3, 4}));
}

/// Groups of any sizes, the last one cut off at times.
std::vector<unsigned> randomGranules(std::mt19937 &Random, unsigned Units) {
  std::vector<unsigned> Granules(Units, 1);
  for (unsigned U = 0; U < Units;) {
    unsigned Size = 1u << Random() % 4;
    while (U % Size)
      Size /= 2;
    if (U + Size > Units && Random() % 2)
      Size = 1;
    std::fill(Granules.begin() + U,
              Granules.begin() + std::min(U + Size, Units), Size);
    U += Size;
  }
  return Granules;
}

/// Weight of the \p Count lowest numbers.
double weightBelow(const Numbers &New, const std::vector<double> &Weights,
                   unsigned Count) {
  double Weight = 0;
  for (unsigned U = 0; U != New.size(); ++U)
    if (New[U] < Count)
      Weight += Weights[U];
  return Weight;
}

/// Wherever Start_Reg may be, as many references as possible stay below it: of
/// all orders, none has more below any multiple of the largest group.
TEST(EXPARSRenumber, KeepsMostReferences) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 300; ++Round) {
    unsigned Units = 1 + Random() % 8;
    std::vector<unsigned> Granules = randomGranules(Random, Units);
    std::vector<double> Weights(Units);
    for (double &W : Weights)
      W = Random() % 10;
    Numbers New = orderByWeight(Weights, Granules);
    expectKeepsGroups(New, Granules);
    unsigned Largest = *std::max_element(Granules.begin(), Granules.end());
    for (unsigned Count = Largest; Count < Units; Count += Largest) {
      double Most = 0;
      forEachOrder(Granules, [&](const Numbers &Other) {
        Most = std::max(Most, weightBelow(Other, Weights, Count));
      });
      EXPECT_EQ(weightBelow(New, Weights, Count), Most) << "round " << Round;
    }
  }
}

//===----------------------------------------------------------------------===//
// Collisions
//===----------------------------------------------------------------------===//

/// By the rule itself: the fewest registers that have to be kept.
unsigned keptUnder(const Numbers &New, const std::vector<RegSet> &Together,
                   const BundleRules &Rules) {
  unsigned Kept = Rules.Kept;
  for (const RegSet &Names : Together)
    for (unsigned A = 0; A != New.size(); ++A)
      for (unsigned B = 0; B != New.size(); ++B)
        if (A != B && Names.test(A) && Names.test(B) && New[A] < New[B] &&
            New[A] % Rules.Cache.lines() == New[B] % Rules.Cache.lines())
          Kept = std::max(Kept, New[A] + 1);
  return Kept;
}

RegSet setOf(std::initializer_list<unsigned> Units) {
  RegSet Set;
  for (unsigned Unit : Units)
    Set.set(Unit);
  return Set;
}

/// R5 and R13 are in one instruction. R5 changes places with the one next to it
/// in weight.
TEST(EXPARSRenumber, TakesCollisionsApart) {
  Numbers New(16);
  std::iota(New.begin(), New.end(), 0);
  std::vector<double> Weights(16);
  for (unsigned U = 0; U != 16; ++U)
    Weights[U] = 100 - U;
  Weights[6] = Weights[5];
  std::vector<unsigned> Granules(16, 1);
  std::vector<RegSet> Together = {setOf({5, 13})};
  BundleRules Rules{{1024}, 2};
  EXPECT_EQ(keptUnder(New, Together, Rules), 6u);
  avoidCollisions(New, Weights, Granules, Together, Rules);
  EXPECT_EQ(keptUnder(New, Together, Rules), 2u);
  EXPECT_EQ(New[5], 6u);
  EXPECT_EQ(New[6], 5u);
}

/// Ten registers do not fit into eight lines.
TEST(EXPARSRenumber, SomeCollisionsStay) {
  Numbers New(10);
  std::iota(New.begin(), New.end(), 0);
  std::vector<RegSet> Together = {setOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})};
  Numbers Before = New;
  avoidCollisions(New, std::vector<double>(10, 1), std::vector<unsigned>(10, 1),
                  Together, {{1024}, 0});
  EXPECT_EQ(keptUnder(New, Together, {{1024}, 0}), 2u);
  EXPECT_EQ(New, Before);
}

TEST(EXPARSRenumber, RandomCollisions) {
  unsigned Fewer = 0, Some = 0;
  for (unsigned Seed = 0, E = fuzzIterations(300); Seed != E; ++Seed) {
    std::mt19937 Random(Seed);
    unsigned Units = 4 + Random() % 60;
    std::vector<unsigned> Granules = randomGranules(Random, Units);
    std::vector<double> Weights(Units);
    for (double &W : Weights)
      W = Random() % 100;
    std::vector<RegSet> Together(1 + Random() % 30);
    for (RegSet &Names : Together)
      for (unsigned I = 1 + Random() % 5; I; --I)
        Names.set(Random() % Units);
    BundleRules Rules{{1024u << Random() % 3},
                      unsigned(Random() % (Units / 2))};
    Numbers New = orderByWeight(Weights, Granules);
    unsigned Before = keptUnder(New, Together, Rules);
    avoidCollisions(New, Weights, Granules, Together, Rules);
    expectKeepsGroups(New, Granules);
    unsigned After = keptUnder(New, Together, Rules);
    EXPECT_LE(After, Before) << "seed " << Seed;
    Some += Before > Rules.Kept;
    Fewer += After < Before;
  }
  EXPECT_GE(Some, test::atLeast(50));
  EXPECT_GT(Fewer, Some / 2);
}

} // namespace
