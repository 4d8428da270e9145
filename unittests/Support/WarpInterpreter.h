//===- WarpInterpreter.h - Runs a model function on a warp -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_WARPINTERPRETER_H
#define REGSHARE_UNITTESTS_SUPPORT_WARPINTERPRETER_H

#include "LivenessOracle.h"
#include "RandomMachineFunction.h"

#include <array>
#include <random>

namespace regshare::test {

/// One instruction that a warp executed, in the order of execution.
struct WarpStep {
  unsigned Block, Instr; ///< The terminator comes after the last instruction.
  /// Units with different values in the lanes that executed it together.
  RegSet Differ;
  /// Units whose value at this moment some lane, running or parked, went on to
  /// read.
  RegSet Needed;
  bool Parted = false; ///< A branch that lanes left for different blocks.
  /// A switch, for another target. Lanes may have come to the meeting point
  /// already with what is live there.
  bool Again = false;
};

/// Executes an architected model function on a warp of a few lanes with a SIMT
/// stack: lanes that part wait for each other at the immediate post-dominator
/// (where endless loops leave it open, at any block), and the sides run in
/// random order. Values are small hashes of what they are
/// computed from; those of loads change with time.
class WarpInterpreter {
public:
  static constexpr unsigned NumLanes = 6;

  WarpInterpreter(const ModelFunction &F, uint64_t Seed);
  /// At most \p MaxSteps instructions.
  const std::vector<WarpStep> &run(unsigned MaxSteps);

private:
  using LaneMask = unsigned;
  struct StackEntry {
    unsigned At;
    LaneMask Lanes;
    /// Where the lanes stop, and the entry that they join there.
    std::optional<unsigned> Meet;
    size_t Joins = 0;
    /// The block whose switch they execute before.
    std::optional<unsigned> Again;
  };
  /// Units, then predicates, of one lane.
  using LaneRegs = std::array<uint64_t, RegSet::PredBase + NumPredicates>;

  void step(unsigned Block, unsigned Instr, LaneMask Lanes);
  void read(unsigned Lane, const RegSet &Units);
  void write(unsigned Lane, ModelReg Def, uint64_t Value);
  uint64_t value(unsigned Lane, ModelReg Use) const;
  uint64_t choice(unsigned Lane, ModelReg Use) const;
  uint64_t result(const ModelInstr &I, unsigned Lane, LaneMask Lanes) const;
  LaneMask ballot(ModelReg Pred, LaneMask Lanes) const;
  unsigned target(const ModelBlock &Block, unsigned Lane) const;
  std::optional<unsigned> meetingPoint(unsigned Block) const;
  void leave(unsigned Block);

  const ModelFunction &F;
  std::mt19937_64 Random;
  uint64_t Seed;
  std::vector<StackEntry> Stack;
  std::vector<WarpStep> Steps;
  std::array<LaneRegs, NumLanes> Regs{};
  /// By lane and unit, the step from which on its value is not known to be
  /// needed yet.
  std::array<LaneRegs, NumLanes> Since{};
};

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_WARPINTERPRETER_H
