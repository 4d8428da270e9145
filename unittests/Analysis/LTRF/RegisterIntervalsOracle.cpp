//===- RegisterIntervalsOracle.cpp - Algorithms 1 and 2 slowly ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterIntervalsOracle.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace regshare::test {

namespace {

using Names = std::set<unsigned>;

/// A block, a piece of one, or an interval of the round before.
struct SlowNode {
  std::set<Part> Parts;
  std::vector<Names> Instrs; ///< Of blocks.
  Names All;
  std::vector<unsigned> Succs; ///< In the order of the graph's edges.
  bool IsCall = false;
  bool EndsStrand = false;
  std::optional<unsigned> Interval;
};

class SlowRound {
public:
  SlowRound(std::vector<SlowNode> Nodes, unsigned N)
      : Nodes(std::move(Nodes)), N(N) {}

  std::vector<SlowNode> Nodes;
  std::vector<std::vector<unsigned>> Intervals; ///< Members as they joined.

  void run() {
    for (unsigned I = 0; I != Nodes.size(); ++I)
      if (!Nodes[I].Interval) {
        start(I);
        while (!Waiting.empty()) {
          unsigned Header = Waiting.front();
          Waiting.pop_front();
          form(Header);
        }
      }
  }

private:
  void start(unsigned Header) {
    Nodes[Header].Interval = Intervals.size();
    Intervals.push_back({Header});
    Waiting.push_back(Header);
  }

  Names namesOf(unsigned Interval) const {
    Names All;
    for (unsigned Member : Intervals[Interval])
      All.insert(Nodes[Member].All.begin(), Nodes[Member].All.end());
    return All;
  }

  void cutHeader(unsigned H) {
    Names Held;
    for (unsigned I = 0; I != Nodes[H].Instrs.size(); ++I) {
      Held.insert(Nodes[H].Instrs[I].begin(), Nodes[H].Instrs[I].end());
      if (Held.size() <= N)
        continue;
      SlowNode Rest = Nodes[H];
      Part P = *Nodes[H].Parts.begin();
      Rest.Parts = {{P.Block, P.Begin + I, P.End}};
      Rest.Instrs.erase(Rest.Instrs.begin(), Rest.Instrs.begin() + I);
      Rest.Interval.reset();
      unsigned Tail = Nodes.size();
      Nodes.push_back(Rest);
      recount(Tail);
      Nodes[H].Parts = {{P.Block, P.Begin, P.Begin + I}};
      Nodes[H].Instrs.resize(I);
      Nodes[H].Succs = {Tail};
      Nodes[H].EndsStrand = false;
      recount(H);
      start(Tail);
      cutHeader(Tail);
      return;
    }
  }

  void recount(unsigned I) {
    Nodes[I].All.clear();
    for (const Names &Instr : Nodes[I].Instrs)
      Nodes[I].All.insert(Instr.begin(), Instr.end());
  }

  /// When the last predecessor of \p H joined \p Interval and where \p H is
  /// among its successors; nothing if it may not join.
  std::optional<std::pair<size_t, size_t>> arrival(unsigned H,
                                                   unsigned Interval) const {
    if (Nodes[H].Interval || Nodes[H].IsCall)
      return std::nullopt;
    std::pair<size_t, size_t> Last;
    bool Any = false;
    for (unsigned P = 0; P != Nodes.size(); ++P) {
      const std::vector<unsigned> &Succs = Nodes[P].Succs;
      auto Edge = std::find(Succs.begin(), Succs.end(), H);
      if (Edge == Succs.end())
        continue;
      if (Nodes[P].Interval != Interval || Nodes[P].IsCall ||
          Nodes[P].EndsStrand)
        return std::nullopt;
      const std::vector<unsigned> &Members = Intervals[Interval];
      size_t Joined =
          std::find(Members.begin(), Members.end(), P) - Members.begin();
      Last = std::max(Last, {Joined, size_t(Edge - Succs.begin())});
      Any = true;
    }
    return Any ? std::optional(Last) : std::nullopt;
  }

  void form(unsigned Header) {
    unsigned Interval = *Nodes[Header].Interval;
    if (Nodes[Header].All.size() > N)
      cutHeader(Header);
    std::set<unsigned> Refused;
    while (true) {
      std::optional<std::pair<size_t, size_t>> Best;
      unsigned H = 0;
      for (unsigned I = 0; I != Nodes.size(); ++I)
        if (auto A = arrival(I, Interval);
            A && !Refused.count(I) && (!Best || *A < *Best)) {
          Best = A;
          H = I;
        }
      if (!Best)
        break;
      Names All = namesOf(Interval);
      All.insert(Nodes[H].All.begin(), Nodes[H].All.end());
      if (All.size() > N) {
        Refused.insert(H);
        continue;
      }
      Nodes[H].Interval = Interval;
      Intervals[Interval].push_back(H);
    }
    for (unsigned Member : std::vector(Intervals[Interval]))
      for (unsigned S : std::vector(Nodes[Member].Succs))
        if (!Nodes[S].Interval)
          start(S);
  }

  unsigned N;
  std::deque<unsigned> Waiting;
};

} // namespace

