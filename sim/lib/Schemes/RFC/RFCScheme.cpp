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
    writeBack(W, P.RowIn[(P.Next + PlaceRows - P.Used + N) % PlaceRows]);
  clear(W);
}

/// A result's way back takes a cycle of its bank in the cache, and one of its
/// bank in the main register file behind that.
void RFCScheme::writeBack(const WarpRef &W, unsigned Row) {
  ++Cache.WrittenBack;
  Cycle Read =
      Calendar.take(Now, Now + 1, cacheBank(Places[W.Slot].BankOf[Row]));
  Calendar.take(Now, Read + 1, mainBank(W, Row));
}

void RFCScheme::issued(const WarpRef &W, const IssueInfo &Info) {
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
    if (Row >= Regs || !P.IsActive) {
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
    if (Row >= Regs)
      continue;
    if (!P.IsActive) {
      ++Cache.LateWrites;
      continue;
    }
    ++Cache.Writes;
    if (P.BankOf[Row] != NoBank)
      continue;
    if (P.Used == PlaceRows) {
      writeBack(W, P.RowIn[P.Next]);
      P.BankOf[P.RowIn[P.Next]] = NoBank;
    } else {
      ++P.Used;
    }
    P.BankOf[Row] = uint8_t(P.Next);
    P.RowIn[P.Next] = uint8_t(Row);
    P.Next = (P.Next + 1) % PlaceRows;
  }
}

} // namespace regshare::sim
