//===- WarpSync.cpp - Lanes that wait for each other ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <algorithm>
#include <array>
#include <bit>

namespace regshare::sim {

/// Continues with \p Lanes of the stack's entry \p K alone, on the storage of
/// the frame that the entry is in: a lane has its own part of every row.
void Warp::runAhead(size_t K, size_t FrameNumber, uint32_t Lanes) {
  StackEntry E = Stack[K];
  E.Mask = Lanes;
  Stack[K].Mask &= ~Lanes;
  if (FrameNumber + 1 != Frames.size()) {
    Frame F = Frames[FrameNumber];
    F.StackBase = uint32_t(Stack.size());
    Frames.push_back(F);
    bindFrame(Frames.back());
  }
  Stack.push_back(E);
}

/// Brings some of \p Lanes to the top. If they may run \p Ahead of the others,
/// this includes those that wait where the sides of a branch meet, and those of
/// calling functions. False if no lane can.
bool Warp::yieldTo(uint32_t Lanes, bool Ahead) {
  uint32_t Above = Stack.back().Mask;
  size_t FrameNumber = Frames.size() - 1;
  for (size_t K = Stack.size() - 1; K-- > 0;) {
    while (K < Frames[FrameNumber].StackBase)
      --FrameNumber;
    bool InFrame = FrameNumber + 1 == Frames.size();
    if (!InFrame && !Ahead)
      return false;
    uint32_t Here = Stack[K].Mask & ~Above;
    Above |= Stack[K].Mask;
    if (!(Here & Lanes) || Stack[K].AtBarrier)
      continue;
    if (InFrame && Here == Stack[K].Mask && !Stack[K].isDone()) {
      std::rotate(Stack.begin() + K, Stack.begin() + K + 1, Stack.end());
      return true;
    }
    if (Ahead && !Stack[K].isDone()) {
      runAhead(K, FrameNumber, Here);
      return true;
    }
  }
  return false;
}

/// The member masks of the lanes.
const uint32_t *Warp::membersOf(const Inst &I) const {
  static constexpr auto All = [] {
    std::array<uint32_t, WarpSize> Masks{};
    Masks.fill(FullMask);
    return Masks;
  }();
  return I.MemberOp == AllMembers ? All.data() : C.row(I.Ops[I.MemberOp]);
}

/// Lanes of other entries that wait at the same instruction for the same lanes:
/// their branches' sides meet only later. They take part, and continue where
/// they are.
uint32_t Warp::joinWarpSync(const Inst &I, uint32_t Members) {
  uint32_t Joined = 0;
  for (size_t K = Frames.back().StackBase; K + 1 < Stack.size(); ++K) {
    StackEntry &E = Stack[K];
    uint32_t Lanes = E.Mask & C.pred(I.Guard);
    if (E.AtWarpSync && E.Pc == Stack.back().Pc && Lanes &&
        membersOf(I)[std::countr_zero(Lanes)] == Members)
      Joined |= Lanes;
  }
  return Joined;
}

/// Lanes that name different members execute the instruction one group after
/// the other, as Volta and later do: they part here and meet after it. False if
/// all name the same.
bool Warp::partByMembers(const Inst &I) {
  const uint32_t *Members = membersOf(I);
  auto Same = [&](uint32_t Lanes) {
    uint32_t Group = 0, First = Members[std::countr_zero(Lanes)];
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1)
      if (Members[std::countr_zero(Rest)] == First)
        Group |= Rest & -Rest;
    return Group;
  };
  if (Same(C.Mask) == C.Mask)
    return false;
  std::vector<uint32_t> Groups;
  for (uint32_t Rest = C.Mask; Rest; Rest &= ~Groups.back())
    Groups.push_back(Same(Rest));
  StackEntry Top = Stack.back();
  uint32_t Next = Top.Pc + 1;
  lanesChange();
  if (Next == Top.Reconverge)
    Stack.pop_back();
  else
    Stack.back().Pc = Next;
  for (size_t N = Groups.size(); N-- > 0;)
    Stack.push_back({Groups[N], Top.Pc, Next});
  return true;
}

/// Those that have joined execute it as well, and go on after it.
void Warp::passJoined(uint32_t Joined) {
  for (StackEntry &E : Stack)
    if (E.Mask & Joined && E.AtWarpSync) {
      E.AtWarpSync = false;
      ++E.Pc;
    }
  C.Mask |= Joined;
}

/// A warp-synchronous instruction waits for the lanes its mask names. Those
/// may be on another side of a branch: it runs first then.
StepStatus Warp::warpSync(const Inst &I, bool &Proceed) {
  if (partByMembers(I))
    return StepStatus::Ran;
  StackEntry &Top = Stack.back();
  unsigned First = std::countr_zero(C.Mask);
  uint32_t Members = membersOf(I)[First];
  bool Barrier = I.Kind == InstKind::WarpBarrier;
  C.Silent = 0;
  if (C.Mask & ~Members && !Barrier)
    return fail("a thread executes a warp-synchronous instruction whose member "
                "mask leaves it out",
                std::countr_zero(C.Mask & ~Members));
  uint32_t Joined = 0, Absent = Members & C.Alive & ~C.Mask;
  if (Absent) {
    Joined = joinWarpSync(I, Members);
    Absent &= ~Joined;
  }
  if (!Absent) {
    Top.AtWarpSync = false;
    passJoined(Joined);
    Proceed = true;
    return StepStatus::Ran;
  }
  // Lanes that wait at a synchronisation of their own will not come.
  uint32_t Stuck = 0;
  for (const StackEntry &E : Stack)
    if (E.AtWarpSync)
      Stuck |= E.Mask;
  Top.AtWarpSync = true;
  if (Absent & ~Stuck && yieldTo(Absent & ~Stuck, /*Ahead=*/false))
    return StepStatus::Ran;
  Top.AtWarpSync = false;
  if (Barrier) {
    // Lanes that wait where the branch's sides meet have passed it already.
    Proceed = true;
    return StepStatus::Ran;
  }
  static constexpr char Rule[] = "the member mask names threads that do not "
                                 "execute the instruction: they wait elsewhere";
  if (!L.Options.Lenient)
    return fail(Rule, First);
  passJoined(Joined);
  goOnWithout(Rule, First);
  Proceed = true;
  return StepStatus::Ran;
}

