//===- RegionOrder.cpp - In which order a region's instructions go --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionOrder.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace llvm;

namespace regshare {

void Region::countReaders() {
  for (RegionValue &V : Values)
    V.Readers = 0;
  for (const RegionNode &N : Nodes)
    for (uint32_t V : N.Reads)
      ++Values[V].Readers;
}

namespace {

/// Units and predicates that are live at a point.
struct LiveCount {
  unsigned Units = 0, Preds = 0;

  void add(const RegionValue &V) {
    Units += V.Units;
    Preds += V.IsPred;
  }
  void remove(const RegionValue &V) {
    Units -= V.Units;
    Preds -= V.IsPred;
  }
};

} // namespace

static void notePeak(const LiveCount &Live, OrderCost &Cost) {
  Cost.PeakUnits = std::max(Cost.PeakUnits, Live.Units);
  Cost.PeakPreds = std::max(Cost.PeakPreds, Live.Preds);
}

OrderCost costOf(const Region &R, const RegionOrder &Order) {
  OrderCost Cost;
  LiveCount Live{R.UnitsThrough, R.PredsThrough};
  for (const RegionValue &V : R.Values)
    if (V.LivesIn)
      Live.add(V);
  notePeak(Live, Cost);
  std::vector<uint32_t> ReadersLeft(R.Values.size());
  for (uint32_t V = 0; V != R.Values.size(); ++V)
    ReadersLeft[V] = R.Values[V].Readers;
  std::vector<uint64_t> ReadyAt(R.Nodes.size());
  uint64_t Now = 0;
  for (uint32_t N : Order) {
    const RegionNode &Node = R.Nodes[N];
    for (uint32_t V : Node.Reads)
      if (--ReadersLeft[V] == 0 && !R.Values[V].LivesOut)
        Live.remove(R.Values[V]);
    for (uint32_t V : Node.Writes)
      Live.add(R.Values[V]);
    notePeak(Live, Cost);
    for (uint32_t V : Node.Writes)
      if (!ReadersLeft[V] && !R.Values[V].LivesOut)
        Live.remove(R.Values[V]);
    uint64_t Issued = std::max(Now, ReadyAt[N]);
    Now = Issued + Node.Slots;
    for (RegionNode::Edge E : Node.Succs)
      ReadyAt[E.To] =
          std::max(ReadyAt[E.To], Issued + Node.Slots - 1 + E.Latency);
  }
  Cost.Cycles = Now;
  return Cost;
}

namespace {

/// What placing a node next would mean, in either direction.
struct Candidate {
  uint32_t Node;
  unsigned Over = 0;  ///< Registers beyond the budget then.
  uint64_t Stall = 0; ///< Cycles that it, or what is placed, would wait.
  uint64_t Path = 0;  ///< Cycles between it and the end of the region to go to.
  int Growth = 0;     ///< Registers live then less those live now.
  uint32_t Rank = 0;  ///< Its place in the code, in the direction of placing.
};

} // namespace

static unsigned beyond(unsigned Has, unsigned May) {
  return Has > May ? Has - May : 0;
}

static bool isBetter(const Candidate &A, const Candidate &B) {
  if (A.Over != B.Over)
    return A.Over < B.Over;
  // Beyond the budget registers matter, not cycles.
  if (A.Over && A.Growth != B.Growth)
    return A.Growth < B.Growth;
  if (A.Stall != B.Stall)
    return A.Stall < B.Stall;
  if (A.Path != B.Path)
    return A.Path > B.Path;
  if (A.Growth != B.Growth)
    return A.Growth < B.Growth;
  return A.Rank < B.Rank;
}

/// List scheduling: places the best of the nodes that \p S says are ready until
/// none is left. Returns the nodes as they were placed.
template <typename State> static RegionOrder placeAll(State &S, size_t Nodes) {
  RegionOrder Order;
  Order.reserve(Nodes);
  while (!S.Ready.empty()) {
    size_t BestAt = 0;
    Candidate Best = S.look(S.Ready[0]);
    for (size_t I = 1; I != S.Ready.size(); ++I)
      if (Candidate C = S.look(S.Ready[I]); isBetter(C, Best)) {
        Best = C;
        BestAt = I;
      }
    S.Ready[BestAt] = S.Ready.back();
    S.Ready.pop_back();
    S.place(Best.Node);
    Order.push_back(Best.Node);
  }
  assert(Order.size() == Nodes && "the edges have a cycle");
  return Order;
}

namespace {

/// The state of orderWithin, whose time runs backwards: cycle 0 is after the
/// region's last instruction.
class BottomUp {
public:
  BottomUp(const Region &R, const RegisterBudget &Budget);
  Candidate look(uint32_t Node) const;
  void place(uint32_t Node);

