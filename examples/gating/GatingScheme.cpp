//===- GatingScheme.cpp - Rows that wake up -------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatingScheme.h"

#include "Schemes/SchemeModelOf.h"
#include "regshare/Base/SchemeLibrary.h"

#include <algorithm>

namespace gating {

using namespace regshare;
using namespace regshare::sim;

/// A kernel without `regshare.gating` runs as under Baseline.
GatingScheme::GatingScheme(const SchemeContext &C)
    : SchemeHooks(C), Rows(C.Needs.Resources.RegsPerThread), FirstGated(Rows),
      WakeCycles(C.Values.get<Cycle>(gating::WakeCycles)) {
  if (const auto *Gated = C.Needs.Facts.get<GatedRegisters>())
    FirstGated = std::min(Gated->Bound, Rows);
}

void GatingScheme::switchOff(WarpState &W) {
  if (W.IsOff)
    return;
  W.IsOff = true;
  W.OffSince = Now;
}

void GatingScheme::switchOn(WarpState &W) {
  if (!W.IsOff)
    return;
  W.IsOff = false;
  W.AwakeAt = Now + WakeCycles;
  RowCyclesOff += (Now - W.OffSince) * (Rows - FirstGated);
  ++WakeUps;
}

void GatingScheme::finished(const WarpRef &Of) {
  WarpState &W = Warps[Of.Slot];
  RowCycles += (Now - W.Since) * Rows;
  if (W.IsOff)
    RowCyclesOff += (Now - W.OffSince) * (Rows - FirstGated);
}

std::vector<SchemeCounter> GatingScheme::counters() const {
  return {{"row_cycles", "cycles of rows that warps had", RowCycles},
          {"row_cycles_off", "of them switched off", RowCyclesOff},
          {"wake_ups", "times a warp's rows were switched on again", WakeUps},
          {"waits", "instructions waited for rows to wake up", Waits}};
}

/// What happens before a launch is Baseline's, too.
static const SchemeModelOf<GatingScheme> Model;

static Result<void> registerGating() {
  if (Result<void> Ok = registerModel(Description, Model); !Ok)
    return Ok;
  return registerCode(CodeOfGating);
}

static const SchemeDescription *const Schemes[] = {&Description};

} // namespace gating

REGSHARE_SCHEME_LIBRARY(gating::Schemes, gating::registerGating)
