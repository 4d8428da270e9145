//===- OperandLinesTest.cpp - Lines of EXPARS, and the scratchpad's port --===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schemes/EXPARS/OperandLines.h"
#include "FuzzIterations.h"
#include "Timing/Memory/ScratchpadPort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

using Register = std::pair<unsigned, unsigned>; ///< Of a warp's slot.

constexpr unsigned Slots = 5, Units = 40;
constexpr OperandMapping Mappings[] = {OperandMapping::Direct,
                                       OperandMapping::Turned,
                                       OperandMapping::Associative};

/// One random history of a cache. The model knows registers and not lines:
/// which are there, who needs them, and their values, so that a read sees the
/// last write, wherever the register has been since.
class History {
public:
  History(unsigned Bytes, OperandMapping Mapping, unsigned Seed)
      : Random(Seed), NumLines(Bytes / 128), Mapping(Mapping),
        L(*OperandCache::create(Bytes), Mapping) {}

  void run(unsigned Steps) {
    EXPECT_EQ(L.count(), NumLines);
    for (unsigned N = 0; N != Steps && !testing::Test::HasFailure(); ++N) {
      step(anyRegister());
      compare();
    }
    EXPECT_GT(Displaced, 5u);
    EXPECT_GT(Refused, 5u);
    EXPECT_GT(Late, 5u);
    EXPECT_GT(Dropped, 5u);
    EXPECT_GT(Reads, 5u);
  }

private:
  struct Place {
    bool IsDirty = false, IsHeld = false;
    unsigned Pins = 0;
    unsigned Content = 0;
    bool isNeeded() const { return IsHeld || Pins; }
  };

  /// Half of the time one that is there.
  Register anyRegister() {
    if (There.empty() || Random() % 2)
      return {unsigned(Random() % Slots), unsigned(Random() % Units)};
    return std::next(There.begin(), Random() % There.size())->first;
  }

  void step(Register R) {
    auto It = There.find(R);
    Place *P = It == There.end() ? nullptr : &It->second;
    switch (Random() % 8) {
    case 0:
    case 1:
      return hold(R);
    case 2:
      return P && P->IsHeld ? release(R, *P) : hold(R);
    case 3:
      if (P && P->IsHeld) {
        L.pin(R.first, R.second);
        ++P->Pins;
      }
      return;
    case 4:
      if (P && P->Pins) {
        --P->Pins;
        EXPECT_EQ(L.unpin(R.first, R.second), !P->isNeeded());
      }
      return;
    case 5:
      return write(R, P);
    case 6:
      if (P) {
        ++Reads;
        EXPECT_EQ(P->Content, Truth[R]);
      }
      return;
    default:
      if (!(Random() % 50))
        forget(R.first);
    }
  }

  /// Up to four registers of a warp that a bundle may have together.
  std::vector<unsigned> bundleWith(Register R) {
    std::set<unsigned> All = {R.second};
    for (unsigned N = Random() % 4; N; --N) {
      unsigned Unit = unsigned(Random() % Units);
      if (std::ranges::none_of(All, [&](unsigned Other) {
            return Other % NumLines == Unit % NumLines;
          }))
        All.insert(Unit);
    }
    return {All.begin(), All.end()};
  }

  unsigned lineOf(Register R) const {
    unsigned Turn = Mapping == OperandMapping::Turned ? 4 * R.first : 0;
    return (R.second + Turn) % NumLines;
  }
  /// Lines of the registers' banks suffice, or the line of each that is missing
  /// is nobody's, or of one that nobody needs and that is not among them.
  bool canHold(unsigned Slot, const std::vector<unsigned> &All) {
    auto Stays = [&](const auto &Each) {
      return Each.second.isNeeded() ||
             (Each.first.first == Slot &&
              std::ranges::count(All, Each.first.second));
    };
    std::map<unsigned, unsigned> Wanted;
    for (const auto &Each : There)
      if (Stays(Each))
        ++Wanted[placeOf(Each.first)];
    unsigned Room = Mapping == OperandMapping::Associative ? NumLines / 4 : 1;
    for (unsigned Unit : All)
      if (!There.count({Slot, Unit}) && ++Wanted[placeOf({Slot, Unit})] > Room)
        return false;
    return true;
  }
  /// Its line, or the bank with all of its lines.
  unsigned placeOf(Register R) const {
    return Mapping == OperandMapping::Associative ? R.second % 4 : lineOf(R);
  }