  std::vector<uint32_t> Ready;

private:
  const Region &R;
  RegisterBudget Budget;
  LiveCount Live;
  std::vector<bool> IsLive;        // by value: before what is placed
  std::vector<uint32_t> SuccsLeft; // by node: not placed yet
  std::vector<uint64_t> Depth;     // by node: cycles from the start
  struct Pred {
    uint32_t From, Latency;
  };
  std::vector<std::vector<Pred>> Preds; // by node
  std::vector<uint64_t> ReadyAt;        // by node
  uint64_t Now = 0;
};

} // namespace

BottomUp::BottomUp(const Region &R, const RegisterBudget &Budget)
    : R(R), Budget(Budget), Live{R.UnitsThrough, R.PredsThrough},
      IsLive(R.Values.size()), SuccsLeft(R.Nodes.size()), Depth(R.Nodes.size()),
      Preds(R.Nodes.size()), ReadyAt(R.Nodes.size()) {
  for (uint32_t V = 0; V != R.Values.size(); ++V)
    if (R.Values[V].LivesOut) {
      IsLive[V] = true;
      Live.add(R.Values[V]);
    }
  for (uint32_t N = 0; N != R.Nodes.size(); ++N) {
    SuccsLeft[N] = R.Nodes[N].Succs.size();
    for (RegionNode::Edge E : R.Nodes[N].Succs) {
      assert(E.To > N && "an edge leads back");
      Preds[E.To].push_back({N, E.Latency});
      Depth[E.To] =
          std::max(Depth[E.To], Depth[N] + R.Nodes[N].Slots - 1 + E.Latency);
    }
  }
  for (uint32_t N = 0; N != R.Nodes.size(); ++N)
    if (!SuccsLeft[N])
      Ready.push_back(N);
}

Candidate BottomUp::look(uint32_t Node) const {
  const RegionNode &N = R.Nodes[Node];
  LiveCount Before = Live;
  unsigned DeadUnits = 0, DeadPreds = 0;
  for (uint32_t V : N.Writes) {
    if (IsLive[V]) {
      Before.remove(R.Values[V]);
    } else {
      DeadUnits += R.Values[V].Units;
      DeadPreds += R.Values[V].IsPred;
    }
  }
  for (uint32_t V : N.Reads)
    if (!IsLive[V])
      Before.add(R.Values[V]);
  Candidate C{Node};
  C.Over =
      beyond(std::max(Before.Units, Live.Units + DeadUnits), Budget.Units) +
      4 * beyond(std::max(Before.Preds, Live.Preds + DeadPreds), Budget.Preds);
  C.Stall = ReadyAt[Node] > Now ? ReadyAt[Node] - Now : 0;
  C.Path = Depth[Node];
  C.Rank = ~Node;
  C.Growth =
      int(Before.Units) - int(Live.Units) + int(Before.Preds) - int(Live.Preds);
  return C;
}

void BottomUp::place(uint32_t Node) {
  const RegionNode &N = R.Nodes[Node];
  for (uint32_t V : N.Writes)
    if (IsLive[V]) {
      IsLive[V] = false;
      Live.remove(R.Values[V]);
    }
  for (uint32_t V : N.Reads)
    if (!IsLive[V]) {
      IsLive[V] = true;
      Live.add(R.Values[V]);
    }
  Now = std::max(Now, ReadyAt[Node]) + N.Slots;
  for (Pred P : Preds[Node]) {
    if (P.Latency)
      ReadyAt[P.From] = std::max(ReadyAt[P.From], Now + P.Latency - 1);
    if (--SuccsLeft[P.From] == 0)
      Ready.push_back(P.From);
  }
}

namespace {

/// The state of orderFromStart, whose time runs forwards.
class TopDown {
public:
  TopDown(const Region &R, const RegisterBudget &Budget);
  Candidate look(uint32_t Node) const;
  void place(uint32_t Node);

