//===- RegisterIntervalsOracle.h - Algorithms 1 and 2 slowly -- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two algorithms word for word, on sets: every step looks at all blocks
/// again. And random graphs to compare on.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_ANALYSIS_LTRF_REGISTERINTERVALSORACLE_H
#define REGSHARE_UNITTESTS_ANALYSIS_LTRF_REGISTERINTERVALSORACLE_H

#include "regshare/Analysis/LTRF/RegisterIntervals.h"

#include <map>
#include <random>
#include <set>

namespace regshare::test {

/// Block and instructions of it, from the first to before the second.
struct Part {
  unsigned Block, Begin, End;
  friend auto operator<=>(const Part &, const Part &) = default;
};
using Partition = std::set<std::set<Part>>;

/// With blocks that join whole, in order of arrival, and are cut as late as
/// possible.
Partition slowPartition(const RegisterGraph &G, const IntervalOptions &Options);

/// The same shape of what the library says.
Partition partition(const IntervalPartition &P);

/// Any graph: loops into and out of loops, blocks that nothing reaches, empty
/// blocks, calls and long latencies.
RegisterGraph randomGraph(std::mt19937 &Random);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_ANALYSIS_LTRF_REGISTERINTERVALSORACLE_H
