//===- RecomputeToFit.cpp - Fewer registers for more warps ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecomputeToFit.h"

#include "Recomputation.h"
#include "Transforms/FreshFacts.h"
#include "Transforms/WarpSpeed.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// What needs more has not just missed a step.
static constexpr unsigned MostValues = 64;

/// Expected instructions of a thread that take an issue slot.
static double executionsOf(const MachineFunction &MF, BlockFrequency Freq) {
  double Sum = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (!MI.isMetaInstruction() && statementVerb(MI).empty() &&
          !isFolded(MI) && !definesConstant(MI))
        Sum += Freq(MBB);
  return Sum;
}

/// A statement of one instruction would come to speak of what is added before
/// it.
static bool hasStatements(const MachineFunction &MF) {
  return llvm::any_of(MF, [](const MachineBasicBlock &MBB) {
    return llvm::any_of(
        MBB, [](const MachineInstr &MI) { return !statementVerb(MI).empty(); });
  });
}

static Expected<unsigned> peakOf(MachineFunction &MF) {
  Expected<LiveValues> Live = LiveValues::collect(MF);
  if (!Live)
    return Live.takeError();
  return peakPressure(Live->Stretches).Units + reservedUnits(MF);
}

/// Rewrites \p MF for \p Step; the instructions added, 0 where it cannot be
/// reached or is not worth it.
static Expected<unsigned> reach(MachineFunction &MF, OccupancyStep Step,
                                BlockFrequency Freq) {
  Expected<ValueRanges> Ranges = ValueRanges::collectOfThreads(MF);
  if (!Ranges)
    return Ranges.takeError();
  double Executed = executionsOf(MF, Freq);
  Recomputation Again(MF, /*Places=*/nullptr);
  RecomputeGoal Goal{/*AtWaits=*/false, Step.Units, HUGE_VAL, MostValues};
  if (Again.choose(*Ranges, /*Waits=*/nullptr, Freq, Goal) > Step.Units)
    return 0;
  Again.apply(*Ranges);
  Expected<unsigned> Peak = peakOf(MF);
  double More = Again.addedExecutions(Freq);
  if (Peak && *Peak <= Step.Units &&
      warpSpeed(Step.Warps, Executed + More) > warpSpeed(1, Executed)) {
    Again.commit();
    return Again.added().size();
  }
  Again.undo();
  return Peak ? Expected<unsigned>(0) : Peak.takeError();
}

Expected<RecomputedFit> recomputeToFit(MachineFunction &MF,
                                       ArrayRef<OccupancyStep> Steps) {
  if (Steps.empty() || hasStatements(MF))
    return RecomputedFit();
  FreshFacts Fresh(MF);
  auto Freq = [&](const MachineBasicBlock &MBB) {
    return Fresh.MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
  };
  for (OccupancyStep Step : Steps) {
    Expected<unsigned> Added = reach(MF, Step, Freq);
    if (!Added)
      return Added.takeError();
    if (*Added)
      return RecomputedFit{Step, *Added};
  }
  return RecomputedFit();
}

} // namespace regshare
