//===- regshare/Analysis/Sides.h - The sides of branches -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the lanes of a warp are that part at a branch: what a scheme asks that
/// gives the warp a state, which lanes find as others have left it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_SIDES_H
#define REGSHARE_ANALYSIS_SIDES_H

#include "regshare/Analysis/Analyses.h"

#include "llvm/ADT/BitVector.h"

namespace regshare {

/// The blocks that lanes run which leave \p Branch for \p Side, until they meet
/// the others, by number.
llvm::BitVector blocksOfSide(const llvm::MachineBasicBlock &Branch,
                             const llvm::MachineBasicBlock &Side,
                             const Reconvergence &Meetings);

/// True if a machine may let the lanes of \p Branch, which diverges, meet
/// elsewhere than the graph says, or part twice at its end. One endless loop in
/// a function is enough: which branches it concerns is the machine's business.
bool canMeetAnywhere(const llvm::MachineBasicBlock &Branch, const Analyses &A);

/// True for a block that does nothing but return, which frees everything. Lanes
/// that return early do not wait in it for others, whose registers and state
/// they must not change.
bool onlyReturns(const llvm::MachineBasicBlock &MBB);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_SIDES_H
