//===- TimingMemorySystemTest.cpp - The whole memory of the presets -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/AddressMap.h"
#include "TimingMemory.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <random>

namespace regshare::sim {
namespace {

MemoryConfig preset(const std::string &Name) {
  Result<DeviceDescription> D = loadDevice(Name);
  EXPECT_TRUE(D) << D.error().str();
  Result<MemoryConfig> C = readMemoryConfig(*D);
  EXPECT_TRUE(C) << C.error().str();
  return *C;
}

/// What the pipeline of an SM adds from load to use, in the presets.
constexpr Cycle Pipeline = 6;

struct Expected {
  const char *Name;
  Cycle Shared, L1, L2, Dram; ///< From load to use, the last with a conflict.
};

class Calibration : public testing::TestWithParam<Expected> {
protected:
  /// An address in another row of the bank that address 0 is in.
  static uint64_t otherRow(const MemoryConfig &C) {
    AddressMap Map(C);
    AddressMap::SliceLine Zero = Map.slice(0);
    unsigned Bank = Map.row(Zero.Slice, Zero.Line).Bank;
    uint64_t Row = Map.row(Zero.Slice, Zero.Line).Row;
    for (uint64_t Address = AddressMap::ChunkBytes;;
         Address += AddressMap::ChunkBytes) {
      AddressMap::SliceLine At = Map.slice(Address);
      AddressMap::RowOfBank Where = Map.row(At.Slice, At.Line);
      if (At.Slice == Zero.Slice && Where.Bank == Bank && Where.Row != Row)
        return Address;
    }
  }
  static MemoryAccess one(Space Where, uint64_t Address) {
    return accessOf(Where, MemoryOp::Load, Address, 0, 4, 1);
  }
};

TEST_P(Calibration, ADependentChainHasTheLatencyOfItsLevel) {
  const Expected &E = GetParam();
  MemoryConfig C = preset(E.Name);
  SmWithMemory M(C);
  M.latency(one(Space::Global, 0));
  EXPECT_EQ(M.latency(one(Space::Global, 0)) + Pipeline, E.L1);
  M.Unit.invalidate();
  EXPECT_EQ(M.latency(one(Space::Global, 0)) + Pipeline, E.L2);
  EXPECT_EQ(M.latency(one(Space::Global, otherRow(C))) + Pipeline, E.Dram);
  EXPECT_EQ(M.latency(one(Space::Shared, 0)) + Pipeline, E.Shared);
}

INSTANTIATE_TEST_SUITE_P(
    Presets, Calibration,
    testing::Values(Expected{"gtx480", 29, 40, 182, 317},
                    Expected{"gpgpusim-fermi", 29, 40, 182, 317},
                    Expected{"ltrf-maxwell", 29, 40, 212, 394},
                    Expected{"hopper", 29, 41, 263, 479}),
    [](const auto &Info) { return testNameOf(Info.param.Name); });

/// SMs that keep a number of requests under way.
struct Load {
  unsigned SMs = 1, Outstanding = 64;
  unsigned Count = 20000;
  Cycle Quantum = 16;
  std::function<MemoryRequest(unsigned SM, uint64_t Nth)> Make;
};

struct Outcome {
  Cycle End = 0;
  MemoryStats Stats;
  std::vector<std::tuple<unsigned, uint32_t, Cycle>> Replies; ///< As they came.

