//===- Sm.cpp - The warps of an SM ----------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace regshare::sim {

/// Where local memory lies for the caches: above all allocations.
static constexpr uint64_t LocalBase = uint64_t(1) << 46;

/// Places the code of a function on lines from \p First on: the next line after
/// it. A sequence that is one instruction here has the size of all its own.
static uint32_t placeCode(FunctionTiming &T, uint32_t First) {
  uint64_t Bytes = 0;
  for (const IssueInfo &I : T.Insts) {
    T.Lines.push_back(First + uint32_t(Bytes / InstructionCaches::LineBytes));
    Bytes += I.TakesNoSlot
                 ? 0
                 : uint64_t(I.Slots) * InstructionCaches::InstructionBytes;
  }
  return First + uint32_t(Bytes / InstructionCaches::LineBytes) + 1;
}

/// The same for an older core: one function after the other.
static uint64_t placeBytes(FunctionTiming &T, uint64_t First, unsigned Bytes) {
  for (const IssueInfo &I : T.Insts) {
    T.Places.push_back(First);
    First += I.TakesNoSlot ? 0 : uint64_t(I.Slots) * Bytes;
  }
  return First;
}

ProgramTiming::ProgramTiming(const Program &P, const CoreConfig &Config,
                             const CodeFamily *Running) {
  uint64_t Bytes = 0;
  for (const auto &F : P.Functions) {
    FunctionTiming &T =
        Functions.emplace(F.get(), computeTiming(P, *F, Config, Running))
            .first->second;
    MaxAccesses = std::max(MaxAccesses, F->numAccesses());
    HasControl |= T.HasControl;
    if (Error.empty())
      Error = T.Error;
    HasReuse |= !T.Operands.empty();
    if (Config.Modern.Fetch)
      CodeLines = placeCode(T, CodeLines);
    if (Config.Fetch)
      Bytes = placeBytes(T, Bytes, Config.Fetch->InstructionBytes);
    const CodeRules *Own = F->Rules ? F->Rules->under(Running) : nullptr;
    uint32_t FirstGroup = Own ? Own->addGroups(Groups) : 0;
    for (IssueInfo &I : T.Insts) {
      CallsSystem |= I.Settles;
      if (I.Group != NoGroup)
        I.Group += FirstGroup;
    }
  }
}

Sm::Sm(const SmContext &Context, unsigned Id)
    : Context(Context), Id(Id), L{Context.P,
                                  Context.Memory,
                                  Context.Kernel,
                                  Context.Config,
                                  Context.Functional,
                                  {},
                                  {},
                                  0,
                                  Id,
                                  Context.NumSms},
      LoadStore(Context.MemorySide, Id, Context.EveryCycle),
      Resident(std::max(Context.Setup.Resident.Limits.CTAs,
                        Context.Setup.Resident.MostCtas)),
      WarpsPerCta(warpsPerCTA(Context.Setup.Device,
                              unsigned(Context.Config.Block.count()))) {
  unsigned MaxWarps = Context.Setup.Device.MaxWarps;
  assert(MaxWarps <= MaxWarpSlots && "a mask has a bit for each warp");
  Slots.resize(MaxWarps);
  Ctas.resize(Resident);
  FreeSlots = MaxWarps == 64 ? ~uint64_t(0) : (uint64_t(1) << MaxWarps) - 1;
  Boards.resize(size_t(MaxWarps) * Context.Timing.MaxAccesses);
  if (Context.Setup.Core.Organisation == OperandOrganisation::Modern)
    Timed.emplace(Context.Setup.Core.Modern.Latencies, MaxWarps,
                  Context.Timing.MaxAccesses);
  if (Context.Timing.HasControl)
    Controls.resize(MaxWarps);
  if (Context.Timing.HasReuse)
    Reuse.assign(Context.Setup.Core.Schedulers,
                 ReuseCache(Context.Setup.Core.MainBanks));
  if (Timed && Context.Setup.Core.Modern.Fetch)
    Code.emplace(*Context.Setup.Core.Modern.Fetch,
                 Context.Setup.Core.Schedulers, Context.Timing.CodeLines);
  if (Context.CodeCaches)
    Fetch.emplace(*Context.Setup.Core.Fetch, (*Context.CodeCaches)[Id], Id,
                  MaxWarps);
  computeConstants(L);
  if (!L.Error.empty())
    Failed = 0;
}

