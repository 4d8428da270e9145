//===- RegMutexCompact.h - Values moved at region boundaries ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Index compaction (RegMutex §III-A4): a value that is needed both inside and
/// outside of the region that holds the extended set can be in it there and in
/// the base set elsewhere, moved at the region's boundary. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXCOMPACT_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXCOMPACT_H

#include "RegMutexRegions.h"
#include "RegMutexValues.h"
#include "Transforms/Recompute/ValueRanges.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace regshare {

/// The part of a function that is to hold the extended set.
struct HoldPlan {
  std::vector<bool> Inside;      ///< By instruction of ValueRanges.
  std::vector<bool> EntryInside; ///< By block number: where it is entered.

  /// Whether the end of \p MBB is inside.
  bool exitInside(const ValueRanges &Ranges,
                  const llvm::MachineBasicBlock &MBB) const {
    IndexRange Block = Ranges.Blocks[MBB.getNumber()];
    return Block.First == Block.End ? EntryInside[MBB.getNumber()]
                                    : Inside[Block.End - 1];
  }
};

/// Encloses every place with more than \p Target units live, but those where
/// warps wait for each other, at least cost where crossing the boundary costs
/// \p CrossingCost. Lanes that are parked
/// while others cross it would have to keep what they hold in it: the plan has
/// no such places. Nothing if one needs to have.
std::optional<HoldPlan> planHolds(const llvm::MachineFunction &MF,
                                  const Analyses &A, const WaitPoints &Waits,
                                  const StopRules &Stops,
                                  const ValueRanges &Ranges,
                                  const Frequencies &Freq, unsigned Target,
                                  double CrossingCost);

/// Executions, for each entry of the function, of the moves that splitting a
/// value at a plan's boundary takes; summed up, for one value at a time.
class CrossingCounts {
public:
  CrossingCounts(const llvm::MachineFunction &MF, const ValueRanges &Ranges,
                 const Frequencies &Freq, const HoldPlan &Plan);

  double of(uint32_t Value) const;

private:
  const ValueRanges &Ranges;
  std::vector<double> Before; // by instruction, one more at the end
};

/// Values split at the boundary of a plan. Rewriting them to the registers that
/// they were in undoes it.
class Compaction {
public:
  explicit Compaction(llvm::MachineFunction &MF) : MF(MF) {}

  /// Splits \p Values. Invalidates \p LIS and all that is known about MF.
  void split(llvm::ArrayRef<uint32_t> Values, const ValueRanges &Ranges,
             llvm::LiveIntervals &LIS, const HoldPlan &Plan,
             RegisterAssignment &Places);
  /// Removes the blocks made for moves that no longer hold any.
  void dropIdleBlocks();

  llvm::ArrayRef<llvm::MachineInstr *> copies() const { return Copies; }
  /// Instructions that the plan has inside, moves at its boundary left out.
  llvm::DenseSet<const llvm::MachineInstr *> Inside;

private:
  struct Crossing {
    bool Inward;
    llvm::MachineBasicBlock *MBB;
    llvm::MachineBasicBlock *Pred; ///< On the edge from there; else null.
    bool AtEntry;                  ///< Of MBB.
    uint32_t Instr;                ///< Before this one, where not on an edge.
    llvm::MachineBasicBlock::iterator Before;
  };
  std::vector<Crossing> findCrossings(const ValueRanges &Ranges,
                                      const HoldPlan &Plan) const;
  void splitValue(uint32_t Value, const ValueRanges &Ranges,
                  llvm::LiveIntervals &LIS, llvm::ArrayRef<Crossing> Crossings,
                  RegisterAssignment &Places);
  void copyBefore(llvm::MachineBasicBlock &MBB,
                  llvm::MachineBasicBlock::iterator Where, llvm::Register To,
                  llvm::Register From, RegKind Kind);
  void copyOnEdge(llvm::MachineBasicBlock &From, llvm::MachineBasicBlock &To,
                  llvm::Register Dst, llvm::Register Src, RegKind Kind);

  llvm::MachineFunction &MF;
  std::vector<llvm::MachineInstr *> Copies;
  /// By the ends of the edge; in the order in which they were made.
  llvm::MapVector<
      std::pair<llvm::MachineBasicBlock *, llvm::MachineBasicBlock *>,
      llvm::MachineBasicBlock *>
      EdgeBlocks;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXCOMPACT_H
