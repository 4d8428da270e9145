//===- AnnotateFreesTest.cpp - What RFV's frees promise -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzedModel.h"
#include "WarpInterpreter.h"

#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/RFV/AnnotateFrees.h"

#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

/// A random function and its frees, by block and by the instruction that they
/// follow: 0 is the block's entry, i + 1 instruction i.
struct Case : AnalyzedModel {
  std::map<std::pair<unsigned, unsigned>, RegSet> Frees;

  explicit Case(unsigned Seed) : AnalyzedModel(Seed) {
    for (const FreePoint &P : findFrees(Parsed.mf(), A)) {
      unsigned At = 0;
      if (P.After)
        At = 1 + std::distance(P.MBB->instr_begin(), P.After->getIterator());
      for (unsigned Unit : P.Units)
        Frees[{P.MBB->getNumber(), At}].set(Unit);
    }
  }

  RegSet freed(unsigned Block, unsigned At) const {
    auto It = Frees.find({Block, At});
    return It == Frees.end() ? RegSet() : It->second;
  }
};

RegSet unitsOnly(RegSet Set) {
  for (unsigned P = 0; P != NumPredicates; ++P)
    Set.reset(RegSet::PredBase + P);
  return Set;
}

/// Within a block nothing lives on after the last lane has no use for it, and
/// nothing is freed that one still has.
TEST(AnnotateFrees, FollowTheOracleInsideBlocks) {
  forRandomFunctions<Case>([](const Case &C, unsigned) {
    LivenessOracle Oracle = C.oracle();
    for (unsigned B = 0; B != C.Model.Blocks.size(); ++B) {
      const ModelBlock &Block = C.Model.Blocks[B];
      for (unsigned I = 0; I != Block.Instrs.size(); ++I) {
        RegSet Before = Oracle.threadLive(B, I) | Oracle.parked(B) |
                        unitsOf(Block.Instrs[I].Defs);
        RegSet After = Oracle.threadLive(B, I + 1) | Oracle.parked(B);
        EXPECT_EQ(C.freed(B, I + 1).str(), unitsOnly(Before - After).str())
            << "bb." << B << ", after instruction " << I;
      }
      RegSet Live = Oracle.threadLive(B, 0) | Oracle.parked(B);
      EXPECT_TRUE((C.freed(B, 0) & Live).empty()) << "entry of bb." << B;
      EXPECT_TRUE(C.freed(B, Block.Instrs.size() + 1).empty())
          << "after the terminator of bb." << B;
    }
  });
}

/// Follows what a warp holds: written and not freed since.
struct Held {
  const Case &C;
  RegSet Allocated, Freed;

  void free(const RegSet &Units) {
    Allocated -= Units;
    Freed |= Units;
  }
  void before(const WarpStep &S) {
    if (S.Instr == 0)
      free(C.freed(S.Block, 0));
  }
  void after(const WarpStep &S) {
    const ModelBlock &Block = C.Model.Blocks[S.Block];
    if (S.Instr == Block.Instrs.size())
      return;
    RegSet Defs = unitsOnly(unitsOf(Block.Instrs[S.Instr].Defs));
    Allocated |= Defs;
    Freed -= Defs;
    free(C.freed(S.Block, S.Instr + 1));
  }
};

/// Executed with a SIMT stack, sides in any order: no lane, running or parked,
/// goes on to read what was freed, and a warp holds no register that warp
/// liveness says is dead.
TEST(AnnotateFrees, AWarpHoldsWhatItNeedsAndNoMore) {
  uint64_t Steps = 0, HeldUnits = 0, Units = 0;
  forRandomFunctions<Case>([&](const Case &C, unsigned Seed) {
    LivenessOracle Oracle = C.oracle();
    for (unsigned Run = 0; Run != 3; ++Run) {
      WarpInterpreter Warp(C.Model, Seed * 3 + Run);
      Held H{C, {}, {}};
      for (const WarpStep &S : Warp.run(300)) {
        H.before(S);
        RegSet Lost = S.Needed & H.Freed;
        EXPECT_TRUE(Lost.empty()) << "bb." << S.Block << ", instruction "
                                  << S.Instr << " lost " << Lost.str();
        RegSet Live =
            Oracle.threadLive(S.Block, S.Instr) | Oracle.parked(S.Block);
        RegSet Kept = H.Allocated - Live;
        // A switch that is executed again comes before what could free, and
        // a block that only returns frees everything by that.
        const ModelBlock &Block = C.Model.Blocks[S.Block];
        bool CannotFree =
            S.Again || (Block.Instrs.empty() && Block.Succs.empty());
        EXPECT_TRUE(Kept.empty() || CannotFree || C.A.Meetings.isUncertain())
            << "bb." << S.Block << ", instruction " << S.Instr << " keeps "
            << Kept.str();
        ++Steps;
        HeldUnits += H.Allocated.countUnits();
        Units += C.A.Assignment.numUnits();
        H.after(S);
      }
    }
  });
  // The runs must have been worth it.
  EXPECT_GT(Steps, 20 * randomFunctions());
  EXPECT_LT(HeldUnits, Units * 9 / 10);
}

/// What was inserted is what was found, and the function is still one that the
/// annotation can be read off: nothing stands among terminators.
TEST(AnnotateFrees, AreWrittenOncePerPoint) {
  forRandomFunctions<Case>([](Case &C, unsigned) {
    std::vector<FreePoint> Points = findFrees(C.Parsed.mf(), C.A);
    insertFrees(C.Parsed.mf(), Points);
    unsigned Statements = 0;
    for (const MachineBasicBlock &MBB : C.Parsed.mf()) {
      bool Ending = false;
      for (const MachineInstr &MI : MBB) {
        bool IsFree = statementVerb(MI) == "free";
        Statements += IsFree;
        EXPECT_FALSE(IsFree && Ending) << "bb." << MBB.getNumber();
        Ending |= MI.isTerminator();
      }
    }
    EXPECT_EQ(Statements, Points.size());
    EXPECT_EQ(eraseStatements(C.Parsed.mf(), schemeVerbs()), Statements);
  });
}

} // namespace
