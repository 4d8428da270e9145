//===- EXPARSScheme.h - Registers that live in scratchpad -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// EXPARS' hardware (§3.3). Warps of mixed CTAs have their registers from
/// Start_Reg on in scratchpad. Before one enters a bundle, the register
/// prefetcher brings those of them that the bundle names into the operand
/// cache, which all warps of the SM share; when its last instruction has
/// issued, others may have the lines. A line that was changed is written back
/// when it is given away.
///
/// Where the paper is silent:
/// - A PREF takes no issue slot: the decoder takes it out of the stream.
/// - A line stays until instructions that issued have read it, and until their
///   results are there, except those that come from beyond the SM: these go
///   to scratchpad if the line is gone, and a bundle that names one waits for
///   it before its registers are fetched.
/// - Rows go through the scratchpad one by one, in the order in which they were
///   asked for, and come as long after their cycle as shared memory's data do.
/// - The queue's first warp is the one whose bundle ended last, as published.
///   But one that was overtaken often is served next, or spinning warps could
///   keep out the one that they wait for.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_SCHEMES_EXPARS_EXPARSSCHEME_H
#define REGSHARE_SIM_SCHEMES_EXPARS_EXPARSSCHEME_H

#include "EXPARSCode.h"
#include "OperandLines.h"
#include "Schemes/BankCalendar.h"
#include "Schemes/Scheme.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"

#include <bitset>
#include <deque>
#include <utility>

namespace regshare::sim {

class EXPARSScheme final : public SchemeHooks {
public:
  explicit EXPARSScheme(const SchemeContext &C);

  /// Equation 12.
  std::optional<unsigned> slotFor(uint64_t /*Free*/, uint64_t /*Mine*/,
                                  unsigned CtaSlot,
                                  unsigned Index) const override {
    return CtaSlot * Expanded.WarpsPerCTA + Index;
  }

  void connect(ScratchpadPort &P) override { Port = &P; }
  void tick(Cycle At) override;
  Cycle nextWork(Cycle At) const override {
    return Moves.empty() && !MayGrant ? Never : At + 1;
  }
  Cycle readyAt(const WarpRef &W) const override {
    const WarpState &S = States[W.Slot];
    return S.At == Stage::Ready ? S.ReadyAt : Never;
  }
  uint64_t takeWoken() override { return std::exchange(Woken, 0); }

  bool mayIssue(const WarpRef &W, const IssueInfo &Info) override {
    if (!isMixed(W) || Info.Group == NoGroup)
      return true;
    WarpState &S = States[W.Slot];
    if (Info.Group != S.Bundle)
      return resume(W, Info.Group);
    return S.At == Stage::Ready && S.ReadyAt <= Now;
  }
  HeldBackBy heldBackBy(const WarpRef &W) const override;

  OperandPlace read(const WarpRef &W, unsigned Row) const override {
    if (inScratchpad(W, Row))
      return {cacheBank(Row), 0};
    return {mainBank(W, Row), Delay};
  }
  uint32_t resultBanks(const WarpRef &W, const IssueInfo &Info,
                       unsigned NumRows) const override;
  uint32_t takenBanks() const override { return Calendar.takenAt(Now); }

  void resident(const WarpRef &W) override { States[W.Slot] = {}; }
  void steppedOver(const WarpRef &W, const IssueInfo &Info) override {
    if (Info.Statement == EXPARSCode::Pref)
      bundleBegins(W, Info.Group);
  }
  /// The warp comes to a PREF.
  void bundleBegins(const WarpRef &W, uint32_t Bundle) {
    ++Stats.Prefs;
    if (isMixed(W))
      ask(W, Bundle);
  }
  void issued(const WarpRef &W, const IssueInfo &Info) override {
    if (isMixed(W))
      use(W, Info);
  }
  void started(const WarpRef &W, const IssueInfo &Info) override;
  void collected(const WarpRef &W, const IssueInfo &Info) override;
  void landed(const WarpRef &W, const IssueInfo &Info) override;
  void exited(const WarpRef &W) override;
  void finished(const WarpRef &W) override;

  OperandCacheStats operandCacheStats() const override { return Stats; }

private:
  static constexpr unsigned MaxRegs = 256;
  /// Grants after which a warp that was overtaken by them goes first.
  static constexpr uint64_t Patience = 64;

  /// Where a warp is on its way into a bundle.
  enum class Stage : uint8_t {
    Outside,
    AwaitsResults, ///< Loads will write registers that the bundle names.
    Queued,        ///< For lines.
    Filling,       ///< It has them; rows are on their way.
    Ready          ///< From ReadyAt on.
  };
  struct WarpState {
    uint32_t Bundle = NoGroup; ///< That it is in, or wants to enter.
    Stage At = Stage::Outside;
    bool HasRun = false; ///< It has been in one.
    unsigned Coming = 0; ///< Rows that have not gone through the port.
    Cycle ReadyAt = 0;   ///< All rows that have gone through it are there.
    std::bitset<MaxRegs> Late; ///< Registers that loads will write.
  };
  struct Request {
    WarpRef W;
    uint64_t Since = 0; ///< Grants before it came.
  };
  struct Move {
    enum Kind : uint8_t { Fetch, WriteBack, LateWrite } K;
    uint8_t Slot; ///< Of the warp that fetches.
    uint8_t Unit;
  };

  bool isMixed(const WarpRef &W) const {
    return W.CtaSlot >= Expanded.WholeCTAs;
  }
  bool inScratchpad(const WarpRef &W, unsigned Row) const {
    return isMixed(W) && Row >= Expanded.StartReg &&
           Row < Expanded.RegsPerThread;
  }
  /// The same of what an instruction accesses, of which functions with fewer
  /// registers have predicates at the numbers of others' registers.
  bool inScratchpad(const WarpRef &W, const IssueInfo &Info,
                    unsigned Access) const {
    return isMixed(W) && Access >= Expanded.StartReg && Access < Info.Registers;
  }
  uint8_t mainBank(const WarpRef &W, unsigned Row) const {
    return uint8_t((Row + W.Slot) % MainBanks);
  }
  uint8_t cacheBank(unsigned Row) const {
    return uint8_t(MainBanks + Lines.bankOf(Row));
  }
  /// Registers of a bundle that a mixed CTA has in scratchpad.
  std::span<const unsigned> rowsOf(uint32_t Bundle) const {
    return std::span(WorkingSets[Bundle]).subspan(FirstRow[Bundle]);
  }

  bool resume(const WarpRef &W, uint32_t Bundle);
  void ask(const WarpRef &W, uint32_t Bundle);
  void enqueue(const WarpRef &W);
  void release(const WarpRef &W);
  void cancelFetches(const WarpRef &W);
  void use(const WarpRef &W, const IssueInfo &Info);
  const Request &head() const;
  void grant();
  void moveRow();

  EXPARSResidency Expanded;
  unsigned MainBanks;
  Cycle Latency;                                      ///< Until a row is there.
  std::span<const std::vector<unsigned>> WorkingSets; ///< By bundle.
  std::vector<uint32_t> FirstRow; ///< By bundle, of rowsOf().
  OperandLines Lines;
  BankCalendar Calendar;
  ScratchpadPort *Port = nullptr;
  std::vector<WarpState> States; ///< By warp slot.
  std::deque<Request> Queue;
  std::deque<Move> Moves;
  uint64_t Grants = 0;
  bool MayGrant = false; ///< Something changed since the head had to wait.
  uint64_t Woken = 0;
  Cycle Now = 0;
  OperandCacheStats Stats;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_SCHEMES_EXPARS_EXPARSSCHEME_H