  void hold(Register R) {
    const unsigned Slot = R.first;
    std::vector<unsigned> All = bundleWith(R);
    EXPECT_EQ(L.canHold(Slot, All), canHold(Slot, All));
    if (!canHold(Slot, All)) {
      ++Refused;
      expectKeepers(Slot, All);
      return;
    }
    std::set<unsigned> Missing, Places;
    unsigned WrittenBack = 0, ToBeWritten = 0;
    for (unsigned Unit : All)
      if (!There.count({Slot, Unit})) {
        Missing.insert(Unit);
        Places.insert(placeOf({Slot, Unit}));
      }
    for (const OperandLines::Miss &M : L.hold(Slot, All)) {
      EXPECT_EQ(Missing.count(M.Unit), 1u);
      Missing.erase(M.Unit);
      WrittenBack += M.Displaces;
      There[{Slot, M.Unit}].Content = Never;
    }
    EXPECT_TRUE(Missing.empty());
    for (auto It = There.begin(); It != There.end();) {
      auto &[Lost, P] = *It;
      if (L.has(Lost.first, Lost.second)) {
        ++It;
        continue;
      }
      EXPECT_FALSE(P.isNeeded());
      EXPECT_EQ(Places.count(placeOf(Lost)), 1u);
      if (P.IsDirty)
        Scratchpad[Lost] = P.Content;
      ToBeWritten += P.IsDirty;
      It = There.erase(It);
    }
    EXPECT_EQ(WrittenBack, ToBeWritten);
    Displaced += ToBeWritten;
    for (unsigned Unit : All)
      arrive({Slot, Unit});
  }

  static constexpr unsigned Never = ~0u; ///< It has not come.

  void arrive(Register R) {
    Place &P = There[R];
    P.IsHeld = true;
    if (P.Content != Never)
      return;
    if (Random() % 4) {
      P.Content = Scratchpad[R];
      return;
    }
    // Its warp goes elsewhere before the row has come.
    ++Dropped;
    EXPECT_TRUE(L.release(R.first, R.second));
    L.drop(R.first, R.second);
    There.erase(R);
  }

  /// Somebody needs a line that one of them would have.
  void expectKeepers(unsigned Slot, const std::vector<unsigned> &All) {
    uint64_t Keepers = 0;
    for (unsigned Unit : All)
      for (const auto &[Other, P] : There)
        if (!There.count({Slot, Unit}) && P.isNeeded() &&
            placeOf(Other) == placeOf({Slot, Unit}))
          Keepers |= uint64_t(1) << Other.first;
    EXPECT_EQ(L.whoKeeps(Slot, All), Keepers);
    EXPECT_NE(Keepers, 0u);
  }

  void release(Register R, Place &P) {
    P.IsHeld = false;
    EXPECT_EQ(L.release(R.first, R.second), !P.isNeeded());
  }

  void write(Register R, Place *P) {
    Truth[R] = ++LastValue;
    EXPECT_EQ(L.write(R.first, R.second), P != nullptr);
    if (P) {
      P->IsDirty = true;
      P->Content = LastValue;
    } else {
      ++Late;
      Scratchpad[R] = LastValue;
    }
  }

  /// The warp ends, and another begins with registers of its own.
  void forget(unsigned Slot) {
    std::erase_if(There,
                  [&](const auto &Each) { return Each.first.first == Slot; });
    L.forget(Slot);
    for (unsigned Unit = 0; Unit != Units; ++Unit)
      Truth[{Slot, Unit}] = Scratchpad[{Slot, Unit}] = ++LastValue;
  }

  void compare() {
    std::map<unsigned, unsigned> Used;
    for (unsigned Slot = 0; Slot != Slots; ++Slot)
      for (unsigned Unit = 0; Unit != Units; ++Unit) {
        ASSERT_EQ(L.has(Slot, Unit), There.count({Slot, Unit}) != 0);
        ASSERT_EQ(L.bankOf(Unit), Unit % 4);
        Used[placeOf({Slot, Unit})] += L.has(Slot, Unit);
      }
    unsigned Room = Mapping == OperandMapping::Associative ? NumLines / 4 : 1;
    for (auto [Where, Count] : Used)
      ASSERT_LE(Count, Room);
  }