  /// Of the data bus, of all channels.
  double busShare(const MemoryConfig &C) const {
    return double(Stats.DramBusyCycles) * C.CoreMHz /
           (double(End) * C.Dram.ClockMHz * C.Dram.Channels);
  }
};

Outcome run(const MemoryConfig &C, const Load &L) {
  MemorySystem Memory(C, L.SMs);
  Outcome O;
  struct Sender {
    unsigned Free;
    std::deque<Cycle> Arriving;
  };
  std::vector<Sender> Senders(L.SMs, Sender{L.Outstanding, {}});
  std::vector<MemoryRequest> Requests;
  std::vector<MemoryReply> Replies;
  uint64_t Sent = 0;
  for (Cycle Now = 0; O.Replies.size() != L.Count; Now += L.Quantum) {
    EXPECT_LT(Now, 50000000u) << "requests are lost";
    if (Now >= 50000000)
      break;
    Requests.clear();
    Replies.clear();
    for (Cycle T = Now; T != Now + L.Quantum; ++T)
      for (unsigned SM = 0; SM != L.SMs; ++SM) {
        Sender &S = Senders[SM];
        for (; !S.Arriving.empty() && S.Arriving.front() <= T;
             S.Arriving.pop_front())
          ++S.Free;
        if (!S.Free || Sent == L.Count)
          continue;
        --S.Free;
        MemoryRequest R = L.Make(SM, Sent);
        R.When = T;
        R.SM = uint16_t(SM);
        R.Id = uint32_t(Sent++);
        Requests.push_back(R);
      }
    Memory.advance(Requests, Now + L.Quantum, Replies);
    for (const MemoryReply &R : Replies) {
      EXPECT_GE(R.When, Now + L.Quantum) << "comes in the past";
      std::deque<Cycle> &Arriving = Senders[R.SM].Arriving;
      EXPECT_TRUE(Arriving.empty() || Arriving.back() <= R.When);
      Arriving.push_back(R.When);
      O.Replies.emplace_back(R.SM, R.Id, R.When);
    }
    O.End = Now + L.Quantum;
  }
  O.Stats = Memory.stats();
  return O;
}

MemoryRequest sectors(uint64_t Address, unsigned Count, MemoryOp Op) {
  MemoryRequest R = lineRequest(0, Address & ~uint64_t(LineBytes - 1), Op);
  unsigned First = Address % LineBytes / SectorBytes;
  R.Sectors = uint8_t(((1u << Count) - 1) << First);
  R.Address += First * SectorBytes;
  R.Bytes = uint16_t(Count * SectorBytes);
  return R;
}

class Bandwidth : public testing::TestWithParam<const char *> {
protected:
  MemoryConfig C = preset(GetParam());
  Load L;

