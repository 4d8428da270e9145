//===- SmTimes.cpp - When warps of a modern SM go on ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Core/Sm.h"

#include <bit>

namespace regshare::sim {

/// What the next instruction needs will be there later, or is yet to be read.
/// The warp is woken in that cycle, or when it has been read.
bool Sm::isEarly(Slot &S, const IssueInfo &Next) {
  if (Timed->overwrites(S.Ref.Slot, Next))
    return true;
  return waitsUntil(S, Timed->readyAt(S.Ref.Slot, Next, S.Fn->NumRows));
}

/// Whether that is later; then the warp is woken.
bool Sm::waitsUntil(Slot &S, Cycle Ready) {
  if (Ready <= Now)
    return false;
  if (S.WakesAt != Ready) {
    S.WakesAt = Ready;
    Wheel.add(std::min(Ready, Now + Wheel.Size - 1), Now,
              WakeEvent | S.Ref.Slot);
  }
  return true;
}

/// The next instruction is yet to come from the instruction caches.
bool Sm::awaitsCode(Slot &S) {
  uint32_t Line = S.Timing->Lines[S.W->pc()];
  if (S.CodeLine != Line) {
    S.CodeLine = Line;
    S.FetchedAt =
        Code->fetch(S.Ref.Slot % Context.Setup.Core.Schedulers, Line, Now);
  }
  if (!waitsUntil(S, S.FetchedAt))
    return false;
  S.ReadyAt = std::max(S.ReadyAt, S.FetchedAt);
  return true;
}

/// Instructions of a division that neither the FMA pipe nor the ALU executes:
/// of an integer one, two conversions and a reciprocal (the size of what ptxas
/// makes of divisions, and the pipes' duty of bpnn_layerforward_CUDA on a
/// GV100); of a floating-point one, a reciprocal, the check whether it will
/// do, and the branch to where it will not.
static constexpr unsigned BesideOfInt = 3, BesideOfFloat = 5;

/// Divisions and special functions are chains of instructions, each of which
/// needs the one before: after one has issued, the next waits for its result.
/// The special unit itself comes last, but for floating-point divisions, which
/// begin with a reciprocal. \p Left: slots after this one.
void Sm::delaySequence(Slot &S, const IssueInfo &Sequence, unsigned Left) {
  bool IsSpecial = Sequence.Lanes == LaneClass::Special;
  if (Sequence.Lanes != LaneClass::Divide && !IsSpecial)
    return;
  const CoreConfig &Core = Context.Setup.Core;
  if (!IsSpecial) {
    UnitClass Unit = S.W->lastInst()->Unit;
    unsigned Beside = Unit == UnitClass::Int ? BesideOfInt : BesideOfFloat;
    Stats.PipeInstructions[unsigned(Sequence.Target)] +=
        Left + Beside < Sequence.Slots;
    if (Unit == UnitClass::Float && Left + 1u == Sequence.Slots) {
      S.ReadyAt = Now + Core.Special.Latency;
      return;
    }
  }
  S.ReadyAt = Now + Core.Modern.Latencies.cycles(IssueClass::Fma,
                                                 IsSpecial && Left == 1
                                                     ? IssueClass::Decoupled
                                                     : IssueClass::Fma,
                                                 false);
}

/// Instructions of the slow paths of single precision that run when an operand
/// is zero, of what ptxas 13.0 makes for sm_90: 34 of the 102 that a kernel
/// with a division has once, and for a root 8 of 22 (HardwareCosts.def). Other
/// operands are taken to need as many.
static constexpr unsigned SlowDivision = 34, SlowRoot = 8;

/// What a division or root that the warp has just executed takes beyond its own
/// slots. Lanes whose result is zero, subnormal, infinite or no number come
/// from the slow path; that others do, whose operands are nearly so, is not
/// noticed.
unsigned Sm::slotsOfSlowPath(const Slot &S, const IssueInfo &Sequence) const {
  if (!Sequence.MayCall)
    return 0;
  const uint32_t *Results = S.W->context().dest(S.W->lastInst()->Ops[0]);
  for (uint32_t Rest = S.W->lastMask(); Rest; Rest &= Rest - 1) {
    uint32_t Exponent = Results[std::countr_zero(Rest)] >> 23 & 0xff;
    if (Exponent == 0 || Exponent == 0xff)
      return Sequence.IsRoot ? SlowRoot : SlowDivision;
  }
  return 0;
}

/// An instruction counts as issued in the cycle \p From, if its latency is
/// fixed; else it has yet to read its operands.
void Sm::noteSent(uint32_t Token, Cycle From) {
  const Flight &F = Flights[Token];
  if (!Controls.empty())
    Controls[F.Slot].stall(F.Info->Says, From);
  if (!hasFixedLatency(F.Info->Class)) {
    Timed->beginsReading(F.Slot, *F.Info);
    return;
  }
  Timed->writes(F.Slot, *F.Info, From, F.Lanes);
  uint8_t *Board = Boards.data() + size_t(F.Slot) * Context.Timing.MaxAccesses;
  for (unsigned K = 0; K != F.Info->NumWrites; ++K)
    Board[F.Info->Accesses[F.Info->NumReads + K]] = Fixed;
}

void Sm::noteRead(uint32_t Token) {
  Flight &F = Flights[Token];
  F.HasRead = true;
  bool MayHaveWaited = !Controls.empty() && F.Info->Says.read();
  if (MayHaveWaited)
    Controls[F.Slot].hasRead(F.Info->Says);
  if (!hasFixedLatency(F.Info->Class))
    Timed->hasRead(F.Slot, *F.Info);
  else if (!MayHaveWaited)
    return;
  if (MayHaveWaited)
    wakeByCounter(F.Slot);
  else if (Slots[F.Slot].Class == uint8_t(SlotUse::Dependency))
    evaluate(F.Slot);
}

/// Results of an instruction that counts as issued in the cycle \p From are
/// written: of those that no later one writes, nothing is on its way.
void Sm::clearBoard(const Flight &F, Cycle From) {
  uint8_t *Board = Boards.data() + size_t(F.Slot) * Context.Timing.MaxAccesses;
  for (unsigned K = 0; K != F.Info->NumWrites; ++K) {
    uint32_t Access = F.Info->Accesses[F.Info->NumReads + K];
    if (Board[Access] == Fixed && Timed->isLast(F.Slot, Access, From))
      Board[Access] = NoWriter;
  }
}

/// The unit takes the warps of the SM that arrive one after the other.
void Sm::arriveAtBarrier() {
  BarrierFree =
      std::max(BarrierFree, Now) + Context.Setup.Core.Modern.BarrierInterval;
}

/// When warps go on if the last one has just arrived.
Cycle Sm::openingAt() const {
  return std::max(BarrierFree, Now) + Context.Setup.Core.Modern.BarrierCycles;
}

} // namespace regshare::sim
