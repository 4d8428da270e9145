//===- Coloring.cpp - Colouring with aligned registers --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Coloring.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <memory>

namespace regshare {

namespace {
/// Positions a cluster's base can take.
using BaseMask = std::bitset<ColoringProblem::MaxUnits>;
constexpr uint16_t NoBase = 0xffff;
constexpr uint16_t NoUnit = 0xffff;
/// Most rounds in which hints are followed again; two or three do.
constexpr unsigned HintRounds = 8;

/// A set of units that is quick to fill: nothing here depends on the data.
class UnitMask {
public:
  static constexpr unsigned End = ColoringProblem::MaxUnits;

  /// Adds \p Width (under 64) units from \p Unit (at most End) on.
  void insert(unsigned Unit, unsigned Width) {
    uint64_t Bits = (uint64_t(1) << Width) - 1;
    Words[Unit / 64] |= Bits << Unit % 64;
    Words[Unit / 64 + 1] |= Bits >> 1 >> (63 - Unit % 64);
  }
  BaseMask get() const {
    BaseMask Mask;
    for (unsigned I = End / 64; I-- != 0;)
      Mask = Mask << 64 | BaseMask(Words[I]);
    return Mask;
  }

private:
  std::array<uint64_t, End / 64 + 2> Words{};
};
} // namespace

/// The state of one colouring. Works on clusters throughout; a node outside of
/// any is a cluster of one.
class Colorer {
public:
  explicit Colorer(const ColoringProblem &P);

  std::optional<Coloring> run(unsigned AtLeast, unsigned AtMost);

private:
  struct Cluster {
    uint32_t FirstMember, EndMember; // in Members
    uint16_t Span = 0;               // units from the base to the last member
    uint16_t Align = 1;
    uint16_t Phase = 0;
    uint16_t Bound = ColoringProblem::MaxUnits; // of base and span together
    uint16_t Preferred = 0;                     // lowest base wished for
    uint16_t Base = NoBase;
    uint16_t LastBase = NoBase; // where it was evicted from
  };

  void buildClusters();
  void buildAdjacency();
  void buildHints();
  std::vector<uint32_t> degrees() const;
  std::vector<uint32_t> smallestLastOrder() const;
  void findLeft(std::span<const uint32_t> Nodes,
                const std::vector<uint32_t> &Degree,
                std::vector<uint32_t> &Left) const;
  void colorGreedily();
  void resetPrices();
  bool repair(uint64_t Budget);
  bool followHints(uint32_t Id);

  static constexpr uint32_t Removed = ~0u; // in place of a degree

  void boundCluster(Cluster &C) const;
  unsigned limitOf(const Cluster &C) const {
    return std::min<unsigned>(Limit, C.Bound);
  }
  /// The lowest that the problem allows.
  unsigned firstBase(const Cluster &C) const {
    unsigned Base = C.Phase;
    while (Base < P.FirstUnit)
      Base += C.Align;
    return Base;
  }
  BaseMask allowedBases(const Cluster &C);
  BaseMask freeBases(const Cluster &C);
  uint16_t choose(const Cluster &C, uint32_t Id, const BaseMask &Free) const;
  using BaseCosts = std::array<uint32_t, ColoringProblem::MaxUnits>;
  BaseCosts evictionCosts(const Cluster &C) const;
  uint16_t cheapestBase(const Cluster &C, uint64_t Now) const;
  void setBase(Cluster &C, uint16_t Base);
  void evict(uint32_t Id);
  void place(uint32_t Id, uint16_t Base);

  std::span<const uint32_t> neighbors(uint32_t Node) const {
    return {Adjacent.get() + AdjacentBegin[Node],
            Adjacent.get() + AdjacentBegin[Node + 1]};
  }

