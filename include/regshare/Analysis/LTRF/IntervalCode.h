//===- regshare/Analysis/IntervalCode.h - Machine code to divide - C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A machine function as the graph that register-intervals and strands are
/// formed on.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_LTRF_INTERVALCODE_H
#define REGSHARE_ANALYSIS_LTRF_INTERVALCODE_H

#include "regshare/Analysis/LTRF/RegisterIntervals.h"
#include "regshare/Analysis/WarpLiveness.h"

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineBranchProbabilityInfo;
class raw_ostream;
} // namespace llvm

namespace regshare {

/// Block b of the graph is block b in layout order. Every register counts that
/// the PTX of an instruction will name: undefined operands and the temporaries
/// of inline PTX too; what prints nothing does not. All terminators of a block
/// are one instruction, and RegShare's own statements are none.
class IntervalCode {
public:
  IntervalCode(const llvm::MachineFunction &MF,
               const RegisterAssignment &Assignment, const WarpLiveness &Warp,
               const llvm::MachineBlockFrequencyInfo &MBFI,
               const llvm::MachineBranchProbabilityInfo &MBPI);

  const RegisterGraph &graph() const { return Graph; }
  const llvm::MachineBasicBlock &block(unsigned Block) const {
    return *Blocks[Block];
  }
  /// Before which a statement is to stand that precedes instruction \p Instr of
  /// the graph.
  const llvm::MachineInstr &instr(unsigned Instr) const {
    return *Instrs[Instr];
  }

private:
  void addBlock(const llvm::MachineBasicBlock &MBB,
                const RegisterAssignment &Assignment, const WarpLiveness &Warp);

  RegisterGraph Graph;
  std::vector<const llvm::MachineBasicBlock *> Blocks;
  std::vector<const llvm::MachineInstr *> Instrs;
};

/// For people: what each interval consists of and names, and what the
/// PREFETCHes cost. "bb.2[0-4]" are the first five instructions of a block,
/// terminators being one.
void printIntervals(llvm::raw_ostream &OS, const IntervalCode &Code,
                    const IntervalPartition &P);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_LTRF_INTERVALCODE_H
