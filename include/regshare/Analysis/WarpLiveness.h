//===- regshare/Analysis/WarpLiveness.h - What any lane of a warp still reads -
//-*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warp liveness. A register row belongs to all lanes of a warp: while one side
/// of a divergent branch runs, lanes parked on the other side, or at the point
/// where the sides meet, keep values that the running lanes have no use for.
///
/// For a divergent branch with immediate post-dominator J, at every point that
/// successor s reaches before J, the warp-live set includes what is thread-live
/// into J and into every other successor. This holds whatever the order in
/// which a machine runs the sides. Uniform branches add nothing. Where lanes
/// can stop in the middle of another side (LaneWaits.h), what they need there
/// counts as well; where they stop at barriers, throughout the function.
/// Without a J, lanes meet nowhere, or, where machines can differ
/// (Reconvergence.h), anywhere.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_WARPLIVENESS_H
#define REGSHARE_ANALYSIS_WARPLIVENESS_H

#include "regshare/Analysis/DivergenceAnalysis.h"
#include "regshare/Analysis/LaneWaits.h"
#include "regshare/Analysis/ThreadLiveness.h"

namespace regshare {

/// The registers that a warp needs, those of parked lanes among them.
class WarpLiveness {
public:
  /// Keeps references to \p Thread.
  WarpLiveness(const llvm::MachineFunction &MF, const RegisterCode &Code,
               const ThreadLiveness &Thread,
               const DivergenceAnalysis &Divergence,
               const Reconvergence &Meetings);

  /// What lanes parked while \p MBB runs still need: live at every point of it.
  const RegSet &parked(const llvm::MachineBasicBlock &MBB) const {
    return Parked[MBB.getNumber()];
  }
  RegSet liveIn(const llvm::MachineBasicBlock &MBB) const {
    return Thread.liveIn(MBB) | parked(MBB);
  }
  RegSet liveOut(const llvm::MachineBasicBlock &MBB) const {
    return Thread.liveOut(MBB) | parked(MBB);
  }

  /// As ThreadLiveness::forEachBackward, with warp-live sets.
  template <typename Fn>
  void forEachBackward(const llvm::MachineBasicBlock &MBB, Fn F) const {
    const RegSet &Extra = parked(MBB);
    Thread.forEachBackward(MBB, [&](const llvm::MachineInstr &MI,
                                    const RegSet &Before, const RegSet &After) {
      F(MI, Before | Extra, After | Extra);
    });
  }

  const ThreadLiveness &thread() const { return Thread; }

private:
  RegSet neededOnMeeting(const llvm::MachineBasicBlock &Branch,
                         const Reconvergence &Meetings) const;
  void park(const llvm::MachineBasicBlock &Branch,
            const Reconvergence &Meetings, const LaneWaits &Waits);
  void spread(const Reconvergence &Meetings);
  void add(const llvm::MachineBasicBlock &MBB, const RegSet &Need);

  const ThreadLiveness &Thread;
  std::vector<RegSet> Parked; // by block number
  std::vector<const llvm::MachineBasicBlock *> Worklist;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_WARPLIVENESS_H
