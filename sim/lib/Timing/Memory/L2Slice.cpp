//===- L2Slice.cpp - A slice of the L2 ------------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2Slice.h"

#include <algorithm>
#include <bit>

namespace regshare::sim {

L2Slice::L2Slice(const MemoryConfig &Config, const AddressMap &Map,
                 unsigned Number, PacketPool &Packets, MemoryStats &Stats)
    : Config(Config), Map(Map), Number(Number), Packets(Packets), Stats(Stats),
      SectorsPerBurst(Config.Dram.BurstBytes / SectorBytes),
      Tags(Config.L2.Sets, Config.L2.Ways, Config.L2.Index, Config.L2.Policy),
      Mshrs(Config.L2.Mshrs, Config.L2.Merges),
      Written(Config.L2.WrittenUnit ? size_t(Config.L2.Sets) * Config.L2.Ways
                                    : 0) {}

void L2Slice::tick(Cycle Now) {
  for (; !Deliveries.empty() && Deliveries.front().When <= Now;
       Deliveries.pop())
    land(Deliveries.front().Id, Now);
  if (Input.empty() || Input.front().When > Now || PortFree > Now)
    return;
  if (!serve(Input.front().Id, Now)) {
    StalledSince = std::min(StalledSince, Now);
    return;
  }
  Input.pop();
  if (StalledSince != Never)
    Stats.L2StallCycles += Now - StalledSince;
  StalledSince = Never;
}

Cycle L2Slice::nextTick(Cycle Now) const {
  Cycle Next = Deliveries.empty() ? Never : Deliveries.front().When;
  if (!Input.empty() && StalledSince == Never)
    Next = std::min(Next, std::max(Input.front().When, PortFree));
  return Next == Never ? Never : std::max(Next, Now + 1);
}

Cycle L2Slice::replyReady() const {
  Cycle Hit = Hits.empty() ? Never : Hits.front().When;
  Cycle Fill = Fills.empty() ? Never : Fills.front().When;
  return std::min(Hit, Fill);
}

uint32_t L2Slice::takeReply() {
  bool FromHits = Fills.empty() ||
                  (!Hits.empty() && Hits.front().When <= Fills.front().When);
  RingQueue<Due> &From = FromHits ? Hits : Fills;
  uint32_t Id = From.front().Id;
  From.pop();
  return Id;
}

/// The data of a fetch have come: those that waited for it go on.
void L2Slice::land(uint32_t Fetch, Cycle Now) {
  int32_t Id = int32_t(Fetch);
  CacheLine &Line = Tags[Mshrs[Id].Line];
  Mshrs.unlink(Id, Line);
  Line.Valid |= Mshrs[Id].Sectors;
  Line.Partial &= ~Mshrs[Id].Sectors;
  Cycle Ready = Fills.empty() ? Now : std::max(Now, Fills.back().When);
  for (uint32_t Who : Mshrs.waiting(Id)) {
    if (--Packets[Who].Waits)
      continue;
    if (Packets[Who].isAtomic()) {
      unsigned Cycles = atomicCycles(Packets[Who]);
      Ready += Cycles;
      PortFree = std::max(PortFree, Now) + Cycles;
    }
    Fills.push({Ready, Who});
  }
  Mshrs.release(Id);
}

bool L2Slice::serve(uint32_t Id, Cycle Now) {
  return Packets[Id].Op == MemoryOp::Store ? serveStore(Id, Now)
                                           : serveRead(Id, Now);
}

L2Slice::Need L2Slice::needOf(const Packet &P) {
  Need N;
  N.Line = Tags.find(P.Line);
  uint8_t Missing = N.Line ? P.Sectors & ~N.Line->Valid : P.Sectors;
  if (N.Line)
    N.Coming = Missing & N.Line->Pending;
  N.Fetch = together(Missing & ~N.Coming,
                     std::max(SectorsPerBurst, Config.L2.FetchSectors));
  if (N.Line)
    N.Fetch &= ~(N.Line->Valid | N.Line->Pending);
  return N;
}

bool L2Slice::serveRead(uint32_t Id, Cycle Now) {
  Packet &P = Packets[Id];
  if (P.isAtomic() && !limitDirty(P.Line, Now))
    return false;
  Need N = needOf(P);
  bool Hit = !N.Coming && !N.Fetch;
  if (!Hit) {
    if ((N.Coming && !canWait(N, N.Coming)) || (N.Fetch && Mshrs.isFull()))
      return false;
    if (!N.Line)
      N.Line = takeLine(P.Line, 1, Now);
    else if (N.Fetch && !hasRoom(1))
      return false;
    if (!N.Line)
      return false;
    startFetch(N, Id, Now);
    ++(N.Fetch ? Stats.L2Misses : Stats.L2Merges);
    PortFree = Now + portCycles(P.bytesToSlice());
  } else {
    ++Stats.L2Hits;
    Hits.push({Now + Config.L2.HitLatency, Id});
    PortFree = Now + (P.isAtomic() ? atomicCycles(P) : portCycles(P.Bytes));
  }
  Tags.use(*N.Line);
  if (P.isAtomic()) {
    N.Line->Dirty |= P.Sectors;
    ++Stats.L2Atomics;
  }
  return true;
}

bool L2Slice::serveStore(uint32_t Id, Cycle Now) {
  const Packet &P = Packets[Id];
  if (!limitDirty(P.Line, Now))
    return false;
  CacheLine *Line = Tags.find(P.Line);
  ++(Line ? Stats.L2StoreHits : Stats.L2StoreMisses);
  if (!Line)
    Line = takeLine(P.Line, 0, Now);
  if (!Line) {
    --Stats.L2StoreMisses;
    return false;
  }
  Tags.use(*Line);
  uint8_t Settled = P.Sectors & ~Line->Pending;
  Line->Valid |= Settled & ~P.Partial;
  Line->Partial = (Line->Partial | (Settled & P.Partial)) & ~Line->Valid;
  if (Line->Partial && !Written.empty())
    completeSectors(*Line, P);
  Line->Dirty |= P.Sectors;
  Hits.push({Now + Config.L2.HitLatency, Id});
  PortFree = Now + portCycles(P.Bytes);
  return true;
}

/// What was partial is valid if stores have written all of it by now.
void L2Slice::completeSectors(CacheLine &Line, const Packet &P) {
  constexpr unsigned HalvesOfSector = SectorBytes / 2;
  uint64_t &All = Written[Tags.indexOf(Line)];
  All |= P.Halves;
  for (unsigned S = 0; S != SectorsPerLine; ++S)
    if (uint8_t Bit = uint8_t(1u << S);
        (Line.Partial & Bit) &&
        uint16_t(All >> (S * HalvesOfSector)) == UINT16_MAX) {
      Line.Partial &= uint8_t(~Bit);
      Line.Valid |= Bit;
    }
}

bool L2Slice::canWait(const Need &N, uint8_t Missing) {
  for (int32_t Id = N.Line->FirstMshr; Id >= 0; Id = Mshrs[Id].Next)
    if ((Mshrs[Id].Sectors & Missing) && !Mshrs.hasRoom(Id))
      return false;
  return true;
}

/// Before the line \p Number gets dirty: writes back the set's oldest dirty one
/// where it has as many as it may. False if there is no room for that now.
bool L2Slice::limitDirty(uint64_t Number, Cycle Now) {
  if (!Config.L2.DirtyWays)
    return true;
  const CacheLine *Line = Tags.find(Number);
  if (Line && Line->Dirty)
    return true;
  CacheLine *Oldest = Tags.oldestDirty(Number, Config.L2.DirtyWays);
  if (!Oldest)
    return true;
  if (!hasRoom(1))
    return false;
  ++Stats.L2WriteBacks;
  askDram(Tags.numberOf(*Oldest), Oldest->Dirty, true, 0, Now);
  Oldest->Dirty = 0;
  return true;
}

/// A line for \p Number, with room to write back what was there and for
/// \p MoreMisses accesses; null if there is none now.
CacheLine *L2Slice::takeLine(uint64_t Number, unsigned MoreMisses, Cycle Now) {
  CacheLine *Line = Tags.victim(Number);
  if (!Line || !hasRoom(MoreMisses + (Line->Dirty != 0)))
    return nullptr;
  if (Line->Dirty) {
    ++Stats.L2WriteBacks;
    askDram(Tags.numberOf(*Line), Line->Dirty, true, 0, Now);
  }
  Tags.replace(*Line, Number);
  if (!Written.empty())
    Written[Tags.indexOf(*Line)] = 0;
  return Line;
}

void L2Slice::startFetch(const Need &N, uint32_t Id, Cycle Now) {
  Packet &P = Packets[Id];
  P.Waits = 0;
  for (int32_t M = N.Line->FirstMshr; M >= 0; M = Mshrs[M].Next)
    if (Mshrs[M].Sectors & N.Coming) {
      Mshrs.wait(M, Id);
      ++P.Waits;
    }
  if (!N.Fetch)
    return;
  int32_t M = Mshrs.allocate(*N.Line, Tags.indexOf(*N.Line), N.Fetch);
  Mshrs.wait(M, Id);
  ++P.Waits;
  askDram(P.Line, N.Fetch, false, uint32_t(M), Now);
}

void L2Slice::askDram(uint64_t Line, uint8_t Sectors, bool IsWrite,
                      uint32_t Fetch, Cycle Now) {
  AddressMap::RowOfBank Where = Map.row(Number, Line);
  DramAccess Access;
  Access.Row = Where.Row;
  Access.Fetch = Fetch;
  Access.Slice = uint16_t(Number % Config.L2.SlicesPerChannel);
  Access.Bank = uint8_t(Where.Bank);
  unsigned PerBurst = IsWrite && Config.Dram.WriteBurstBytes
                          ? Config.Dram.WriteBurstBytes / SectorBytes
                          : SectorsPerBurst;
  Access.Bursts =
      uint8_t(std::popcount(unsigned(together(Sectors, PerBurst))) / PerBurst);
  Access.IsWrite = IsWrite;
  Misses.push({Now + Config.Dram.QueueLatency, Access});
}

/// \p Sectors, in whole aligned groups of \p Count.
uint8_t L2Slice::together(uint8_t Sectors, unsigned Count) {
  if (Count >= 2)
    Sectors |= uint8_t((Sectors & 0x5) << 1 | (Sectors & 0xa) >> 1);
  if (Count == 4 && Sectors)
    Sectors = 0xf;
  return Sectors;
}

unsigned L2Slice::atomicCycles(const Packet &P) const {
  unsigned Further = std::max(1, std::popcount(P.Sectors)) - 1;
  return Config.L2.AtomicCycles + Further * Config.L2.AtomicSectorCycles;
}

unsigned L2Slice::portCycles(unsigned Bytes) const {
  return std::max(1u, (Bytes + Config.L2.PortBytes - 1) / Config.L2.PortBytes);
}

} // namespace regshare::sim
