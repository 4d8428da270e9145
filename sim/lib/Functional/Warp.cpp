//===- Warp.cpp - Executes warp instructions -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <span>

namespace regshare::sim {

void RowFile::Deleter::operator()(uint32_t *P) const {
  ::operator delete[](P, std::align_val_t(64));
}

void RowFile::resize(size_t NewRows) {
  if (NewRows > Capacity) {
    size_t NewCapacity = std::max(NewRows, 2 * Capacity);
    auto *New = static_cast<uint32_t *>(::operator new[](
        NewCapacity * WarpSize * sizeof(uint32_t), std::align_val_t(64)));
    if (Rows)
      std::memcpy(New, Words.get(), Rows * WarpSize * sizeof(uint32_t));
    Words.reset(New);
    Capacity = NewCapacity;
  }
  if (NewRows > Rows)
    std::fill_n(Words.get() + Rows * WarpSize, (NewRows - Rows) * WarpSize,
                Poison);
  Rows = NewRows;
}

Warp::Warp(LaunchState &L, Cta &Owner, unsigned Id)
    : L(L), Owner(Owner), Id(Id) {
  C.Global = &L.Memory;
  C.Ranges = L.Ranges.data();
  C.Shared = Owner.shared().data();
  C.SharedBytes = uint32_t(Owner.shared().size());
  C.Params = L.Config.Arguments.data();
  C.ParamBytes = uint32_t(L.Config.Arguments.size());
  C.Bases[1] = const_cast<uint32_t *>(L.Constants.empty() ? L.P.Constants.data()
                                                          : L.Constants.data());
  fillSpecialRows();
  start();
}

/// All threads are at the kernel's first instruction.
void Warp::start() {
  uint64_t Threads = L.Config.Block.count(), First = uint64_t(Id) * WarpSize;
  uint64_t Count = std::min<uint64_t>(Threads - First, WarpSize);
  C.Alive = Count == WarpSize ? FullMask : (1u << Count) - 1;
  pushFrame(L.Kernel, nullptr, C.Alive);
  if (L.Kernel.Rules)
    rulesOf(*L.Kernel.Rules);
}

void Warp::restart() {
  Blocked = Yielded = HeldBack = false;
  Pops = 0;
  BarrierLanes = BarrierVotes = BarrierNumber = BarrierThreads = 0;
  AtCluster = false;
  ClusterPhase = NoPhase;
  Last = BarrierInst = nullptr;
  LastFunction = nullptr;
  C.restart();
  Stack.clear();
  Frames.clear();
  Registers.resize(0);
  Preds.clear();
  WrittenLanes.clear();
  Local.clear();
  Rules.clear();
  LastErrors = {};
  Probe = {};
  fillCtaRows();
  start();
}

static void fillRows(uint32_t *Rows,
                     std::span<const std::pair<SpecialReg, uint32_t>> Values) {
  for (auto [Reg, Value] : Values)
    std::fill_n(Rows + unsigned(Reg) * WarpSize, WarpSize, Value);
}

void fillLaunchRows(const LaunchState &L, uint32_t *Rows) {
  const Dim3 &B = L.Config.Block, &G = L.Config.Grid;
  uint32_t OwnShared = sharedBytes(L.Kernel, L.Config);
  using enum SpecialReg;
  const std::pair<SpecialReg, uint32_t> Values[] = {
      {NTidX, B.X},
      {NTidY, B.Y},
      {NTidZ, B.Z},
      {NCtaIdX, G.X},
      {NCtaIdY, G.Y},
      {NCtaIdZ, G.Z},
      {NWarpId, uint32_t((B.count() + WarpSize - 1) / WarpSize)},
      {NSmId, L.NumSms},
      {GridIdLo, 1},
      {GridIdHi, 0},
      {DynamicSharedSize, L.Config.DynamicSharedBytes},
      {TotalSharedSize, OwnShared},
      {DynamicSharedBase, OwnShared - L.Config.DynamicSharedBytes},
      {DynamicSharedBaseHi, 0},
      {ReservedSharedSize, L.P.ReservedSharedBytes},
      {GridWorkspaceHi, uint32_t(L.Config.GridWorkspace >> 32)},
      {GridWorkspaceLo, uint32_t(L.Config.GridWorkspace)},
      {One, 1},
      {Zero, 0}};
  fillRows(Rows, Values);
}

void Warp::fillSpecialRows() {
  Specials.resize(NumSpecialRows);
  C.Bases[2] = Specials.data();
  fillLaunchRows(L, Specials.data());
  fillCtaRows();
  const Dim3 &B = L.Config.Block;
  auto Row = [&](SpecialReg R) {
    return Specials.data() + unsigned(R) * WarpSize;
  };
  uint32_t Reserved = C.SharedBytes - L.P.ReservedSharedBytes;
  using enum SpecialReg;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
    uint32_t T = Id * WarpSize + Lane;
    Row(TidX)[Lane] = T % B.X;
    Row(TidY)[Lane] = T / B.X % B.Y;
    Row(TidZ)[Lane] = T / B.X / B.Y;
    Row(LaneId)[Lane] = Lane;
    Row(LaneMaskEq)[Lane] = 1u << Lane;
    Row(LaneMaskLt)[Lane] = (1u << Lane) - 1;
    Row(LaneMaskLe)[Lane] = (2u << Lane) - 1;
    Row(LaneMaskGt)[Lane] = ~((2u << Lane) - 1);
    Row(LaneMaskGe)[Lane] = ~((1u << Lane) - 1);
  }
  const std::pair<SpecialReg, uint32_t> Own[] = {
      {WarpId, Id},
      {SmId, L.SmId},
      {ReservedShared0, Reserved},
      {ReservedShared1, Reserved + L.P.ReservedSharedBytes / 2},
      {ReservedSharedEnd, C.SharedBytes}};
  fillRows(Specials.data(), Own);
}

