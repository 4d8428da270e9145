//===- RegisterMoverTest.cpp - Between main register file and cache -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/LTRF/RegisterMover.h"
#include "FuzzIterations.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace regshare::sim {
namespace {

constexpr Cycle Crossbar = RegisterMover::CrossbarCycles;
constexpr Cycle Access = 2;
constexpr Cycle Now = 100;

CoreConfig core() {
  CoreConfig C;
  C.Banks = C.MainBanks = 16;
  C.Schedulers = 4;
  C.RegisterCycles = Access;
  return C;
}

TEST(RegisterMover, RowsInOneBankComeOneAfterTheOther) {
  const WarpRef W;
  RegisterMover M(core());
  const Cycle First = M.fetch(Now, Now, W, 3, 0);
  EXPECT_EQ(First, Now + 1 + Crossbar + Access);
  EXPECT_EQ(M.fetch(Now, Now, W, 4, 1), First);
  EXPECT_EQ(M.fetch(Now, Now, W, 3 + 16, 2), First + Crossbar);
  EXPECT_EQ(M.fetch(Now, Now, W, 5, 0), First + Crossbar);
  // Not before it may.
  EXPECT_EQ(M.fetch(Now, Now + 30, W, 6, 3), First + 30);
}

/// Lines carry data one way, so that rows pass each other, but for the cycle in
/// which one is written to the bank of the main file.
TEST(RegisterMover, WhatGoesDoesNotWaitForWhatComes) {
  const WarpRef W;
  RegisterMover M(core());
  auto [Gone, Written] = M.writeBack(Now, W, 3, 0);
  EXPECT_EQ(Gone, Now + 2);
  EXPECT_EQ(Written, Now + 1 + Crossbar + 1);
  EXPECT_EQ(M.writeBack(Now, W, 3 + 16, 1).Gone, Gone + Crossbar);
  const Cycle Alone = Now + 1 + Crossbar + Access;
  EXPECT_EQ(M.fetch(Now, Now, W, 3, 5), Alone);
  EXPECT_EQ(M.fetch(Now, Now, W, 4, 2), Alone);
  EXPECT_EQ(M.fetch(Now, Now + Crossbar, W, 3, 6), Alone + Crossbar + 1);
}

/// All rows of a warp in one bank.
class OneBank final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;
  OperandPlace read(const WarpRef &, unsigned) const override { return {7, 0}; }
};

/// The scheme that decides which rows a warp has says where they are.
TEST(RegisterMover, RowsAreWhereTheirSchemeHasThem) {
  const WarpRef W;
  const CoreConfig C = core();
  const DeviceDescription D;
  const KernelNeeds Needs;
  const Residency Resident;
  const SettingValues Values;
  const OneBank Rows({D, C, Needs, Resident, Values});
  RegisterMover M(C);
  M.backedBy(Rows);
  const Cycle First = M.fetch(Now, Now, W, 3, 0);
  EXPECT_EQ(M.fetch(Now, Now, W, 4, 1), First + Crossbar);
  EXPECT_EQ(M.fetch(Now, Now, W, 5, 2), First + 2 * Crossbar);
}

TEST(RegisterMover, AResultTakesItsBankForACycle) {
  const WarpRef W;
  RegisterMover M(core());
  EXPECT_EQ(M.write(Now, W, 3), Now + 1);
  EXPECT_EQ(M.write(Now, W, 3 + 16), Now + 2);
  EXPECT_EQ(M.fetch(Now, Now, W, 3, 0), Now + 2 + Crossbar + Access);
}

/// A row that arrives takes its bank of the cache from instructions in the
/// cycle before it is there, and one that leaves in the cycle in which it is
/// read.
TEST(RegisterMover, TransfersTakeTheBanksOfTheCache) {
  const WarpRef W;
  RegisterMover M(core());
  const Cycle Gone = M.writeBack(Now, W, 3, 7).Gone;
  EXPECT_EQ(M.takenAt(Gone - 1), 1u << 7);
  EXPECT_EQ(M.takenAt(Gone), 0u);
  const Cycle There = M.fetch(Now, Now, W, 4, 5);
  EXPECT_EQ(M.takenAt(There - 1), 1u << 5);
  EXPECT_EQ(M.takenAt(There), 0u);
}

/// Sub-cores have files and crossbars of their own.
TEST(RegisterMover, PartsDoNotMeet) {
  CoreConfig C = core();
  C.Organisation = OperandOrganisation::SubCores;
  RegisterMover M(C);
  const WarpRef A{0, 0, 0}, B{17, 0, 1}, Same{16, 0, 2};
  const Cycle First = M.fetch(Now, Now, A, 17, 0);
  EXPECT_EQ(M.fetch(Now, Now, B, 16, 0), First);
  EXPECT_EQ(M.fetch(Now, Now, Same, 17, 0), First + Crossbar);
  EXPECT_EQ(M.takenAt(First - 1), 0u);
}

/// Against a list of what has been given away.
TEST(BankCalendar, GivesTheFirstFreeCycle) {
  std::mt19937 Random(1);
  BankCalendar Calendar(core());
  std::set<std::pair<Cycle, unsigned>> Taken;
  Cycle At = 0;
  for (unsigned Step = 0; Step != test::randomCases(20'000); ++Step) {
    At += Random() % 8 ? 0 : Random() % 40;
    Cycle From = At + Random() % 64;
    unsigned Bank = Random() % 4;
    Cycle Expected = From;
    while (Taken.count({Expected, Bank}))
      ++Expected;
    // What is too far ahead takes nothing.
    ASSERT_LT(Expected, At + 512);
    Taken.insert({Expected, Bank});
    ASSERT_EQ(Calendar.take(At, From, Bank), Expected);
    for (Cycle When = At; When != At + 80; ++When) {
      uint32_t Banks = 0;
      for (unsigned B = 0; B != 4; ++B)
        Banks |= uint32_t(Taken.count({When, B})) << B;
      ASSERT_EQ(Calendar.takenAt(When), Banks);
    }
    Taken.erase(Taken.begin(), Taken.lower_bound({At, 0}));
  }
}

} // namespace
} // namespace regshare::sim
