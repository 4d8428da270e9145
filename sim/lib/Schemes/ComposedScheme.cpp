//===- ComposedScheme.cpp - Two schemes on one SM -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComposedScheme.h"

#include <algorithm>

namespace regshare::sim {

/// The part with one of \p Claims, the first of which that somebody has.
static unsigned partWith(Scheme S, std::initializer_list<Domain> Claims) {
  for (Domain What : Claims)
    if (const SchemeDescription *Part = S.claimantOf(What))
      return Part == S.parts()[0] ? 0 : 1;
  return 0;
}

/// A part whose rows are behind a register cache knows the banks of the main
/// register file alone.
ComposedScheme::ComposedScheme(const SchemeContext &C) : SchemeHooks(C) {
  const auto &Of = *C.Resident.Layout.get<ComposedParts>();
  RowsPart = partWith(Of.Of, {Domain::Rows});
  OperandsPart = partWith(Of.Of, {Domain::Operands, Domain::Rows});
  bool IsBehind = Of.Of.claimantOf(Domain::Rows) && RowsPart != OperandsPart;
  CoreConfig Main = C.Core;
  Main.Banks = Main.MainBanks;
  const SchemeContext OfMain = {C.Device, Main,     C.Needs,        C.Resident,
                                C.Values, C.Groups, C.SharedLatency};
  for (unsigned P = 0; P != NumParts; ++P)
    Parts[P] =
        Of.Models[P]->createHooks(IsBehind && P == RowsPart ? OfMain : C);
  if (IsBehind) {
    operands().backedBy(rows());
    FirstAsked = OperandsPart;
  }
  PoolPart = part(0).stats().isEmpty() ? 1 : 0;
}

unsigned ComposedScheme::ctaLimit() const {
  return std::min(part(0).ctaLimit(), part(1).ctaLimit());
}

//===----------------------------------------------------------------------===//
// Issue gate
//===----------------------------------------------------------------------===//

bool ComposedScheme::refuses(unsigned P, const WarpRef &W) {
  uint64_t Bit = uint64_t(1) << W.Slot;
  RefusedBySecond = P ? RefusedBySecond | Bit : RefusedBySecond & ~Bit;
  return false;
}

/// A part that counts who asks is asked last, when nothing else is in the way.
bool ComposedScheme::mayIssue(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned N = 0; N != NumParts; ++N) {
    unsigned P = N ^ FirstAsked;
    Seen I(P, Info);
    if (part(P).beginsToHold(W, I) && !part(1 - P).mayHold(W))
      return refuses(1 - P, W);
    if (part(P).givesRowsBack(W, I) && !part(1 - P).mayGiveRowsBack(W))
      return refuses(1 - P, W);
    if (!part(P).mayIssue(W, I))
      return refuses(P, W);
  }
  return true;
}

uint64_t ComposedScheme::takeWoken() {
  return part(0).takeWoken() | part(1).takeWoken();
}

uint64_t ComposedScheme::mayLeave(uint64_t Refused) const {
  return part(0).mayLeave(Refused & ~RefusedBySecond) |
         part(1).mayLeave(Refused & RefusedBySecond);
}

bool ComposedScheme::wantsReach(const WarpRef &W, const IssueInfo &Info) const {
  return part(0).wantsReach(W, Seen(0, Info)) ||
         part(1).wantsReach(W, Seen(1, Info));
}

void ComposedScheme::willReach(const WarpRef &W, uint32_t End) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->willReach(W, End);
}

void ComposedScheme::hasReached(const WarpRef &W, uint32_t End) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->hasReached(W, End);
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

