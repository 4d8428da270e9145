//===- RFVScheme.cpp - Rows that registers get when written ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RFVScheme.h"

#include "regshare/Base/RFV/RFV.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace regshare::sim {

/// CTAs that can have all the registers they may claim at the same time, if
/// warps are spread evenly.
static unsigned ctasWithAllRows(const DeviceDescription &D,
                                const KernelResources &K) {
  unsigned Warps = (K.ThreadsPerCTA + D.WarpSize - 1) / D.WarpSize;
  unsigned InPartition = partitionRows(D) / std::max(1u, K.RegsPerThread);
  return InPartition * D.RegisterPartitions / Warps;
}

RFVScheme::RFVScheme(const SchemeContext &C)
    : SchemeHooks(C), NumPartitions(C.Device.RegisterPartitions),
      RowsOfPartition(partitionRows(C.Device)),
      Regs(C.Needs.Resources.RegsPerThread), Tables(C.Device.MaxWarps),
      Partitions(NumPartitions),
      Throttles(C.Values.get<bool>(settings::ThrottleCtas)),
      MostCtas(C.Resident.Limits.CTAs) {
  assert(Regs <= MaxRegs && "a thread names no more");
  ClaimsFit = std::min(MostCtas, ctasWithAllRows(C.Device, C.Needs.Resources));
  Limit = Throttles ? ClaimsFit : MostCtas;
  for (Table &T : Tables)
    T.RowOf.fill(NoRow);
  for (Partition &P : Partitions) {
    P.NumFree = RowsOfPartition;
    P.Free.assign((RowsOfPartition + 63) / 64, ~uint64_t(0));
    if (RowsOfPartition % 64)
      P.Free.back() = (uint64_t(1) << RowsOfPartition % 64) - 1;
  }
  RowsOfBank.assign(Banks, std::vector<uint64_t>(Partitions[0].Free.size()));
  for (unsigned Row = 0; Row != RowsOfPartition; ++Row)
    RowsOfBank[Row % Banks][Row / 64] |= uint64_t(1) << Row % 64;
  Stats.Unit = "row";
  Stats.Capacity = RowsOfPartition * NumPartitions;
  Stats.RowsOfUnit = 1;
  Stats.StorageBits = rfvStorage(C.Device).total();
}

std::optional<unsigned> RFVScheme::slotFor(uint64_t Free, uint64_t Mine,
                                           unsigned CtaSlot,
                                           unsigned Index) const {
  return evenSlot(Free, ~Free, Mine, NumPartitions, ~0u,
                  RotatingSchedulers ? CtaSlot + Index : 0);
}

RFVScheme::Cta &RFVScheme::ctaOf(const WarpRef &W) {
  return *std::ranges::find(Ctas, W.CtaSlot, &Cta::Slot);
}

void RFVScheme::resident(const WarpRef &W) {
  if (W.Index == 0)
    Ctas.push_back({W.CtaSlot, 0, std::vector<Claim>(NumPartitions)});
  Cta &C = ctaOf(W);
  ++C.Warps;
  Claim &Here = C.Claims[partitionOf(W)];
  ++Here.Warps;
  if (Here.Warps * Regs > RowsOfPartition)
    violate("the register file overflows: " + std::to_string(Here.Warps) +
            " warps of a CTA may claim " + std::to_string(Here.Warps * Regs) +
            " rows of a partition of " + std::to_string(RowsOfPartition));
}

/// The banker's rule in the order of age. Older CTAs have to be able to claim
/// all they may out of what is free and what those before them give back; for
/// the warp's own CTA and younger ones nothing changes.
bool RFVScheme::isSafe(const WarpRef &W, unsigned New) const {
  unsigned P = partitionOf(W);
  if (Partitions[P].NumFree < New)
    return false;
  unsigned Available = Partitions[P].NumFree - New;
  for (const Cta &C : Ctas) {
    if (C.Slot == W.CtaSlot)
      return true;
    const Claim &Older = C.Claims[P];
    if (Older.Warps * Regs - Older.Rows > Available)
      return false;
    Available += Older.Rows;
  }
  return true;
}

uint64_t RFVScheme::wakeThoseWhoFit(uint64_t InPartitions) {
  uint64_t Woken = 0;
  for (uint64_t Rest = Waiting; Rest; Rest &= Rest - 1) {
    unsigned Slot = std::countr_zero(Rest);
    const Request &R = Wanted[Slot];
    if (InPartitions >> partitionOf(R.W) & 1 && isSafe(R.W, R.Rows))
      Woken |= uint64_t(1) << Slot;
  }
  Waiting &= ~Woken;
  return Woken;
}

/// The first free row of the bank, or of all where the bank has none: so the
/// operands of an instruction meet in banks as seldom as under Baseline.
unsigned RFVScheme::takeRow(Partition &P, unsigned Bank) {
  --P.NumFree;
  auto Take = [&](size_t Word, uint64_t Among) {
    unsigned Bit = unsigned(std::countr_zero(P.Free[Word] & Among));
    P.Free[Word] &= ~(uint64_t(1) << Bit);
    return unsigned(64 * Word) + Bit;
  };
  for (size_t Word = 0; Word != P.Free.size(); ++Word)
    if (P.Free[Word] & RowsOfBank[Bank][Word])
      return Take(Word, RowsOfBank[Bank][Word]);
  size_t Word = 0;
  while (!P.Free[Word])
    ++Word;
  return Take(Word, ~uint64_t(0));
}

