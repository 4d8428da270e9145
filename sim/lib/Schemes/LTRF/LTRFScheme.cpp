//===- LTRFScheme.cpp - A register cache that PREFETCHes fill -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LTRFScheme.h"

#include "regshare/Base/LTRF/LTRF.h"

namespace regshare::sim {

LTRFHooks::LTRFHooks(const SchemeContext &C, bool KnowsLiveness)
    : SchemeHooks(C), KnowsLiveness(KnowsLiveness),
      KnowsChanges(C.Values.get<bool>(settings::DirtyBits)),
      Places(C.Core.ActiveWarps), PlaceRows(C.Core.CacheRows),
      Bound(C.Needs.Facts.get<IntervalBounds>()->Registers),
      LookUp(uint16_t(C.Core.CacheLookUp)),
      WorkingSets(C.groups<std::vector<unsigned>>()), Mover(C.Core) {
  for (const std::vector<unsigned> &Rows : WorkingSets)
    if (!Rows.empty())
      EndRow = std::max(EndRow, Rows.back() + 1);
  Blocks.assign(C.Device.MaxWarps, emptyBlock());
  for (unsigned Place = 0; Place != Places; ++Place)
    FreePlaces.push_back(uint8_t(Place));
  Gone.resize(size_t(Places) * PlaceRows);
  Cache.Rows = Places * PlaceRows;
  Cache.ActiveWarps = Places;
  // A bit-vector has one for each number that an instruction has room for.
  unsigned Numbers = std::bit_ceil(C.Device.MaxRegsPerThread);
  Cache.StorageBits =
      ltrfStorage({C.Device.MaxWarps, Numbers, Places, PlaceRows}).total() +
      (KnowsChanges ? uint64_t(C.Device.MaxWarps) * Numbers : 0);
}

LTRFHooks::ControlBlock LTRFHooks::emptyBlock() const {
  ControlBlock B;
  B.BankOf.fill(NoBank);
  for (unsigned Bank = 0; Bank != PlaceRows; ++Bank)
    B.Unused.push_back(uint8_t(Bank));
  return B;
}

/// Frees the register's bank; its value goes back if it has come and is needed.
void LTRFHooks::evict(const WarpRef &W, unsigned Row) {
  ControlBlock &B = Blocks[W.Slot];
  unsigned Bank = std::exchange(B.BankOf[Row], NoBank);
  B.Unused.push_back(uint8_t(Bank));
  bool OnItsWay = B.Ready > Now && B.Fetched[Row];
  bool IsClean = KnowsChanges && !B.Changed[Row];
  bool Moves = isMoved(W, Row);
  B.Changed.reset(Row);
  B.Hollow.reset(Row);
  if (OnItsWay || IsClean || !Moves)
    return;
  ++Cache.WrittenBack;
  auto [BankGone, Written] = Mover.writeBack(Now, W, Row, Bank % Banks);
  goneFrom(B, Bank) = BankGone;
  B.Written = std::max(B.Written, Written);
}

/// Gives a bank to each of \p Rows that has none, and brings what it holds. The
/// main register file has that from \p From on.
void LTRFHooks::fetchAll(const WarpRef &W, const std::vector<unsigned> &Rows,
                         Cycle From) {
  ControlBlock &B = Blocks[W.Slot];
  if (B.Ready <= Now)
    B.Fetched.reset();
  for (unsigned Row : Rows) {
    if (B.BankOf[Row] != NoBank)
      continue;
    assert(!B.Unused.empty() && "the annotation bounds an interval");
    unsigned Bank = B.Unused.front();
    B.Unused.pop_front();
    B.BankOf[Row] = uint8_t(Bank);
    B.Hollow[Row] = !hasRow(W, Row);
    if (!isMoved(W, Row))
      continue;
    ++Cache.Fetched;
    ++Cache.Filled;
    B.Fetched.set(Row);
    Cycle Begin = std::max({Now, From, goneFrom(B, Bank)});
    B.Ready = std::max(B.Ready, Mover.fetch(Now, Begin, W, Row, Bank % Banks));
  }
}

/// The working set becomes \p Set; what it has in common with the one before
/// stays where it is.
void LTRFHooks::enter(const WarpRef &W, uint32_t Set) {
  ControlBlock &B = Blocks[W.Slot];
  const std::vector<unsigned> &Rows = WorkingSets[Set];
  const Cycle From = B.Written;
  for (unsigned Row = 0; Row != EndRow; ++Row)
    if (B.BankOf[Row] != NoBank && !std::ranges::binary_search(Rows, Row))
      evict(W, Row);
  fetchAll(W, Rows, From);
  B.Lengths.entered(Cache.Intervals);
  B.Set = Set;
  B.MayDiffer = false;
}

/// The warp comes to an instruction of another interval than the one it has.
/// Where it was led by no edge, the SM executes that one's PREFETCH; true if
/// the warp has to wait for it.
bool LTRFHooks::enterElsewhere(const WarpRef &W, uint32_t Set) {
  ControlBlock &B = Blocks[W.Slot];
  if (!B.MayDiffer) {
    violate("the register cache has another interval's registers: the way to "
            "this instruction has no PREFETCH of its interval");
    return false;
  }
  ++Cache.PopPrefetches;
  enter(W, Set);
  return B.Ready > Now;
}

void LTRFHooks::activated(const WarpRef &W) {
  ControlBlock &B = Blocks[W.Slot];
  if (FreePlaces.empty()) {
    violate("the register cache overflows: it has " + std::to_string(Places) +
            " places");
    return;
  }
  B.IsActive = true;
  B.Place = FreePlaces.front();
  FreePlaces.pop_front();
  if (B.Set == NoGroup)
    return;
  ++Cache.Refetches;
  fetchAll(W, WorkingSets[B.Set], B.Written);
}

void LTRFHooks::parked(const WarpRef &W) {
  ControlBlock &B = Blocks[W.Slot];
  for (unsigned Row = 0; Row != EndRow; ++Row)
    if (B.BankOf[Row] != NoBank)
      evict(W, Row);
  B.Ready = 0;
  leavePlace(B);
}

void LTRFHooks::leavePlace(ControlBlock &B) {
  if (B.IsActive)
    FreePlaces.push_back(uint8_t(B.Place));
  B.IsActive = false;
}

/// The warp's registers are of no use any more.
void LTRFHooks::exited(const WarpRef &W) {
  ControlBlock &B = Blocks[W.Slot];
  B.Lengths.exited(Cache.Intervals, Cache.OptimalIntervals);
  leavePlace(B);
  B = emptyBlock();
}

void LTRFHooks::landed(const WarpRef &W, const IssueInfo &Info) {
  ControlBlock &B = Blocks[W.Slot];
  if (B.Set == NoGroup)
    return; // The warp has exited.
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    unsigned Row = Writes[K];
    if (Row >= EndRow)
      continue;
    B.Live[Row] = !B.Dying[Row];
    B.Dying.reset(Row);
    if (B.BankOf[Row] != NoBank) {
      ++Cache.Writes;
      B.Changed.set(Row);
      B.Hollow[Row] = !hasRow(W, Row);
      continue;
    }
    // What only defines a register writes nothing.
    bool IsRegister = Row < Info.Registers && !Info.IsDefine;
    if (IsRegister && !hasRow(W, Row))
      violate("a late result of R" + std::to_string(Row) +
              ", for which the warp has no row in the register file");
    ++Cache.LateWrites;
    B.Written = std::max(B.Written, Mover.write(Now, W, Row));
  }
}

/// The registers keep their banks until the interval ends.
void LTRFHooks::gaveRowsBack(const WarpRef &W) {
  ControlBlock &B = Blocks[W.Slot];
  for (unsigned Row = File->endOfRows(W); Row < EndRow; ++Row) {
    B.Changed.reset(Row);
    B.Live.reset(Row);
    B.Dying.reset(Row);
    B.Hollow[Row] = B.BankOf[Row] != NoBank;
  }
}

/// What comes to have rows is nowhere in the cache.
void LTRFHooks::begunToHold(const WarpRef &W) {
  const ControlBlock &B = Blocks[W.Slot];
  if (!File)
    return;
  for (unsigned Row = File->endOfRows(W); Row < EndRow; ++Row)
    if (B.BankOf[Row] != NoBank && !B.Hollow[Row])
      violate("the register cache has a value of R" + std::to_string(Row) +
              ", for which the warp has had no row in the register file");
}

void LTRFHooks::freed(const WarpRef &W, unsigned Row, bool OnItsWay) {
  ControlBlock &B = Blocks[W.Slot];
  B.Live.reset(Row);
  B.Dying[Row] = OnItsWay;
}

} // namespace regshare::sim
