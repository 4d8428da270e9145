//===- regshare/Analysis/Reconvergence.h - Where parted lanes meet - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where lanes that part at a branch meet again, and what they run until then.
///
/// The blocks between a branch and its immediate post-dominator J are found
/// through control dependence: what a side runs before J is the chain of
/// post-dominators from its first block up to J, and, for each block of the
/// chain, what lies between that block and its own immediate post-dominator.
/// So facts about regions spread from block to block along control dependence,
/// once for all branches of a function, and no region is ever walked.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_RECONVERGENCE_H
#define REGSHARE_ANALYSIS_RECONVERGENCE_H

#include "llvm/CodeGen/MachineBasicBlock.h"

#include <vector>

namespace llvm {
class MachinePostDominatorTree;
} // namespace llvm

namespace regshare {

/// Where lanes meet again, for each branch of a function.
class Reconvergence {
public:
  Reconvergence(const llvm::MachineFunction &MF,
                const llvm::MachinePostDominatorTree &PDT);

  /// The block in which lanes that part at the end of \p MBB meet again: its
  /// immediate post-dominator. Null if there is none, as when sides return on
  /// their own, and where some path from \p MBB can never leave the function.
  const llvm::MachineBasicBlock *
  meetingPoint(const llvm::MachineBasicBlock &MBB) const {
    return Points[MBB.getNumber()];
  }

  /// Calls \p F for the blocks that every lane going from \p MBB to its
  /// successor \p Succ runs before meetingPoint(MBB): those that are control
  /// dependent on the edge.
  template <typename Fn>
  void forEachDependent(const llvm::MachineBasicBlock &MBB,
                        const llvm::MachineBasicBlock &Succ, Fn F) const {
    const llvm::MachineBasicBlock *Meet = meetingPoint(MBB);
    for (const llvm::MachineBasicBlock *B = &Succ; B && B != Meet;
         B = meetingPoint(*B))
      F(*B);
  }

  /// True if machines can differ in where lanes meet that have no
  /// meetingPoint: some block reaches no return; or inline PTX leaves the
  /// function where the graph goes on, and then no branch has a meetingPoint.
  bool isUncertain() const { return Uncertain; }

private:
  std::vector<const llvm::MachineBasicBlock *> Points; // by block number
  bool Uncertain = false;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_RECONVERGENCE_H
