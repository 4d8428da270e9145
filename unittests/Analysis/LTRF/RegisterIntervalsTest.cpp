//===- RegisterIntervalsTest.cpp - Register-intervals and strands ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterIntervalsOracle.h"

#include "nlohmann/json.hpp"

#include "gtest/gtest.h"

#include <fstream>

using namespace regshare;
using namespace regshare::test;
using Json = nlohmann::ordered_json;

namespace {

RegisterGraph
makeGraph(const std::vector<std::vector<std::vector<uint8_t>>> &Blocks,
          const std::vector<std::pair<unsigned, unsigned>> &Edges) {
  RegisterGraph G;
  for (const auto &Block : Blocks) {
    G.addBlock();
    for (const auto &Instr : Block)
      G.addInstr(Instr);
  }
  for (auto [From, To] : Edges)
    G.addEdge(From, To);
  return G;
}

/// "A" is all of block A, "A[0-2]" its first three instructions.
Part parsePart(const std::string &Text,
               const std::map<std::string, unsigned> &Numbers,
               const RegisterGraph &G) {
  size_t Bracket = Text.find('[');
  unsigned Block = Numbers.at(Text.substr(0, Bracket));
  if (Bracket == Text.npos)
    return {Block, 0, G.numInstrs(Block)};
  unsigned First = 0, Last = 0;
  EXPECT_EQ(sscanf(Text.c_str() + Bracket, "[%u-%u]", &First, &Last), 2);
  return {Block, First, Last + 1};
}

struct PublishedCase {
  RegisterGraph G;
  std::map<std::string, unsigned> Numbers;

  explicit PublishedCase(const Json &Case) {
    for (const auto &[Name, Instrs] : Case["blocks"].items()) {
      Numbers[Name] = G.addBlock();
      for (const Json &Instr : Instrs)
        G.addInstr(Instr.get<std::vector<uint8_t>>());
    }
    for (const Json &Edge : Case["edges"]) {
      std::string Text = Edge;
      size_t Arrow = Text.find('>');
      G.addEdge(Numbers.at(Text.substr(0, Arrow)),
                Numbers.at(Text.substr(Arrow + 1)));
    }
  }
  Partition read(const Json &Intervals) const {
    Partition Result;
    for (const Json &Interval : Intervals) {
      std::set<Part> Parts;
      for (const Json &Text : Interval)
        Parts.insert(parsePart(Text, Numbers, G));
      Result.insert(Parts);
    }
    return Result;
  }
};

TEST(RegisterIntervals, AreThoseOfTheData) {
  std::ifstream File(REGSHARE_TEST_DATA "/ltrf_intervals.json");
  Json Data = Json::parse(File);
  EXPECT_EQ(Data["cases"].size(), 6u);
  for (const Json &Case : Data["cases"]) {
    SCOPED_TRACE(Case["name"].get<std::string>());
    PublishedCase C(Case);
    IntervalOptions Options;
    Options.MaxRegisters = Case["N"];
    Json Last;
    const std::pair<const char *, unsigned> Levels[] = {
        {"level0", 0}, {"level1", 1}, {"fixed", ~0u}};
    for (auto [Level, Rounds] : Levels) {
      if (Case.contains(Level))
        Last = Case[Level];
      else if (Rounds == 1)
        continue;
      Options.MaxReductions = Rounds;
      EXPECT_EQ(partition(partitionRegisters(C.G, Options)), C.read(Last))
          << Level;
    }
    if (!Case.contains("registers"))
      continue;
    IntervalPartition P = partitionRegisters(C.G, Options);
    ASSERT_EQ(P.Intervals.size(), Case["registers"].size());
    for (unsigned I = 0; I != P.Intervals.size(); ++I) {
      RegSet Regs;
      for (unsigned Unit : Case["registers"][I])
        Regs.set(Unit);
      EXPECT_EQ(P.Intervals[I].Regs, Regs);
    }
  }
}

TEST(RegisterIntervals, TheBoundIsReachedExactly) {
  RegisterGraph G = makeGraph({{{0, 1}}, {{2, 3}}}, {{0, 1}});
  IntervalOptions Options;
  Options.MaxRegisters = 4;
  EXPECT_EQ(partitionRegisters(G, Options).Intervals.size(), 1u);
  Options.MaxRegisters = 3;
  EXPECT_EQ(partitionRegisters(G, Options).Intervals.size(), 2u);
}

TEST(RegisterIntervals, CallsAreAlone) {
  RegisterGraph G;
  G.addBlock();
  G.addInstr(std::vector<uint8_t>{0});
  G.addInstr(std::vector<uint8_t>{1}, InstrRole::Call);
  G.addInstr(std::vector<uint8_t>{2});
  EXPECT_EQ(partition(partitionRegisters(G, {})),
            (Partition{{{0, 0, 1}}, {{0, 1, 2}}, {{0, 2, 3}}}));
}

/// A loop that is entered at two places is no interval.
TEST(RegisterIntervals, IrreducibleLoopsHaveTwoHeads) {
  RegisterGraph G = makeGraph({{{0}}, {{1}}, {{2}}, {{3}}},
                              {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}});
  EXPECT_EQ(partition(partitionRegisters(G, {})),
            (Partition{{{0, 0, 1}}, {{1, 0, 1}}, {{2, 0, 1}, {3, 0, 1}}}));
}

