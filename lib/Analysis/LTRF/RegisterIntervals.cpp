//===- RegisterIntervals.cpp - Prefetch subgraphs -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Both algorithms grow groups of nodes from a head. In the first the nodes are
/// parts of blocks, and one that is too large is cut; in the second they are
/// the groups of the round before. A node can be tried for one group only, the
/// one that all its predecessors are in, and once, since a group's registers
/// only get more: growing takes time linear in nodes and edges.
///
//===----------------------------------------------------------------------===//

#include "IntervalFormer.h"
#include "RegisterRuns.h"

#include <algorithm>
#include <cassert>
#include <queue>

namespace regshare {

unsigned RegisterGraph::addBlock(double Frequency) {
  Blocks.push_back({unsigned(Instrs.size()), Frequency});
  return Blocks.size() - 1;
}

void RegisterGraph::addInstr(std::span<const uint8_t> Named, InstrRole Role,
                             unsigned Live) {
  assert(!Blocks.empty() && "an instruction is in a block");
  Units.insert(Units.end(), Named.begin(), Named.end());
  Instrs.push_back({uint32_t(Units.size()), uint16_t(Live), Role});
}

void RegisterGraph::addEdge(unsigned From, unsigned To, double Frequency) {
  Edges.push_back({From, To, Frequency});
}

RegSet RegisterGraph::named(unsigned Begin, unsigned End) const {
  RegSet Named;
  for (unsigned I = Begin; I != End; ++I)
    for (uint8_t Unit : units(I))
      Named.set(Unit);
  return Named;
}

unsigned RegisterGraph::widestInstr() const {
  unsigned Most = 0;
  for (unsigned I = 0; I != Instrs.size(); ++I)
    Most = std::max(Most, named(I, I + 1).countUnits());
  return Most;
}

std::pair<unsigned, unsigned> IntervalPartition::partsOf(unsigned Block) const {
  auto Less = [](const BlockPart &A, const BlockPart &B) {
    return A.Block < B.Block;
  };
  BlockPart Key{Block, 0, 0, 0};
  auto [Begin, End] = std::equal_range(Parts.begin(), Parts.end(), Key, Less);
  return {unsigned(Begin - Parts.begin()), unsigned(End - Parts.begin())};
}

namespace {

constexpr unsigned None = ~0u;

/// What groups are made of.
struct Node {
  RegSet Regs;
  unsigned Begin = 0, End = 0; ///< Instructions; of parts of blocks only.
  unsigned Block = 0;
  bool JoinsNone = false;    ///< It is the head of a group.
  bool EndsGroup = false;    ///< Nothing joins after it.
  unsigned Next = None;      ///< The part after it in its block.
  unsigned SuccOf = None;    ///< Whose edges it has, if Next is None.
  unsigned NumPreds = 0;     ///< Nodes with an edge to it.
  double EntryFrequency = 0; ///< Of the edges to it.
  unsigned Group = None;
  /// How many predecessors are in group CountedFor.
  unsigned Counted = 0, CountedFor = None;
};

/// Edges without duplicates, by source.
class Successors {
public:
  Successors(unsigned NumNodes, std::span<const RegisterGraph::Edge> All);

  std::span<const RegisterGraph::Edge> of(unsigned Node) const {
    return {Edges.data() + Begin[Node], Edges.data() + Begin[Node + 1]};
  }
  std::span<const RegisterGraph::Edge> all() const { return Edges; }

private:
  std::vector<RegisterGraph::Edge> Edges;
  std::vector<unsigned> Begin;
};

} // namespace

/// Keeps the order of each source's edges, which decides who is tried first.
Successors::Successors(unsigned NumNodes,
                       std::span<const RegisterGraph::Edge> All)
    : Begin(NumNodes + 1) {
  for (const RegisterGraph::Edge &E : All)
    ++Begin[E.From + 1];
  for (unsigned N = 0; N != NumNodes; ++N)
    Begin[N + 1] += Begin[N];
  std::vector<RegisterGraph::Edge> Sorted(All.size());
  std::vector<unsigned> At(Begin.begin(), Begin.end() - 1);
  for (const RegisterGraph::Edge &E : All)
    Sorted[At[E.From]++] = E;
  // Where an edge to the same target stands already, of this source.
  std::vector<unsigned> Seen(NumNodes, None);
  for (unsigned N = 0; N != NumNodes; ++N) {
    unsigned First = Edges.size();
    for (unsigned I = Begin[N]; I != At[N]; ++I) {
      unsigned &Place = Seen[Sorted[I].To];
      if (Place != None && Place >= First && Place < Edges.size() &&
          Edges[Place].To == Sorted[I].To) {
        Edges[Place].Frequency += Sorted[I].Frequency;
        continue;
      }
      Place = Edges.size();
      Edges.push_back(Sorted[I]);
    }
    Begin[N] = First;
  }
  Begin[NumNodes] = Edges.size();
}

namespace {

/// One round of either algorithm.
class Grower {
public:
  /// \p Runs cuts nodes that are too large; null: none is.
  Grower(std::vector<Node> Nodes, const Successors &Succs,
         const IntervalOptions &Options, const RegisterRuns *Runs,
         DecidedBy &Decided)
      : Nodes(std::move(Nodes)), Succs(Succs), Options(Options), Runs(Runs),
        Decided(Decided) {}