  std::vector<uint32_t> Ready;

private:
  const Region &R;
  RegisterBudget Budget;
  LiveCount Live;
  std::vector<uint32_t> ReadersLeft; // by value
  std::vector<uint32_t> PredsLeft;   // by node
  std::vector<uint64_t> Height;      // by node: cycles to the region's end
  std::vector<uint64_t> ReadyAt;     // by node
  uint64_t Now = 0;
};

} // namespace

TopDown::TopDown(const Region &R, const RegisterBudget &Budget)
    : R(R), Budget(Budget), Live{R.UnitsThrough, R.PredsThrough},
      PredsLeft(R.Nodes.size()), Height(R.Nodes.size()),
      ReadyAt(R.Nodes.size()) {
  for (const RegionValue &V : R.Values) {
    ReadersLeft.push_back(V.Readers);
    if (V.LivesIn)
      Live.add(V);
  }
  for (uint32_t N = R.Nodes.size(); N-- != 0;)
    for (RegionNode::Edge E : R.Nodes[N].Succs) {
      ++PredsLeft[E.To];
      Height[N] =
          std::max(Height[N], Height[E.To] + R.Nodes[N].Slots - 1 + E.Latency);
    }
  for (uint32_t N = 0; N != R.Nodes.size(); ++N)
    if (!PredsLeft[N])
      Ready.push_back(N);
}

Candidate TopDown::look(uint32_t Node) const {
  const RegionNode &N = R.Nodes[Node];
  LiveCount After = Live;
  for (uint32_t V : N.Reads)
    if (ReadersLeft[V] == 1 && !R.Values[V].LivesOut)
      After.remove(R.Values[V]);
  LiveCount At = After;
  for (uint32_t V : N.Writes) {
    At.add(R.Values[V]);
    if (R.Values[V].Readers || R.Values[V].LivesOut)
      After.add(R.Values[V]);
  }
  Candidate C{Node};
  C.Over = beyond(At.Units, Budget.Units) + 4 * beyond(At.Preds, Budget.Preds);
  C.Stall = ReadyAt[Node] > Now ? ReadyAt[Node] - Now : 0;
  C.Path = Height[Node];
  C.Rank = Node;
  C.Growth =
      int(After.Units) - int(Live.Units) + int(After.Preds) - int(Live.Preds);
  return C;
}

void TopDown::place(uint32_t Node) {
  const RegionNode &N = R.Nodes[Node];
  for (uint32_t V : N.Reads)
    if (--ReadersLeft[V] == 0 && !R.Values[V].LivesOut)
      Live.remove(R.Values[V]);
  for (uint32_t V : N.Writes)
    if (R.Values[V].Readers || R.Values[V].LivesOut)
      Live.add(R.Values[V]);
  uint64_t Issued = std::max(Now, ReadyAt[Node]);
  Now = Issued + N.Slots;
  for (RegionNode::Edge E : N.Succs) {
    ReadyAt[E.To] = std::max(ReadyAt[E.To], Issued + N.Slots - 1 + E.Latency);
    if (--PredsLeft[E.To] == 0)
      Ready.push_back(E.To);
  }
}

RegionOrder orderFromStart(const Region &R, const RegisterBudget &Budget) {
  TopDown State(R, Budget);
  return placeAll(State, R.Nodes.size());
}

RegionOrder orderWithin(const Region &R, const RegisterBudget &Budget) {
  BottomUp State(R, Budget);
  RegionOrder Order = placeAll(State, R.Nodes.size());
  std::reverse(Order.begin(), Order.end());
  return Order;
}

/// Whether an order of cost \p A is to be preferred to one of cost \p B.
static bool isCheaper(const OrderCost &A, const OrderCost &B,
                      const RegisterBudget &Budget) {
  if (A.fits(Budget) != B.fits(Budget))
    return A.fits(Budget);
  if (!A.fits(Budget) && std::pair(A.PeakPreds > Budget.Preds, A.PeakUnits) !=
                             std::pair(B.PeakPreds > Budget.Preds, B.PeakUnits))
    return std::pair(A.PeakPreds > Budget.Preds, A.PeakUnits) <
           std::pair(B.PeakPreds > Budget.Preds, B.PeakUnits);
  return std::pair(A.Cycles, A.PeakUnits) < std::pair(B.Cycles, B.PeakUnits);
}

namespace {

/// The best order so far.
struct BestOrder {
  const Region &R;
  const RegisterBudget &Budget;
  RegionOrder Order;
  OrderCost Cost;

  void tryAll(RegionOrder (*Schedule)(const Region &, const RegisterBudget &));
};

} // namespace

/// Takes what \p Schedule finds if it is better. List scheduling that goes
/// beyond the budget has begun to save too late, and one that keeps to it may
/// take registers that save no cycle: it is asked for less as long as either
/// is so.
void BestOrder::tryAll(RegionOrder (*Schedule)(const Region &,
                                               const RegisterBudget &)) {
  const unsigned Step = std::max(Budget.Units / 8, 1u);
  for (unsigned Asked = Budget.Units;;) {
    RegionOrder Found = Schedule(R, {Asked, Budget.Preds});
    OrderCost FoundCost = costOf(R, Found);
    bool Fits = FoundCost.fits(Budget);
    bool IsSlower = FoundCost.Cycles > Cost.Cycles;
    if (isCheaper(FoundCost, Cost, Budget)) {
      Order = std::move(Found);
      Cost = FoundCost;
    }
    if (!Asked || (Fits && IsSlower))
      return;
    Asked -= std::min(Asked, Step);
    if (Fits)
      Asked = std::min(Asked, std::max(FoundCost.PeakUnits, 1u) - 1);
  }
}

RegionOrder chooseOrder(const Region &R, const RegisterBudget &Budget) {
  RegionOrder Given(R.Nodes.size());
  std::iota(Given.begin(), Given.end(), 0);
  OrderCost GivenCost = costOf(R, Given);
  BestOrder Best{R, Budget, std::move(Given), GivenCost};
  Best.tryAll(orderFromStart);
  Best.tryAll(orderWithin);
  return std::move(Best.Order);
}

} // namespace regshare
