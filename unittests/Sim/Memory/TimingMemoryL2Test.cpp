//===- TimingMemoryL2Test.cpp - The interconnect and the L2 ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/TagArray.h"
#include "TimingMemory.h"

#include <list>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

/// A memory system that the test sends requests to.
class MemoryUnderTest {
public:
  explicit MemoryUnderTest(const MemoryConfig &C = smallMemory(),
                           unsigned NumSMs = 4)
      : Memory(C, NumSMs) {}

  MemorySystem Memory;
  Cycle Now = 0;
  std::map<uint32_t, Cycle> Arrived; ///< By the request's Id.

  void send(std::vector<MemoryRequest> Requests, Cycle Until) {
    std::vector<MemoryReply> Replies;
    Memory.advance(Requests, Until, Replies);
    Now = Until;
    for (const MemoryReply &R : Replies)
      EXPECT_TRUE(Arrived.emplace(R.Id, R.When).second)
          << "request " << R.Id << " has two replies";
  }
  void finish() {
    while (!Memory.isIdle())
      send({}, Now + 16);
  }
  /// Cycles from a request to its reply, nothing else being under way.
  Cycle roundTrip(uint64_t Address, MemoryOp Op = MemoryOp::Load) {
    Cycle Begin = Now;
    uint32_t Id = 1u << 30 | Next++;
    send({lineRequest(Begin, Address, Op, 0, Id)}, Now + 1);
    finish();
    Now = std::max(Now, Arrived[Id]);
    return Arrived[Id] - Begin;
  }

private:
  uint32_t Next = 0;
};

/// The parts of a round trip.
struct Times {
  MemoryConfig C = smallMemory();
  Cycle toTags(unsigned Bytes = 0) const {
    return C.Icnt.Latency + C.flits(Bytes) + C.L2.RopDelay;
  }
  Cycle back(unsigned Bytes) const { return C.flits(Bytes) + C.Icnt.Latency; }
  Cycle hit() const { return toTags() + C.L2.HitLatency + back(LineBytes); }
  /// With what the DRAM takes from command to the last data.
  Cycle miss(Cycle Dram) const {
    // The channel sees an access in the cycle after it has come.
    return toTags() + C.Dram.QueueLatency + 1 + Dram + C.L2.FillLatency +
           back(LineBytes);
  }
  Cycle rowHit() const {
    return C.Dram.CL + (LineBytes / C.Dram.BurstBytes) * C.Dram.BurstCycles;
  }
};

/// The line \p N of set 0 of the only slice's L2.
uint64_t lineOfSet0(unsigned N) { return uint64_t(N) * 4 * LineBytes; }

TEST(L2, RoundTripsAreTheSumsOfTheirParts) {
  Times T;
  MemoryUnderTest M;
  EXPECT_EQ(M.roundTrip(0), T.miss(T.C.Dram.RCD + T.rowHit()));
  EXPECT_EQ(M.roundTrip(0), T.hit());
  EXPECT_EQ(M.roundTrip(128), T.miss(T.rowHit()));
  uint64_t NextRow = T.C.Dram.RowBytes * T.C.Dram.Banks;
  EXPECT_EQ(M.roundTrip(NextRow),
            T.miss(T.C.Dram.RP + T.C.Dram.RCD + T.rowHit()));
  EXPECT_EQ(M.Memory.stats().L2Hits, 1u);
  EXPECT_EQ(M.Memory.stats().L2Misses, 3u);
  EXPECT_EQ(M.Memory.stats().DramReads, 6u);
}

TEST(L2, ARequestIsNotAnsweredACycleEarlier) {
  Times T;
  MemoryUnderTest M;
  M.roundTrip(0);
  Cycle Begin = M.Now;
  // The reply is known when it leaves the slice, and not before.
  Cycle Leaves = Begin + T.toTags() + T.C.L2.HitLatency - T.C.Icnt.Latency;
  M.send({lineRequest(Begin, 0, MemoryOp::Load, 0, 7)}, Leaves);
  EXPECT_FALSE(M.Arrived.count(7));
  M.send({}, Leaves + 1);
  EXPECT_EQ(M.Arrived.at(7), Begin + T.hit());
}

TEST(L2, MinimumRoundTripIsALowerBound) {
  Times T;
  MemoryUnderTest M;
  Cycle Least = MemorySystem::minimumRoundTrip(T.C);
  M.roundTrip(0);
  EXPECT_GE(M.roundTrip(0, MemoryOp::Store), Least);
  EXPECT_GE(M.roundTrip(0), Least);
  EXPECT_EQ(Least, 2 * T.C.Icnt.Latency + 1);
}