  std::mt19937 Random;
  unsigned NumLines;
  OperandMapping Mapping;
  OperandLines L;
  std::map<Register, Place> There;
  std::map<Register, unsigned> Truth, Scratchpad;
  unsigned LastValue = 0;
  unsigned Displaced = 0, Refused = 0, Late = 0, Dropped = 0, Reads = 0;
};

TEST(OperandLines, AgainstAModelWithValues) {
  for (unsigned Bytes : {1024, 2048, 4096})
    for (OperandMapping Mapping : Mappings)
      for (unsigned Seed = 1; Seed <= test::randomCases(3); ++Seed)
        History(Bytes, Mapping, Seed).run(3'000);
}

/// Whatever the mapping, a bundle whose registers have a line each by their
/// indices has room in an empty cache.
TEST(OperandLines, ABundleHasRoom) {
  std::vector<unsigned> All;
  for (unsigned Unit = 20; Unit != 36; ++Unit)
    All.push_back(Unit);
  for (OperandMapping Mapping : Mappings)
    for (unsigned Slot = 0; Slot != 64; ++Slot) {
      OperandLines L({2048}, Mapping);
      ASSERT_TRUE(L.canHold(Slot, All));
      EXPECT_EQ(L.hold(Slot, All).size(), All.size());
      EXPECT_TRUE(std::ranges::all_of(
          All, [&](unsigned Unit) { return L.has(Slot, Unit); }));
    }
}

TEST(ScratchpadPort, RowsAndAccessesTakeTurns) {
  ScratchpadPort P;
  unsigned Rows = 0, Accesses = 0;
  for (Cycle Now = 100; Now != 200; ++Now) {
    bool Row = P.takeForRow(Now), Access = P.takeForAccess(Now, 1);
    EXPECT_NE(Row, Access) << Now;
    EXPECT_EQ(Row, Now % 2 == 0) << Now;
    Rows += Row;
    Accesses += Access;
  }
  EXPECT_EQ(Rows, 50u);
  EXPECT_EQ(Accesses, 50u);
}

TEST(ScratchpadPort, AnAccessKeepsItForItsPasses) {
  ScratchpadPort P;
  EXPECT_TRUE(P.takeForAccess(10, 4));
  for (Cycle Now = 11; Now != 14; ++Now)
    EXPECT_FALSE(P.takeForRow(Now));
  EXPECT_TRUE(P.takeForRow(14));
  EXPECT_FALSE(P.takeForAccess(14, 1));
  EXPECT_FALSE(P.takeForRow(15));
  EXPECT_TRUE(P.takeForAccess(15, 2));
  EXPECT_TRUE(P.takeForRow(17));
}

/// Whoever asks in each cycle until it is served: one is in a cycle, and nobody
/// waits for longer than a row or an access of the other.
TEST(ScratchpadPort, IsFair) {
  constexpr unsigned MostPasses = 6;
  std::mt19937 Random(1);
  ScratchpadPort P;
  std::set<Cycle> Taken;
  Cycle RowSince = Never, AccessSince = Never;
  unsigned Passes = 0, Served = 0;
  Cycle Busy = 0;
  for (Cycle Now = 1; Now != 50'000; ++Now) {
    if (RowSince == Never && Random() % 3)
      RowSince = Now;
    if (AccessSince == Never && Now >= Busy && Random() % 3) {
      AccessSince = Now;
      Passes = 1 + Random() % MostPasses;
    }
    if (RowSince != Never && P.takeForRow(Now)) {
      ASSERT_TRUE(Taken.insert(Now).second);
      ASSERT_LE(Now - RowSince, MostPasses + 1) << Now;
      RowSince = Never;
      ++Served;
    }
    if (AccessSince != Never && P.takeForAccess(Now, Passes)) {
      for (Cycle At = Now; At != Now + Passes; ++At)
        ASSERT_TRUE(Taken.insert(At).second);
      ASSERT_LE(Now - AccessSince, 1u) << Now;
      AccessSince = Never;
      Busy = Now + Passes;
      ++Served;
    }
  }
  EXPECT_GT(Served, 15'000u);
}

} // namespace
} // namespace regshare::sim
