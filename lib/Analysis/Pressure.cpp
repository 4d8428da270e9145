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

static void raise(HeldRegisters &Peak, const MachineInstr *&At,
                  const HeldRegisters &Held, const MachineInstr *MI) {
  if (Held.Units > Peak.Units || !At)
    At = MI;
  Peak.Units = std::max(Peak.Units, Held.Units);
  Peak.Preds = std::max(Peak.Preds, Held.Preds);
}

Pressure measurePressure(const MachineFunction &MF,
                         const WarpLiveness &Liveness) {
  Pressure P;
  const RegisterAssignment &Assignment = Liveness.thread().assignment();
  for (const MachineBasicBlock &MBB : MF) {
    size_t First = P.Points.size();
    const RegSet &Parked = Liveness.parked(MBB);
    Liveness.thread().forEachBackward(
        MBB,
        [&](const MachineInstr &MI, const RegSet &Before, const RegSet &After) {
          RegEffects E = Assignment.effects(MI);
          P.Points.push_back({&MI, heldDuring(E, Before, After),
                              heldDuring(E, Before | Parked, After | Parked)});
        });
    std::reverse(P.Points.begin() + First, P.Points.end());
  }
  for (const PressurePoint &Point : P.Points) {
    raise(P.ThreadPeak, P.ThreadPeakAt, Point.Thread, Point.MI);
    raise(P.WarpPeak, P.WarpPeakAt, Point.Warp, Point.MI);
  }
  return P;
}

} // namespace regshare
