//===- LTRFRenumberTest.cpp - Registers apart in their banks --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/LTRF/LTRFRenumber.h"
#include "RandomMachineFunction.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace regshare;

namespace {

RegSet setOf(std::initializer_list<unsigned> Units) {
  RegSet Set;
  for (unsigned Unit : Units)
    Set.set(Unit);
  return Set;
}

std::vector<WeightedVector> moved(std::vector<WeightedVector> Vectors,
                                  const std::vector<unsigned> &Numbers) {
  for (WeightedVector &V : Vectors) {
    RegSet New;
    V.Regs.forEach([&](unsigned Unit) { New.set(Numbers[Unit]); });
    V.Regs = New;
  }
  return Vectors;
}

TEST(LTRFRenumber, CountsTheFullestBank) {
  EXPECT_DOUBLE_EQ(bankCost({{setOf({0, 4, 8, 1}), 2}}, 4), 6);
  EXPECT_DOUBLE_EQ(bankCost({{setOf({0, 1, 2, 3}), 2}, {RegSet(), 9}}, 4), 2);
}

TEST(LTRFRenumber, TakesConflictsApart) {
  std::vector<WeightedVector> Vectors = {{setOf({0, 4}), 1}};
  std::vector<unsigned> Numbers =
      spreadOverBanks(Vectors, std::vector<unsigned>(8, 1), 4);
  EXPECT_DOUBLE_EQ(bankCost(moved(Vectors, Numbers), 4), 1);
}

/// Where all is one group nothing can move.
TEST(LTRFRenumber, KeepsGroups) {
  std::vector<WeightedVector> Vectors = {{setOf({0, 4}), 1}};
  std::vector<unsigned> Same = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(spreadOverBanks(Vectors, std::vector<unsigned>(8, 8), 4), Same);
  EXPECT_EQ(spreadOverBanks(Vectors, std::vector<unsigned>(8, 4), 4), Same);
}

/// R4 would change places with R1; from R4 on registers are of another kind.
TEST(LTRFRenumber, KeepsTheBorder) {
  std::vector<WeightedVector> Vectors = {{setOf({0, 4}), 1}};
  const std::vector<unsigned> Single(8, 1);
  for (unsigned Border : {1, 3, 4, 5, 7}) {
    std::vector<unsigned> Numbers = spreadOverBanks(Vectors, Single, 4, Border);
    EXPECT_DOUBLE_EQ(bankCost(moved(Vectors, Numbers), 4), 1);
    for (unsigned U = 0; U != 8; ++U)
      EXPECT_EQ(U < Border, Numbers[U] < Border) << U << " at " << Border;
  }
  // A pair across it stays.
  std::vector<unsigned> Pair = {1, 1, 2, 2, 1, 1, 1, 1};
  std::vector<unsigned> Numbers = spreadOverBanks(Vectors, Pair, 4, 3);
  EXPECT_EQ(Numbers[2], 2u);
  EXPECT_EQ(Numbers[3], 3u);
}

TEST(LTRFRenumber, RandomVectors) {
  for (unsigned Seed = 0, E = test::fuzzIterations(200); Seed != E; ++Seed) {
    std::mt19937 Random(Seed);
    unsigned Units = 1 + Random() % 60, Banks = 1 + Random() % 20;
    std::vector<unsigned> Granules(Units, 1);
    for (unsigned U = 0; U < Units;) {
      unsigned Size = 1u << Random() % 4;
      while (U % Size || U + Size > Units)
        Size /= 2;
      std::fill_n(Granules.begin() + U, Size, Size);
      U += Size;
    }
    std::vector<WeightedVector> Vectors(1 + Random() % 8);
    for (WeightedVector &V : Vectors) {
      V.Weight = 1 + Random() % 100;
      for (unsigned I = 0; I != 16; ++I)
        V.Regs.set(Random() % Units);
    }
    std::vector<unsigned> Numbers = spreadOverBanks(Vectors, Granules, Banks);
    EXPECT_LE(bankCost(moved(Vectors, Numbers), Banks),
              bankCost(Vectors, Banks));
    std::vector<unsigned> Sorted = Numbers;
    std::sort(Sorted.begin(), Sorted.end());
    for (unsigned U = 0; U != Units; ++U) {
      EXPECT_EQ(Sorted[U], U);
      unsigned First = U / Granules[U] * Granules[U];
      EXPECT_EQ(Numbers[First] % Granules[U], 0u);
      EXPECT_EQ(Numbers[U], Numbers[First] + U - First);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << Seed;
  }
}

} // namespace