void RFVScheme::take(const WarpRef &W, const IssueInfo &Info) {
  Table &T = Tables[W.Slot];
  Partition &P = Partitions[partitionOf(W)];
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    if (Writes[K] >= Regs || T.RowOf[Writes[K]] != NoRow)
      continue;
    assert(P.NumFree && "the gate has counted");
    unsigned Bank = SchemeHooks::read(W, Writes[K]).Bank;
    T.RowOf[Writes[K]] = uint16_t(takeRow(P, Bank));
    ++T.Rows;
    Cta &C = ctaOf(W);
    ++C.Claims[partitionOf(W)].Rows;
    ++C.Used.Rows;
    ++Stats.Taken;
  }
  Usage &Used = ctaOf(W).Used;
  Used.Sum += Used.Rows;
  ++Used.Samples;
  Used.Peak = std::max(Used.Peak, Used.Rows);
  ++Stats.Successes;
  Stats.PeakInUse = std::max(Stats.PeakInUse, inUse());
}

void RFVScheme::giveBack(const WarpRef &W, unsigned Row) {
  Table &T = Tables[W.Slot];
  Partition &P = Partitions[partitionOf(W)];
  unsigned Physical = std::exchange(T.RowOf[Row], NoRow);
  uint64_t Bit = uint64_t(1) << Physical % 64;
  if (P.Free[Physical / 64] & Bit)
    violate("physical row " + std::to_string(Physical) + " has two owners: R" +
            std::to_string(Row) + " gives it back, and it is free");
  P.Free[Physical / 64] |= Bit;
  ++P.NumFree;
  --T.Rows;
  Cta &C = ctaOf(W);
  --C.Claims[partitionOf(W)].Rows;
  --C.Used.Rows;
  ++Stats.Returned;
  Dirty |= uint64_t(1) << partitionOf(W);
}

void RFVScheme::freed(const WarpRef &W, unsigned Row, bool OnItsWay) {
  if (Row >= Regs || Tables[W.Slot].RowOf[Row] == NoRow)
    return;
  if (OnItsWay)
    Tables[W.Slot].Dying.set(Row);
  else
    giveBack(W, Row);
}

void RFVScheme::bury(const WarpRef &W, const IssueInfo &Info) {
  const uint32_t *Writes = Info.Accesses + Info.NumReads;
  for (unsigned K = 0; K != Info.NumWrites; ++K) {
    if (Writes[K] >= Regs || !Tables[W.Slot].Dying.test(Writes[K]))
      continue;
    Tables[W.Slot].Dying.reset(Writes[K]);
    giveBack(W, Writes[K]);
  }
}

void RFVScheme::finished(const WarpRef &W) {
  Table &T = Tables[W.Slot];
  for (unsigned Row = 0; T.Rows; ++Row)
    if (T.RowOf[Row] != NoRow)
      giveBack(W, Row);
  T.Dying.reset();
  Cta &C = ctaOf(W);
  --C.Claims[partitionOf(W)].Warps;
  if (!--C.Warps) {
    learnFrom(C);
    Ctas.erase(Ctas.begin() + (&C - Ctas.data()));
  }
  // What the warp could have claimed is for others now.
  Dirty |= uint64_t(1) << partitionOf(W);
}

void RFVScheme::Usage::add(const Usage &Other) {
  Sum += Other.Sum;
  Samples += Other.Samples;
  Peak = std::max(Peak, Other.Peak);
}

/// A CTA is taken to need as many rows as lie halfway between what CTAs have on
/// average and at most. With the average alone they get into each other's way,
/// and those that wait keep what they have; with the most, there is little to
/// gain.
void RFVScheme::learnFrom(const Cta &C) {
  Ended.add(C.Used);
  uint64_t TwiceNeeded = Ended.Sum + Ended.Peak * Ended.Samples;
  if (!Throttles || !TwiceNeeded)
    return;
  uint64_t Fit = 2 * uint64_t(Stats.Capacity) * Ended.Samples / TwiceNeeded;
  Limit = unsigned(std::clamp<uint64_t>(Fit, ClaimsFit, MostCtas));
}

HeldBackBy RFVScheme::heldBackBy(const WarpRef &W) const {
  HeldBackBy By{"a free row", 0};
  for (unsigned Slot = partitionOf(W); Slot < Tables.size();
       Slot += NumPartitions)
    if (Slot != W.Slot && Tables[Slot].Rows)
      By.Holders |= uint64_t(1) << Slot;
  return By;
}

unsigned RFVScheme::inUse() const {
  unsigned Rows = 0;
  for (const Partition &P : Partitions)
    Rows += RowsOfPartition - P.NumFree;
  return Rows;
}

std::optional<unsigned> RFVScheme::rowOf(const WarpRef &W, unsigned Row) const {
  if (Row >= Regs || Tables[W.Slot].RowOf[Row] == NoRow)
    return std::nullopt;
  return Tables[W.Slot].RowOf[Row];
}

} // namespace regshare::sim
