//===- RFCScheme.h - A register cache without prefetching -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The register cache that LTRF compares itself with (docs/ltrf.md): an active
/// warp's results stay in its place until younger ones displace them. Code says
/// nothing about it. Operands that are not there come from the main register
/// file, which is not changed until a result is displaced or its warp leaves.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_RFCSCHEME_H
#define REGSHARE_SIM_TIMING_RFCSCHEME_H

#include "BankCalendar.h"
#include "Scheme.h"

#include <array>
#include <deque>

namespace regshare::sim {

class RFCScheme : public BaselineScheme {
public:
  explicit RFCScheme(const SchemeContext &C);

  /// The core with the cache's banks behind those of the main register file.
  static Result<CoreConfig> coreFor(const CoreConfig &C, const KernelNeeds &K);

  static constexpr bool HasRegisterCache = true;
  static constexpr bool HasClock = true;
  void tick(Cycle At) { Now = At; }
  uint32_t takenBanks() const { return Calendar.takenAt(Now); }

  OperandPlace read(const WarpRef &W, unsigned Row) const {
    if (!holdsRow(W, Row))
      return {mainBank(W, Row), uint16_t(Delay + LookUp)};
    return {cacheBank(Places[W.Slot].BankOf[Row]), LookUp};
  }
  /// Where landed() will put it.
  OperandPlace write(const WarpRef &W, unsigned Row) const {
    const Place &P = Places[W.Slot];
    if (Row >= Regs || !P.IsActive)
      return {mainBank(W, Row), 0};
    return {cacheBank(holdsRow(W, Row) ? P.BankOf[Row] : nextBank(P)), 0};
  }

  void resident(const WarpRef &W) {
    clear(W);
    Places[W.Slot].HasExited = false;
  }
  void activated(const WarpRef &W) { Places[W.Slot].IsActive = true; }
  void parked(const WarpRef &W);
  void exited(const WarpRef &W) {
    clear(W);
    Places[W.Slot].HasExited = true;
  }
  void issued(const WarpRef &W, const IssueInfo &Info);
  void landed(const WarpRef &W, const IssueInfo &Info);

  RegisterCacheStats cacheStats() const { return Cache; }

private:
  static constexpr uint8_t NoBank = 0xFF;
  struct Place {
    std::array<uint8_t, 256> BankOf;
    std::deque<uint8_t> Order; ///< Rows, the oldest result first.
    bool IsActive = false, HasExited = false;
  };

  bool holdsRow(const WarpRef &W, unsigned Row) const {
    return Row < Regs && Places[W.Slot].BankOf[Row] != NoBank;
  }
  uint8_t mainBank(const WarpRef &W, unsigned Row) const {
    return uint8_t((Row + W.Slot) % MainBanks);
  }
  uint8_t cacheBank(unsigned Bank) const {
    return uint8_t(MainBanks + Bank % (Banks - MainBanks));
  }
  unsigned nextBank(const Place &P) const {
    return P.Order.size() < PlaceRows ? unsigned(P.Order.size())
                                      : P.BankOf[P.Order.front()];
  }
  void clear(const WarpRef &W);
  void writeBack(const WarpRef &W, unsigned Row);

  unsigned MainBanks, PlaceRows, Regs;
  uint16_t LookUp;           ///< Cycles in which tags are read.
  std::vector<Place> Places; ///< By warp slot.
  BankCalendar Calendar;     ///< Of both files' banks.
  Cycle Now = 0;
  RegisterCacheStats Cache;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_RFCSCHEME_H
