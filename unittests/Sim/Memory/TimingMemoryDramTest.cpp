//===- TimingMemoryDramTest.cpp - A DRAM channel --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/DramChannel.h"
#include "TimingMemory.h"

namespace regshare::sim {
namespace {

/// A channel, and when it issued what.
class Probe {
public:
  explicit Probe(const DramConfig &C = smallMemory().Dram)
      : Config(C), Channel(C, Stats) {}

  DramConfig Config;
  MemoryStats Stats;
  DramChannel Channel;
  std::vector<DramChannel::Delivery> Delivered;
  std::vector<Cycle> Activates, Precharges, Reads, Writes;
  Cycle Now = 0;

  void add(unsigned Bank, uint64_t Row, bool IsWrite = false,
           unsigned Bursts = 1) {
    DramAccess A;
    A.Bank = uint8_t(Bank);
    A.Row = Row;
    A.IsWrite = IsWrite;
    A.Bursts = uint8_t(Bursts);
    A.Fetch = Added++;
    Channel.accept(A, Now);
  }
  void tickTo(Cycle Until) {
    for (; Now != Until; ++Now) {
      MemoryStats Before = Stats;
      Channel.issue(Now, Delivered);
      note(Activates, Stats.DramActivates, Before.DramActivates);
      note(Precharges, Stats.DramPrecharges, Before.DramPrecharges);
      note(Reads, Stats.DramReads, Before.DramReads);
      note(Writes, Stats.DramWrites, Before.DramWrites);
    }
  }
  void run() {
    while (!Channel.isIdle())
      tickTo(Now + 1);
  }
  std::vector<uint32_t> order() const {
    std::vector<uint32_t> Order;
    Order.reserve(Delivered.size());
    for (const DramChannel::Delivery &D : Delivered)
      Order.push_back(D.Fetch);
    return Order;
  }

private:
  void note(std::vector<Cycle> &To, uint64_t After, uint64_t Before) {
    if (After != Before)
      To.push_back(Now);
  }
  uint32_t Added = 0;
};

using Cycles = std::vector<Cycle>;
using Order = std::vector<uint32_t>;

TEST(DramChannel, ClosedRowTakesActivationAndRead) {
  Probe P;
  P.tickTo(100);
  P.add(1, 7);
  P.run();
  EXPECT_EQ(P.Activates, Cycles{100});
  EXPECT_EQ(P.Reads, Cycles{100 + P.Config.RCD});
  ASSERT_EQ(P.Delivered.size(), 1u);
  EXPECT_EQ(P.Delivered[0].When,
            100 + P.Config.RCD + P.Config.CL + P.Config.BurstCycles);
}

TEST(DramChannel, RowHitIsReadAtOnce) {
  Probe P;
  P.add(1, 7);
  P.tickTo(200);
  P.add(1, 7);
  P.run();
  EXPECT_EQ(P.Reads.back(), 200u);
  EXPECT_EQ(P.Stats.DramRowHits, 1u);
}

TEST(DramChannel, RowConflictPaysForThePrecharge) {
  Probe P;
  P.add(1, 7);
  P.tickTo(200);
  P.add(1, 8);
  P.run();
  EXPECT_EQ(P.Precharges, Cycles{200});
  EXPECT_EQ(P.Activates.back(), 200 + P.Config.RP);
  EXPECT_EQ(P.Reads.back(), 200 + P.Config.RP + P.Config.RCD);
  EXPECT_EQ(P.Stats.DramRowHits, 0u);
}

/// The cycle in which a conflicting access's precharge is issued if it comes at
/// \p When, after an activation at 0.
Cycle prechargeAfterRead(DramConfig C, Cycle When) {
  Probe P(C);
  P.add(1, 7);
  P.tickTo(When);
  P.add(1, 8);
  P.run();
  return P.Precharges.at(0);
}

TEST(DramChannel, PrechargeWaitsForRas) {
  DramConfig C = smallMemory().Dram;
  EXPECT_EQ(prechargeAfterRead(C, C.RAS - 1), C.RAS);
  EXPECT_EQ(prechargeAfterRead(C, C.RAS), C.RAS);
  EXPECT_EQ(prechargeAfterRead(C, C.RAS + 1), C.RAS + 1);
}

TEST(DramChannel, PrechargeWaitsForTheReadBefore) {
  DramConfig C = smallMemory().Dram;
  C.RTP = 40;
  EXPECT_EQ(prechargeAfterRead(C, C.RCD + C.RTP - 1), C.RCD + C.RTP);
  EXPECT_EQ(prechargeAfterRead(C, C.RCD + C.RTP + 1), C.RCD + C.RTP + 1);
}

TEST(DramChannel, PrechargeWaitsForTheWriteBefore) {
  DramConfig C = smallMemory().Dram;
  Cycle Free = C.RCD + C.WL + C.BurstCycles + C.WR;
  for (Cycle When : {Free - 1, Free}) {
    Probe P(C);
    P.add(1, 7, true);
    P.tickTo(When);
    P.add(1, 8, true);
    P.run();
    EXPECT_EQ(P.Precharges, Cycles{Free});
  }
}

TEST(DramChannel, ActivationWaitsForRc) {
  DramConfig C = smallMemory().Dram;
  C.RC = 60; // More than RAS and RP.
  Probe P(C);
  P.add(1, 7);
  P.tickTo(C.RAS);
  P.add(1, 8);
  P.run();
  EXPECT_EQ(P.Activates, (Cycles{0, C.RC}));
}

TEST(DramChannel, ActivationsOfBanksAreRrdApart) {
  Probe P;
  P.add(0, 1);
  P.add(1, 1);
  P.add(2, 1);
  P.run();
  EXPECT_EQ(P.Activates, (Cycles{0, P.Config.RRD, 2 * P.Config.RRD}));
}

TEST(DramChannel, ColumnCommandsKeepTheirDistance) {
  DramConfig C = smallMemory().Dram;
  for (auto [CCD, Burst] : {std::pair(2u, 2u), {5u, 2u}, {2u, 4u}}) {
    C.CCD = CCD;
    C.BurstCycles = Burst;
    Probe P(C);
    P.add(0, 1);
    P.add(0, 1);
    P.run();
    EXPECT_EQ(P.Reads[1] - P.Reads[0], std::max(CCD, Burst));
  }
}

TEST(DramChannel, ALineIsReadBurstByBurst) {
  Probe P;
  P.add(0, 1, false, 4);
  P.add(0, 1, false, 1);
  P.run();
  EXPECT_EQ(P.Reads[1] - P.Reads[0], 4 * P.Config.BurstCycles);
  EXPECT_EQ(P.Delivered[0].When,
            P.Reads[0] + 3 * P.Config.CCD + P.Config.CL + P.Config.BurstCycles);
  EXPECT_EQ(P.Stats.DramReads, 5u);
  EXPECT_EQ(P.Stats.DramRowHits, 4u);
  EXPECT_EQ(P.Stats.DramBusyCycles, 5 * P.Config.BurstCycles);
}

TEST(DramChannel, BusTurnsAround) {
  Probe P;
  const DramConfig &C = P.Config;
  P.add(0, 1);
  P.tickTo(C.RCD + 1); // The read has just been issued.
  P.add(0, 1, true);
  P.tickTo(C.RCD + 2);
  P.tickTo(100);
  EXPECT_EQ(P.Writes,
            Cycles{C.RCD + C.CL + C.BurstCycles + C.Turnaround - C.WL});
  Probe Q;
  Q.add(0, 1, true);
  Q.tickTo(C.RCD + 1);
  Q.add(0, 1);
  Q.tickTo(100);
  EXPECT_EQ(Q.Reads, Cycles{C.RCD + C.WL + C.BurstCycles + C.WTR});
}

TEST(DramChannel, RowHitsGoFirst) {
  Probe P;
  P.add(0, 1);
  P.add(0, 2);
  P.add(0, 1);
  P.add(0, 2);
  P.add(0, 1);
  P.run();
  EXPECT_EQ(P.order(), (Order{0, 2, 4, 1, 3}));
  EXPECT_EQ(P.Stats.DramActivates, 2u);
}

TEST(DramChannel, AHitMayComeAfterTheConflictItOvertakes) {
  Probe P;
  P.add(0, 1);
  P.tickTo(P.Config.RCD + 1);
  P.add(0, 2);
  P.tickTo(P.Config.RCD + 5); // Before RAS allows the precharge.
  P.add(0, 1);
  P.run();
  EXPECT_EQ(P.order(), (Order{0, 2, 1}));
}

TEST(DramChannel, ReadyBanksDoNotWaitForOthers) {
  Probe P;
  P.add(0, 1);
  P.tickTo(100);
  P.add(0, 2); // Precharge, activation.
  P.add(1, 5); // Activation only.
  P.add(2, 6);
  P.run();
  EXPECT_EQ(P.order(), (Order{0, 2, 3, 1}));
}

/// Two streams, one a row each, whose accesses come alternately.
Cycle alternate(unsigned Queue) {
  DramConfig C = smallMemory().Dram;
  C.Queue = Queue;
  Probe P(C);
  for (unsigned N = 0; N != 64;) {
    if (P.Channel.canAccept(false))
      P.add(0, N++ % 2);
    else
      P.tickTo(P.Now + 1);
  }
  P.run();
  EXPECT_EQ(P.Delivered.size(), 64u);
  return P.Now;
}

TEST(DramChannel, FirstReadyBeatsFirstComeOnInterleavedStreams) {
  const DramConfig C = smallMemory().Dram;
  // A queue of one is first come, first served: a row cycle for each access.
  Cycle InOrder = alternate(1), Reordered = alternate(16);
  EXPECT_GE(InOrder, 63 * Cycle(C.RC));
  EXPECT_LT(Reordered * 4, InOrder);
}

TEST(DramChannel, AStreamOfHitsDoesNotStarveAConflict) {
  Probe P;
  P.add(0, 1);
  P.add(0, 2); // Fetch 1.
  Cycle Served = 0;
  while (P.Now != 20000) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.tickTo(P.Now + 1);
    for (const DramChannel::Delivery &D : P.Delivered)
      if (D.Fetch == 1 && !Served)
        Served = P.Now;
  }
  const DramConfig &C = P.Config;
  ASSERT_NE(Served, 0u);
  EXPECT_GT(Served, Cycle(C.AgeLimit));
  EXPECT_LT(Served, C.AgeLimit + 2 * Cycle(C.RC));
}

TEST(DramChannel, AStreamOfReadsDoesNotStarveAWrite) {
  Probe P;
  P.add(0, 1);
  P.add(1, 2, true);
  while (P.Now != 5000) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.tickTo(P.Now + 1);
  }
  ASSERT_EQ(P.Writes.size(), 1u);
  EXPECT_GT(P.Writes[0], Cycle(P.Config.AgeLimit));
  EXPECT_LT(P.Writes[0], P.Config.AgeLimit + 2 * Cycle(P.Config.RC));
}

