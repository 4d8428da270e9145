//===- RegMutexValues.h - The values of architected code --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes architected code apart into values, each with a virtual register of
/// its own, so that they can be given other registers; and where each value is
/// live, for a thread and for its warp. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H

#include "Transforms/Assign/Interference.h"
#include "Transforms/Assign/LazyIntervals.h"

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/WaitPoints.h"

namespace regshare {

/// Makes a virtual register of every unconnected part of one. \p Places has a
/// register for each virtual register of \p MF, and gets one for those that are
/// made.
void separateValues(llvm::MachineFunction &MF, LazyIntervals &LIS,
                    RegisterAssignment &Places);

/// From First up to, not including, End.
struct IndexRange {
  uint32_t First, End;
  friend bool operator==(IndexRange, IndexRange) = default;
};

/// True if one of \p Ranges, which ascend, holds \p At.
bool isLive(const std::vector<IndexRange> &Ranges, uint32_t At);

/// Where values are live. Instructions are numbered in layout order, debug
/// instructions left out. Each has two points: 2i, where its operands are
/// read, and 2i + 1, where its results are held.
struct ValueRanges {
  LiveValues Live;
  std::vector<const llvm::MachineInstr *> Instrs;
  std::vector<IndexRange> Blocks; ///< Instructions, by block number.
  /// By value: points at which a thread needs it; ascending, not touching.
  std::vector<std::vector<IndexRange>> ThreadPoints;
  /// By value: instructions across which a lane of the warp needs it, or which
  /// name it. Empty for predicates.
  std::vector<std::vector<IndexRange>> WarpInstrs;
  unsigned Reserved = 0; ///< Units that hold no value and are always taken.

  /// Branches that can part a warp are those of \p Divergence.
  static llvm::Expected<ValueRanges>
  collect(llvm::MachineFunction &MF, const DivergenceAnalysis &Divergence,
          const Reconvergence &Meetings);
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXVALUES_H
