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

/// The most banks that masks name.
static constexpr unsigned MaxBanks = 32;

Result<CoreConfig> RFCScheme::coreFor(const CoreConfig &C,
                                      const KernelNeeds &) {
  CoreConfig Of = C;
  Of.Banks = std::min(C.MainBanks + C.CacheRows, MaxBanks);
  if (Of.Banks == C.MainBanks)
    return fail("a register file of " + std::to_string(C.MainBanks) +
                " banks leaves none for a register cache");
  return Of;
}

RFCScheme::RFCScheme(const SchemeContext &C)
    : BaselineScheme(C), MainBanks(C.Core.MainBanks),
      PlaceRows(C.Core.CacheRows),
      Regs(std::min(C.Needs.Resources.RegsPerThread, 256u)),
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
  for (uint8_t Row : P.Order)
    P.BankOf[Row] = NoBank;
  P.Order.clear();
  P.IsActive = false;
}

void RFCScheme::parked(const WarpRef &W) {
  for (uint8_t Row : Places[W.Slot].Order)
    writeBack(W, Row);
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
    P.BankOf[Row] = uint8_t(nextBank(P));
    if (P.Order.size() == PlaceRows) {
      writeBack(W, P.Order.front());
      P.BankOf[P.Order.front()] = NoBank;
      P.Order.pop_front();
    }
    P.Order.push_back(uint8_t(Row));
  }
}

} // namespace regshare::sim
