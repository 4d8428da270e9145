//===- WarpExplorer.cpp - All that a warp can do --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpExplorer.h"

#include "LivenessOracle.h"

#include <algorithm>

namespace regshare::test {

static uint32_t unitMask(const std::vector<ModelReg> &Regs) {
  uint32_t Mask = 0;
  unitsOf(Regs).forEach([&](unsigned Unit) {
    if (Unit < 32)
      Mask |= 1u << Unit;
  });
  return Mask;
}

static bool takesIssueSlot(const ModelItem &I) {
  return I.K != ModelItem::Free && I.K != ModelItem::Dead &&
         I.K != ModelItem::Interval;
}

/// Lanes that have nothing left to do but to end do not wait for others; where
/// an endless loop leaves it open where lanes meet, it is some block.
int WarpExplorer::meetingPoint(unsigned Block) const {
  std::optional<unsigned> Meet = immediatePostDominator(M.F, Block);
  if (!Meet && canRunForever(M.F))
    return int(Block * 7 % (M.F.Blocks.size() + 1)) - 1;
  if (!Meet || (M.F.Blocks[*Meet].Succs.empty() &&
                std::ranges::none_of(M.Items[*Meet], takesIssueSlot)))
    return NoBlock;
  return int(*Meet);
}

WarpExplorer::WarpExplorer(const AnnotatedModel &M,
                           const std::vector<bool> &Divergent)
    : M(M), Divergent(Divergent) {
  for (unsigned B = 0; B != M.F.Blocks.size(); ++B)
    Meets.push_back(meetingPoint(B));
  if (M.Split)
    Extended = ~0u << M.Split->Base;
  if (M.Bounds)
    readIntervals();
}

void WarpExplorer::readIntervals() {
  unsigned Now = NoModelInterval;
  for (const std::vector<ModelItem> &Items : M.Items) {
    std::vector<unsigned> &Block = IntervalOf.emplace_back();
    for (const ModelItem &I : Items) {
      if (I.K == ModelItem::Prefetch || I.K == ModelItem::Interval)
        Now = I.Index;
      if (I.K == ModelItem::Prefetch)
        for (unsigned Unit : I.Units)
          Vectors[Now] |= 1u << Unit;
      Block.push_back(Now);
    }
    Block.push_back(Now);
  }
}

bool WarpExplorer::run(unsigned MaxStates) {
  State Start;
  Start.Alive = (1u << NumLanes) - 1;
  Start.Stack.push_back({0, 0, Start.Alive});
  push(Start);
  while (!Worklist.empty()) {
    if (Seen.size() > MaxStates)
      return false;
    State S = std::move(Worklist.back());
    Worklist.pop_back();
    step(std::move(S));
  }
  return true;
}

/// Keeps \p S for later, unless it has been seen.
void WarpExplorer::push(State S) {
  std::string Key;
  auto Put = [&](unsigned Value) { Key += char(Value); };
  for (const Entry &E : S.Stack) {
    Put(E.Block);
    Put(E.Item);
    Put(E.Lanes | E.AtBarrier << 3 | E.AtWarpSync << 4);
    Put(unsigned(E.Meet + 1));
    for (unsigned Shift = 0; Shift != 32; Shift += 8)
      Put(E.Tried >> Shift);
  }
  Put(S.Acquired | S.Alive << 1 | S.AtBarrier << 4);
  for (uint32_t Lost : S.Lost)
    Key.append(reinterpret_cast<const char *>(&Lost), sizeof Lost);
  Put(unsigned(S.BarrierBlock + 1));
  Put(S.BarrierItem);
  Put(S.Cached);
  Put(S.Cached >> 8);
  Put(S.Resumed);
  if (Seen.insert(Key).second)
    Worklist.push_back(std::move(S));
}

/// Pops what is done. False if nothing is left.
bool WarpExplorer::settle(State &S) {
  while (!S.Stack.empty() && isDone(S.Stack.back())) {
    S.Stack.pop_back();
    S.Resumed = true;
  }
  return !S.Stack.empty();
}

void WarpExplorer::step(State S) {
  if (!settle(S))
    return;
  if (S.Stack.back().AtBarrier)
    return waitForOthers(S);
  if (S.Stack.back().Item < M.Items[S.Stack.back().Block].size())
    return item(std::move(S));
  terminator(std::move(S));
}

void WarpExplorer::lose(State &S, uint32_t Units) {
  for (uint32_t &Lost : S.Lost)
    Lost |= Units;
}

/// What LTRF asks of any instruction. False if the run ends here.
bool WarpExplorer::interval(State &S, uint32_t Named) {
  if (!M.Bounds)
    return true;
  const Entry &Top = S.Stack.back();
  unsigned Here = IntervalOf[Top.Block][Top.Item];
  bool Resumed = std::exchange(S.Resumed, false);
  uint32_t Vector = 0;
  if (Here != NoModelInterval) {
    if (Resumed)
      S.Cached = Here;
    if (S.Cached != Here) {
      note(BrokenRule::Prefetched, Top);
      return false;
    }
    Vector = Vectors[Here];
  }
  if (Named & ~Vector)
    note(BrokenRule::InVector, Top);
  return true;
}

/// False if the run ends here, as the machine ends it.
bool WarpExplorer::instr(State &S, const std::vector<ModelReg> &Defs,
                         const std::vector<ModelReg> &Uses) {
  const Entry &Top = S.Stack.back();
  uint32_t Reads = unitMask(Uses), Writes = unitMask(Defs);
  if ((Reads | Writes) & Extended && !S.Acquired) {
    note(BrokenRule::HeldAtUse, Top);
    return false;
  }
  if (!interval(S, Reads | Writes))
    return false;
  for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
    if (Top.Lanes >> Lane & 1) {
      if (S.Lost[Lane] & Reads)
        note(BrokenRule::Lost, Top);
      S.Lost[Lane] &= ~Writes;
    }
  return true;
}

void WarpExplorer::item(State S) {
  Entry &Top = S.Stack.back();
  const ModelItem &I = M.Items[Top.Block][Top.Item];
  switch (I.K) {
  case ModelItem::Instr: {
    const ModelInstr &MI = M.F.Blocks[Top.Block].Instrs[I.Index];
    if (MI.Op == ModelOp::Ballot)
      yield(S);
    if (!instr(S, MI.Defs, MI.Uses))
      return;
    break;
  }
  case ModelItem::Acquire:
    S.Acquired = true;
    break;
  case ModelItem::Release:
    if (S.Acquired)
      lose(S, Extended);
    S.Acquired = false;
    break;
  case ModelItem::Free: {
    uint32_t Units = 0;
    for (unsigned Unit : I.Units)
      Units |= 1u << Unit;
    // While lanes wait at a barrier, nothing is freed.
    if (!S.AtBarrier)
      lose(S, Units);
    break;
  }
  case ModelItem::Prefetch:
    S.Cached = I.Index;
    S.Resumed = false;
    break;
  case ModelItem::Interval:
    break;
  case ModelItem::Dead: {
    uint32_t Units = 0;
    for (unsigned Unit : I.Units)
      Units |= 1u << Unit;
    lose(S, Units);
    break;
  }
  case ModelItem::Barrier:
    if (!interval(S, 0))
      return;
    return barrier(std::move(S));
  case ModelItem::WarpBarrier:
    if (!interval(S, 0))
      return;
    yield(S);
    break;
  }
  S.Stack.back().AtWarpSync = false;
  ++S.Stack.back().Item;
  push(std::move(S));
}

//===----------------------------------------------------------------------===//
// Lanes that wait for lanes
//===----------------------------------------------------------------------===//

void WarpExplorer::barrier(State S) {
  Entry &Top = S.Stack.back();
  if (S.Acquired)
    return note(BrokenRule::HeldAtWait, Top);
  // At a barrier elsewhere others wait already: the program's own mistake.
  bool Elsewhere =
      S.BarrierBlock != int(Top.Block) || S.BarrierItem != Top.Item;
  if (S.AtBarrier && Elsewhere)
    return;
  S.BarrierBlock = int(Top.Block);
  S.BarrierItem = Top.Item;
  S.AtBarrier |= Top.Lanes;
  Top.AtBarrier = true;
  ++Top.Item;
  waitForOthers(S);
}

/// The top waits at a barrier: goes on if all lanes do, or else with those that
/// parted from it last, sides before where they meet.
void WarpExplorer::waitForOthers(const State &S) {
  if (!(S.Alive & ~S.AtBarrier)) {
    if (S.Acquired) {
      Broken.insert(
          {BrokenRule::HeldAtWait, unsigned(S.BarrierBlock), S.BarrierItem});
      return;
    }
    State Next = S;
    Next.AtBarrier = 0;
    Next.BarrierBlock = NoBlock;
    Next.BarrierItem = 0;
    for (Entry &E : Next.Stack)
      E.AtBarrier = false;
    Next.Resumed = true;
    return push(std::move(Next));
  }
  LaneMask Above = S.Stack.back().Lanes;
  for (size_t K = S.Stack.size() - 1; K-- > 0;) {
    const Entry &E = S.Stack[K];
    LaneMask Here = E.Lanes & ~Above;
    Above |= E.Lanes;
    if (!(Here & ~S.AtBarrier) || E.AtBarrier || isDone(E))
      continue;
    State Next = S;
    if (Here == E.Lanes) {
      std::rotate(Next.Stack.begin() + K, Next.Stack.begin() + K + 1,
                  Next.Stack.end());
    } else {
      Entry Ahead = E;
      Ahead.Lanes = Here;
      Next.Stack[K].Lanes &= ~Here;
      Next.Stack.push_back(Ahead);
    }
    Next.Resumed = true;
    return push(std::move(Next));
  }
}

/// Lets any other side run first.
void WarpExplorer::yield(const State &S) {
  LaneMask Above = S.Stack.back().Lanes;
  for (size_t K = S.Stack.size() - 1; K-- > 0;) {
    const Entry &E = S.Stack[K];
    bool IsLeaf = !(E.Lanes & Above);
    Above |= E.Lanes;
    if (!IsLeaf || isDone(E) || E.AtBarrier || E.AtWarpSync)
      continue;
    State Next = S;
    Next.Stack.back().AtWarpSync = true;
    std::rotate(Next.Stack.begin() + K, Next.Stack.begin() + K + 1,
                Next.Stack.end());
    Next.Resumed = true;
    push(std::move(Next));
  }
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The top's lanes part: \p FirstLanes run first, from the start of their
/// block. Those that already are where the two meet wait there.
void WarpExplorer::part(const State &S, unsigned First, LaneMask FirstLanes,
                        unsigned Second, unsigned SecondItem,
                        LaneMask SecondLanes) {
  State Next = S;
  Entry Old = Next.Stack.back();
  int Meet = Meets[Old.Block];
  if (Meet == NoBlock || Meet == Old.Meet) {
    Next.Stack.pop_back();
    Meet = Old.Meet;
  } else {
    Next.Stack.back().Block = unsigned(Meet);
    Next.Stack.back().Item = 0;
    Next.Stack.back().Tried = 0;
  }
  Entry Later{Second, SecondItem, SecondLanes, Meet};
  if (Second == Old.Block && SecondItem == Old.Item)
    Later.Tried = Old.Tried | 1u << First;
  if (!isDone(Later))
    Next.Stack.push_back(Later);
  Entry Now{First, 0, FirstLanes, Meet};
  if (!isDone(Now))
    Next.Stack.push_back(Now);
  push(std::move(Next));
}

void WarpExplorer::branch(const State &S, unsigned Target, LaneMask Taken) {
  const Entry &Top = S.Stack.back();
  const std::vector<unsigned> &Succs = M.F.Blocks[Top.Block].Succs;
  LaneMask Others = Top.Lanes & ~Taken;
  if (!Others) {
    State Next = S;
    Next.Stack.back().Block = Target;
    Next.Stack.back().Item = 0;
    Next.Stack.back().Tried = 0;
    return push(std::move(Next));
  }
  // A switch is executed again for the lanes that want other targets.
  if (Succs.size() > 2)
    return part(S, Target, Taken, Top.Block, Top.Item, Others);
  unsigned Other = Target == Succs[0] ? Succs[1] : Succs[0];
  part(S, Target, Taken, Other, 0, Others);
}

void WarpExplorer::terminator(State S) {
  Entry Top = S.Stack.back();
  const ModelBlock &Block = M.F.Blocks[Top.Block];
  if (!instr(S, {}, Block.terminatorUses()))
    return;
  if (Block.Succs.empty()) {
    S.Alive &= ~Top.Lanes;
    for (Entry &E : S.Stack)
      E.Lanes &= ~Top.Lanes;
    for (unsigned Lane = 0; Lane != NumLanes; ++Lane)
      if (Top.Lanes >> Lane & 1)
        S.Lost[Lane] = 0;
    return push(std::move(S));
  }
  for (unsigned Target : Block.Succs) {
    if (Top.Tried >> Target & 1)
      continue;
    if (!Divergent[Top.Block]) {
      branch(S, Target, Top.Lanes);
      continue;
    }
    for (LaneMask Taken = Top.Lanes; Taken; Taken = (Taken - 1) & Top.Lanes)
      branch(S, Target, Taken);
  }
}

} // namespace regshare::test