Sm::~Sm() = default;

void Sm::record(TimelineEvent::Kind K, const Slot &S) {
  if (!Context.RecordTimeline)
    return;
  bool IsCta = K == TimelineEvent::CtaBegin || K == TimelineEvent::CtaEnd;
  Timeline.push_back({Now, K, uint16_t(Id),
                      uint16_t(IsCta ? S.Ref.CtaSlot : S.Ref.Slot),
                      Ctas[S.Ref.CtaSlot].C->number(), uint16_t(S.Ref.Index)});
}

void Sm::launch(uint64_t Number) {
  assert(hasRoom() && "no room for a CTA");
  auto It = std::find_if(Ctas.begin(), Ctas.end(),
                         [](const CtaSlot &C) { return !C.C; });
  *It = {std::make_unique<Cta>(L, Number), 0, 0, 0};
  Incomplete = unsigned(It - Ctas.begin());
  ++NumCtas;
  // The first CTAs come with the launch.
  StartsAt = Now + (L.Stats.Ctas ? Context.Setup.Core.CtaCycles : 0);
  resume();
}

std::optional<unsigned> Sm::nextSlot() const {
  if (!Incomplete || !FreeSlots)
    return std::nullopt;
  const CtaSlot &C = Ctas[*Incomplete];
  return slotFor(FreeSlots, C.Warps, *Incomplete, C.Begun);
}

void Sm::resume() {
  while (std::optional<unsigned> Index = nextSlot()) {
    if (*Index >= Slots.size() || !(FreeSlots >> *Index & 1))
      return refuseSlot(*Index);
    begin(*Incomplete, *Index);
    const CtaSlot &C = Ctas[*Incomplete];
    if (C.Begun == C.C->numWarps())
      Incomplete.reset();
  }
}

/// The next warp of a CTA becomes resident in the slot \p Index.
void Sm::begin(unsigned CtaIndex, unsigned Index) {
  CtaSlot &C = Ctas[CtaIndex];
  unsigned N = C.Begun++;
  FreeSlots &= ~(uint64_t(1) << Index);
  C.Warps |= uint64_t(1) << Index;
  Slot &S = Slots[Index];
  S = {};
  if (!Controls.empty())
    Controls[Index] = {};
  S.W = &C.C->warp(N);
  S.Begin = Now;
  S.Ref = {Index, CtaIndex, N};
  ++NumWarps;
  LastWork = Now + 1;
  if (Fetch)
    Fetch->arrive(Index);
  if (N == 0)
    record(TimelineEvent::CtaBegin, S);
  record(TimelineEvent::WarpBegin, S);
  arrived(Index);
  if (StartsAt > Now) {
    S.ReadyAt = StartsAt;
    Wheel.add(StartsAt, Now, WakeEvent | Index);
  }
  evaluate(Index);
}

/// A stall is a cycle in which no warp can be scheduled (Jatala et al., HPDC
/// 2016, §II), for each scheduler that has warps with something to do.
uint64_t Sm::stalls() const {
  uint64_t Lost = 0;
  for (unsigned U = 0; U != NumSlotUses; ++U)
    if (SlotUse(U) != SlotUse::Issued && SlotUse(U) != SlotUse::Drain &&
        SlotUse(U) != SlotUse::NoWarp)
      Lost += Stats.Slots[SlotUse(U)];
  return Lost;
}

unsigned Sm::retire() {
  unsigned Done = 0;
  for (CtaSlot &C : Ctas)
    if (C.C && C.isOver()) {
      C.C.reset();
      --NumCtas;
      ++Done;
    }
  L.Stats.Ctas += Done;
  return Done;
}

