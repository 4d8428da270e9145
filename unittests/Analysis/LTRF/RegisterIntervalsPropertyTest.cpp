//===- RegisterIntervalsPropertyTest.cpp - On random graphs ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomMachineFunction.h"
#include "RegisterIntervalsOracle.h"

#include "gtest/gtest.h"

using namespace regshare;
using namespace regshare::test;

namespace {

std::vector<IntervalOptions> allOptions(unsigned N) {
  std::vector<IntervalOptions> All;
  for (PartitionKind Kind : {PartitionKind::Intervals, PartitionKind::Strands})
    for (bool Fill : {false, true})
      for (JoinOrder Order :
           {JoinOrder::Arrival, JoinOrder::Frequency, JoinOrder::Density})
        for (CutRule Cut : {CutRule::Latest, CutRule::FewestLive})
          All.push_back({Kind, N, Fill, Order, Cut, ~0u});
  return All;
}

/// Every instruction is in one part, and the parts of a block follow each
/// other.
void expectCovered(const RegisterGraph &G, const IntervalPartition &P) {
  unsigned Next = 0;
  std::set<unsigned> Blocks;
  for (const BlockPart &Part : P.Parts) {
    EXPECT_EQ(Part.Begin, Next);
    Next = Part.End;
    EXPECT_GE(Part.Begin, G.blockBegin(Part.Block));
    EXPECT_LE(Part.End, G.blockEnd(Part.Block));
    Blocks.insert(Part.Block);
  }
  EXPECT_EQ(Next, G.numInstrs());
  EXPECT_EQ(Blocks.size(), G.numBlocks());
}

/// Each interval names what it says, no more than N, and calls are alone.
void expectBounded(const RegisterGraph &G, const IntervalPartition &P,
                   unsigned N) {
  std::vector<RegSet> Named(P.Intervals.size());
  std::vector<unsigned> Instrs(P.Intervals.size());
  std::set<unsigned> WithCall;
  for (const BlockPart &Part : P.Parts)
    for (unsigned I = Part.Begin; I != Part.End; ++I) {
      ++Instrs[Part.Interval];
      if (G.role(I) == InstrRole::Call)
        WithCall.insert(Part.Interval);
      for (uint8_t Unit : G.units(I))
        Named[Part.Interval].set(Unit);
    }
  for (unsigned I = 0; I != P.Intervals.size(); ++I) {
    EXPECT_EQ(Named[I], P.Intervals[I].Regs);
    EXPECT_LE(Named[I].countUnits(), N);
    if (WithCall.count(I))
      EXPECT_EQ(Instrs[I], 1u);
  }
}

/// Ways into an interval lead to its head, and heads are in order.
void expectSingleEntry(const RegisterGraph &G, const IntervalPartition &P) {
  auto Check = [&](unsigned From, unsigned To) {
    const BlockPart &Target = P.Parts[To];
    if (P.Parts[From].Interval != Target.Interval)
      EXPECT_EQ(P.Intervals[Target.Interval].Head, To);
  };
  for (const RegisterGraph::Edge &E : G.edges())
    Check(P.partsOf(E.From).second - 1, P.partsOf(E.To).first);
  for (unsigned I = 0; I + 1 < P.Parts.size(); ++I)
    if (P.Parts[I].Block == P.Parts[I + 1].Block)
      Check(I, I + 1);
  ASSERT_FALSE(P.Intervals.empty());
  EXPECT_EQ(P.Intervals[0].Head, 0u);
  for (unsigned I = 0; I != P.Intervals.size(); ++I) {
    EXPECT_EQ(P.Parts[P.Intervals[I].Head].Interval, I);
    if (I)
      EXPECT_LT(P.Intervals[I - 1].Head, P.Intervals[I].Head);
  }
}

/// Within a strand nothing follows a long latency, and every edge that goes
/// back leads to a head.
void expectStrands(const RegisterGraph &G, const IntervalPartition &P) {
  auto Check = [&](unsigned From, unsigned To) {
    const BlockPart &Source = P.Parts[From];
    if (P.Intervals[P.Parts[To].Interval].Head == To)
      return;
    EXPECT_LT(From, P.Parts.size());
    if (Source.Begin != Source.End)
      EXPECT_NE(G.role(Source.End - 1), InstrRole::LongLatency);
  };
  for (const BlockPart &Part : P.Parts)
    for (unsigned I = Part.Begin; I + 1 < Part.End; ++I)
      EXPECT_NE(G.role(I), InstrRole::LongLatency);
  for (const RegisterGraph::Edge &E : G.edges())
    Check(P.partsOf(E.From).second - 1, P.partsOf(E.To).first);
}

template <typename Fn> void forRandomGraphs(Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(4000); Seed != E; ++Seed) {
    std::mt19937 Random(Seed);
    RegisterGraph G = randomGraph(Random);
    unsigned N = std::max<unsigned>(G.widestInstr(), 1 + Random() % 20);
    Check(G, N);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed;
  }
}