TEST(L2, StoresAreAcknowledgedByTheL2) {
  Times T;
  MemoryUnderTest M;
  Cycle Expected = T.toTags(LineBytes) + T.C.L2.HitLatency + T.back(0);
  EXPECT_EQ(M.roundTrip(0, MemoryOp::Store), Expected);
  EXPECT_EQ(M.Memory.stats().DramReads, 0u) << "whole sectors need no fetch";
  EXPECT_EQ(M.roundTrip(0), T.hit());
}

TEST(L2, PartsOfSectorsAreCompletedWhenTheyAreRead) {
  MemoryUnderTest M;
  MemoryRequest R = lineRequest(0, 0, MemoryOp::Store);
  R.Sectors = 3;
  R.Partial = 2;
  R.Bytes = 64;
  M.send({R}, 1);
  M.finish();
  EXPECT_EQ(M.Memory.stats().DramReads, 0u);
  R = lineRequest(M.Now, 0, MemoryOp::Load, 0, 1);
  R.Sectors = 1;
  R.Bytes = 32;
  M.send({R}, M.Now + 1);
  M.finish();
  EXPECT_EQ(M.Memory.stats().L2Hits, 1u);
  R = lineRequest(M.Now, 0, MemoryOp::Load, 0, 2);
  R.Sectors = 2;
  R.Bytes = 32;
  M.send({R}, M.Now + 1);
  M.finish();
  EXPECT_EQ(M.Memory.stats().L2Misses, 1u);
  EXPECT_EQ(M.Memory.stats().DramReads, 1u) << "one burst of two sectors";
}

TEST(L2, StoresTogetherWriteAWholeSector) {
  for (unsigned Unit : {0, 2}) {
    MemoryConfig C = smallMemory();
    C.L2.WrittenUnit = Unit;
    MemoryUnderTest M(C);
    for (unsigned Quarter = 0; Quarter != 4; ++Quarter) {
      MemoryRequest R = lineRequest(M.Now, 0, MemoryOp::Store, 0, Quarter);
      R.Sectors = R.Partial = 2;
      R.Bytes = 32;
      R.Halves = uint64_t(0xf) << (16 + 4 * Quarter);
      M.send({R}, M.Now + 1);
      M.finish();
    }
    MemoryRequest R = lineRequest(M.Now, 0, MemoryOp::Load, 0, 4);
    R.Sectors = 2;
    R.Bytes = 32;
    M.send({R}, M.Now + 1);
    M.finish();
    EXPECT_EQ(M.Memory.stats().DramReads, Unit ? 0u : 1u);
  }
}

TEST(L2, DirtyLinesAreWrittenBackWhenTheyAreReplaced) {
  Times T;
  MemoryUnderTest M;
  M.roundTrip(lineOfSet0(0), MemoryOp::Store);
  M.roundTrip(lineOfSet0(1));
  EXPECT_EQ(M.Memory.stats().DramWrites, 0u);
  M.roundTrip(lineOfSet0(2));
  EXPECT_EQ(M.Memory.stats().L2WriteBacks, 1u);
  EXPECT_EQ(M.Memory.stats().DramWrites, 2u);
  M.roundTrip(lineOfSet0(3)); // In place of line 1, which is clean.
  EXPECT_EQ(M.Memory.stats().L2WriteBacks, 1u);
}

TEST(L2, SectorsWithoutAMaskFollowFromTheAddress) {
  MemoryUnderTest M;
  MemoryRequest R = lineRequest(0, 96);
  R.Sectors = 0;
  R.Bytes = 32;
  M.send({R}, 1);
  M.finish();
  EXPECT_EQ(M.Memory.stats().DramReads, 1u);
  EXPECT_EQ(M.Memory.stats().BytesToSMs, 32u);
}

TEST(L2, RequestsForALineUnderWayShareItsFetch) {
  Times T;
  MemoryUnderTest M;
  std::vector<MemoryRequest> All;
  for (unsigned N = 0; N != 3; ++N)
    All.push_back(lineRequest(N, 0, MemoryOp::Load, N, N));
  M.send(All, 3);
  M.finish();
  EXPECT_EQ(M.Memory.stats().DramReads, 2u);
  EXPECT_EQ(M.Memory.stats().L2Merges, uint64_t(T.C.L2.Merges - 1));
  EXPECT_EQ(M.Memory.stats().L2Hits, 1u) << "the third waits, and hits";
  Cycle First = T.miss(T.C.Dram.RCD + T.rowHit());
  EXPECT_EQ(M.Arrived[0], First);
  EXPECT_EQ(M.Arrived[1], First + T.C.flits(LineBytes)) << "one port";
  EXPECT_GT(M.Memory.stats().L2StallCycles, 0u);
}

