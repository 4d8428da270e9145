//===- AssignControl.cpp - Stall counts and waits -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A walk over each block with what is under way at its begin gives waits and
/// stall counts; the begins are found by walking until nothing changes. What is
/// missing at a block's begin is given by the last stall of all blocks before
/// it.
///
//===----------------------------------------------------------------------===//

#include "AssignCounters.h"

#include "regshare/Transforms/Control/Control.h"

#include <algorithm>
#include <array>
#include <map>

namespace regshare {

namespace {

/// What is under way when the next unit can issue at the earliest.
struct UnderWay {
  /// Results of fixed latency: cycles since the issue, the fewest.
  std::map<std::pair<Access, IssueClass>, unsigned> Fixed;
  /// Counters that have to be zero before it is read or overwritten, and before
  /// it is overwritten.
  std::map<Access, unsigned> Results, Sources;
  /// Cycles since a counter was raised last; more than RaiseCycles do not
  /// matter.
  std::array<unsigned, NumDependenceCounters> Raised;

  UnderWay() { Raised.fill(RaiseCycles); }
  void advance(unsigned Cycles, const FixedLatencies &L);
  /// Adds what may be under way on another path; whether that was more.
  bool join(const UnderWay &Other);
};

class ControlWalk {
public:
  ControlWalk(ControlCode &Code, const FixedLatencies &L)
      : Code(Code), L(L), Begins(Code.size()), Missing(Code.size()),
        IsReached(Code.size()) {}
  void run();

private:
  UnderWay walk(unsigned Block);
  unsigned waitsOf(const ControlUnit &U) const;
  unsigned missingFor(const ControlUnit &U) const;
  void give(unsigned Cycles, unsigned Block, ControlUnit *Before);
  void issue(const ControlUnit &U);
  bool propagate(unsigned Block, const UnderWay &End);
  unsigned missingFrom(const UnderWay &End, unsigned Next) const;
  void finish(unsigned Block, const UnderWay &End);

