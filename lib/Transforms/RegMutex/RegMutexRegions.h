//===- RegMutexRegions.h - Where the extended set is held -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For architected code and a split of its registers: at which instructions a
/// warp must hold its extended set, at which it must not, and where to have it
/// acquired and released at least cost. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXREGIONS_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXREGIONS_H

#include "RegMutexStops.h"

#include "llvm/CodeGen/MachineFunction.h"

#include <functional>

namespace regshare {

/// What an instruction asks of the extended set.
enum class HoldNeed : uint8_t {
  Either,
  Held, ///< It names an extended register, or one is warp-live across it.
  Free, ///< Warps wait for each other here.
};

/// Consecutive instructions of a block with one need. A block without
/// instructions has one run of none.
struct HoldRun {
  HoldNeed Need;
  unsigned NumInstrs = 0; ///< Debug instructions not counted.
  const llvm::MachineInstr *First = nullptr;
  double Time = 0;   ///< That a warp spends here: see timesOf.
  bool Held = false; ///< As decided.
};

struct InstrNeed {
  const llvm::MachineInstr *MI;
  HoldNeed Need;
};

/// How long a warp stays at each of \p Instrs, the instructions of a block: 1
/// for one of arithmetic, more for one that uses what was loaded since
/// somebody last waited for memory.
std::vector<double> timesOf(llvm::ArrayRef<const llvm::MachineInstr *> Instrs);

/// The runs of a block whose instructions are \p Instrs: none for an empty one.
/// Nothing can stand between its terminators, nor between a statement that maps
/// temporaries and the block that has them: those are of one run.
std::vector<HoldRun> makeRuns(std::vector<InstrNeed> Instrs);

/// A wait in the middle of what needs the extended set.
struct HoldConflict {
  const llvm::MachineInstr *MI;
  WaitKind Kind;
  RegSet Extended; ///< Units that are named or warp-live there.
};

struct HoldRegions {
  RegSet Extended;                        ///< All units that are.
  std::vector<std::vector<HoldRun>> Runs; ///< By block number.
  std::vector<HoldConflict> Conflicts;    ///< In layout order.

  bool heldAtEntry(const llvm::MachineBasicBlock &MBB) const {
    return Runs[MBB.getNumber()].front().Held;
  }
  bool heldAtExit(const llvm::MachineBasicBlock &MBB) const {
    return Runs[MBB.getNumber()].back().Held;
  }
};

/// Executions of a block, or of an edge, for each entry of the function.
struct Frequencies {
  std::function<double(const llvm::MachineBasicBlock &)> OfBlock;
  std::function<double(const llvm::MachineBasicBlock &,
                       const llvm::MachineBasicBlock &)>
      OfEdge;
};

/// The needs of \p MF where the units from \p Base on are extended; nothing is
/// decided yet.
HoldRegions findHoldNeeds(const llvm::MachineFunction &MF, const Analyses &A,
                          const WaitPoints &Waits, unsigned Base);

/// What an acquire or a release costs, in instructions executed while holding.
/// Each takes an issue slot and holds its warp up for some; an acquire can wait
/// for much longer, which holding less makes rarer.
inline constexpr double ChangeCost = 6;
/// The same for a MOV of one register, which takes an issue slot.
inline constexpr double MoveCost = 4;

/// A cost in the whole numbers that MinCut works with, so that rare blocks
/// still count and the sum of all stays below Never.
uint64_t scaledCost(double Cost);

/// Decides for the instructions that do not care, so that the cost of holding
/// and of changing is least. False if needs and \p Stops exclude each other.
bool decideHolds(HoldRegions &Regions, const llvm::MachineFunction &MF,
                 const StopRules &Stops, const Frequencies &Freq);

/// Where an acquire or a release goes.
struct HoldChange {
  bool Acquire;
  llvm::MachineBasicBlock *MBB;
  /// Before this; for a change on an edge the place that the edge's block, or
  /// the end of MBB, gives it.
  llvm::MachineBasicBlock::iterator Before;
  /// The edge from MBB to this block; null: inside MBB.
  llvm::MachineBasicBlock *EdgeTo = nullptr;
  double Frequency;
};

/// The changes that bring about \p Regions, whose needs are met, whatever order
/// a machine runs the sides of divergent branches in.
std::vector<HoldChange> placeChanges(llvm::MachineFunction &MF,
                                     const HoldRegions &Regions,
                                     const Analyses &A, const StopRules &Stops,
                                     const Frequencies &Freq);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXREGIONS_H
