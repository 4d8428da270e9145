//===- CtaPairsTest.cpp - Owners of pairs, and who may access memory ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/Sharing/CtaPairs.h"
#include "FuzzIterations.h"
#include "Schemes/Sharing/MemoryThrottle.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace regshare::sim {
namespace {

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

/// What happened to one CTA.
struct Life {
  uint64_t Begin = 0;
  std::vector<uint64_t> Locks;        ///< When its warps took one.
  std::map<unsigned, unsigned> Warps; ///< Slots of those left, by index.
};

/// The rules in words, over all that has happened: of two resident CTAs the
/// owner is the one that took a lock last since both have been there; if none
/// did, the one that came first. One that is there alone is the owner.
class History {
public:
  History(const SharingResidency &R) : R(R), Lives(R.ctas()) {
    for (unsigned K = 0; K != R.Pairs; ++K) {
      Partners[R.WholeCTAs - R.Pairs + K] = R.WholeCTAs + K;
      Partners[R.WholeCTAs + K] = R.WholeCTAs - R.Pairs + K;
    }
  }

  bool isShared(unsigned Cta) const { return Partners.count(Cta); }
  unsigned partner(unsigned Cta) const { return Partners.at(Cta); }
  bool isResident(unsigned Cta) const { return !Lives[Cta].Warps.empty(); }
  bool isOwner(unsigned Cta) const {
    const Life &Mine = Lives[Cta], &Other = Lives[partner(Cta)];
    if (!isResident(Cta) || !isResident(partner(Cta)))
      return isResident(Cta);
    uint64_t Both = std::max(Mine.Begin, Other.Begin);
    auto LastLock = [Both](const Life &L) {
      return L.Locks.empty() || L.Locks.back() < Both ? 0 : L.Locks.back();
    };
    uint64_t My = LastLock(Mine), Its = LastLock(Other);
    return My == Its ? Mine.Begin < Other.Begin : My > Its;
  }
  uint64_t warpsOf(unsigned Cta) const {
    uint64_t Slots = 0;
    for (auto [Index, Slot] : Lives[Cta].Warps)
      Slots |= uint64_t(1) << Slot;
    return Slots;
  }
  /// 0 for owners' warps, 1 for those that share nothing, 2 for others.
  unsigned classOf(unsigned Cta) const {
    return !isShared(Cta) ? 1 : isOwner(Cta) ? 0 : 2;
  }
  uint64_t first(uint64_t Candidates) const {
    for (unsigned Class = 0; Class != 3; ++Class) {
      uint64_t Found = 0;
      for (unsigned Cta = 0; Cta != Lives.size(); ++Cta)
        if (classOf(Cta) == Class)
          Found |= warpsOf(Cta) & Candidates;
      if (Found)
        return Found;
    }
    return 0;
  }

  const SharingResidency &R;
  uint64_t Now = 0;
  std::vector<Life> Lives;

private:
  std::map<unsigned, unsigned> Partners;
};

/// A random sequence of events, after each of which both agree.
class Events {
public:
  Events(unsigned Seed) : Random(Seed) {
    Layout.WholeCTAs = 1 + Random() % 5;
    Layout.Pairs = 1 + Random() % Layout.WholeCTAs;
    Layout.WarpsPerCTA = 1 + Random() % 5;
    Layout.Partitions = Random() % 2 ? 4 : 1;
  }