  ControlCode &Code;
  const FixedLatencies &L;
  std::vector<UnderWay> Begins;
  /// Cycles that the blocks before one have to leave more than they know.
  std::vector<unsigned> Missing;
  std::vector<bool> IsReached;
  UnderWay Now;
};

} // namespace

void UnderWay::advance(unsigned Cycles, const FixedLatencies &L) {
  for (unsigned &R : Raised)
    R = std::min(R + Cycles, RaiseCycles);
  for (auto &[Key, Since] : Fixed)
    Since += Cycles;
  std::erase_if(Fixed, [&](const auto &Each) {
    IssueClass By = Each.first.second;
    return Each.second >= std::max(L.longest(By, false), L.longest(By, true));
  });
}

bool UnderWay::join(const UnderWay &Other) {
  bool Changed = false;
  for (const auto &[Key, Cycles] : Other.Fixed) {
    auto [It, IsNew] = Fixed.try_emplace(Key, Cycles);
    if (!IsNew && It->second <= Cycles)
      continue;
    It->second = Cycles;
    Changed = true;
  }
  auto Unite = [&](std::map<Access, unsigned> &To,
                   const std::map<Access, unsigned> &From) {
    for (const auto &[A, Mask] : From) {
      unsigned &Mine = To[A];
      Changed |= Mask & ~Mine;
      Mine |= Mask;
    }
  };
  Unite(Results, Other.Results);
  Unite(Sources, Other.Sources);
  for (unsigned C = 0; C != NumDependenceCounters; ++C)
    if (Other.Raised[C] < Raised[C]) {
      Raised[C] = Other.Raised[C];
      Changed = true;
    }
  return Changed;
}

static unsigned masksOf(const std::map<Access, unsigned> &Of,
                        const std::vector<Access> &Accesses) {
  unsigned Mask = 0;
  for (Access A : Accesses)
    if (auto It = Of.find(A); It != Of.end())
      Mask |= It->second;
  return Mask;
}

/// The counters that \p U has to wait for.
unsigned ControlWalk::waitsOf(const ControlUnit &U) const {
  return masksOf(Now.Results, U.Reads) | masksOf(Now.Results, U.Writes) |
         masksOf(Now.Sources, U.Writes);
}

/// Cycles for which \p U has to wait besides.
unsigned ControlWalk::missingFor(const ControlUnit &U) const {
  unsigned Missing = 0;
  auto Need = [&](unsigned Cycles, unsigned Since) {
    if (Cycles > Since)
      Missing = std::max(Missing, Cycles - Since);
  };
  for (const auto &[Key, Since] : Now.Fixed) {
    auto [A, By] = Key;
    if (std::ranges::find(U.Reads, A) != U.Reads.end())
      Need(cyclesToRead(L, By, U, A), Since);
    if (std::ranges::find(U.Writes, A) != U.Writes.end())
      Need(cyclesToOverwrite(L, By, U), Since);
  }
  for (unsigned C = 0; C != NumDependenceCounters; ++C)
    if (U.Says.Wait >> C & 1)
      Need(RaiseCycles, Now.Raised[C]);
  return Missing;
}

/// The unit \p Before waits for longer, or those of the blocks before.
void ControlWalk::give(unsigned Cycles, unsigned Block, ControlUnit *Before) {
  if (!Cycles)
    return;
  if (Before)
    Before->Says.Stall += Cycles;
  else
    Missing[Block] += Cycles;
  Now.advance(Cycles, L);
}

static void clear(std::map<Access, unsigned> &Masks, unsigned Mask) {
  for (auto &[A, Of] : Masks)
    Of &= ~Mask;
  std::erase_if(Masks, [](const auto &Each) { return !Each.second; });
}

/// \p U issues, and the next unit can in the cycle after.
void ControlWalk::issue(const ControlUnit &U) {
  clear(Now.Results, U.Says.Wait);
  clear(Now.Sources, U.Says.Wait);
  if (U.Is != ControlUnit::Ordinary) {
    Now = {};
    return;
  }
  if (!U.Slots)
    return;
  Now.advance(U.Slots - 1, L);
  if (U.isFixed())
    for (Access A : U.Writes)
      Now.Fixed[{A, U.Class}] = 0;
  if (U.isDecoupled()) {
    for (Access A : U.Writes)
      Now.Results[A] |= 1u << *U.Says.Write;
    if (U.Says.Read || U.Says.Write)
      for (Access A : U.Reads)
        Now.Sources[A] |= 1u << *(U.Says.Read ? U.Says.Read : U.Says.Write);
    for (std::optional<unsigned> C : {U.Says.Write, U.Says.Read})
      if (C)
        Now.Raised[*C] = 0;
  }
  Now.advance(1, L);
}

/// Blocks that issue nothing pass on what those after them miss.
static bool issues(const ControlBlock &B) {
  return std::ranges::any_of(B.Units,
                             [](const ControlUnit &U) { return U.Slots != 0; });
}

/// Gives the units of a block their waits, and stalls but for what comes after
/// the block; what is under way at its end.
UnderWay ControlWalk::walk(unsigned Block) {
  Now = Begins[Block];
  Now.advance(Missing[Block], L);
  ControlUnit *Before = nullptr;
  for (ControlUnit &U : Code[Block].Units) {
    U.Says.Stall = 1;
    U.Says.Wait = 0;
    if (U.Is == ControlUnit::Ordinary) {
      U.Says.Wait = waitsOf(U);
      give(missingFor(U), Block, Before);
    }
    issue(U);
    if (U.Slots && U.Is == ControlUnit::Ordinary)
      Before = &U;
  }
  if (issues(Code[Block]))
    return std::move(Now);
  // What the next block misses is missing here, from the same time on.
  Now = Begins[Block];
  for (const ControlUnit &U : Code[Block].Units)
    issue(U);
  return std::move(Now);
}

bool ControlWalk::propagate(unsigned Block, const UnderWay &End) {
  bool Changed = false;
  for (unsigned Next : Code[Block].Successors) {
    Changed |= Begins[Next].join(End) || !IsReached[Next];
    IsReached[Next] = true;
    if (!issues(Code[Block]) && Missing[Next] > Missing[Block]) {
      Missing[Block] = Missing[Next];
      Changed = true;
    }
  }
  return Changed;
}

/// Cycles that are missing from \p End, of one of the blocks before \p Next,
/// to what that block has been walked with.
unsigned ControlWalk::missingFrom(const UnderWay &End, unsigned Next) const {
  unsigned Cycles = 0;
  auto Need = [&](unsigned Before, unsigned Since, unsigned Most) {
    unsigned Wanted = std::min(Before + Missing[Next], Most);
    Cycles = std::max(Cycles, Wanted - std::min(Wanted, Since));
  };
  for (const auto &[Key, Since] : End.Fixed) {
    IssueClass By = Key.second;
    Need(Begins[Next].Fixed.at(Key), Since,
         std::max(L.longest(By, false), L.longest(By, true)));
  }
  for (unsigned C = 0; C != NumDependenceCounters; ++C)
    Need(Begins[Next].Raised[C], End.Raised[C], RaiseCycles);
  return Cycles;
}

/// The last unit leaves what the blocks after it miss.
void ControlWalk::finish(unsigned Block, const UnderWay &End) {
  unsigned Most = 0;
  for (unsigned Next : Code[Block].Successors)
    Most = std::max(Most, missingFrom(End, Next));
  std::vector<ControlUnit> &Units = Code[Block].Units;
  auto Last = std::find_if(Units.rbegin(), Units.rend(),
                           [](const ControlUnit &U) { return U.Slots; });
  // After so many cycles all results of fixed latency are there.
  if (Last != Units.rend() && Last->Is == ControlUnit::Ordinary)
    Last->Says.Stall = std::min(Last->Says.Stall + Most, MaxStall);
  for (ControlUnit &U : Units)
    if (U.Is == ControlUnit::Serial)
      U.Says.Serial = U.Instructions;
}

void ControlWalk::run() {
  if (Code.empty())
    return;
  IsReached[0] = true;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned B = 0; B != Code.size(); ++B) {
      if (!IsReached[B])
        continue;
      unsigned Before = Missing[B];
      UnderWay End = walk(B);
      Changed |= propagate(B, End) || Missing[B] != Before;
    }
  }
  for (unsigned B = 0; B != Code.size(); ++B)
    if (IsReached[B])
      finish(B, walk(B));
}

void assignControl(ControlCode &Code, const FixedLatencies &Latencies) {
  for (ControlBlock &B : Code)
    for (ControlUnit &U : B.Units)
      U.Says = {};
  assignCounters(Code);
  ControlWalk(Code, Latencies).run();
}

} // namespace regshare
