//===- L1Cache.cpp - The L1 and its requests ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L1Cache.h"

#include <bit>

namespace regshare::sim {

L1Cache::L1Cache(const MemoryConfig &Config, unsigned SM, LoadStoreStats &Stats)
    : Config(Config), SM(uint16_t(SM)), Stats(Stats),
      Tags(Config.L1.Sets, Config.L1.Ways, Config.L1.Index),
      Mshrs(Config.L1.Mshrs, Config.L1.Merges) {}

L1Cache::Outcome L1Cache::access(const MemoryAccess &Access,
                                 const Transaction &T, uint32_t Who,
                                 Cycle Now) {
  switch (Access.Op) {
  case MemoryOp::Load:
    return Access.Bypass ? bypass(T, Who, Now) : load(T, Who, Now);
  case MemoryOp::Store:
    return Access.Where == Space::Local ? storeLocal(T, Now)
                                        : storeGlobal(T, Now);
  case MemoryOp::Reduce:
    return reduce(T, Now);
  case MemoryOp::Atomic:
    return atomic(T, Who, Now);
  }
  return {};
}

L1Cache::Outcome L1Cache::load(const Transaction &T, uint32_t Who, Cycle Now) {
  CacheLine *Line = Tags.find(T.Line);
  uint8_t Missing = Line ? T.Sectors & ~Line->Valid : T.Sectors;
  Cycle Ready = Now + Config.L1.HitLatency;
  if (!Missing) {
    ++Stats.LoadHits;
    if (Line)
      Tags.use(*Line);
    return {MemoryStall::None, 0, Ready};
  }
  uint8_t Coming = Line ? Missing & Line->Pending : 0;
  uint8_t Fetch = toFetch(Missing & ~Coming);
  if (Line)
    Fetch &= ~(Line->Valid | Line->Pending);
  if ((Coming && !canMerge(*Line, Coming)) || (Fetch && Mshrs.isFull()))
    return {MemoryStall::Mshr, 0, 0};
  if (!Line) {
    MemoryStall Why = MemoryStall::None;
    Line = takeLine(T.Line, Now, Why);
    if (!Line)
      return {Why, 0, 0};
  }
  Tags.use(*Line);
  unsigned Waits = Coming ? merge(*Line, Coming, Who) : 0;
  if (Fetch) {
    int32_t Id = Mshrs.allocate(*Line, Tags.indexOf(*Line), Fetch);
    Mshrs.wait(Id, Who);
    ++Waits;
    send(MemoryOp::Load, {T.Line, Fetch, 0, 0}, uint32_t(Id), Now);
    ++Stats.LoadMisses;
  } else {
    ++Stats.LoadMerges;
  }
  return {MemoryStall::None, Waits, Ready};
}

L1Cache::Outcome L1Cache::bypass(const Transaction &T, uint32_t Who,
                                 Cycle Now) {
  if (Mshrs.isFull())
    return {MemoryStall::Mshr, 0, 0};
  int32_t Id = Mshrs.allocate();
  Mshrs.wait(Id, Who);
  send(MemoryOp::Load, {T.Line, T.Sectors, 0, 0}, uint32_t(Id), Now);
  ++Stats.LoadBypasses;
  return {MemoryStall::None, 1, Now};
}

L1Cache::Outcome L1Cache::atomic(const Transaction &T, uint32_t Who,
                                 Cycle Now) {
  if (Mshrs.isFull())
    return {MemoryStall::Mshr, 0, 0};
  giveUp(T.Line);
  int32_t Id = Mshrs.allocate();
  Mshrs.wait(Id, Who);
  send(MemoryOp::Atomic, T, uint32_t(Id), Now);
  ++Stats.Atomics;
  return {MemoryStall::None, 1, Now};
}

L1Cache::Outcome L1Cache::reduce(const Transaction &T, Cycle Now) {
  if (!hasCredit())
    return {MemoryStall::StoreCredits, 0, 0};
  giveUp(T.Line);
  sendStore(MemoryOp::Reduce, T, Now);
  ++Stats.Atomics;
  return {MemoryStall::None, 0, Now + Config.L1.MissLatency};
}

L1Cache::Outcome L1Cache::storeGlobal(const Transaction &T, Cycle Now) {
  if (!hasCredit())
    return {MemoryStall::StoreCredits, 0, 0};
  CacheLine *Line = Tags.find(T.Line);
  ++(Line ? Stats.StoreHits : Stats.StoreMisses);
  if (Line && Config.L1.Stores == GlobalStores::WriteEvict)
    giveUp(T.Line);
  sendStore(MemoryOp::Store, T, Now);
  return {MemoryStall::None, 0, Now + Config.L1.MissLatency};
}

L1Cache::Outcome L1Cache::storeLocal(const Transaction &T, Cycle Now) {
  bool GoesThrough = Config.L1.Spills == LocalStores::WriteThrough;
  if (GoesThrough && !hasCredit())
    return {MemoryStall::StoreCredits, 0, 0};
  CacheLine *Line = Tags.find(T.Line);
  // A line is taken only for what needs no fetch.
  if (!Line && T.Partial) {
    if (!hasCredit())
      return {MemoryStall::StoreCredits, 0, 0};
    sendStore(MemoryOp::Store, T, Now);
    ++Stats.StoreMisses;
    return {MemoryStall::None, 0, Now + Config.L1.MissLatency};
  }
  ++(Line ? Stats.StoreHits : Stats.StoreMisses);
  if (!Line) {
    MemoryStall Why = MemoryStall::None;
    Line = takeLine(T.Line, Now, Why);
    if (!Line) {
      --Stats.StoreMisses;
      return {Why, 0, 0};
    }
  }
  Tags.use(*Line);
  uint8_t Settled = T.Sectors & ~Line->Pending;
  Line->Valid |= Settled & ~T.Partial;
  Line->Partial = (Line->Partial | (Settled & T.Partial)) & ~Line->Valid;
  if (GoesThrough)
    sendStore(MemoryOp::Store, T, Now);
  else
    Line->Dirty |= T.Sectors;
  return {MemoryStall::None, 0, Now + Config.L1.HitLatency};
}

uint8_t L1Cache::toFetch(uint8_t Sectors) const {
  unsigned Together = Config.L1.FetchSectors;
  uint8_t Group = uint8_t((1u << Together) - 1), Fetch = 0;
  for (unsigned From = 0; From != SectorsPerLine; From += Together)
    if (Sectors & (Group << From))
      Fetch |= uint8_t(Group << From);
  return Fetch;
}

bool L1Cache::canMerge(const CacheLine &Line, uint8_t Sectors) {
  for (int32_t Id = Line.FirstMshr; Id >= 0; Id = Mshrs[Id].Next)
    if ((Mshrs[Id].Sectors & Sectors) && !Mshrs.hasRoom(Id))
      return false;
  return true;
}

unsigned L1Cache::merge(const CacheLine &Line, uint8_t Sectors, uint32_t Who) {
  unsigned Waits = 0;
  for (int32_t Id = Line.FirstMshr; Id >= 0; Id = Mshrs[Id].Next)
    if (Mshrs[Id].Sectors & Sectors) {
      Mshrs.wait(Id, Who);
      ++Waits;
    }
  return Waits;
}

CacheLine *L1Cache::takeLine(uint64_t Number, Cycle Now, MemoryStall &Why) {
  CacheLine *Line = Tags.victim(Number);
  if (!Line) {
    Why = MemoryStall::Reservation;
    return nullptr;
  }
  if (Line->Dirty && !hasCredit()) {
    Why = MemoryStall::StoreCredits;
    return nullptr;
  }
  Stats.Evictions += Tags.numberOf(*Line) != TagArray::None;
  if (Line->Dirty) {
    ++Stats.WriteBacks;
    sendStore(MemoryOp::Store,
              {Tags.numberOf(*Line), Line->Dirty,
               uint8_t(Line->Partial & Line->Dirty), 0},
              Now);
  }
  Tags.replace(*Line, Number);
  return Line;
}

void L1Cache::giveUp(uint64_t Number) {
  CacheLine *Line = Tags.find(Number);
  if (!Line)
    return;
  ++Stats.Evictions;
  if (Line->Pending) {
    Line->Doomed = true;
    Line->Valid = 0;
  } else {
    Tags.drop(*Line);
  }
}

void L1Cache::sendStore(MemoryOp Op, const Transaction &T, Cycle Now) {
  ++StoresUnderWay;
  send(Op, T, StoreId, Now);
}

void L1Cache::send(MemoryOp Op, const Transaction &T, uint32_t Id, Cycle Now) {
  MemoryRequest R;
  R.When = Now + Config.L1.MissLatency;
  R.Address = T.Line * LineBytes +
              unsigned(std::countr_zero(unsigned(T.Sectors))) * SectorBytes;
  R.Id = Id;
  R.SM = SM;
  R.Bytes = uint16_t(std::popcount(unsigned(T.Sectors)) * SectorBytes);
  R.Op = Op;
  R.Sectors = T.Sectors;
  R.Partial = T.Partial;
  R.Halves = T.Halves;
  (Op == MemoryOp::Load ? Stats.BytesRequested : Stats.BytesWritten) += R.Bytes;
  Outgoing.push(R);
}

void L1Cache::fill(int32_t Id) {
  if (Mshrs[Id].Line != MshrTable::NoLine) {
    CacheLine &Line = Tags[Mshrs[Id].Line];
    Mshrs.unlink(Id, Line);
    if (!Line.Doomed)
      Line.Valid |= Mshrs[Id].Sectors;
    Line.Partial &= ~Mshrs[Id].Sectors;
    if (Line.Doomed && !Line.Pending)
      Tags.drop(Line);
  }
  Mshrs.release(Id);
}

} // namespace regshare::sim
