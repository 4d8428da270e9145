//===- regshare/Analysis/RegisterIntervals.h - Prefetch subgraphs - C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Divides a control-flow graph into subgraphs with one entry that name no more
/// than N 32-bit registers each, so that one PREFETCH at the entry covers all
/// of them: LTRF's register-intervals (§3.3, Algorithms 1 and 2) and, for
/// comparison, strands (§6.6). Free of LLVM: machine functions, the papers'
/// examples and random graphs all go through RegisterGraph. See docs/ltrf.md.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_LTRF_REGISTERINTERVALS_H
#define REGSHARE_ANALYSIS_LTRF_REGISTERINTERVALS_H

#include "regshare/Base/ArchReg.h"

#include <cstdint>
#include <span>
#include <vector>

namespace regshare {

/// What an instruction does to the subgraph it is in.
enum class InstrRole : uint8_t {
  Plain,
  Call,        ///< Is a subgraph of its own.
  LongLatency, ///< Ends the strand it is in; nothing to a register-interval.
};

/// Blocks of instructions with the registers that each names, and the edges
/// between them. Block 0 is the entry. Frequencies are executions for each
/// entry of the graph.
class RegisterGraph {
public:
  /// A way from a block to another.
  struct Edge {
    unsigned From, To; ///< Blocks.
    double Frequency;
  };

  /// The number of the new block, which addInstr adds to from here on.
  unsigned addBlock(double Frequency = 1);
  /// \p Units may name a unit more than once. \p Live is how many units are
  /// live before the instruction, for CutRule::FewestLive.
  void addInstr(std::span<const uint8_t> Units,
                InstrRole Role = InstrRole::Plain, unsigned Live = 0);
  /// The frequencies of edges between the same blocks add up.
  void addEdge(unsigned From, unsigned To, double Frequency = 1);

  unsigned numBlocks() const { return Blocks.size(); }
  unsigned numInstrs() const { return Instrs.size(); }
  unsigned numInstrs(unsigned Block) const {
    return blockEnd(Block) - Blocks[Block].Begin;
  }
  double frequency(unsigned Block) const { return Blocks[Block].Frequency; }
  std::span<const Edge> edges() const { return Edges; }

  /// Instructions are numbered through all blocks.
  unsigned blockBegin(unsigned Block) const { return Blocks[Block].Begin; }
  unsigned blockEnd(unsigned Block) const {
    return Block + 1 < Blocks.size() ? Blocks[Block + 1].Begin : Instrs.size();
  }
  InstrRole role(unsigned Instr) const { return Instrs[Instr].Role; }
  unsigned live(unsigned Instr) const { return Instrs[Instr].Live; }
  std::span<const uint8_t> units(unsigned Instr) const {
    unsigned Begin = Instr ? Instrs[Instr - 1].UnitsEnd : 0;
    return {Units.data() + Begin, Instrs[Instr].UnitsEnd - Begin};
  }

  /// The units that instructions from \p Begin to before \p End name.
  RegSet named(unsigned Begin, unsigned End) const;
  /// Most distinct units that one instruction names: no bound can be less.
  unsigned widestInstr() const;

private:
  struct Block {
    unsigned Begin;
    double Frequency;
  };
  struct Instr {
    uint32_t UnitsEnd;
    uint16_t Live;
    InstrRole Role;
  };
  std::vector<Block> Blocks;
  std::vector<Instr> Instrs;
  std::vector<uint8_t> Units;
  std::vector<Edge> Edges;
};

/// By which algorithm code is divided.
enum class PartitionKind {
  Intervals, ///< Algorithm 1, then Algorithm 2 until nothing merges.
  /// Algorithm 1 alone; long-latency operations end a subgraph, and so do
  /// backward branches: one to the head enters the strand anew.
  Strands,
};

/// Which of several blocks that could join a subgraph is tried first.
enum class JoinOrder {
  Arrival,   ///< The one whose last predecessor joined first.
  Frequency, ///< The one that is entered most often.
  Density,   ///< The one entered most often for each register it adds.
};

/// Where to cut a block that names more than N registers.
enum class CutRule {
  Latest, ///< As late as N allows, as in Algorithm 1.
  /// Where fewest registers are live, of the places that make no more parts.
  FewestLive,
};

/// How code is divided, and how large a part may be.
struct IntervalOptions {
  PartitionKind Kind = PartitionKind::Intervals;
  unsigned MaxRegisters = 16; ///< N, 32-bit units; at least widestInstr().
  /// A block that does not fit gives what fits to the subgraph that it would
  /// join. Otherwise it joins whole or not at all.
  bool FillByCutting = false;
  JoinOrder Order = JoinOrder::Arrival;
  CutRule Cut = CutRule::Latest;
  /// Rounds of Algorithm 2 at most.
  unsigned MaxReductions = ~0u;
};

/// Consecutive instructions of a block, of one interval. An empty block is one
/// empty part.
struct BlockPart {
  unsigned Block;
  unsigned Begin, End; ///< Instructions, numbered through all blocks.
  unsigned Interval;
};

/// A subgraph with one entry, whose registers one PREFETCH fetches.
struct RegisterInterval {
  unsigned Head; ///< Part at which every way into the interval leads.
  RegSet Regs;   ///< What its instructions name.
};

/// How a graph is divided: parts of blocks, and what interval each is in.
struct IntervalPartition {
  PartitionKind Kind = PartitionKind::Intervals;
  std::vector<BlockPart> Parts;            ///< In order of the instructions.
  std::vector<RegisterInterval> Intervals; ///< In order of their heads.
  unsigned Reductions = 0; ///< Rounds of Algorithm 2 that merged something.

  /// Parts of \p Block: from the first to before the second.
  std::pair<unsigned, unsigned> partsOf(unsigned Block) const;
};

/// Near-linear in instructions and edges; the same input gives the same
/// partition. Blocks that no path from the entry reaches are covered too.
IntervalPartition partitionRegisters(const RegisterGraph &G,
                                     const IntervalOptions &Options);

/// Where PREFETCHes stand.
enum class PrefetchPlace {
  /// On every way into an interval from another one.
  Entries,
  /// At its head, where edges from the interval itself lead to as well.
  Heads,
};

/// How often the PREFETCH of each interval is executed for each entry of \p G,
/// by its frequencies.
std::vector<double> timesPrefetched(const RegisterGraph &G,
                                    const IntervalPartition &P,
                                    PrefetchPlace Place);

/// What the PREFETCHes of a partition cost. Intervals without registers have
/// none.
struct PrefetchCost {
  unsigned Prefetches = 0; ///< Intervals with one.
  double Executed = 0;     ///< For each entry of the graph.
  double Fetched = 0;      ///< Registers, summed over those executed.
};

/// What the PREFETCHes of \p P cost an entry of the function, if they stand at
/// \p Place.
PrefetchCost prefetchCost(const RegisterGraph &G, const IntervalPartition &P,
                          PrefetchPlace Place);
/// Where they are best: strands are entered anew by every branch backward.
PrefetchPlace placeOf(PartitionKind Kind);
/// The same, where they are best for the partition's kind.
PrefetchCost prefetchCost(const RegisterGraph &G, const IntervalPartition &P);

/// The cheapest of the partitions that the join orders, cut rules and
/// FillByCutting lead to, of equals the first: a PREFETCH counts as much as N
/// registers fetched, since it stops the warp and takes room in the code. None
/// that executes more PREFETCHes than the published one. \p Options give the
/// kind and N.
IntervalPartition cheapestPartition(const RegisterGraph &G,
                                    IntervalOptions Options);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_LTRF_REGISTERINTERVALS_H