  const ColoringProblem &P;
  unsigned Limit = 0;
  std::vector<ColorCluster::Member> Members;
  std::vector<Cluster> Clusters;
  std::vector<uint32_t> ClusterOf; // by node
  std::vector<uint16_t> OffsetOf;  // by node
  /// What the search asks of a neighbour, in one place.
  struct NodeState {
    uint32_t Price = 0;     // of evicting its cluster
    uint16_t Unit = NoUnit; // its lowest, if it has a colour
    uint8_t Width;
  };
  std::vector<NodeState> Nodes;
  /// Of a large function, tens of megabytes: not worth clearing first.
  std::unique_ptr<uint32_t[]> Adjacent;
  std::vector<uint32_t> AdjacentBegin;
  std::vector<uint32_t> NeighborUnits; // by node: the sum of their widths
  struct NodeHint {
    uint32_t Node;
    float Weight;
  };
  std::vector<NodeHint> Hints; // by cluster
  std::vector<uint32_t> HintsBegin;
  std::vector<uint32_t> Uncolored;
  std::array<BaseMask, 5> Allowed; // by width, for what only that aligns
};

Colorer::Colorer(const ColoringProblem &P) : P(P) {
  buildClusters();
  buildAdjacency();
  buildHints();
}

/// Takes over the bounds and wishes of the members.
void Colorer::boundCluster(Cluster &C) const {
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
    auto [Node, Offset] = Members[M];
    int Bound = int(P.bound(Node)) - int(Offset + P.width(Node)) + C.Span;
    C.Bound = std::min<int>(C.Bound, std::max(Bound, 0));
    int Preferred = int(P.preferred(Node)) - int(Offset);
    C.Preferred = std::max<int>(C.Preferred, Preferred);
  }
}

void Colorer::buildClusters() {
  ClusterOf.assign(P.numNodes(), ~0u);
  OffsetOf.assign(P.numNodes(), 0);
  Nodes.resize(P.numNodes());
  for (uint32_t N = 0; N != P.numNodes(); ++N)
    Nodes[N].Width = P.width(N);
  Members.reserve(P.numNodes());
  Clusters.reserve(P.numNodes());
  auto Append = [&](std::span<const ColorCluster::Member> From, unsigned Align,
                    unsigned Phase) {
    Cluster C;
    C.FirstMember = Members.size();
    for (ColorCluster::Member M : From) {
      assert(ClusterOf[M.Node] == ~0u && "a node is in two clusters");
      ClusterOf[M.Node] = Clusters.size();
      OffsetOf[M.Node] = M.Offset;
      C.Span = std::max<uint16_t>(C.Span, M.Offset + P.width(M.Node));
      Members.push_back(M);
    }
    C.EndMember = Members.size();
    C.Align = Align;
    C.Phase = Phase;
    boundCluster(C);
    Clusters.push_back(C);
  };
  for (const ColorCluster &C : P.Clusters)
    Append(C.Members, C.Align, C.Phase);
  for (uint32_t N = 0; N != P.numNodes(); ++N)
    if (ClusterOf[N] == ~0u) {
      ColorCluster::Member Alone{N, 0};
      Append({&Alone, 1}, P.width(N), 0);
    }
}

/// Adjacency lists by a counting sort of the edges, without duplicates.
void Colorer::buildAdjacency() {
  std::vector<uint32_t> Begin(P.numNodes() + 1);
  uint32_t I = 0;
  for (ColoringProblem::Run R : P.Runs)
    Begin[R.Node] += R.End - std::exchange(I, R.End);
  for (uint32_t N : P.Neighbors)
    ++Begin[N];
  uint32_t Sum = 0;
  for (uint32_t &Count : Begin)
    Sum += std::exchange(Count, Sum);
  Adjacent = std::make_unique_for_overwrite<uint32_t[]>(Sum);
  std::vector<uint32_t> Next = Begin;
  I = 0;
  for (ColoringProblem::Run R : P.Runs)
    for (; I != R.End; ++I) {
      Adjacent[Next[R.Node]++] = P.Neighbors[I];
      Adjacent[Next[P.Neighbors[I]]++] = R.Node;
    }
  std::vector<uint32_t> SeenBy(P.numNodes(), ~0u);
  AdjacentBegin.reserve(P.numNodes() + 1);
  NeighborUnits.assign(P.numNodes(), 0);
  uint32_t End = 0;
  for (uint32_t N = 0; N != P.numNodes(); ++N) {
    AdjacentBegin.push_back(End);
    for (uint32_t I = Begin[N]; I != Next[N]; ++I) {
      uint32_t Other = Adjacent[I];
      if (Other == N || std::exchange(SeenBy[Other], N) == N)
        continue;
      Adjacent[End++] = Other;
      NeighborUnits[N] += P.width(Other);
    }
  }
  AdjacentBegin.push_back(End);
}

void Colorer::buildHints() {
  HintsBegin.assign(Clusters.size() + 1, 0);
  for (const ColoringProblem::Hint &H : P.Hints)
    ++HintsBegin[ClusterOf[H.A]], ++HintsBegin[ClusterOf[H.B]];
  uint32_t Sum = 0;
  for (uint32_t &Count : HintsBegin)
    Sum += std::exchange(Count, Sum);
  Hints.resize(Sum);
  std::vector<uint32_t> Next = HintsBegin;
  for (const ColoringProblem::Hint &H : P.Hints) {
    Hints[Next[ClusterOf[H.A]]++] = {H.B, H.Weight};
    Hints[Next[ClusterOf[H.B]]++] = {H.A, H.Weight};
  }
}

