//===- GatingScheme.h - Rows that wake up -----------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The timing of the scheme: a warp whose rows wake up waits with the first
/// instruction that names one of them, and the rows that are off are counted.
/// Residency, banks and priorities are Baseline's.
///
//===----------------------------------------------------------------------===//

#ifndef GATING_GATINGSCHEME_H
#define GATING_GATINGSCHEME_H

#include "GatingCode.h"

#include "Schemes/Scheme.h"

#include <array>

namespace gating {

class GatingScheme final : public regshare::sim::SchemeHooks {
public:
  explicit GatingScheme(const regshare::sim::SchemeContext &C);

  void tick(regshare::sim::Cycle C) override { Now = C; }

  bool mayIssue(const regshare::sim::WarpRef &W,
                const regshare::sim::IssueInfo &Info) override {
    if (Info.EndRow <= FirstGated || Warps[W.Slot].AwakeAt <= Now) [[likely]]
      return true;
    ++Waits;
    return false;
  }
  regshare::sim::Cycle readyAt(const regshare::sim::WarpRef &W) const override {
    return Warps[W.Slot].AwakeAt;
  }
  /// It waits for a time that has an end, never for another warp.
  regshare::sim::HeldBackBy
  heldBackBy(const regshare::sim::WarpRef &) const override {
    return {"its registers to wake up", 0};
  }

  void resident(const regshare::sim::WarpRef &W) override {
    Warps[W.Slot] = {.Since = Now};
  }
  void issued(const regshare::sim::WarpRef &W,
              const regshare::sim::IssueInfo &Info) override {
    if (Info.Statement == GatingCode::Off)
      switchOff(Warps[W.Slot]);
    else if (Info.Statement == GatingCode::On)
      switchOn(Warps[W.Slot]);
  }
  void finished(const regshare::sim::WarpRef &W) override;

  std::vector<regshare::sim::SchemeCounter> counters() const override;

private:
  struct WarpState {
    regshare::sim::Cycle Since = 0;    ///< It is resident.
    regshare::sim::Cycle OffSince = 0; ///< Only if IsOff.
    regshare::sim::Cycle AwakeAt = 0;
    bool IsOff = false;
  };

  void switchOff(WarpState &W);
  void switchOn(WarpState &W);

  unsigned Rows;       ///< Of a warp.
  unsigned FirstGated; ///< Row; Rows if none is ever switched off.
  regshare::sim::Cycle WakeCycles;
  regshare::sim::Cycle Now = 0;
  std::array<WarpState, 64> Warps = {}; ///< By slot.
  uint64_t RowCycles = 0, RowCyclesOff = 0, WakeUps = 0, Waits = 0;
};

} // namespace gating

#endif // GATING_GATINGSCHEME_H