TEST(L2, FetchesWaitForAnMshr) {
  Times T;
  MemoryUnderTest M;
  std::vector<MemoryRequest> All;
  for (unsigned N = 0; N <= T.C.L2.Mshrs; ++N)
    All.push_back(lineRequest(0, N * LineBytes, MemoryOp::Load, N % 4, N));
  M.send(All, 1);
  M.finish();
  EXPECT_EQ(M.Arrived.size(), size_t(T.C.L2.Mshrs + 1));
  // The last one begins when the first one's data come.
  EXPECT_GT(M.Arrived[T.C.L2.Mshrs],
            M.Arrived[0] + T.C.Dram.QueueLatency + T.rowHit());
}

TEST(L2, AtomicsTakeMoreForEachFurtherSector) {
  auto Apart = [](unsigned SectorCycles, uint8_t Sectors, unsigned Bytes) {
    Times T;
    T.C.L2.AtomicSectorCycles = SectorCycles;
    MemoryUnderTest M(T.C);
    M.roundTrip(0);
    Cycle Begin = M.Now;
    MemoryRequest A = lineRequest(Begin, 0, MemoryOp::Reduce, 0, 1);
    MemoryRequest B = lineRequest(Begin, 0, MemoryOp::Reduce, 1, 2);
    A.Sectors = B.Sectors = Sectors;
    A.Bytes = B.Bytes = Bytes;
    M.send({A, B}, Begin + 1);
    M.finish();
    return M.Arrived[2] - M.Arrived[1];
  };
  unsigned First = Times().C.L2.AtomicCycles;
  EXPECT_EQ(Apart(9, 1, 32), First);
  EXPECT_EQ(Apart(9, 3, 64), First + 9);
  EXPECT_EQ(Apart(9, 15, 128), First + 27);
  EXPECT_EQ(Apart(0, 15, 128), First);
}

TEST(L2, AtomicsNeedTheDataAndOccupyTheSlice) {
  Times T;
  MemoryUnderTest M;
  EXPECT_EQ(M.roundTrip(0, MemoryOp::Atomic),
            T.miss(T.C.Dram.RCD + T.rowHit()) - T.C.flits(0) +
                T.C.flits(LineBytes) + T.C.L2.AtomicCycles);
  // A hit, and one after it.
  Cycle Begin = M.Now;
  MemoryRequest A = lineRequest(Begin, 0, MemoryOp::Reduce, 0, 1);
  MemoryRequest B = lineRequest(Begin, 0, MemoryOp::Reduce, 1, 2);
  A.Sectors = B.Sectors = 1;
  A.Bytes = B.Bytes = 32;
  M.send({A, B}, Begin + 1);
  M.finish();
  EXPECT_EQ(M.Arrived[1], Begin + T.toTags(32) + T.C.L2.HitLatency + T.back(0));
  EXPECT_EQ(M.Arrived[2], M.Arrived[1] + T.C.L2.AtomicCycles);
  EXPECT_EQ(M.Memory.stats().L2Atomics, 3u);
  M.roundTrip(lineOfSet0(1));
  M.roundTrip(lineOfSet0(2));
  EXPECT_EQ(M.Memory.stats().L2WriteBacks, 1u) << "atomics write";
}

TEST(Interconnect, PortsMoveAFlitACycle) {
  Times T;
  MemoryUnderTest M;
  M.roundTrip(0);
  // Two SMs store at once: the slice's port takes one after the other.
  Cycle Begin = M.Now;
  M.send({lineRequest(Begin, 0, MemoryOp::Store, 0, 1),
          lineRequest(Begin, 0, MemoryOp::Store, 1, 2)},
         Begin + 1);
  M.finish();
  EXPECT_EQ(M.Arrived[2] - M.Arrived[1], T.C.flits(LineBytes));
  // One SM sends a store of a sector and a load: its port does the same.
  Begin = M.Now;
  MemoryRequest Store = lineRequest(Begin, 0, MemoryOp::Store, 0, 3);
  Store.Sectors = 1;
  Store.Bytes = SectorBytes;
  M.send({Store, lineRequest(Begin, 0, MemoryOp::Load, 0, 4)}, Begin + 1);
  M.finish();
  EXPECT_EQ(M.Arrived[4], Begin + T.C.flits(SectorBytes) + T.hit());
}