TEST(DramChannel, AStreamOfWritesDoesNotStarveARead) {
  Probe P;
  const DramConfig &C = P.Config;
  Cycle Asked = 0;
  while (P.Now != 5000) {
    while (P.Channel.canAccept(true))
      P.add(0, 1, true);
    if (P.Now == 1000) {
      P.add(1, 2);
      Asked = P.Now;
    }
    P.tickTo(P.Now + 1);
  }
  ASSERT_EQ(P.Reads.size(), 1u);
  EXPECT_LT(P.Reads[0], Asked + C.WL + C.BurstCycles + C.WTR + C.RCD);
}

TEST(DramChannel, NeitherDirectionStarvesAConflictInItsBank) {
  Probe P;
  P.add(0, 1);
  P.add(0, 2); // Fetch 1.
  P.add(0, 3, true);
  Cycle Read = 0;
  while (P.Now != 20000) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    while (P.Channel.canAccept(true))
      P.add(0, 1, true);
    P.tickTo(P.Now + 1);
    for (const DramChannel::Delivery &D : P.Delivered)
      if (D.Fetch == 1 && !Read)
        Read = P.Now;
  }
  ASSERT_NE(Read, 0u);
  EXPECT_LT(Read, P.Config.AgeLimit + 6 * Cycle(P.Config.RC));
  EXPECT_GE(P.Activates.size(), 4u) << "rows 1, 2, 3, and 1 again";
}

