//===- SmCore.h - The pipeline of an SM -------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Issue, operand delivery and write-back, compiled for a scheme (Scheme.h)
/// and an operand organisation (OperandPaths.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SMCORE_H
#define REGSHARE_SIM_TIMING_CORE_SMCORE_H

#include "Sm.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

template <typename SchemeT, typename PathT> class SmCore final : public Sm {
  static_assert(std::is_final_v<SchemeT> &&
                    std::is_base_of_v<SchemeHooks, SchemeT>,
                "hooks are not called through a table");

public:
  SmCore(const SmContext &Context, unsigned Id);

  void run(Cycle Until) override;
  Cycle nextEvent() const override { return std::min(Next, LsuNext); }

private:
  static constexpr bool Refuses = overrides<decltype(&SchemeT::mayIssue)>;

  unsigned ctaLimit() const override { return Sharing.ctaLimit(); }
  unsigned warpsThatFit() const override {
    return Sharing.warpsThatFit(FreeSlots);
  }
  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override {
    return Sharing.slotFor(Free, Mine, CtaSlot, Index);
  }
  void arrived(unsigned Index) override;
  void left(unsigned Index) override;
  void stepsOver(unsigned Index, Rows Dead) override;
  HeldBackBy heldBackBy(unsigned Index) const override {
    return Sharing.heldBackBy(Slots[Index].Ref);
  }
  SharingStats sharingStats() const override;
  RegisterCacheStats cacheStats() const override;
  OperandCacheStats operandCacheStats() const override;
  unsigned sharedInUse() const override { return Sharing.inUse(); }
  Cycle comparisonPeriod() const override { return Sharing.comparisonPeriod(); }
  void compareStalls(uint64_t Own, uint64_t OfFirst) override;
  void holdBack(unsigned Index);
  void wakeHeldBack();
  void notePops(Slot &W);
  bool obeys(const Slot &W, const CodePlace &Cause);
  void tellScheme(Slot &W, const IssueInfo &Info);

  void simulateCycle();
  void writeBack();
  uint32_t banksWritten(const Flight &F) const;
  OperandPlace placeOfResult(const WarpRef &W, unsigned Row) const {
    if constexpr (overrides<decltype(&SchemeT::write)>)
      return Sharing.write(W, Row);
    else
      return Sharing.read(W, Row);
  }
  void tickLoadStore();
  void tickOperands();
  void updateActiveSets();
  void limitActiveWarps(const Slot &First);
  bool issueFrom(unsigned S);
  uint64_t candidates(unsigned S) const;
  SlotUse lostFor(unsigned S) const;
  SlotUse refusal(unsigned P, unsigned S) const;
  void issue(unsigned Index, unsigned S);
  void start(Slot &W, const IssueInfo &Info, unsigned S);
  void settle(unsigned Index, const IssueInfo &Info, StepStatus Status);
  Cycle nextQuantum() const {
    return (Now / Context.Quantum + 1) * Context.Quantum;
  }

  const CoreConfig &Core;
  SchemeT Sharing;
  PathT Path;
  std::vector<WarpScheduler> Schedulers;
  std::vector<uint64_t> SchedulerWarps;
  std::vector<SlotUse> LastUse;  ///< Of each scheduler, in the last cycle.
  std::vector<uint32_t> Results; ///< That wait for a port, oldest first.
  std::vector<uint32_t> Due;
  std::vector<LoadStoreUnit::Completion> Done;
  uint32_t WriteBanks = 0;
  uint64_t Nanoseconds = 0;
  Cycle Next = Never; ///< The next cycle in which the pipeline moves.
};

