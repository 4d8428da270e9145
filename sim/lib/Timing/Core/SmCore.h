//===- SmCore.h - The pipeline of an SM -------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The stages of an SM's pipeline, each a unit with a header of its own, and
/// what goes from one to the next, compiled for a scheme (Scheme.h) and an
/// operand organisation (OperandPaths.h).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_SMCORE_H
#define REGSHARE_SIM_TIMING_CORE_SMCORE_H

#include "IssueStage.h"
#include "Modern/ModernPath.h"
#include "OperandStage.h"
#include "Sm.h"
#include "WriteBackStage.h"

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
  Cycle nextEvent() const override {
    return std::min(
        {Next, LoadStore.nextEvent(), Fetch ? Fetch->nextEvent() : Never});
  }

private:
  static constexpr bool Refuses = Overrides<decltype(&SchemeT::mayIssue)>;

  unsigned ctaLimit() const override { return Hooks.ctaLimit(); }
  unsigned warpsThatFit() const override {
    return Hooks.warpsThatFit(FreeSlots);
  }
  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override {
    return Hooks.slotFor(Free, Mine, CtaSlot, Index);
  }
  void arrived(unsigned Index) override;
  void left(unsigned Index) override;
  void stepsOver(unsigned Index, Rows Dead) override;
  HeldBackBy heldBackBy(unsigned Index) const override {
    return Hooks.heldBackBy(Slots[Index].Ref);
  }
  PoolStats poolStats() const override;
  RegisterCacheStats cacheStats() const override;
  OperandCacheStats operandCacheStats() const override;
  std::vector<SchemeCounter> counters() const override {
    return Hooks.counters();
  }
  unsigned poolInUse() const override { return Hooks.inUse(); }
  Cycle comparisonPeriod() const override { return Hooks.comparisonPeriod(); }
  void compareStalls(uint64_t Own, uint64_t OfFirst) override;
  void holdBack(unsigned Index);
  void wakeHeldBack();
  void notePops(Slot &W);
  bool obeys(const Slot &W, const CodePlace &Cause);
  void tellScheme(Slot &W, const IssueInfo &Info);

  void simulateCycle();
  bool othersMove() const;
  void loseSlots(Cycle Count);
  void writeBack();
  bool loadStore();
  void readOperands();
  uint64_t parkedAndReady() const override;
  void updateActiveSets();
  uint64_t mayBeParked() const;
  uint64_t preferred(uint64_t Candidates);
  void issueAll();
  Cycle nextMove() const;

  void sendToOperands(const OperandRequest &R);
  // Of modern cores.
  void completeRequest(OperandRequest &R, const IssueInfo &Info) const;
  void reuseOperands(OperandRequest &R, const Slot &W, const IssueInfo &Info);
  void noteWrites(const Slot &W, const IssueInfo &Info, unsigned S);
  void landFixed(uint32_t Token);
  uint32_t takenWritePorts() const;

  ResultBanks resultsOf(uint32_t Token);
  bool landResult(uint32_t Token);
  void beginExecution(uint32_t Token, Cycle Start);
  void limitActiveWarps(const Slot &First);
  Attempt tryIssue(unsigned Index, unsigned S);
  void issue(unsigned Index, unsigned S);
  Attempt issueFree(unsigned Index);
  void takePipe(Pipe P, const IssueInfo &Info, unsigned S);
  void takeSlot(unsigned Index, unsigned S);
  void start(Slot &W, const IssueInfo &Info, unsigned S);
  void settle(unsigned Index, const IssueInfo &Info, StepStatus Status);
  void goOn(unsigned Index);
  Cycle nextQuantum() const {
    return (Now / Context.Quantum + 1) * Context.Quantum;
  }

  const CoreConfig &Core;
  SchemeT Hooks;
  WriteBackStage WriteBack;
  OperandStage<PathT> Operands;
  IssueStage Issue;
  std::vector<uint32_t> Due; ///< Events of the cycle.
  /// By slot: an instruction of several slots, which leaves in the last.
  std::vector<OperandRequest> Sequences;
  /// Modern cores, by bank: when results of fixed latency have been written.
  std::array<Cycle, 32> WritePortFree = {};
  uint64_t Nanoseconds = 0;
  Cycle Next = Never; ///< The next cycle in which the pipeline moves.
};

