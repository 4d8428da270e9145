//===- regshare/Analysis/Pressure.h - Live registers at every point - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many registers are live at each instruction, of a thread and of a warp,
/// and where the peaks are.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_PRESSURE_H
#define REGSHARE_ANALYSIS_PRESSURE_H

#include "regshare/Analysis/WarpLiveness.h"

namespace regshare {

/// What is held during an instruction.
struct PressurePoint {
  const llvm::MachineInstr *MI;
  HeldRegisters Thread;
  HeldRegisters Warp;
};

/// The most that is held at any instruction; units and predicates each on
/// their own.
struct BlockPressure {
  HeldRegisters Thread, Warp;
};

/// What a function's registers hold, by instruction and by block.
struct Pressure {
  std::vector<PressurePoint> Points; ///< In layout order.
  std::vector<BlockPressure> Blocks; ///< By block number.
  BlockPressure Peak;                ///< Of the function.
  /// First instruction at which the units peak; null in an empty function.
  const llvm::MachineInstr *ThreadPeakAt = nullptr;
  const llvm::MachineInstr *WarpPeakAt = nullptr;
};

/// As RegisterAssignment::effects; what inline PTX writes before it has read
/// everything counts as a temporary too, since it shares with no source.
RegEffects effectsHeld(const llvm::MachineInstr &MI,
                       const RegisterAssignment &Assignment);

/// Measures every instruction of \p MF; \p Liveness is that of the same code.
Pressure measurePressure(const llvm::MachineFunction &MF,
                         const WarpLiveness &Liveness);

} // namespace regshare

#endif // REGSHARE_ANALYSIS_PRESSURE_H
