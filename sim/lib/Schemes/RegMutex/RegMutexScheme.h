//===- RegMutexScheme.h - Extended sets that warps acquire ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RegMutex and its paired-warps form (docs/regmutex.md). A kernel without a
/// split runs as under Baseline.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXSCHEME_H
#define REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXSCHEME_H

#include "RegMutexCode.h"
#include "Schemes/Scheme.h"
#include "SectionPools.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"

namespace regshare::sim {

/// Extended sets that each partition of the register file has room for.
struct SectionCounts {
  std::vector<unsigned> OfPartition;
};

/// "18 base and 6 extended registers a thread".
std::string inRegs(const RegMutexSplit &S);

template <typename PoolT> class ExtendedSetScheme final : public SchemeHooks {
public:
  explicit ExtendedSetScheme(const SchemeContext &C);

  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override;

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    if (Info.Statement != RegMutexCode::Acquire || Pools.empty() || holds(W))
        [[likely]]
      return true;
    ++Stats.Attempts;
    if (poolOf(W).sectionFor(numberOf(W)))
      return true;
    Waiting |= uint64_t(1) << W.Slot;
    return false;
  }
  bool beginsToHold(const WarpRef &W, const IssueInfo &Info) const override {
    return Info.Statement == RegMutexCode::Acquire && !Pools.empty() &&
           !holds(W);
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }
  unsigned endOfRows(const WarpRef &W) const override {
    return Pools.empty() || holds(W) ? ~0u : Split.Base;
  }
  bool givesRowsBack(const WarpRef &W, const IssueInfo &Info) const override {
    return Info.Statement == RegMutexCode::Release && holds(W);
  }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (Row >= EndRow)
      return SchemeHooks::read(W, Row);
    const Rows &Of = RowsOf[W.Slot];
    unsigned Physical =
        Row < Split.Base ? Of.Base + Row : Of.Extended + (Row - Split.Base);
    return {BankOf[W.Slot % Partitions][Physical], Delay};
  }

  void resident(const WarpRef &W) override;
  void finished(const WarpRef &W) override { giveBack(W); }
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    if (Pools.empty())
      return;
    Stats.HeldInstructions += holds(W);
    if (Info.Statement == RegMutexCode::Acquire)
      take(W);
    else if (Info.Statement == RegMutexCode::Release)
      giveBack(W);
  }

  bool holds(const WarpRef &W) const override { return Holding >> W.Slot & 1; }
  PoolStats stats() const override { return Stats; }
  unsigned inUse() const override;

private:
  /// Where a warp's sets begin.
  struct Rows {
    unsigned Base = 0, Extended = 0;
  };

  unsigned numberOf(const WarpRef &W) const { return W.Slot / Partitions; }
  PoolT &poolOf(const WarpRef &W) { return Pools[W.Slot % Partitions]; }
  void take(const WarpRef &W);
  void giveBack(const WarpRef &W);

  unsigned Partitions;
  /// By partition and physical row.
  std::vector<std::vector<uint8_t>> BankOf;
  RegMutexSplit Split;
  unsigned EndRow = 0; ///< Rows from here on are none of a thread's registers.
  std::vector<PoolT> Pools;        ///< By partition; empty without a split.
  uint64_t HasBase = ~uint64_t(0); ///< Warp slots with room for a base set.
  std::array<Rows, 64> RowsOf = {};
  uint64_t Holding = 0, Waiting = 0, Woken = 0; ///< Warp slots.
  PoolStats Stats;
};

using RegMutexScheme = ExtendedSetScheme<SharedPool>;
using RegMutexPairedScheme = ExtendedSetScheme<PairedPool>;

extern template class ExtendedSetScheme<SharedPool>;
extern template class ExtendedSetScheme<PairedPool>;

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_REGMUTEX_REGMUTEXSCHEME_H
