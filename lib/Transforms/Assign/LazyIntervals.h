//===- LazyIntervals.h - Live intervals where needed --------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's live intervals of a function, for the few changes of the code that
/// need them: computing them takes longer than assigning all registers. Private
/// to register assignment.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_LAZYINTERVALS_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_LAZYINTERVALS_H

#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachinePassManager.h"

namespace regshare {

class LazyIntervals {
public:
  explicit LazyIntervals(llvm::MachineFunction &MF) : MF(MF) {}

  /// Computes them at the first call. Where several results of a register are
  /// dead, this splits it into as many as its values need.
  llvm::LiveIntervals &get();
  bool areComputed() const { return LIS; }

  // Keep the intervals up to date; nothing to do as long as there are none.

  void inserted(llvm::MachineInstr &MI) {
    if (LIS)
      LIS->InsertMachineInstrInMaps(MI);
  }
  void removing(llvm::MachineInstr &MI) {
    if (LIS)
      LIS->RemoveMachineInstrFromMaps(MI);
  }
  void added(llvm::Register VReg) {
    if (LIS)
      LIS->createAndComputeVirtRegInterval(VReg);
  }
  void removed(llvm::Register VReg) {
    if (LIS && LIS->hasInterval(VReg))
      LIS->removeInterval(VReg);
  }
  void changed(llvm::Register VReg) {
    removed(VReg);
    added(VReg);
  }

private:
  llvm::MachineFunction &MF;
  llvm::MachineFunctionAnalysisManager Analyses;
  llvm::LiveIntervals *LIS = nullptr;
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_LAZYINTERVALS_H