void Sm::receive(const MemoryReply &Reply) {
  if (Fetch && Reply.Id & FetchStage::OwnReply)
    Fetch->receive(Reply);
  else
    LoadStore.receive(Reply);
}

void Sm::moveTo(unsigned Index, uint8_t Class) {
  Slot &S = Slots[Index];
  if (S.Class == Class)
    return;
  Classes.move(Index, S.Class, Class);
  S.Class = Class;
}

SlotUse Sm::useOfWait(Writer For) {
  switch (For) {
  case LongLoad:
    return SlotUse::DependencyMemory;
  case SharedLoad:
    return SlotUse::DependencyShared;
  default:
    return SlotUse::Dependency;
  }
}

/// Whether the warp waits for instructions before \p Next, which it comes to,
/// and if so, for which class of slots.
std::optional<SlotUse> Sm::awaitsOthers(Slot &S, const IssueInfo &Next) {
  if (obeysCode(S))
    return heldByControl(S, Next);
  if (Next.isNothing())
    return std::nullopt;
  if (Writer Latest = latestWriter(S, Next); Latest > Fixed)
    return useOfWait(Latest);
  if (Timed && isEarly(S, Next))
    return SlotUse::Dependency;
  return std::nullopt;
}

uint8_t Sm::classify(Slot &S) {
  if (S.SlotsLeft) [[unlikely]] {
    if (Timed && waitsUntil(S, S.ReadyAt))
      return uint8_t(SlotUse::Dependency);
    if (Timed && S.Skipped) {
      unsigned Left;
      const IssueInfo &Next = nextSkipped(S, Left);
      if (Left == Next.Slots)
        if (std::optional<SlotUse> Waits = awaitsOthers(S, Next))
          return uint8_t(*Waits);
    }
    return uint8_t(WarpClasses::Ready + unsigned(nextPipe(S)));
  }
  if (S.W->isFinished())
    return uint8_t(SlotUse::Drain);
  if (S.W->isBlocked())
    return uint8_t(SlotUse::Barrier);
  if (Now < S.ReadyAt)
    return uint8_t(SlotUse::Control);
  const Function *Fn = &S.W->function();
  if (Fn != S.Fn) {
    S.Fn = Fn;
    S.Timing = &Context.Timing.Functions.at(Fn);
  }
  const IssueInfo &Next = S.Timing->Insts[S.W->pc()];
  S.Next = &Next;
  if (Fetch && !Fetch->wants(S.Ref.Slot, S.Timing->Places[S.W->pc()], Now))
    return uint8_t(SlotUse::Control);
  if (Code && awaitsCode(S))
    return uint8_t(SlotUse::Control);
  if (std::optional<SlotUse> Waits = awaitsOthers(S, Next))
    return uint8_t(*Waits);
  if (Next.IsSpecial) [[unlikely]]
    return classifySpecial(S, Next);
  // The first of a sequence's slots goes where it goes, whether or not the unit
  // of the last one is free yet.
  if (Next.Slots > 1 && Timed && !Next.EndsSequence) [[unlikely]]
    return uint8_t(WarpClasses::Ready + unsigned(slotOf(Next, Next.Slots)));
  return uint8_t(WarpClasses::Ready + unsigned(Next.Target));
}

/// The instruction that the next slot of a skipped side belongs to, and how
/// many it has \p Left.
const IssueInfo &Sm::nextSkipped(const Slot &S, unsigned &Left) const {
  const PredicatedSlot &Next = (*S.Skipped)[S.Skipped->size() - S.SlotsLeft];
  Left = Next.Left;
  return S.Timing->Insts[Next.Inst];
}