  void run() {
    CtaPairs P(&Layout);
    History H(Layout);
    ASSERT_TRUE(P.isEnabled());
    ASSERT_EQ(P.numPairs(), Layout.Pairs);
    for (unsigned N = 0; N != 400; ++N) {
      ++H.Now;
      unsigned Cta = Random() % Layout.ctas();
      if (!H.isResident(Cta))
        begin(P, H, Cta);
      else if (Random() % 4 && H.isShared(Cta))
        lock(P, H, Cta);
      else
        end(P, H, Cta);
      ASSERT_NO_FATAL_FAILURE(compare(P, H));
    }
  }

private:
  void begin(CtaPairs &P, History &H, unsigned Cta) {
    H.Lives[Cta] = {H.Now, {}, {}};
    for (unsigned Index = 0; Index != Layout.WarpsPerCTA; ++Index) {
      unsigned Slot = Layout.warpSlot(Cta, Index);
      H.Lives[Cta].Warps[Index] = Slot;
      P.resident({Slot, Cta, Index});
    }
  }
  void lock(CtaPairs &P, History &H, unsigned Cta) {
    bool Was = H.isOwner(Cta);
    H.Lives[Cta].Locks.push_back(H.Now);
    EXPECT_EQ(P.tookLock(Cta), Was ? 0 : H.warpsOf(Cta));
  }
  void end(CtaPairs &P, History &H, unsigned Cta) {
    auto &Warps = H.Lives[Cta].Warps;
    auto It = std::next(Warps.begin(), long(Random() % Warps.size()));
    WarpRef W{It->second, Cta, It->first};
    bool WasOwner = H.isShared(Cta) && H.isOwner(Cta);
    Warps.erase(It);
    uint64_t Made = 0;
    if (WasOwner && Warps.empty())
      Made = H.warpsOf(H.partner(Cta));
    EXPECT_EQ(P.finished(W), Made);
  }
  void compare(const CtaPairs &P, const History &H) {
    uint64_t Resident = 0;
    for (unsigned Cta = 0; Cta != Layout.ctas(); ++Cta) {
      Resident |= H.warpsOf(Cta);
      ASSERT_EQ(P.isShared(Cta), H.isShared(Cta));
      if (!H.isShared(Cta))
        continue;
      ASSERT_EQ(P.partnerOf(Cta), H.partner(Cta));
      ASSERT_EQ(P.warpsOf(Cta), H.warpsOf(Cta));
      ASSERT_EQ(P.partnersOf(Cta), H.warpsOf(H.partner(Cta)));
      ASSERT_EQ(P.isOwner(Cta), H.isOwner(Cta));
      // A pair's registers are where those of its first CTA are.
      for (auto [Index, Slot] : H.Lives[Cta].Warps)
        ASSERT_EQ(P.homeSlot({Slot, Cta, Index}),
                  std::min(Cta, H.partner(Cta)) * Layout.WarpsPerCTA + Index);
    }
    for (unsigned N = 0; N != 5; ++N) {
      uint64_t Bits = Random();
      uint64_t Candidates = Resident & (Bits << 32 | Random());
      if (Candidates)
        ASSERT_EQ(P.ownersFirst(Candidates), H.first(Candidates));
    }
  }

