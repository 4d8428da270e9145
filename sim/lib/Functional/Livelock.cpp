//===- Livelock.cpp - Warps that run without getting anywhere -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Livelock.h"

#include "Warp.h"

#include <bit>
#include <cstring>

namespace regshare::sim {

static uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15u;
  return Hash ^ (Hash >> 29);
}

static uint64_t mixBytes(uint64_t Hash, const void *Data, size_t Bytes) {
  const auto *From = static_cast<const uint8_t *>(Data);
  for (; Bytes >= 8; Bytes -= 8, From += 8) {
    uint64_t Word;
    std::memcpy(&Word, From, 8);
    Hash = mix(Hash, Word);
  }
  for (; Bytes; --Bytes, ++From)
    Hash = mix(Hash, *From);
  return Hash;
}

uint64_t Warp::stateHash() const {
  uint64_t Hash = mix(C.Alive, BarrierLanes);
  for (const auto &[Family, Of] : Rules)
    Hash = mix(Hash, Of->state());
  Hash = mix(Hash, C.Carry);
  // Time goes on: who looks at the clock does not repeat what it did.
  Hash = mix(Hash, C.ClockRead);
  for (const StackEntry &E : Stack) {
    Hash = mix(Hash, uint64_t(E.Mask) << 32 | E.Pc);
    Hash = mix(Hash, E.Reconverge);
    Hash = mix(Hash, unsigned(E.AtBarrier) << 1 | unsigned(E.AtWarpSync));
  }
  for (const Frame &F : Frames) {
    Hash = mix(Hash, reinterpret_cast<uintptr_t>(F.Fn));
    Hash = mix(Hash, uint64_t(F.StackBase) << 32 | F.CallMask);
  }
  Hash = mixBytes(Hash, Registers.data(),
                  Registers.size() * WarpSize * sizeof(uint32_t));
  Hash = mixBytes(Hash, Preds.data(), Preds.size() * sizeof(uint32_t));
  Hash = mixBytes(Hash, WrittenLanes.data(),
                  WrittenLanes.size() * sizeof(uint32_t));
  Hash = mixBytes(Hash, LastErrors.data(), sizeof(LastErrors));
  return mixBytes(Hash, Local.data(), Local.size());
}

/// Keeps a state at visits whose distance doubles, so that a round of any
/// length is seen in the end (Brent).
void LivelockWatch::visit(Warp &W) const {
  LivelockProbe &P = W.probe();
  uint64_t State = W.stateHash();
  if (P.Epoch != Epoch) {
    P = {Epoch, State, 0, 1, false};
    return;
  }
  ++P.Visits;
  if (P.State == State) {
    P.Repeats = true;
  } else if (P.Visits == P.NextKept) {
    P.State = State;
    P.NextKept *= 2;
  }
}

bool isLivelock(const std::vector<Warp *> &Warps, uint64_t Epoch) {
  bool Any = false;
  for (Warp *W : Warps) {
    if (W->isFinished() || W->isBlocked() || W->isHeldBack())
      continue;
    if (!W->probe().Repeats || W->probe().Epoch != Epoch)
      return false;
    Any = true;
  }
  return Any;
}

/// "2 warps go round, 1 waits at barriers, 3 wait for registers".
static std::string countThem(const std::vector<Warp *> &Warps,
                             unsigned Starved) {
  unsigned Running = 0, Waiting = 0, HeldBack = 0;
  for (const Warp *W : Warps)
    if (!W->isFinished())
      ++(W->isBlocked() ? Waiting : W->isHeldBack() ? HeldBack : Running);
  std::string Text = std::to_string(Running) +
                     (Running == 1 ? " warp goes" : " warps go") + " round";
  auto Append = [&](unsigned Count, const char *Where) {
    if (Count)
      Text += ", " + std::to_string(Count) + (Count == 1 ? " waits" : " wait") +
              Where;
  };
  Append(Waiting, " at barriers");
  Append(HeldBack, " for registers that others hold");
  Append(Starved, " for a place in the scheduler's active set");
  return Text;
}

std::string describeLivelock(const std::vector<Warp *> &Warps,
                             unsigned Starved) {
  constexpr unsigned MostNamed = 4;
  std::string Text =
      "livelock: no memory changes any more, and every warp that runs repeats "
      "what it did\n  " +
      countThem(Warps, Starved);
  unsigned Named = 0;
  for (const Warp *W : Warps) {
    if (W->isFinished() || W->isBlocked() || W->isHeldBack())
      continue;
    if (++Named > MostNamed) {
      Text += "\n  and more";
      break;
    }
    Text += "\n  " + W->describeRound();
  }
  return Text;
}

static std::string laneNames(uint32_t Mask) {
  std::string Names = std::popcount(Mask) == 1 ? "lane " : "lanes ";
  bool First = true;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
    if (!(Mask >> Lane & 1))
      continue;
    unsigned Last = Lane;
    while (Last + 1 != WarpSize && (Mask >> (Last + 1) & 1))
      ++Last;
    Names += (First ? "" : ", ") + std::to_string(Lane);
    if (Last != Lane)
      Names += "-" + std::to_string(Last);
    First = false;
    Lane = Last;
  }
  return Names;
}

std::string Warp::describeRound() const {
  Dim3 I = Owner.index();
  std::string Text = "kernel '" + L.Kernel.Name + "', CTA (" +
                     std::to_string(I.X) + "," + std::to_string(I.Y) + "," +
                     std::to_string(I.Z) + "), warp " + std::to_string(Id) +
                     ": " + laneNames(Stack.back().Mask) + " at " + where();
  uint32_t Above = Stack.back().Mask;
  size_t FrameNumber = Frames.size() - 1;
  for (size_t K = Stack.size() - 1; K-- > 0;) {
    while (K < Frames[FrameNumber].StackBase)
      --FrameNumber;
    const Function &Fn = *Frames[FrameNumber].Fn;
    uint32_t Here = Stack[K].Mask & ~Above;
    Above |= Stack[K].Mask;
    if (!Here || Stack[K].Pc >= Fn.Code.size())
      continue;
    Text += "\n    meanwhile " + laneNames(Here) +
            (std::popcount(Here) == 1 ? " waits" : " wait") + " before " +
            describePlace(L.P, Fn, Fn.Code[Stack[K].Pc]);
  }
  return Text;
}

} // namespace regshare::sim
