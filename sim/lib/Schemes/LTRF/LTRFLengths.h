//===- LTRFLengths.h - How long register-intervals are ----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows the instructions of a warp as they issue and measures the intervals
/// that it goes through, and the longest that a division without regard to
/// control flow could have made (LTRF §6.5). To begin a run only where the next
/// instruction does not fit makes the fewest: another division's first run ends
/// no later, so its others begin no later either.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_LTRF_LTRFLENGTHS_H
#define REGSHARE_SIM_SCHEMES_LTRF_LTRFLENGTHS_H

#include "regshare/Sim/Timing.h"

#include <bitset>
#include <span>

namespace regshare::sim {

class IntervalLengths {
public:
  /// The warp has executed a PREFETCH. What came before the first one named no
  /// registers and counts as a part of its interval.
  void entered(RunLengths &Intervals) {
    if (HasEntered)
      Intervals.add(Length);
    Length = HasEntered ? 0 : Length;
    HasEntered = true;
  }

  /// It has issued an instruction. \p Accesses may name an operand twice;
  /// those from \p EndRow on are no registers. At most \p Most registers are
  /// in a run.
  void issued(std::span<const uint32_t> Accesses, unsigned EndRow,
              unsigned Most, RunLengths &Optimal) {
    ++Length;
    unsigned Before = NumNamed;
    name(Accesses, EndRow);
    if (NumNamed > Most && Before) {
      Optimal.add(RunLength);
      RunLength = 0;
      Named.reset();
      NumNamed = 0;
      name(Accesses, EndRow);
    }
    ++RunLength;
  }

  /// It has issued its last instruction.
  void exited(RunLengths &Intervals, RunLengths &Optimal) {
    if (HasEntered) {
      Intervals.add(Length);
      Optimal.add(RunLength);
    }
    *this = {};
  }

private:
  void name(std::span<const uint32_t> Accesses, unsigned EndRow) {
    for (uint32_t Row : Accesses) {
      if (Row >= EndRow || Named[Row])
        continue;
      Named.set(Row);
      ++NumNamed;
    }
  }

  uint64_t Length = 0;    ///< Of the interval that the warp is in.
  uint64_t RunLength = 0; ///< Of the optimal run.
  std::bitset<256> Named; ///< In that.
  unsigned NumNamed = 0;
  bool HasEntered = false;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_LTRF_LTRFLENGTHS_H