TEST(Interconnect, HitsStreamAtThePortsRate) {
  Times T;
  MemoryUnderTest M;
  M.roundTrip(0);
  std::vector<MemoryRequest> All;
  const unsigned Count = 200;
  Cycle Begin = M.Now;
  for (unsigned N = 0; N != Count; ++N)
    All.push_back(lineRequest(Begin + N, 0, MemoryOp::Load, N % 4, N));
  M.send(All, Begin + Count);
  M.finish();
  EXPECT_EQ(M.Arrived[Count - 1],
            Begin + T.hit() + (Count - 1) * T.C.flits(LineBytes));
}

TEST(Interconnect, CountsFlitsAndBytes) {
  Times T;
  MemoryUnderTest M;
  M.roundTrip(0, MemoryOp::Store);
  M.roundTrip(0);
  const MemoryStats &S = M.Memory.stats();
  EXPECT_EQ(S.FlitsToMemory, T.C.flits(LineBytes) + T.C.flits(0));
  EXPECT_EQ(S.FlitsToSMs, T.C.flits(LineBytes) + T.C.flits(0));
  EXPECT_EQ(S.BytesToMemory, LineBytes);
  EXPECT_EQ(S.BytesToSMs, LineBytes);
  EXPECT_EQ(S.Requests, 2u);
  EXPECT_EQ(S.Replies, 2u);
}

/// A sectored write-back cache and the memory behind it, one request at a time.
class SlowL2 {
public:
  explicit SlowL2(const MemoryConfig &C) : C(C), Sets(C.L2.Sets) {}
  uint64_t Hits = 0, Misses = 0, WriteBacks = 0, Reads = 0, Writes = 0;

  void access(const MemoryRequest &R) {
    uint64_t Number = R.Address / LineBytes;
    std::list<Line> &Set = Sets[Number % Sets.size()];
    if (R.Op != MemoryOp::Load)
      limitDirty(Set, Number);
    auto It = std::find_if(Set.begin(), Set.end(),
                           [&](const Line &L) { return L.Number == Number; });
    if (It == Set.end()) {
      if (Set.size() == C.L2.Ways) {
        if (unsigned Dirty = Set.back().Dirty) {
          ++WriteBacks;
          Writes += bursts(Dirty);
        }
        Set.pop_back();
      }
      Set.push_front({Number});
    } else {
      Set.splice(Set.begin(), Set, It);
    }
    Line &L = Set.front();
    if (R.Op == MemoryOp::Store) {
      L.Valid |= R.Sectors & ~R.Partial;
      for (unsigned H = 0; H != LineBytes / 2; ++H)
        if (C.L2.WrittenUnit && (R.Halves >> H & 1))
          L.Halves.insert(H);
      for (unsigned S = 0; S != SectorsPerLine; ++S)
        L.Valid |= unsigned(L.hasAll(S)) << S;
      L.Dirty |= R.Sectors;
      return;
    }
    unsigned Missing = R.Sectors & ~L.Valid;
    ++(Missing ? Misses : Hits);
    for (unsigned B = 0; B != 2; ++B)
      if (Missing >> 2 * B & 3) {
        ++Reads;
        L.Valid |= 3u << 2 * B;
      }
    if (R.Op != MemoryOp::Load)
      L.Dirty |= R.Sectors;
  }

private:
  struct Line {
    uint64_t Number;
    unsigned Valid = 0, Dirty = 0;
    std::set<unsigned> Halves = {}; ///< Two bytes each, which were written.

    bool hasAll(unsigned Sector) const {
      constexpr unsigned Count = SectorBytes / 2;
      return std::distance(Halves.lower_bound(Sector * Count),
                           Halves.lower_bound((Sector + 1) * Count)) == Count;
    }
  };
  /// Before \p Number gets dirty: the dirty line used last the longest ago is
  /// cleaned if there are as many as may be.
  void limitDirty(std::list<Line> &Set, uint64_t Number) {
    unsigned Dirty = 0;
    Line *Oldest = nullptr;
    for (Line &L : Set) {
      if (!L.Dirty)
        continue;
      if (L.Number == Number)
        return;
      ++Dirty;
      Oldest = &L;
    }
    if (!C.L2.DirtyWays || Dirty < C.L2.DirtyWays)
      return;
    ++WriteBacks;
    Writes += bursts(Oldest->Dirty);
    Oldest->Dirty = 0;
  }
  static unsigned bursts(unsigned Sectors) {
    return !!(Sectors & 3) + !!(Sectors & 12);
  }
  MemoryConfig C;
  std::vector<std::list<Line>> Sets; ///< Last used first.
};

