//===- SHRFTest.cpp - A register cache that code manages ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/SHRF/SHRF.h"
#include "regshare/Base/SHRF/SHRFStatements.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/RegMutex/RegMutex.h"
#include "regshare/Transforms/SHRF/SHRF.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

SHRFResult apply(ParsedFunction &Parsed, unsigned Slots) {
  MachineFunction &MF = Parsed.mf();
  MachineDominatorTree MDT(MF);
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(MF, MBPI, Loops);
  CompilerOptions Options;
  Options.Settings.set(settings::IntervalRegisters, Slots);
  return cantFail(
      applySHRF(MF, {Parsed.postDominators(), MBFI, MBPI}, Options));
}

template <typename Fn> void forRandomFunctions(Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(600); Seed != E; ++Seed) {
    ModelFunction Model = makeRandomFunction(variedOptions(Seed));
    ParsedFunction Parsed(Model.mir());
    SHRFResult R = apply(Parsed, 1 + Seed % 17);
    Check(Model, Parsed, R);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n" << Model.mir();
  }
}

/// On a warp with a cache of its own, which is lost at the end of each strand,
/// where lanes part and go on, and where the warp waits.
TEST(SHRF, LanesDoWhatTheyDidBefore) {
  unsigned Diverged = 0, Reads = 0, Losses = 0;
  forRandomFunctions(
      [&](ModelFunction &Model, ParsedFunction &Parsed, const SHRFResult &) {
        ParsedFunction Before(Model.mir());
        expectSameRuns(Before.mf(), Parsed.mf(), [&](const MachineWarp &W) {
          Diverged += W.Diverged;
          Reads += W.CacheReads;
          Losses += W.CacheLosses;
        });
      });
  // The test tests something.
  EXPECT_GT(Diverged, 100u);
  EXPECT_GT(Reads, 1000u);
  EXPECT_GT(Losses, 1000u);
}

TEST(SHRF, VerifierAccepts) {
  forRandomFunctions(
      [&](ModelFunction &, ParsedFunction &Parsed, const SHRFResult &R) {
        VerifierOptions Options;
        Options.Asked = schemes::SHRF;
        Options.Settings.set(settings::IntervalRegisters, R.Slots);
        RegisterAssignment Assignment =
            cantFail(RegisterAssignment::fromNames(Parsed.mf()));
        for (const AnnotationViolation &V : verifyAnnotations(
                 Parsed.mf(), Assignment, Parsed.postDominators(), Options))
          ADD_FAILURE() << V.str();
      });
}

Statement directiveOf(const std::string &Statement) {
  StringRef Text = StringRef(Statement).split('"').second.rsplit('"').first;
  return *parseStatement({Text.data(), Text.size()});
}

OperandPlaces placesOf(const MachineInstr &MI) {
  return *parseOperands(directiveOf(inlinePTXText(MI).str()));
}

/// \p P with one place in another slot, or with other effects.
OperandPlaces mistaken(OperandPlaces P, unsigned Slots, std::mt19937 &Random) {
  std::vector<CachePlace> *From = nullptr;
  while (!From || From->empty())
    From = &(P.*OperandPlacesFields[Random() % 4].Places);
  bool IsResult = From == &P.Cache || From == &P.Both;
  unsigned Which = Random() % From->size();
  CachePlace Place = (*From)[Which];
  From->erase(From->begin() + Which);
  if (Random() % 2)
    Place.Slot = Random() % Slots;
  std::vector<CachePlace> &To =
      P.*OperandPlacesFields[2 * IsResult + Random() % 2].Places;
  To.insert(llvm::find_if(
                To, [&](const CachePlace &C) { return C.Unit > Place.Unit; }),
            Place);
  return P;
}

