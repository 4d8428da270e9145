//===- ControlTest.cpp - Stall counts and dependence counters -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random code, its control, and mutants of that. An oracle walks paths at
/// random with the slowest hardware that the rules allow: what has no fixed
/// latency reads and writes only when a counter is awaited.
///
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/Control/Control.h"
#include "regshare/Annotation/VerifyControl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace regshare;

namespace {

FixedLatencies latencies(const char *Of = "sm_75") {
  return *FixedLatencies::get(Of);
}

ControlUnit unit(IssueClass Class, std::vector<Access> Reads,
                 std::vector<Access> Writes) {
  ControlUnit U;
  U.Class = Class;
  U.HasPipe = Class != IssueClass::Guard;
  U.Reads = std::move(Reads);
  U.Writes = std::move(Writes);
  return U;
}
ControlUnit add(Access To, Access A, Access B) {
  return unit(IssueClass::Alu, {A, B}, {To});
}
ControlUnit load(Access To, Access Address) {
  return unit(IssueClass::Decoupled, {Address}, {To});
}
ControlUnit store(Access Address, Access Value) {
  return unit(IssueClass::Decoupled, {Address, Value}, {});
}
ControlUnit branch(Access Predicate) {
  ControlUnit U = unit(IssueClass::Guard, {Predicate}, {});
  U.IsGuarded = true;
  return U;
}

std::vector<std::string> mistakes(const ControlCode &Code) {
  std::vector<std::string> All;
  for (const ControlViolation &V : verifyControl(Code, latencies()))
    All.push_back(V.What);
  return All;
}
using Texts = std::vector<std::string>;

TEST(Control, FixedLatenciesAreStalls) {
  ControlCode Code = {{{add(1, 0, 0), add(2, 1, 1),
                        unit(IssueClass::Fma, {2}, {3}), store(4, 3)},
                       {}}};
  assignControl(Code, latencies());
  EXPECT_EQ(Code[0].Units[0].Says.Stall, 4u);
  EXPECT_EQ(Code[0].Units[1].Says.Stall, 5u) << "to the other pipe";
  EXPECT_EQ(Code[0].Units[2].Says.Stall, 6u) << "to what is decoupled";
  EXPECT_EQ(mistakes(Code), Texts{});
  Code[0].Units[1].Says.Stall = 4;
  EXPECT_EQ(mistakes(Code),
            Texts{"R2 is read 4 cycles after the issue of what writes it; "
                  "expected at least 5"});
}

TEST(Control, InstructionsBetweenCount) {
  ControlCode Code = {
      {{add(1, 0, 0), add(2, 0, 0), add(5, 0, 0), add(3, 1, 1)}, {}}};
  assignControl(Code, latencies());
  EXPECT_EQ(Code[0].Units[0].Says.Stall, 1u);
  EXPECT_EQ(Code[0].Units[2].Says.Stall, 2u);
  EXPECT_EQ(mistakes(Code), Texts{});
}

TEST(Control, LoadsRaiseACounter) {
  ControlCode Code = {{{load(1, 0), add(2, 1, 0)}, {}}};
  assignControl(Code, latencies());
  const Control &Load = Code[0].Units[0].Says, &Use = Code[0].Units[1].Says;
  ASSERT_TRUE(Load.Write);
  EXPECT_FALSE(Load.Read) << "who has waited for the result has it read";
  EXPECT_EQ(Load.Stall, 2u) << "a raise shows a cycle late";
  EXPECT_EQ(Use.Wait, 1u << *Load.Write);
  EXPECT_EQ(mistakes(Code), Texts{});
  Code[0].Units[0].Says.Stall = 1;
  EXPECT_EQ(mistakes(Code),
            Texts{"R1 is read and may not have been written yet by an "
                  "instruction that raised counter 0"});
}

TEST(Control, SourcesAreReadBeforeTheyAreOverwritten) {
  ControlCode Code = {{{store(0, 1), add(1, 2, 2)}, {}}};
  assignControl(Code, latencies());
  ASSERT_TRUE(Code[0].Units[0].Says.Read);
  EXPECT_EQ(mistakes(Code), Texts{});
  Code[0].Units[0].Says.Read.reset();
  Code[0].Units[1].Says.Wait = 0;
  EXPECT_EQ(mistakes(Code),
            Texts{"R1 is overwritten and may not have been read yet by an "
                  "instruction that raised no counter for it"});
}

TEST(Control, ALongResultIsNotWrittenAfterAShortOne) {
  ControlCode Code = {{{unit(IssueClass::Half, {0}, {1}), add(1, 0, 0)}, {}}};
  assignControl(Code, latencies());
  EXPECT_EQ(Code[0].Units[0].Says.Stall, 3u) << "6 - 4 + 1";
  EXPECT_EQ(mistakes(Code), Texts{});
  Code[0].Units[0].Says.Stall = 2;
  EXPECT_EQ(mistakes(Code).size(), 1u);
}

TEST(Control, ALoopReadsWhatItsLastRoundLoaded) {
  // bb0: goes to bb1. bb1: uses R1, loads R1, goes round or ends.
  ControlCode Code(3);
  Code[0] = {{load(1, 0)}, {1}};
  Code[1] = {{add(2, 1, 1), load(1, 2), branch(FirstPredicate)}, {1, 2}};
  Code[2] = {{add(3, 1, 1)}, {}};
  assignControl(Code, latencies());
  EXPECT_EQ(mistakes(Code), Texts{});
  unsigned Wait =
      1u << *Code[0].Units[0].Says.Write | 1u << *Code[1].Units[1].Says.Write;
  EXPECT_EQ(Code[1].Units[0].Says.Wait, Wait);
  Code[1].Units[0].Says.Wait = 1u << *Code[0].Units[0].Says.Write;
  EXPECT_FALSE(mistakes(Code).empty()) << "the way round is a path as well";
}

TEST(Control, WhatIsMissingAtABlocksBeginIsGivenBefore) {
  ControlCode Code(3);
  Code[0] = {{add(1, 0, 0), branch(FirstPredicate)}, {1, 2}};
  Code[1] = {{add(2, 1, 1)}, {2}};
  Code[2] = {{add(3, 2, 1)}, {}};
  assignControl(Code, latencies());
  EXPECT_EQ(mistakes(Code), Texts{});
  unsigned Given = Code[0].Units[0].Says.Stall + Code[0].Units[1].Says.Stall;
  EXPECT_GE(Given, 4u);
  EXPECT_LE(Given, 5u) << "one more, for what bb2 misses from bb1";
  EXPECT_EQ(Code[1].Units[0].Says.Stall, 4u);
}

/// A load of which the compiler expects that it takes so many cycles.
ControlUnit expected(unsigned Cycles, ControlUnit U) {
  U.Expected = Cycles;
  return U;
}

TEST(Control, WhoAwaitsAShortLoadDoesNotAwaitALongOneOfAnotherBlock) {
  // Each block loads something that it needs at once; the last needs what the
  // first has loaded from memory.
  ControlCode Code(2 * NumDependenceCounters);
  for (unsigned B = 0; B != Code.size(); ++B) {
    Code[B].Units = {expected(20, load(2, 0)), add(3, 2, 2)};
    if (B + 1 != Code.size())
      Code[B].Successors = {B + 1};
  }
  Code.front().Units.insert(Code.front().Units.begin(),
                            expected(300, load(1, 0)));
  Code.back().Units.push_back(add(4, 1, 1));
  assignControl(Code, latencies());
  EXPECT_EQ(mistakes(Code), Texts{});
  unsigned Long = *Code.front().Units[0].Says.Write;
  for (const ControlBlock &B : Code)
    for (const ControlUnit &U : B.Units)
      EXPECT_EQ(U.Says.Wait >> Long & 1, U.Writes.front() == 4);
}

TEST(Control, AroundALoopALongLoadKeepsItsCounter) {
  // bb1: loads R1 for the next round, and in seven more blocks what is needed
  // at once; the last goes round.
  ControlCode Code(2 + NumDependenceCounters + 1);
  Code[0] = {{expected(300, load(1, 0))}, {1}};
  Code[1] = {{add(4, 1, 1), expected(300, load(1, 0))}, {2}};
  for (unsigned B = 2; B != Code.size(); ++B)
    Code[B] = {{expected(20, load(2, 0)), add(3, 2, 2)}, {B + 1}};
  Code.back().Successors = {1};
  assignControl(Code, latencies());
  EXPECT_EQ(mistakes(Code), Texts{});
  unsigned Long = *Code[1].Units[1].Says.Write;
  for (unsigned B = 2; B != Code.size(); ++B)
    for (const ControlUnit &U : Code[B].Units)
      EXPECT_FALSE(U.Says.Wait >> Long & 1) << "block " << B;
}

TEST(Control, CallsWaitForEverything) {
  ControlCode Code = {{{load(1, 0), {}, add(2, 1, 1)}, {}}};
  Code[0].Units[1].Is = ControlUnit::Drains;
  assignControl(Code, latencies());
  EXPECT_EQ(Code[0].Units[2].Says.Wait, 0u);
  EXPECT_EQ(mistakes(Code), Texts{});
}

TEST(Control, OnlyPipesLetCountersFall) {
  ControlCode Code = {{{branch(FirstPredicate)}, {}}};
  Code[0].Units[0].Says.Write = 1;
  EXPECT_EQ(mistakes(Code), Texts{"a counter is raised by what no pipe "
                                  "executes: it would not fall"});
}

//===----------------------------------------------------------------------===//
// Random code
//===----------------------------------------------------------------------===//

struct Generator {
  std::mt19937 Random;
  unsigned below(unsigned N) { return Random() % N; }
  bool oneIn(unsigned N) { return !below(N); }

