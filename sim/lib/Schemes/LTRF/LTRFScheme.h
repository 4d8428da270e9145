//===- LTRFScheme.h - A register cache that PREFETCHes fill -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LTRF and LTRF+ (docs/ltrf.md): active warps have a place in a register
/// cache, and their operands come from nowhere else. A PREFETCH brings the
/// registers of an interval; a warp that leaves the active set takes its
/// registers with it, and gets them back when it returns.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_LTRF_LTRFSCHEME_H
#define REGSHARE_SIM_SCHEMES_LTRF_LTRFSCHEME_H

#include "LTRFCode.h"
#include "LTRFLengths.h"
#include "RegisterMover.h"
#include "regshare/Base/LTRF/LTRFStatements.h"

#include <array>
#include <bitset>
#include <deque>

namespace regshare::sim {

/// What the two have in common.
class LTRFHooks : public SchemeHooks {
public:
  void tick(Cycle At) override { Now = At; }
  Cycle readyAt(const WarpRef &W) const override {
    return std::max(Blocks[W.Slot].Ready, Blocks[W.Slot].GivesBackAt);
  }

  /// A warp keeps its place while it is filled.
  bool refusedMayLeave() const override { return false; }
  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    ControlBlock &B = Blocks[W.Slot];
    if (B.Ready > Now)
      return false;
    if (Info.Group == B.Set || Info.Group == NoGroup ||
        Info.Statement == LTRFCode::Prefetch) [[likely]]
      return true;
    return !enterElsewhere(W, Info.Group);
  }
  HeldBackBy heldBackBy(const WarpRef &) const override {
    return {"its registers", 0};
  }

  void backedBy(const SchemeHooks &Rows) override {
    File = &Rows;
    Mover.backedBy(Rows);
  }
  bool mayGiveRowsBack(const WarpRef &W) override {
    ControlBlock &B = Blocks[W.Slot];
    B.GivesBackAt = B.Written;
    return B.Written <= Now;
  }
  void gaveRowsBack(const WarpRef &W) override;
  void begunToHold(const WarpRef &W) override;

  OperandPlace read(const WarpRef &W, unsigned Row) const final {
    if (Row >= EndRow || Blocks[W.Slot].BankOf[Row] == NoBank)
      return SchemeHooks::read(W, Row);
    return {uint8_t(Blocks[W.Slot].BankOf[Row] % Banks), 0};
  }
  /// The table of addresses has two ports (§4.1): so many operands are found in
  /// each access to it.
  void located(OperandRequest &R) const override {
    for (unsigned K = 0; K != R.NumReads; ++K)
      R.Reads[K].Delay += uint16_t(LookUp * (1 + K / TablePorts));
  }
  OperandPlace write(const WarpRef &W, unsigned Row) const override {
    return {read(W, Row).Bank, 0};
  }
  /// A result goes to the main register file if its warp has left the cache.
  bool writesCache(const WarpRef &W, unsigned Row) const override {
    return Row >= EndRow || Blocks[W.Slot].BankOf[Row] != NoBank;
  }

  uint32_t takenBanks() const override { return Mover.takenAt(Now); }

  void resident(const WarpRef &W) override { Blocks[W.Slot] = emptyBlock(); }
  void activated(const WarpRef &W) override;
  void parked(const WarpRef &W) override;
  void exited(const WarpRef &W) override;
  void divergentPop(const WarpRef &W) override {
    Blocks[W.Slot].MayDiffer = true;
  }
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    ControlBlock &B = Blocks[W.Slot];
    if (Info.Statement == LTRFCode::Prefetch) {
      ++Cache.Prefetches;
      enter(W, Info.Group);
      return;
    }
    size_t Named = Info.Statement ? 0 : Info.NumReads + Info.NumWrites;
    B.Lengths.issued({Info.Accesses, Named}, EndRow, Bound,
                     Cache.OptimalIntervals);
    if (Info.Group != NoGroup) {
      B.MayDiffer = false;
      Cache.Reads += countCached(Info.Accesses, Info.NumReads);
    }
    B.MayDiffer |= changesCode(Info);
  }
  void landed(const WarpRef &W, const IssueInfo &Info) override;
  void freed(const WarpRef &W, unsigned Row, bool OnItsWay) override;

  RegisterCacheStats cacheStats() const override { return Cache; }