TEST(RegisterIntervalsProperty, EqualTheSlowAlgorithms) {
  forRandomGraphs([](const RegisterGraph &G, unsigned N) {
    for (PartitionKind Kind :
         {PartitionKind::Intervals, PartitionKind::Strands})
      for (unsigned Rounds : {0u, 1u, ~0u}) {
        IntervalOptions Options;
        Options.Kind = Kind;
        Options.MaxRegisters = N;
        Options.MaxReductions = Rounds;
        EXPECT_EQ(partition(partitionRegisters(G, Options)),
                  slowPartition(G, Options));
      }
  });
}

TEST(RegisterIntervalsProperty, HoldUnderAllOptions) {
  forRandomGraphs([](const RegisterGraph &G, unsigned N) {
    for (const IntervalOptions &Options : allOptions(N)) {
      IntervalPartition P = partitionRegisters(G, Options);
      expectCovered(G, P);
      expectBounded(G, P, N);
      expectSingleEntry(G, P);
      if (Options.Kind == PartitionKind::Strands)
        expectStrands(G, P);
      EXPECT_EQ(partition(P), partition(partitionRegisters(G, Options)));
    }
  });
}

/// At the fixed point no interval that has a single predecessor fits into it.
TEST(RegisterIntervalsProperty, NothingIsLeftToMerge) {
  forRandomGraphs([](const RegisterGraph &G, unsigned N) {
    for (const IntervalOptions &Options : allOptions(N)) {
      if (Options.Kind == PartitionKind::Strands)
        continue;
      IntervalPartition P = partitionRegisters(G, Options);
      std::vector<std::set<unsigned>> Preds(P.Intervals.size());
      std::vector<bool> Call(P.Intervals.size());
      auto Edge = [&](unsigned From, unsigned To) {
        if (P.Parts[From].Interval != P.Parts[To].Interval)
          Preds[P.Parts[To].Interval].insert(P.Parts[From].Interval);
      };
      for (const RegisterGraph::Edge &E : G.edges())
        Edge(P.partsOf(E.From).second - 1, P.partsOf(E.To).first);
      for (unsigned I = 0; I != P.Parts.size(); ++I) {
        if (I + 1 < P.Parts.size() && P.Parts[I].Block == P.Parts[I + 1].Block)
          Edge(I, I + 1);
        for (unsigned K = P.Parts[I].Begin; K != P.Parts[I].End; ++K)
          if (G.role(K) == InstrRole::Call)
            Call[P.Parts[I].Interval] = true;
      }
      for (unsigned I = 1; I != P.Intervals.size(); ++I) {
        if (Preds[I].size() != 1 || Call[I] || Call[*Preds[I].begin()])
          continue;
        RegSet All = P.Intervals[I].Regs | P.Intervals[*Preds[I].begin()].Regs;
        EXPECT_GT(All.countUnits(), N);
      }
    }
  });
}

/// Of all ways that execute no more prefetches than the published one.
TEST(RegisterIntervalsProperty, TheCheapestIsTheCheapest) {
  unsigned Cheaper = 0;
  forRandomGraphs([&](const RegisterGraph &G, unsigned N) {
    auto Sum = [&](PrefetchCost C) { return C.Executed * N + C.Fetched; };
    IntervalOptions Options;
    Options.MaxRegisters = N;
    const PrefetchCost Paper = prefetchCost(G, partitionRegisters(G, Options));
    double Least = Sum(Paper);
    for (const IntervalOptions &Way : allOptions(N)) {
      PrefetchCost Cost = prefetchCost(G, partitionRegisters(G, Way));
      if (Way.Kind == Options.Kind &&
          Cost.Executed <= Paper.Executed * (1 + 1e-6))
        Least = std::min(Least, Sum(Cost));
    }
    IntervalPartition P = cheapestPartition(G, Options);
    expectSingleEntry(G, P);
    PrefetchCost Found = prefetchCost(G, P);
    EXPECT_LE(Found.Executed, Paper.Executed * (1 + 1e-6));
    EXPECT_NEAR(Sum(Found), Least, 1e-4 * Least);
    Cheaper += Sum(Found) < 0.99 * Sum(Paper);
  });
  EXPECT_GT(Cheaper, 10u);
}

} // namespace
