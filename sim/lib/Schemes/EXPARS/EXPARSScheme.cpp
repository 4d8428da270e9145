//===- EXPARSScheme.cpp - Registers that live in scratchpad ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EXPARSScheme.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

static const OperandCache &cacheOf(const SchemeContext &C) {
  return C.Needs.Facts.get<BundleBounds>()->Cache;
}

EXPARSScheme::EXPARSScheme(const SchemeContext &C)
    : SchemeHooks(C), Expanded(*C.Resident.Layout.get<EXPARSResidency>()),
      MainBanks(C.Core.MainBanks), Latency(C.SharedLatency),
      WorkingSets(C.groups<std::vector<unsigned>>()),
      Lines(cacheOf(C),
            C.Values.get<OperandMapping>(settings::OperandCacheMapping)),
      Calendar(C.Core), States(C.Device.MaxWarps) {
  for (const std::vector<unsigned> &Rows : WorkingSets)
    FirstRow.push_back(uint32_t(
        std::ranges::lower_bound(Rows, Expanded.StartReg) - Rows.begin()));
  Stats.Lines = Lines.count();
  EXPARSStorage Storage = exparsStorage(C.Device, cacheOf(C));
  Stats.StorageBits =
      Storage.total() - (isLazy(C.Core.Policy) ? 0 : Storage.Scheduler);
  if (C.Values.get<OperandMapping>(settings::OperandCacheMapping) !=
      OperandMapping::Direct)
    Stats.StorageBits +=
        Lines.count() * unsigned(std::bit_width(cacheOf(C).sets()) - 1);
  Stats.WholeCTAs = Expanded.WholeCTAs;
  Stats.MixedCTAs = Expanded.MixedCTAs;
  Stats.StartReg = Expanded.StartReg;
  Stats.ScratchpadRows = Expanded.ScratchpadRows;
}

//===----------------------------------------------------------------------===//
// Bundles
//===----------------------------------------------------------------------===//

/// The warp comes to an instruction of another bundle than it is in: its lanes
/// go on in the middle of one. True if that needs no line.
bool EXPARSScheme::resume(const WarpRef &W, uint32_t Bundle) {
  bool NeedsLines = !rowsOf(Bundle).empty();
  Stats.ResumePrefs += NeedsLines;
  ask(W, Bundle);
  return !NeedsLines;
}

void EXPARSScheme::ask(const WarpRef &W, uint32_t Bundle) {
  release(W);
  WarpState &S = States[W.Slot];
  S.Bundle = Bundle;
  std::span<const unsigned> Rows = rowsOf(Bundle);
  if (Rows.empty()) {
    S.At = Stage::Ready;
    return;
  }
  if (std::ranges::any_of(Rows, [&](unsigned Row) { return S.Late[Row]; }))
    S.At = Stage::AwaitsResults;
  else
    enqueue(W);
}

void EXPARSScheme::enqueue(const WarpRef &W) {
  WarpState &S = States[W.Slot];
  S.At = Stage::Queued;
  if (S.HasRun)
    Queue.push_front({W, Grants});
  else
    Queue.push_back({W, Grants});
  MayGrant = true;
}

/// The warp is in no bundle any more, nor on its way into one.
void EXPARSScheme::release(const WarpRef &W) {
  WarpState &S = States[W.Slot];
  if (S.At == Stage::Queued) {
    std::erase_if(Queue, [&](const Request &R) { return R.W.Slot == W.Slot; });
    MayGrant = true;
  }
  if (S.At == Stage::Filling || S.At == Stage::Ready)
    for (unsigned Row : rowsOf(S.Bundle))
      MayGrant |= Lines.release(W.Slot, Row);
  if (S.At == Stage::Filling)
    cancelFetches(W);
  S.At = Stage::Outside;
  S.Bundle = NoGroup;
}

/// Other lanes of the warp came to run before its rows did.
void EXPARSScheme::cancelFetches(const WarpRef &W) {
  for (const Move &M : Moves)
    if (M.K == Move::Fetch && M.Slot == W.Slot)
      Lines.drop(W.Slot, M.Unit);
  std::erase_if(Moves, [&](const Move &M) {
    return M.K == Move::Fetch && M.Slot == W.Slot;
  });
  States[W.Slot].Coming = 0;
}

const EXPARSScheme::Request &EXPARSScheme::head() const {
  const Request &Oldest = *std::ranges::min_element(Queue, {}, &Request::Since);
  return Grants - Oldest.Since >= Patience ? Oldest : Queue.front();
}

/// Gives the first warp its lines, if all of them are free.
void EXPARSScheme::grant() {
  if (!MayGrant)
    return;
  MayGrant = false;
  if (Queue.empty())
    return;
  const WarpRef W = head().W;
  WarpState &S = States[W.Slot];
  std::span<const unsigned> Rows = rowsOf(S.Bundle);
  if (!Lines.canHold(W.Slot, Rows))
    return;
  std::erase_if(Queue, [&](const Request &R) { return R.W.Slot == W.Slot; });
  ++Grants;
  ++Stats.Bundles;
  MayGrant = !Queue.empty();
  S.HasRun = true;
  std::span<const OperandLines::Miss> Misses = Lines.hold(W.Slot, Rows);
  Stats.Hits += Rows.size() - Misses.size();
  for (const OperandLines::Miss &M : Misses) {
    if (M.Displaces)
      Moves.push_back({Move::WriteBack, 0, uint8_t(M.Unit)});
    Moves.push_back({Move::Fetch, uint8_t(W.Slot), uint8_t(M.Unit)});
  }
  S.Coming = unsigned(Misses.size());
  S.At = S.Coming ? Stage::Filling : Stage::Ready;
  if (S.At == Stage::Ready)
    Woken |= uint64_t(1) << W.Slot;
}