/// Block 1 names as much as fits, and more: its first instruction can join.
TEST(RegisterIntervals, FillingCutsTheBlockThatJoins) {
  RegisterGraph G = makeGraph({{{0, 1}}, {{2}, {3, 4}}}, {{0, 1}});
  IntervalOptions Options;
  Options.MaxRegisters = 3;
  EXPECT_EQ(partition(partitionRegisters(G, Options)),
            (Partition{{{0, 0, 1}}, {{1, 0, 2}}}));
  Options.FillByCutting = true;
  EXPECT_EQ(partition(partitionRegisters(G, Options)),
            (Partition{{{0, 0, 1}, {1, 0, 1}}, {{1, 1, 2}}}));
}

/// A rarely run exit must not take the place of the loop's body.
TEST(RegisterIntervals, FrequentBlocksJoinFirst) {
  RegisterGraph G;
  for (uint8_t Unit : {0, 1, 2}) {
    G.addBlock(Unit == 1 ? 1 : 100);
    G.addInstr(std::vector<uint8_t>{Unit});
  }
  G.addEdge(0, 1, 1);
  G.addEdge(0, 2, 100);
  G.addEdge(2, 0, 99);
  IntervalOptions Options;
  Options.MaxRegisters = 2;
  EXPECT_EQ(partition(partitionRegisters(G, Options)),
            (Partition{{{0, 0, 1}, {1, 0, 1}}, {{2, 0, 1}}}));
  EXPECT_DOUBLE_EQ(prefetchCost(G, partitionRegisters(G, Options)).Executed,
                   1 + 100 + 99);
  Options.Order = JoinOrder::Frequency;
  IntervalPartition P = partitionRegisters(G, Options);
  EXPECT_EQ(partition(P), (Partition{{{0, 0, 1}, {2, 0, 1}}, {{1, 0, 1}}}));
  EXPECT_DOUBLE_EQ(prefetchCost(G, P).Executed, 1 + 1);
  EXPECT_DOUBLE_EQ(prefetchCost(G, P).Fetched, 2 + 1);
  EXPECT_EQ(prefetchCost(G, P).Prefetches, 2u);
}

/// Five registers in two pieces of at most three: the second can start at
/// either of two places, and least is live at the earlier one.
TEST(RegisterIntervals, CutsWhereFewestAreLive) {
  RegisterGraph G;
  G.addBlock();
  const unsigned Live[] = {0, 2, 1, 3, 2};
  for (uint8_t Unit = 0; Unit != 5; ++Unit)
    G.addInstr(std::vector<uint8_t>{Unit}, InstrRole::Plain, Live[Unit]);
  IntervalOptions Options;
  Options.MaxRegisters = 3;
  EXPECT_EQ(partition(partitionRegisters(G, Options)),
            (Partition{{{0, 0, 3}}, {{0, 3, 5}}}));
  Options.Cut = CutRule::FewestLive;
  EXPECT_EQ(partition(partitionRegisters(G, Options)),
            (Partition{{{0, 0, 2}}, {{0, 2, 5}}}));
}

TEST(RegisterIntervals, StrandsEndAtLongLatenciesAndBackwardBranches) {
  RegisterGraph G;
  G.addBlock(1);
  G.addInstr(std::vector<uint8_t>{0});
  G.addBlock(10);
  G.addInstr(std::vector<uint8_t>{1}, InstrRole::LongLatency);
  G.addInstr(std::vector<uint8_t>{1});
  G.addBlock(1);
  G.addInstr(std::vector<uint8_t>{2});
  G.addEdge(0, 1, 1);
  G.addEdge(1, 1, 9);
  G.addEdge(1, 2, 1);
  IntervalOptions Options;
  Options.Kind = PartitionKind::Strands;
  IntervalPartition P = partitionRegisters(G, Options);
  EXPECT_EQ(partition(P),
            (Partition{{{0, 0, 1}}, {{1, 0, 1}}, {{1, 1, 2}, {2, 0, 1}}}));
  EXPECT_DOUBLE_EQ(prefetchCost(G, P).Executed, 1 + 10 + 10);
  // The loop is one register-interval, and so is all of it.
  Options.Kind = PartitionKind::Intervals;
  EXPECT_DOUBLE_EQ(prefetchCost(G, partitionRegisters(G, Options)).Executed, 1);
}

/// 100,000 instructions, and loops nested a thousand deep.
TEST(RegisterIntervals, LargeGraphs) {
  RegisterGraph G;
  constexpr unsigned Depth = 1000;
  for (unsigned B = 0; B != 10000; ++B) {
    G.addBlock();
    for (unsigned I = 0; I != 10; ++I) {
      const uint8_t Units[] = {uint8_t((B + I) % 40), uint8_t(I)};
      G.addInstr(Units);
    }
  }
  for (unsigned B = 0; B + 1 != 10000; ++B)
    G.addEdge(B, B + 1);
  for (unsigned D = 0; D != Depth; ++D)
    G.addEdge(9999 - D, D);
  for (unsigned N : {2u, 16u, 255u}) {
    IntervalOptions Options;
    Options.MaxRegisters = N;
    IntervalPartition P = partitionRegisters(G, Options);
    EXPECT_EQ(P.Parts.back().End, G.numInstrs());
    if (N == 255)
      EXPECT_EQ(P.Intervals.size(), 1u);
  }
}

} // namespace
