//===- WarpSchedulerTest.cpp - Which warp issues next ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The schedulers against the rules in words, followed step by step on lists.
///
//===----------------------------------------------------------------------===//

#include "Timing/Core/WarpScheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

/// Warps in the order of their arrival, or for two-level the active ones and
/// those that wait for their turn.
struct Rules {
  SchedulerPolicy Policy;
  unsigned Limit;
  std::list<unsigned> ByAge;
  std::set<unsigned> Active;
  std::list<unsigned> Parked;
  unsigned Last = 0;

  void arrive(unsigned Slot) {
    ByAge.push_back(Slot);
    if (isTwoLevel(Policy))
      Parked.push_back(Slot);
    else
      Active.insert(Slot);
  }
  void leave(unsigned Slot) {
    ByAge.remove(Slot);
    Active.erase(Slot);
    Parked.remove(Slot);
  }
  unsigned pick(const std::set<unsigned> &Candidates) const {
    if (Policy == SchedulerPolicy::GTO || Policy == SchedulerPolicy::LazyGTO ||
        Policy == SchedulerPolicy::OWF) {
      if (Policy != SchedulerPolicy::OWF && Candidates.count(Last))
        return Last;
      return *std::ranges::find_if(
          ByAge, [&](unsigned Slot) { return Candidates.count(Slot); });
    }
    for (unsigned Step = 1; Step <= MaxWarpSlots; ++Step)
      if (Candidates.count((Last + Step) % MaxWarpSlots))
        return (Last + Step) % MaxWarpSlots;
    return ~0u;
  }
  void update(const std::set<unsigned> &Waiting) {
    std::set<unsigned> Leaving;
    auto Demote = [&](auto MayLeave) {
      for (auto It = ByAge.rbegin();
           It != ByAge.rend() && Active.size() > Limit; ++It)
        if (MayLeave(*It) && Active.erase(*It))
          Leaving.insert(*It);
    };
    Demote([&](unsigned Slot) { return Waiting.count(Slot) != 0; });
    Demote([](unsigned) { return true; });
    for (auto It = Parked.begin(); It != Parked.end();) {
      if (Waiting.count(*It)) {
        ++It;
        continue;
      }
      if (Active.size() == Limit) {
        std::set<unsigned> Idle;
        std::ranges::set_intersection(Active, Waiting,
                                      std::inserter(Idle, Idle.end()));
        if (Idle.empty())
          break;
        unsigned Leaver = Idle.count(Last) ? Last : *Idle.begin();
        Active.erase(Leaver);
        Leaving.insert(Leaver);
      }
      Active.insert(*It);
      It = Parked.erase(It);
    }
    Parked.insert(Parked.end(), Leaving.begin(), Leaving.end());
  }
};

uint64_t maskOf(const std::set<unsigned> &Slots) {
  uint64_t Mask = 0;
  for (unsigned Slot : Slots)
    Mask |= uint64_t(1) << Slot;
  return Mask;
}

/// While there is an active warp that can go on, it makes another update come;
/// the only one may not be what a new limit takes out.
TEST(LazyWarpScheduler, WhoCanGoOnStays) {
  WarpScheduler S(SchedulerPolicy::LazyLRR, 0);
  for (unsigned Slot : {0, 1, 2})
    S.arrive(Slot);
  uint64_t Entered = 0, Left = 0;
  S.update(0, Entered, Left);
  ASSERT_EQ(S.active(), 0b111u);
  S.setActiveLimit(2);
  S.update(0b011, Entered, Left);
  EXPECT_EQ(S.active(), 0b101u);
  EXPECT_EQ(Left, 0b010u);
}

/// Who is longest active goes to the end of the queue, and none comes twice
/// before all others have.
TEST(WarpSchedulerTurns, AllComeToRun) {
  WarpScheduler S(SchedulerPolicy::TwoLevel, 2);
  for (unsigned Slot : {0, 1, 2, 3, 4})
    S.arrive(Slot);
  uint64_t Entered = 0, Left = 0;
  S.update(0, Entered, Left);
  ASSERT_EQ(S.active(), 0b00011u);
  unsigned In = 0, Out = 0;
  for (unsigned Turn = 0; Turn != 10; ++Turn) {
    ASSERT_TRUE(S.exchange(0, ~uint64_t(0), In, Out));
    EXPECT_EQ(Out, Turn % 5);
    EXPECT_EQ(In, (Turn + 2) % 5);
  }
  // The first in line waits; who may not leave stays.
  ASSERT_EQ(S.active(), 0b00011u);
  ASSERT_TRUE(S.exchange(1 << 2, 1 << 1, In, Out));
  EXPECT_EQ(Out, 1u);
  EXPECT_EQ(In, 3u);
  EXPECT_FALSE(S.exchange(0, 1 << 1, In, Out));
  EXPECT_FALSE(S.exchange(~uint64_t(0), ~uint64_t(0), In, Out));
  EXPECT_EQ(S.active(), 0b01001u);
}

class WarpSchedulerTest : public testing::TestWithParam<SchedulerPolicy> {};

TEST_P(WarpSchedulerTest, FollowsTheRules) {
  std::mt19937 Random(unsigned(GetParam()) + 1);
  constexpr unsigned Limit = 4;
  for (unsigned Run = 0; Run != 50; ++Run) {
    WarpScheduler S(GetParam(), Limit);
    Rules R{GetParam(), isLazy(GetParam()) ? ~0u : Limit, {}, {}, {}, 0};
    std::set<unsigned> Resident;
    auto Subset = [&](const std::set<unsigned> &Of) {
      std::set<unsigned> Some;
      for (unsigned Slot : Of)
        if (Random() % 2)
          Some.insert(Slot);
      return Some;
    };
    for (unsigned Step = 0; Step != 400; ++Step) {
      bool Learns = isLazy(GetParam()) && Step == 100 + Run;
      if (Learns) {
        R.Limit = 1 + Run % 9;
        S.setActiveLimit(R.Limit);
      }
      unsigned Slot = Random() % MaxWarpSlots;
      if (!Resident.count(Slot) && Random() % 4 == 0) {
        Resident.insert(Slot);
        S.arrive(Slot);
        R.arrive(Slot);
      } else if (Resident.count(Slot) && Random() % 8 == 0) {
        Resident.erase(Slot);
        S.leave(Slot);
        R.leave(Slot);
      }
      if (S.isTwoLevel()) {
        std::set<unsigned> Waiting = Subset(Resident);
        uint64_t Before = S.active(), Entered = 0, Left = 0;
        S.update(maskOf(Waiting), Entered, Left);
        R.update(Waiting);
        ASSERT_EQ((Before & ~Left) | Entered, S.active());
        ASSERT_EQ(Left & ~Before, 0u);
        if (!Learns)
          ASSERT_EQ(Left & ~maskOf(Waiting), 0u);
      }
      ASSERT_EQ(S.active(), maskOf(R.Active));
      std::set<unsigned> Candidates = Subset(R.Active);
      if (Candidates.empty())
        continue;
      unsigned Picked = S.pick(maskOf(Candidates));
      ASSERT_EQ(Picked, R.pick(Candidates));
      S.issued(Picked);
      R.Last = Picked;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Timing, WarpSchedulerTest,
    testing::Values(SchedulerPolicy::LRR, SchedulerPolicy::GTO,
                    SchedulerPolicy::TwoLevel, SchedulerPolicy::LazyLRR,
                    SchedulerPolicy::LazyGTO, SchedulerPolicy::OWF));

} // namespace
} // namespace regshare::sim
