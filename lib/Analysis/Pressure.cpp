//===- Pressure.cpp - Live registers at every point -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Analysis/Pressure.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

static bool raise(HeldRegisters &Peak, const HeldRegisters &Held) {
  bool Higher = Held.Units > Peak.Units;
  Peak.Units = std::max(Peak.Units, Held.Units);
  Peak.Preds = std::max(Peak.Preds, Held.Preds);
  return Higher;
}

static void notePeaks(Pressure &P, const PressurePoint &Point) {
  BlockPressure &Block = P.Blocks[Point.MI->getParent()->getNumber()];
  raise(Block.Thread, Point.Thread);
  raise(Block.Warp, Point.Warp);
  if (raise(P.Peak.Thread, Point.Thread) || !P.ThreadPeakAt)
    P.ThreadPeakAt = Point.MI;
  if (raise(P.Peak.Warp, Point.Warp) || !P.WarpPeakAt)
    P.WarpPeakAt = Point.MI;
}

RegEffects effectsHeld(const MachineInstr &MI,
                       const RegisterAssignment &Assignment) {
  RegEffects E = Assignment.effects(MI);
  if (llvm::any_of(MI.all_defs(), [](const MachineOperand &MO) {
        return MO.isEarlyClobber();
      }))
    E.Temps |= E.Defs;
  return E;
}

Pressure measurePressure(const MachineFunction &MF,
                         const WarpLiveness &Liveness) {
  Pressure P;
  P.Blocks.resize(MF.getNumBlockIDs());
  const RegisterAssignment &Assignment = Liveness.thread().assignment();
  for (const MachineBasicBlock &MBB : MF) {
    size_t First = P.Points.size();
    const RegSet &Parked = Liveness.parked(MBB);
    Liveness.thread().forEachBackward(
        MBB,
        [&](const MachineInstr &MI, const RegSet &Before, const RegSet &After) {
          RegEffects E = effectsHeld(MI, Assignment);
          P.Points.push_back({&MI, heldDuring(E, Before, After),
                              heldDuring(E, Before | Parked, After | Parked)});
        });
    std::reverse(P.Points.begin() + First, P.Points.end());
  }
  for (const PressurePoint &Point : P.Points)
    notePeaks(P, Point);
  return P;
}

} // namespace regshare
