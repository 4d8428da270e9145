//===- RecomputeWithinTest.cpp - Property tests of recomputation ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Computes values of random functions again, gives both forms registers, and
/// runs them on a warp: each lane has to do the same.
///
//===----------------------------------------------------------------------===//

#include "Transforms/Recompute/RecomputeWithin.h"
#include "AssignedFunction.h"
#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"
#include "Transforms/Assign/LiveValues.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

unsigned peakOf(MachineFunction &MF) {
  return peakPressure(cantFail(LiveValues::collect(MF)).Stretches).Units;
}

/// Long blocks, so that values live long, and many registers, so that some of
/// them have one definition.
RandomFunctionOptions optionsFor(unsigned Seed) {
  RandomFunctionOptions O;
  O.Seed = Seed;
  O.Blocks = 2 + Seed % 9;
  O.Structured = Seed / 9 % 3 != 0;
  O.Virtual = true;
  O.Registers = 6 + Seed % 5 * 5;
  O.InstrsPerBlock = 4 + Seed % 11;
  return O;
}

std::string textOf(const MachineFunction &MF) {
  std::string Text;
  raw_string_ostream OS(Text);
  MF.print(OS);
  return Text;
}

TEST(RecomputeWithin, LanesDoWhatTheyDidBefore) {
  unsigned Changed = 0, Diverged = 0, Reached = 0;
  for (unsigned Seed = 0, E = fuzzIterations(1000); Seed != E; ++Seed) {
    std::string Text = makeRandomFunction(optionsFor(Seed)).mir();
    ParsedFunction Before(Text), After(Text);
    unsigned Peak = peakOf(After.mf());
    std::string AsItCame = textOf(After.mf());
    unsigned Units = Peak - std::min(Peak, 1 + Seed % 6);
    if (!cantFail(recomputeWithin(After.mf(), Units))) {
      EXPECT_EQ(AsItCame, textOf(After.mf())) << "seed " << Seed;
      continue;
    }
    ++Changed;
    Reached += peakOf(After.mf()) <= Units;
    EXPECT_LT(peakOf(After.mf()), Peak);
    assign(Before);
    assign(After);
    expectSameRuns(Before.mf(), After.mf(),
                   [&](const MachineWarp &W) { Diverged += W.Diverged; });
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n"
             << Text << "\nafter:\n"
             << textOf(After.mf());
  }
  // The test tests something.
  EXPECT_GE(Changed, test::atLeast(100));
  EXPECT_GE(Reached, test::atLeast(50));
  EXPECT_GT(Diverged, 0u);
}

/// Twenty instructions: eight loads under way while two constants wait.
std::string sumOfLoads() {
  std::string Text = "  bb.0:\n"
                     "    %100:b64 = MOV_B64_i 64\n"
                     "    %0:b32 = MOV_B32_i 7\n";
  for (unsigned I = 1; I != 9; ++I)
    Text += "    %" + std::to_string(I) +
            ":b32 = LD_i32 0, 0, 1, 3, 32, -1, %100, " + std::to_string(4 * I) +
            "\n";
  for (unsigned I = 0; I != 8; ++I)
    Text += "    %" + std::to_string(20 + I) + ":b32 = ADD32rr %" +
            std::to_string(I ? 19 + I : 1) + ", %" +
            std::to_string(I == 7 ? 0 : I + 2) + "\n";
  return Text + "    ST_i32 %27, 0, 0, 1, 32, %100, 0\n    Return\n";
}

TEST(RecomputeWithin, LeavesWhatIsNotCheap) {
  const unsigned Loads = 8, Peak = Loads + 1 + 2; // a constant, an address
  ParsedFunction P(sumOfLoads());
  ASSERT_EQ(peakOf(P.mf()), Peak);
  EXPECT_EQ(cantFail(recomputeWithin(P.mf(), Peak)), 0u);
  EXPECT_GT(cantFail(recomputeWithin(P.mf(), Peak - 1)), 0u);
  EXPECT_LT(peakOf(P.mf()), Peak);
  // The loads themselves stay: the address is there for the last one.
  ParsedFunction Q(sumOfLoads());
  EXPECT_GT(cantFail(recomputeWithin(Q.mf(), 1)), 0u);
  EXPECT_GE(peakOf(Q.mf()), Loads);
  unsigned Left = 0;
  for (const MachineInstr &MI : Q.mf().front())
    Left += MI.mayLoad();
  EXPECT_EQ(Left, Loads);
}

} // namespace