void compareWithObviousCache(unsigned DirtyWays, unsigned WrittenUnit) {
  std::mt19937 Random(23);
  std::mt19937_64 RandomHalves(7);
  MemoryConfig C = smallMemory();
  C.L2.DirtyWays = DirtyWays;
  C.L2.WrittenUnit = WrittenUnit;
  MemoryUnderTest M(C);
  SlowL2 Slow(C);
  for (uint32_t N = 0; N != 4000; ++N) {
    MemoryRequest R = lineRequest(M.Now, Random() % 24 * LineBytes,
                                  MemoryOp(Random() % 4), Random() % 4, N);
    R.Sectors = uint8_t(1 + Random() % 15);
    R.Bytes = uint16_t(std::popcount(unsigned(R.Sectors)) * SectorBytes);
    if (R.Op == MemoryOp::Store)
      R.Partial = R.Sectors & Random();
    // Three quarters of what is written in part.
    uint64_t Dense = RandomHalves();
    Dense |= RandomHalves();
    for (unsigned S = 0; S != SectorsPerLine; ++S)
      if (R.Partial >> S & 1)
        R.Halves |= Dense & (uint64_t(UINT16_MAX) << (S * SectorBytes / 2));
    M.send({R}, M.Now + 1);
    M.finish();
    Slow.access(R);
    const MemoryStats &S = M.Memory.stats();
    ASSERT_EQ(S.L2Hits, Slow.Hits) << N;
    ASSERT_EQ(S.L2Misses, Slow.Misses) << N;
    ASSERT_EQ(S.L2WriteBacks, Slow.WriteBacks) << N;
    ASSERT_EQ(S.DramReads, Slow.Reads) << N;
    ASSERT_EQ(S.DramWrites, Slow.Writes) << N;
  }
  EXPECT_EQ(M.Arrived.size(), 4000u);
}

TEST(L2, ContentsMatchAnObviousCache) {
  ASSERT_GE(smallMemory().L2.Ways, 2u);
  for (unsigned DirtyWays = 0; DirtyWays <= smallMemory().L2.Ways;
       ++DirtyWays) {
    SCOPED_TRACE(DirtyWays);
    compareWithObviousCache(DirtyWays, 0);
    compareWithObviousCache(DirtyWays, 2);
  }
}

/// Lines that are read in turns, one more than a set has: of those replaced by
/// chance some are still there, of those used last the longest ago none.
TEST(TagArray, ReplacesByChance) {
  for (Replacement Policy : {Replacement::LRU, Replacement::Random}) {
    TagArray Tags(1, 8, SetIndex::Linear, Policy);
    unsigned Hits = 0;
    std::set<uint32_t> Replaced;
    for (unsigned N = 0; N != 9000; ++N) {
      CacheLine *Line = Tags.find(N % 9);
      Hits += Line != nullptr;
      if (!Line) {
        Line = Tags.victim(N % 9);
        ASSERT_NE(Line, nullptr);
        ASSERT_EQ(Line, Tags.victim(N % 9)) << "asking changes nothing";
        Replaced.insert(Tags.indexOf(*Line));
        Tags.replace(*Line, N % 9);
      }
      Tags.use(*Line);
    }
    EXPECT_EQ(Replaced.size(), 8u);
    if (Policy == Replacement::LRU)
      EXPECT_EQ(Hits, 0u);
    else
      EXPECT_NEAR(Hits / 9000.0, 0.7, 0.25);
  }
}

TEST(TagArray, ChancePassesOverLinesThatAwaitData) {
  TagArray Tags(1, 4, SetIndex::Linear, Replacement::Random);
  for (uint64_t N = 0; N != 4; ++N)
    Tags.replace(*Tags.victim(N), N);
  for (uint64_t N : {0, 1, 3})
    Tags.find(N)->Pending = 1;
  EXPECT_EQ(Tags.victim(9), Tags.find(2));
  Tags.find(2)->Pending = 1;
  EXPECT_EQ(Tags.victim(9), nullptr);
}

} // namespace
} // namespace regshare::sim