/// Changes one place of one statement, or drops a statement.
void makeMistake(MachineFunction &MF, unsigned Slots, std::mt19937 &Random) {
  std::vector<MachineInstr *> Statements;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (statementVerb(MI) == "operands" || statementVerb(MI) == "strand")
        Statements.push_back(&MI);
  if (Statements.empty())
    return;
  MachineInstr &MI = *Statements[Random() % Statements.size()];
  if (statementVerb(MI) == "operands" && Random() % 8) {
    std::string Statement =
        printOperandsPragma(mistaken(placesOf(MI), Slots, Random));
    if (!parseOperands(directiveOf(Statement)))
      return; // A slot stands twice, which nobody reads.
    insertStatement(*MI.getParent(), MI.getIterator(), Statement);
  }
  MI.eraseFromParent();
}

/// On any graph, where one place after the other is changed: what the verifier
/// accepts goes right, and some of what it refuses goes wrong.
TEST(SHRF, VerifierFindsMistakes) {
  unsigned Accepted = 0, Refused = 0, Wrong = 0;
  std::mt19937 Random(1);
  forRandomFunctions([&](ModelFunction &Model, ParsedFunction &Parsed,
                         const SHRFResult &R) {
    if (!R.Alone && !R.Both && !R.Fetched)
      return;
    VerifierOptions Options;
    Options.Asked = schemes::SHRF;
    ParsedFunction Before(Model.mir());
    bool IsSound = true;
    for (unsigned Mistakes = 0; Mistakes != 4 && IsSound; ++Mistakes) {
      makeMistake(Parsed.mf(), R.Slots, Random);
      IsSound =
          verifyAnnotations(
              Parsed.mf(), cantFail(RegisterAssignment::fromNames(Parsed.mf())),
              Parsed.postDominators(), Options)
              .empty();
      ++(IsSound ? Accepted : Refused);
      bool IsRight = true;
      for (unsigned Order = 0; Order != 4; ++Order)
        IsRight &= runWarp(Before.mf(), Order).Trace ==
                   runWarp(Parsed.mf(), Order).Trace;
      Wrong += !IsRight;
      EXPECT_TRUE(IsRight || !IsSound);
    }
  });
  EXPECT_GT(Accepted, 50u);
  EXPECT_GE(Refused, test::atLeast(100));
  EXPECT_GE(Wrong, test::atLeast(50));
}

/// What the result says is what the statements do.
TEST(SHRF, CountsItsStatements) {
  forRandomFunctions(
      [&](ModelFunction &, ParsedFunction &Parsed, const SHRFResult &R) {
        unsigned Alone = 0, Both = 0, Fetched = 0, Strands = 0;
        for (const MachineBasicBlock &MBB : Parsed.mf())
          for (const MachineInstr &MI : MBB) {
            Strands += statementVerb(MI) == "strand";
            if (statementVerb(MI) != "operands")
              continue;
            OperandPlaces P = placesOf(MI);
            Alone += P.Cache.size();
            Both += P.Both.size();
            Fetched += P.Fetch.size();
          }
        EXPECT_EQ(Strands, R.Strands);
        EXPECT_EQ(Alone, R.Alone);
        EXPECT_EQ(Both, R.Both);
        EXPECT_EQ(Fetched, R.Fetched);
        constexpr double Rounding = 1e-6;
        EXPECT_GE(R.MainReads, -Rounding);
        EXPECT_GE(R.MainWrites, -Rounding);
        EXPECT_LE(R.mainAccesses(), R.accesses() + Rounding);
      });
}

/// Applying it again replaces what is there.
TEST(SHRF, IsIdempotent) {
  ParsedFunction Parsed(makeRandomFunction(variedOptions(7)).mir());
  SHRFResult First = apply(Parsed, 8), Again = apply(Parsed, 8);
  EXPECT_EQ(First.Alone, Again.Alone);
  EXPECT_EQ(First.Strands, Again.Strands);
  unsigned Headers = 0;
  for (const MachineInstr &MI : Parsed.mf().front())
    Headers += statementVerb(MI) == "cache";
  EXPECT_EQ(Headers, 1u);
}

} // namespace
