//===- GatePlan.h - Where registers are switched off ------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel's code needs, found once, and the switches that follow for
/// each bound.
///
//===----------------------------------------------------------------------===//

#ifndef GATING_GATEPLAN_H
#define GATING_GATEPLAN_H

#include "regshare/Analysis/Analyses.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineFunction.h"

#include <string>
#include <vector>

namespace llvm {
class MachineBlockFrequencyInfo;
} // namespace llvm

namespace gating {

/// `on` or `off`, before an instruction.
struct GateSwitch {
  bool On;
  llvm::MachineBasicBlock *MBB;
  llvm::MachineBasicBlock::iterator Before;
};

/// What is done with one bound.
struct GatePlan {
  unsigned Bound = 0;
  std::vector<GateSwitch> Switches;
  unsigned Instrs = 0, InstrsOff = 0;
  /// Executions for each entry of the kernel, as LLVM expects them.
  double Executed = 0, ExecutedOff = 0, SwitchesExecuted = 0;

  /// Instructions of registers that are off, less what switching costs.
  double gain(unsigned Regs) const;
};

class GatePlanner {
public:
  /// Keeps references to all of them.
  GatePlanner(llvm::MachineFunction &MF, const regshare::Analyses &A,
              const llvm::MachineBlockFrequencyInfo &Frequencies);

  /// Why nothing can be switched, whatever the bound; empty: it can.
  const std::string &refusal() const { return Refusal; }
  GatePlan plan(unsigned Bound) const;

private:
  /// An instruction, and one more than the highest register that holds
  /// something for any lane before, during or after it.
  struct Need {
    llvm::MachineInstr *First;
    unsigned Top;
  };
  /// Instructions of a block, one after the other, in one state.
  struct Run {
    llvm::MachineInstr *First;
    unsigned NumInstrs;
    bool On;
  };
  /// By block number; none of blocks where threads only end.
  using Runs = std::vector<std::vector<Run>>;
  /// The states in which lanes can come to a block.
  struct Arrivals {
    bool On = false, Off = false;

    void add(bool State) { (State ? On : Off) = true; }
    bool differ(bool Wanted) const { return Wanted ? Off : On; }
  };
  /// A branch that parts a warp.
  struct Parting {
    const llvm::MachineBasicBlock *Branch;
    const llvm::MachineBasicBlock *Meet; ///< Null: lanes do not meet.
    llvm::BitVector Sides;               ///< Blocks up to there, by number.
  };

  void findNeeds(llvm::MachineBasicBlock &MBB);
  void addParting(const llvm::MachineBasicBlock &Branch);
  void checkStops(const Parting &P, unsigned NumSides);
  Runs runsFor(unsigned Bound) const;
  bool fillShort(Runs &R) const;
  bool isEnclosed(const Runs &R, const llvm::MachineBasicBlock &MBB,
                  size_t Which) const;
  std::vector<Arrivals> resumptions(const Runs &R) const;
  void place(const Runs &R, GatePlan &Plan) const;
  void count(const Runs &R, GatePlan &Plan) const;

  llvm::MachineFunction &MF;
  const regshare::Analyses &A;
  const llvm::MachineBlockFrequencyInfo &Frequencies;
  std::string Refusal;
  std::vector<std::vector<Need>> Needs; ///< By block number.
  std::vector<Parting> Partings;
  /// Blocks in which lanes can stop for others of their warp.
  llvm::BitVector AlwaysOn;
};

} // namespace gating

#endif // GATING_GATEPLAN_H
