//===- ModernUnitsTest.cpp - Units of a modern core, each alone -----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzIterations.h"
#include "Timing/Core/Modern/Dependences.h"
#include "Timing/Core/Modern/MemoryPipe.h"
#include "Timing/Core/Modern/ReadPorts.h"

#include <gmock/gmock.h>
#include <map>
#include <optional>
#include <random>

namespace regshare::sim {
namespace {

using testing::ElementsAre;

//===----------------------------------------------------------------------===//
// Read ports
//===----------------------------------------------------------------------===//

/// Tries one cycle after the other with a list of all reads.
struct SlowPorts {
  unsigned Ports;
  std::map<std::pair<unsigned, Cycle>, unsigned> Reads;

  Cycle reserve(const ReadPorts::Demand &D, unsigned Length, Cycle From) {
    for (;; ++From) {
      auto Tried = Reads;
      bool Fits = true;
      for (unsigned B = 0; B != ReadPorts::MaxBanks; ++B)
        for (unsigned N = 0; N != D[B]; ++N) {
          bool Found = false;
          for (unsigned K = 1; K <= Length && !Found; ++K)
            if (Tried[{B, From + K}] < Ports) {
              ++Tried[{B, From + K}];
              Found = true;
            }
          Fits &= Found;
        }
      if (!Fits)
        continue;
      Reads = Tried;
      return From;
    }
  }
};

TEST(ReadPorts, EqualASlowSearch) {
  std::mt19937 Random(1);
  for (unsigned Banks : {1u, 2u, 4u})
    for (unsigned Ports : {1u, 2u}) {
      ReadPorts Fast(Banks, Ports);
      SlowPorts Slow{Ports, {}};
      Cycle From = 0;
      for (unsigned N = 0; N != test::randomCases(2000); ++N) {
        From += Random() % 3;
        ReadPorts::Demand D = {};
        for (unsigned K = Random() % 5; K; --K)
          ++D[Random() % Banks];
        unsigned Length = Fast.cyclesFor(D, 3);
        Cycle Got = Fast.reserve(D, Length, From);
        ASSERT_EQ(Got, Slow.reserve(D, Length, From)) << "after " << N;
        From = Got;
      }
    }
}

/// Huerta et al.: a multiplication with both sources in one bank leaves one
/// cycle less to the next, a multiply-add with all three two.
TEST(ReadPorts, SourcesOfOneBank) {
  for (unsigned Sources : {1u, 2u, 3u}) {
    ReadPorts P(2, 1);
    ReadPorts::Demand D = {};
    D[0] = uint8_t(Sources);
    Cycle Last = 0;
    for (unsigned N = 0; N != 50; ++N)
      Last = P.reserve(D, P.cyclesFor(D, 3), N ? Last + 1 : 0);
    EXPECT_NEAR(double(Last) / 49, Sources, 0.1);
  }
}

TEST(ReadPorts, MoreReadsTakeLonger) {
  ReadPorts P(2, 1);
  ReadPorts::Demand D = {};
  D[1] = 5;
  EXPECT_EQ(P.cyclesFor(D, 3), 5u);
  EXPECT_EQ(ReadPorts(2, 2).cyclesFor(D, 3), 3u);
  EXPECT_EQ(P.reserve(D, 5, 10), 10u);
  EXPECT_EQ(P.freeAt(1, 11), 0u);
  EXPECT_EQ(P.freeAt(1, 15), 0u);
  EXPECT_EQ(P.freeAt(1, 16), 1u);
  EXPECT_EQ(P.freeAt(0, 11), 1u);
}

//===----------------------------------------------------------------------===//
// Memory pipe
//===----------------------------------------------------------------------===//

ModernConfig memoryConfig() {
  ModernConfig C;
  C.MemoryQueue = 5;
  C.AddressInterval = 4;
  C.SharedInterval = 2;
  return C;
}

/// Issues global loads, or of constants, from \p Cores sub-cores as fast as
/// they may; when those of each issued, from cycle 2 on.
std::vector<std::vector<Cycle>>
issueTimes(unsigned Cores, unsigned Each, bool AreConstants = false,
           const ModernConfig &C = memoryConfig()) {
  MemoryPipe P(C, 4);
  std::vector<std::vector<Cycle>> Times(Cores);
  std::map<Cycle, std::vector<unsigned>> Reads; // sub-cores, by cycle
  for (Cycle Now = 2; Now != 200; ++Now) {
    P.tick(Now, true, [&](uint32_t, Cycle Issue) { EXPECT_LE(Issue, Now); });
    for (unsigned S : Reads[Now])
      P.enter(S, S, 11, AreConstants, Now - 2, Now);
    for (unsigned S = 0; S != Cores; ++S)
      if (Times[S].size() != Each && P.hasRoom(S)) {
        P.issued(S);
        Times[S].push_back(Now);
        Reads[Now + 2].push_back(S);
      }
  }
  return Times;
}

/// Huerta et al., table of memory instructions: five in a row, the sixth at 13
/// and one every 4 cycles where one sub-core is at it.
TEST(MemoryPipe, OneSubCore) {
  EXPECT_THAT(issueTimes(1, 9)[0], ElementsAre(2, 3, 4, 5, 6, 13, 17, 21, 25));
}

/// Their own interval counts for constants alone.
TEST(MemoryPipe, Constants) {
  ModernConfig C = memoryConfig();
  C.ConstantInterval = 8;
  EXPECT_THAT(issueTimes(1, 9, true, C)[0],
              ElementsAre(2, 3, 4, 5, 6, 13, 21, 29, 37));
  EXPECT_EQ(issueTimes(1, 9, false, C), issueTimes(1, 9));
  EXPECT_EQ(issueTimes(1, 9, true), issueTimes(1, 9));
}

/// With all four, one every 8 cycles of each, 2 cycles apart.
TEST(MemoryPipe, FourSubCores) {
  auto Times = issueTimes(4, 8);
  EXPECT_THAT(Times[0], ElementsAre(2, 3, 4, 5, 6, 13, 21, 29));
  EXPECT_THAT(Times[1], ElementsAre(2, 3, 4, 5, 6, 15, 23, 31));
  EXPECT_THAT(Times[2], ElementsAre(2, 3, 4, 5, 6, 17, 25, 33));
  EXPECT_THAT(Times[3], ElementsAre(2, 3, 4, 5, 6, 19, 27, 35));
}

TEST(MemoryPipe, WaitsForRoom) {
  ModernConfig C = memoryConfig();
  MemoryPipe P(C, 4);
  P.issued(1);
  P.enter(1, 7, 9, false, 2, 4);
  EXPECT_EQ(P.nextEvent(4), 11u);
  unsigned Left = 0;
  auto Leave = [&](uint32_t Token, Cycle Issue) {
    EXPECT_EQ(Token, 7u);
    EXPECT_EQ(Issue, 3u);
    ++Left;
  };
  P.tick(11, false, Leave);
  EXPECT_EQ(Left, 0u);
  EXPECT_EQ(P.nextEvent(11), 12u);
  P.tick(12, true, Leave);
  EXPECT_EQ(Left, 1u);
  EXPECT_EQ(P.nextEvent(12), Never);
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Remembers all that was ever written.
struct SlowDependences {
  struct Write {
    uint32_t Access;
    Cycle From;
    IssueClass By;
  };
  FixedLatencies L;
  std::vector<Write> Writes;

  Cycle readyAt(const IssueInfo &I, unsigned NumRows) const {
    Cycle Ready = 0;
    for (unsigned K = 0; K != unsigned(I.NumReads + I.NumWrites); ++K) {
      auto Last =
          std::find_if(Writes.rbegin(), Writes.rend(), [&](const Write &W) {
            return W.Access == I.Accesses[K];
          });
      if (Last == Writes.rend())
        continue;
      bool IsPredicate =
          I.Accesses[K] >= NumRows && Last->By != IssueClass::Uniform;
      Cycle There = 0;
      if (K < I.NumReads) {
        There =
            Last->From +
            L.cycles(Last->By,
                     IsPredicate && I.IsGuarded ? IssueClass::Guard : I.Class,
                     IsPredicate);
      } else if (hasFixedLatency(I.Class)) {
        // Its own result has to come after the last one's.
        Cycle Comes = Last->From + L.cycles(Last->By, Last->By, false);
        unsigned Own = L.cycles(I.Class, I.Class, false);
        if (Comes + 1 > Last->From + Own + 1)
          There = Comes + 1 - Own;
      }
      Ready = std::max(Ready, There);
    }
    return Ready;
  }
};

TEST(Dependences, EqualAListOfAllWrites) {
  constexpr unsigned NumRows = 6, Accesses = 9;
  FixedLatencies L = *FixedLatencies::get("sm_75");
  std::mt19937 Random(1);
  Dependences Fast(L, 2, Accesses);
  SlowDependences Slow{L, {}};
  for (Cycle Now = 100; Now != 20'000; ++Now) {
    uint32_t List[4];
    for (uint32_t &Each : List)
      Each = Random() % Accesses;
    IssueInfo I;
    I.Accesses = List;
    I.NumReads = 2;
    I.NumWrites = uint16_t(Random() % 3);
    I.Class = IssueClass(Random() % NumIssueClasses);
    I.IsGuarded = Random() % 2;
    ASSERT_EQ(Fast.readyAt(1, I, NumRows), Slow.readyAt(I, NumRows));
    EXPECT_EQ(Fast.readyAt(0, I, NumRows), 0u) << "another warp";
    if (!hasFixedLatency(I.Class) || Random() % 3)
      continue;
    Fast.writes(1, I, Now);
    for (unsigned K = 0; K != I.NumWrites; ++K)
      Slow.Writes.push_back({List[2 + K], Now, I.Class});
  }
}

TEST(Dependences, SourcesAreReadBeforeTheyAreOverwritten) {
  Dependences D(*FixedLatencies::get("sm_75"), 2, 8);
  uint32_t Load[] = {3, 4}, Other[] = {5, 3};
  IssueInfo L, W;
  L.Accesses = Load;
  L.NumReads = L.NumWrites = 1;
  W.Accesses = Other;
  W.NumReads = W.NumWrites = 1;
  D.beginsReading(1, L);
  D.beginsReading(1, L);
  EXPECT_TRUE(D.overwrites(1, W));
  EXPECT_FALSE(D.overwrites(0, W));
  EXPECT_FALSE(D.overwrites(1, L));
  D.hasRead(1, L);
  EXPECT_TRUE(D.overwrites(1, W));
  D.hasRead(1, L);
  EXPECT_FALSE(D.overwrites(1, W));
}

} // namespace
} // namespace regshare::sim
