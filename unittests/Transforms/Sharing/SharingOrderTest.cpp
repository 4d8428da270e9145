//===- SharingOrderTest.cpp - Which registers are private -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Sharing/SharingOrder.h"

#include "GroupOrders.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"
#include "Transforms/Renumber.h"

#include "regshare/Analysis/References.h"
#include "regshare/Base/Sharing/Sharing.h"

#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"

#include <map>
#include <random>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

/// A random function with what the orders look at.
struct OrderedFunction {
  explicit OrderedFunction(const RandomFunctionOptions &Options)
      : Parsed(makeRandomFunction(Options).mir()),
        Assignment(cantFail(RegisterAssignment::fromNames(Parsed.mf()))),
        Reach(Parsed.mf(), MBPI,
              [&](const MachineInstr &MI) { return namedBy(MI); }),
        Input{Reach, firstUseOrder(Parsed.mf(), Assignment, BlockOrder::Layout),
              registerGranules(Parsed.mf(), Assignment)} {}

  RegSet namedBy(const MachineInstr &MI) const {
    RegSet Units;
    for (const MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.getReg().isVirtual())
        if (ArchReg R = Assignment.lookup(MO.getReg()); !R.isPred())
          Units.insert(R);
    return Units;
  }
  unsigned units() const { return Assignment.numUnits(); }
  /// Units that some instruction names.
  RegSet named() {
    RegSet Units;
    for (const MachineBasicBlock &MBB : Parsed.mf())
      for (const MachineInstr &MI : MBB)
        if (!MI.isMetaInstruction())
          Units |= namedBy(MI);
    return Units;
  }

  ParsedFunction Parsed;
  RegisterAssignment Assignment;
  MachineBranchProbabilityInfo MBPI;
  SharingReach Reach;
  OrderInput Input;
};

RandomFunctionOptions someRegisters(unsigned Seed) {
  RandomFunctionOptions Options = variedOptions(Seed);
  Options.Registers = 4 + Seed % 23;
  return Options;
}

template <typename Fn>
void forRandomFunctions(
    unsigned Count, Fn Check,
    RandomFunctionOptions (*Vary)(unsigned) = someRegisters) {
  for (unsigned Seed = 0, E = fuzzIterations(Count); Seed != E; ++Seed) {
    OrderedFunction F(Vary(Seed));
    Check(F, Seed);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed;
  }
}

RegSet randomSet(std::mt19937 &Random, unsigned Units) {
  RegSet Set;
  unsigned Share = 1 + Random() % 8;
  for (unsigned Unit = 0; Unit != Units; ++Unit)
    if (Random() % 8 < Share)
      Set.set(Unit);
  return Set;
}

//===----------------------------------------------------------------------===//
// How far a warp comes
//===----------------------------------------------------------------------===//

/// By block: instructions on the shortest path to its start, found by passing
/// every edge until nothing gets shorter.
std::map<const MachineBasicBlock *, unsigned> distances(OrderedFunction &F) {
  auto Length = [](const MachineBasicBlock &MBB) {
    return unsigned(llvm::count_if(
        MBB, [](const MachineInstr &MI) { return !MI.isMetaInstruction(); }));
  };
  std::map<const MachineBasicBlock *, unsigned> Found = {
      {&F.Parsed.mf().front(), 0}};
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock &MBB : F.Parsed.mf())
      if (auto At = Found.find(&MBB); At != Found.end())
        for (const MachineBasicBlock *Succ : MBB.successors()) {
          unsigned There = At->second + Length(MBB);
          auto [It, New] = Found.try_emplace(Succ, There);
          Changed |= New || There < It->second;
          It->second = std::min(It->second, There);
        }
  }
  return Found;
}

/// By unit, from the distances.
std::vector<std::optional<unsigned>> naiveEarliest(OrderedFunction &F) {
  std::vector<std::optional<unsigned>> Earliest(F.units());
  for (auto [MBB, Distance] : distances(F))
    for (const MachineInstr &MI : *MBB) {
      if (MI.isMetaInstruction())
        continue;
      RegSet Named = F.namedBy(MI);
      for (unsigned Unit = 0; Unit != F.units(); ++Unit)
        if (Named.test(Unit))
          Earliest[Unit] = std::min(Earliest[Unit].value_or(~0u), Distance);
      ++Distance;
    }
  return Earliest;
}