TEST(DramChannel, WritesGatherAndGoTogether) {
  Probe P;
  const DramConfig &C = P.Config;
  for (unsigned N = 0; N + 1 != C.WriteHigh; ++N) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.add(0, 1, true);
  }
  while (P.Now != 300) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.tickTo(P.Now + 1);
  }
  EXPECT_TRUE(P.Writes.empty()) << "one less than it takes";
  P.add(0, 1, true);
  while (P.Now != 600) {
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.tickTo(P.Now + 1);
  }
  ASSERT_EQ(P.Writes.size(), size_t(C.WriteHigh - C.WriteLow));
  EXPECT_EQ(P.Writes.back() - P.Writes.front(),
            (P.Writes.size() - 1) * C.BurstCycles);
}

TEST(DramChannel, WritesMayWaitUntilTheyHaveGathered) {
  DramConfig C = smallMemory().Dram;
  C.Turns = WriteTurns::Gathered;
  Probe P(C);
  for (unsigned N = 0; N + 1 != C.WriteHigh; ++N)
    P.add(0, 1, true);
  EXPECT_TRUE(P.Channel.isIdle());
  P.tickTo(C.AgeLimit + 1000);
  EXPECT_TRUE(P.Writes.empty()) << "nothing is to be read, and they are old";
  P.add(0, 1, true);
  EXPECT_FALSE(P.Channel.isIdle());
  P.tickTo(P.Now + C.RCD + 1);
  // A read that comes now waits for the turn's end.
  P.add(0, 1);
  P.run();
  ASSERT_EQ(P.Writes.size(), size_t(C.WriteHigh - C.WriteLow));
  ASSERT_EQ(P.Reads.size(), 1u);
  EXPECT_GT(P.Reads[0], P.Writes.back());
}