namespace {
/// Clusters by the number of neighbouring units they have left; the one that
/// came to a number last is taken first.
class DegreeLists {
public:
  DegreeLists(uint32_t Clusters, uint32_t MaxDegree)
      : Heads(Clusters), Links(Clusters + MaxDegree + 1) {
    for (uint32_t Head = Heads; Head != Links.size(); ++Head)
      Links[Head] = {Head, Head};
  }

  void insert(uint32_t Id, uint32_t Degree) {
    uint32_t Head = Heads + Degree, Next = Links[Head].Next;
    Links[Id] = {Head, Next};
    Links[Head].Next = Id;
    Links[Next].Last = Id;
  }
  void remove(uint32_t Id) {
    Link L = Links[Id];
    Links[L.Last].Next = L.Next;
    Links[L.Next].Last = L.Last;
  }
  bool empty(uint32_t Degree) const {
    return Links[Heads + Degree].Next == Heads + Degree;
  }
  uint32_t front(uint32_t Degree) const { return Links[Heads + Degree].Next; }

private:
  struct Link {
    uint32_t Last, Next;
  };
  uint32_t Heads; ///< Where the links of the lists' heads start, by degree.
  std::vector<Link> Links; // by cluster, then the heads': the lists are rings
};
} // namespace

/// For every cluster, its neighbouring units.
std::vector<uint32_t> Colorer::degrees() const {
  std::vector<uint32_t> Degree;
  Degree.reserve(Clusters.size());
  for (const Cluster &C : Clusters) {
    // Wide clusters have fewer places to go: colour them earlier.
    Degree.push_back(4 * (C.Span - 1));
    // So have those with a bound.
    if (C.Bound < ColoringProblem::MaxUnits)
      Degree.back() += Limit - limitOf(C);
    for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
      Degree.back() += NeighborUnits[Members[M].Node];
  }
  return Degree;
}

/// Those clusters of \p Nodes that have not been removed. Without a branch:
/// whether a neighbour has been is a toss-up.
void Colorer::findLeft(std::span<const uint32_t> Nodes,
                       const std::vector<uint32_t> &Degree,
                       std::vector<uint32_t> &Left) const {
  Left.resize(Nodes.size());
  size_t Count = 0;
  for (uint32_t N : Nodes) {
    uint32_t Id = ClusterOf[N];
    Left[Count] = Id;
    Count += Degree[Id] != Removed;
  }
  Left.resize(Count);
}

