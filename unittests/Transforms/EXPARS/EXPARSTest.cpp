//===- EXPARSTest.cpp - What PREFs promise --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Analysis/InstrFacts.h"
#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/EXPARS/EXPARS.h"
#include "regshare/Base/EXPARS/EXPARSStatements.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/EXPARS/EXPARS.h"
#include "regshare/Transforms/RegMutex/RegMutex.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

EXPARSResult apply(MachineFunction &MF, const CompilerOptions &Options) {
  MachineDominatorTree MDT(MF);
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(MF, MBPI, Loops);
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  return cantFail(applyEXPARS(MF, {PDT, MBFI, MBPI}, Options));
}

/// Functions with more registers than an operand cache has lines.
RandomFunctionOptions manyRegisters(unsigned Seed) {
  RandomFunctionOptions Options = variedOptions(Seed);
  Options.Registers = 6 + Seed % 31;
  Options.InstrsPerBlock = 3 + Seed % 17;
  return Options;
}

CompilerOptions optionsFor(unsigned Seed) {
  CompilerOptions Options;
  Options.Settings.set(settings::OperandCacheBytes, 1024u << Seed % 3)
      .set(settings::Tau, Seed * 7 % 11 * 100)
      .set(settings::ExpectedWeights, Seed % 2);
  return Options;
}

VerifierOptions verifierOptions(const CompilerOptions &Options) {
  VerifierOptions V;
  V.Asked = schemes::EXPARS;
  for (const Setting *S : {&settings::OperandCacheBytes, &settings::Tau})
    V.Settings.set(*S, Options.Settings[*S]);
  return V;
}

std::vector<AnnotationViolation> violations(ParsedFunction &Parsed,
                                            const VerifierOptions &Options) {
  return verifyAnnotations(Parsed.mf(),
                           cantFail(RegisterAssignment::fromNames(Parsed.mf())),
                           Parsed.postDominators(), Options);
}

template <typename Fn> void forRandomFunctions(Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(400); Seed != E; ++Seed) {
    ModelFunction Model = makeRandomFunction(manyRegisters(Seed));
    ParsedFunction Parsed(Model.mir());
    CompilerOptions Options = optionsFor(Seed);
    EXPARSResult R = apply(Parsed.mf(), Options);
    Check(Model, Parsed, R, Options);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n" << Model.mir();
  }
}

/// The code before, without the copies that renumbering drops.
void dropIdleCopies(MachineFunction &MF) {
  unsigned CopiesRemoved = 0;
  rewriteToArchitected(MF, cantFail(RegisterAssignment::fromNames(MF)),
                       CopiesRemoved);
}

/// On a warp whose registers of scratchpad are in the operand cache and nowhere
/// else while a bundle runs, and whose lines others take when it is over, when
/// lanes part and go on, and when it waits.
TEST(EXPARS, LanesDoWhatTheyDidBefore) {
  unsigned Diverged = 0, Prefs = 0, LineReads = 0;
  forRandomFunctions([&](ModelFunction &Model, ParsedFunction &Parsed,
                         const EXPARSResult &, const CompilerOptions &) {
    ParsedFunction Before(Model.mir());
    dropIdleCopies(Before.mf());
    expectSameRuns(Before.mf(), Parsed.mf(), [&](const MachineWarp &W) {
      Diverged += W.Diverged;
      Prefs += W.Prefs;
      LineReads += W.LineReads;
    });
  });
  EXPECT_GT(Diverged, 100u);
  EXPECT_GT(Prefs, 1000u);
  EXPECT_GT(LineReads, 1000u);
}

TEST(EXPARS, VerifierAccepts) {
  forRandomFunctions([&](ModelFunction &, ParsedFunction &Parsed,
                         const EXPARSResult &, const CompilerOptions &Options) {
    for (const AnnotationViolation &V :
         violations(Parsed, verifierOptions(Options)))
      ADD_FAILURE() << V.str();
  });
}

//===----------------------------------------------------------------------===//
// What the result says
//===----------------------------------------------------------------------===//

std::vector<unsigned> vectorOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).split('"').second.rsplit('"').first;
  return *parsePref(*parseStatement({Text.data(), Text.size()}));
}

std::vector<MachineInstr *> prefsOf(MachineFunction &MF) {
  std::vector<MachineInstr *> Prefs;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (statementVerb(MI) == "pref")
        Prefs.push_back(&MI);
  return Prefs;
}

TEST(EXPARS, CountsItsStatements) {
  forRandomFunctions([&](ModelFunction &, ParsedFunction &Parsed,
                         const EXPARSResult &R,
                         const CompilerOptions &Options) {
    unsigned Prefs = 0, Empty = 0, Headers = 0;
    for (const MachineBasicBlock &MBB : Parsed.mf())
      for (const MachineInstr &MI : MBB) {
        Headers += statementVerb(MI) == "bundles";
        if (statementVerb(MI) != "pref")
          continue;
        std::vector<unsigned> Units = vectorOf(MI);
        ++Prefs;
        Empty += Units.empty();
        for (unsigned Unit : Units)
          EXPECT_GE(Unit, R.Kept);
      }
    EXPECT_EQ(Headers, 1u);
    EXPECT_EQ(Prefs, R.Bundles);
    EXPECT_EQ(Empty, R.EmptyBundles);
    EXPECT_GE(R.Kept, R.KeptByTau);
    EXPECT_EQ(R.Cache.Bytes, Options.Settings[settings::OperandCacheBytes]);
    EXPECT_LE(R.ScratchpadReferences, R.References + 1e-6);
    if (Options.Settings[settings::Tau] == 0)
      EXPECT_EQ(R.Bundles - R.EmptyBundles, 0u);
  });
}

