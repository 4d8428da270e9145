//===- regshare/Analysis/DivergenceAnalysis.h - Which branches part a warp - -*-
// C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which architected registers can hold different values in the lanes that run
/// together, and so which branches can part a warp.
///
/// A forward dataflow over register sets: a register diverges by a source
/// (InstrFacts.h) or by its operands. Lanes that parted meet again at the
/// branch's immediate post-dominator and not before (Reconvergence.h). They
/// come with different histories, so whatever any path from the branch to
/// there has written diverges there; for a loop that lanes leave at different
/// times, that is everything the loop wrote.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_DIVERGENCEANALYSIS_H
#define REGSHARE_ANALYSIS_DIVERGENCEANALYSIS_H

#include "regshare/Analysis/Reconvergence.h"
#include "regshare/Analysis/RegisterCode.h"

#include <vector>

namespace regshare {

/// How much DivergenceAnalysis trusts.
struct DivergenceOptions {
  /// Trust nothing: every branch with two targets parts the warp.
  bool EveryBranch = false;
};

/// Which registers hold different values in lanes of a warp, and which branches
/// part it.
class DivergenceAnalysis {
public:
  DivergenceAnalysis(const llvm::MachineFunction &MF,
                     const RegisterAssignment &Assignment,
                     const Reconvergence &Meetings,
                     DivergenceOptions Options = {});
  /// \p Code is that of \p MF under \p Assignment.
  DivergenceAnalysis(const llvm::MachineFunction &MF,
                     const RegisterAssignment &Assignment,
                     const RegisterCode &Code, const Reconvergence &Meetings,
                     DivergenceOptions Options = {});

  /// True if lanes that reach the end of \p MBB together can leave it for
  /// different blocks.
  bool isDivergentBranch(const llvm::MachineBasicBlock &MBB) const {
    return Divergent[MBB.getNumber()];
  }
  /// Registers that can differ between lanes at the start of \p MBB.
  const RegSet &divergentIn(const llvm::MachineBasicBlock &MBB) const {
    return In[MBB.getNumber()];
  }
  unsigned numBranches() const { return NumBranches; }
  unsigned numDivergentBranches() const { return NumDivergent; }

private:
  friend class DivergenceSolver;
  std::vector<RegSet> In;      // by block number
  std::vector<bool> Divergent; // by block number
  unsigned NumBranches = 0;
  unsigned NumDivergent = 0;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_DIVERGENCEANALYSIS_H
