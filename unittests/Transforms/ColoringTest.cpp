//===- ColoringTest.cpp - Tests of the register colouring -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Coloring.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <set>

using namespace regshare;

namespace {

/// A problem kept in plain form beside the one under test, so that a check
/// reads nothing from the code it checks.
struct PlainProblem {
  std::vector<unsigned> Widths;
  std::set<std::pair<unsigned, unsigned>> Edges;
  std::vector<ColorCluster> Clusters;
  std::vector<unsigned> Bounds; ///< By node; empty: none has one.

  ColoringProblem build() const {
    ColoringProblem P;
    for (unsigned W : Widths)
      P.addNode(W);
    for (unsigned N = 0; N != Bounds.size(); ++N)
      P.boundNode(N, Bounds[N]);
    for (auto [A, B] : Edges)
      P.addInterference(A, B);
    for (const ColorCluster &C : Clusters)
      P.addCluster(C);
    return P;
  }

  bool compatible(unsigned A, unsigned UnitA, unsigned B,
                  unsigned UnitB) const {
    bool Overlap = UnitA < UnitB + Widths[B] && UnitB < UnitA + Widths[A];
    return !Overlap || !Edges.count(std::minmax(A, B));
  }

  void check(const Coloring &C) const {
    ASSERT_EQ(C.FirstUnit.size(), Widths.size());
    for (unsigned N = 0; N != Widths.size(); ++N)
      EXPECT_LE(C.FirstUnit[N] + Widths[N], C.NumUnits);
    for (unsigned N = 0; N != Bounds.size(); ++N)
      EXPECT_LE(C.FirstUnit[N] + Widths[N], Bounds[N]);
    for (auto [A, B] : Edges)
      EXPECT_TRUE(compatible(A, C.FirstUnit[A], B, C.FirstUnit[B]))
          << A << " and " << B << " share a unit";
    std::set<unsigned> Tied;
    for (const ColorCluster &Cluster : Clusters) {
      unsigned Base =
          C.FirstUnit[Cluster.Members[0].Node] - Cluster.Members[0].Offset;
      EXPECT_EQ(Base % Cluster.Align, Cluster.Phase);
      for (ColorCluster::Member M : Cluster.Members) {
        EXPECT_EQ(C.FirstUnit[M.Node], Base + M.Offset);
        Tied.insert(M.Node);
      }
    }
    for (unsigned N = 0; N != Widths.size(); ++N)
      if (!Tied.count(N))
        EXPECT_EQ(C.FirstUnit[N] % Widths[N], 0u) << "misaligned " << N;
  }

  /// Whether \p Limit units suffice, by exhaustive search.
  bool isPossible(unsigned Limit) const {
    std::vector<unsigned> Units(Widths.size(), ~0u);
    return search(0, Limit, Units);
  }
  /// Fewest units, the same way.
  unsigned optimum() const {
    for (unsigned Limit = 1;; ++Limit)
      if (isPossible(Limit))
        return Limit;
  }

private:
  bool search(unsigned N, unsigned Limit, std::vector<unsigned> &Units) const {
    if (N == Widths.size())
      return true;
    unsigned End = Bounds.empty() ? Limit : std::min(Limit, Bounds[N]);
    for (unsigned U = 0; U + Widths[N] <= End; U += Widths[N]) {
      bool Fits = true;
      for (unsigned M = 0; M != N; ++M)
        Fits &= compatible(M, Units[M], N, U);
      Units[N] = U;
      if (Fits && search(N + 1, Limit, Units))
        return true;
    }
    return false;
  }
};

/// Intervals on a line, whose overlaps are the edges: what straight-line code
/// makes.
PlainProblem randomIntervals(std::mt19937 &Random, unsigned Nodes,
                             unsigned Length, unsigned &Peak) {
  PlainProblem P;
  std::vector<std::pair<unsigned, unsigned>> Ranges;
  for (unsigned N = 0; N != Nodes; ++N) {
    static constexpr unsigned Widths[] = {1, 1, 1, 2, 2, 4};
    P.Widths.push_back(Widths[Random() % 6]);
    unsigned Start = Random() % Length;
    Ranges.emplace_back(Start, Start + 1 + Random() % (Length / 3));
  }
  for (unsigned A = 0; A != Nodes; ++A)
    for (unsigned B = A + 1; B != Nodes; ++B)
      if (Ranges[A].first < Ranges[B].second &&
          Ranges[B].first < Ranges[A].second)
        P.Edges.emplace(A, B);
  Peak = 0;
  for (unsigned At = 0; At != 2 * Length; ++At) {
    unsigned Live = 0;
    for (unsigned N = 0; N != Nodes; ++N)
      if (Ranges[N].first <= At && At < Ranges[N].second)
        Live += P.Widths[N];
    Peak = std::max(Peak, Live);
  }
  return P;
}

TEST(Coloring, EmptyProblemTakesNothing) {
  std::optional<Coloring> C = color(ColoringProblem(), 0, 8);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->NumUnits, 0u);
}

