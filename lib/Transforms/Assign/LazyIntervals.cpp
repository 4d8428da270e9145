//===- LazyIntervals.cpp - Live intervals where needed --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LazyIntervals.h"

#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace regshare {

LiveIntervals &LazyIntervals::get() {
  if (LIS)
    return *LIS;
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return MachineDominatorTreeAnalysis(); });
  Analyses.registerPass([] { return SlotIndexesAnalysis(); });
  Analyses.registerPass([] { return LiveIntervalsAnalysis(); });
  LIS = &Analyses.getResult<LiveIntervalsAnalysis>(MF);
  return *LIS;
}

} // namespace regshare