/// The warp has executed a branch that hardware has not: what its lanes went
/// around takes its slots all the same.
void Sm::skipSide(Slot &S, uint32_t Branch) {
  auto Found = S.Timing->Predicated.find(Branch);
  if (Found == S.Timing->Predicated.end())
    return;
  const PredicatedBranch &B = Found->second;
  // If the lanes have parted, those that do not take it come first.
  bool NoneTakes = !S.W->lastMask();
  bool AllTake = !NoneTakes && S.W->pc() != Branch + 1;
  const PredicatedSide &Side = NoneTakes ? B.Taken : B.NotTaken;
  if ((!NoneTakes && !AllTake) || Side.empty())
    return;
  S.Skipped = &Side;
  S.SlotsLeft = uint16_t(Side.size());
  L.Stats.MoreSlots += Side.size();
}

/// Where the next of a sequence's slots goes.
Pipe Sm::nextPipe(const Slot &S) const {
  if (S.Skipped) {
    unsigned Left;
    const IssueInfo &Info = nextSkipped(S, Left);
    Pipe P = slotOf(Info, Left);
    return P == Pipe::Memory && !Timed ? Pipe::None : P;
  }
  return S.Sequence ? slotOf(*S.Sequence, S.SlotsLeft) : Pipe::None;
}

/// The last slot is the instruction's own; those before compute.
Pipe Sm::slotOf(const IssueInfo &Sequence, unsigned Left) const {
  if (Left > 1 && Sequence.Target == Pipe::Memory)
    return Pipe::None;
  // The parts of a division keep several units of a modern core busy.
  if (Left > 1 && Timed && Sequence.Lanes == LaneClass::Divide)
    return Pipe::None;
  if (Left > 1 && Sequence.Lanes == LaneClass::Special)
    return Context.Setup.Core.PipeOf[unsigned(UnitClass::Float)];
  return Sequence.Target;
}

uint8_t Sm::classifySpecial(Slot &S, const IssueInfo &Next) {
  if (Next.TakesNoSlot) {
    stepsOver(S.Ref.Slot, deadRows(S));
    return classifyBehind(S);
  }
  // A kernel's own return is an exit and leaves no frame.
  bool Drains = Next.Drains && !(Next.IsReturn && S.W->callDepth() == 1);
  if ((Drains && S.InFlight) || (Next.IsFence && S.MemoryInFlight))
    return uint8_t(SlotUse::Fence);
  return uint8_t(WarpClasses::Ready + unsigned(Next.Target));
}

/// The registers of which the statement that comes next says that they are
/// dead, if all lanes have come to it: others may read them yet. Those of
/// functions that the kernel calls have no rows of their own to lose.
Sm::Rows Sm::deadRows(const Slot &S) const {
  if (S.W->lanesWait() || S.W->callDepth() != 1)
    return {};
  return deadRegisters(*S.Fn, S.Fn->Code[S.W->pc()]);
}

/// After a statement that takes no issue slot.
uint8_t Sm::classifyBehind(Slot &S) {
  if (Failed == Never && S.W->stepOver() == StepStatus::Failed)
    Failed = Now;
  if (Failed != Never)
    return uint8_t(SlotUse::Fence);
  // Lanes may have come together at a barrier.
  wakeReleased(S.Ref.CtaSlot);
  return classify(S);
}

void Sm::evaluate(unsigned Index) {
  Slot &S = Slots[Index];
  moveTo(Index, classify(S));
  if (S.Class >= WarpClasses::Ready)
    S.W->prefetch({S.Next->Accesses,
                   S.Next->Accesses + S.Next->NumReads + S.Next->NumWrites});
}

uint32_t Sm::takeFlight(const IssueInfo &Info, unsigned Index) {
  if (FreeTokens.empty()) {
    FreeTokens.push_back(uint32_t(Flights.size()));
    Flights.emplace_back();
    Accesses.emplace_back();
  }
  uint32_t Token = FreeTokens.back();
  FreeTokens.pop_back();
  Flights[Token] = {&Info, uint8_t(Index)};
  Flights[Token].Lanes = Slots[Index].W->lastMask();
  ++Slots[Index].InFlight;
  bool IsAccess = Info.Target == Pipe::Memory && !Info.IsExchange;
  uint8_t By = Info.IsLongLoad ? LongLoad : IsAccess ? SharedLoad : Arithmetic;
  uint8_t *Board = Boards.data() + size_t(Index) * Context.Timing.MaxAccesses;
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    Board[Info.Accesses[Info.NumReads + K]] = By;
  return Token;
}

