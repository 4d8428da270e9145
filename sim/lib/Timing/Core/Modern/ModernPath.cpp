//===- ModernPath.cpp - Operands of a core since Volta --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModernPath.h"

namespace regshare::sim {

ModernPath::ModernPath(const CoreConfig &Config)
    : Config(Config), Memory(Config.Modern, Config.Schedulers),
      Cores(Config.Schedulers, SubCore(Config)) {}

unsigned ModernPath::delayOf(const OperandRequest &R) {
  unsigned Delay = 0;
  for (unsigned K = 0; K != R.NumReads; ++K)
    Delay = std::max<unsigned>(Delay, R.Reads[K].Delay);
  return Delay;
}

/// The cycle from which an instruction of fixed latency counts.
Cycle ModernPath::allocate(SubCore &S, const OperandRequest &R, Cycle Now) {
  ReadPorts::Demand D = {};
  for (unsigned K = 0; K != R.NumReads; ++K)
    ++D[R.Reads[K].Bank];
  Cycle Enters = std::max(Now + ControlCycles, S.AllocateFree);
  unsigned Length = S.Ports.cyclesFor(D, Config.Modern.ReadCycles);
  Cycle Leaves = S.Ports.reserve(D, Length, Enters);
  S.ControlFree = Enters;
  S.AllocateFree = Leaves + 1;
  return Leaves - ControlCycles + (Length - Config.Modern.ReadCycles) +
         delayOf(R);
}

Cycle ModernPath::take(const OperandRequest &R, Cycle Now) {
  SubCore &S = Cores[R.Scheduler];
  S.LatchFree[unsigned(R.Target)] = Now + R.Interval;
  S.ControlFree = Now + ControlCycles;
  if (R.Token == OperandRequest::NoToken && R.Target != Pipe::Memory)
    return Now;
  if (R.HasFixedLatency)
    return allocate(S, R, Now);
  if (R.Target == Pipe::Memory)
    Memory.issued(R.Scheduler);
  if (R.Target == Pipe::Double)
    S.AwaitsDouble = Config.Modern.DoubleIsShared;
  S.Readers.push({R, Now + ControlCycles, (1u << R.NumReads) - 1});
  ++Reading;
  return Now;
}

/// Reads what the ports of this cycle allow; whether that was all.
bool ModernPath::readAll(SubCore &S, Reader &R, Cycle Now) {
  for (unsigned Left = R.Left; Left; Left &= Left - 1) {
    unsigned K = unsigned(std::countr_zero(Left));
    unsigned Bank = R.R.Reads[K].Bank;
    if (!S.Ports.freeAt(Bank, Now))
      continue;
    S.Ports.take(Bank, Now);
    R.Left &= ~(1u << K);
  }
  return !R.Left;
}

Cycle ModernPath::nextEvent(Cycle Now, bool MemoryRoom) const {
  if (Reading)
    return Now + 1;
  Cycle Next = MemoryRoom ? Memory.nextEvent(Now) : Never;
  if (!Doubles.empty())
    Next = std::min(Next, std::max(Now + 1, DoubleFree));
  return Next;
}

} // namespace regshare::sim