TEST(DramChannel, QueuesHaveTheirSize) {
  Probe P;
  for (unsigned N = 0; N != P.Config.Queue; ++N) {
    EXPECT_TRUE(P.Channel.canAccept(false));
    P.add(N % 4, N);
  }
  EXPECT_FALSE(P.Channel.canAccept(false));
  EXPECT_TRUE(P.Channel.canAccept(true));
  P.run();
  EXPECT_TRUE(P.Channel.canAccept(false));
}

TEST(DramChannel, RowsOfOneBankFollowEachOtherAsComputed) {
  // A stream through one bank: from the last read of a row to the first of the
  // next are RTP, RP and RCD, for RAS and RC are over.
  Probe P;
  const DramConfig &C = P.Config;
  const unsigned PerRow = 32, Rows = 50;
  for (unsigned N = 0; N != PerRow * Rows;)
    if (P.Channel.canAccept(false))
      P.add(0, N++ / PerRow);
    else
      P.tickTo(P.Now + 1);
  P.run();
  Cycle Row = (PerRow - 1) * C.BurstCycles + C.RTP + C.RP + C.RCD;
  EXPECT_EQ(P.Reads.back() - P.Reads.front(),
            Rows * Row - (C.RTP + C.RP + C.RCD));
}

TEST(DramChannel, ReadsAndWritesShareTheBusAsComputed) {
  // Row hits without end in both directions: bursts follow each other without a
  // gap until a direction's turn is over.
  Probe P;
  const DramConfig &C = P.Config;
  while (P.Now != 20000) {
    while (P.Channel.canAccept(true))
      P.add(0, 1, true);
    while (P.Channel.canAccept(false))
      P.add(0, 1);
    P.tickTo(P.Now + 1);
  }
  Cycle ToWrite = C.CL + C.BurstCycles + C.Turnaround - C.WL;
  Cycle ToRead = C.WL + C.BurstCycles + C.WTR;
  Cycle Gaps = 0, LongGaps = 0, Last = 0;
  std::vector<std::pair<Cycle, bool>> All;
  All.reserve(P.Reads.size() + P.Writes.size());
  for (Cycle When : P.Reads)
    All.emplace_back(When, false);
  for (Cycle When : P.Writes)
    All.emplace_back(When, true);
  std::sort(All.begin(), All.end());
  for (size_t N = 1; N != All.size(); ++N) {
    auto [When, IsWrite] = All[N];
    bool Turns = IsWrite != All[N - 1].second;
    Cycle Expected = !Turns ? C.BurstCycles : IsWrite ? ToWrite : ToRead;
    ASSERT_EQ(When - All[N - 1].first, Expected) << N;
    (Turns ? LongGaps : Gaps) += 1;
    Last = When;
  }
  EXPECT_GT(LongGaps, 0u);
  EXPECT_GT(Gaps, LongGaps);
  EXPECT_GT(Last, 19900u);
}

/// Lines of two banks, each of two bursts: where the banks are of one group,
/// the second line waits for the longer interval.
TEST(DramChannel, ColumnsOfAGroupAreFurtherApart) {
  DramConfig C = smallMemory().Dram;
  C.BankGroups = 2;
  C.CCDLong = 5;
  for (unsigned Other : {1u, 2u}) {
    Probe P(C);
    P.add(0, 1, false, 2);
    P.add(Other, 1, false, 2);
    P.run();
    ASSERT_EQ(P.Reads.size(), 2u);
    Cycle Opened = C.RRD + C.RCD; // The second bank's row.
    EXPECT_EQ(P.Reads[1],
              std::max<Cycle>(Opened, P.Reads[0] + (Other == 2 ? 10 : 4)));
    EXPECT_EQ(P.Delivered[0].When, C.RCD + C.CCDLong + C.CL + C.BurstCycles);
  }
}

TEST(DramChannel, RefreshClosesRowsAndHoldsUpAll) {
  DramConfig C = smallMemory().Dram;
  C.RefreshInterval = 200;
  C.Refresh = 60;
  Probe P(C);
  P.add(0, 1);
  P.run();
  P.tickTo(190);
  P.add(0, 1); // A hit, before the refresh.
  P.tickTo(210);
  P.add(0, 1);
  P.add(1, 1);
  P.run();
  EXPECT_EQ(P.Reads[1], 190u);
  // The row was closed, and both are opened when all have been refreshed.
  Cycle End = 190 + C.RTP + C.RP + C.Refresh;
  EXPECT_EQ(P.Activates, (Cycles{0, End, End + C.RRD}));
  EXPECT_EQ(P.Reads[2], End + C.RCD);
}

} // namespace
} // namespace regshare::sim
