//===- LivenessPropertyTest.cpp - Random functions -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LivenessOracle.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"
#include "WarpInterpreter.h"

#include "regshare/Analysis/Analyses.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

/// A random function, and the analyses of its MIR.
struct Case {
  ModelFunction Model;
  ParsedFunction Parsed;
  Analyses A;

  Case(const RandomFunctionOptions &Options, DivergenceOptions Divergence)
      : Model(makeRandomFunction(Options)), Parsed(Model.mir()),
        A(Parsed.mf(), cantFail(RegisterAssignment::fromNames(Parsed.mf())),
          Parsed.postDominators(), Divergence) {}

  std::vector<bool> divergentBranches() {
    std::vector<bool> Divergent;
    for (unsigned B = 0; B != Model.Blocks.size(); ++B)
      Divergent.push_back(A.Divergence.isDivergentBranch(Parsed.block(B)));
    return Divergent;
  }
};

RandomFunctionOptions optionsFor(unsigned Seed) {
  RandomFunctionOptions O;
  O.Seed = Seed;
  O.Blocks = 1 + Seed % 17;
  O.Structured = Seed / 17 % 2;
  O.Registers = 4 + Seed / 34 % 3 * 4;
  O.InstrsPerBlock = 1 + Seed % 6;
  return O;
}

/// Runs \p Check(case) over random functions; a failure prints the function.
template <typename Fn>
void forRandomFunctions(DivergenceOptions Divergence, Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(3000); Seed != E; ++Seed) {
    Case C(optionsFor(Seed), Divergence);
    Check(C, Seed);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n" << C.Model.mir();
  }
}

void expectThreadLiveness(Case &C, const LivenessOracle &Oracle, unsigned B) {
  const MachineBasicBlock &MBB = C.Parsed.block(B);
  const ThreadLiveness &Thread = C.A.Thread;
  EXPECT_EQ(Thread.liveIn(MBB).str(), Oracle.threadLive(B, 0).str());
  EXPECT_EQ(Thread.liveOut(MBB).str(), Oracle.threadLiveOut(B).str());
  unsigned Terminator = C.Model.Blocks[B].Instrs.size();
  unsigned At = MBB.size();
  Thread.forEachBackward(
      MBB, [&](const MachineInstr &MI, const RegSet &Before, const RegSet &) {
        if (--At <= Terminator)
          EXPECT_EQ(Before.str(), Oracle.threadLive(B, At).str())
              << "bb." << B << ", instruction " << At;
      });
}

TEST(LivenessProperty, ThreadAndWarpLivenessEqualTheOracle) {
  DivergenceOptions EveryBranch;
  EveryBranch.EveryBranch = true;
  for (DivergenceOptions Options : {DivergenceOptions(), EveryBranch})
    forRandomFunctions(Options, [](Case &C, unsigned) {
      LivenessOracle Oracle(C.Model, C.divergentBranches());
      for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
        expectThreadLiveness(C, Oracle, B);
        EXPECT_EQ(C.A.Warp.parked(C.Parsed.block(B)).str(),
                  Oracle.parked(B).str())
            << "bb." << B;
      }
    });
}

TEST(LivenessProperty, MeetingPointsEqualTheOracle) {
  forRandomFunctions({}, [](Case &C, unsigned) {
    for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
      const MachineBasicBlock *Meet =
          C.A.Meetings.meetingPoint(C.Parsed.block(B));
      std::optional<unsigned> Found;
      if (Meet)
        Found = Meet->getNumber();
      EXPECT_EQ(Found, immediatePostDominator(C.Model, B)) << "bb." << B;
    }
  });
}

/// What the analyses say about a point, by block and instruction.
struct StaticFacts {
  std::vector<std::vector<RegSet>> WarpLive;
  std::vector<RegSet> DivergentIn;
  std::vector<bool> DivergentBranch;

  explicit StaticFacts(Case &C) : DivergentBranch(C.divergentBranches()) {
    for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
      const MachineBasicBlock &MBB = C.Parsed.block(B);
      DivergentIn.push_back(C.A.Divergence.divergentIn(MBB));
      WarpLive.emplace_back();
      C.A.Warp.forEachBackward(
          MBB, [&](const MachineInstr &, const RegSet &Before, const RegSet &) {
            WarpLive.back().push_back(Before);
          });
      std::ranges::reverse(WarpLive.back());
    }
  }
};

TEST(LivenessProperty, ExecutionNeedsNoMoreThanWarpLivenessSays) {
  unsigned Parted = 0;
  forRandomFunctions({}, [&](Case &C, unsigned Seed) {
    StaticFacts Facts(C);
    for (unsigned Run = 0; Run != 4; ++Run) {
      WarpInterpreter Warp(C.Model, Seed * 4 + Run);
      for (const WarpStep &S : Warp.run(400)) {
        EXPECT_TRUE((S.Needed - Facts.WarpLive[S.Block][S.Instr]).empty())
            << "bb." << S.Block << ", instruction " << S.Instr << " drops "
            << (S.Needed - Facts.WarpLive[S.Block][S.Instr]).str();
        if (S.Instr == 0)
          EXPECT_TRUE((S.Differ - Facts.DivergentIn[S.Block]).empty())
              << "bb." << S.Block << " calls uniform "
              << (S.Differ - Facts.DivergentIn[S.Block]).str();
        EXPECT_TRUE(!S.Parted || Facts.DivergentBranch[S.Block])
            << "bb." << S.Block << " parts lanes";
        Parted += S.Parted;
      }
    }
  });
  // The runs must have been worth it.
  EXPECT_GT(Parted, fuzzIterations(3000) / 2);
}

TEST(LivenessProperty, ExecutionNeedsMoreThanThreadLivenessSays) {
  unsigned Dropped = 0;
  forRandomFunctions({}, [&](Case &C, unsigned Seed) {
    std::vector<bool> Uniform(C.Model.Blocks.size());
    LivenessOracle Thread(C.Model, Uniform);
    WarpInterpreter Warp(C.Model, Seed);
    for (const WarpStep &S : Warp.run(400))
      Dropped += !(S.Needed - Thread.threadLive(S.Block, S.Instr)).empty();
  });
  EXPECT_GT(Dropped, 0u);
}

} // namespace