template <typename SchemeT, typename PathT>
SmCore<SchemeT, PathT>::SmCore(const SmContext &Context, unsigned Id)
    : Sm(Context, Id), Core(Context.Setup.Core), Hooks(Context.Setup),
      WriteBack(Core.WriteBacks), Operands(Core), Issue(Core),
      Sequences(Context.Setup.Device.MaxWarps) {
  Hooks.runsOn(Id, Context.NumSms);
  Hooks.connect(LoadStore.scratchpad());
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::run(Cycle Until) {
  Nanoseconds =
      (Context.FirstCycle + Now) * 1000 / Context.Setup.Device.CoreClockMHz;
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
    loseSlots(To - Now);
    Now = To;
  }
}

/// In cycles in which nothing changes slots are lost as in the one before.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::loseSlots(Cycle Count) {
  for (SlotUse U : Issue.lastUse())
    Stats.Slots[U] += Count;
}

/// Whether anything but the load/store unit has something to do in this cycle.
/// Of transfers of the scheme only its tick() knows.
template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::othersMove() const {
  return Overrides<decltype(&SchemeT::tick)> || !PathT::MemoryWaitsForRoom ||
         Next <= Now || (Fetch && Fetch->nextEvent() <= Now) || TakeTurns ||
         Context.EveryCycle;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::simulateCycle() {
  bool Others = othersMove();
  Hooks.tick(Now);
  writeBack();
  bool LetsOthersMove = loadStore();
  if (!Others && !LetsOthersMove) {
    loseSlots(1);
    return;
  }
  readOperands();
  updateActiveSets();
  issueAll();
  if (Fetch)
    if (int Filled = Fetch->tick(Now, Requests); Filled >= 0)
      if (Slots[size_t(Filled)].Class == uint8_t(SlotUse::Control))
        evaluate(unsigned(Filled));
  Next = nextMove();
}

/// When the pipeline moves again if nothing comes from outside.
template <typename SchemeT, typename PathT>
Cycle SmCore<SchemeT, PathT>::nextMove() const {
  // Warps that came to wait without issuing leave the active set.
  bool SetsChange = Issue.hasActiveSets() && Classes.hasChanged();
  if (Issue.goesOn() || !WriteBack.isEmpty() || SetsChange)
    return Now + 1;
  Cycle Path = Operands.nextEvent(Now, LoadStore.canAccept() || TakeTurns);
  if (Path <= Now + 1)
    return Path;
  return std::min({Wheel.next(Now), Path, Hooks.nextWork(Now)});
}

/// Writes results and wakes warps whose time has come.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::writeBack() {
  Wheel.take(Now, Due);
  for (uint32_t Event : Due) {
    if (!(Event & WakeEvent)) {
      if constexpr (PathT::IsModern)
        if (hasFixedLatency(Flights[Event].Info->Class)) {
          landFixed(Event);
          continue;
        }
      WriteBack.add(Event);
      continue;
    }
    unsigned Index = Event & ~WakeEvent;
    uint8_t Class = Slots[Index].Class;
    if (Class == uint8_t(SlotUse::Control) ||
        Class == uint8_t(SlotUse::Fence) || Class == WarpClasses::Held ||
        (PathT::IsModern && Class == uint8_t(SlotUse::Dependency)))
      evaluate(Index);
  }
  // Operands of a modern core ask for no banks that results take.
  if (WriteBack.isEmpty() && !PathT::IsModern) {
    WriteBack.rest(Hooks.takenBanks());
  } else if (!WriteBack.isEmpty()) {
    WriteBack.tick(
        PathT::IsModern ? takenWritePorts() : Hooks.takenBanks(),
        [&](uint32_t Token) { return resultsOf(Token); },
        [&](uint32_t Token) { return landResult(Token); });
    Stats.WriteConflicts = WriteBack.conflicts();
  }
  if (Failed == Never)
    wakeHeldBack();
}