  void SetUp() override {
    L.SMs = loadDevice(GetParam())->NumSMs;
    L.Count = 4000 * C.Dram.Channels;
  }
};

INSTANTIATE_TEST_SUITE_P(Presets, Bandwidth, testing::ValuesIn(TimedPresets),
                         [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

TEST_P(Bandwidth, ReadingAStreamReachesThePeak) {
  // No turnaround, and the next row is opened in another bank while this one is
  // read: all of the peak can be had, but for refreshes.
  L.Make = [](unsigned, uint64_t N) {
    return sectors(N * LineBytes, 4, MemoryOp::Load);
  };
  Outcome O = run(C, L);
  double Refreshes = C.Dram.RefreshInterval
                         ? double(C.Dram.Refresh) / C.Dram.RefreshInterval
                         : 0;
  EXPECT_GT(O.busShare(C), 0.95 * (1 - Refreshes));
  EXPECT_LE(O.busShare(C), 1.0);
  EXPECT_EQ(O.Stats.DramReads,
            uint64_t(L.Count) * LineBytes / C.Dram.BurstBytes);
}

TEST_P(Bandwidth, CopyingLosesTheTurnarounds) {
  // Reads and writes take turns. A turn of writes is at least those between the
  // watermarks; the reads between two turns are as many, for a copy has as many
  // of both. What is lost is a turnaround each way.
  L.Count *= 2;
  L.Make = [this](unsigned, uint64_t N) {
    uint64_t Line = N / (2 * L.SMs) * L.SMs + N % L.SMs;
    return N / L.SMs % 2 ? sectors((uint64_t(1) << 32) + Line * LineBytes, 4,
                                   MemoryOp::Store)
                         : sectors(Line * LineBytes, 4, MemoryOp::Load);
  };
  Outcome O = run(C, L);
  const DramConfig &D = C.Dram;
  unsigned BurstsInLine = LineBytes / D.BurstBytes;
  double Turn = double(D.WriteHigh - D.WriteLow) * BurstsInLine * D.BurstCycles;
  double Lost = (D.CL + D.BurstCycles + D.Turnaround - D.WL) +
                (D.WL + D.BurstCycles + D.WTR) - 2.0 * D.BurstCycles;
  double Share = 2 * Turn / (2 * Turn + Lost);
  EXPECT_GT(O.busShare(C), Share * 0.90);
  EXPECT_LE(O.busShare(C), 1.0);
}

TEST_P(Bandwidth, RandomSectorsAreBoundByActivations) {
  // What the L2 fetches for a sector for each activation: one of every RRD
  // cycles, or as many as the banks can make in a row cycle.
  std::mt19937_64 Random(1);
  L.Outstanding = 256;
  L.Make = [&](unsigned, uint64_t) {
    return sectors(Random() % (uint64_t(1) << 34) / SectorBytes * SectorBytes,
                   1, MemoryOp::Load);
  };
  Outcome O = run(C, L);
  const DramConfig &D = C.Dram;
  unsigned Bursts =
      std::max(1u, C.L2.FetchSectors * SectorBytes / D.BurstBytes);
  double ByRRD = double(Bursts) * D.BurstCycles / D.RRD;
  double ByBanks = double(Bursts) * D.BurstCycles * D.Banks / D.RC;
  EXPECT_LE(O.busShare(C), std::min({ByRRD, ByBanks, 1.0}) * 1.001);
  EXPECT_GT(O.busShare(C), std::min({ByRRD, ByBanks, 1.0}) * 0.6);
  EXPECT_LT(double(O.Stats.DramRowHits),
            (1.05 - 1.0 / Bursts) * double(O.Stats.DramReads));
}

/// Loads, stores and atomics of all kinds over a few lines and rows.
MemoryRequest randomRequest(std::mt19937_64 &Random, uint64_t Lines) {
  MemoryOp Op = MemoryOp(std::min<uint64_t>(Random() % 8, 3));
  unsigned First = Random() % 4;
  return sectors(Random() % Lines * LineBytes + First * SectorBytes,
                 1 + Random() % (4 - First), Op);
}

TEST(MemorySystem, EveryRequestHasOneReply) {
  for (auto [Name, Lines] : {std::pair("gtx480", uint64_t(1) << 16),
                             {"gtx480", 64},
                             {"hopper", uint64_t(1) << 18},
                             {"ltrf-maxwell", 5000}}) {
    SCOPED_TRACE(Name);
    std::mt19937_64 Random(3);
    Load L;
    L.SMs = 8;
    L.Count = 30000;
    L.Make = [&, Lines = Lines](unsigned, uint64_t) {
      return randomRequest(Random, Lines);
    };
    Outcome O = run(preset(Name), L);
    std::vector<bool> Seen(L.Count);
    for (auto [SM, Id, When] : O.Replies) {
      ASSERT_LT(Id, L.Count);
      EXPECT_FALSE(Seen[Id]) << Id;
      Seen[Id] = true;
    }
    EXPECT_EQ(O.Stats.Requests, L.Count);
    EXPECT_EQ(O.Stats.Replies, L.Count);
    EXPECT_EQ(O.Stats.L2Hits + O.Stats.L2Merges + O.Stats.L2Misses +
                  O.Stats.L2StoreHits + O.Stats.L2StoreMisses,
              L.Count);
  }
}

/// Requests at random times, which do not depend on the replies.
std::vector<MemoryRequest> schedule(uint64_t Seed, unsigned SMs, Cycle Length) {
  std::mt19937_64 Random(Seed);
  std::vector<MemoryRequest> All;
  for (Cycle T = 0; T != Length; ++T)
    for (unsigned SM = 0; SM != SMs; ++SM)
      if (Random() % (T / 500 % 2 ? 3 : 60) == 0) {
        MemoryRequest R = randomRequest(Random, 20000);
        R.When = T;
        R.SM = uint16_t(SM);
        R.Id = uint32_t(All.size());
        All.push_back(R);
      }
  return All;
}

std::vector<std::tuple<unsigned, uint32_t, Cycle>>
replay(const MemoryConfig &C, const std::vector<MemoryRequest> &All,
       const std::function<Cycle()> &Step, MemoryStats &Stats) {
  MemorySystem Memory(C, 4);
  std::vector<MemoryReply> Replies;
  size_t Next = 0;
  Cycle Begin = All.front().When;
  for (Cycle Now = Begin; Next != All.size() || !Memory.isIdle();) {
    if (Now > Begin + 10000000) {
      ADD_FAILURE() << "requests are lost";
      break;
    }
    Cycle Until = Now + Step();
    size_t End = Next;
    while (End != All.size() && All[End].When < Until)
      ++End;
    Memory.advance(std::span(All).subspan(Next, End - Next), Until, Replies);
    Next = End;
    Now = Until;
  }
  Stats = Memory.stats();
  std::vector<std::tuple<unsigned, uint32_t, Cycle>> Result;
  Result.reserve(Replies.size());
  for (const MemoryReply &R : Replies)
    Result.emplace_back(R.SM, R.Id, R.When);
  return Result;
}

TEST(MemorySystem, StepsDoNotMatter) {
  for (const char *Name : {"gtx480", "ltrf-maxwell", "hopper"}) {
    SCOPED_TRACE(Name);
    MemoryConfig C = preset(Name);
    std::vector<MemoryRequest> All = schedule(9, 4, 6000);
    MemoryStats Stats[4];
    auto Single = replay(C, All, [] { return 1; }, Stats[0]);
    EXPECT_EQ(Single.size(), All.size());
    EXPECT_EQ(Single, replay(C, All, [] { return 16; }, Stats[1]));
    EXPECT_EQ(Single, replay(C, All, [] { return 100000; }, Stats[2]));
    std::mt19937 Random(4);
    EXPECT_EQ(Single,
              replay(C, All, [&] { return 1 + Random() % 40; }, Stats[3]));
    for (const MemoryStats &S : Stats) {
      EXPECT_EQ(S.DramBusyCycles, Stats[0].DramBusyCycles);
      EXPECT_EQ(S.L2StallCycles, Stats[0].L2StallCycles);
    }
  }
}

TEST(MemorySystem, ABacklogIsServedInOrder) {
  // One SM sends more at once than its port moves in thousands of cycles.
  MemoryConfig C = preset("gtx480");
  std::vector<MemoryRequest> All;
  for (uint32_t N = 0; N != 3000; ++N) {
    All.push_back(sectors(0, 4, MemoryOp::Store));
    All.back().Id = N;
  }
  MemoryStats Stats;
  auto Replies = replay(C, All, [] { return 16; }, Stats);
  ASSERT_EQ(Replies.size(), All.size());
  Cycle First = std::get<2>(Replies[0]);
  for (uint32_t N = 0; N != 3000; ++N)
    ASSERT_EQ(Replies[N], std::tuple(0u, N, First + N * C.flits(LineBytes)));
}

TEST(MemorySystem, RunsOfTheSameAreTheSame) {
  MemoryConfig C = preset("gtx480");
  std::vector<MemoryRequest> All = schedule(2, 4, 4000);
  MemoryStats Stats;
  auto Step = [] { return 16; };
  EXPECT_EQ(replay(C, All, Step, Stats), replay(C, All, Step, Stats));
}

TEST(MemorySystem, TimeBeginsAnywhere) {
  // The DRAM's clock is not a multiple of the core's: what comes a common
  // period later happens a common period later.
  MemoryConfig C = preset("gtx480");
  std::vector<MemoryRequest> All = schedule(6, 4, 3000), Later = All;
  Cycle Offset = Cycle(C.CoreMHz) * 1000003;
  for (MemoryRequest &R : Later)
    R.When += Offset;
  MemoryStats Stats;
  auto First = replay(C, All, [] { return 16; }, Stats);
  auto Second = replay(C, Later, [] { return 4096; }, Stats);
  for (auto &[SM, Id, When] : Second)
    When -= Offset;
  EXPECT_EQ(First, Second);
}

using Completions = std::vector<std::tuple<unsigned, uint32_t, Cycle>>;

/// A unit that is fed random accesses, as fast as it takes them.
struct FedUnit {
  static constexpr unsigned Count = 1500;

  FedUnit(const MemoryConfig &C, unsigned Number)
      : Number(Number), Unit(std::make_unique<LoadStoreUnit>(C, Number)),
        Random(Number) {}

  bool isDone() const { return Accepted == Count && Unit->isIdle(); }

  void run(Cycle From, Cycle To, bool EveryCycle, Completions &Completed,
           std::vector<MemoryRequest> &Requests) {
    for (Cycle T = From; T != To; ++T) {
      if (Accepted != Count && Unit->canAccept() && T % 3 == 0) {
        uint64_t Base = Random() % 4096 * LineBytes;
        MemoryAccess A = accessOf(
            Space::Global, Random() % 4 ? MemoryOp::Load : MemoryOp::Store,
            Base, Random() % 8 ? 4 : 128);
        A.Token = Accepted++;
        Unit->accept(A, T);
        Next = T;
      }
      if (!EveryCycle && T < Next)
        continue;
      Done.clear();
      Unit->tick(T, Done, Requests);
      for (const auto &D : Done)
        Completed.emplace_back(Number, D.Token, D.When);
      Next = Unit->nextEvent(T);
    }
  }

  unsigned Number;
  std::unique_ptr<LoadStoreUnit> Unit;
  std::mt19937_64 Random;
  unsigned Accepted = 0;
  Cycle Next = 0;
  std::vector<LoadStoreUnit::Completion> Done;
};

/// What a program sees: units of several SMs, and the memory in quanta.
Completions runUnits(Cycle Quantum, bool EveryCycle) {
  MemoryConfig C = preset("gtx480");
  const unsigned SMs = 3;
  MemorySystem Memory(C, SMs);
  std::vector<FedUnit> All;
  for (unsigned N = 0; N != SMs; ++N)
    All.emplace_back(C, N);
  Completions Completed;
  std::vector<MemoryRequest> Requests, Ordered;
  std::vector<MemoryReply> Replies;
  auto Idle = [&] {
    return Memory.isIdle() && std::ranges::all_of(All, &FedUnit::isDone);
  };
  for (Cycle Now = 0; !Idle() && Now < 10000000;) {
    Requests.clear();
    Replies.clear();
    Ordered.clear();
    for (FedUnit &U : All)
      U.run(Now, Now + Quantum, EveryCycle, Completed, Requests);
    for (Cycle T = Now; T != Now + Quantum; ++T)
      for (unsigned N = 0; N != SMs; ++N)
        std::ranges::copy_if(
            Requests, std::back_inserter(Ordered),
            [&](const MemoryRequest &R) { return R.When == T && R.SM == N; });
    Now += Quantum;
    Memory.advance(Ordered, Now, Replies);
    for (const MemoryReply &R : Replies) {
      All[R.SM].Unit->receive(R);
      All[R.SM].Next = std::min(All[R.SM].Next, R.When);
    }
  }
  std::ranges::sort(Completed);
  EXPECT_EQ(Completed.size(), size_t(SMs) * FedUnit::Count);
  return Completed;
}

TEST(MemorySystem, UnitsCompleteTheSameInQuantaOfAnyLength) {
  auto Single = runUnits(1, true);
  EXPECT_EQ(Single, runUnits(16, true));
  EXPECT_EQ(Single, runUnits(16, false));
  EXPECT_EQ(Single, runUnits(5, false));
}

} // namespace
} // namespace regshare::sim
