//===- ControlState.h - Dependences as code says them -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a warp of a modern core waits for if its code has control statements
/// (regshare/Base/Control.h): the stall of its last instruction, and dependence
/// counters (Huerta et al., MICRO 2025).
///
/// A stall counts from the cycle in which an instruction counts as issued: what
/// holds it up on its way to the registers holds up the warp as well.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_CONTROLSTATE_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_CONTROLSTATE_H

#include "Timing/Memory/MemoryPort.h"
#include "regshare/Base/Control.h"

#include <algorithm>
#include <array>

namespace regshare::sim {

class ControlState {
public:
  /// The first cycle in which the next instruction may issue.
  Cycle stallsUntil() const { return StallEnd; }
  void stall(ControlBits Says, Cycle From) {
    StallEnd = From + std::max(1u, Says.stall());
    IsAfterSerial = Says.isSerial();
  }
  /// It waits until nothing of the warp is under way.
  bool awaitsAll(ControlBits Says) const {
    return IsAfterSerial || Says.isSerial();
  }

  /// The instruction has issued, and will write its results and read its
  /// operands.
  void raise(ControlBits Says, Cycle Now) {
    if (!Says.write() && !Says.read())
      return;
    RaisedAt = Now;
    LastRaised = 0;
    for (unsigned C : {Says.write(), Says.read()})
      if (C) {
        ++Counts[C - 1];
        LastRaised |= 1u << (C - 1);
      }
  }
  void hasWritten(ControlBits Says) {
    if (Says.write())
      --Counts[Says.write() - 1];
  }
  void hasRead(ControlBits Says) {
    if (Says.read())
      --Counts[Says.read() - 1];
  }
  /// One of the counters that \p Says names seems to be raised.
  bool awaitsCounter(ControlBits Says, Cycle Now) const {
    unsigned Hidden = Now < RaisedAt + RaiseCycles ? LastRaised : 0;
    for (unsigned Mask = Says.wait(), C = 0; Mask; Mask >>= 1, ++C)
      if ((Mask & 1) && Counts[C] > (Hidden >> C & 1))
        return true;
    return false;
  }

private:
  Cycle StallEnd = 0;
  Cycle RaisedAt = 0; ///< By the last instruction that raised some.
  std::array<uint16_t, NumDependenceCounters> Counts = {};
  uint8_t LastRaised = 0; ///< A mask.
  bool IsAfterSerial = false;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_CONTROLSTATE_H