/// A bulk copy is done.
void Sm::tellBarriers(uint32_t Token) {
  auto Done = Arrivals.extract(Token);
  if (Done.empty())
    return;
  const Slot &S = Slots[Flights[Token].Slot];
  Watch.Changed = true;
  for (ExecContext::BulkArrival A : Done.mapped())
    if (!S.W->tell(A))
      violated(S,
               "a bulk copy of " + std::to_string(A.Bytes) +
                   " bytes is done: expected a barrier in shared memory at " +
                   std::to_string(A.Barrier) +
                   " that can take them, found none",
               placeOf(*Flights[Token].Info));
}

void Sm::land(uint32_t Token) {
  Flight &F = Flights[Token];
  F.HasLanded = true;
  Slot &S = Slots[F.Slot];
  if (!Arrivals.empty())
    tellBarriers(Token);
  uint8_t *Board = Boards.data() + size_t(F.Slot) * Context.Timing.MaxAccesses;
  if (!Timed || !hasFixedLatency(F.Info->Class))
    for (unsigned K = 0; K != F.Info->NumWrites; ++K)
      Board[F.Info->Accesses[F.Info->NumReads + K]] = NoWriter;
  if (!Controls.empty())
    Controls[F.Slot].hasWritten(F.Info->Says);
  --S.InFlight;
  S.MemoryInFlight -= F.Info->Target == Pipe::Memory && !F.Info->IsExchange;
  FreeTokens.push_back(Token);
  LastWork = Now + 1;
  if (S.Class == uint8_t(SlotUse::Drain)) {
    if (!S.InFlight)
      free(F.Slot);
  } else if (S.Class < WarpClasses::Ready) {
    evaluate(F.Slot);
  }
}

void Sm::free(unsigned Index) {
  Slot &S = Slots[Index];
  moveTo(Index, WarpClasses::None);
  left(Index);
  for (ReuseCache &Kept : Reuse)
    Kept.forget(Index);
  CtaSlot &C = Ctas[S.Ref.CtaSlot];
  C.Warps &= ~(uint64_t(1) << Index);
  FreeSlots |= uint64_t(1) << Index;
  --NumWarps;
  // It was resident in this cycle as well.
  Stats.WarpCycles += Now + 1 - S.Begin;
  record(TimelineEvent::WarpEnd, S);
  if (C.isOver())
    record(TimelineEvent::CtaEnd, S);
  Watch.Changed = true;
  LastWork = Now + 1;
}

void Sm::watch(uint64_t Epoch) {
  Watch = {Epoch, false};
  L.Watch = &Watch;
}

void Sm::beginWatch() {
  for (Slot &S : Slots)
    S.IssuedBefore = S.Issued;
}

void Sm::appendStarved(std::vector<Warp *> &To) const {
  for (uint64_t Rest = parkedAndReady(); Rest; Rest &= Rest - 1)
    if (const Slot &S = Slots[std::countr_zero(Rest)];
        S.Issued == S.IssuedBefore)
      To.push_back(S.W);
}

void Sm::appendWarps(std::vector<Warp *> &To) {
  for (const CtaSlot &C : Ctas)
    for (unsigned N = 0; C.C && N != C.Begun; ++N)
      To.push_back(&C.C->warp(N));
}

void Sm::visit(Slot &S) {
  // What a load under way delivers is part of the state.
  if (L.Watch && !S.MemoryInFlight)
    Watch.visit(*S.W);
}

void Sm::wakeReleased(unsigned CtaIndex) {
  CtaSlot &C = Ctas[CtaIndex];
  if (C.Openings == C.C->openings())
    return;
  C.Openings = C.C->openings();
  Watch.Changed = true;
  uint64_t Mine = C.Warps & Classes.waiting(SlotUse::Barrier);
  for (; Mine; Mine &= Mine - 1) {
    unsigned Index = std::countr_zero(Mine);
    Slot &S = Slots[Index];
    if (S.W->isBlocked())
      continue;
    record(TimelineEvent::BarrierEnd, S);
    S.ReadyAt = Timed ? openingAt() : Now + 1;
    moveTo(Index, uint8_t(SlotUse::Control));
    Wheel.add(S.ReadyAt, Now, WakeEvent | Index);
  }
}

