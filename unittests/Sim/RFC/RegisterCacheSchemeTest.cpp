//===- RegisterCacheSchemeTest.cpp - Banks and ports of LTRF and RFC ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/LTRF/LTRFScheme.h"
#include "Schemes/RFC/RFCScheme.h"
#include "Schemes/SchemeModel.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/Base/RFC/RFC.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace regshare::sim {
namespace {

/// A scheme on ltrf-maxwell, with everything that it refers to.
template <typename SchemeT> struct Bench {
  DeviceDescription Device;
  KernelNeeds Needs;
  Residency Resident;
  SettingValues Values;
  std::vector<std::vector<unsigned>> WorkingSets;
  std::any Groups;
  CoreConfig Core;
  SchemeT S;

  explicit Bench(std::vector<std::vector<unsigned>> Sets = {},
                 unsigned PlaceRows = 16)
      : Device(*loadDevice("ltrf-maxwell")), Needs{{40, 128, 0}, {}},
        WorkingSets(std::move(Sets)), Groups(WorkingSets),
        Core(coreOf(PlaceRows)),
        S({Device, Core, Needs, Resident, Values, &Groups}) {}

  CoreConfig coreOf(unsigned PlaceRows) {
    Needs.Facts.set(IntervalBounds{unsigned(WorkingSets.size()), PlaceRows});
    CoreConfig Own = *readCoreConfig(Device);
    Own.CacheRows = PlaceRows;
    constexpr bool IsRFC = std::is_same_v<SchemeT, RFCScheme>;
    return *findModel(IsRFC ? schemes::RFC : schemes::LTRF)
                ->coreFor(Own, Needs);
  }
};

/// An instruction that writes some rows.
struct Write {
  std::vector<uint32_t> Rows;
  IssueInfo Info;

  Write(unsigned First, unsigned Count) : Rows(Count) {
    std::iota(Rows.begin(), Rows.end(), First);
    Info.Accesses = Rows.data();
    Info.NumWrites = uint16_t(Count);
  }
};

constexpr WarpRef First{5, 0, 0};
constexpr unsigned MainBanks = 16;

uint32_t mainBank(unsigned Row) { return 1u << (Row + First.Slot) % MainBanks; }
uint32_t cacheBank(unsigned Bank) { return 1u << (MainBanks + Bank); }

/// What is displaced leaves its bank in the next cycle, and comes to the main
/// file's in the one after that.
TEST(RFCScheme, WhatIsDisplacedTakesBothBanks) {
  Bench<RFCScheme> B;
  B.S.resident(First);
  B.S.activated(First);
  B.S.tick(100);
  B.S.landed(First, Write(0, 16).Info);
  B.S.tick(101);
  EXPECT_EQ(B.S.takenBanks(), 0u);
  // R0 and R1 are the oldest.
  B.S.landed(First, Write(16, 2).Info);
  EXPECT_EQ(B.S.takenBanks(), 0u);
  B.S.tick(102);
  EXPECT_EQ(B.S.takenBanks(), cacheBank(0) | cacheBank(1));
  B.S.tick(103);
  EXPECT_EQ(B.S.takenBanks(), mainBank(0) | mainBank(1));
  B.S.tick(104);
  EXPECT_EQ(B.S.takenBanks(), 0u);
}

/// Where a warp has rows for the first eight registers, or for all.
class LosesRows final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  unsigned endOfRows(const WarpRef &) const override { return End; }
  unsigned End = ~0u;
};

/// Results of registers that lose their rows leave holes, which go back to
/// nowhere; what lands without a row does not come into the cache.
TEST(RFCScheme, ForgetsWhatHasLostItsRow) {
  Bench<RFCScheme> B;
  LosesRows Rows({B.Device, B.Core, B.Needs, B.Resident, B.Values});
  B.S.backedBy(Rows);
  B.S.resident(First);
  B.S.activated(First);
  B.S.tick(100);
  B.S.landed(First, Write(0, 16).Info);
  Rows.End = 8;
  EXPECT_TRUE(B.S.mayGiveRowsBack(First));
  B.S.gaveRowsBack(First);
  B.S.begunToHold(First);
  EXPECT_EQ(B.S.violation(), "");
  B.S.landed(First, Write(8, 1).Info);
  B.S.begunToHold(First);
  EXPECT_EQ(B.S.violation(), "");
  Rows.End = ~0u;
  // It takes the place of R0, and R8 comes back in another bank.
  B.S.landed(First, Write(8, 1).Info);
  EXPECT_EQ(B.S.cacheStats().WrittenBack, 1u);
  EXPECT_FALSE(B.S.mayGiveRowsBack(First));
  EXPECT_EQ(B.S.readyAt(First), 103u);
  B.S.tick(103);
  EXPECT_TRUE(B.S.mayGiveRowsBack(First));
  B.S.parked(First);
  EXPECT_EQ(B.S.cacheStats().WrittenBack, 1u + 7 + 1);
}

/// Where the cache is not told, it finds that it has what has no row.
template <typename SchemeT> std::string foundAtAcquire() {
  Bench<SchemeT> B({{0, 9}});
  LosesRows Rows({B.Device, B.Core, B.Needs, B.Resident, B.Values});
  B.S.backedBy(Rows);
  B.S.resident(First);
  B.S.activated(First);
  B.S.tick(100);
  IssueInfo Prefetch;
  Prefetch.Statement = LTRFCode::Prefetch;
  Prefetch.Group = 0;
  B.S.issued(First, Prefetch);
  B.S.landed(First, Write(9, 1).Info);
  Rows.End = 8;
  B.S.begunToHold(First);
  return B.S.violation();
}