/// By aligned block of eight units, the largest group that there is: how many
/// operands of \p MF name them. Without the last block, unless it is whole.
std::vector<unsigned> namedByEights(MachineFunction &MF) {
  RegisterAssignment Assignment = cantFail(RegisterAssignment::fromNames(MF));
  std::vector<unsigned> Count(Assignment.numUnits() / 8);
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      for (const MachineOperand &MO : MI.operands()) {
        if (MI.isMetaInstruction() || !MO.isReg() || !MO.getReg().isVirtual())
          continue;
        ArchReg Reg = Assignment.lookup(MO.getReg());
        for (unsigned I = 0; I != Reg.units(); ++I)
          if (unsigned Block = (Reg.Index + I) / 8; Block < Count.size())
            ++Count[Block];
      }
  return Count;
}

/// Static counts: where nothing collides, as in a cache of 32 lines for fewer
/// registers, no eight registers are named more often than those below.
TEST(EXPARS, HotRegistersComeFirst) {
  unsigned Sorted = 0;
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    ParsedFunction Parsed(makeRandomFunction(manyRegisters(Seed)).mir());
    std::vector<unsigned> Before = namedByEights(Parsed.mf());
    CompilerOptions Options;
    Options.Settings.set(settings::OperandCacheBytes, 4096);
    apply(Parsed.mf(), Options);
    std::vector<unsigned> After = namedByEights(Parsed.mf());
    EXPECT_TRUE(llvm::is_sorted(After, std::greater<>())) << "seed " << Seed;
    Sorted += !llvm::is_sorted(Before, std::greater<>());
  }
  EXPECT_GT(Sorted, 50u);
}

/// Applying it again replaces what is there.
TEST(EXPARS, ReplacesItsStatements) {
  for (unsigned Seed = 0; Seed != 50; ++Seed) {
    ParsedFunction Parsed(makeRandomFunction(manyRegisters(Seed)).mir());
    EXPARSResult First = apply(Parsed.mf(), {});
    EXPARSResult Again = apply(Parsed.mf(), {});
    EXPECT_EQ(First.CodeBytes, Again.CodeBytes);
    EXPECT_EQ(prefsOf(Parsed.mf()).size(), Again.Bundles);
    EXPECT_TRUE(violations(Parsed, verifierOptions({})).empty());
  }
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

void replaceVector(MachineInstr &MI, const std::vector<unsigned> &Units) {
  insertStatement(*MI.getParent(), MI.getIterator(), printPrefPragma(Units));
  MI.eraseFromParent();
}

/// Drops a register or a PREF, adds a register, or moves a PREF by one.
void makeMistake(MachineFunction &MF, const EXPARSResult &R,
                 std::mt19937 &Random) {
  std::vector<MachineInstr *> Prefs = prefsOf(MF);
  MachineInstr &MI = *Prefs[Random() % Prefs.size()];
  std::vector<unsigned> Units = vectorOf(MI);
  MachineBasicBlock &MBB = *MI.getParent();
  auto Next = std::next(MI.getIterator());
  switch (Random() % 4) {
  case 0:
    if (!Units.empty())
      Units.erase(Units.begin() + Random() % Units.size());
    return replaceVector(MI, Units);
  case 1:
    if (R.Kept < R.Registers) {
      unsigned Unit = R.Kept + Random() % (R.Registers - R.Kept);
      if (!is_contained(Units, Unit))
        Units.insert(llvm::upper_bound(Units, Unit), Unit);
    }
    return replaceVector(MI, Units);
  case 2:
    return MI.eraseFromParent();
  default:
    if (Next != MBB.end() && !Next->isTerminator())
      MBB.splice(std::next(Next), &MBB, MI.getIterator());
  }
}

/// What the verifier accepts goes right, and some of what it refuses goes
/// wrong.
TEST(EXPARS, VerifierFindsMistakes) {
  unsigned Accepted = 0, Refused = 0, Wrong = 0;
  std::mt19937 Random(1);
  forRandomFunctions([&](ModelFunction &Model, ParsedFunction &Parsed,
                         const EXPARSResult &R,
                         const CompilerOptions &Options) {
    ParsedFunction Before(Model.mir());
    dropIdleCopies(Before.mf());
    bool IsSound = true;
    for (unsigned Mistakes = 0; Mistakes != 4 && IsSound; ++Mistakes) {
      makeMistake(Parsed.mf(), R, Random);
      IsSound = violations(Parsed, verifierOptions(Options)).empty();
      ++(IsSound ? Accepted : Refused);
      bool IsRight = true;
      for (unsigned Order = 0; Order != 4; ++Order) {
        MachineWarp After = runWarp(Parsed.mf(), Order);
        IsRight &= After.Violation.empty() &&
                   runWarp(Before.mf(), Order).Trace == After.Trace;
      }
      Wrong += !IsRight;
      EXPECT_TRUE(IsRight || !IsSound);
    }
  });
  EXPECT_GE(Accepted, test::atLeast(50));
  EXPECT_GE(Refused, test::atLeast(100));
  EXPECT_GE(Wrong, test::atLeast(50));
}

} // namespace
