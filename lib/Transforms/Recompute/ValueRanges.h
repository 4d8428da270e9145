//===- ValueRanges.h - Where values are live --------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the values of a function are live, for a thread and for its warp.
/// Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_RECOMPUTE_VALUERANGES_H
#define REGSHARE_LIB_TRANSFORMS_RECOMPUTE_VALUERANGES_H

#include "Transforms/Assign/LiveValues.h"

namespace regshare {

class DivergenceAnalysis;
class Reconvergence;

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
  /// name it. Empty for predicates, and where only threads were looked at.
  std::vector<std::vector<IndexRange>> WarpInstrs;
  unsigned Reserved = 0; ///< Units that hold no value and are always taken.

  /// Branches that can part a warp are those of \p Divergence.
  static llvm::Expected<ValueRanges>
  collect(llvm::MachineFunction &MF, const DivergenceAnalysis &Divergence,
          const Reconvergence &Meetings);
  /// For threads alone.
  static llvm::Expected<ValueRanges>
  collectOfThreads(llvm::MachineFunction &MF);
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_RECOMPUTE_VALUERANGES_H
