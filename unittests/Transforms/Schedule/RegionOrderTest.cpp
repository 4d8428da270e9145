//===- RegionOrderTest.cpp - Tests of orders of regions -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Schedule/RegionOrder.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

using namespace regshare;

namespace {

Region randomRegion(std::mt19937 &Random, unsigned NumNodes) {
  auto Upto = [&](unsigned N) { return unsigned(Random() % (N + 1)); };
  Region R;
  R.Nodes.resize(NumNodes);
  R.UnitsThrough = Upto(3);
  auto NewValue = [&] {
    RegionValue V;
    V.IsPred = Upto(5) == 0;
    V.Units = V.IsPred ? 0 : 1 + (Upto(3) == 0);
    R.Values.push_back(V);
    return uint32_t(R.Values.size() - 1);
  };
  std::map<uint32_t, uint32_t> WriterOf;
  for (unsigned K = Upto(2); K-- != 0;) {
    uint32_t V = NewValue();
    R.Values[V].LivesIn = true;
    R.Values[V].LivesOut = Upto(2) == 0;
  }
  for (uint32_t N = 0; N != NumNodes; ++N) {
    RegionNode &Node = R.Nodes[N];
    Node.Slots = 1 + (Upto(6) == 0 ? Upto(4) : 0);
    for (unsigned K = Upto(2); K-- != 0 && !R.Values.empty();) {
      uint32_t V = Upto(R.Values.size() - 1);
      if (llvm::is_contained(Node.Reads, V))
        continue;
      Node.Reads.push_back(V);
      if (WriterOf.count(V))
        R.Nodes[WriterOf[V]].Succs.push_back({N, 1 + Upto(12)});
    }
    if (Upto(4)) {
      uint32_t V = NewValue();
      R.Values[V].LivesOut = Upto(3) == 0;
      Node.Writes.push_back(V);
      WriterOf[V] = N;
    }
    if (N && Upto(5) == 0)
      R.Nodes[Upto(N - 1)].Succs.push_back({N, 1});
  }
  R.countReaders();
  // A value from before that nobody reads here is one that lives through.
  for (RegionValue &V : R.Values)
    V.LivesOut |= V.LivesIn && !V.Readers;
  return R;
}

bool isPossible(const Region &R, const RegionOrder &Order) {
  std::vector<size_t> Place(R.Nodes.size(), ~size_t(0));
  for (size_t I = 0; I != Order.size(); ++I)
    Place[Order[I]] = I;
  for (uint32_t N = 0; N != R.Nodes.size(); ++N)
    for (RegionNode::Edge E : R.Nodes[N].Succs)
      if (Place[N] >= Place[E.To])
        return false;
  return Order.size() == R.Nodes.size();
}

/// Live units at each point by asking, for each value, where it is written and
/// read last; and cycles by asking each node for all that it waits for.
OrderCost plainCost(const Region &R, const RegionOrder &Order) {
  OrderCost Cost;
  auto PlaceOf = [&](uint32_t N) {
    return int(std::find(Order.begin(), Order.end(), N) - Order.begin());
  };
  int End = int(Order.size());
  // Point 2i is before the i-th node, 2i+1 where it writes.
  for (int Point = 0; Point <= 2 * End; ++Point) {
    unsigned Units = R.UnitsThrough, Preds = R.PredsThrough;
    for (uint32_t V = 0; V != R.Values.size(); ++V) {
      int From = R.Values[V].LivesIn ? -1 : 2 * End + 2;
      int To = R.Values[V].LivesOut ? 2 * End : -2;
      for (uint32_t N = 0; N != R.Nodes.size(); ++N) {
        if (llvm::is_contained(R.Nodes[N].Writes, V)) {
          From = 2 * PlaceOf(N) + 1;
          To = std::max(To, From);
        }
        if (llvm::is_contained(R.Nodes[N].Reads, V))
          To = std::max(To, 2 * PlaceOf(N));
      }
      if (From <= Point && Point <= To) {
        Units += R.Values[V].Units;
        Preds += R.Values[V].IsPred;
      }
    }
    Cost.PeakUnits = std::max(Cost.PeakUnits, Units);
    Cost.PeakPreds = std::max(Cost.PeakPreds, Preds);
  }
  std::vector<uint64_t> IssuedAt(R.Nodes.size());
  for (size_t I = 0; I != Order.size(); ++I) {
    uint64_t At = I ? IssuedAt[Order[I - 1]] + R.Nodes[Order[I - 1]].Slots : 0;
    for (uint32_t N = 0; N != R.Nodes.size(); ++N)
      for (RegionNode::Edge E : R.Nodes[N].Succs)
        if (E.To == Order[I])
          At = std::max(At, IssuedAt[N] + R.Nodes[N].Slots - 1 + E.Latency);
    IssuedAt[Order[I]] = At;
    Cost.Cycles = At + R.Nodes[Order[I]].Slots;
  }
  return Cost;
}

RegionOrder given(const Region &R) {
  RegionOrder Order(R.Nodes.size());
  std::iota(Order.begin(), Order.end(), 0);
  return Order;
}

TEST(RegionOrder, CostsAreThoseOfThePlainDefinition) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    Region R = randomRegion(Random, 1 + Random() % 12);
    for (const RegionOrder &Order :
         {given(R), orderWithin(R, {unsigned(Random() % 8), 2})}) {
      ASSERT_TRUE(isPossible(R, Order));
      OrderCost Got = costOf(R, Order), Wanted = plainCost(R, Order);
      EXPECT_EQ(Got.PeakUnits, Wanted.PeakUnits) << Round;
      EXPECT_EQ(Got.PeakPreds, Wanted.PeakPreds) << Round;
      EXPECT_EQ(Got.Cycles, Wanted.Cycles) << Round;
    }
  }
}