template <typename SchemeT, typename PathT>
SmCore<SchemeT, PathT>::SmCore(const SmContext &Context, unsigned Id)
    : Sm(Context, Id), Core(Context.Sharing.Core), Sharing(Context.Sharing),
      Path(Core), LastUse(Core.Schedulers, SlotUse::NoWarp) {
  Sharing.runsOn(Id, Context.NumSms);
  Sharing.connect(Lsu.scratchpad());
  for (unsigned S = 0; S != Core.Schedulers; ++S) {
    Schedulers.emplace_back(Core.Policy,
                            std::max(1u, Core.ActiveWarps / Core.Schedulers));
    uint64_t Warps = 0;
    for (unsigned Index = S; Index < MaxWarpSlots; Index += Core.Schedulers)
      Warps |= uint64_t(1) << Index;
    SchedulerWarps.push_back(Warps);
  }
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::arrived(unsigned Index) {
  WarpScheduler &S = Schedulers[Index % Core.Schedulers];
  S.arrive(Index);
  Sharing.resident(Slots[Index].Ref);
  if (!S.isTwoLevel())
    Sharing.activated(Slots[Index].Ref);
  Next = Now;
  obeys(Slots[Index], Slots[Index].W->nextPlace());
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::left(unsigned Index) {
  if (Slots[Index].Holds)
    record(TimelineEvent::HoldEnd, Slots[Index]);
  Sharing.finished(Slots[Index].Ref);
  obeys(Slots[Index], Slots[Index].W->lastPlace());
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::stepsOver(unsigned Index, Rows Dead) {
  const Slot &W = Slots[Index];
  Sharing.steppedOver(W.Ref, *W.Next);
  if (Dead.empty())
    return;
  for (uint32_t Row : Dead)
    Sharing.freed(W.Ref, Row, isOnItsWay(Index, Row));
  obeys(W, W.W->nextPlace());
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
SharingStats SmCore<SchemeT, PathT>::sharingStats() const {
  SharingStats S = Sharing.stats();
  S.WaitCycles = Stats.WaitCycles;
  return S;
}

template <typename SchemeT, typename PathT>
RegisterCacheStats SmCore<SchemeT, PathT>::cacheStats() const {
  RegisterCacheStats S = Sharing.cacheStats();
  if (S.isEmpty())
    return S;
  S.WaitCycles = Stats.WaitCycles;
  return S;
}

template <typename SchemeT, typename PathT>
OperandCacheStats SmCore<SchemeT, PathT>::operandCacheStats() const {
  OperandCacheStats S = Sharing.operandCacheStats();
  if (!S.isEmpty())
    S.WaitCycles = Stats.WaitCycles;
  return S;
}

/// The scheme refused the warp, which asks again once it is woken.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::holdBack(unsigned Index) {
  Slot &W = Slots[Index];
  moveTo(Index, HeldClass);
  if (Cycle Ready = Sharing.readyAt(W.Ref); Ready != Never)
    Wheel.add(std::min(Ready, Now + Wheel.Size - 1), Now, WakeEvent | Index);
  if (W.HeldSince != Never)
    return;
  W.HeldSince = Now;
  W.W->setHeldBack(true);
  record(TimelineEvent::WaitBegin, W);
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::wakeHeldBack() {
  for (uint64_t Woken = Sharing.takeWoken(); Woken; Woken &= Woken - 1)
    Wheel.add(Now + 1, Now, WakeEvent | unsigned(std::countr_zero(Woken)));
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::compareStalls(uint64_t Own, uint64_t OfFirst) {
  Sharing.compareStalls(Own, OfFirst);
  wakeHeldBack();
  Next = std::min(Next, Wheel.next(Now));
}

/// Tells the scheme if control of the warp went along no edge.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::notePops(Slot &W) {
  uint64_t Pops = W.W->divergentPops();
  if (Pops == W.Pops) [[likely]]
    return;
  Stats.DivergentPops += Pops - W.Pops;
  W.Pops = Pops;
  Sharing.divergentPop(W.Ref);
  obeys(W, W.W->lastPlace());
}

/// Fails the launch if the scheme found that an instruction of the warp has
/// broken a rule; to be asked after each event, as others follow.
template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::obeys(const Slot &W, const CodePlace &Cause) {
  if (Sharing.violation().empty()) [[likely]]
    return true;
  violated(W, Sharing.violation(), Cause);
  return false;
}

/// An instruction has issued, and the scheme changes its state.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::tellScheme(Slot &W, const IssueInfo &Info) {
  Sharing.issued(W.Ref, Info);
  if (Sharing.wantsReach(W.Ref, Info))
    Sharing.hasReached(W.Ref, W.W->lastScratchpadEnd());
  obeys(W, W.W->lastPlace());
  if constexpr (!Refuses)
    return;
  if (W.HeldSince != Never) {
    Stats.WaitCycles += Now - W.HeldSince;
    W.HeldSince = Never;
    W.W->setHeldBack(false);
    record(TimelineEvent::WaitEnd, W);
  }
  // Others of its CTA may have got what it holds since it issued last.
  if (W.Holds != Sharing.holds(W.Ref)) {
    record(W.Holds ? TimelineEvent::HoldEnd : TimelineEvent::HoldBegin, W);
    W.Holds = !W.Holds;
  }
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::run(Cycle Until) {
  Nanoseconds =
      (Context.FirstCycle + Now) * 1000 / Context.Sharing.Device.CoreClockMHz;
  while (Now < Until && Failed == Never) {
    Cycle Event = nextEvent();
    if (Event <= Now || Context.EveryCycle) {
      simulateCycle();
      ++Now;
      continue;
    }
    // Nothing changes until the event: the slots are lost as in the cycle
    // before.
    Cycle To = std::min(Event, Until);
    for (SlotUse U : LastUse)
      Stats.Slots[U] += To - Now;
    Now = To;
  }
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::simulateCycle() {
  Sharing.tick(Now);
  writeBack();
  tickLoadStore();
  tickOperands();
  updateActiveSets();
  if (Failed != Never)
    return;
  Next = Never;
  for (unsigned S = 0; S != Core.Schedulers; ++S) {
    if (issueFrom(S))
      Next = Now + 1;
    if (Failed != Never)
      return;
    ++Stats.Slots[LastUse[S]];
  }
  if (Next == Now + 1)
    return;
  Next =
      std::min({Wheel.next(Now), Path.nextEvent(Now), Sharing.nextWork(Now)});
  // Warps that came to wait without issuing leave the active set.
  bool SetsChange = isTwoLevel(Core.Policy) && ClassesChanged;
  if (!Results.empty() || SetsChange)
    Next = Now + 1;
  for (SlotUse U : LastUse)
    if (U == SlotUse::Operands || U == SlotUse::Pipe)
      Next = Now + 1;
}

/// Writes results into the register file, as many as there are ports for, and
/// wakes warps. Results come in the order in which they were ready.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::writeBack() {
  WriteBanks = Sharing.takenBanks();
  Wheel.take(Now, Due);
  for (uint32_t Event : Due) {
    if (!(Event & WakeEvent)) {
      Results.push_back(Event);
      continue;
    }
    unsigned Index = Event & ~WakeEvent;
    uint8_t Class = Slots[Index].Class;
    if (Class == uint8_t(SlotUse::Control) ||
        Class == uint8_t(SlotUse::Fence) || Class == HeldClass)
      evaluate(Index);
  }
  unsigned Ports = Core.WriteBacks;
  size_t Kept = 0;
  for (uint32_t Token : Results) {
    const Flight &F = Flights[Token];
    if (F.Info->NumWrites) {
      uint32_t Banks = banksWritten(F);
      if (!Ports || (Banks & WriteBanks)) {
        ++Stats.WriteConflicts;
        Results[Kept++] = Token;
        continue;
      }
      --Ports;
      WriteBanks |= Banks;
    }
    Sharing.landed(Slots[F.Slot].Ref, *F.Info);
    if (!Sharing.violation().empty()) [[unlikely]] {
      violated(Slots[F.Slot], Sharing.violation(), placeOf(*F.Info));
      return;
    }
    land(Token);
  }
  Results.resize(Kept);
  wakeHeldBack();
}

template <typename SchemeT, typename PathT>
uint32_t SmCore<SchemeT, PathT>::banksWritten(const Flight &F) const {
  if constexpr (!PathT::WritesTakeBanks)
    return 0;
  const Slot &S = Slots[F.Slot];
  if constexpr (overrides<decltype(&SchemeT::resultBanks)>)
    return Sharing.resultBanks(S.Ref, *F.Info, S.Fn->NumRows);
  const uint32_t *Writes = F.Info->Accesses + F.Info->NumReads;
  uint32_t Banks = 0;
  for (unsigned K = 0; K != F.Info->NumWrites; ++K)
    if (Writes[K] < S.Fn->NumRows && Sharing.writesCache(S.Ref, Writes[K]))
      Banks |= 1u << placeOfResult(S.Ref, Writes[K]).Bank;
  return Banks;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::tickLoadStore() {
  if (LsuNext > Now && !Context.EveryCycle)
    return;
  if (!Lsu.isIdle())
    LastWork = Now + 1;
  Done.clear();
  Lsu.tick(Now, Done, Requests);
  for (const LoadStoreUnit::Completion &C : Done)
    Wheel.add(std::max(C.When, Now) + Core.MemoryBack, Now, C.Token);
  LsuNext = Lsu.nextEvent(Now);
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::tickOperands() {
  Path.tick(Now, WriteBanks, Lsu.canAccept(), [&](uint32_t Token, Cycle Start) {
    const IssueInfo &Info = *Flights[Token].Info;
    Sharing.collected(Slots[Flights[Token].Slot].Ref, Info);
    if (Info.Target != Pipe::Memory) {
      Wheel.add(Start + Info.Latency + Core.BackCycles, Now, Token);
      return;
    }
    if (!Accesses[Token].Mask) {
      Wheel.add(Now + Core.MemoryBack, Now, Token);
      return;
    }
    Lsu.accept(Accesses[Token], Now);
    LsuNext = std::min(LsuNext, Now + 1);
  });
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::updateActiveSets() {
  if (!isTwoLevel(Core.Policy) || !ClassesChanged)
    return;
  ClassesChanged = false;
  // Whoever holds what another waits for has to come to run.
  uint64_t Waiting = waiting(SlotUse::DependencyMemory) |
                     waiting(SlotUse::Barrier) | waiting(SlotUse::Fence) |
                     (Sharing.refusedMayLeave() ? heldBack() : 0);
  for (WarpScheduler &S : Schedulers) {
    // Code may not rely on nobody taking the place of a warp that waits.
    if (Sharing.codeManagesCache())
      for (uint64_t Rest = S.active() & Waiting; Rest; Rest &= Rest - 1)
        Slots[std::countr_zero(Rest)].W->parked();
    uint64_t Entered = 0, Left = 0;
    S.update(Waiting, Entered, Left);
    for (; Left; Left &= Left - 1) {
      const Slot &W = Slots[std::countr_zero(Left)];
      Sharing.parked(W.Ref);
      // A warp at a barrier has executed it, others wait for their next one.
      obeys(W, W.W->isBlocked() ? W.W->lastPlace() : W.W->nextPlace());
    }
    for (; Entered; Entered &= Entered - 1) {
      const Slot &W = Slots[std::countr_zero(Entered)];
      Sharing.activated(W.Ref);
      obeys(W, W.W->nextPlace());
    }
  }
}

/// The first warp of the SM has issued its last instruction: LTLWS learns how
/// many are active from now on.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::limitActiveWarps(const Slot &First) {
  uint64_t All = 0;
  for (const Slot &Each : Slots)
    All += Each.Issued;
  unsigned Limit = lazyActiveWarps(All, First.Issued, Core.Schedulers,
                                   Context.Sharing.Device.MaxWarps);
  Stats.ActiveLimit = Limit;
  for (unsigned S = 0; S != Core.Schedulers; ++S)
    Schedulers[S].setActiveLimit(Limit / Core.Schedulers +
                                 (S < Limit % Core.Schedulers));
}

/// The warps of a scheduler that could issue into their pipe.
template <typename SchemeT, typename PathT>
uint64_t SmCore<SchemeT, PathT>::candidates(unsigned S) const {
  uint64_t Active = Schedulers[S].active();
  uint64_t Found = ready(NumPipes) & Active;
  for (unsigned P = 0; P != NumPipes; ++P) {
    uint64_t Ready = ready(P) & Active;
    if (Ready && Path.hasRoom(Pipe(P), S, Now))
      Found |= Ready;
  }
  return Found;
}

template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::issueFrom(unsigned S) {
  uint64_t Candidates = candidates(S);
  while (Candidates) {
    unsigned Index = Schedulers[S].pick(Sharing.preferred(Candidates));
    Slot &W = Slots[Index];
    Candidates &= ~(uint64_t(1) << Index);
    if (W.Next->Settles && Now % Context.Quantum) {
      moveTo(Index, uint8_t(SlotUse::Fence));
      Wheel.add(nextQuantum(), Now, WakeEvent | Index);
      continue;
    }
    // A barrier that opened may have brought other lanes to run.
    if constexpr (overrides<decltype(&SchemeT::divergentPop)>)
      notePops(W);
    Sharing.willReach(W.Ref, Sharing.wantsReach(W.Ref, *W.Next)
                                 ? W.W->nextScratchpadEnd()
                                 : 0);
    bool MayIssue = Sharing.mayIssue(W.Ref, *W.Next);
    if (!obeys(W, W.W->nextPlace()))
      return false;
    if (MayIssue) {
      issue(Index, S);
      LastUse[S] = SlotUse::Issued;
      return true;
    }
    holdBack(Index);
  }
  LastUse[S] = lostFor(S);
  return false;
}

/// What keeps ready warps of a scheduler out of a pipe.
template <typename SchemeT, typename PathT>
SlotUse SmCore<SchemeT, PathT>::refusal(unsigned P, unsigned S) const {
  assert(!Path.hasRoom(Pipe(P), S, Now) && "then one would have issued");
  if (Pipe(P) != Pipe::Memory || Lsu.canAccept())
    return Path.refusal(Pipe(P), S, Now);
  switch (Lsu.stall()) {
  case MemoryStall::BankConflict:
    return SlotUse::MemBankConflict;
  case MemoryStall::Transactions:
    return SlotUse::MemTransactions;
  case MemoryStall::Mshr:
    return SlotUse::MemMshr;
  case MemoryStall::Reservation:
    return SlotUse::MemReservation;
  case MemoryStall::StoreCredits:
    return SlotUse::MemStoreCredits;
  case MemoryStall::None:
    break;
  }
  return SlotUse::MemQueue;
}

/// Why a scheduler did not issue: of the causes that hold for its warps, the
/// first in the order of SlotUse.
template <typename SchemeT, typename PathT>
SlotUse SmCore<SchemeT, PathT>::lostFor(unsigned S) const {
  uint64_t Mine = SchedulerWarps[S], Active = Schedulers[S].active();
  SlotUse First = heldBack() & Mine ? SlotUse::SchemeGate : SlotUse::Count;
  for (unsigned P = 0; P != NumPipes; ++P)
    if (uint64_t Ready = ready(P) & Mine)
      First = std::min(First, Ready & Active ? refusal(P, S) : SlotUse::Parked);
  if (ready(NumPipes) & Mine & ~Active)
    First = std::min(First, SlotUse::Parked);
  if (First != SlotUse::Count)
    return First;
  for (unsigned U = unsigned(SlotUse::Dependency);
       U != unsigned(SlotUse::NoWarp); ++U)
    if (waiting(SlotUse(U)) & Mine)
      return SlotUse(U);
  return SlotUse::NoWarp;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::issue(unsigned Index, unsigned S) {
  Slot &W = Slots[Index];
  const IssueInfo &Info = *W.Next;
  Schedulers[S].issued(Index);
  ++W.Issued;
  size_t Deferred = Pending.size();
  W.W->setClock(Context.FirstCycle + Now, Nanoseconds);
  StepStatus Status = W.W->issue(Pending);
  LastWork = Now + 1;
  if (Status == StepStatus::Failed) {
    Failed = Now;
    return;
  }
  if (Pending.size() != Deferred)
    Pending[Deferred].When = Now;
  tellScheme(W, Info);
  if (Info.Target != Pipe::None && !(Info.IsWarpSync && W.W->yielded()))
    start(W, Info, S);
  settle(Index, Info, Status);
}

/// Sends an instruction to the registers.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::start(Slot &W, const IssueInfo &Info, unsigned S) {
  OperandRequest R;
  R.Token = takeFlight(Info, W.Ref.Slot);
  R.Target = Info.Target;
  R.Interval = Info.Interval;
  R.Scheduler = uint8_t(S);
  for (unsigned K = 0; K != Info.NumReads; ++K)
    if (Info.Accesses[K] < W.Fn->NumRows) {
      assert(R.NumReads != OperandRequest::MaxReads && "too many operands");
      R.Reads[R.NumReads++] = Sharing.read(W.Ref, Info.Accesses[K]);
    }
  Sharing.located(R);
  Sharing.started(W.Ref, Info);
  Stats.BankReads += R.NumReads;
  Stats.LaneOps[unsigned(Info.Lanes)] += std::popcount(W.W->lastMask());
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    Stats.BankWrites += Info.Accesses[Info.NumReads + K] < W.Fn->NumRows;
  if (Info.Target == Pipe::Memory) {
    ++W.MemoryInFlight;
    describeAccess(Accesses[R.Token], W, Info, R.Token);
    // Lanes in several spaces: what the others do comes after it.
    if (W.W->context().Accessed == Space::Generic && Accesses[R.Token].Mask)
      W.ReadyAt = nextQuantum();
  }
  Path.take(R, Now);
}

/// What an issued instruction means for its warp and others.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::settle(unsigned Index, const IssueInfo &Info,
                                    StepStatus Status) {
  Slot &W = Slots[Index];
  notePops(W);
  if (Info.IsControl) {
    W.ReadyAt = Now + Core.BranchCycles;
    visit(W);
  }
  wakeReleased(W.Ref.CtaSlot);
  if (Status == StepStatus::Finished) {
    Schedulers[Index % Core.Schedulers].leave(Index);
    if (isLazy(Core.Policy) && !Stats.ActiveLimit)
      limitActiveWarps(W);
    Sharing.exited(W.Ref);
    obeys(W, W.W->lastPlace());
  }
  evaluate(Index);
  if (W.Class == uint8_t(SlotUse::Control))
    Wheel.add(W.ReadyAt, Now, WakeEvent | Index);
  else if (W.Class == uint8_t(SlotUse::Barrier))
    record(TimelineEvent::BarrierBegin, W);
  else if (W.Class == uint8_t(SlotUse::Drain) && !W.InFlight)
    free(Index);
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_SMCORE_H
