//===- ComposedScheme.h - Two schemes on one SM -----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hooks of both parts of a composition, called one after the other where
/// both have a say, and of the part that has claimed the matter elsewhere.
/// Parts are called through their tables, so that one SM serves all
/// compositions; an SM of a single scheme has nothing of this.
///
/// Two parts that make warps wait could wait for each other. A part that gives
/// a warp what others wait for says so before (beginsToHold()), and the other
/// part then lets it have that only if it will refuse the warp nothing until it
/// is given back (mayHold()). So what is waited for is always got in the same
/// order.
///
/// A register cache in front of rows that a warp may lose knows which it has
/// (endOfRows()), and is asked before some are given back and told after
/// (mayGiveRowsBack(), gaveRowsBack()).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_COMPOSEDSCHEME_H
#define REGSHARE_SIM_SCHEMES_COMPOSEDSCHEME_H

#include "ComposedCode.h"
#include "SchemeModel.h"

#include <array>
#include <memory>

namespace regshare::sim {

/// What a composition's model tells its SMs.
struct ComposedParts {
  Scheme Of;
  std::array<const SchemeModel *, NumParts> Models;
};

/// What an SM asks of a composition.
class ComposedScheme final : public SchemeHooks {
public:
  explicit ComposedScheme(const SchemeContext &C);

  std::optional<unsigned> slotFor(uint64_t Free, uint64_t Mine,
                                  unsigned CtaSlot,
                                  unsigned Index) const override {
    return rows().slotFor(Free, Mine, CtaSlot, Index);
  }
  unsigned warpsThatFit(uint64_t Free) const override {
    return rows().warpsThatFit(Free);
  }
  unsigned ctaLimit() const override;

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override;
  uint64_t takeWoken() override;
  Cycle readyAt(const WarpRef &W) const override {
    return refuserOf(W).readyAt(W);
  }
  uint64_t mayLeave(uint64_t Refused) const override;
  HeldBackBy heldBackBy(const WarpRef &W) const override {
    return refuserOf(W).heldBackBy(W);
  }
  bool holds(const WarpRef &W) const override {
    return Parts[0].Hooks->holds(W) || Parts[1].Hooks->holds(W);
  }
  bool wantsReach(const WarpRef &W, const IssueInfo &Info) const override;
  void willReach(const WarpRef &W, uint32_t End) override;
  void hasReached(const WarpRef &W, uint32_t End) override;

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    return operands().read(W, Row);
  }
  OperandPlace write(const WarpRef &W, unsigned Row) const override {
    return operands().write(W, Row);
  }
  bool writesCache(const WarpRef &W, unsigned Row) const override {
    return operands().writesCache(W, Row);
  }
  uint32_t resultBanks(const WarpRef &W, const IssueInfo &Info,
                       unsigned NumRows) const override;
  void located(OperandRequest &R) const override { operands().located(R); }
  uint32_t takenBanks() const override { return operands().takenBanks(); }

  void runsOn(unsigned SmId, unsigned NumSms) override;
  void connect(ScratchpadPort &Port) override;
  void tick(Cycle Now) override;
  Cycle nextWork(Cycle Now) const override;
  void resident(const WarpRef &W) override;
  void activated(const WarpRef &W) override;
  void parked(const WarpRef &W) override;
  void exited(const WarpRef &W) override;
  void finished(const WarpRef &W) override;
  void divergentPop(const WarpRef &W) override;
  void steppedOver(const WarpRef &W, const IssueInfo &Info) override;
  void issued(const WarpRef &W, const IssueInfo &Info) override;
  void started(const WarpRef &W, const IssueInfo &Info) override;
  void collected(const WarpRef &W, const IssueInfo &Info) override;
  void landed(const WarpRef &W, const IssueInfo &Info) override;
  void freed(const WarpRef &W, unsigned Row, bool OnItsWay) override;
  Cycle comparisonPeriod() const override;
  void compareStalls(uint64_t Stalls, uint64_t OfFirst) override;

  uint64_t preferred(uint64_t Candidates) const override {
    return Parts[1].Hooks->preferred(Parts[0].Hooks->preferred(Candidates));
  }

  PoolStats stats() const override;
  unsigned inUse() const override { return Parts[PoolPart].Hooks->inUse(); }
  RegisterCacheStats cacheStats() const override;
  OperandCacheStats operandCacheStats() const override;
  std::vector<SchemeCounter> counters() const override;
  bool codeManagesCache() const override;
  const std::string &violation() const override;

private:
  /// An instruction as a part sees it.
  class Seen {
  public:
    Seen(unsigned Part, const IssueInfo &Info) : Info(&Info) {
      if (!Info.Statement) [[likely]]
        return;
      Copy = Info;
      Copy.Statement = statementForPart(Part, Info.Statement);
      this->Info = &Copy;
    }
    Seen(const Seen &) = delete;
    operator const IssueInfo &() const { return *Info; }

  private:
    const IssueInfo *Info;
    IssueInfo Copy;
  };

  SchemeHooks &part(unsigned P) const { return *Parts[P].Hooks; }
  SchemeHooks &rows() const { return part(RowsPart); }
  SchemeHooks &operands() const { return part(OperandsPart); }
  SchemeHooks &refuserOf(const WarpRef &W) const {
    return part(RefusedBySecond >> W.Slot & 1);
  }
  bool refuses(unsigned P, const WarpRef &W);

  std::array<HooksOfPart, NumParts> Parts;
  /// Who is asked where one answer is needed.
  unsigned RowsPart = 0, OperandsPart = 0;
  unsigned PoolPart = 0;   ///< Whose pool stats() has.
  unsigned FirstAsked = 0; ///< Whether a warp may issue.
  /// Warp slots whose last refusal was the second part's; else it was the
  /// first's.
  uint64_t RefusedBySecond = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_COMPOSEDSCHEME_H
