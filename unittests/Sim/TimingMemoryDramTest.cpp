//===- TimingMemoryDramTest.cpp - A DRAM channel --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramChannel.h"
#include "TimingMemory.h"

#include <deque>
#include <random>

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

/// The same rules, looked at in every cycle and with nothing remembered.
class SlowChannel {
public:
  explicit SlowChannel(const DramConfig &C) : C(C), Banks(C.Banks) {}

  struct Waiting {
    DramAccess A;
    Cycle Arrival;
    uint64_t Order;
  };
  struct Bank {
    int64_t Open = -1;
    Cycle Act = 0, Pre = 0, Col = 0;
    int64_t Chosen = -1; ///< Order of the access it works for.
  };
  DramConfig C;
  std::vector<Bank> Banks;
  std::deque<Waiting> Queue;
  bool Writing = false;
  unsigned Budget = 0;
  int64_t Must = -1;
  uint64_t Count = 0;
  Cycle BusFree = 0, ReadFree = 0, WriteFree = 0, ActFree = 0;
  std::vector<std::pair<Cycle, uint32_t>> Done;

  size_t count(bool IsWrite) const {
    size_t N = 0;
    for (const Waiting &W : Queue)
      N += W.A.IsWrite == IsWrite;
    return N;
  }
  void accept(const DramAccess &A, Cycle Now) {
    Queue.push_back({A, Now, Count++});
    if (direct(Now) || A.IsWrite != Writing)
      return;
    Bank &B = Banks[A.Bank];
    const Waiting *Old = find(B.Chosen);
    if (!Old || (B.Open == int64_t(A.Row) && int64_t(Old->A.Row) != B.Open &&
                 Now - Old->Arrival <= C.AgeLimit))
      B.Chosen = int64_t(Count - 1);
  }
  void tick(Cycle Now) {
    const Waiting *Row = nullptr, *Column = nullptr;
    for (const Waiting &W : Queue) { // By age.
      const Bank &B = Banks[W.A.Bank];
      if (B.Chosen != int64_t(W.Order))
        continue;
      bool Hit = B.Open == int64_t(W.A.Row);
      if (Hit && !Column && Now >= B.Col && Now >= BusFree &&
          Now >= (Writing ? WriteFree : ReadFree))
        Column = &W;
      if (!Hit && !Row &&
          (B.Open >= 0 ? Now >= B.Pre : Now >= B.Act && Now >= ActFree))
        Row = &W;
    }
    if (Row)
      issueRow(*Row, Now);
    if (Column)
      issueColumn(*Column, Now);
  }

private:
  const Waiting *find(int64_t Order) const {
    for (const Waiting &W : Queue)
      if (int64_t(W.Order) == Order)
        return &W;
    return nullptr;
  }
  int64_t best(unsigned N, Cycle Now) const {
    const Waiting *Oldest = nullptr;
    for (const Waiting &W : Queue) {
      if (W.A.Bank != N || W.A.IsWrite != Writing)
        continue;
      if (!Oldest)
        Oldest = &W;
      if (Now - Oldest->Arrival > C.AgeLimit)
        break;
      if (int64_t(W.A.Row) == Banks[N].Open)
        return int64_t(W.Order);
    }
    return Oldest ? int64_t(Oldest->Order) : -1;
  }
  bool direct(Cycle Now) {
    unsigned Writes = unsigned(count(true)), Reads = unsigned(count(false));
    bool Old = false;
    for (const Waiting &W : Queue)
      Old |= W.A.IsWrite && Now - W.Arrival > C.AgeLimit;
    bool Ended =
        !find(Must) && (Budget == 0 || (Writing && Writes <= C.WriteLow));
    bool Want = Writing;
    if (Writes == 0 || Reads == 0)
      Want = Writes != 0;
    else if (Writing)
      Want = !Ended;
    else
      Want = Ended && (Old || Writes >= C.WriteHigh);
    if (Want == Writing)
      return false;
    Writing = Want;
    Must = -1;
    for (auto W = Queue.rbegin(); W != Queue.rend(); ++W)
      if (W->A.IsWrite == Writing)
        Must = Now - W->Arrival > C.AgeLimit ? int64_t(W->Order) : -1;
    Budget = Reads;
    if (Writing && Reads)
      Budget = Writes;
    for (unsigned N = 0; N != Banks.size(); ++N)
      Banks[N].Chosen = best(N, Now);
    return true;
  }
  void issueRow(const Waiting &W, Cycle Now) {
    Bank &B = Banks[W.A.Bank];
    if (B.Open >= 0) {
      B.Open = -1;
      B.Act = std::max(B.Act, Now + C.RP);
      return;
    }
    B.Open = int64_t(W.A.Row);
    B.Col = Now + C.RCD;
    B.Pre = Now + C.RAS;
    B.Act = Now + C.RC;
    ActFree = Now + C.RRD;
  }
  void issueColumn(Waiting W, Cycle Now) {
    Bank &B = Banks[W.A.Bank];
    Cycle Step = std::max(C.CCD, C.BurstCycles);
    Cycle Last = Now + (W.A.Bursts - 1) * Step;
    BusFree = Last + Step;
    if (W.A.IsWrite) {
      ReadFree = Last + C.WL + C.BurstCycles + C.WTR;
      B.Pre = std::max(B.Pre, Last + C.WL + C.BurstCycles + C.WR);
    } else {
      WriteFree = Last + C.CL + C.BurstCycles + C.Turnaround - C.WL;
      B.Pre = std::max(B.Pre, Last + C.RTP);
      Done.emplace_back(Last + C.CL + C.BurstCycles, W.A.Fetch);
    }
    std::erase_if(Queue,
                  [&](const Waiting &Other) { return Other.Order == W.Order; });
    Budget -= Budget != 0;
    B.Chosen = best(W.A.Bank, Now);
    direct(Now + 1);
  }
};

