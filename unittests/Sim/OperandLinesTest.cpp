//===- OperandLinesTest.cpp - Lines of EXPARS, and the scratchpad's port --===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandLines.h"
#include "ScratchpadPort.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

using Outcome = OperandLines::Outcome;
using Register = std::pair<unsigned, unsigned>; ///< Of a warp's slot.

constexpr unsigned Slots = 5, Units = 40;

/// Who has which line, as plain as it can be said.
struct Model {
  struct Place {
    Register Of;
    bool IsDirty = false, IsHeld = false;
    unsigned Pins = 0;
    bool isNeeded() const { return IsHeld || Pins; }
  };
  unsigned Lines;
  bool Rotates;
  std::map<unsigned, Place> Places; ///< By line.

  unsigned lineOf(Register R) const {
    return (R.second + (Rotates ? 4 * R.first : 0)) % Lines;
  }
  Place *find(Register R) {
    auto It = Places.find(lineOf(R));
    return It != Places.end() && It->second.Of == R ? &It->second : nullptr;
  }
  bool isFreeFor(Register R) {
    auto It = Places.find(lineOf(R));
    return It == Places.end() || It->second.Of == R || !It->second.isNeeded();
  }
};

/// One random history of a cache, with values: a read sees the last write,
/// wherever the register has been since.
class History {
public:
  History(unsigned Bytes, bool Rotates, unsigned Seed)
      : Random(Seed), L(*OperandCache::create(Bytes), Rotates),
        M{Bytes / 128, Rotates, {}} {}

  void run(unsigned Steps) {
    EXPECT_EQ(L.count(), M.Lines);
    for (unsigned N = 0; N != Steps && !testing::Test::HasFailure(); ++N) {
      step(anyRegister());
      compare();
    }
    EXPECT_GT(Displaced, 5u);
    EXPECT_GT(Late, 5u);
    EXPECT_GT(Dropped, 5u);
    EXPECT_GT(Reads, 5u);
  }

private:
  /// Half of the time one that is there.
  Register anyRegister() {
    if (M.Places.empty() || Random() % 2)
      return {unsigned(Random() % Slots), unsigned(Random() % Units)};
    return std::next(M.Places.begin(), Random() % M.Places.size())->second.Of;
  }

  void step(Register R) {
    Model::Place *P = M.find(R);
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
        EXPECT_EQ(Content[M.lineOf(R)], Truth[R]);
      }
      return;
    default:
      if (!(Random() % 50))
        forget(R.first);
    }
  }

  void hold(Register R) {
    if (!M.isFreeFor(R))
      return;
    unsigned Line = M.lineOf(R);
    auto It = M.Places.find(Line);
    Outcome Expected = Outcome::Miss;
    if (It != M.Places.end() && It->second.Of == R)
      Expected = Outcome::Hit;
    else if (It != M.Places.end() && It->second.IsDirty)
      Expected = Outcome::Displaces;
    EXPECT_EQ(L.hold(R.first, R.second), Expected);
    if (Expected == Outcome::Hit) {
      It->second.IsHeld = true;
      return;
    }
    if (Expected == Outcome::Displaces) {
      ++Displaced;
      Scratchpad[It->second.Of] = Content[Line];
    }
    M.Places[Line] = {R, false, true, 0};
    if (Random() % 4) {
      Content[Line] = Scratchpad[R];
      return;
    }
    // Its warp goes elsewhere before the row has come.
    ++Dropped;
    Content.erase(Line);
    EXPECT_TRUE(L.release(R.first, R.second));
    L.drop(R.first, R.second);
    M.Places.erase(Line);
  }

  void release(Register R, Model::Place &P) {
    P.IsHeld = false;
    EXPECT_EQ(L.release(R.first, R.second), !P.isNeeded());
  }

  void write(Register R, Model::Place *P) {
    Truth[R] = ++LastValue;
    EXPECT_EQ(L.write(R.first, R.second), P != nullptr);
    if (P) {
      P->IsDirty = true;
      Content[M.lineOf(R)] = LastValue;
    } else {
      ++Late;
      Scratchpad[R] = LastValue;
    }
  }

  /// The warp ends, and another begins with registers of its own.
  void forget(unsigned Slot) {
    for (auto It = M.Places.begin(); It != M.Places.end();)
      It = It->second.Of.first == Slot ? M.Places.erase(It) : std::next(It);
    L.forget(Slot);
    for (unsigned Unit = 0; Unit != Units; ++Unit)
      Truth[{Slot, Unit}] = Scratchpad[{Slot, Unit}] = ++LastValue;
  }

  void compare() {
    for (unsigned Slot = 0; Slot != Slots; ++Slot)
      for (unsigned Unit = 0; Unit != Units; ++Unit) {
        Register R{Slot, Unit};
        ASSERT_EQ(L.has(Slot, Unit), M.find(R) != nullptr);
        ASSERT_EQ(L.isFreeFor(Slot, Unit), M.isFreeFor(R));
        uint64_t Keeper =
            M.isFreeFor(R) ? 0
                           : uint64_t(1) << M.Places.at(M.lineOf(R)).Of.first;
        ASSERT_EQ(L.whoKeeps(Slot, Unit), Keeper);
        ASSERT_EQ(L.bankOf(Unit), Unit % 4);
      }
  }

  std::mt19937 Random;
  OperandLines L;
  Model M;
  std::map<Register, unsigned> Truth, Scratchpad;
  std::map<unsigned, unsigned> Content; ///< By line.
  unsigned LastValue = 0;
  unsigned Displaced = 0, Late = 0, Dropped = 0, Reads = 0;
};

TEST(OperandLines, AgainstAModelWithValues) {
  for (unsigned Bytes : {1024, 2048, 4096})
    for (bool Rotates : {false, true})
      for (unsigned Seed : {1, 2, 3})
        History(Bytes, Rotates, Seed).run(3'000);
}

/// Turned sets move a warp's registers to other lines, and never two of them
/// to the same one that had two before.
TEST(OperandLines, TurningKeepsRegistersApart) {
  for (unsigned Slot = 0; Slot != 64; ++Slot) {
    OperandLines L({2048}, true);
    for (unsigned Unit = 20; Unit != 36; ++Unit)
      EXPECT_EQ(L.hold(Slot, Unit), Outcome::Miss);
    for (unsigned Unit = 20; Unit != 36; ++Unit)
      EXPECT_TRUE(L.has(Slot, Unit));
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
