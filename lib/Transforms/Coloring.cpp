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
#include <numeric>

namespace regshare {

namespace {
/// Positions a cluster's base can take.
using BaseMask = std::bitset<ColoringProblem::MaxUnits>;
constexpr uint16_t NoBase = 0xffff;
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
    uint16_t Base = NoBase;
    uint32_t Evictions = 0;
    uint16_t LastBase = NoBase; // where it was evicted from
  };

  void buildClusters();
  void buildAdjacency();
  void buildHints();
  std::vector<uint32_t> smallestLastOrder() const;
  void colorGreedily();
  bool repair(uint64_t Budget);

  template <typename Fn> void forEachNeighbor(const Cluster &C, Fn F) const;
  BaseMask allowedBases(const Cluster &C) const;
  BaseMask freeBases(const Cluster &C) const;
  uint16_t choose(const Cluster &C, uint32_t Id, const BaseMask &Free) const;
  uint16_t cheapestBase(const Cluster &C, uint64_t Now);
  void place(uint32_t Id, uint16_t Base);

  std::span<const uint32_t> neighbors(uint32_t Node) const {
    return {Adjacent.data() + AdjacentBegin[Node],
            Adjacent.data() + AdjacentBegin[Node + 1]};
  }

  const ColoringProblem &P;
  unsigned Limit = 0;
  std::vector<ColorCluster::Member> Members;
  std::vector<Cluster> Clusters;
  std::vector<uint32_t> ClusterOf; // by node
  std::vector<uint16_t> OffsetOf;  // by node
  std::vector<uint32_t> Adjacent, AdjacentBegin;
  std::vector<std::vector<std::pair<uint32_t, float>>> HintsOf; // by cluster
  std::vector<uint32_t> Uncolored;
};

Colorer::Colorer(const ColoringProblem &P) : P(P) {
  buildClusters();
  buildAdjacency();
  buildHints();
}

void Colorer::buildClusters() {
  ClusterOf.assign(P.numNodes(), ~0u);
  OffsetOf.assign(P.numNodes(), 0);
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
  for (auto [A, B] : P.Edges)
    ++Begin[A], ++Begin[B];
  uint32_t Sum = 0;
  for (uint32_t &Count : Begin)
    Sum += std::exchange(Count, Sum);
  std::vector<uint32_t> All(Sum), Next = Begin;
  for (auto [A, B] : P.Edges) {
    All[Next[A]++] = B;
    All[Next[B]++] = A;
  }
  std::vector<uint32_t> SeenBy(P.numNodes(), ~0u);
  AdjacentBegin.reserve(P.numNodes() + 1);
  Adjacent.reserve(Sum);
  for (uint32_t N = 0; N != P.numNodes(); ++N) {
    AdjacentBegin.push_back(Adjacent.size());
    for (uint32_t I = Begin[N]; I != Next[N]; ++I)
      if (All[I] != N && std::exchange(SeenBy[All[I]], N) != N)
        Adjacent.push_back(All[I]);
  }
  AdjacentBegin.push_back(Adjacent.size());
}

void Colorer::buildHints() {
  HintsOf.resize(Clusters.size());
  for (const ColoringProblem::Hint &H : P.Hints) {
    HintsOf[ClusterOf[H.A]].emplace_back(H.B, H.Weight);
    HintsOf[ClusterOf[H.B]].emplace_back(H.A, H.Weight);
  }
}