/// Clusters in the order to colour them in: the reverse of taking away, again
/// and again, the one with the fewest neighbouring units left.
std::vector<uint32_t> Colorer::smallestLastOrder() const {
  std::vector<uint32_t> Degree = degrees();
  uint32_t MaxDegree =
      Degree.empty() ? 0 : *std::max_element(Degree.begin(), Degree.end());
  DegreeLists Lists(Clusters.size(), MaxDegree);
  for (uint32_t Id = Clusters.size(); Id-- != 0;)
    Lists.insert(Id, Degree[Id]);
  std::vector<uint32_t> Order, Left;
  Order.reserve(Clusters.size());
  for (uint32_t D = 0; D <= MaxDegree;) {
    if (Lists.empty(D)) {
      ++D;
      continue;
    }
    uint32_t Id = Lists.front(D);
    Lists.remove(Id);
    Degree[Id] = Removed;
    Order.push_back(Id);
    const Cluster &C = Clusters[Id];
    for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
      uint32_t Width = P.width(Members[M].Node);
      findLeft(neighbors(Members[M].Node), Degree, Left);
      for (uint32_t Other : Left) {
        Lists.remove(Other);
        Lists.insert(Other, Degree[Other] -= Width);
        D = std::min(D, Degree[Other]);
      }
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

BaseMask Colorer::allowedBases(const Cluster &C) {
  // Most clusters are lone nodes of a few widths.
  bool Common = C.Span == C.Align && C.Phase == 0 && C.Span < Allowed.size() &&
                C.Bound >= Limit;
  BaseMask *Known = Common ? &Allowed[C.Span] : nullptr;
  if (Known && Known->any())
    return *Known;
  BaseMask Bases;
  for (unsigned Base = firstBase(C); Base + C.Span <= limitOf(C);
       Base += C.Align)
    Bases.set(Base);
  if (Known)
    *Known = Bases;
  return Bases;
}

BaseMask Colorer::freeBases(const Cluster &C) {
  BaseMask Taken;
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
    // Units of the neighbours. Those without a colour, which are as many, share
    // a bit past the end.
    UnitMask Occupied;
    for (uint32_t N : neighbors(Members[M].Node))
      Occupied.insert(std::min<unsigned>(Nodes[N].Unit, UnitMask::End),
                      Nodes[N].Width);
    BaseMask Units = Occupied.get();
    for (unsigned I = 0; I != P.width(Members[M].Node); ++I)
      Taken |= Units >> (Members[M].Offset + I);
  }
  return allowedBases(C) & ~Taken;
}

/// A free base: the one that most of the hints' weight asks for, or the lowest.
uint16_t Colorer::choose(const Cluster &C, uint32_t Id,
                         const BaseMask &Free) const {
  float Best = 0;
  int BestBase = -1;
  for (uint32_t I = HintsBegin[Id]; I != HintsBegin[Id + 1]; ++I) {
    auto [Node, Weight] = Hints[I];
    const Cluster &Other = Clusters[ClusterOf[Node]];
    if (Other.Base == NoBase || C.EndMember - C.FirstMember != 1)
      continue;
    int Base = Other.Base + OffsetOf[Node];
    if (Weight > Best && Free.test(Base)) {
      Best = Weight;
      BestBase = Base;
    }
  }
  if (BestBase >= 0)
    return BestBase;
  if (C.Preferred)
    if (size_t Base = Free._Find_next(C.Preferred - 1); Base < Free.size())
      return Base;
  return Free._Find_first();
}

void Colorer::colorGreedily() {
  for (uint32_t Id : smallestLastOrder()) {
    BaseMask Free = freeBases(Clusters[Id]);
    if (Free.none())
      Uncolored.push_back(Id);
    else
      setBase(Clusters[Id], choose(Clusters[Id], Id, Free));
  }
}

/// For every base of \p C, the price of the neighbours that it would evict.
auto Colorer::evictionCosts(const Cluster &C) const -> BaseCosts {
  // A neighbour adds its price from the first base at which the two overlap on
  // to the first at which they no longer do. The first can be below zero.
  constexpr unsigned Zero = ColoringProblem::MaxUnits;
  std::array<uint32_t, 2 * ColoringProblem::MaxUnits + 1> Steps;
  std::fill_n(Steps.begin() + Zero - C.Span, C.Span + Limit + 1, 0);
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
    unsigned Base = Zero - Members[M].Offset;
    unsigned Width = P.width(Members[M].Node);
    for (uint32_t N : neighbors(Members[M].Node)) {
      NodeState O = Nodes[N];
      if (O.Unit == NoUnit)
        continue;
      Steps[Base + O.Unit + 1 - Width] += O.Price;
      Steps[Base + O.Unit + O.Width] -= O.Price;
    }
  }
  uint32_t Cost = 0;
  for (unsigned I = Zero - C.Span; I != Zero; ++I)
    Cost += Steps[I];
  BaseCosts Costs;
  for (unsigned Base = 0; Base != Limit; ++Base)
    Costs[Base] = Cost += Steps[Zero + Base];
  return Costs;
}

/// The base at which putting \p C evicts least. Often-evicted clusters count
/// for more, which leads the search out of cycles.
uint16_t Colorer::cheapestBase(const Cluster &C, uint64_t Now) const {
  const unsigned Last = limitOf(C), First = firstBase(C);
  if (First + C.Span > Last)
    return NoBase;
  const BaseCosts Costs = evictionCosts(C);
  uint16_t Best = NoBase;
  uint32_t BestCost = ~0u;
  unsigned Slots = (Last - First - C.Span) / C.Align + 1;
  auto Look = [&](unsigned Slot, unsigned End) {
    for (; Slot != End; ++Slot) {
      unsigned Base = First + Slot * C.Align;
      if (Base + C.Span > Last || (Base == C.LastBase && Slots > 1))
        continue;
      if (Costs[Base] < BestCost) {
        BestCost = Costs[Base];
        Best = Base;
      }
    }
  };
  // Start somewhere else each time, so that ties are spread.
  unsigned Start = Now % Slots;
  Look(Start, Slots);
  Look(0, Start);
  return Best;
}

void Colorer::setBase(Cluster &C, uint16_t Base) {
  C.Base = Base;
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
    Nodes[Members[M].Node].Unit =
        Base == NoBase ? NoUnit : Base + Members[M].Offset;
}

