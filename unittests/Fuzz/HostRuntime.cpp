//===- HostRuntime.cpp - CTAs of fibers on the host -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A warp operation is a meeting of the lanes of its mask: each leaves its
/// value and waits, the last one hands everybody all values. Barriers are
/// meetings of the CTA's threads. Nothing here knows about divergence.
///
//===----------------------------------------------------------------------===//

#include "HostRuntime.h"

#include <bit>
#include <memory>
#include <ucontext.h>
#include <vector>

using namespace regshare::fuzz;

extern "C" {
FuzzThread fz_thread;
}

namespace {

constexpr size_t StackBytes = 256 * 1024;

struct Fiber {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack{new char[StackBytes]};
  FuzzThread Position;
  bool Done = false;
  // A meeting of lanes.
  bool InWarp = false;
  u32 Members = 0;
  u64 Value = 0;
  u64 Values[32];
  // A barrier.
  bool AtBarrier = false;
  bool Predicate = false;
  u32 Count = 0, Arrived = 0;
};

struct Block {
  std::vector<Fiber> Fibers{FuzzMaxThreads};
  unsigned NumThreads = 0, Current = 0;
  ucontext_t Scheduler;
  FuzzKernelFn Kernel = nullptr;
  const Launch *L = nullptr;
  Image *Memory = nullptr;
  Turns Order = Turns::FirstToLast;
};

} // namespace

static Block &block() {
  static Block B;
  return B;
}

static void yield() {
  Block &B = block();
  swapcontext(&B.Fibers[B.Current].Context, &B.Scheduler);
}

static void openBarrierIfComplete() {
  Block &B = block();
  u32 Arrived = 0, Alive = 0, Count = 0;
  for (unsigned T = 0; T != B.NumThreads; ++T) {
    Fiber &F = B.Fibers[T];
    Alive += !F.Done;
    Arrived += F.AtBarrier;
    Count += F.AtBarrier && F.Predicate;
  }
  if (Arrived != Alive)
    return;
  for (unsigned T = 0; T != B.NumThreads; ++T) {
    B.Fibers[T].AtBarrier = false;
    B.Fibers[T].Count = Count;
    B.Fibers[T].Arrived = Arrived;
  }
}

static void fiberMain() {
  Block &B = block();
  B.Kernel(B.L->In.data(), B.Memory->Out.data(), B.Memory->Acc.data(), B.L->P);
  B.Fibers[B.Current].Done = true;
  openBarrierIfComplete();
  yield();
}

static Fiber &meetAtBarrier(bool Predicate) {
  Block &B = block();
  Fiber &F = B.Fibers[B.Current];
  F.AtBarrier = true;
  F.Predicate = Predicate;
  openBarrierIfComplete();
  while (F.AtBarrier)
    yield();
  return F;
}

/// Meets the lanes of \p Members; their values, by lane.
static const u64 *meet(u32 Members, u64 Value) {
  Block &B = block();
  Fiber &Mine = B.Fibers[B.Current];
  Mine.InWarp = true;
  Mine.Members = Members;
  Mine.Value = Value;
  unsigned First = B.Current & ~31u;
  u32 Here = 0;
  for (unsigned L = 0; L != 32 && First + L < B.NumThreads; ++L) {
    const Fiber &F = B.Fibers[First + L];
    Here |= u32(F.InWarp && F.Members == Members && Members >> L & 1) << L;
  }
  if (Here == Members)
    for (unsigned L = 0; L != 32; ++L) {
      if (!(Members >> L & 1))
        continue;
      Fiber &F = B.Fibers[First + L];
      F.InWarp = false;
      for (unsigned From = 0; From != 32; ++From)
        F.Values[From] = Members >> From & 1 ? B.Fibers[First + From].Value : 0;
    }
  while (Mine.InWarp)
    yield();
  return Mine.Values;
}

static u32 lane() { return block().Current & 31; }

/// Follows the manual's table: c holds the segment mask and the clamp.
template <typename Source>
static u32 shuffle(u32 M, u32 V, u32 C, bool Up, Source From) {
  const u64 *Values = meet(M, V);
  u32 Segment = C >> 8 & 31, Clamp = C & 31;
  s32 Max = s32((lane() & Segment) | (Clamp & ~Segment));
  s32 J = From(s32(lane()), Segment);
  bool InRange = Up ? J >= Max : J <= Max;
  return u32(Values[InRange ? u32(J) : lane()]);
}