  Access access(unsigned Registers) {
    return oneIn(5) ? Access(FirstPredicate + below(3))
                    : Access(below(Registers));
  }
  ControlUnit unit(unsigned Registers) {
    static constexpr IssueClass Classes[] = {
        IssueClass::Alu,       IssueClass::Fma,       IssueClass::Half,
        IssueClass::Vote,      IssueClass::Double,    IssueClass::Decoupled,
        IssueClass::Decoupled, IssueClass::Decoupled, IssueClass::Guard};
    ControlUnit U = ::unit(Classes[below(9)], {}, {});
    for (unsigned N = below(4); N--;)
      U.Reads.push_back(access(Registers));
    for (unsigned N = oneIn(4) ? below(3) : 1; N--;)
      if (U.HasPipe)
        U.Writes.push_back(access(Registers));
    U.IsGuarded = oneIn(6) || !U.HasPipe;
    U.Expected = oneIn(3) ? 300 : 20;
    if (oneIn(8))
      U.Slots = below(4);
    if (!U.Slots)
      U.HasPipe = false;
    if (oneIn(40))
      U = {};
    if (!U.HasPipe && U.Writes.empty() && oneIn(3))
      U.Is = ControlUnit::Drains;
    return U;
  }
  ControlCode code() {
    ControlCode Code(1 + below(6));
    unsigned Registers = 2 + below(8);
    for (ControlBlock &B : Code) {
      for (unsigned N = below(9); N--;)
        B.Units.push_back(unit(Registers));
      for (unsigned N = below(3); N--;)
        B.Successors.push_back(below(unsigned(Code.size())));
    }
    return Code;
  }
};

/// Walks one path; whether something is used too early.
class SlowWarp {
public:
  SlowWarp(const ControlCode &Code, const FixedLatencies &L)
      : Code(Code), L(L) {}

