//===- MemoryThrottle.h - Dynamic warp execution ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often non-owner warps of an SM may access memory (Jatala et al., HPDC
/// 2016, §IV-C): never on SM 0; elsewhere in each cycle with a probability that
/// follows how an SM's stalls compare with those of SM 0.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHARING_MEMORYTHROTTLE_H
#define REGSHARE_SIM_SCHEMES_SHARING_MEMORYTHROTTLE_H

#include "Timing/Core/WarpScheduler.h"
#include "Timing/Memory/MemoryPort.h"
#include "regshare/Sim/Timing.h"

#include <algorithm>
#include <array>
#include <random>

namespace regshare::sim {

class MemoryThrottle {
public:
  /// The probability changes by a step of 1/Steps, the paper's p = 0.1.
  static constexpr unsigned Steps = 10;
  /// Core cycles between comparisons (§IV-C).
  static constexpr Cycle Period = 1000;

  /// Nothing is throttled while there is no SM to compare with.
  void start(unsigned SmId, unsigned NumSms) {
    IsFirst = NumSms > 1 && SmId == 0;
    Level = IsFirst ? 0 : Steps;
    Random.seed(SmId + 1);
  }

  /// Whether the warp in \p Slot, a non-owner's, may access memory in the cycle
  /// \p Now. If not, it may in readyAt(), unless that is Never.
  bool allows(unsigned Slot, Cycle Now) {
    Cycle &Ready = ReadyAt[Slot];
    if (!Ready)
      Ready = Level ? Now + failures() : Never;
    if (Now < Ready)
      return false;
    Ready = 0;
    return true;
  }
  Cycle readyAt(unsigned Slot) const {
    return ReadyAt[Slot] ? ReadyAt[Slot] : Never;
  }
  /// The warp need not wait any more: it is an owner's or another one.
  void forget(unsigned Slot) { ReadyAt[Slot] = 0; }

  /// A period is over, in which the SM and SM 0 have stalled so often.
  void compare(uint64_t Stalls, uint64_t OfFirst) {
    if (IsFirst)
      return;
    if (Stalls > OfFirst && Level)
      --Level;
    else if (Stalls < OfFirst && Level != Steps)
      ++Level;
    ReadyAt = {};
  }
  unsigned level() const { return Level; }

private:
  /// Cycles with Level in Steps odds that fail before one succeeds; not beyond
  /// the period, after which the odds are others.
  Cycle failures() {
    Cycle Failed = 0;
    while (Failed != Period && Random() % Steps >= Level)
      ++Failed;
    return Failed;
  }

  bool IsFirst = false;
  unsigned Level = Steps;
  std::minstd_rand Random;
  /// When an access that was drawn for succeeds; 0: none was.
  std::array<Cycle, MaxWarpSlots> ReadyAt = {};
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHARING_MEMORYTHROTTLE_H
