//===- RecomputeToFitTest.cpp - Property tests of recomputation -----------===//
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

#include "Transforms/Recompute/RecomputeToFit.h"
#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"
#include "Transforms/Assign/LiveValues.h"

#include "regshare/Transforms/AssignRegisters.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

unsigned peakOf(MachineFunction &MF) {
  return peakPressure(cantFail(LiveValues::collect(MF)).Stretches).Units;
}

void assign(ParsedFunction &P) {
  MachineDominatorTree MDT(P.mf());
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(P.mf(), MBPI, Loops);
  AssignOptions Options;
  Options.LowerPeak = false;
  AssignStats Stats;
  unsigned CopiesRemoved = 0;
  rewriteToArchitected(P.mf(),
                       cantFail(assignRegisters(P.mf(), MBFI, Options, Stats)),
                       CopiesRemoved);
}

/// As many instructions as blocks have, so that values live long, and many
/// registers, so that some have one definition.
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

TEST(RecomputeToFit, LanesDoWhatTheyDidBefore) {
  unsigned Fitted = 0, Diverged = 0, Steps = 0;
  for (unsigned Seed = 0, E = fuzzIterations(1000); Seed != E; ++Seed) {
    std::string Text = makeRandomFunction(optionsFor(Seed)).mir();
    ParsedFunction Before(Text), After(Text);
    unsigned Peak = peakOf(After.mf());
    std::string AsItCame = textOf(After.mf());
    std::vector<OccupancyStep> Asked;
    for (unsigned Units = Peak - std::min(Peak, 6u); Units < Peak; ++Units)
      Asked.push_back({Units, 2});
    RecomputedFit Fit = cantFail(recomputeToFit(After.mf(), Asked));
    if (!Fit.Added) {
      EXPECT_EQ(AsItCame, textOf(After.mf())) << "seed " << Seed;
      continue;
    }
    ++Fitted;
    Steps += Peak - Fit.Step.Units;
    EXPECT_LE(peakOf(After.mf()), Fit.Step.Units);
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
  EXPECT_GE(Fitted, test::atLeast(100));
  EXPECT_GT(Steps, Fitted);
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

TEST(RecomputeToFit, AsksWhatTheWarpsAreWorth) {
  ParsedFunction P(sumOfLoads());
  const unsigned Peak = 8 + 1 + 2; // the loads, a constant, an address
  ASSERT_EQ(peakOf(P.mf()), Peak);
  // An instruction in twenty is more than a tenth more warps are worth.
  EXPECT_EQ(cantFail(recomputeToFit(P.mf(), {{Peak - 1, 1.1}})).Added, 0u);
  // The loads themselves stay, whatever it would be worth.
  EXPECT_EQ(cantFail(recomputeToFit(P.mf(), {{7, 100}})).Added, 0u);
  RecomputedFit Fit =
      cantFail(recomputeToFit(P.mf(), {{7, 100}, {Peak - 1, 1.5}}));
  EXPECT_EQ(Fit.Step.Units, Peak - 1);
  EXPECT_GT(Fit.Added, 0u);
  EXPECT_LT(peakOf(P.mf()), Peak);
}

} // namespace