  bool isEarly(Generator &G, unsigned MostUnits) {
    unsigned Block = 0;
    for (unsigned Left = MostUnits; Left;) {
      for (const ControlUnit &U : Code[Block].Units) {
        if (uses(U))
          return true;
        if (!--Left)
          return false;
      }
      const std::vector<unsigned> &Next = Code[Block].Successors;
      if (Next.empty() || (Code[Block].Units.empty() && !--Left))
        return false;
      Block = Next[G.below(unsigned(Next.size()))];
    }
    return false;
  }

private:
  struct Flight {
    const ControlUnit *U;
    uint64_t Issued;
    bool HasRead = false;
  };

  static bool has(const std::vector<Access> &All, Access A) {
    return std::ranges::find(All, A) != All.end();
  }
  bool raises(const std::optional<unsigned> &Counter, unsigned Mask,
              const Flight &F) const {
    return Counter && Mask >> *Counter & 1 && Now - F.Issued >= RaiseCycles;
  }

  /// What the counters say that are awaited: all who raised them are done, as
  /// long as the last raise of each shows.
  void await(unsigned Mask) {
    for (const Flight &F : Flights)
      for (const auto &C : {F.U->Says.Write, F.U->Says.Read})
        if (C && Now - F.Issued < RaiseCycles)
          // A counter that was raised before is still waited for, but it is
          // not known for which of the two: for none.
          Mask &= ~(1u << *C);
    std::erase_if(Flights, [&](Flight &F) {
      if (!F.U->isDecoupled())
        return false;
      if (raises(F.U->Says.Write, Mask, F))
        return true;
      F.HasRead |= raises(F.U->Says.Read, Mask, F);
      return false;
    });
  }

