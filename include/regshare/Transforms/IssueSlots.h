//===- regshare/Transforms/IssueSlots.h - Native code's cost ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_ISSUESLOTS_H
#define REGSHARE_TRANSFORMS_ISSUESLOTS_H

#include "regshare/CodeGen/Native/HardwareCost.h"
#include "regshare/CodeGen/Native/PTXMnemonics.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regshare {

class DivergenceAnalysis;
class HardwareOps;
class Reconvergence;

/// Whether \p Branch is known to be none in hardware, which executes its sides
/// under a predicate. regshare-schedule moves code of several sides past each
/// other, and what is left of a side says no longer by its size what it was.
bool isPredicatedBranch(const llvm::MachineInstr &Branch);
/// Says so, by LLVM's flag for branches that are better not predicted.
void setPredicatedBranch(llvm::MachineInstr &Branch, bool Is);

/// What the groups of one native function are in hardware.
class NativeCosts {
public:
  explicit NativeCosts(const llvm::MachineFunction &MF);

  /// Finds out what branches of the function are in hardware. Without it they
  /// are one instruction each.
  void noteBranches(const llvm::MachineFunction &MF,
                    const Reconvergence &Meetings,
                    const DivergenceAnalysis &Divergence);

  /// Of the group that \p MI, which is not folded, ends.
  HardwareCost of(const llvm::MachineInstr &MI);

  /// Whether hardware calls a slow path for some operands of \p MI, or all of
  /// what it does: the code is then no straight one.
  bool mayCall(const llvm::MachineInstr &MI) {
    return of(MI).OncePerKernel != 0;
  }

  /// Whether hardware executes the sides of \p Head's branch, all of which come
  /// to \p Meeting, under a predicate.
  bool hasPredicatedSides(const llvm::MachineBasicBlock &Head,
                          const llvm::MachineBasicBlock &Meeting);

  /// Instructions that the hardware has of the function.
  unsigned count(const llvm::MachineFunction &MF);

  /// Puts a `regshare.issue` before every group of \p MF that takes other than
  /// one issue slot.
  void annotate(llvm::MachineFunction &MF);

private:
  void layOut(const llvm::MachineFunction &MF);
  void pairClearings(const llvm::MachineBasicBlock &MBB);
  HardwareCost costOf(const llvm::MachineInstr &MI);
  struct SideSize {
    unsigned Slots = 0, Loads = 0; ///< Loads that go beyond the SM.
    bool OfMemory = false;         ///< Others may write what one of them reads.
  };
  std::optional<SideSize> sizeOf(const llvm::MachineBasicBlock &Side);
  bool isPredicable(const llvm::MachineInstr &MI);
  bool isInLoop(const llvm::MachineBasicBlock &MBB);
  bool convertBranch(const llvm::MachineBasicBlock &MBB,
                     const llvm::MachineBasicBlock &Meeting);

  const HardwareOps &Ops;
  const HardwareCosts *Costs = nullptr; ///< Null: of an unknown architecture.
  PTXMnemonics Mnemonics;
  /// Branches that hardware does not have.
  llvm::SmallPtrSet<const llvm::MachineInstr *, 8> Saved;
  /// Blocks that are in loops, once somebody has asked.
  std::optional<llvm::SmallPtrSet<const llvm::MachineBasicBlock *, 8>> InLoops;
  /// Instructions that stand with others to part lanes, or to let them meet.
  llvm::DenseMap<const llvm::MachineInstr *, unsigned> Added;
};

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_ISSUESLOTS_H
