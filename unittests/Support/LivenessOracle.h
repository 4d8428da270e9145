//===- LivenessOracle.h - Liveness by its definition -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_LIVENESSORACLE_H
#define REGSHARE_UNITTESTS_SUPPORT_LIVENESSORACLE_H

#include "RandomMachineFunction.h"

#include <set>
#include <vector>

namespace regshare::test {

/// What \p Reads and \p Writes of an architected model instruction are, as a
/// set of units and predicates.
RegSet unitsOf(const std::vector<ModelReg> &Regs);

/// Liveness of an architected model function, found by searching paths, one
/// register and one branch at a time.
class LivenessOracle {
public:
  /// \p Divergent: by block, whether its branch parts a warp.
  LivenessOracle(const ModelFunction &F, const std::vector<bool> &Divergent);

  /// Before instruction \p I of block \p B; the terminator comes after the
  /// last instruction.
  const RegSet &threadLive(unsigned B, unsigned I) const {
    return Thread[B][I];
  }
  RegSet threadLiveOut(unsigned B) const;
  /// What lanes parked while block \p B runs need.
  const RegSet &parked(unsigned B) const { return Parked[B]; }

private:
  void searchBackFromUses();
  void searchBack(unsigned B, unsigned I, unsigned Unit);
  RegSet stoppedIn(const std::set<unsigned> &Region) const;
  void park(unsigned Branch);

  const ModelFunction &F;
  const std::vector<bool> Divergent;
  std::vector<std::vector<RegSet>> Thread;
  std::vector<std::vector<unsigned>> Preds;
  std::vector<RegSet> Parked;
};

/// The immediate post-dominator of \p B by its definition: the nearest block
/// without which no return, and no block that reaches none, can be reached.
/// Nothing if there is none, or if no return can be reached at all.
std::optional<unsigned> immediatePostDominator(const ModelFunction &F,
                                               unsigned B);

/// True if some block of \p F reaches no return.
bool canRunForever(const ModelFunction &F);

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_LIVENESSORACLE_H
