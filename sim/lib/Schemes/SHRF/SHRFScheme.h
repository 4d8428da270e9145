//===- SHRFScheme.h - A register cache that code manages --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The software-managed hierarchical register file (docs/shrf.md): each
/// instruction says which of its operands are in the warp's place of the
/// register cache, and in which slot. Nothing is looked up, written back or
/// fetched in the background. What is where, and whether it is there, the warp
/// checks as it executes.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_SHRF_SHRFSCHEME_H
#define REGSHARE_SIM_SCHEMES_SHRF_SHRFSCHEME_H

#include "Schemes/Scheme.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include <array>

namespace regshare::sim {

class SHRFScheme final : public SchemeHooks {
public:
  explicit SHRFScheme(const SchemeContext &C);

  void tick(Cycle C) override { Now = C; }
  /// A slot is read once what is fetched there has come, and written once an
  /// earlier result for it has.
  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override;
  Cycle readyAt(const WarpRef &W) const override {
    return Warps[W.Slot].ReadyAt;
  }
  bool refusedMayLeave() const override { return false; }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  HeldBackBy heldBackBy(const WarpRef &) const override {
    return {"its register cache", 0};
  }

  OperandPlace read(const WarpRef &W, unsigned Row) const override;
  uint32_t resultBanks(const WarpRef &W, const IssueInfo &Info,
                       unsigned) const override;

  void resident(const WarpRef &W) override { Warps[W.Slot] = {}; }
  void issued(const WarpRef &W, const IssueInfo &Info) override;
  void landed(const WarpRef &W, const IssueInfo &Info) override;

  bool codeManagesCache() const override { return true; }
  RegisterCacheStats cacheStats() const override { return Cache; }

private:
  static constexpr unsigned MaxSlots = 256;
  struct WarpState {
    const OperandPlaces *Issuing = nullptr; ///< Of the last instruction.
    std::array<Cycle, MaxSlots> FetchedAt = {};
    std::array<uint8_t, MaxSlots> Coming = {}; ///< Results on their way.
    Cycle ReadyAt = Never;
    bool WaitsForResult = false;
  };

  const OperandPlaces *placesOf(const IssueInfo &Info) const {
    return Info.Group == NoGroup ? nullptr : &Places[Info.Group];
  }
  uint8_t cacheBank(unsigned Slot) const {
    return uint8_t(MainBanks + Slot % (Banks - MainBanks));
  }
  bool isMain(unsigned Row) const { return Row < Regs; }

  unsigned MainBanks, Regs;
  Cycle FetchCycles; ///< From issue until a fetched register can be read.
  std::span<const OperandPlaces> Places;
  std::vector<WarpState> Warps; ///< By slot of the SM.
  uint64_t Woken = 0;
  Cycle Now = 0;
  RegisterCacheStats Cache;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_SHRF_SHRFSCHEME_H
