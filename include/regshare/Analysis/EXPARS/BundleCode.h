//===- regshare/Analysis/BundleCode.h - Machine code in bundles -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A machine function as the blocks that bundles are cut from.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_EXPARS_BUNDLECODE_H
#define REGSHARE_ANALYSIS_EXPARS_BUNDLECODE_H

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/EXPARS/Bundles.h"

#include <vector>

namespace regshare {

/// All terminators of a block are one instruction, since no statement can stand
/// between them; what prints nothing and RegShare's own statements are none.
struct BundleBlock {
  const llvm::MachineBasicBlock *MBB = nullptr;
  std::vector<BundleInstr> Instrs;
  /// By instruction: before which a statement is to stand that precedes it.
  std::vector<const llvm::MachineInstr *> Where;
};

/// In layout order, empty blocks too.
std::vector<BundleBlock> bundleBlocks(const llvm::MachineFunction &MF,
                                      const Analyses &A);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_EXPARS_BUNDLECODE_H