protected:
  LTRFHooks(const SchemeContext &C, bool KnowsLiveness);

private:
  static constexpr unsigned MaxRegs = 256;
  static constexpr uint8_t NoBank = 0xFF;
  static constexpr unsigned TablePorts = 2;

  /// A warp's WCB and address allocation unit.
  struct ControlBlock {
    std::array<uint8_t, MaxRegs> BankOf;
    std::bitset<MaxRegs> Live;
    std::bitset<MaxRegs> Dying;   ///< Dead once their result has landed.
    std::bitset<MaxRegs> Changed; ///< Since it was fetched.
    std::bitset<MaxRegs> Fetched; ///< By the fetch that ends at Ready.
    std::bitset<MaxRegs> Hollow;  ///< In a bank without a value: there was no
                                  ///< row to fetch it from, or it was lost.
    std::deque<uint8_t> Unused;   ///< Banks of the warp's place.
    unsigned Place = 0;           ///< Its offset in the banks; while active.
    uint32_t Set = NoGroup;       ///< Of the last PREFETCH.
    Cycle Ready = 0;
    Cycle Written = 0;     ///< All that went back is in the main register file.
    Cycle GivesBackAt = 0; ///< The last refusal to give rows back ends.
    bool IsActive = false;
    bool MayDiffer = false; ///< Control went along no edge since an instruction
                            ///< of the set.
    IntervalLengths Lengths;
  };

  ControlBlock emptyBlock() const;
  bool hasRow(const WarpRef &W, unsigned Row) const {
    return !File || Row < File->endOfRows(W);
  }
  bool isMoved(const WarpRef &W, unsigned Row) const {
    const ControlBlock &B = Blocks[W.Slot];
    return (!KnowsLiveness || B.Live[Row]) && !B.Hollow[Row] && hasRow(W, Row);
  }
  /// Whether other lanes may go on after it, or other functions, whose
  /// intervals are their own.
  static bool changesCode(const IssueInfo &Info) {
    bool IsBarrier =
        Info.Target == Pipe::None && !Info.IsControl && !Info.Statement;
    return Info.Drains || Info.IsWarpSync || IsBarrier;
  }
  unsigned countCached(const uint32_t *Rows, unsigned Count) const {
    return unsigned(std::count_if(Rows, Rows + Count,
                                  [&](uint32_t Row) { return Row < EndRow; }));
  }
  void enter(const WarpRef &W, uint32_t Set);
  bool enterElsewhere(const WarpRef &W, uint32_t Set);
  void evict(const WarpRef &W, unsigned Row);
  void fetchAll(const WarpRef &W, const std::vector<unsigned> &Rows,
                Cycle From);
  void leavePlace(ControlBlock &B);
  Cycle &goneFrom(const ControlBlock &B, unsigned Bank) {
    return Gone[size_t(B.Place) * PlaceRows + Bank];
  }

  const SchemeHooks *File = nullptr; ///< Null: each register has a row.
  bool KnowsLiveness;
  bool KnowsChanges; ///< settings::DirtyBits.
  unsigned Places, PlaceRows;
  unsigned Bound;      ///< Registers of an interval of this code at most.
  uint16_t LookUp;     ///< Cycles in which the WCB is read (§4.3).
  unsigned EndRow = 0; ///< Rows from here on are in no working set.
  std::span<const std::vector<unsigned>> WorkingSets;
  std::vector<ControlBlock> Blocks; ///< By warp slot.
  RegisterMover Mover;
  Cycle Now = 0;
  std::deque<uint8_t> FreePlaces;
  /// When what was at a place and bank has left.
  std::vector<Cycle> Gone;
  RegisterCacheStats Cache;
};

class LTRFScheme final : public LTRFHooks {
public:
  explicit LTRFScheme(const SchemeContext &C) : LTRFHooks(C, false) {}
};

/// Knows which registers are live, and moves no others.
class LTRFPlusScheme final : public LTRFHooks {
public:
  explicit LTRFPlusScheme(const SchemeContext &C) : LTRFHooks(C, true) {}
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_LTRF_LTRFSCHEME_H