void Warp::fillCtaRows() {
  const Dim3 Cta = Owner.index();
  using enum SpecialReg;
  const std::pair<SpecialReg, uint32_t> Values[] = {
      {CtaIdX, Cta.X}, {CtaIdY, Cta.Y}, {CtaIdZ, Cta.Z}};
  fillRows(Specials.data(), Values);
}

void Warp::bindFrame(const Frame &F) {
  C.Bases[0] = Registers.data() + size_t(F.FirstRow) * WarpSize;
  C.Preds = Preds.data() + F.FirstPred;
  Written = WrittenLanes.data() + F.FirstWritten;
  C.FrameBase = F.LocalBase;
  C.Local = {Local.data(), uint32_t(Local.size() / WarpSize)};
}

void Warp::pushFrame(const Function &Fn, const CallSite *Site, uint32_t Mask) {
  Frame F{&Fn,
          uint32_t(Registers.size()),
          uint32_t(Preds.size()),
          uint32_t(WrittenLanes.size()),
          uint32_t(Stack.size()),
          uint32_t(Local.size() / WarpSize),
          Site,
          Mask,
          uint32_t(Frames.size())};
  Registers.resize(F.FirstRow + Fn.NumRows);
  Preds.resize(F.FirstPred + Fn.NumPreds, 0);
  WrittenLanes.insert(WrittenLanes.end(), Fn.WrittenAtStart.begin(),
                      Fn.WrittenAtStart.end());
  Local.resize(size_t(F.LocalBase + Fn.LocalBytes) * WarpSize);
  Stack.push_back({Mask, 0, NoTarget});
  Frames.push_back(F);
  bindFrame(Frames.back());
}

void Warp::popFrame() {
  Frame F = Frames.back();
  Frames.pop_back();
  if (F.Storage != Frames.size())
    return bindFrame(Frames.back());
  const Frame &Caller = Frames.back();
  if (F.Site)
    copyParams(F.Fn->Returns, F.LocalBase, F.Site->Results, Caller.LocalBase,
               F.CallMask);
  Registers.resize(F.FirstRow);
  Preds.resize(F.FirstPred);
  WrittenLanes.resize(F.FirstWritten);
  Local.resize(size_t(F.LocalBase) * WarpSize);
  if (!Tops.empty() && Tops.back().Frame == Frames.size())
    Tops.pop_back();
  bindFrame(Frames.back());
}