template <typename SchemeT, typename PathT>
ResultBanks SmCore<SchemeT, PathT>::resultsOf(uint32_t Token) {
  const Flight &F = Flights[Token];
  const Slot &S = Slots[F.Slot];
  ResultBanks R = Operands.resultsOf(Hooks, S.Ref, *F.Info, S.Fn->NumRows);
  if (R.Banks >> Core.Banks) [[unlikely]] {
    constexpr bool HasOwn = Overrides<decltype(&SchemeT::resultBanks)>;
    constexpr bool Writes = Overrides<decltype(&SchemeT::write)>;
    refuseResults(S, HasOwn ? "resultBanks" : Writes ? "write" : "read");
    return {};
  }
  // Those of a sub-core, as far as a mask has room.
  if constexpr (PathT::IsModern)
    R.Banks = std::rotl(uint32_t(R.Banks),
                        int(F.Slot % Core.Schedulers * Core.Banks % 32));
  return R;
}

/// False if that breaks a rule of the scheme.
template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::landResult(uint32_t Token) {
  const Flight &F = Flights[Token];
  Hooks.landed(Slots[F.Slot].Ref, *F.Info);
  if (!Hooks.violation().empty()) [[unlikely]] {
    violated(Slots[F.Slot], Hooks.violation(), placeOf(*F.Info));
    return false;
  }
  land(Token);
  return true;
}

