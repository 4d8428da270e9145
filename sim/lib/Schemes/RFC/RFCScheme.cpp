//===- RFCScheme.cpp - A register cache without prefetching ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RFCScheme.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

RFCScheme::RFCScheme(const SchemeContext &C)
    : SchemeHooks(C), MainBanks(C.Core.MainBanks), PlaceRows(C.Core.CacheRows),
      Regs(std::min(C.Needs.Resources.RegsPerThread, MaxRegs)),
      LookUp(uint16_t(C.Core.CacheLookUp)), Places(C.Device.MaxWarps),
      Calendar(C.Core) {
  for (Place &P : Places)
    P.BankOf.fill(NoBank);
  Cache.Rows = C.Core.ActiveWarps * PlaceRows;
  Cache.ActiveWarps = C.Core.ActiveWarps;
  // The number of its register and whether there is one, for each.
  unsigned TagBits = std::bit_width(C.Device.MaxRegsPerThread) + 1;
  Cache.StorageBits = uint64_t(Cache.Rows) * TagBits;
}

void RFCScheme::clear(const WarpRef &W) {
  Place &P = Places[W.Slot];
  P.BankOf.fill(NoBank);
  P.Used = P.Next = 0;
  P.IsActive = false;
}

void RFCScheme::parked(const WarpRef &W) {
  const Place &P = Places[W.Slot];
  for (unsigned N = 0; N != P.Used; ++N)
    writeBack(W, (P.Next + PlaceRows - P.Used + N) % PlaceRows);
  clear(W);
}

/// A result's way back takes a cycle of its bank in the cache, and one of its
/// bank in the main register file behind that. A bank whose result was lost has
/// none to write back.
void RFCScheme::writeBack(const WarpRef &W, unsigned Bank) {
  Place &P = Places[W.Slot];
  unsigned Row = P.RowIn[Bank];
  if (P.BankOf[Row] != Bank)
    return;
  ++Cache.WrittenBack;
  Cycle Read = Calendar.take(Now, Now + 1, cacheBank(Bank));
  Cycle Write = Calendar.take(Now, Read + 1, mainBank(W, Row));
  P.Written = std::max(P.Written, Write + 1);
  P.BankOf[Row] = NoBank;
}

void RFCScheme::gaveRowsBack(const WarpRef &W) {
  Place &P = Places[W.Slot];
  for (unsigned Row = File->endOfRows(W); Row < Regs; ++Row)
    P.BankOf[Row] = NoBank;
}

/// What comes to have rows is nowhere in the cache.
void RFCScheme::begunToHold(const WarpRef &W) {
  if (!File)
    return;
  for (unsigned Row = File->endOfRows(W); Row < Regs; ++Row)
    if (holdsRow(W, Row))
      violate("the register cache has a value of R" + std::to_string(Row) +
              ", for which the warp has had no row in the register file");
}

/// A statement may wait for results, but it reads none.
void RFCScheme::issued(const WarpRef &W, const IssueInfo &Info) {
  if (Info.Statement)
    return;
  for (unsigned K = 0; K != Info.NumReads; ++K)
    if (Info.Accesses[K] < Regs)
      ++(holdsRow(W, Info.Accesses[K]) ? Cache.Reads : Cache.Fetched);
}

uint32_t RFCScheme::resultBanks(const WarpRef &W, const IssueInfo &Info,
                                unsigned NumRows) const {
  const Place &P = Places[W.Slot];
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  uint32_t Taken = 0;
  unsigned New = 0;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    uint32_t Row = Writes[K];
    if (Row >= NumRows)
      continue;
    if (!isCached(W, Row) || !P.IsActive) {
      Taken |= 1u << mainBank(W, Row);
      continue;
    }
    // The new ones before it may have displaced it.
    bool IsHeld = holdsRow(W, Row) &&
                  (P.BankOf[Row] + PlaceRows - P.Next) % PlaceRows >= New;
    unsigned Bank = IsHeld ? P.BankOf[Row] : (P.Next + New++) % PlaceRows;
    Taken |= 1u << cacheBank(Bank);
  }
  return Taken;
}

/// A result takes the oldest one's place if there is no other.
void RFCScheme::landed(const WarpRef &W, const IssueInfo &Info) {
  Place &P = Places[W.Slot];
  if (P.HasExited)
    return;
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    uint32_t Row = Writes[K];
    if (!isCached(W, Row))
      continue;
    if (!P.IsActive) {
      ++Cache.LateWrites;
      continue;
    }
    ++Cache.Writes;
    if (P.BankOf[Row] != NoBank)
      continue;
    if (P.Used == PlaceRows)
      writeBack(W, P.Next);
    else
      ++P.Used;
    P.BankOf[Row] = uint8_t(P.Next);
    P.RowIn[P.Next] = uint8_t(Row);
    P.Next = (P.Next + 1) % PlaceRows;
  }
}

} // namespace regshare::sim