/// Copies parameters between frames, for the lanes of a call.
void Warp::copyParams(const std::vector<ParamSlot> &From, uint32_t FromBase,
                      const std::vector<ParamSlot> &To, uint32_t ToBase,
                      uint32_t Mask) {
  for (size_t K = 0; K != std::min(From.size(), To.size()); ++K) {
    uint32_t Words = (std::min(From[K].Size, To[K].Size) + 3) / 4;
    for (uint32_t W = 0; W != Words; ++W) {
      const uint8_t *Source =
          Local.data() + size_t(FromBase + From[K].Offset + 4 * W) * WarpSize;
      uint8_t *Dest =
          Local.data() + size_t(ToBase + To[K].Offset + 4 * W) * WarpSize;
      for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
        unsigned Lane = std::countr_zero(Rest);
        std::memcpy(Dest + 4 * Lane, Source + 4 * Lane, 4);
      }
    }
  }
}

StepStatus Warp::step() { return execute<false>(nullptr); }

/// Executes instructions that need nothing but their handlers: at least one and
/// at most \p Steps. How many.
uint64_t Warp::runStraight(uint64_t Steps, StepStatus &Status) {
  StackEntry &Top = Stack.back();
  const Function &Fn = *Frames.back().Fn;
  const Inst *const First = &Fn.Code[Top.Pc];
  const Inst *const End = First + std::min<uint64_t>(First->Run, Steps);
  const uint32_t Mask = C.Mask = Top.Mask;
  LastFunction = &Fn;
  const Inst *I = First;
  do {
    I->Fn(C, *I);
    if (C.F.Kind != FaultKind::None) [[unlikely]] {
      Last = I;
      letPass(*I, {LastFunction, I});
      if (C.F.Kind != FaultKind::None) {
        Status = failAccess(*I);
        break;
      }
    }
  } while (++I != End);
  bool Failed = Status == StepStatus::Failed;
  Last = Failed ? I : I - 1;
  uint64_t Executed = uint64_t(Last - First) + 1;
  L.Stats.WarpInstructions += Executed;
  L.Stats.ThreadInstructions += Executed * std::popcount(Mask);
  if (Failed)
    return Executed;
  Top.Pc += uint32_t(Executed);
  if (Top.Pc == Top.Reconverge)
    Status = afterStep();
  return Executed;
}

StepStatus Warp::run(uint64_t Steps) {
  C.KeepsAddresses = false;
  StepStatus Status = StepStatus::Ran;
  while (Steps && Status == StepStatus::Ran) {
    if (function().Code[pc()].Run) {
      Steps -= runStraight(Steps, Status);
    } else {
      Status = execute<false>(nullptr);
      --Steps;
    }
  }
  return Status;
}

StepStatus Warp::issue(PendingQueue &Pending) {
  return execute<true>(&Pending);
}

/// Carries out a memory instruction, or leaves it to \p Pending.
template <bool Timed>
StepStatus Warp::access(const Inst &I, PendingQueue *Pending) {
  if constexpr (Timed) {
    if (goesToGlobal(I)) {
      defer(I, *Pending);
      return StepStatus::Ran;
    }
  }
  carryOut(I, {LastFunction, &I});
  return C.F.Kind == FaultKind::None ? StepStatus::Ran : failAccess(I);
}

/// Lanes that are at \p I may read what they have not written.
bool Warp::readsUnwritten(const Inst &I) const {
  const uint32_t *Reads = function().Accesses.data() + I.FirstAccess;
  uint32_t Missing = 0;
  for (unsigned K = 0; K != I.NumReads; ++K)
    Missing |= ~Written[Reads[K]];
  return Missing & Stack.back().Mask;
}

void Warp::noteWritten(const Inst &I, uint32_t Lanes) {
  const uint32_t *Writes =
      function().Accesses.data() + I.FirstAccess + I.NumReads;
  for (unsigned K = 0; K != I.NumWrites; ++K)
    Written[Writes[K]] |= Lanes;
}

