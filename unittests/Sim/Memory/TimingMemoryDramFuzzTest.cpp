//===- TimingMemoryDramFuzzTest.cpp - A DRAM channel against a slow one ---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzIterations.h"
#include "Timing/Memory/DramChannel.h"
#include "TimingMemory.h"

#include <deque>
#include <random>

namespace regshare::sim {
namespace {

/// The same rules, looked at in every cycle and with nothing remembered.
class SlowChannel {
public:
  explicit SlowChannel(const DramConfig &C)
      : C(C), Banks(C.Banks), GroupFree(C.BankGroups) {}

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
  std::vector<Cycle> GroupFree;
  Cycle Before = 0;    ///< The last column of all accesses so far.
  Cycle Refreshes = 1; ///< The number of the next one.
  std::vector<std::pair<Cycle, uint32_t>> Done;

  size_t count(bool IsWrite) const {
    size_t N = 0;
    for (const Waiting &W : Queue)
      N += W.A.IsWrite == IsWrite;
    return N;
  }
  void accept(const DramAccess &A, Cycle Now) {
    refresh(Now);
    Queue.push_back({A, Now, Count++});
    if (direct(Now) || A.IsWrite != Writing)
      return;
    Bank &B = Banks[A.Bank];
    const Waiting *Old = find(B.Chosen);
    if (!Old || (B.Open == int64_t(A.Row) && int64_t(Old->A.Row) != B.Open &&
                 Now - Old->Arrival <= C.AgeLimit))
      B.Chosen = int64_t(Count - 1);
  }
  /// Writes may be left that still gather.
  bool isBusy() const {
    return C.Turns == WriteTurns::Idle
               ? !Queue.empty()
               : count(false) || (Writing && count(true) > C.WriteLow);
  }
  void tick(Cycle Now) {
    refresh(Now);
    const Waiting *Row = nullptr, *Column = nullptr;
    for (const Waiting &W : Queue) { // By age.
      const Bank &B = Banks[W.A.Bank];
      if (B.Chosen != int64_t(W.Order))
        continue;
      bool Hit = B.Open == int64_t(W.A.Row);
      if (Hit && !Column && Now >= B.Col && Now >= BusFree &&
          Now >= GroupFree[W.A.Bank & (C.BankGroups - 1)] &&
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
  /// In every multiple of the interval: nothing is open, and nothing opens
  /// until all banks were closed and refreshed.
  void refresh(Cycle Now) {
    if (!C.RefreshInterval || Now < Refreshes * C.RefreshInterval)
      return;
    Cycle End = Refreshes++ * C.RefreshInterval;
    for (Bank &B : Banks)
      if (B.Open >= 0)
        End = std::max(End, B.Pre + C.RP);
    End += C.Refresh;
    for (unsigned N = 0; N != Banks.size(); ++N) {
      Banks[N].Act = std::max(Banks[N].Act, End);
      Banks[N].Open = -1;
      Banks[N].Chosen = best(N, Now);
    }
  }
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
    if (C.Turns == WriteTurns::Gathered && Writing)
      Want = Writes > C.WriteLow && !(Ended && Reads);
    else if (C.Turns == WriteTurns::Gathered)
      Want = Writes >= C.WriteHigh && (Ended || !Reads);
    else if (Writes == 0 || Reads == 0)
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
    if (Writing && (Reads || C.Turns == WriteTurns::Gathered))
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
    Cycle InGroup = std::max<Cycle>(Step, C.CCDLong);
    Cycle Last = Now + (W.A.Bursts - 1) * InGroup;
    if (Before + Step > Last)
      Last = Before + Step;
    Before = Last;
    BusFree = Now + W.A.Bursts * Step;
    GroupFree[W.A.Bank & (C.BankGroups - 1)] = Now + W.A.Bursts * InGroup;
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
  C.Turns = Seed % 7 < 3 ? WriteTurns::Gathered : WriteTurns::Idle;
  C.RRD = 1 + Random() % 8;
  C.CCD = 1 + Random() % 4;
  C.BurstCycles = 1 + Random() % 4;
  C.RC = 28 + Random() % 30;
  if (Seed % 2) {
    C.BankGroups = 1u << Random() % 3;
    C.CCDLong = C.CCD + Random() % 4;
  }
  if (Seed % 5 > 1) {
    C.RefreshInterval = 100 + Random() % 900;
    C.Refresh = 1 + Random() % 50;
  }
  MemoryStats Stats;
  DramChannel Fast(C, Stats);
  SlowChannel Slow(C);
  std::vector<DramChannel::Delivery> Done;
  unsigned Left = 3000, Rows = 1 + Random() % 6;
  for (Cycle Now = 0; Left || Slow.isBusy(); ++Now) {
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
  for (unsigned Seed = 0; Seed != test::randomCases(30); ++Seed) {
    SCOPED_TRACE(Seed);
    compareWithSlow(Seed, true);
  }
}

TEST(DramChannel, MayBeLookedAtOnlyWhenSomethingIsDue) {
  for (unsigned Seed = 0; Seed != test::randomCases(30); ++Seed) {
    SCOPED_TRACE(Seed);
    compareWithSlow(Seed, false);
  }
}

} // namespace
} // namespace regshare::sim