  std::mt19937 Random;
  SharingResidency Layout;
};

TEST(CtaPairs, OwnersFollowTheRules) {
  for (unsigned Seed = 0; Seed != test::randomCases(300); ++Seed) {
    SCOPED_TRACE(Seed);
    Events(Seed).run();
  }
}

TEST(CtaPairs, WithoutPairsNothingIsShared) {
  SharingResidency Layout;
  Layout.WholeCTAs = 3;
  Layout.WarpsPerCTA = 2;
  for (const SharingResidency *Each :
       std::initializer_list<const SharingResidency *>{nullptr, &Layout}) {
    CtaPairs P(Each);
    EXPECT_FALSE(P.isEnabled());
    EXPECT_EQ(P.numPairs(), 0u);
    for (unsigned Cta = 0; Cta != 3; ++Cta) {
      EXPECT_FALSE(P.isShared(Cta));
      P.resident({Cta, Cta, 0});
    }
    EXPECT_EQ(P.ownersFirst(0b101), 0b101u);
    EXPECT_EQ(P.finished({0, 0, 0}), 0u);
  }
}

//===----------------------------------------------------------------------===//
// Dynamic warp execution
//===----------------------------------------------------------------------===//

/// One whose SM is not SM 0, at a level.
MemoryThrottle throttleAt(unsigned Level, unsigned SmId = 1) {
  MemoryThrottle T;
  T.start(SmId, SmId + 1);
  for (unsigned N = Level; N != MemoryThrottle::Steps; ++N)
    T.compare(1, 0);
  EXPECT_EQ(T.level(), Level);
  return T;
}

TEST(MemoryThrottle, TheFirstSmNeverAllows) {
  for (unsigned NumSms : {2, 4, 15}) {
    MemoryThrottle T;
    T.start(0, NumSms);
    for (Cycle Now = 1; Now != 5000; ++Now) {
      EXPECT_FALSE(T.allows(Now % MaxWarpSlots, Now));
      EXPECT_EQ(T.readyAt(Now % MaxWarpSlots), Never);
      if (Now % MemoryThrottle::Period == 0)
        T.compare(Now % 3000, 1000);
    }
    EXPECT_EQ(T.level(), 0u);
  }
}

TEST(MemoryThrottle, OneSmIsNotThrottled) {
  MemoryThrottle T;
  T.start(0, 1);
  for (Cycle Now = 1; Now != 5000; ++Now) {
    EXPECT_TRUE(T.allows(Now % MaxWarpSlots, Now));
    if (Now % MemoryThrottle::Period == 0)
      T.compare(Now, Now);
  }
}

TEST(MemoryThrottle, ALevelGoesUpAndDownAndSaturates) {
  std::mt19937 Random(1);
  MemoryThrottle T = throttleAt(10);
  double P = 1;
  for (unsigned N = 0; N != 2000; ++N) {
    uint64_t Own = Random() % 4, OfFirst = Random() % 4;
    T.compare(Own, OfFirst);
    P = std::clamp(P + 0.1 * (Own < OfFirst) - 0.1 * (Own > OfFirst), 0.0, 1.0);
    ASSERT_NEAR(T.level() / 10.0, P, 1e-9);
  }
  for (unsigned N = 0; N != 15; ++N)
    T.compare(1, 0);
  EXPECT_EQ(T.level(), 0u);
  EXPECT_FALSE(T.allows(3, 7));
  EXPECT_EQ(T.readyAt(3), Never);
  // It is drawn anew, for the period that begins.
  T.compare(0, 1);
  EXPECT_EQ(T.level(), 1u);
  T.allows(3, 8);
  EXPECT_LT(T.readyAt(3), 8 + MemoryThrottle::Period + 1);
  for (unsigned N = 0; N != 15; ++N)
    T.compare(0, 1);
  EXPECT_EQ(T.level(), 10u);
  EXPECT_TRUE(T.allows(3, 9));
}

/// Asked in each cycle, an access goes through with the level's odds, whatever
/// came before: the waits are distributed geometrically.
TEST(MemoryThrottle, OddsAreThoseOfTheLevel) {
  constexpr unsigned Draws = 40'000, Longest = 6;
  for (unsigned SmId : {1, 2, 14})
    for (unsigned Level = 1; Level <= 10; ++Level) {
      MemoryThrottle T = throttleAt(Level, SmId);
      std::vector<unsigned> Waited(Longest);
      Cycle Now = 1, Cycles = 0;
      for (unsigned N = 0; N != Draws; ++N) {
        unsigned Slot = N % MaxWarpSlots;
        Cycle Asked = Now;
        while (!T.allows(Slot, Now))
          ++Now;
        if (Now - Asked < Longest)
          ++Waited[Now - Asked];
        Cycles += Now - Asked + 1;
        ++Now;
      }
      double P = Level / 10.0, Left = 1;
      EXPECT_NEAR(double(Draws) / double(Cycles), P, 0.01);
      for (unsigned N = 0; N != Longest; ++N) {
        EXPECT_NEAR(Waited[N] / double(Draws), P * Left, 0.012) << N;
        Left *= 1 - P;
      }
    }
}

/// When an access goes through does not depend on whether it is asked for in
/// every cycle or only when it could succeed.
TEST(MemoryThrottle, AsksInBetweenChangeNothing) {
  for (unsigned Level : {1, 3, 7}) {
    MemoryThrottle Often = throttleAt(Level), Seldom = throttleAt(Level);
    std::map<unsigned, Cycle> Next;
    unsigned Allowed = 0;
    for (Cycle Now = 1; Now != 20'000; ++Now)
      for (unsigned Slot : {0, 5, 63}) {
        bool Passes = Often.allows(Slot, Now);
        Allowed += Passes;
        if (Now < Next[Slot]) {
          EXPECT_FALSE(Passes);
          continue;
        }
        EXPECT_EQ(Seldom.allows(Slot, Now), Passes);
        Next[Slot] = Passes ? Now + 1 : Seldom.readyAt(Slot);
        EXPECT_GT(Next[Slot], Now);
      }
    EXPECT_GT(Allowed, 3000u * Level);
  }
}

TEST(MemoryThrottle, WhoNeedNotWaitIsForgotten) {
  MemoryThrottle T = throttleAt(1);
  Cycle Now = 1;
  while (T.allows(4, Now))
    ++Now;
  EXPECT_GT(T.readyAt(4), Now);
  T.forget(4);
  EXPECT_EQ(T.readyAt(4), Never);
}

} // namespace
} // namespace regshare::sim