/// Random accesses in bursts, against the slow model; \p EveryCycle looks at
/// the channel in every cycle, else only when it says that it has to be.
void compareWithSlow(unsigned Seed, bool EveryCycle) {
  std::mt19937 Random(Seed);
  DramConfig C = smallMemory().Dram;
  C.AgeLimit = Seed % 3 ? 300 : 100000;
  C.RRD = 1 + Random() % 8;
  C.CCD = 1 + Random() % 4;
  C.BurstCycles = 1 + Random() % 4;
  C.RC = 28 + Random() % 30;
  MemoryStats Stats;
  DramChannel Fast(C, Stats);
  SlowChannel Slow(C);
  std::vector<DramChannel::Delivery> Done;
  unsigned Left = 3000, Rows = 1 + Random() % 6;
  for (Cycle Now = 0; Left || !Slow.Queue.empty(); ++Now) {
    ASSERT_LT(Now, 1000000u);
    bool Busy = Now / 512 % 2;
    while (Left && Random() % (Busy ? 2 : 40) == 0) {
      DramAccess A;
      A.Bank = uint8_t(Random() % C.Banks);
      A.Row = Random() % Rows;
      A.IsWrite = Random() % 3 == 0;
      A.Bursts = uint8_t(1 + Random() % 4);
      A.Fetch = Left;
      ASSERT_EQ(Fast.canAccept(A.IsWrite),
                Slow.count(A.IsWrite) < (A.IsWrite ? C.WriteQueue : C.Queue));
      if (!Fast.canAccept(A.IsWrite))
        break;
      Fast.accept(A, Now);
      Slow.accept(A, Now);
      --Left;
    }
    if (EveryCycle || Fast.nextCommand() <= Now)
      Fast.issue(Now, Done);
    Slow.tick(Now);
  }
  EXPECT_TRUE(Fast.isIdle());
  ASSERT_EQ(Done.size(), Slow.Done.size());
  for (size_t N = 0; N != Done.size(); ++N)
    ASSERT_EQ(std::pair(Done[N].When, Done[N].Fetch), Slow.Done[N]) << N;
}

TEST(DramChannel, AgreesWithTheSlowModel) {
  for (unsigned Seed = 0; Seed != 30; ++Seed) {
    SCOPED_TRACE(Seed);
    compareWithSlow(Seed, true);
  }
}

TEST(DramChannel, MayBeLookedAtOnlyWhenSomethingIsDue) {
  for (unsigned Seed = 0; Seed != 30; ++Seed) {
    SCOPED_TRACE(Seed);
    compareWithSlow(Seed, false);
  }
}

} // namespace
} // namespace regshare::sim