TEST(RegionOrder, TheChosenOrderIsNeverWorseThanTheGivenOne) {
  std::mt19937 Random(2);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    Region R = randomRegion(Random, 2 + Random() % 30);
    RegisterBudget Budget{unsigned(2 + Random() % 12), 3};
    RegionOrder Order = chooseOrder(R, Budget);
    ASSERT_TRUE(isPossible(R, Order));
    OrderCost Got = costOf(R, Order), Given = costOf(R, given(R));
    if (Given.fits(Budget)) {
      EXPECT_TRUE(Got.fits(Budget));
      EXPECT_LE(Got.Cycles, Given.Cycles);
    } else if (!Got.fits(Budget)) {
      EXPECT_TRUE(Got.PeakUnits <= Given.PeakUnits ||
                  Got.PeakPreds < Given.PeakPreds);
    }
  }
}

/// Cycles of the best order within the budget, by trying all; 0: none fits.
uint64_t bestCycles(const Region &R, const RegisterBudget &Budget) {
  uint64_t Best = 0;
  RegionOrder Order = given(R);
  do {
    if (!isPossible(R, Order))
      continue;
    OrderCost Cost = costOf(R, Order);
    if (Cost.fits(Budget) && (!Best || Cost.Cycles < Best))
      Best = Cost.Cycles;
  } while (std::next_permutation(Order.begin(), Order.end()));
  return Best;
}

TEST(RegionOrder, SmallRegionsComeCloseToTheBestOrder) {
  std::mt19937 Random(3);
  uint64_t Ours = 0, Best = 0, Given = 0;
  unsigned Fits = 0, CouldFit = 0;
  for (unsigned Round = 0; Round != 150; ++Round) {
    Region R = randomRegion(Random, 7);
    RegisterBudget Budget{unsigned(4 + Random() % 6), 7};
    uint64_t Optimum = bestCycles(R, Budget);
    if (!Optimum)
      continue;
    ++CouldFit;
    OrderCost Got = costOf(R, chooseOrder(R, Budget));
    if (!Got.fits(Budget))
      continue;
    ++Fits;
    EXPECT_GE(Got.Cycles, Optimum);
    Ours += Got.Cycles;
    Best += Optimum;
    Given += costOf(R, given(R)).Cycles;
  }
  EXPECT_GE(Fits, CouldFit * 95 / 100) << "of " << CouldFit;
  EXPECT_LE(double(Ours), 1.05 * double(Best));
  EXPECT_LT(Ours, Given);
}

TEST(RegionOrder, LoadsGoFirstAsFarAsRegistersAllow) {
  // Eight loads, each with an addition to the sum that the one before made.
  Region R;
  R.Nodes.resize(16);
  auto Value = [&](bool LivesOut) {
    RegionValue V;
    V.Units = 1;
    V.LivesOut = LivesOut;
    R.Values.push_back(V);
    return uint32_t(R.Values.size() - 1);
  };
  uint32_t Sum = Value(false);
  R.Values[Sum].LivesIn = true;
  for (uint32_t K = 0; K != 8; ++K) {
    uint32_t Loaded = Value(false), NewSum = Value(K == 7);
    R.Nodes[2 * K].Writes = {Loaded};
    R.Nodes[2 * K].Succs.push_back({2 * K + 1, 200});
    R.Nodes[2 * K + 1].Reads = {Loaded, Sum};
    R.Nodes[2 * K + 1].Writes = {NewSum};
    if (K != 7)
      R.Nodes[2 * K + 1].Succs.push_back({2 * K + 3, 4});
    Sum = NewSum;
  }
  R.countReaders();
  OrderCost Given = costOf(R, given(R));
  EXPECT_EQ(Given.PeakUnits, 2u);
  OrderCost Roomy = costOf(R, chooseOrder(R, {9, 7}));
  EXPECT_EQ(Roomy.PeakUnits, 9u);
  EXPECT_LT(Roomy.Cycles, 300u);
  OrderCost Tight = costOf(R, chooseOrder(R, {4, 7}));
  EXPECT_LE(Tight.PeakUnits, 4u);
  EXPECT_LT(Tight.Cycles, Given.Cycles);
  EXPECT_GT(Tight.Cycles, Roomy.Cycles);
}

} // namespace