/// Whether the unit has come to have room, or other reasons to have none.
template <typename SchemeT, typename PathT>
bool SmCore<SchemeT, PathT>::loadStore() {
  if (LoadStore.nextEvent() > Now && !Context.EveryCycle)
    return false;
  bool HadRoom = LoadStore.canAccept();
  MemoryStall Stall = LoadStore.stall();
  bool WasAtWork =
      LoadStore.tick(Now, Requests, [&](uint32_t Token, Cycle When) {
        Wheel.add(When + Core.MemoryBack, Now, Token);
        Next = std::min(Next, When + Core.MemoryBack);
      });
  if (WasAtWork)
    LastWork = Now + 1;
  return LoadStore.canAccept() != HadRoom || LoadStore.stall() != Stall;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::readOperands() {
  Operands.tick(
      Now, WriteBack.takenBanks(), LoadStore.canAccept(),
      [&](uint32_t Token, Cycle Start) { beginExecution(Token, Start); });
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::beginExecution(uint32_t Token, Cycle Start) {
  if (Token == OperandRequest::NoToken) [[unlikely]]
    return;
  const IssueInfo &Info = *Flights[Token].Info;
  Hooks.collected(Slots[Flights[Token].Slot].Ref, Info);
  if constexpr (PathT::IsModern) {
    noteRead(Token);
    // It may have waited for longer than its unit takes.
    Start = std::max(Start, Now + 1 - std::min<Cycle>(Now, Info.Latency));
  }
  if (Info.Target != Pipe::Memory || Info.IsExchange)
    Wheel.add(Start + Info.Latency + Core.BackCycles, Now, Token);
  else if (!Accesses[Token].Mask)
    Wheel.add(Now + Core.MemoryBack, Now, Token);
  else
    LoadStore.accept(Accesses[Token], Now);
}

/// None if the launch ends.
template <typename SchemeT, typename PathT>
uint64_t SmCore<SchemeT, PathT>::preferred(uint64_t Candidates) {
  uint64_t Preferred = Hooks.preferred(Candidates);
  if constexpr (Overrides<decltype(&SchemeT::preferred)>)
    if (!Preferred || Preferred & ~Candidates) [[unlikely]] {
      refusePreferred(Preferred, Candidates);
      return 0;
    }
  return Preferred;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::issueAll() {
  for (unsigned S = 0; Failed == Never && S != Core.Schedulers; ++S) {
    if (Issue.waitsOn(S, Classes) && !Context.EveryCycle) {
      ++Stats.Slots[Issue.lastUse()[S]];
      continue;
    }
    if constexpr (PathT::IsModern)
      if (Operands.isHeld(S, Now)) {
        Issue.hold(S, Classes);
        ++Stats.Slots[Issue.lastUse()[S]];
        continue;
      }
    Issue.issueFrom(
        S, Classes, [&](Pipe P) { return Operands.hasRoom(P, S, Now); },
        [&](uint64_t Candidates) { return preferred(Candidates); },
        [&](unsigned Index) { return tryIssue(Index, S); },
        [&](Pipe P) { return Operands.refusal(P, S, Now, LoadStore); });
    if (Failed == Never)
      ++Stats.Slots[Issue.lastUse()[S]];
  }
}

/// A scheduler has picked the warp.
template <typename SchemeT, typename PathT>
Attempt SmCore<SchemeT, PathT>::tryIssue(unsigned Index, unsigned S) {
  Slot &W = Slots[Index];
  if (W.SlotsLeft) [[unlikely]] {
    takeSlot(Index, S);
    return Attempt::Issued;
  }
  if constexpr (PathT::IsModern)
    if (obeysCode(W)) [[unlikely]] {
      // A counter may have risen since the warp was found ready.
      if (heldByControl(W, *W.Next)) {
        evaluate(Index);
        return Attempt::Refused;
      }
      if (!isInTime(W))
        return Attempt::Failed;
    }
  if (W.Next->EndsSequence && !W.HasPaid) [[unlikely]] {
    W.HasPaid = true;
    W.SlotsLeft = uint16_t(W.Next->Slots - 1);
    takeSlot(Index, S);
    return Attempt::Issued;
  }
  if (W.Next->Settles && Now % Context.Quantum) {
    moveTo(Index, uint8_t(SlotUse::Fence));
    Wheel.add(nextQuantum(), Now, WakeEvent | Index);
    return Attempt::Refused;
  }
  // A barrier that opened may have brought other lanes to run.
  if constexpr (Overrides<decltype(&SchemeT::divergentPop)>)
    notePops(W);
  Hooks.willReach(
      W.Ref, Hooks.wantsReach(W.Ref, *W.Next) ? W.W->nextScratchpadEnd() : 0);
  bool MayIssue = Hooks.mayIssue(W.Ref, *W.Next);
  if (!obeys(W, W.W->nextPlace()))
    return Attempt::Failed;
  if (!MayIssue) {
    holdBack(Index);
    return Attempt::Refused;
  }
  if (!W.Next->Slots) [[unlikely]]
    return issueFree(Index);
  issue(Index, S);
  return Attempt::Issued;
}

template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::issue(unsigned Index, unsigned S) {
  Slot &W = Slots[Index];
  const IssueInfo &Info = *W.Next;
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
  if (Fetch && Info.Slots && !Info.TakesNoSlot)
    Fetch->take(Index, Info.Slots);
  tellScheme(W, Info);
  if constexpr (PathT::IsModern)
    if (!Controls.empty() && !Info.Statement)
      Controls[Index].stall(Info.Says, Now);
  bool Yields = Info.IsWarpSync && W.W->yielded();
  if (Info.Target != Pipe::None && !Yields)
    start(W, Info, S);
  if constexpr (PathT::IsModern)
    noteWrites(W, Info, S);
  W.HasPaid = false;
  if (Info.Slots > 1 && !Info.EndsSequence && !Yields) [[unlikely]] {
    W.SlotsLeft = uint16_t(Info.Slots - 1);
    W.Sequence = &Info;
    if constexpr (PathT::IsModern) {
      unsigned More = slotsOfSlowPath(W, Info);
      W.SlotsLeft += uint16_t(More);
      L.Stats.MoreSlots += More;
      takePipe(slotOf(Info, Info.Slots), Info, S);
      delaySequence(W, Info, W.SlotsLeft);
    } else if (nextPipe(W) == Info.Target)
      takePipe(Info.Target, Info, S);
  }
  settle(Index, Info, Status);
}

/// Sends an instruction to the registers.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::start(Slot &W, const IssueInfo &Info, unsigned S) {
  OperandRequest R = requestOf(Hooks, W.Ref, Info, W.Fn->NumRows);
  if constexpr (Overrides<decltype(&SchemeT::read)> ||
                Overrides<decltype(&SchemeT::located)>)
    if (!isPossible(R, Info.Target, Core.Banks)) [[unlikely]]
      return refuseOperands(W, R, Info.Target);
  R.Token = takeFlight(Info, W.Ref.Slot);
  R.Scheduler = uint8_t(S);
  Hooks.started(W.Ref, Info);
  Stats.BankReads += R.NumReads;
  // A division is counted with all its instructions.
  unsigned Ops = Info.Lanes == LaneClass::Divide ? 1 : Info.Slots;
  Stats.LaneOps[unsigned(Info.Lanes)] +=
      uint64_t(Ops) * unsigned(std::popcount(W.W->lastMask()));
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    Stats.BankWrites += Info.Accesses[Info.NumReads + K] < W.Fn->NumRows;
  if (Info.Target == Pipe::Memory && !Info.IsExchange) {
    ++W.MemoryInFlight;
    describeAccess(Accesses[R.Token], W, Info, R.Token);
    // Lanes in several spaces: what the others do comes after it.
    if (W.W->context().Accessed == Space::Generic && Accesses[R.Token].Mask)
      W.ReadyAt = nextQuantum();
  }
  if constexpr (PathT::IsModern) {
    completeRequest(R, Info);
    if (!Reuse.empty())
      reuseOperands(R, W, Info);
    if (!Controls.empty())
      Controls[W.Ref.Slot].raise(Info.Says, Now);
  }
  if (Info.Slots > 1) [[unlikely]]
    Sequences[W.Ref.Slot] = R;
  else
    sendToOperands(R);
}

/// What an issued instruction means for its warp and others.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::settle(unsigned Index, const IssueInfo &Info,
                                    StepStatus Status) {
  Slot &W = Slots[Index];
  notePops(W);
  if (Info.IsControl) {
    // What is fetched says itself how long a branch takes.
    W.ReadyAt = Info.Slots && !Fetch ? Now + Core.BranchCycles : Now;
    visit(W);
  }
  if constexpr (PathT::IsModern)
    if (Info.IsBarrier) {
      arriveAtBarrier();
      W.ReadyAt = openingAt();
    }
  wakeReleased(W.Ref.CtaSlot);
  if (Status == StepStatus::Finished) {
    Issue.schedulerOf(Index).leave(Index);
    if (isLazy(Core.Policy) && !Stats.ActiveLimit)
      limitActiveWarps(W);
    if (Fetch)
      Fetch->leave(Index);
    Hooks.exited(W.Ref);
    obeys(W, W.W->lastPlace());
  }
  goOn(Index);
}

/// The warp comes to what it does next.
template <typename SchemeT, typename PathT>
void SmCore<SchemeT, PathT>::goOn(unsigned Index) {
  Slot &W = Slots[Index];
  evaluate(Index);
  // Else its instructions have yet to be fetched.
  if (W.Class == uint8_t(SlotUse::Control) && W.ReadyAt > Now)
    Wheel.add(W.ReadyAt, Now, WakeEvent | Index);
  else if (W.Class == uint8_t(SlotUse::Barrier))
    record(TimelineEvent::BarrierBegin, W);
  else if (W.Class == uint8_t(SlotUse::Drain) && !W.InFlight)
    free(Index);
}

} // namespace regshare::sim

#include "Modern/SmModern.h"
#include "SmActiveSets.h"
#include "SmScheme.h"
#include "SmSequences.h"

#endif // REGSHARE_SIM_TIMING_CORE_SMCORE_H