  void run();

  std::vector<Node> Nodes;
  std::vector<RegSet> Groups; ///< Registers by group.
  std::vector<unsigned> Heads;

private:
  struct Candidate {
    double Priority;
    unsigned Arrival;
    unsigned N;
    bool operator<(const Candidate &O) const {
      return Priority != O.Priority ? Priority < O.Priority
                                    : Arrival > O.Arrival;
    }
  };

  template <typename Fn> void forEachSuccessor(unsigned N, Fn F) const {
    if (Nodes[N].Next != None)
      return F(Nodes[N].Next);
    for (const RegisterGraph::Edge &E : Succs.of(Nodes[N].SuccOf))
      F(E.To);
  }
  void startGroup(unsigned Head);
  void grow(unsigned Head);
  void join(unsigned N, unsigned Group);
  void offerSuccessors(unsigned N);
  double priority(unsigned N, unsigned Group) const;
  unsigned cut(unsigned N, unsigned At);
  void cutHead(unsigned N);
  bool joinInPart(unsigned N, unsigned Group);

  const Successors &Succs;
  const IntervalOptions &Options;
  const RegisterRuns *Runs;
  DecidedBy &Decided;
  std::queue<unsigned> Waiting; ///< Heads of groups not grown yet.
  std::priority_queue<Candidate> Candidates;
  unsigned Arrivals = 0;
  std::vector<unsigned> Members; ///< Of the group being grown.
};

} // namespace

/// Cuts node \p N before instruction \p At, and returns what follows.
unsigned Grower::cut(unsigned N, unsigned At) {
  unsigned Tail = Nodes.size();
  Node Rest = Nodes[N];
  Rest.Begin = At;
  Rest.NumPreds = 1;
  Rest.EntryFrequency = Runs->graph().frequency(Rest.Block);
  Rest.Group = Rest.CountedFor = None;
  Nodes.push_back(Rest);
  Nodes[N].End = At;
  Nodes[N].Next = Tail;
  Nodes[N].SuccOf = None;
  Nodes[N].EndsGroup = false;
  return Tail;
}

void Grower::startGroup(unsigned Head) {
  Nodes[Head].Group = Groups.size();
  Groups.emplace_back();
  Heads.push_back(Head);
  Waiting.push(Head);
}

/// Makes a head that is too large one that fits and others after it, which
/// are heads too.
void Grower::cutHead(unsigned N) {
  if (Nodes[N].Regs.countUnits() <= Options.MaxRegisters)
    return;
  assert(Runs && "a group of the round before fits");
  std::vector<RegisterRuns::Piece> Pieces =
      Runs->divide(Nodes[N].Begin, Nodes[N].End);
  Decided.Cut = true;
  for (unsigned I = 0; I != Pieces.size(); ++I) {
    Nodes[N].Regs = Pieces[I].Regs;
    if (I + 1 == Pieces.size())
      break;
    N = cut(N, Pieces[I].End);
    startGroup(N);
  }
}

double Grower::priority(unsigned N, unsigned Group) const {
  switch (Options.Order) {
  case JoinOrder::Arrival:
    return 0;
  case JoinOrder::Frequency:
    return Nodes[N].EntryFrequency;
  case JoinOrder::Density:
    return Nodes[N].EntryFrequency /
           (1 + (Nodes[N].Regs - Groups[Group]).countUnits());
  }
  return 0;
}

/// Counts \p N among the predecessors of its successors, and tries those next
/// that have all theirs in the group.
void Grower::offerSuccessors(unsigned N) {
  if (Nodes[N].EndsGroup)
    return;
  unsigned Group = Nodes[N].Group;
  forEachSuccessor(N, [&](unsigned S) {
    Node &Succ = Nodes[S];
    if (Succ.CountedFor != Group) {
      Succ.CountedFor = Group;
      Succ.Counted = 0;
    }
    if (++Succ.Counted == Succ.NumPreds && Succ.Group == None &&
        !Succ.JoinsNone)
      Candidates.push({priority(S, Group), Arrivals++, S});
  });
}

void Grower::join(unsigned N, unsigned Group) {
  Nodes[N].Group = Group;
  Groups[Group] |= Nodes[N].Regs;
  Members.push_back(N);
  offerSuccessors(N);
}

/// Gives the group as much of \p N as fits.
bool Grower::joinInPart(unsigned N, unsigned Group) {
  RegisterRuns::Piece First =
      Runs->longest(Nodes[N].Begin, Nodes[N].End, Groups[Group]);
  if (First.End == Nodes[N].Begin)
    return false;
  unsigned Tail = cut(N, First.End);
  Nodes[N].Regs = First.Regs;
  Nodes[Tail].Regs = Runs->graph().named(Nodes[Tail].Begin, Nodes[Tail].End);
  startGroup(Tail);
  join(N, Group);
  return true;
}

void Grower::grow(unsigned Head) {
  unsigned Group = Nodes[Head].Group;
  cutHead(Head);
  Members.clear();
  join(Head, Group);
  while (!Candidates.empty()) {
    unsigned N = Candidates.top().N;
    Decided.Order |= Candidates.size() > 1;
    Candidates.pop();
    RegSet All = Groups[Group] | Nodes[N].Regs;
    if (All.countUnits() <= Options.MaxRegisters) {
      join(N, Group);
      continue;
    }
    Decided.Fill |= Runs != nullptr;
    if (Runs && Options.FillByCutting)
      joinInPart(N, Group);
  }
  for (unsigned N : Members)
    forEachSuccessor(N, [&](unsigned S) {
      if (Nodes[S].Group == None)
        startGroup(S);
    });
}

void Grower::run() {
  // Nodes that cutting adds are in a group already.
  for (unsigned N = 0, E = Nodes.size(); N != E; ++N) {
    if (Nodes[N].Group != None)
      continue;
    startGroup(N);
    while (!Waiting.empty()) {
      unsigned Head = Waiting.front();
      Waiting.pop();
      grow(Head);
    }
  }
}

//===----------------------------------------------------------------------===//
// Algorithm 1
//===----------------------------------------------------------------------===//

/// True if \p Instr has to be the last of its part.
static bool endsPart(const RegisterGraph &G, unsigned Instr,
                     PartitionKind Kind) {
  InstrRole Role = G.role(Instr);
  return Role == InstrRole::Call ||
         (Role == InstrRole::LongLatency && Kind == PartitionKind::Strands);
}

/// The blocks, cut around calls and after what ends a strand. Node b is the
/// first part of block b, so that edges between blocks are edges of nodes.
static std::vector<Node> initialParts(const RegisterGraph &G,
                                      PartitionKind Kind) {
  std::vector<Node> Nodes(G.numBlocks());
  for (unsigned B = 0; B != G.numBlocks(); ++B) {
    unsigned Begin = G.blockBegin(B), End = G.blockEnd(B), N = B;
    Nodes[N].Begin = Begin;
    auto StartPart = [&](unsigned At) {
      Nodes[N].End = At;
      Nodes[N].Next = Nodes.size();
      N = Nodes.size();
      Nodes.emplace_back();
      Nodes[N].Begin = At;
      Nodes[N].NumPreds = 1;
      Nodes[N].EntryFrequency = G.frequency(B);
    };
    for (unsigned I = Begin; I != End; ++I) {
      bool IsCall = G.role(I) == InstrRole::Call;
      if (IsCall && I != Nodes[N].Begin)
        StartPart(I);
      Nodes[N].Block = B;
      Nodes[N].JoinsNone |= IsCall;
      Nodes[N].EndsGroup |= endsPart(G, I, Kind);
      if (Nodes[N].EndsGroup && I + 1 != End)
        StartPart(I + 1);
    }
    Nodes[N].Block = B;
    Nodes[N].End = End;
    Nodes[N].SuccOf = B;
  }
  for (Node &N : Nodes)
    N.Regs = G.named(N.Begin, N.End);
  return Nodes;
}

static void countPredecessors(std::vector<Node> &Nodes,
                              const Successors &Succs) {
  for (const RegisterGraph::Edge &E : Succs.all()) {
    ++Nodes[E.To].NumPreds;
    Nodes[E.To].EntryFrequency += E.Frequency;
  }
}

//===----------------------------------------------------------------------===//
// Algorithm 2
//===----------------------------------------------------------------------===//

namespace {
/// The groups of a round as the nodes of the next.
struct Reduction {
  std::vector<Node> Nodes;
  std::vector<RegisterGraph::Edge> Edges;
};
} // namespace

static Reduction reduce(const Grower &G, const Successors &Succs) {
  Reduction R;
  R.Nodes.resize(G.Groups.size());
  for (unsigned I = 0; I != G.Groups.size(); ++I) {
    R.Nodes[I].Regs = G.Groups[I];
    R.Nodes[I].SuccOf = I;
  }
  for (const Node &N : G.Nodes) {
    Node &Whole = R.Nodes[N.Group];
    Whole.JoinsNone |= N.JoinsNone;
    Whole.EndsGroup |= N.EndsGroup;
    auto AddEdge = [&](unsigned To, double Frequency) {
      if (G.Nodes[To].Group != N.Group)
        R.Edges.push_back({N.Group, G.Nodes[To].Group, Frequency});
    };
    if (N.Next != None)
      AddEdge(N.Next, G.Nodes[N.Next].EntryFrequency);
    else
      for (const RegisterGraph::Edge &E : Succs.of(N.SuccOf))
        AddEdge(E.To, E.Frequency);
  }
  return R;
}

/// Groups in order of their heads, so that numbers do not depend on the order
/// in which groups were made.
static IntervalPartition collect(const Grower &First, unsigned NumBlocks,
                                 const std::vector<unsigned> &GroupOf,
                                 const std::vector<unsigned> &HeadOf,
                                 const std::vector<RegSet> &Regs) {
  IntervalPartition P;
  P.Intervals.reserve(Regs.size());
  // Node b is the first part of block b, and the others follow it.
  std::vector<unsigned> Order;
  Order.reserve(First.Nodes.size());
  for (unsigned B = 0; B != NumBlocks; ++B)
    for (unsigned N = B; N != None; N = First.Nodes[N].Next)
      Order.push_back(N);
  std::vector<unsigned> Number(Regs.size(), None);
  for (unsigned At = 0; At != Order.size(); ++At) {
    unsigned Group = GroupOf[First.Nodes[Order[At]].Group];
    if (HeadOf[Group] != Order[At])
      continue;
    Number[Group] = P.Intervals.size();
    P.Intervals.push_back({At, Regs[Group]});
  }
  P.Parts.reserve(Order.size());
  for (unsigned N : Order) {
    const Node &Part = First.Nodes[N];
    P.Parts.push_back(
        {Part.Block, Part.Begin, Part.End, Number[GroupOf[Part.Group]]});
  }
  return P;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

struct IntervalFormer::Start {
  std::vector<Node> Parts;
  Successors Succs;
};

static std::vector<Node> partsOf(const RegisterGraph &G, PartitionKind Kind,
                                 const Successors &Succs) {
  std::vector<Node> Parts = initialParts(G, Kind);
  countPredecessors(Parts, Succs);
  return Parts;
}

IntervalFormer::IntervalFormer(const RegisterGraph &G, PartitionKind Kind)
    : G(G) {
  Successors Succs(G.numBlocks(), G.edges());
  std::vector<Node> Parts = partsOf(G, Kind, Succs);
  From = std::make_unique<const Start>(std::move(Parts), std::move(Succs));
}

IntervalFormer::~IntervalFormer() = default;

IntervalPartition IntervalFormer::form(const IntervalOptions &Options,
                                       DecidedBy &Decided) const {
  assert(G.widestInstr() <= Options.MaxRegisters &&
         "an instruction does not fit");
  RegisterRuns Runs(G, Options);
  Grower First(From->Parts, From->Succs, Options, &Runs, Decided);
  First.run();

  // By group of the first round: the group it is in now.
  std::vector<unsigned> GroupOf(First.Groups.size());
  for (unsigned I = 0; I != GroupOf.size(); ++I)
    GroupOf[I] = I;
  std::vector<unsigned> HeadOf = First.Heads;
  std::vector<RegSet> Regs = First.Groups;
  unsigned Rounds =
      Options.Kind == PartitionKind::Strands ? 0 : Options.MaxReductions;
  unsigned Done = 0;
  Reduction R = reduce(First, From->Succs);
  for (; Done != Rounds; ++Done) {
    Successors Edges(R.Nodes.size(), R.Edges);
    countPredecessors(R.Nodes, Edges);
    Grower Next(std::move(R.Nodes), Edges, Options, nullptr, Decided);
    Next.run();
    if (Next.Groups.size() == Regs.size())
      break;
    for (unsigned &Group : GroupOf)
      Group = Next.Nodes[Group].Group;
    std::vector<unsigned> Heads;
    Heads.reserve(Next.Heads.size());
    for (unsigned Head : Next.Heads)
      Heads.push_back(HeadOf[Head]);
    HeadOf = std::move(Heads);
    Regs = Next.Groups;
    R = reduce(Next, Edges);
  }
  IntervalPartition P = collect(First, G.numBlocks(), GroupOf, HeadOf, Regs);
  P.Kind = Options.Kind;
  P.Reductions = Done;
  return P;
}

IntervalPartition partitionRegisters(const RegisterGraph &G,
                                     const IntervalOptions &Options) {
  DecidedBy Decided;
  return IntervalFormer(G, Options.Kind).form(Options, Decided);
}

} // namespace regshare