TEST(Coloring, PairsAreAligned) {
  PlainProblem P;
  P.Widths = {1, 2, 1, 2};
  P.Edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  std::optional<Coloring> C = color(P.build(), 6, 6);
  ASSERT_TRUE(C);
  P.check(*C);
}

TEST(Coloring, SaysWhenTheLimitIsTooLow) {
  PlainProblem P;
  P.Widths = {1, 1, 1};
  P.Edges = {{0, 1}, {0, 2}, {1, 2}};
  EXPECT_FALSE(color(P.build(), 0, 2));
  EXPECT_TRUE(color(P.build(), 0, 3));
}

TEST(Coloring, ClusterKeepsItsOffsets) {
  PlainProblem P;
  P.Widths = {1, 1, 1, 1, 1};
  P.Edges = {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {0, 1},
             {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  P.Clusters = {{{{3, 0}, {1, 1}, {0, 2}, {2, 3}}, 4, 0}};
  std::optional<Coloring> C = color(P.build(), 5, 8);
  ASSERT_TRUE(C);
  P.check(*C);
  EXPECT_EQ(C->NumUnits, 5u);
}

TEST(Coloring, HintsAreFollowedWhereTheyCan) {
  ColoringProblem P;
  for (unsigned I = 0; I != 3; ++I)
    P.addNode(1);
  P.addInterference(0, 1);
  P.addHint(1, 2, 1.0f);
  std::optional<Coloring> C = color(P, 2, 2);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->FirstUnit[1], C->FirstUnit[2]);
}

TEST(Coloring, RandomGraphsAgainstExhaustiveSearch) {
  std::mt19937 Random(7);
  unsigned Excess = 0, Cases = 1500;
  for (unsigned I = 0; I != Cases; ++I) {
    PlainProblem P;
    unsigned Nodes = 2 + Random() % 6;
    for (unsigned N = 0; N != Nodes; ++N)
      P.Widths.push_back(1u << Random() % 3);
    for (unsigned A = 0; A != Nodes; ++A)
      for (unsigned B = A + 1; B != Nodes; ++B)
        if (Random() % 2)
          P.Edges.emplace(A, B);
    std::optional<Coloring> C = color(P.build(), 0, 64);
    ASSERT_TRUE(C);
    P.check(*C);
    unsigned Best = P.optimum();
    ASSERT_GE(C->NumUnits, Best) << "better than possible: invalid";
    Excess += C->NumUnits - Best;
  }
  EXPECT_EQ(Excess, 0u) << "over " << Cases << " graphs";
}

TEST(Coloring, BoundedNodesAgainstExhaustiveSearch) {
  std::mt19937 Random(5);
  unsigned Missed = 0, Possible = 0;
  for (unsigned I = 0; I != 1500; ++I) {
    PlainProblem P;
    unsigned Nodes = 2 + Random() % 6, Limit = 4 + Random() % 5;
    for (unsigned N = 0; N != Nodes; ++N) {
      P.Widths.push_back(1u << Random() % 2);
      P.Bounds.push_back(Random() % 2 ? 2 + Random() % Limit : Limit);
    }
    for (unsigned A = 0; A != Nodes; ++A)
      for (unsigned B = A + 1; B != Nodes; ++B)
        if (Random() % 3)
          P.Edges.emplace(A, B);
    std::optional<Coloring> C = color(P.build(), Limit, Limit);
    if (C)
      P.check(*C);
    Possible += P.isPossible(Limit);
    Missed += P.isPossible(Limit) && !C;
  }
  EXPECT_GT(Possible, 500u);
  EXPECT_EQ(Missed, 0u);
}

TEST(Coloring, PreferenceIsFollowedWhereItCan) {
  ColoringProblem P;
  for (unsigned I = 0; I != 3; ++I)
    P.addNode(1);
  P.addInterference(0, 1);
  P.addInterference(0, 2);
  P.addInterference(1, 2);
  P.preferFrom(1, 2);
  std::optional<Coloring> C = color(P, 3, 3);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->FirstUnit[1], 2u);
}

