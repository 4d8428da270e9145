//===- regshare/Base/LTRF/LTRFStatements.h - Its statements --- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code of LTRF says: intervals, PREFETCHes and dead operands.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_BASE_LTRF_LTRFSTATEMENTS_H
#define REGSHARE_BASE_LTRF_LTRFSTATEMENTS_H

#include "regshare/Base/Annotation.h"

#include <optional>

namespace regshare {

/// Identifiers of intervals are less: one for each instruction of a kernel is
/// always enough.
inline constexpr unsigned MaxIntervals = 1u << 24;

/// How LTRF divides a kernel: `regshare.intervals`. Intervals 0 to Count-1 name
/// at most Registers 32-bit units each.
struct IntervalBounds {
  unsigned Count = 0;
  unsigned Registers = 0;

  friend bool operator==(const IntervalBounds &,
                         const IntervalBounds &) = default;
};

/// `regshare.prefetch`: what an interval's registers are.
struct PrefetchVector {
  unsigned Interval = 0;
  std::vector<unsigned> Units; ///< Ascending, not empty.

  friend bool operator==(const PrefetchVector &,
                         const PrefetchVector &) = default;
};

/// `.pragma "regshare.intervals count=7 registers=16";`
std::string printIntervalsPragma(const IntervalBounds &Bounds);
/// `.pragma "regshare.prefetch interval=2 regs=R0,R5";`: the warp's working set
/// is these \p Units from here on, and what follows in the text belongs to the
/// interval. Ascending, not empty.
std::string printPrefetchPragma(unsigned Interval,
                                std::span<const unsigned> Units);
/// `.pragma "regshare.interval id=2";`: what follows in the text belongs to the
/// interval; without id it names no registers.
std::string printIntervalPragma(std::optional<unsigned> Interval);
/// `.pragma "regshare.dead regs=R3,R4";`: the operands of the instruction
/// before that no lane of the warp needs any more. Ascending, not empty.
std::string printDeadPragma(std::span<const unsigned> Units);

/// Each fails on a missing, unknown or repeated key and on what is no number in
/// range, or no ascending list of registers.
Result<IntervalBounds> parseIntervals(const Statement &D);
/// The registers that a PREFETCH names.
Result<PrefetchVector> parsePrefetch(const Statement &D);
/// Nothing where what follows names no registers.
Result<std::optional<unsigned>> parseInterval(const Statement &D);
/// The operands that a statement says are dead.
Result<std::vector<unsigned>> parseDead(const Statement &D);

} // namespace regshare

#endif // REGSHARE_BASE_LTRF_LTRFSTATEMENTS_H