TEST(RegisterCaches, WhatHasNoRowIsFound) {
  const std::string Found =
      "the register cache has a value of R9, for which the warp has had no row "
      "in the register file";
  EXPECT_EQ(foundAtAcquire<RFCScheme>(), Found);
  EXPECT_EQ(foundAtAcquire<LTRFScheme>(), Found);
}

/// A warp that leaves takes a cycle for each row of a bank.
TEST(RFCScheme, AWarpThatLeavesTakesItsRowsBack) {
  Bench<RFCScheme> B;
  B.S.resident(First);
  B.S.activated(First);
  B.S.tick(100);
  const unsigned Rows[] = {3, 3 + 16, 3 + 32, 4};
  for (unsigned Row : Rows)
    B.S.landed(First, Write(Row, 1).Info);
  B.S.parked(First);
  EXPECT_EQ(B.S.cacheStats().WrittenBack, 4u);
  unsigned Taken = 0;
  for (unsigned Cycle = 101; Cycle != 110; ++Cycle) {
    B.S.tick(Cycle);
    Taken += unsigned(std::popcount(B.S.takenBanks()));
    EXPECT_EQ((B.S.takenBanks() & mainBank(3)) != 0,
              Cycle >= 102 && Cycle < 105)
        << Cycle;
  }
  EXPECT_EQ(Taken, 2 * 4u);
}

/// A place of RFC as a queue: the oldest row makes room, and its bank is the
/// new one's.
struct QueueOfRows {
  unsigned Capacity;
  std::vector<std::pair<uint32_t, unsigned>> Rows; ///< And their banks.

  /// The bank that a result goes to.
  unsigned land(uint32_t Row) {
    for (const auto &[Held, Bank] : Rows)
      if (Held == Row)
        return Bank;
    unsigned Bank = unsigned(Rows.size());
    if (Bank == Capacity) {
      Bank = Rows.front().second;
      Rows.erase(Rows.begin());
    }
    Rows.emplace_back(Row, Bank);
    return Bank;
  }
};

/// The banks that an instruction's results take are those in which its rows are
/// then found; the halves of a pair have one each.
TEST(RFCScheme, ResultsLandInTheBanksTheyTake) {
  std::mt19937 Random(7);
  for (unsigned PlaceRows : {1, 3, 8, 16}) {
    Bench<RFCScheme> B({}, PlaceRows);
    QueueOfRows Queue{PlaceRows, {}};
    B.S.resident(First);
    B.S.activated(First);
    for (unsigned N = 0; N != 2000; ++N) {
      unsigned Count = 1u << Random() % 4;
      Write W(unsigned(Random() % (32 / Count)) * Count, Count);
      B.S.tick(100 + N);
      uint32_t Taken = B.S.resultBanks(First, W.Info, 40), Expected = 0;
      B.S.landed(First, W.Info);
      for (uint32_t Row : W.Rows)
        Expected |= cacheBank(Queue.land(Row));
      EXPECT_EQ(Taken, Expected);
      for (auto [Row, Bank] : Queue.Rows)
        ASSERT_EQ(1u << B.S.read(First, Row).Bank, cacheBank(Bank));
    }
  }
}

/// Results of warps that are not active go to the main file, and predicates to
/// neither.
TEST(RFCScheme, LateResultsTakeBanksOfTheMainFile) {
  Bench<RFCScheme> B;
  B.S.resident(First);
  EXPECT_EQ(B.S.resultBanks(First, Write(4, 2).Info, 40),
            mainBank(4) | mainBank(5));
  EXPECT_EQ(B.S.resultBanks(First, Write(39, 2).Info, 40), mainBank(39));
}

/// The table of addresses gives two in a cycle.
TEST(LTRFScheme, OperandsAreFoundTwoInACycle) {
  Bench<LTRFScheme> B({{0, 1, 2, 3, 4}});
  B.S.resident(First);
  B.S.activated(First);
  IssueInfo Prefetch;
  Prefetch.Statement = LTRFCode::Prefetch;
  Prefetch.Group = 0;
  B.S.tick(100);
  B.S.issued(First, Prefetch);
  OperandRequest R;
  for (unsigned Row = 0; Row != 5; ++Row)
    R.Reads[R.NumReads++] = B.S.read(First, Row);
  B.S.located(R);
  for (unsigned Row = 0; Row != 5; ++Row) {
    EXPECT_EQ(R.Reads[Row].Bank, Row);
    EXPECT_EQ(R.Reads[Row].Delay, B.Core.CacheLookUp * (1 + Row / 2));
  }
}

/// Rows that come into a warp's place wait until those that were there have
/// left it, and a row that has gone comes back when the main file has it.
TEST(LTRFScheme, RowsDoNotOvertakeEachOther) {
  constexpr unsigned Crossbar = RegisterMover::CrossbarCycles;
  Bench<LTRFScheme> B({{3}, {4}});
  auto Enter = [&](uint32_t Set, Cycle At) {
    IssueInfo Prefetch;
    Prefetch.Statement = LTRFCode::Prefetch;
    Prefetch.Group = Set;
    B.S.tick(At);
    B.S.issued(First, Prefetch);
    return B.S.readyAt(First);
  };
  B.S.resident(First);
  B.S.activated(First);
  const Cycle Alone = 1 + Crossbar + B.Core.RegisterCycles;
  EXPECT_EQ(Enter(0, 100), 100 + Alone);
  EXPECT_EQ(Enter(1, 200), 200 + Alone);
  // R3 left its place in cycle 201, and was written 4 cycles later.
  EXPECT_EQ(Enter(0, 201), 201 + Crossbar + 1 + Alone);
}

} // namespace
} // namespace regshare::sim
