//===- RejoinRegisters.cpp - Undo LiveIntervals' splits -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RejoinRegisters.h"

#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

void SplitRecord::watch(MachineFunction &MF) {
  MF.getRegInfo().addDelegate(this);
}

void SplitRecord::rejoin(MachineFunction &MF, LiveIntervals &LIS) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MRI.resetDelegate(this);
  for (auto [Part, Source] : reverse(Parts)) {
    MRI.replaceRegWith(Part, Source);
    LIS.removeInterval(Part);
    LIS.removeInterval(Source);
    LIS.createAndComputeVirtRegInterval(Source);
  }
}

} // namespace regshare