/// Clusters in the order to colour them in: the reverse of taking away, again
/// and again, the one with the fewest neighbouring units left.
std::vector<uint32_t> Colorer::smallestLastOrder() const {
  std::vector<uint32_t> Degree(Clusters.size());
  uint32_t MaxDegree = 0;
  for (uint32_t Id = 0; Id != Clusters.size(); ++Id) {
    const Cluster &C = Clusters[Id];
    for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
      for (uint32_t N : neighbors(Members[M].Node))
        Degree[Id] += P.width(N);
    // Wide clusters have fewer places to go: colour them earlier.
    Degree[Id] += 4 * (C.Span - 1);
    MaxDegree = std::max(MaxDegree, Degree[Id]);
  }
  std::vector<std::vector<uint32_t>> Buckets(MaxDegree + 1);
  for (uint32_t Id = Clusters.size(); Id-- != 0;)
    Buckets[Degree[Id]].push_back(Id);
  std::vector<bool> Removed(Clusters.size());
  std::vector<uint32_t> Order;
  Order.reserve(Clusters.size());
  for (uint32_t D = 0; D <= MaxDegree;) {
    if (Buckets[D].empty()) {
      ++D;
      continue;
    }
    uint32_t Id = Buckets[D].back();
    Buckets[D].pop_back();
    if (Removed[Id] || Degree[Id] != D)
      continue;
    Removed[Id] = true;
    Order.push_back(Id);
    const Cluster &C = Clusters[Id];
    for (uint32_t M = C.FirstMember; M != C.EndMember; ++M)
      for (uint32_t N : neighbors(Members[M].Node)) {
        uint32_t Other = ClusterOf[N];
        if (Removed[Other])
          continue;
        Degree[Other] -= P.width(Members[M].Node);
        Buckets[Degree[Other]].push_back(Other);
        D = std::min(D, Degree[Other]);
      }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

/// Calls F(neighbour cluster, first base, end base) for every coloured
/// neighbour and the bases of \p C at which the two would overlap.
template <typename Fn>
void Colorer::forEachNeighbor(const Cluster &C, Fn F) const {
  for (uint32_t M = C.FirstMember; M != C.EndMember; ++M) {
    int Offset = Members[M].Offset;
    int Width = P.width(Members[M].Node);
    for (uint32_t N : neighbors(Members[M].Node)) {
      uint32_t Other = ClusterOf[N];
      if (Clusters[Other].Base == NoBase || &Clusters[Other] == &C)
        continue;
      int At = Clusters[Other].Base + OffsetOf[N];
      int First = std::max(At - Offset - Width + 1, 0);
      int End = std::min<int>(At + P.width(N) - Offset, Limit);
      if (First < End)
        F(Other, First, End);
    }
  }
}

BaseMask Colorer::allowedBases(const Cluster &C) const {
  BaseMask Allowed;
  for (unsigned Base = C.Phase; Base + C.Span <= Limit; Base += C.Align)
    Allowed.set(Base);
  return Allowed;
}

BaseMask Colorer::freeBases(const Cluster &C) const {
  BaseMask Taken;
  forEachNeighbor(C, [&](uint32_t, int First, int End) {
    for (int Base = First; Base != End; ++Base)
      Taken.set(Base);
  });
  return allowedBases(C) & ~Taken;
}

/// A free base: the one that most of the hints' weight asks for, or the lowest.
uint16_t Colorer::choose(const Cluster &C, uint32_t Id,
                         const BaseMask &Free) const {
  float Best = 0;
  int BestBase = -1;
  for (auto [Node, Weight] : HintsOf[Id]) {
    const Cluster &Other = Clusters[ClusterOf[Node]];
    if (Other.Base == NoBase || C.EndMember - C.FirstMember != 1)
      continue;
    int Base = Other.Base + OffsetOf[Node];
    if (Weight > Best && Free.test(Base)) {
      Best = Weight;
      BestBase = Base;
    }
  }
  return BestBase >= 0 ? BestBase : Free._Find_first();
}

void Colorer::colorGreedily() {
  for (uint32_t Id : smallestLastOrder()) {
    BaseMask Free = freeBases(Clusters[Id]);
    if (Free.none())
      Uncolored.push_back(Id);
    else
      Clusters[Id].Base = choose(Clusters[Id], Id, Free);
  }
}

/// The base at which putting \p C evicts least. Often-evicted clusters count
/// for more, which leads the search out of cycles.
uint16_t Colorer::cheapestBase(const Cluster &C, uint64_t Now) {
  std::array<uint32_t, ColoringProblem::MaxUnits> Cost{};
  forEachNeighbor(C, [&](uint32_t Other, int First, int End) {
    const Cluster &O = Clusters[Other];
    uint32_t Price = (1 + O.Evictions) * O.Span;
    for (int Base = First; Base != End; ++Base)
      Cost[Base] += Price;
  });
  uint16_t Best = NoBase;
  uint32_t BestCost = ~0u;
  unsigned Slots = Limit >= C.Span ? (Limit - C.Span) / C.Align + 1 : 0;
  for (unsigned I = 0; I != Slots; ++I) {
    // Start somewhere else each time, so that ties are spread.
    unsigned Base = C.Phase + (I + Now) % Slots * C.Align;
    if (Base + C.Span > Limit || (Base == C.LastBase && Slots > 1))
      continue;
    if (Cost[Base] < BestCost) {
      BestCost = Cost[Base];
      Best = Base;
    }
  }
  return Best;
}

void Colorer::place(uint32_t Id, uint16_t Base) {
  Cluster &C = Clusters[Id];
  forEachNeighbor(C, [&](uint32_t Other, int First, int End) {
    Cluster &O = Clusters[Other];
    if (Base < First || Base >= End || O.Base == NoBase)
      return;
    O.LastBase = std::exchange(O.Base, NoBase);
    ++O.Evictions;
    Uncolored.push_back(Other);
  });
  C.Base = Base;
}

bool Colorer::repair(uint64_t Budget) {
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

std::optional<Coloring> Colorer::run(unsigned AtLeast, unsigned AtMost) {
  for (const Cluster &C : Clusters)
    AtLeast = std::max<unsigned>(AtLeast, C.Phase + C.Span);
  if (AtLeast > AtMost)
    return std::nullopt;
  Limit = AtLeast;
  colorGreedily();
  // Steps of search for each number of units: in proportion to the problem, up
  // to where a large function would notice.
  uint64_t Budget = std::clamp<uint64_t>(2 * Clusters.size(), 200, 20000);
  while (!repair(Budget)) {
    if (++Limit > AtMost)
      return std::nullopt;
    for (Cluster &C : Clusters)
      C.Evictions = 0;
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