  bool uses(const ControlUnit &U) {
    if (U.Is != ControlUnit::Ordinary) {
      Flights.clear();
      Now += 100;
      return false;
    }
    await(U.Says.Wait);
    for (const Flight &F : Flights)
      if (conflicts(F, U))
        return true;
    if (!U.Slots)
      return false;
    Now += U.Slots - 1;
    if (U.HasPipe)
      Flights.push_back({&U, Now});
    Now += U.Says.Stall;
    std::erase_if(Flights, [&](const Flight &F) {
      return F.U->isFixed() && Now - F.Issued > 20;
    });
    return false;
  }

  bool conflicts(const Flight &F, const ControlUnit &U) const {
    uint64_t Since = Now - F.Issued;
    for (Access A : U.Reads)
      if (has(F.U->Writes, A) &&
          (F.U->isDecoupled() || Since < cyclesToRead(L, F.U->Class, U, A)))
        return true;
    for (Access A : U.Writes) {
      if (has(F.U->Reads, A) && F.U->isDecoupled() && !F.HasRead)
        return true;
      if (has(F.U->Writes, A) &&
          (F.U->isDecoupled() || Since < cyclesToOverwrite(L, F.U->Class, U)))
        return true;
    }
    return false;
  }

  const ControlCode &Code;
  const FixedLatencies &L;
  std::vector<Flight> Flights;
  uint64_t Now = 1000;
};

bool isEarlySomewhere(const ControlCode &Code, const FixedLatencies &L,
                      Generator &G) {
  for (unsigned N = 0; N != 60; ++N)
    if (SlowWarp(Code, L).isEarly(G, 60))
      return true;
  return false;
}

/// One thing less, or another counter.
bool mutate(ControlCode &Code, Generator &G) {
  std::vector<ControlUnit *> Units;
  for (ControlBlock &B : Code)
    for (ControlUnit &U : B.Units)
      Units.push_back(&U);
  if (Units.empty())
    return false;
  Control &C = Units[G.below(unsigned(Units.size()))]->Says;
  Control Before = C;
  switch (G.below(5)) {
  case 0:
    C.Stall -= C.Stall > 1;
    break;
  case 1:
    C.Wait &= ~(1u << G.below(NumDependenceCounters));
    break;
  case 2:
    C.Write.reset();
    break;
  case 3:
    C.Read.reset();
    break;
  case 4:
    if (C.Write)
      C.Write = G.below(NumDependenceCounters);
    break;
  }
  return !(C == Before);
}

unsigned iterations(unsigned Bounded) {
  const char *Asked = std::getenv("REGSHARE_FUZZ_ITERATIONS");
  return Asked ? unsigned(std::atoi(Asked)) : Bounded;
}

TEST(Control, RandomCodeIsRightAndMutantsAreFound) {
  const FixedLatencies Tables[] = {latencies("sm_75"), latencies("sm_80")};
  unsigned Early = 0, Refused = 0, Mutants = 0;
  for (unsigned Seed = 0, End = iterations(300); Seed != End; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Generator G{std::mt19937(Seed)};
    const FixedLatencies &L = Tables[Seed % 2];
    ControlCode Code = G.code();
    assignControl(Code, L);
    auto Found = verifyControl(Code, L);
    ASSERT_TRUE(Found.empty()) << Found.front().What;
    ASSERT_FALSE(isEarlySomewhere(Code, L, G));
    for (unsigned N = 0; N != 6; ++N) {
      ControlCode Mutant = Code;
      if (!mutate(Mutant, G))
        continue;
      ++Mutants;
      bool IsEarly = isEarlySomewhere(Mutant, L, G);
      bool IsRefused = !verifyControl(Mutant, L).empty();
      ASSERT_TRUE(IsRefused || !IsEarly);
      Early += IsEarly;
      Refused += IsRefused;
    }
  }
  // The verifier looks at all paths, the oracle at some.
  EXPECT_GE(Early * 2, Refused);
  EXPECT_GE(Early * 5, Mutants);
  EXPECT_EQ(iterations(300) == 0, Mutants == 0);
}

} // namespace
