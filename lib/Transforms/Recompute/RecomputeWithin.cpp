//===- RecomputeWithin.cpp - Values made again for want of room -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecomputeWithin.h"

#include "Recomputation.h"
#include "Transforms/FreshFacts.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// What needs more is spilled; to look for the next one takes time that grows
/// with the code.
static constexpr unsigned MostValues = 64;

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

Expected<unsigned> recomputeWithin(MachineFunction &MF, unsigned Units) {
  Expected<unsigned> Before = peakOf(MF);
  if (!Before || *Before <= Units || hasStatements(MF))
    return Before ? Expected<unsigned>(0) : Before.takeError();
  FreshFacts Fresh(MF);
  auto Freq = [&](const MachineBasicBlock &MBB) {
    return Fresh.MBFI.getBlockFreqRelativeToEntryBlock(&MBB);
  };
  Expected<ValueRanges> Ranges = ValueRanges::collectOfThreads(MF);
  if (!Ranges)
    return Ranges.takeError();
  Recomputation Again(MF, /*Places=*/nullptr);
  Again.choose(*Ranges, /*Waits=*/nullptr, Freq,
               {/*AtWaits=*/false, Units, HUGE_VAL, MostValues});
  Again.apply(*Ranges);
  Expected<unsigned> After = peakOf(MF);
  if (After && *After < *Before) {
    Again.commit();
    return Again.added().size();
  }
  Again.undo();
  return After ? Expected<unsigned>(0) : After.takeError();
}

} // namespace regshare
