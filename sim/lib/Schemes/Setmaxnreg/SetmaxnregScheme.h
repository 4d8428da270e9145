//===- SetmaxnregScheme.h - Warps that wait for registers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// setmaxnreg (docs/setmaxnreg.md). A kernel without it runs as under Baseline.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGSCHEME_H
#define REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGSCHEME_H

#include "Schemes/Scheme.h"
#include "regshare/Base/Setmaxnreg/Setmaxnreg.h"

#include <array>
#include <utility>

namespace regshare::sim {

/// What the scheme stores on an SM, in bits: the count of each warp, and what
/// is left of each CTA's registers.
unsigned setmaxnregStorage(const DeviceDescription &D);

class SetmaxnregScheme final : public SchemeHooks {
public:
  explicit SetmaxnregScheme(const SchemeContext &C);

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    const CountChange *Change = changeOf(Info);
    return !Change || mayChange(W, *Change);
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  void resident(const WarpRef &W) override;
  void finished(const WarpRef &W) override;
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    if (const CountChange *Change = changeOf(Info))
      apply(W, *Change);
  }

  /// More than it was launched with.
  bool holds(const WarpRef &W) const override {
    return !Ctas.empty() &&
           Ctas[W.CtaSlot].Pool.countOf(W.Index) > Launch.PerThread;
  }
  PoolStats stats() const override { return Stats; }
  unsigned inUse() const override { return InUse; }

private:
  struct Cta {
    RegisterPool Pool;
    uint64_t Slots = 0; ///< Of its warps that have not finished.
  };
  /// What a warp that was refused wants.
  struct Request {
    WarpRef W;
    unsigned Count = 0;
    std::string Text;
  };

  const CountChange *changeOf(const IssueInfo &Info) const {
    return Info.Group == NoGroup ? nullptr : &Changes[Info.Group];
  }
  bool mayChange(const WarpRef &W, const CountChange &Change);
  void apply(const WarpRef &W, const CountChange &Change);

  LaunchRegisters Launch;
  unsigned WarpsPerCta = 0;
  std::span<const CountChange> Changes;
  std::vector<Cta> Ctas;           ///< By slot; empty: the kernel has no pool.
  std::array<Request, 64> Wanted;  ///< By warp slot, of those that wait.
  uint64_t Waiting = 0, Woken = 0; ///< Warp slots.
  unsigned InUse = 0;              ///< Rows that warps have.
  PoolStats Stats;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SETMAXNREG_SETMAXNREGSCHEME_H
