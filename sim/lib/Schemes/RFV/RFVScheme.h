//===- RFVScheme.h - Rows that registers get when written -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Register file virtualisation (docs/rfv.md): a renaming table gives a warp's
/// register a physical row when it is first written, and `regshare.free` takes
/// the row away.
///
/// Two rules share the rows out. A CTA becomes resident if there are rows for
/// what the CTAs before it were seen to use; as many as can claim all they may
/// always do. And a row is granted only if, afterwards, the resident CTAs can
/// still end one after the other, the oldest first, each with all the registers
/// that it may claim (the banker's rule). The first rule is for speed and the
/// second for progress.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_RFV_RFVSCHEME_H
#define REGSHARE_SIM_SCHEMES_RFV_RFVSCHEME_H

#include "Schemes/Scheme.h"

#include <array>
#include <bitset>
#include <utility>

namespace regshare::sim {

class RFVScheme final : public SchemeHooks {
public:
  explicit RFVScheme(const SchemeContext &C);

  /// Spreads a CTA evenly over the partitions, so that no one of them gets
  /// claims that it cannot serve, and beyond that all warps.
  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override;

  unsigned ctaLimit() const override { return Limit; }

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    unsigned New = newRows(W, Info);
    if (!New)
      return true;
    ++Stats.Attempts;
    if (isSafe(W, New))
      return true;
    Waiting |= uint64_t(1) << W.Slot;
    Wanted[W.Slot] = {W, New};
    return false;
  }
  uint64_t takeWoken() override {
    return Dirty ? wakeThoseWhoFit(std::exchange(Dirty, 0)) : 0;
  }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (Row >= Regs || Tables[W.Slot].RowOf[Row] == NoRow)
      return SchemeHooks::read(W, Row);
    return {uint8_t(Tables[W.Slot].RowOf[Row] % Banks), Delay};
  }

  void resident(const WarpRef &W) override;
  void finished(const WarpRef &W) override;
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    if (newRows(W, Info))
      take(W, Info);
  }
  void landed(const WarpRef &W, const IssueInfo &Info) override {
    if (Tables[W.Slot].Dying.any())
      bury(W, Info);
  }
  void freed(const WarpRef &W, unsigned Row, bool OnItsWay) override;

  PoolStats stats() const override { return Stats; }
  unsigned inUse() const override;

  /// The physical row of a register, or nothing; for tests.
  std::optional<unsigned> rowOf(const WarpRef &W, unsigned Row) const;

private:
  static constexpr unsigned MaxRegs = 256;
  static constexpr uint16_t NoRow = 0xFFFF;

  struct Table {
    std::array<uint16_t, MaxRegs> RowOf;
    std::bitset<MaxRegs> Dying; ///< Freed once their result has landed.
    unsigned Rows = 0;
  };
  struct Partition {
    std::vector<uint64_t> Free; ///< A bit a row.
    unsigned NumFree = 0;
  };
  /// What a CTA has and may have in a partition.
  struct Claim {
    unsigned Rows = 0, Warps = 0;
  };
  /// Rows that CTAs have had, looked at whenever they took one.
  struct Usage {
    uint64_t Sum = 0, Samples = 0;
    unsigned Rows = 0, Peak = 0;
    void add(const Usage &Other);
  };
  struct Cta {
    unsigned Slot = 0;
    unsigned Warps = 0; ///< That have not finished.
    std::vector<Claim> Claims;
    Usage Used = {};
  };
  struct Request {
    WarpRef W;
    unsigned Rows = 0;
  };

  unsigned partitionOf(const WarpRef &W) const {
    return W.Slot % NumPartitions;
  }
  unsigned newRows(const WarpRef &W, const IssueInfo &Info) const {
    if (Info.IsDefine)
      return 0;
    const uint32_t *Writes = Info.Accesses + Info.NumReads;
    unsigned New = 0;
    for (unsigned K = 0; K != Info.NumWrites; ++K)
      New += Writes[K] < Regs && Tables[W.Slot].RowOf[Writes[K]] == NoRow;
    return New;
  }
  bool isSafe(const WarpRef &W, unsigned New) const;
  unsigned takeRow(Partition &P, unsigned Bank);
  uint64_t wakeThoseWhoFit(uint64_t InPartitions);
  Cta &ctaOf(const WarpRef &W);
  void take(const WarpRef &W, const IssueInfo &Info);
  void giveBack(const WarpRef &W, unsigned Row);
  void bury(const WarpRef &W, const IssueInfo &Info);
  void learnFrom(const Cta &C);

  unsigned NumPartitions, RowsOfPartition;
  unsigned Regs;             ///< That a warp may claim.
  std::vector<Table> Tables; ///< By warp slot.
  std::vector<Partition> Partitions;
  std::vector<Cta> Ctas; ///< The oldest first.
  bool Throttles;        ///< settings::ThrottleCtas.
  unsigned ClaimsFit;    ///< CTAs that can have all they may claim at once.
  unsigned MostCtas;     ///< That threads, shared memory and slots allow.
  unsigned Limit;        ///< Most CTAs, as those that have ended suggest.
  Usage Ended;           ///< Of all CTAs that have ended.
  std::vector<std::vector<uint64_t>> RowsOfBank; ///< A bit a row.
  uint64_t Waiting = 0;                          ///< Warp slots.
  uint64_t Dirty = 0; ///< Partitions in which somebody gave back.
  std::array<Request, 64> Wanted;
  PoolStats Stats;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_RFV_RFVSCHEME_H