void Colorer::evict(uint32_t Id) {
  Cluster &C = Clusters[Id];
  C.LastBase = C.Base;
  setBase(C, NoBase);
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
    Nodes[Members[M].Node].Price += C.Span;
  Uncolored.push_back(Id);
}

/// Puts cluster \p Id at \p Base and takes away who is in the way.
void Colorer::place(uint32_t Id, uint16_t Base) {
  Cluster &C = Clusters[Id];
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
    unsigned First = Base + Members[M].Offset;
    unsigned End = First + P.width(Members[M].Node);
    for (uint32_t N : neighbors(Members[M].Node))
      if (NodeState O = Nodes[N]; O.Unit < End && O.Unit + O.Width > First)
        evict(ClusterOf[N]);
  }
  setBase(C, Base);
}

/// Every cluster costs its size to evict, and as much more each time it has
/// been, at this number of units.
void Colorer::resetPrices() {
  for (const Cluster &C : Clusters)
    for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
      Nodes[Members[M].Node].Price = C.Span;
}

bool Colorer::repair(uint64_t Budget) {
  if (!Uncolored.empty())
    resetPrices();
  for (uint64_t Step = 0; !Uncolored.empty(); ++Step) {
    if (Step == Budget)
      return false;
    // The widest first: it has the fewest places.
    auto Widest = std::max_element(Uncolored.begin(), Uncolored.end(),
                                   [&](uint32_t A, uint32_t B) {
                                     return Clusters[A].Span < Clusters[B].Span;
                                   });
    std::swap(*Widest, Uncolored.back());
    uint32_t Id = Uncolored.back();
    uint16_t Base = cheapestBase(Clusters[Id], Step * 7);
    if (Base == NoBase)
      return false;
    Uncolored.pop_back();
    place(Id, Base);
  }
  return true;
}

/// Moves a lone node to where more of its hints' weight asks for, if that is
/// free. Whether it has moved.
bool Colorer::followHints(uint32_t Id) {
  Cluster &C = Clusters[Id];
  if (C.EndMember - C.FirstMember != 1 || HintsBegin[Id] == HintsBegin[Id + 1])
    return false;
  BaseMask Free = freeBases(C);
  auto WeightAt = [&](uint16_t Base) {
    float Weight = 0;
    for (uint32_t I = HintsBegin[Id]; I != HintsBegin[Id + 1]; ++I)
      if (Nodes[Hints[I].Node].Unit == Base)
        Weight += Hints[I].Weight;
    return Weight;
  };
  float Best = WeightAt(C.Base);
  uint16_t BestBase = C.Base;
  for (uint32_t I = HintsBegin[Id]; I != HintsBegin[Id + 1]; ++I) {
    uint16_t Base = Nodes[Hints[I].Node].Unit;
    if (float Weight = WeightAt(Base); Free.test(Base) && Weight > Best) {
      Best = Weight;
      BestBase = Base;
    }
  }
  bool Moves = BestBase != C.Base;
  setBase(C, BestBase);
  return Moves;
}

std::optional<Coloring> Colorer::run(unsigned AtLeast, unsigned AtMost) {
  for (const Cluster &C : Clusters)
    AtLeast = std::max<unsigned>(AtLeast, firstBase(C) + C.Span);
  if (AtLeast > AtMost)
    return std::nullopt;
  Limit = AtLeast;
  colorGreedily();
  // Steps of search for each number of units: in proportion to the problem, up
  // to where a large function would notice.
  uint64_t Budget = std::clamp<uint64_t>(2 * Clusters.size(), 200, 20000);
  while (!repair(Budget))
    if (++Limit > AtMost)
      return std::nullopt;
  bool Moved = P.FollowsHintsAgain;
  for (unsigned Round = 0; Moved && Round != HintRounds; ++Round) {
    Moved = false;
    for (uint32_t Id = 0; Id != Clusters.size(); ++Id)
      Moved |= followHints(Id);
  }
  Coloring Result;
  Result.FirstUnit.resize(P.numNodes());
  for (uint32_t N = 0; N != P.numNodes(); ++N) {
    unsigned Unit = Clusters[ClusterOf[N]].Base + OffsetOf[N];
    Result.FirstUnit[N] = Unit;
    Result.NumUnits = std::max(Result.NumUnits, Unit + P.width(N));
  }
  return Result;
}

std::optional<Coloring> color(const ColoringProblem &P, unsigned AtLeast,
                              unsigned AtMost) {
  assert(AtMost <= ColoringProblem::MaxUnits && "more units than a thread has");
  return Colorer(P).run(AtLeast, AtMost);
}

} // namespace regshare
