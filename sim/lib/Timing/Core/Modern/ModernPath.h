//===- ModernPath.h - Operands of a core since Volta ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The third organisation of operand delivery (OperandPaths.h), which GPUs have
/// since Volta (Huerta et al., MICRO 2025). An issued instruction passes
/// Control; one of fixed latency then waits in Allocate until all of its reads
/// fit into the next cycles, and holds up what comes after it. Others go to a
/// queue and read when ports are free.
///
/// A unit has a latch, which an instruction takes for its interval. Times of
/// execution count from the cycle in which an instruction would have issued
/// if it had waited for nothing.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_MODERNPATH_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_MODERNPATH_H

#include "MemoryPipe.h"
#include "ReadPorts.h"
#include "Timing/Core/OperandPaths.h"

namespace regshare::sim {

class ModernPath {
public:
  static constexpr bool WritesTakeBanks = true;
  static constexpr bool IsModern = true;
  static constexpr bool MemoryWaitsForRoom = true;
  explicit ModernPath(const CoreConfig &Config);

  /// Control is taken: the sub-core issues nothing.
  bool isHeld(unsigned Scheduler, Cycle Now) const {
    return Cores[Scheduler].ControlFree > Now + 1;
  }
  bool hasRoom(Pipe P, unsigned Scheduler, Cycle Now) const {
    return refusal(P, Scheduler, Now) == SlotUse::Issued;
  }
  /// SlotUse::Issued if nothing is in the way.
  SlotUse refusal(Pipe P, unsigned Scheduler, Cycle Now) const {
    const SubCore &S = Cores[Scheduler];
    if (P == Pipe::Memory)
      return Memory.hasRoom(Scheduler) ? SlotUse::Issued : SlotUse::MemQueue;
    if (P == Pipe::Double && Config.Modern.DoubleIsShared)
      return S.AwaitsDouble ? SlotUse::Pipe : SlotUse::Issued;
    return S.LatchFree[unsigned(P)] <= Now ? SlotUse::Issued : SlotUse::Pipe;
  }
  /// Of an instruction of fixed latency, returns the cycle from which it
  /// counts. Of others, tick() does.
  Cycle take(const OperandRequest &R, Cycle Now);
  template <typename Begin>
  void tick(Cycle Now, uint32_t WriteBanks, bool MemoryRoom, Begin Start);
  Cycle nextEvent(Cycle Now, bool MemoryRoom) const;

private:
  /// An instruction without a fixed latency that reads its operands.
  struct Reader {
    OperandRequest R;
    Cycle From = 0;    ///< It can read from then on.
    unsigned Left = 0; ///< A mask of reads.
  };
  struct SubCore {
    explicit SubCore(const CoreConfig &C) : Ports(C.Banks, C.ReadPorts) {}
    ReadPorts Ports;
    RingQueue<Reader> Readers;
    std::array<Cycle, NumPipes> LatchFree = {};
    Cycle ControlFree = 0;     ///< The last instruction leaves Control.
    Cycle AllocateFree = 0;    ///< The next may enter Allocate.
    bool AwaitsDouble = false; ///< One has issued that has not begun.
  };
  /// One for the unit that the sub-cores share.
  struct DoubleEntry {
    uint32_t Token;
    uint16_t Interval;
    uint8_t SubCore;
  };

  static unsigned delayOf(const OperandRequest &R);
  Cycle allocate(SubCore &S, const OperandRequest &R, Cycle Now);
  bool readAll(SubCore &S, Reader &R, Cycle Now);
  template <typename Begin>
  void leave(const OperandRequest &R, Cycle From, Cycle Now, Begin &Start);

  const CoreConfig &Config;
  MemoryPipe Memory;
  std::vector<SubCore> Cores;
  RingQueue<DoubleEntry> Doubles;
  Cycle DoubleFree = 0;
  unsigned Reading = 0;
};

/// From the issue until operands are read.
inline constexpr unsigned ControlCycles = 2;

/// Its operands, which could be read from the cycle \p From on, have been.
template <typename Begin>
void ModernPath::leave(const OperandRequest &R, Cycle From, Cycle Now,
                       Begin &Start) {
  if (R.Target == Pipe::Memory)
    Memory.enter(R.Scheduler, R.Token, R.SourceCycles, R.IsConstant,
                 From - ControlCycles, Now + delayOf(R));
  else if (R.Target == Pipe::Double && Config.Modern.DoubleIsShared)
    Doubles.push({R.Token, R.Interval, R.Scheduler});
  else
    Start(R.Token, Now - ControlCycles + delayOf(R));
}

template <typename Begin>
void ModernPath::tick(Cycle Now, uint32_t, bool MemoryRoom, Begin Start) {
  Memory.tick(Now, MemoryRoom, Start);
  if (!Doubles.empty() && DoubleFree <= Now) {
    DoubleEntry E = Doubles.front();
    Doubles.pop();
    DoubleFree = Now + E.Interval;
    Cores[E.SubCore].AwaitsDouble = false;
    Start(E.Token, Now - ControlCycles - 1);
  }
  if (!Reading)
    return;
  for (SubCore &S : Cores) {
    if (S.Readers.empty() || S.Readers.front().From > Now ||
        !readAll(S, S.Readers.front(), Now))
      continue;
    Reader Head = S.Readers.front();
    S.Readers.pop();
    --Reading;
    leave(Head.R, Head.From, Now, Start);
  }
}

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_MODERNPATH_H
