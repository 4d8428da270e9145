//===- SHRFScheme.cpp - A register cache that code manages ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SHRFScheme.h"

#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"

#include <algorithm>

namespace regshare::sim {

SHRFScheme::SHRFScheme(const SchemeContext &C)
    : SchemeHooks(C), MainBanks(C.Core.MainBanks),
      Regs(C.Needs.Resources.RegsPerThread),
      FetchCycles(C.Core.RegisterCycles + 1), Places(C.groups<OperandPlaces>()),
      Warps(C.Device.MaxWarps) {
  Cache.Rows = C.Core.ActiveWarps * C.Core.CacheRows;
  Cache.ActiveWarps = C.Core.ActiveWarps;
  Cache.StorageBits =
      shrfStorage({C.Device.MaxWarps, C.Core.ActiveWarps, C.Core.CacheRows})
          .total();
}

bool SHRFScheme::mayIssue(const WarpRef &W, const IssueInfo &Info) {
  const OperandPlaces *P = placesOf(Info);
  if (!P) [[likely]]
    return true;
  WarpState &S = Warps[W.Slot];
  Cycle Fetched = 0;
  for (const CachePlace &C : P->Read)
    Fetched = std::max(Fetched, S.FetchedAt[C.Slot]);
  S.ReadyAt = Fetched > Now ? Fetched : Never;
  S.WaitsForResult = false;
  for (const auto *Written : {&P->Fetch, &P->Cache, &P->Both})
    for (const CachePlace &C : *Written)
      S.WaitsForResult |= S.Coming[C.Slot] != 0;
  return S.ReadyAt == Never && !S.WaitsForResult;
}

static const CachePlace *find(const std::vector<CachePlace> &Places,
                              unsigned Row) {
  for (const CachePlace &P : Places)
    if (P.Unit == Row)
      return &P;
  return nullptr;
}

/// Of the instruction that was issued last.
OperandPlace SHRFScheme::read(const WarpRef &W, unsigned Row) const {
  if (const OperandPlaces *P = Warps[W.Slot].Issuing)
    if (const CachePlace *C = find(P->Read, Row))
      return {cacheBank(C->Slot), 0};
  return {uint8_t((Row + W.Slot) % MainBanks), Delay};
}

uint32_t SHRFScheme::resultBanks(const WarpRef &W, const IssueInfo &Info,
                                 unsigned) const {
  const OperandPlaces *P = placesOf(Info);
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  uint32_t Taken = 0;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    uint32_t Row = Writes[K];
    const CachePlace *Alone = P ? find(P->Cache, Row) : nullptr;
    const CachePlace *Both = P ? find(P->Both, Row) : nullptr;
    if (Alone || Both)
      Taken |= 1u << cacheBank((Alone ? Alone : Both)->Slot);
    if (!Alone && isMain(Row))
      Taken |= 1u << (Row + W.Slot) % MainBanks;
  }
  return Taken;
}

void SHRFScheme::issued(const WarpRef &W, const IssueInfo &Info) {
  WarpState &S = Warps[W.Slot];
  S.Issuing = placesOf(Info);
  if (Info.IsDefine || Info.Statement)
    return;
  for (unsigned K = 0; K != Info.NumReads; ++K) {
    uint32_t Row = Info.Accesses[K];
    bool IsCached = S.Issuing && find(S.Issuing->Read, Row);
    if (isMain(Row))
      ++(IsCached ? Cache.Reads : Cache.Fetched);
  }
  if (!S.Issuing)
    return;
  for (const CachePlace &C : S.Issuing->Fetch)
    S.FetchedAt[C.Slot] = Now + FetchCycles;
  Cache.Writes += S.Issuing->Fetch.size();
  for (const auto *Results : {&S.Issuing->Cache, &S.Issuing->Both})
    for (const CachePlace &C : *Results)
      ++S.Coming[C.Slot];
}

void SHRFScheme::landed(const WarpRef &W, const IssueInfo &Info) {
  const OperandPlaces *P = placesOf(Info);
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    Cache.MainResults += isMain(Writes[K]) && !(P && find(P->Cache, Writes[K]));
  if (!P)
    return;
  Cache.Writes += P->Cache.size() + P->Both.size();
  WarpState &S = Warps[W.Slot];
  for (const auto *Results : {&P->Cache, &P->Both})
    for (const CachePlace &C : *Results)
      --S.Coming[C.Slot];
  if (S.WaitsForResult)
    Woken |= uint64_t(1) << W.Slot;
}

} // namespace regshare::sim