// NOLINTNEXTLINE(readability-function-size): one exhaustive switch
template <bool Timed> StepStatus Warp::execute(PendingQueue *Pending) {
  StackEntry &Top = Stack.back();
  const Function &Fn = *Frames.back().Fn;
  const Inst &I = Fn.Code[Top.Pc];
  Last = &I;
  LastFunction = &Fn;
  uint32_t Mask = Top.Mask & C.pred(I.Guard);
  if (I.IsTracked && L.Options.CheckUnwritten && readsUnwritten(I))
    if (failUnwritten(I, Mask) == StepStatus::Failed)
      return StepStatus::Failed;
  C.Mask = Mask;
  if (I.Attention) [[unlikely]] {
    StepStatus Status = StepStatus::Ran;
    if constexpr (!Timed)
      if (isHeldBefore(I))
        return StepStatus::Blocked;
    if (I.Attention & AttendNoSlot)
      return (Status = stepOver()) == StepStatus::Ran ? execute<Timed>(Pending)
                                                      : Status;
    if (I.Attention & AttendNative)
      C.Mask = computeFolded(I);
    if (!attend(I, Status))
      return Status;
    Mask = C.Mask;
    if (I.Attention & AttendNative)
      countSlots(I);
  }
  ++L.Stats.WarpInstructions;
  if constexpr (!Timed) {
    C.Clock = L.Stats.WarpInstructions;
    C.Nanoseconds = L.Stats.WarpInstructions;
  }
  L.Stats.ThreadInstructions += std::popcount(Mask);
  if (I.IsTracked)
    noteWritten(I, Mask);
  if (I.Attention & (AttendAfter | AttendNative)) [[unlikely]]
    attendAfter(I);
  switch (I.Kind) {
  case InstKind::Compute:
    if (Mask)
      I.Fn(C, I);
    break;
  case InstKind::Memory:
    if (Mask)
      if (access<Timed>(I, Pending) == StepStatus::Failed) [[unlikely]]
        return StepStatus::Failed;
    break;
  case InstKind::Branch:
    return branch(I);
  case InstKind::IndexedBranch:
    return indexedBranch(I);
  case InstKind::Stack:
    if (stack(I) == StepStatus::Failed)
      return StepStatus::Failed;
    break;
  case InstKind::Call:
    return call(I);
  case InstKind::Return:
    ++Top.Pc;
    return leave(Mask, Frames.back().Storage == 0);
  case InstKind::Exit:
    ++Top.Pc;
    return leave(Mask, true);
  case InstKind::Barrier:
    return barrier(I);
  case InstKind::Trap:
    if (Mask)
      return fail("the kernel executed '" +
                      std::string(Fn.Syntax->Body[I.Source].Opcode) + "'",
                  std::countr_zero(Mask), ErrorKind::Trap);
    break;
  case InstKind::Statement:
    rulesOf(*Fn.Rules).execute(I);
    if (HasBrokenRules) [[unlikely]]
      return StepStatus::Failed;
    break;
  case InstKind::WarpBarrier:
    // nanosleep ends the warp's turn where there is no timing.
    if (!Timed && !I.MemberOp) {
      ++Top.Pc;
      StepStatus Status =
          Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
      return Status == StepStatus::Ran ? StepStatus::Blocked : Status;
    }
    break;
  case InstKind::Define:
    break;
  }
  ++Top.Pc;
  if (Top.Pc == Top.Reconverge) [[unlikely]]
    return afterStep();
  return StepStatus::Ran;
}

/// Pops what has reached its reconvergence point or has no lanes left, and
/// returns from functions whose lanes have all returned.
StepStatus Warp::afterStep() {
  while (true) {
    while (Stack.size() > Frames.back().StackBase && Stack.back().isDone()) {
      Stack.pop_back();
      // The last one goes nowhere: the function is over.
      Pops += Stack.size() > Frames.back().StackBase;
      lanesChange();
    }
    if (Stack.size() > Frames.back().StackBase)
      break;
    if (Frames.size() == 1) {
      assert(C.Alive == 0 && "live lanes without a place to run");
      Owner.warpFinished();
      return StepStatus::Finished;
    }
    popFrame();
  }
  if (Stack.back().AtBarrier) [[unlikely]]
    return arriveTogether();
  return StepStatus::Ran;
}