TEST(SharingReach, ShortestPaths) {
  std::mt19937 Random(1);
  forRandomFunctions(300, [&](OrderedFunction &F, unsigned) {
    std::vector<std::optional<unsigned>> Naive = naiveEarliest(F);
    for (unsigned Unit = 0; Unit != F.units(); ++Unit)
      EXPECT_EQ(F.Reach.earliest()[Unit], Naive[Unit]) << "R" << Unit;
    RegSet Own = randomSet(Random, F.units());
    std::optional<unsigned> Least;
    for (unsigned Unit = 0; Unit != F.units(); ++Unit)
      if (!Own.test(Unit) && Naive[Unit])
        Least = std::min(Least.value_or(~0u), *Naive[Unit]);
    EXPECT_EQ(F.Reach.least(Own), Least);
  });
}

/// Lets a warp flow through the blocks, round after round, and adds up what it
/// executes. Nothing if there is no end of it.
std::optional<double> flow(OrderedFunction &F, const RegSet &Own) {
  std::map<const MachineBasicBlock *, double> Now = {
      {&F.Parsed.mf().front(), 1}};
  double Executed = 0;
  for (unsigned Round = 0; Round != 20000; ++Round) {
    std::map<const MachineBasicBlock *, double> Next;
    double Moved = 0;
    for (auto [MBB, Share] : Now) {
      bool Stops = false;
      for (const MachineInstr &MI : *MBB) {
        Stops |= !MI.isMetaInstruction() && !(F.namedBy(MI) - Own).empty();
        if (Stops)
          break;
        Executed += MI.isMetaInstruction() ? 0 : Share;
      }
      if (Stops)
        continue;
      for (const MachineBasicBlock *Succ : MBB->successors()) {
        BranchProbability P = F.MBPI.getEdgeProbability(MBB, Succ);
        double Part = Share * P.getNumerator() / P.getDenominator();
        Next[Succ] += Part;
        Moved += Part;
      }
    }
    if (Moved < 1e-12)
      return Executed;
    Now = std::move(Next);
  }
  return std::nullopt;
}

TEST(SharingReach, ExpectedInstructions) {
  std::mt19937 Random(1);
  unsigned Ended = 0, Looped = 0;
  forRandomFunctions(300, [&](OrderedFunction &F, unsigned) {
    for (unsigned Try = 0; Try != 4; ++Try) {
      RegSet Own = Try ? randomSet(Random, F.units()) : lowestUnits(F.units());
      std::optional<double> Naive = flow(F, Own);
      double Expected = F.Reach.expected(Own);
      if (Naive)
        EXPECT_NEAR(Expected, *Naive, 1e-4 * (1 + *Naive));
      ++(Naive ? Ended : Looped);
    }
  });
  EXPECT_GE(Ended, test::atLeast(800));
  EXPECT_GT(Looped, 0u);
}

