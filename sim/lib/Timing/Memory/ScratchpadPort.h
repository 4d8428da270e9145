//===- ScratchpadPort.h - Who has the scratchpad ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one port of an SM's scratchpad. In a cycle it serves a pass of a warp's
/// access to shared memory or moves one row of registers, whose lanes are in
/// all banks. When both want it they take turns; an access
/// keeps it for all of its passes.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_SCRATCHPADPORT_H
#define REGSHARE_SIM_TIMING_MEMORY_SCRATCHPADPORT_H

#include "MemoryPort.h"

namespace regshare::sim {

class ScratchpadPort {
public:
  /// Rows are asked for before accesses in a cycle. False if the row has to
  /// wait.
  bool takeForRow(Cycle Now) {
    if (Now < AccessEnd || AccessWaits)
      return false;
    RowAt = Now;
    return true;
  }

  /// False if the access has to wait for the next cycle.
  bool takeForAccess(Cycle Now, unsigned Passes) {
    AccessWaits = RowAt == Now;
    if (AccessWaits)
      return false;
    AccessEnd = Now + Passes;
    return true;
  }

private:
  Cycle AccessEnd = 0; ///< The cycle after an access' last pass.
  Cycle RowAt = Never; ///< Of the last row.
  bool AccessWaits = false;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_SCRATCHPADPORT_H