TEST(Coloring, IntervalsStayNearTheirPeak) {
  std::mt19937 Random(11);
  double Ratio = 0;
  unsigned Cases = 300;
  for (unsigned I = 0; I != Cases; ++I) {
    unsigned Peak;
    PlainProblem P = randomIntervals(Random, 20 + Random() % 120, 60, Peak);
    std::optional<Coloring> C = color(P.build(), Peak, 256);
    if (Peak > 230)
      continue;
    ASSERT_TRUE(C);
    P.check(*C);
    Ratio = std::max(Ratio, double(C->NumUnits) / Peak);
  }
  EXPECT_LE(Ratio, 1.10);
}

TEST(Coloring, HintsAreFollowedAgainWhereTheSearchHasMovedNodes) {
  std::mt19937 Random(5);
  float Before = 0, After = 0;
  for (unsigned Case = 0; Case != 60; ++Case) {
    unsigned Peak = 0;
    PlainProblem Plain = randomIntervals(Random, 120, 200, Peak);
    std::vector<std::pair<unsigned, unsigned>> Hints;
    while (Hints.size() != 80) {
      unsigned A = Random() % 120, B = Random() % 120;
      if (A != B && Plain.Widths[A] == Plain.Widths[B])
        Hints.push_back({A, B});
    }
    ColoringProblem Once = Plain.build(), Again = Plain.build();
    for (auto [A, B] : Hints) {
      Once.addHint(A, B, float(A % 3 + 1));
      Again.addHint(A, B, float(A % 3 + 1));
    }
    Again.followHintsAgain();
    auto FirstAnswer = color(Once, Peak, 255), Answer = color(Again, Peak, 255);
    ASSERT_TRUE(FirstAnswer && Answer);
    Plain.check(*Answer);
    EXPECT_LE(Answer->NumUnits, FirstAnswer->NumUnits);
    auto WeightOf = [&](const Coloring &C) {
      float Weight = 0;
      for (auto [A, B] : Hints)
        if (C.FirstUnit[A] == C.FirstUnit[B])
          Weight += float(A % 3 + 1);
      return Weight;
    };
    EXPECT_GE(WeightOf(*Answer), WeightOf(*FirstAnswer));
    Before += WeightOf(*FirstAnswer);
    After += WeightOf(*Answer);
  }
  EXPECT_GT(After, 1.05f * Before);
}

TEST(Coloring, SameProblemSameAnswer) {
  std::mt19937 Random(3);
  unsigned Peak;
  PlainProblem P = randomIntervals(Random, 200, 80, Peak);
  EXPECT_EQ(color(P.build(), Peak, 256)->FirstUnit,
            color(P.build(), Peak, 256)->FirstUnit);
}

} // namespace