void Sm::describeAccess(MemoryAccess &A, const Slot &S, const IssueInfo &Info,
                        uint32_t Token) {
  const Inst &I = *S.W->lastInst();
  const ExecContext &C = S.W->context();
  A.Token = Token;
  A.Op = !I.IsAtomic
             ? (I.IsStore && !I.IsLoad ? MemoryOp::Store : MemoryOp::Load)
         : Info.NumWrites ? MemoryOp::Atomic
                          : MemoryOp::Reduce;
  A.Where = I.Where == Space::Generic ? C.Accessed : I.Where;
  bool HasMore = I.Flags & FlagTexture || I.isBulkCopy();
  A.Bytes = HasMore ? C.TexelBytes : uint8_t(I.Size * I.Count);
  if (I.isBulkCopy() && S.W->lastMask())
    Arrivals[Token] = C.Arrivals;
  if (HasMore)
    A.More = C.MoreTexels;
  else
    A.More.clear();
  // Older devices have no published figures that depend on it.
  A.Bypass = I.Flags & (Timed ? FlagVolatile | FlagCacheL2 : FlagVolatile);
  A.Mask = S.W->lastMask();
  // Of rows of matrices each has a lane; what other lanes name means nothing.
  if (I.Op == OpClass::Matrix && I.Round)
    A.Mask &= uint32_t((uint64_t(1) << 8 * I.Count) - 1);
  // The handler of a fixed parameter does not spell its one address out.
  if (I.Where == Space::Param && I.Flags & FlagConstBase)
    A.Addresses.fill(uint64_t(I.Imm));
  else if (A.Where == Space::Param && I.Flags & FlagConstBase)
    A.Addresses.fill(uint64_t(I.Imm)); // Read without computing addresses.
  else
    std::copy_n(C.Addresses, WarpSize, A.Addresses.begin());
  if (A.Where == Space::Generic)
    A.Where = Space::Global;
  bool HasWindow = I.Where == Space::Generic && A.Where != Space::Global;
  if (HasWindow) {
    for (uint64_t &Address : A.Addresses)
      Address &= WindowSize - 1;
    for (uint64_t &Address : A.More)
      Address &= WindowSize - 1;
  }
  if (A.Where != Space::Local)
    return;
  // Lines at one offset of all warps lie side by side, as GPGPU-Sim has them
  // (translate_local_memaddr), so that warps share the sets of a cache evenly.
  uint64_t Warps = uint64_t(Context.NumSms) * Slots.size();
  uint64_t Warp = uint64_t(Id) * Slots.size() + S.Ref.Slot;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
    uint64_t &Address = A.Addresses[Lane];
    uint64_t Place = Address / A.Bytes * A.Bytes * WarpSize + Lane * A.Bytes +
                     Address % A.Bytes;
    uint64_t Line = Place / LineBytes * Warps + Warp;
    Address = LocalBase + Line * LineBytes + Place % LineBytes;
  }
}

void Sm::violated(const Slot &S, const std::string &Rule,
                  const CodePlace &Cause) {
  if (Failed != Never)
    return;
  S.W->fail(Rule, Cause);
  Failed = Now;
}

CodePlace Sm::placeOf(const IssueInfo &Info) const {
  for (const auto &[F, Timing] : Context.Timing.Functions) {
    const std::vector<IssueInfo> &Insts = Timing.Insts;
    if (!std::less<>()(&Info, Insts.data()) &&
        std::less<>()(&Info, Insts.data() + Insts.size()))
      return {F, &F->Code[size_t(&Info - Insts.data())]};
  }
  assert(false && "every instruction that issues has a timing");
  return {};
}

} // namespace regshare::sim
