//===- regshare/Analysis/LaneWaits.h - Where lanes wait for lanes - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between a divergent branch and the point where its sides meet, lanes can
/// stop in the middle of a side: at a warp-synchronous instruction (a shuffle,
/// a vote, bar.warp.sync) or a barrier, until lanes of other sides come there.
/// The warp runs these meanwhile, and may go on with them afterwards, so that
/// what stopped lanes need is to be kept on other sides, too.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_LANEWAITS_H
#define REGSHARE_ANALYSIS_LANEWAITS_H

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/ThreadLiveness.h"

namespace regshare {

/// What lanes that have stopped on a side of a branch need while others run.
class LaneWaits {
public:
  LaneWaits(const llvm::MachineFunction &MF, const RegisterCode &Code,
            const ThreadLiveness &Thread, const DivergenceAnalysis &Divergence,
            const Reconvergence &Meetings);

  /// What lanes need that have stopped on the side of \p Branch that starts
  /// with \p Side, and those that these have left behind there, at branches.
  RegSet neededOn(const llvm::MachineBasicBlock &Branch,
                  const llvm::MachineBasicBlock &Side) const {
    Summary S = gather(Branch, Side);
    return S.Stops ? S.Needed : RegSet();
  }
  /// The same, if they may have stopped at a barrier. For this, lanes run on
  /// from where the sides meet, before the stopped ones have got there.
  RegSet neededAtBarriersOn(const llvm::MachineBasicBlock &Branch,
                            const llvm::MachineBasicBlock &Side) const {
    Summary S = gather(Branch, Side);
    return S.StopsAtBarrier ? S.Needed : RegSet();
  }

private:
  /// Of some blocks.
  struct Summary {
    RegSet Needed;
    bool Stops = false, StopsAtBarrier = false;

    bool add(const Summary &Other);
  };
  Summary ownOf(const llvm::MachineBasicBlock &MBB, const RegisterCode &Code,
                const ThreadLiveness &Thread, bool IsDivergent) const;
  Summary gather(const llvm::MachineBasicBlock &Branch,
                 const llvm::MachineBasicBlock &Side) const;

  const Reconvergence &Meetings;
  /// By block number: of the block and all that is control dependent on it.
  std::vector<Summary> Blocks;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_LANEWAITS_H
