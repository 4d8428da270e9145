//===- regshare/Analysis/FreePoints.h - Where registers die -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the registers of a warp die: no lane needs them any more, wherever it
/// is.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_FREEPOINTS_H
#define REGSHARE_ANALYSIS_FREEPOINTS_H

#include "regshare/Analysis/Analyses.h"

#include <vector>

namespace regshare {

/// From here on no lane of a warp needs these units.
struct FreePoint {
  const llvm::MachineBasicBlock *MBB;
  /// The instruction that they die at; null: they are dead on the block's
  /// entry, and the code that a warp ran before it may have held them to its
  /// end: a predecessor, or the other side of a divergent branch.
  const llvm::MachineInstr *After;
  std::vector<unsigned> Units; ///< 32-bit units, ascending; never empty.
};

/// Every place where units become dead for a warp, blocks and instructions in
/// layout order. A point stands before a block's first terminator: what the
/// terminators read dies at the successors' entries, and what a returning warp
/// holds needs no mention.
std::vector<FreePoint> findFrees(const llvm::MachineFunction &MF,
                                 const Analyses &A);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_FREEPOINTS_H