static void addOnce(std::vector<unsigned> &List, unsigned Value) {
  if (std::find(List.begin(), List.end(), Value) == List.end())
    List.push_back(Value);
}

static std::vector<SlowNode> blocksOf(const RegisterGraph &G,
                                      PartitionKind Kind) {
  std::vector<SlowNode> Nodes(G.numBlocks());
  for (unsigned B = 0; B != G.numBlocks(); ++B) {
    unsigned At = B, First = G.blockBegin(B), Begin = 0;
    auto Close = [&](unsigned End) {
      Nodes[At].Parts = {{B, Begin, End}};
      Begin = End;
    };
    auto Open = [&] {
      Nodes[At].Succs = {unsigned(Nodes.size())};
      At = Nodes.size();
      Nodes.emplace_back();
    };
    for (unsigned I = 0; I != G.numInstrs(B); ++I) {
      bool IsCall = G.role(First + I) == InstrRole::Call;
      if (I != Begin && IsCall) {
        Close(I);
        Open();
      }
      std::span<const uint8_t> Units = G.units(First + I);
      Nodes[At].Instrs.emplace_back(Units.begin(), Units.end());
      Nodes[At].All.insert(Units.begin(), Units.end());
      Nodes[At].IsCall = IsCall;
      Nodes[At].EndsStrand = Kind == PartitionKind::Strands &&
                             G.role(First + I) == InstrRole::LongLatency;
      if ((IsCall || Nodes[At].EndsStrand) && I + 1 != G.numInstrs(B)) {
        Close(I + 1);
        Open();
      }
    }
    Close(G.numInstrs(B));
    for (const RegisterGraph::Edge &E : G.edges())
      if (E.From == B)
        addOnce(Nodes[At].Succs, E.To);
  }
  return Nodes;
}

/// The intervals of a round as nodes.
static std::vector<SlowNode> derive(const SlowRound &Round) {
  std::vector<SlowNode> Nodes(Round.Intervals.size());
  // In the order of the nodes, not of the members.
  for (const SlowNode &Old : Round.Nodes) {
    SlowNode &New = Nodes[*Old.Interval];
    New.Parts.insert(Old.Parts.begin(), Old.Parts.end());
    New.All.insert(Old.All.begin(), Old.All.end());
    New.IsCall |= Old.IsCall;
    for (unsigned S : Old.Succs)
      if (*Round.Nodes[S].Interval != *Old.Interval)
        addOnce(New.Succs, *Round.Nodes[S].Interval);
  }
  return Nodes;
}

Partition slowPartition(const RegisterGraph &G,
                        const IntervalOptions &Options) {
  std::vector<SlowNode> Nodes = blocksOf(G, Options.Kind);
  unsigned Rounds =
      Options.Kind == PartitionKind::Strands ? 0 : Options.MaxReductions;
  for (unsigned Round = 0;; ++Round) {
    unsigned Before = Nodes.size();
    SlowRound R(std::move(Nodes), Options.MaxRegisters);
    R.run();
    Nodes = derive(R);
    if (Round == Rounds || (Round && Nodes.size() == Before))
      break;
  }
  Partition Result;
  for (const SlowNode &Node : Nodes)
    Result.insert(Node.Parts);
  return Result;
}

Partition partition(const IntervalPartition &P) {
  std::vector<std::set<Part>> Intervals(P.Intervals.size());
  std::map<unsigned, unsigned> First; // instruction, by block
  for (const BlockPart &B : P.Parts) {
    unsigned Base = First.emplace(B.Block, B.Begin).first->second;
    Intervals[B.Interval].insert({B.Block, B.Begin - Base, B.End - Base});
  }
  return {Intervals.begin(), Intervals.end()};
}

RegisterGraph randomGraph(std::mt19937 &Random) {
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  RegisterGraph G;
  unsigned Blocks = 1 + Below(14), Registers = 2 + Below(24);
  unsigned Calls = Below(3) ? 0 : 12, Slow = Below(2) ? 0 : 6;
  unsigned Longest = 1 + Below(7);
  for (unsigned B = 0; B != Blocks; ++B) {
    G.addBlock(1 + Below(100));
    for (unsigned I = 0, E = Below(Longest + 1); I != E; ++I) {
      std::vector<uint8_t> Units;
      for (unsigned U = 0, UE = Below(4); U != UE; ++U)
        Units.push_back(Below(Registers));
      InstrRole Role = Calls && !Below(Calls) ? InstrRole::Call
                       : Slow && !Below(Slow) ? InstrRole::LongLatency
                                              : InstrRole::Plain;
      G.addInstr(Units, Role, Below(20));
    }
  }
  // Mostly forward, so that regions join; some edges twice.
  for (unsigned B = 0; B != Blocks; ++B)
    for (unsigned S = 0, E = Below(3) + (B + 1 < Blocks); S != E; ++S) {
      unsigned To = Below(3) && B + 1 < Blocks ? B + 1 + Below(Blocks - B - 1)
                                               : Below(Blocks);
      G.addEdge(B, S == 0 && B + 1 < Blocks ? B + 1 : To, 1 + Below(50));
    }
  return G;
}

} // namespace regshare::test