StepStatus Warp::barrier(const Inst &I) {
  StackEntry &Top = Stack.back();
  if (!C.Mask) {
    ++Top.Pc;
    return Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
  }
  unsigned First = std::countr_zero(C.Mask);
  bool OfCluster = I.Round == RoundOfCluster;
  uint32_t Barrier = OfCluster ? ClusterBarrier : C.row(I.Ops[0])[First];
  uint32_t Threads = I.Count ? C.row(I.Ops[1])[First] : 0;
  if (Barrier >= 16 && !OfCluster)
    return fail("barrier " + std::to_string(Barrier) +
                    "; a CTA has barriers 0 to 15",
                First);
  if (Threads % WarpSize)
    return fail("a barrier for " + std::to_string(Threads) +
                    " threads; the count is a multiple of the warp size",
                First);
  if (BarrierOp(I.Imm) != BarrierOp::Arrive)
    if (std::optional<Violation> V = ruleAgainstWaiting())
      return fail(*V);
  if (BarrierLanes && BarrierInst != &I && I.Flags & FlagAligned)
    return fail("a barrier in divergent code: other threads of the warp wait "
                "at another barrier instruction",
                First);
  BarrierLanes |= C.Mask;
  BarrierVotes |= C.Mask & C.pred(I.Ops[2]);
  BarrierInst = &I;
  BarrierNumber = Barrier;
  BarrierThreads = Threads;
  ++Top.Pc;
  Top.AtBarrier = true;
  return arriveTogether();
}

/// A warp arrives at a barrier once all of its lanes have that are left. Lanes
/// that wait where the sides of a branch meet go on meanwhile: what follows may
/// be the code of two exits that the compiler has merged.
StepStatus Warp::arriveTogether() {
  uint32_t Absent = C.Alive & ~BarrierLanes;
  if (Absent) {
    if (!yieldTo(Absent, /*Ahead=*/true))
      return fail("a barrier in divergent code: other threads of the warp do "
                  "not come to it",
                  std::countr_zero(Absent));
    return StepStatus::Ran;
  }
  C.Mask = C.Alive;
  uint32_t Votes = BarrierVotes & C.Alive;
  BarrierLanes = BarrierVotes = 0;
  auto Op = BarrierOp(BarrierInst->Imm);
  // Lanes that ran ahead to their end may have acquired something.
  if (Op != BarrierOp::Arrive)
    if (std::optional<Violation> V = ruleAgainstWaiting())
      return fail(*V);
  if (BarrierNumber == ClusterBarrier) {
    if (AtCluster != (Op != BarrierOp::Arrive))
      return fail(AtCluster ? "a thread arrives at the cluster's barrier again "
                              "without having waited there"
                            : "a thread waits at the cluster's barrier without "
                              "having arrived there",
                  std::countr_zero(C.Mask));
    AtCluster = !AtCluster;
  }
  if (Owner.arrive(*this, BarrierNumber, BarrierThreads, Op, Votes)) {
    Blocked = true;
    return StepStatus::Blocked;
  }
  if (!Blocked)
    for (StackEntry &E : Stack)
      E.AtBarrier = false;
  return Stack.back().isDone() ? afterStep() : StepStatus::Ran;
}

/// The value of a barrier's reduction, for the lanes of an entry that waits.
void Warp::deliver(const Frame &F, const StackEntry &E, uint32_t Value) {
  const Inst &I = F.Fn->Code[E.Pc - 1];
  C.Mask = E.Mask & C.Alive;
  bindFrame(F);
  if (I.Imm == int64_t(BarrierOp::Popc)) {
    uint32_t *Dest = C.dest(I.Ops[3]);
    for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1)
      Dest[std::countr_zero(Rest)] = Value;
  } else if (I.Imm > int64_t(BarrierOp::Popc)) {
    C.setPred(I.Ops[3], Value ? FullMask : 0);
  }
}

void Warp::release(uint32_t Value) {
  Blocked = false;
  size_t FrameNumber = Frames.size() - 1;
  for (size_t K = Stack.size(); K-- > 0;) {
    while (K < Frames[FrameNumber].StackBase)
      --FrameNumber;
    if (Stack[K].AtBarrier)
      deliver(Frames[FrameNumber], Stack[K], Value);
    Stack[K].AtBarrier = false;
  }
  C.Mask = C.Alive;
  bindFrame(Frames.back());
  if (Stack.back().isDone())
    afterStep();
}

} // namespace regshare::sim