static bool resume(Block &B, unsigned T) {
  Fiber &F = B.Fibers[T];
  if (F.Done || F.AtBarrier || F.InWarp)
    return false;
  B.Current = T;
  fz_thread = F.Position;
  swapcontext(&B.Scheduler, &F.Context);
  return true;
}

static bool runBlock(Block &B, u32 CtaId) {
  const Launch &L = *B.L;
  B.NumThreads = L.BlockX * L.BlockY;
  for (unsigned T = 0; T != B.NumThreads; ++T) {
    Fiber &F = B.Fibers[T];
    F.Done = F.AtBarrier = F.InWarp = false;
    F.Position = {T % L.BlockX, T / L.BlockX, L.BlockX, L.BlockY, CtaId};
    getcontext(&F.Context);
    F.Context.uc_stack.ss_sp = F.Stack.get();
    F.Context.uc_stack.ss_size = StackBytes;
    F.Context.uc_link = nullptr;
    makecontext(&F.Context, fiberMain, 0);
  }
  while (true) {
    bool Progress = false, AllDone = true;
    for (unsigned K = 0; K != B.NumThreads; ++K)
      Progress |=
          resume(B, B.Order == Turns::LastToFirst ? B.NumThreads - 1 - K : K);
    for (unsigned T = 0; T != B.NumThreads; ++T)
      AllDone &= B.Fibers[T].Done;
    if (AllDone)
      return true;
    if (!Progress)
      return false;
  }
}

bool regshare::fuzz::runOnHost(FuzzKernelFn Kernel, const Launch &L,
                               Image &Memory, Turns Order) {
  Block &B = block();
  B.Kernel = Kernel;
  B.L = &L;
  B.Memory = &Memory;
  B.Order = Order;
  for (u32 Cta = 0; Cta != L.Grid; ++Cta)
    if (!runBlock(B, Order == Turns::LastToFirst ? L.Grid - 1 - Cta : Cta))
      return false;
  return true;
}

extern "C" {

void fz_barrier() { meetAtBarrier(false); }
u32 fz_barrier_count(bool P) { return meetAtBarrier(P).Count; }
bool fz_barrier_and(bool P) {
  const Fiber &F = meetAtBarrier(P);
  return F.Count == F.Arrived;
}
bool fz_barrier_or(bool P) { return meetAtBarrier(P).Count != 0; }
void fz_barrier_named(u32, u32) { meetAtBarrier(false); }
void fz_warp_barrier(u32 M) { meet(M, 0); }

u32 fz_ballot(u32 M, bool P) {
  const u64 *Values = meet(M, P);
  u32 R = 0;
  for (unsigned L = 0; L != 32; ++L)
    R |= u32(Values[L]) << L;
  return R;
}
bool fz_any(u32 M, bool P) { return fz_ballot(M, P) != 0; }
bool fz_all(u32 M, bool P) { return fz_ballot(M, P) == M; }
bool fz_uni(u32 M, bool P) {
  u32 R = fz_ballot(M, P);
  return R == 0 || R == M;
}

u32 fz_match_any64(u32 M, u64 V) {
  const u64 *Values = meet(M, V);
  u32 R = 0;
  for (unsigned L = 0; L != 32; ++L)
    R |= u32((M >> L & 1) && Values[L] == V) << L;
  return R;
}
u32 fz_match_any(u32 M, u32 V) { return fz_match_any64(M, V); }
u32 fz_match_all(u32 M, u32 V) { return fz_match_any64(M, V) == M ? M + 1 : 0; }
u32 fz_lane() { return lane(); }

u32 fz_shfl_raw_idx(u32 M, u32 V, u32 B, u32 C) {
  return shuffle(M, V, C, false, [=](s32 L, u32 Segment) {
    return s32((u32(L) & Segment) | (B & 31 & ~Segment));
  });
}
u32 fz_shfl_raw_up(u32 M, u32 V, u32 B, u32 C) {
  return shuffle(M, V, C, true, [=](s32 L, u32) { return L - s32(B & 31); });
}
u32 fz_shfl_raw_down(u32 M, u32 V, u32 B, u32 C) {
  return shuffle(M, V, C, false, [=](s32 L, u32) { return L + s32(B & 31); });
}
u32 fz_shfl_raw_bfly(u32 M, u32 V, u32 B, u32 C) {
  return shuffle(M, V, C, false, [=](s32 L, u32) { return L ^ s32(B & 31); });
}

} // extern "C"
