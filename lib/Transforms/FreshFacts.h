//===- FreshFacts.h - What LLVM knows, found out anew --------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's analyses of a function that a pass has changed. Private to the
/// library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_FRESHFACTS_H
#define REGSHARE_LIB_TRANSFORMS_FRESHFACTS_H

#include "regshare/Analysis/FlowFacts.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"

namespace regshare {

struct FreshFacts {
  llvm::MachineDominatorTree MDT;
  llvm::MachineLoopInfo Loops;
  llvm::MachineBranchProbabilityInfo MBPI;
  llvm::MachineBlockFrequencyInfo MBFI;
  llvm::MachinePostDominatorTree PDT;

  explicit FreshFacts(llvm::MachineFunction &MF) : MDT(MF), Loops(MDT) {
    MBFI.calculate(MF, MBPI, Loops);
    PDT.recalculate(MF);
  }
  FlowFacts get() const { return {PDT, MBFI, MBPI}; }
};

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_FRESHFACTS_H
