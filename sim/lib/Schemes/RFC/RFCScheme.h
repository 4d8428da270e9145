//===- RFCScheme.h - A register cache without prefetching -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A register cache without prefetching, the point of comparison of those with
/// it: an active warp's results stay in its place until younger ones displace
/// them. Code says nothing about it. Operands that are not there come from the
/// main register file, which is not changed until a result is displaced or its
/// warp leaves.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_RFC_RFCSCHEME_H
#define REGSHARE_SIM_SCHEMES_RFC_RFCSCHEME_H

#include "Schemes/BankCalendar.h"
#include "Schemes/Scheme.h"

#include <array>

namespace regshare::sim {

class RFCScheme final : public SchemeHooks {
public:
  explicit RFCScheme(const SchemeContext &C);

  void backedBy(const SchemeHooks &Rows) override { File = &Rows; }
  bool mayGiveRowsBack(const WarpRef &W) override {
    return Places[W.Slot].Written <= Now;
  }
  Cycle readyAt(const WarpRef &W) const override {
    return Places[W.Slot].Written;
  }
  void gaveRowsBack(const WarpRef &W) override;
  void begunToHold(const WarpRef &W) override;

  void tick(Cycle At) override { Now = At; }
  uint32_t takenBanks() const override { return Calendar.takenAt(Now); }

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (!holdsRow(W, Row))
      return {mainBank(W, Row), uint16_t(Delay + LookUp)};
    return {cacheBank(Places[W.Slot].BankOf[Row]), LookUp};
  }
  /// Where landed() will put the results: rows that are new there, as the
  /// halves of a pair may be, take one bank after the other.
  uint32_t resultBanks(const WarpRef &W, const IssueInfo &Info,
                       unsigned NumRows) const override;

  void resident(const WarpRef &W) override {
    clear(W);
    Places[W.Slot].HasExited = false;
  }
  void activated(const WarpRef &W) override { Places[W.Slot].IsActive = true; }
  void parked(const WarpRef &W) override;
  void exited(const WarpRef &W) override {
    clear(W);
    Places[W.Slot].HasExited = true;
  }
  void issued(const WarpRef &W, const IssueInfo &Info) override;
  void landed(const WarpRef &W, const IssueInfo &Info) override;

  RegisterCacheStats cacheStats() const override { return Cache; }

private:
  static constexpr unsigned MaxRegs = 256;
  static constexpr uint8_t NoBank = 0xFF;
  struct Place {
    std::array<uint8_t, MaxRegs> BankOf;
    /// What the banks hold, unless it was lost. They are filled in turn, so
    /// that the one which comes next has the oldest result once all are.
    std::array<uint8_t, MaxRegs> RowIn;
    unsigned Used = 0, Next = 0; ///< Banks.
    Cycle Written = 0; ///< All that went back is in the main register file.
    bool IsActive = false, HasExited = false;
  };

  /// Whether its results go into the cache.
  bool isCached(const WarpRef &W, unsigned Row) const {
    return Row < Regs && (!File || Row < File->endOfRows(W));
  }
  bool holdsRow(const WarpRef &W, unsigned Row) const {
    return Row < Regs && Places[W.Slot].BankOf[Row] != NoBank;
  }
  uint8_t mainBank(const WarpRef &W, unsigned Row) const {
    return File ? File->read(W, Row).Bank : uint8_t((Row + W.Slot) % MainBanks);
  }
  uint8_t cacheBank(unsigned Bank) const {
    return uint8_t(MainBanks + Bank % (Banks - MainBanks));
  }
  void clear(const WarpRef &W);
  void writeBack(const WarpRef &W, unsigned Bank);

  const SchemeHooks *File = nullptr; ///< Null: rows are as under Baseline.
  unsigned MainBanks, PlaceRows, Regs;
  uint16_t LookUp;           ///< Cycles in which tags are read.
  std::vector<Place> Places; ///< By warp slot.
  BankCalendar Calendar;     ///< Of both files' banks.
  Cycle Now = 0;
  RegisterCacheStats Cache;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_RFC_RFCSCHEME_H
