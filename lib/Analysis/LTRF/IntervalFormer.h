//===- IntervalFormer.h - One graph divided in several ways -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What partitions of a graph have in common whatever their options, computed
/// once: the blocks' parts, what these name, and the edges.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_ANALYSIS_LTRF_INTERVALFORMER_H
#define REGSHARE_LIB_ANALYSIS_LTRF_INTERVALFORMER_H

#include "regshare/Analysis/LTRF/RegisterIntervals.h"

#include <memory>

namespace regshare {

/// Which options were asked for a decision. Another value of one that was not
/// gives the same partition.
struct DecidedBy {
  bool Order = false, Fill = false, Cut = false;
};

class IntervalFormer {
public:
  /// Keeps a reference to \p G.
  IntervalFormer(const RegisterGraph &G, PartitionKind Kind);
  ~IntervalFormer();

  /// \p Options are of the kind that was given. Adds to \p Decided.
  IntervalPartition form(const IntervalOptions &Options,
                         DecidedBy &Decided) const;

private:
  struct Start;
  const RegisterGraph &G;
  std::unique_ptr<const Start> From;
};

} // namespace regshare

#endif // REGSHARE_LIB_ANALYSIS_LTRF_INTERVALFORMER_H
