//===- TimingMemoryL1Test.cpp - The load/store unit and its L1 ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingMemory.h"

#include <list>
#include <random>

namespace regshare::sim {
namespace {

/// Line \p N of the set 0 of the small machine's L1.
uint64_t lineOfSet0(unsigned N) { return uint64_t(N) * 4 * LineBytes; }

class LoadStoreUnitTest : public testing::Test {
protected:
  MemoryConfig C = smallMemory();

  /// Brings the line at \p Address into the L1 of \p U.
  static void bring(UnitUnderTest &U, uint64_t Address) {
    static uint32_t Token = 1000;
    size_t Before = U.Requests.size();
    U.accept(load(Address), Token++);
    while (U.Requests.size() == Before)
      U.tick();
    U.reply(U.Requests.back().Id, U.Now + 5);
    U.tickTo(U.Now + 10);
  }
};

TEST_F(LoadStoreUnitTest, SharedAccessTakesItsLatencyAndPasses) {
  UnitUnderTest U(C);
  for (uint64_t Stride : {4, 8, 64, 128}) {
    U.Unit.accept(accessOf(Space::Shared, MemoryOp::Load, 0, Stride), U.Now);
    Cycle Begin = U.Now;
    U.Done.clear();
    U.tickTo(Begin + 40);
    EXPECT_EQ(U.Done.at(0), Begin + C.Shared.Latency + Stride / 4 - 1);
  }
  EXPECT_EQ(U.Unit.stats().SharedPasses, 1u + 2 + 16 + 32);
}

TEST_F(LoadStoreUnitTest, FurtherPassesCanPutOffTheResultAlone) {
  C.Shared.PassLatency = 2;
  UnitUnderTest U(C);
  U.accept(accessOf(Space::Shared, MemoryOp::Load, 0, 16), 1); // Four passes.
  U.accept(accessOf(Space::Shared, MemoryOp::Load, 0, 4), 2);
  U.tickTo(60);
  EXPECT_EQ(U.Done.at(1), C.Shared.Latency + 3 * 2);
  EXPECT_EQ(U.Done.at(2), 4 + C.Shared.Latency) << "the banks were free again";
}

TEST_F(LoadStoreUnitTest, ConstantAccessTakesAPassForEachAddress) {
  UnitUnderTest U(C);
  U.accept(accessOf(Space::Param, MemoryOp::Load, 0, 0), 1);
  U.accept(accessOf(Space::Const, MemoryOp::Load, 0, 4), 2);
  U.tickTo(60);
  EXPECT_EQ(U.Done.at(1), C.Constant.Latency);
  EXPECT_EQ(U.Done.at(2), 1 + C.Constant.Latency + 31);
}

TEST_F(LoadStoreUnitTest, PassesHoldUpTheNextInstruction) {
  UnitUnderTest U(C);
  U.accept(accessOf(Space::Shared, MemoryOp::Load, 0, 16), 1); // Four passes.
  U.accept(accessOf(Space::Shared, MemoryOp::Load, 0, 4), 2);
  U.tick();
  EXPECT_EQ(U.Unit.stall(), MemoryStall::BankConflict);
  EXPECT_EQ(U.Unit.nextEvent(0), 3u);
  U.tickTo(30);
  EXPECT_EQ(U.Done.at(2), 4 + C.Shared.Latency);
  EXPECT_EQ(U.Unit.stats().StallCycles[size_t(MemoryStall::BankConflict)], 3u);
}

TEST_F(LoadStoreUnitTest, QueueHasItsSize) {
  UnitUnderTest U(C);
  for (unsigned N = 0; N != C.Lsu.Queue; ++N) {
    EXPECT_TRUE(U.Unit.canAccept());
    U.accept(accessOf(Space::Shared, MemoryOp::Load, 0, 4), N);
  }
  EXPECT_FALSE(U.Unit.canAccept());
  U.tick();
  EXPECT_TRUE(U.Unit.canAccept());
}

TEST_F(LoadStoreUnitTest, MissLeavesAfterItsLatencyAndEndsWithItsReply) {
  UnitUnderTest U(C);
  U.accept(load(0x1000), 1);
  U.tickTo(C.L1.MissLatency);
  EXPECT_TRUE(U.Requests.empty());
  U.tick();
  ASSERT_EQ(U.Requests.size(), 1u);
  const MemoryRequest &R = U.Requests[0];
  EXPECT_EQ(R.When, C.L1.MissLatency);
  EXPECT_EQ(R.Address, 0x1000u);
  EXPECT_EQ(R.Bytes, LineBytes);
  EXPECT_EQ(R.Sectors, 0xf);
  EXPECT_EQ(R.Op, MemoryOp::Load);
  U.reply(R.Id, 100);
  U.tickTo(100);
  EXPECT_TRUE(U.Done.empty());
  EXPECT_FALSE(U.Unit.isIdle());
  EXPECT_EQ(U.Unit.nextEvent(U.Now - 1), 100u);
  U.tick();
  EXPECT_EQ(U.Done.at(1), 100u);
  EXPECT_TRUE(U.Unit.isIdle());
  EXPECT_EQ(U.Unit.nextEvent(100), Never);
}

TEST_F(LoadStoreUnitTest, HitTakesItsLatencyAndACycleForEachLine) {
  UnitUnderTest U(C);
  bring(U, 0);
  bring(U, 128);
  Cycle Begin = U.accept(load(0), 1);
  U.tick();
  EXPECT_EQ(U.Done.at(1), Begin + C.L1.HitLatency);
  Begin = U.accept(accessOf(Space::Global, MemoryOp::Load, 0, 8, 8), 2);
  U.tick();
  EXPECT_EQ(U.Unit.stall(), MemoryStall::Transactions);
  U.tick();
  EXPECT_EQ(U.Done.at(2), Begin + 1 + C.L1.HitLatency);
  EXPECT_EQ(U.Unit.stats().LoadHits, 3u);
}

TEST_F(LoadStoreUnitTest, LoadsOfALineUnderWayShareItsRequest) {
  UnitUnderTest U(C);
  for (unsigned N = 0; N != C.L1.Merges; ++N)
    U.accept(load(0), N);
  U.tickTo(30);
  ASSERT_EQ(U.Requests.size(), 1u);
  U.accept(load(0), 99);
  U.tick();
  EXPECT_EQ(U.Unit.stall(), MemoryStall::Mshr) << "no room to merge";
  U.reply(U.Requests[0].Id, 50);
  U.tickTo(50);
  EXPECT_TRUE(U.Done.empty());
  U.tickTo(100);
  for (unsigned N = 0; N != C.L1.Merges; ++N)
    EXPECT_EQ(U.Done.at(N), 50u);
  EXPECT_EQ(U.Done.at(99), 50 + C.L1.HitLatency) << "goes on with the reply";
  EXPECT_EQ(U.Unit.stats().LoadMerges, C.L1.Merges - 1);
}

TEST_F(LoadStoreUnitTest, MissesWaitForAnMshr) {
  UnitUnderTest U(C);
  for (unsigned N = 0; N <= C.L1.Mshrs; ++N)
    U.accept(load(N * LineBytes), N);
  U.tickTo(40);
  EXPECT_EQ(U.Requests.size(), size_t(C.L1.Mshrs));
  EXPECT_EQ(U.Unit.stall(), MemoryStall::Mshr);
  EXPECT_EQ(U.Unit.nextEvent(39), Never);
  U.reply(U.Requests[2].Id, 60);
  U.tickTo(60 + C.L1.MissLatency);
  EXPECT_EQ(U.Requests.size(), size_t(C.L1.Mshrs));
  U.tick();
  ASSERT_EQ(U.Requests.size(), size_t(C.L1.Mshrs + 1));
  EXPECT_EQ(U.Requests.back().Id, U.Requests[2].Id);
}

TEST_F(LoadStoreUnitTest, LinesThatAwaitDataCannotBeReplaced) {
  UnitUnderTest U(C);
  for (unsigned N = 0; N <= C.L1.Ways; ++N)
    U.accept(load(lineOfSet0(N)), N);
  U.tickTo(40);
  EXPECT_EQ(U.Unit.stall(), MemoryStall::Reservation);
  U.reply(U.Requests[1].Id, 60);
  U.tickTo(100);
  EXPECT_EQ(U.Requests.size(), size_t(C.L1.Ways + 1));
  EXPECT_EQ(U.Unit.stats().Evictions, 1u);
}

TEST_F(LoadStoreUnitTest, TheLeastRecentlyUsedLineGoes) {
  UnitUnderTest U(C);
  bring(U, lineOfSet0(0));
  bring(U, lineOfSet0(1));
  U.accept(load(lineOfSet0(0)), 1);
  U.tickTo(U.Now + 5);
  bring(U, lineOfSet0(2)); // In place of line 1.
  U.accept(load(lineOfSet0(0)), 2);
  U.accept(load(lineOfSet0(1)), 3);
  U.tickTo(U.Now + 5);
  EXPECT_EQ(U.Unit.stats().LoadHits, 2u);
  EXPECT_EQ(U.Unit.stats().LoadMisses, 4u);
}

TEST_F(LoadStoreUnitTest, SectorsAreFetchedInGroups) {
  for (unsigned Together : {1u, 2u, 4u}) {
    C.L1.FetchSectors = Together;
    UnitUnderTest U(C);
    U.accept(accessOf(Space::Global, MemoryOp::Load, 64, 4, 4, 4), 1);
    U.tickTo(30);
    ASSERT_EQ(U.Requests.size(), 1u);
    unsigned Expected = Together == 1 ? 4 : Together == 2 ? 0xc : 0xf;
    EXPECT_EQ(U.Requests[0].Sectors, Expected);
    EXPECT_EQ(U.Requests[0].Bytes, Together * SectorBytes);
    EXPECT_EQ(U.Requests[0].Address, Together == 4 ? 0u : 64u);
    U.reply(U.Requests[0].Id, 60);
    U.tickTo(70);
    // All of the line: what is there is not fetched again.
    U.accept(load(0), 2);
    U.tickTo(100);
    if (Together == 4)
      EXPECT_EQ(U.Unit.stats().LoadHits, 1u);
    else
      EXPECT_EQ(U.Requests.at(1).Sectors, 0xf & ~Expected);
  }
}

TEST_F(LoadStoreUnitTest, ALoadWaitsForEveryRequestItNeeds) {
  C.L1.FetchSectors = 1;
  UnitUnderTest U(C);
  U.accept(accessOf(Space::Global, MemoryOp::Load, 0, 4, 4, 4), 1);
  U.accept(load(0), 2); // Sector 0 is under way; asks for the others.
  U.tickTo(30);
  ASSERT_EQ(U.Requests.size(), 2u);
  EXPECT_EQ(U.Requests[1].Sectors, 0xe);
  U.reply(U.Requests[1].Id, 50);
  U.reply(U.Requests[0].Id, 60);
  U.tickTo(70);
  EXPECT_EQ(U.Done.at(1), 60u);
  EXPECT_EQ(U.Done.at(2), 60u);
}

TEST_F(LoadStoreUnitTest, StoresCompleteWhenTheyLeave) {
  UnitUnderTest U(C);
  U.accept(store(0), 1);
  U.tick();
  EXPECT_EQ(U.Done.at(1), C.L1.MissLatency);
  U.tickTo(C.L1.MissLatency + 1);
  ASSERT_EQ(U.Requests.size(), 1u);
  EXPECT_EQ(U.Requests[0].Op, MemoryOp::Store);
  EXPECT_EQ(U.Requests[0].Bytes, LineBytes);
  EXPECT_FALSE(U.Unit.isIdle()) << "the acknowledgement is to come";
  U.reply(U.Requests[0].Id, 40);
  U.tickTo(41);
  EXPECT_TRUE(U.Unit.isIdle());
}

TEST_F(LoadStoreUnitTest, StoresWaitForCredits) {
  UnitUnderTest U(C);
  for (unsigned N = 0; N <= C.Lsu.StoreCredits; ++N)
    U.accept(store(N * LineBytes), N);
  U.tickTo(40);
  EXPECT_EQ(U.Requests.size(), size_t(C.Lsu.StoreCredits));
  EXPECT_EQ(U.Unit.stall(), MemoryStall::StoreCredits);
  U.reply(U.Requests[0].Id, 50);
  U.tickTo(51);
  EXPECT_EQ(U.Done.at(C.Lsu.StoreCredits), 50 + C.L1.MissLatency);
}

TEST_F(LoadStoreUnitTest, WriteEvictGivesUpTheLineAndWriteThroughKeepsIt) {
  for (GlobalStores Policy :
       {GlobalStores::WriteEvict, GlobalStores::WriteThrough}) {
    C.L1.Stores = Policy;
    UnitUnderTest U(C);
    bring(U, 0);
    U.accept(store(0), 1);
    U.accept(load(0), 2);
    U.tickTo(U.Now + 5);
    bool Kept = Policy == GlobalStores::WriteThrough;
    EXPECT_EQ(U.Unit.stats().LoadHits, uint64_t(Kept));
    EXPECT_EQ(U.Unit.stats().LoadMisses, 2u - Kept);
    EXPECT_EQ(U.Unit.stats().StoreHits, 1u);
  }
}

TEST_F(LoadStoreUnitTest, AStoreToALineUnderWayDropsItWhenItComes) {
  UnitUnderTest U(C);
  U.accept(load(0), 1);
  U.accept(store(0), 2);
  U.tickTo(30);
  U.reply(U.Requests[0].Id, 40);
  U.tickTo(50);
  EXPECT_EQ(U.Done.at(1), 40u);
  U.accept(load(0), 3);
  U.tickTo(60);
  EXPECT_EQ(U.Unit.stats().LoadHits, 0u);
  EXPECT_EQ(U.Unit.stats().LoadMisses, 2u);
}

MemoryAccess local(MemoryOp Op, uint64_t Base, unsigned Lanes = WarpSize) {
  return accessOf(Space::Local, Op, Base, 4, 4, Lanes);
}

TEST_F(LoadStoreUnitTest, LocalStoresThatGoThroughLeaveACleanLine) {
  C.L1.Spills = LocalStores::WriteThrough;
  UnitUnderTest U(C);
  U.accept(local(MemoryOp::Store, lineOfSet0(0)), 1);
  U.accept(local(MemoryOp::Load, lineOfSet0(0)), 2);
  U.tickTo(40);
  ASSERT_EQ(U.Requests.size(), 1u);
  EXPECT_EQ(U.Requests[0].Op, MemoryOp::Store);
  EXPECT_EQ(U.Requests[0].Bytes, LineBytes);
  EXPECT_EQ(U.Unit.stats().LoadHits, 1u);
  EXPECT_FALSE(U.Unit.isIdle()) << "the acknowledgement is to come";
  U.reply(U.Requests[0].Id, 50);
  U.tickTo(51);
  bring(U, lineOfSet0(1));
  bring(U, lineOfSet0(2));
  EXPECT_EQ(U.Requests.size(), 3u) << "nothing is written back";
}

TEST_F(LoadStoreUnitTest, LocalStoresThatGoThroughWaitForCredits) {
  C.L1.Spills = LocalStores::WriteThrough;
  UnitUnderTest U(C);
  for (unsigned N = 0; N <= C.Lsu.StoreCredits; ++N)
    U.accept(local(MemoryOp::Store, N * LineBytes), N);
  U.tickTo(40);
  EXPECT_EQ(U.Requests.size(), size_t(C.Lsu.StoreCredits));
  EXPECT_EQ(U.Unit.stall(), MemoryStall::StoreCredits);
}

TEST_F(LoadStoreUnitTest, LocalStoresStayUntilTheLineIsReplaced) {
  UnitUnderTest U(C);
  U.accept(local(MemoryOp::Store, lineOfSet0(0)), 1);
  U.accept(local(MemoryOp::Load, lineOfSet0(0)), 2);
  U.tickTo(40);
  EXPECT_TRUE(U.Requests.empty());
  EXPECT_EQ(U.Done.at(1), C.L1.HitLatency);
  EXPECT_EQ(U.Done.at(2), 1 + C.L1.HitLatency);
  bring(U, lineOfSet0(1));
  bring(U, lineOfSet0(2));
  ASSERT_EQ(U.Requests.size(), 3u);
  EXPECT_EQ(U.Requests[1].Op, MemoryOp::Store) << "before the fetch";
  EXPECT_EQ(U.Requests[1].Address, lineOfSet0(0));
  EXPECT_EQ(U.Requests[1].Sectors, 0xf);
  EXPECT_EQ(U.Unit.stats().WriteBacks, 1u);
}

TEST_F(LoadStoreUnitTest, LocalStoresToPartsOfSectorsTakeNoLine) {
  UnitUnderTest U(C);
  U.accept(local(MemoryOp::Store, 0, 4), 1);
  U.tickTo(40);
  ASSERT_EQ(U.Requests.size(), 1u);
  EXPECT_EQ(U.Requests[0].Sectors, 1);
  EXPECT_EQ(U.Requests[0].Partial, 1);
  // With the line there, the store changes it, and a load of it hits.
  bring(U, 0);
  U.accept(local(MemoryOp::Store, 0, 4), 2);
  U.accept(local(MemoryOp::Load, 0), 3);
  U.tickTo(U.Now + 40);
  EXPECT_EQ(U.Requests.size(), 2u);
  EXPECT_EQ(U.Unit.stats().LoadHits, 1u);
}

TEST_F(LoadStoreUnitTest, AtomicsGoToTheL2AndDropTheLine) {
  UnitUnderTest U(C);
  bring(U, 0);
  U.accept(accessOf(Space::Global, MemoryOp::Atomic, 0, 4), 1);
  U.accept(load(0), 2);
  U.tickTo(U.Now + 40);
  ASSERT_EQ(U.Requests.size(), 3u);
  EXPECT_EQ(U.Requests[1].Op, MemoryOp::Atomic);
  EXPECT_EQ(U.Unit.stats().LoadHits, 0u);
  U.reply(U.Requests[1].Id, 90);
  U.tickTo(91);
  EXPECT_EQ(U.Done.at(1), 90u);
}

TEST_F(LoadStoreUnitTest, ReductionsAreStores) {
  UnitUnderTest U(C);
  U.accept(accessOf(Space::Global, MemoryOp::Reduce, 0, 4), 1);
  U.tick();
  EXPECT_EQ(U.Done.at(1), C.L1.MissLatency);
}

TEST_F(LoadStoreUnitTest, BypassingLoadsAskEveryTime) {
  UnitUnderTest U(C);
  bring(U, 0);
  MemoryAccess A = load(0);
  A.Bypass = true;
  U.accept(A, 1);
  U.accept(A, 2);
  U.tickTo(U.Now + 40);
  EXPECT_EQ(U.Requests.size(), 3u);
  EXPECT_EQ(U.Unit.stats().LoadBypasses, 2u);
}

TEST_F(LoadStoreUnitTest, InvalidateForgets) {
  UnitUnderTest U(C);
  bring(U, 0);
  U.Unit.invalidate();
  bring(U, 0);
  EXPECT_EQ(U.Unit.stats().LoadMisses, 2u);
}

TEST_F(LoadStoreUnitTest, AnAccessWithoutLanesCompletes) {
  UnitUnderTest U(C);
  MemoryAccess A = load(0);
  A.Mask = 0;
  U.accept(A, 1);
  U.tickTo(5);
  EXPECT_EQ(U.Done.at(1), 0u);
  EXPECT_TRUE(U.Unit.isIdle());
}

/// A cache of whole lines, the obvious way.
class SlowCache {
public:
  SlowCache(unsigned Sets, unsigned Ways) : Ways(Ways), Lines(Sets) {}
  bool access(uint64_t Line) {
    std::list<uint64_t> &Set = Lines[Line % Lines.size()];
    bool Hit = drop(Line);
    Set.push_front(Line);
    if (Set.size() > Ways)
      Set.pop_back();
    return Hit;
  }
  bool drop(uint64_t Line) {
    return Lines[Line % Lines.size()].remove(Line) != 0;
  }

private:
  unsigned Ways;
  std::vector<std::list<uint64_t>> Lines; ///< Last used first.
};

TEST_F(LoadStoreUnitTest, ContentsMatchAnObviousCache) {
  std::mt19937 Random(11);
  UnitUnderTest U(C);
  SlowCache Slow(C.L1.Sets, C.L1.Ways);
  uint64_t Hits = 0, Misses = 0;
  for (unsigned N = 0; N != 4000; ++N) {
    uint64_t Line = Random() % 12;
    U.Requests.clear();
    if (Random() % 8 == 0) {
      U.accept(store(Line * LineBytes), N);
      Slow.drop(Line);
    } else {
      U.accept(load(Line * LineBytes), N);
      ++(Slow.access(Line) ? Hits : Misses);
    }
    U.tickTo(U.Now + 20);
    for (const MemoryRequest &R : U.Requests)
      U.reply(R.Id, U.Now + 2);
    U.tickTo(U.Now + 5);
    ASSERT_EQ(U.Unit.stats().LoadHits, Hits);
    ASSERT_EQ(U.Unit.stats().LoadMisses, Misses);
  }
}

MemoryAccess randomAccess(std::mt19937 &Random) {
  static constexpr Space Spaces[] = {Space::Global, Space::Global, Space::Local,
                                     Space::Shared, Space::Const};
  static constexpr MemoryOp Ops[] = {MemoryOp::Load,   MemoryOp::Load,
                                     MemoryOp::Load,   MemoryOp::Store,
                                     MemoryOp::Atomic, MemoryOp::Reduce};
  MemoryAccess A;
  A.Where = Spaces[Random() % 5];
  A.Op = Ops[Random() % 6];
  if (A.Where == Space::Const)
    A.Op = MemoryOp::Load;
  if (A.Where == Space::Local && A.Op > MemoryOp::Store)
    A.Op = MemoryOp::Store;
  A.Bypass = A.Op == MemoryOp::Load && Random() % 16 == 0;
  A.Mask = Random() % 4 ? ~0u : Random();
  uint64_t Base = Random() % 64 * LineBytes;
  uint64_t Stride = Random() % 4 ? 4 : Random() % 3 * 32;
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Addresses[L] = Base + L * Stride;
  return A;
}

/// What a unit did with a random stream, each request answered after a time
/// that depends on it alone.
struct Trace {
  std::map<uint32_t, Cycle> Done;
  std::vector<std::tuple<Cycle, uint64_t, int>> Requests;
  LoadStoreStats Stats;
};

Trace simulate(unsigned Seed, bool EveryCycle) {
  std::mt19937 Random(Seed);
  MemoryConfig C = smallMemory();
  C.L1.FetchSectors = 1u << Seed % 3;
  LoadStoreUnit Unit(C, 0);
  Trace T;
  std::vector<LoadStoreUnit::Completion> Done;
  std::vector<MemoryRequest> Requests;
  Cycle LastReply = 0, Next = 0, Arrival = 0;
  unsigned Token = 0;
  MemoryAccess Waiting = randomAccess(Random);
  for (Cycle Now = 0; Token != 2000 || !Unit.isIdle(); ++Now) {
    EXPECT_LT(Now, 1000000u) << "the unit is stuck";
    if (Now >= 1000000)
      break;
    if (Token != 2000 && Now >= Arrival && Unit.canAccept()) {
      Waiting.Token = Token++;
      Unit.accept(Waiting, Now);
      Waiting = randomAccess(Random);
      Arrival = Now + Random() % 30;
      Next = Now;
    }
    if (!EveryCycle && Now < Next)
      continue;
    Requests.clear();
    Unit.tick(Now, Done, Requests);
    for (const MemoryRequest &R : Requests) {
      EXPECT_EQ(R.When, Now);
      T.Requests.emplace_back(Now, R.Address, int(R.Op));
      MemoryReply Reply;
      Reply.Id = R.Id;
      LastReply = std::max(LastReply + 1, Now + 20 + R.Address / 128 % 50);
      Reply.When = LastReply;
      Unit.receive(Reply);
    }
    Next = Unit.nextEvent(Now);
  }
  for (const LoadStoreUnit::Completion &D : Done)
    EXPECT_TRUE(T.Done.emplace(D.Token, D.When).second) << "completes twice";
  T.Stats = Unit.stats();
  return T;
}

TEST(LoadStoreUnitFuzz, EveryAccessCompletesOnceAndSkippingChangesNothing) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    SCOPED_TRACE(Seed);
    Trace All = simulate(Seed, true), Skipped = simulate(Seed, false);
    EXPECT_EQ(All.Done.size(), 2000u);
    EXPECT_EQ(All.Done, Skipped.Done);
    EXPECT_EQ(All.Requests, Skipped.Requests);
    EXPECT_EQ(All.Stats.LoadHits, Skipped.Stats.LoadHits);
    // The last cycles without an instruction are not seen by who skips them.
    for (size_t N = 1; N != All.Stats.StallCycles.size(); ++N)
      EXPECT_EQ(All.Stats.StallCycles[N], Skipped.Stats.StallCycles[N]) << N;
  }
}

} // namespace
} // namespace regshare::sim
