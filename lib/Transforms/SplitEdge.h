//===- SplitEdge.h - A block on an edge -------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM splits only the edges of branches that it can analyse, which for NVPTX
/// leaves out switches. Private to the transformations.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SPLITEDGE_H
#define REGSHARE_LIB_TRANSFORMS_SPLITEDGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

namespace regshare {

/// True if control can run over the end of \p MBB.
bool fallsThrough(const llvm::MachineBasicBlock &MBB);

/// Puts a new block on the edge from \p From to \p To, through whichever of
/// From's branches, table entries and its end it leads. The new block holds
/// nothing but, unless it falls through, a jump.
llvm::MachineBasicBlock *splitEdge(llvm::MachineBasicBlock &From,
                                   llvm::MachineBasicBlock &To);
/// The same for the edges of all \p Preds, which lead through one new block.
llvm::MachineBasicBlock *
splitEdges(llvm::ArrayRef<llvm::MachineBasicBlock *> Preds,
           llvm::MachineBasicBlock &To);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SPLITEDGE_H