StepStatus Warp::branch(const Inst &I) {
  StackEntry &Top = Stack.back();
  uint32_t NotTaken = Top.Mask & ~C.Mask;
  if (!NotTaken)
    Top.Pc = I.Target;
  else if (!C.Mask)
    ++Top.Pc;
  else
    diverge(C.Mask, I.Target, NotTaken, I.Reconverge);
  if (Stack.back().Pc == Stack.back().Reconverge)
    return afterStep();
  return StepStatus::Ran;
}

/// Splits the top entry. The side that was not taken runs first; a side that
/// already is where the two meet waits there.
void Warp::diverge(uint32_t Taken, uint32_t Target, uint32_t NotTaken,
                   uint32_t Reconverge) {
  StackEntry Top = Stack.back();
  uint32_t Next = Top.Pc + 1;
  lanesChange();
  // An entry that would only wait for its own end is not kept.
  if (Reconverge == NoTarget || Reconverge == Top.Reconverge)
    Stack.pop_back();
  else
    Stack.back().Pc = Reconverge;
  if (Target != Reconverge)
    Stack.push_back({Taken, Target, Reconverge});
  if (Next != Reconverge)
    Stack.push_back({NotTaken, Next, Reconverge});
}

/// One target at a time: the others come back to this instruction.
StepStatus Warp::indexedBranch(const Inst &I) {
  StackEntry &Top = Stack.back();
  if (!C.Mask) {
    ++Top.Pc;
    return Top.Pc == Top.Reconverge ? afterStep() : StepStatus::Ran;
  }
  const auto &Table = Frames.back().Fn->BranchTables[I.Target];
  const uint32_t *Index = C.row(I.Ops[0]);
  unsigned First = std::countr_zero(C.Mask);
  if (Index[First] >= Table.size())
    return fail("brx.idx with index " + std::to_string(Index[First]) +
                    ", the table has " + std::to_string(Table.size()) +
                    " entries",
                First);
  uint32_t Same = 0;
  for (uint32_t Rest = C.Mask; Rest; Rest &= Rest - 1) {
    unsigned Lane = std::countr_zero(Rest);
    if (Index[Lane] < Table.size() && Table[Index[Lane]] == Table[Index[First]])
      Same |= 1u << Lane;
  }
  uint32_t Target = Table[Index[First]], Others = Top.Mask & ~Same;
  if (!Others) {
    Top.Pc = Target;
  } else {
    uint32_t Pc = Top.Pc;
    StackEntry Old = Top;
    lanesChange();
    if (I.Reconverge == NoTarget || I.Reconverge == Old.Reconverge)
      Stack.pop_back();
    else
      Top.Pc = I.Reconverge;
    Stack.push_back({Others, Pc, I.Reconverge});
    if (Target != I.Reconverge)
      Stack.push_back({Same, Target, I.Reconverge});
  }
  return Stack.back().Pc == Stack.back().Reconverge ? afterStep()
                                                    : StepStatus::Ran;
}

/// Lanes leave their function, or the kernel.
StepStatus Warp::leave(uint32_t Lanes, bool ExitsThread) {
  uint32_t Storage = ExitsThread ? 0 : Frames.back().Storage;
  for (size_t K = Frames[Storage].StackBase; K != Stack.size(); ++K)
    Stack[K].Mask &= ~Lanes;
  if (ExitsThread) {
    C.Alive &= ~Lanes;
  } else if (Storage + 1 != Frames.size()) {
    // The others return later, and take nothing back that these may change.
    Frame &F = Frames[Storage];
    F.CallMask &= ~Lanes;
    copyParams(F.Fn->Returns, F.LocalBase, F.Site->Results,
               Frames[Storage - 1].LocalBase, Lanes);
  }
  return afterStep();
}

} // namespace regshare::sim