/// Each of the sets makes some warp stop, and with all of them no warp stops
/// where it did.
TEST(SharingReach, WhatIsLacking) {
  std::mt19937 Random(1);
  forRandomFunctions(200, [&](OrderedFunction &F, unsigned) {
    RegSet Own = randomSet(Random, F.units());
    std::vector<RegSet> Lacking = F.Reach.lacking(Own);
    EXPECT_EQ(Lacking.empty(), !F.Reach.least(Own));
    RegSet All = Own;
    for (const RegSet &Lacks : Lacking) {
      EXPECT_FALSE(Lacks.empty());
      EXPECT_TRUE((Lacks & Own).empty());
      EXPECT_GT(F.Reach.expected(Own | Lacks), F.Reach.expected(Own));
      All |= Lacks;
    }
    if (std::optional<unsigned> Before = F.Reach.least(Own))
      EXPECT_GT(F.Reach.least(All).value_or(~0u), *Before);
  });
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// By aligned block of as many units as the largest group has, without one that
/// is cut off: the lowest of the \p Keys of its units. What has none is last.
std::vector<double> keysOfBlocks(const Numbers &New,
                                 const std::vector<double> &Keys,
                                 const std::vector<unsigned> &Granules) {
  unsigned Largest = 1;
  for (unsigned Granule : Granules)
    Largest = std::max(Largest, Granule);
  std::vector<double> Lowest(New.size() / Largest, 1e9);
  for (unsigned Unit = 0; Unit != New.size(); ++Unit)
    if (unsigned Block = New[Unit] / Largest; Block < Lowest.size())
      Lowest[Block] = std::min(Lowest[Block], Keys[Unit]);
  return Lowest;
}

void expectOrdered(OrderedFunction &F, RegisterOrder Order,
                   const std::vector<double> &Keys, unsigned &Exact) {
  Numbers New = numbersInOrder(Order, F.Input, 500);
  expectKeepsGroups(New, F.Input.Granules);
  std::vector<double> Blocks = keysOfBlocks(New, Keys, F.Input.Granules);
  EXPECT_TRUE(std::is_sorted(Blocks.begin(), Blocks.end()));
  Exact += Blocks.size() == New.size();
  // The code names no higher register than before.
  EXPECT_LE(registersNamed(F.Input, New), F.units());
}

/// Where in the text each unit is named first.
TEST(SharingOrder, FirstUse) {
  unsigned Exact = 0;
  forRandomFunctions(300, [&](OrderedFunction &F, unsigned) {
    std::vector<double> First(F.units(), 1e9);
    double At = 0;
    for (const MachineBasicBlock &MBB : F.Parsed.mf())
      for (const MachineInstr &MI : MBB)
        for (const MachineOperand &MO : MI.operands())
          if (MO.isReg() && MO.getReg().isVirtual())
            if (ArchReg R = F.Assignment.lookup(MO.getReg()); !R.isPred())
              for (unsigned I = 0; I != R.units(); ++I)
                First[R.Index + I] = std::min(First[R.Index + I], ++At);
    expectOrdered(F, RegisterOrder::FirstUse, First, Exact);
  });
  EXPECT_GE(Exact, test::atLeast(5));
}

TEST(SharingOrder, Earliest) {
  unsigned Exact = 0;
  forRandomFunctions(300, [&](OrderedFunction &F, unsigned) {
    std::vector<std::optional<unsigned>> Naive = naiveEarliest(F);
    std::vector<double> Keys;
    Keys.reserve(Naive.size());
    for (std::optional<unsigned> Earliest : Naive)
      Keys.push_back(Earliest ? *Earliest : 1e9);
    expectOrdered(F, RegisterOrder::Earliest, Keys, Exact);
  });
  EXPECT_GE(Exact, test::atLeast(5));
}

RandomFunctionOptions fewRegisters(unsigned Seed) {
  RandomFunctionOptions Options = variedOptions(Seed);
  Options.Registers = 4 + Seed % 4;
  Options.InstrsPerBlock = 1 + Seed % 5;
  return Options;
}

/// Instructions expected before the first shared register with \p New.
double reached(const OrderedFunction &F, const Numbers &New, unsigned Share) {
  unsigned Private = privateRegisters(registersNamed(F.Input, New), Share);
  return F.Reach.expected(unitsBelow(New, Private));
}

/// Never worse than the order of first use, and of all ways to number few
/// registers mostly the best.
TEST(SharingOrder, Weight) {
  unsigned Better = 0, Best = 0, All = 0;
  forRandomFunctions(
      300,
      [&](OrderedFunction &F, unsigned Seed) {
        unsigned Share = 100 + Seed % 9 * 100;
        Numbers New = numbersInOrder(RegisterOrder::Weight, F.Input, Share);
        expectKeepsGroups(New, F.Input.Granules);
        double Reached = reached(F, New, Share);
        double FirstUse = reached(
            F, numbersInOrder(RegisterOrder::FirstUse, F.Input, Share), Share);
        double Most = 0;
        forEachOrder(F.Input.Granules, [&](const Numbers &Other) {
          Most = std::max(Most, reached(F, Other, Share));
        });
        EXPECT_GE(Reached, FirstUse);
        EXPECT_LE(Reached, Most * (1 + 1e-9));
        Better += Reached > FirstUse;
        Best += Reached >= Most * (1 - 1e-9);
        ++All;
      },
      fewRegisters);
  EXPECT_GE(Better, test::atLeast(1));
  EXPECT_GT(Best, All * 9 / 10);
}

} // namespace
