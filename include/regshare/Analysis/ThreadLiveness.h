//===- regshare/Analysis/ThreadLiveness.h - What a thread still reads - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Thread liveness of architected registers: a unit is live where some path
/// reads it before writing it. What one lane needs; a warp's row can be needed
/// longer, see WarpLiveness.h.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_THREADLIVENESS_H
#define REGSHARE_ANALYSIS_THREADLIVENESS_H

#include "regshare/Analysis/RegisterCode.h"

#include "llvm/CodeGen/MachineBasicBlock.h"

#include <vector>

namespace regshare {

/// The registers that a lane needs, at every point of a function.
class ThreadLiveness {
public:
  ThreadLiveness(const llvm::MachineFunction &MF,
                 const RegisterAssignment &Assignment)
      : ThreadLiveness(MF, Assignment, RegisterCode(MF, Assignment)) {}
  /// \p Code is that of \p MF under \p Assignment.
  ThreadLiveness(const llvm::MachineFunction &MF,
                 const RegisterAssignment &Assignment,
                 const RegisterCode &Code);

  const RegSet &liveIn(const llvm::MachineBasicBlock &MBB) const {
    return In[MBB.getNumber()];
  }
  const RegSet &liveOut(const llvm::MachineBasicBlock &MBB) const {
    return Out[MBB.getNumber()];
  }

  /// Walks \p MBB from its end to its start and calls
  /// F(instruction, live before, live after), debug instructions left out.
  template <typename Fn>
  void forEachBackward(const llvm::MachineBasicBlock &MBB, Fn F) const {
    RegSet Live = liveOut(MBB);
    for (const llvm::MachineInstr &MI : llvm::reverse(MBB)) {
      if (MI.isDebugInstr())
        continue;
      RegSet After = Live;
      RegEffects E = Assignment.effects(MI);
      Live -= E.Defs;
      Live |= E.Uses;
      F(MI, Live, After);
    }
  }

  const RegisterAssignment &assignment() const { return Assignment; }

private:
  const RegisterAssignment &Assignment;
  std::vector<RegSet> In, Out; // by block number
};

/// The units and predicates held while an instruction executes: what is live
/// into it, what it writes (even if nobody reads it), and the temporaries of
/// inline PTX. A source that dies may give its place to a result, except where
/// temporaries keep both apart.
struct HeldRegisters {
  unsigned Units = 0;
  unsigned Preds = 0;
};
/// The registers that are taken while an instruction with these effects
/// executes, live \p Before it and \p After it.
HeldRegisters heldDuring(const RegEffects &Effects, const RegSet &Before,
                         const RegSet &After);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_THREADLIVENESS_H