void EXPARSScheme::moveRow() {
  if (Moves.empty() || !Port->takeForRow(Now))
    return;
  Move M = Moves.front();
  Moves.pop_front();
  switch (M.K) {
  case Move::LateWrite:
    return;
  case Move::WriteBack:
    ++Stats.WrittenBack;
    Calendar.take(Now, Now, cacheBank(M.Unit));
    return;
  case Move::Fetch:
    break;
  }
  ++Stats.Fetched;
  WarpState &S = States[M.Slot];
  Cycle There = Calendar.take(Now, Now + Latency, cacheBank(M.Unit)) + 1;
  S.ReadyAt = std::max(S.ReadyAt, There);
  if (--S.Coming)
    return;
  S.At = Stage::Ready;
  Woken |= uint64_t(1) << M.Slot;
}

void EXPARSScheme::tick(Cycle At) {
  Now = At;
  moveRow();
  grant();
}

HeldBackBy EXPARSScheme::heldBackBy(const WarpRef &W) const {
  HeldBackBy By{"lines of the operand cache", 0};
  if (States[W.Slot].At != Stage::Queued)
    return By;
  // Nobody is served before the first one.
  for (unsigned Slot : {W.Slot, head().W.Slot})
    By.Holders |= Lines.whoKeeps(Slot, rowsOf(States[Slot].Bundle));
  return By;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// An instruction of a mixed CTA's warp names what its bundle has brought.
void EXPARSScheme::use(const WarpRef &W, const IssueInfo &Info) {
  // A Define is no instruction of the hardware's.
  unsigned Named = Info.IsDefine ? 0 : unsigned(Info.NumReads + Info.NumWrites);
  for (unsigned K = 0; K != Named; ++K) {
    unsigned Row = Info.Accesses[K];
    if (!inScratchpad(W, Info, Row))
      continue;
    if (!Lines.has(W.Slot, Row))
      violate("the operand cache does not have R" + std::to_string(Row));
  }
  if (Info.EndsGroup)
    release(W);
}

void EXPARSScheme::started(const WarpRef &W, const IssueInfo &Info) {
  if (!isMixed(W))
    return;
  for (unsigned K = 0; K != unsigned(Info.NumReads + Info.NumWrites); ++K) {
    unsigned Row = Info.Accesses[K];
    if (!inScratchpad(W, Info, Row))
      continue;
    Stats.Reads += K < Info.NumReads;
    if (K >= Info.NumReads && Info.IsLongLoad)
      States[W.Slot].Late.set(Row);
    else
      Lines.pin(W.Slot, Row);
  }
}

void EXPARSScheme::collected(const WarpRef &W, const IssueInfo &Info) {
  if (!isMixed(W))
    return;
  for (unsigned K = 0; K != Info.NumReads; ++K)
    if (inScratchpad(W, Info, Info.Accesses[K]))
      MayGrant |= Lines.unpin(W.Slot, Info.Accesses[K]);
}

/// Results go where their register is: to the register file, the operand cache,
/// or, late, to scratchpad.
uint32_t EXPARSScheme::resultBanks(const WarpRef &W, const IssueInfo &Info,
                                   unsigned NumRows) const {
  uint32_t Taken = 0;
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    unsigned Row = Writes[K];
    if (Row < NumRows &&
        (!inScratchpad(W, Info, Row) || Lines.has(W.Slot, Row)))
      Taken |= 1u << read(W, Row).Bank;
  }
  return Taken;
}

void EXPARSScheme::landed(const WarpRef &W, const IssueInfo &Info) {
  if (!isMixed(W))
    return;
  WarpState &S = States[W.Slot];
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    unsigned Row = Writes[K];
    if (!inScratchpad(W, Info, Row))
      continue;
    bool IsThere = Lines.write(W.Slot, Row);
    Stats.Writes += IsThere;
    if (!IsThere) {
      ++Stats.LateWrites;
      Moves.push_back({Move::LateWrite, 0, uint8_t(Row)});
    }
    if (Info.IsLongLoad)
      S.Late.reset(Row);
    else
      MayGrant |= Lines.unpin(W.Slot, Row);
  }
  if (S.At == Stage::AwaitsResults &&
      std::ranges::none_of(rowsOf(S.Bundle),
                           [&](unsigned Row) { return S.Late[Row]; }))
    enqueue(W);
}

void EXPARSScheme::exited(const WarpRef &W) {
  if (isMixed(W))
    release(W);
}

void EXPARSScheme::finished(const WarpRef &W) {
  if (!isMixed(W))
    return;
  Lines.forget(W.Slot);
  MayGrant = true;
}

} // namespace regshare::sim