uint32_t ComposedScheme::resultBanks(const WarpRef &W, const IssueInfo &Info,
                                     unsigned NumRows) const {
  if (Parts[OperandsPart].HasResultBanks)
    return operands().resultBanks(W, Seen(OperandsPart, Info), NumRows);
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  uint32_t Banks = 0;
  for (unsigned K = 0; K != Info.NumWrites; ++K)
    if (Writes[K] < NumRows && operands().writesCache(W, Writes[K]))
      Banks |= 1u << operands().write(W, Writes[K]).Bank;
  return Banks;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void ComposedScheme::runsOn(unsigned SmId, unsigned NumSms) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->runsOn(SmId, NumSms);
}
void ComposedScheme::connect(ScratchpadPort &Port) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->connect(Port);
}
void ComposedScheme::tick(Cycle Now) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->tick(Now);
}
Cycle ComposedScheme::nextWork(Cycle Now) const {
  return std::min(part(0).nextWork(Now), part(1).nextWork(Now));
}
void ComposedScheme::resident(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->resident(W);
}
void ComposedScheme::activated(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->activated(W);
}
void ComposedScheme::parked(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->parked(W);
}
void ComposedScheme::exited(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->exited(W);
}
void ComposedScheme::finished(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->finished(W);
}
void ComposedScheme::divergentPop(const WarpRef &W) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->divergentPop(W);
}
void ComposedScheme::steppedOver(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned P = 0; P != NumParts; ++P)
    part(P).steppedOver(W, Seen(P, Info));
}

void ComposedScheme::issued(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned P = 0; P != NumParts; ++P) {
    Seen I(P, Info);
    if (part(P).beginsToHold(W, I))
      part(1 - P).begunToHold(W);
    bool GivesRowsBack = part(P).givesRowsBack(W, I);
    part(P).issued(W, I);
    if (GivesRowsBack)
      part(1 - P).gaveRowsBack(W);
  }
}

void ComposedScheme::started(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned P = 0; P != NumParts; ++P)
    part(P).started(W, Seen(P, Info));
}
void ComposedScheme::collected(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned P = 0; P != NumParts; ++P)
    part(P).collected(W, Seen(P, Info));
}
void ComposedScheme::landed(const WarpRef &W, const IssueInfo &Info) {
  for (unsigned P = 0; P != NumParts; ++P)
    part(P).landed(W, Seen(P, Info));
}
void ComposedScheme::freed(const WarpRef &W, unsigned Row, bool OnItsWay) {
  for (const HooksOfPart &P : Parts)
    P.Hooks->freed(W, Row, OnItsWay);
}

Cycle ComposedScheme::comparisonPeriod() const {
  return std::max(part(0).comparisonPeriod(), part(1).comparisonPeriod());
}
void ComposedScheme::compareStalls(uint64_t Stalls, uint64_t OfFirst) {
  for (const HooksOfPart &P : Parts)
    if (P.Hooks->comparisonPeriod())
      P.Hooks->compareStalls(Stalls, OfFirst);
}

//===----------------------------------------------------------------------===//
// What happened
//===----------------------------------------------------------------------===//

PoolStats ComposedScheme::stats() const {
  PoolStats S = part(PoolPart).stats();
  S.StorageBits += part(1 - PoolPart).stats().StorageBits;
  return S;
}

RegisterCacheStats ComposedScheme::cacheStats() const {
  return operands().cacheStats();
}
OperandCacheStats ComposedScheme::operandCacheStats() const {
  return operands().operandCacheStats();
}

/// Of two pools the second is counted here.
std::vector<SchemeCounter> ComposedScheme::counters() const {
  std::vector<SchemeCounter> All = part(0).counters();
  std::ranges::copy(part(1).counters(), std::back_inserter(All));
  const PoolStats Other = part(1 - PoolPart).stats();
  if (Other.isEmpty())
    return All;
  All.push_back({"second_capacity", "units of the second part's pool",
                 Other.Capacity, SchemeCounter::Most});
  All.push_back({"second_peak_in_use", "of them in use at the same time",
                 Other.PeakInUse, SchemeCounter::Most});
  All.push_back(
      {"second_attempts", "times warps asked for one", Other.Attempts});
  All.push_back({"second_successes", "times they got one", Other.Successes});
  All.push_back({"second_returned", "were given back", Other.Returned});
  All.push_back({"second_held_instructions",
                 "instructions issued while holding one",
                 Other.HeldInstructions});
  return All;
}

bool ComposedScheme::codeManagesCache() const {
  return part(0).codeManagesCache() || part(1).codeManagesCache();
}

const std::string &ComposedScheme::violation() const {
  const std::string &First = part(0).violation();
  return First.empty() ? part(1).violation() : First;
}

} // namespace regshare::sim
