//===- LTRFTest.cpp - What LTRF's statements promise ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the statements back from random functions as an SM would, by where
/// they stand in the text, and follows every path.
///
//===----------------------------------------------------------------------===//

#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/LTRF/LTRF.h"
#include "regshare/Base/LTRF/LTRFStatements.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/LTRF/LTRF.h"
#include "regshare/Transforms/RegMutex/RegMutex.h"

#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

#include "gtest/gtest.h"

#include <map>

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

struct Transformed {
  ModelFunction Model;
  ParsedFunction Parsed;
  LTRFResult Result;

  Transformed(unsigned Seed, Scheme S, const CompilerOptions &Options)
      : Model(makeRandomFunction(variedOptions(Seed))), Parsed(Model.mir()) {
    MachineFunction &MF = Parsed.mf();
    MachineDominatorTree MDT(MF);
    MachineLoopInfo Loops(MDT);
    MachineBranchProbabilityInfo MBPI;
    MachineBlockFrequencyInfo MBFI;
    MBFI.calculate(MF, MBPI, Loops);
    Result = cantFail(
        applyLTRF(MF, {Parsed.postDominators(), MBFI, MBPI}, S, Options));
  }
};

Statement directiveOf(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI);
  Text = Text.split('"').second.rsplit('"').first;
  Result<Statement> D = parseStatement({Text.data(), Text.size()});
  EXPECT_TRUE(D) << Text.str();
  return *D;
}

/// Which interval code belongs to; nothing: it names no registers.
using Scope = std::optional<unsigned>;

/// Where in the text each instruction is, and what the statements say.
class TextReader {
public:
  explicit TextReader(const MachineFunction &MF) : MF(MF) {
    KernelDescriptor K;
    K.Scheme = "ltrf-plus";
    K.Regs = MaxArchUnits;
    SchemeFacts Facts;
    std::optional<Scope> Now;
    for (const MachineBasicBlock &MBB : MF) {
      StartsWith[&MBB] = std::nullopt;
      bool First = true;
      for (const MachineInstr &MI : MBB) {
        if (!statementVerb(MI).empty()) {
          Statement D = directiveOf(MI);
          EXPECT_TRUE(addStatement(D, K, Facts));
          if (const auto *Said = Facts.get<IntervalBounds>())
            Bounds = *Said;
          if (D.Verb == "prefetch") {
            PrefetchVector P = *parsePrefetch(D);
            EXPECT_TRUE(Vectors.emplace(P.Interval, P.Units).second)
                << "two PREFETCHes of an interval";
            if (First)
              StartsWith[&MBB] = P.Interval;
            Now = Scope(P.Interval);
          } else if (D.Verb == "interval") {
            Now = *parseInterval(D);
          }
          continue;
        }
        EXPECT_TRUE(Now) << "code before the first interval";
        First = false;
        ScopeOf[&MI] = Now.value_or(Scope());
      }
    }
  }

  const MachineFunction &MF;
  std::optional<IntervalBounds> Bounds;
  std::map<unsigned, std::vector<unsigned>> Vectors;
  std::map<const MachineInstr *, Scope> ScopeOf;
  /// The PREFETCH that precedes all code of a block.
  std::map<const MachineBasicBlock *, Scope> StartsWith;
};

/// Every instruction finds its registers in the vector of its interval.
void expectNamed(const TextReader &Text, const RegisterAssignment &Regs) {
  for (const auto &[MI, Where] : Text.ScopeOf)
    for (const MachineOperand &MO : MI->operands()) {
      if (!MO.isReg() || !MO.getReg().isVirtual())
        continue;
      ArchReg R = Regs.lookup(MO.getReg());
      if (!R.isValid() || R.isPred())
        continue;
      ASSERT_TRUE(Where);
      ASSERT_TRUE(Text.Vectors.count(*Where));
      for (unsigned U = R.Index; U != R.Index + R.units(); ++U)
        EXPECT_TRUE(is_contained(Text.Vectors.at(*Where), U));
    }
}

/// On every path the last PREFETCH is that of the interval the text says.
void expectEntered(const TextReader &Text) {
  std::map<const MachineBasicBlock *, std::set<Scope>> Arrive;
  std::vector<const MachineBasicBlock *> Worklist = {&Text.MF.front()};
  Arrive[&Text.MF.front()] = {Scope()};
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.back();
    Worklist.pop_back();
    std::set<Scope> Held = Arrive[MBB];
    for (const MachineInstr &MI : *MBB) {
      if (statementVerb(MI) == "prefetch")
        Held = {Scope(parsePrefetch(directiveOf(MI))->Interval)};
      auto It = Text.ScopeOf.find(&MI);
      if (It == Text.ScopeOf.end() || !It->second)
        continue;
      EXPECT_EQ(Held, std::set<Scope>{It->second});
    }
    for (const MachineBasicBlock *Succ : MBB->successors()) {
      size_t Before = Arrive[Succ].size();
      Arrive[Succ].insert(Held.begin(), Held.end());
      if (Arrive[Succ].size() != Before)
        Worklist.push_back(Succ);
    }
  }
}

template <typename Fn> void forRandomFunctions(Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(400); Seed != E; ++Seed) {
    CompilerOptions Options;
    Options.Settings.set(settings::IntervalRegisters, 1 + Seed % 17)
        .set(settings::PublishedIntervals, Seed % 3 == 0)
        .set(settings::RenumberBanks, Seed % 4 == 1 ? 4 : 0);
    for (Scheme S : {Scheme(schemes::LTRF), Scheme(schemes::LTRFPlus),
                     Scheme(schemes::LTRFStrand)}) {
      Transformed T(Seed, S, Options);
      Check(T, S);
      if (testing::Test::HasFailure())
        FAIL() << "seed " << Seed << " scheme " << S.name() << ":\n"
               << T.Model.mir();
    }
  }
}

TEST(LTRF, PrefetchesCoverEveryPath) {
  forRandomFunctions([](Transformed &T, Scheme) {
    TextReader Text(T.Parsed.mf());
    ASSERT_TRUE(Text.Bounds);
    EXPECT_EQ(Text.Bounds->Count, Text.Vectors.size());
    EXPECT_EQ(T.Result.Cost.Prefetches, Text.Vectors.size());
    for (const auto &[Id, Units] : Text.Vectors) {
      EXPECT_LT(Id, Text.Bounds->Count);
      EXPECT_LE(Units.size(), Text.Bounds->Registers);
    }
    expectNamed(Text, cantFail(RegisterAssignment::fromNames(T.Parsed.mf())));
    expectEntered(Text);
  });
}

/// A loop that is an interval is prefetched before it, not in it.
TEST(LTRF, IntervalsAreNotPrefetchedFromWithin) {
  forRandomFunctions([](Transformed &T, Scheme S) {
    if (S == schemes::LTRFStrand)
      return;
    TextReader Text(T.Parsed.mf());
    for (const MachineBasicBlock &MBB : T.Parsed.mf()) {
      std::optional<Scope> Last;
      for (const MachineInstr &MI : MBB)
        if (auto It = Text.ScopeOf.find(&MI); It != Text.ScopeOf.end())
          Last = It->second;
      for (const MachineBasicBlock *Succ : MBB.successors())
        if (Scope Starts = Text.StartsWith[Succ]; Starts && Last)
          EXPECT_NE(*Last, Starts);
    }
  });
}

/// What is marked is what the instruction before reads, and nothing that is
/// warp-live after it in the code as it has become.
TEST(LTRF, DeadOperandsAreReadAndDead) {
  forRandomFunctions([](Transformed &T, Scheme S) {
    unsigned Statements = 0;
    const MachineFunction &MF = T.Parsed.mf();
    RegisterAssignment Regs = cantFail(RegisterAssignment::fromNames(MF));
    MachinePostDominatorTree PDT;
    PDT.recalculate(T.Parsed.mf());
    Analyses A(MF, cantFail(RegisterAssignment::fromNames(MF)), PDT);
    for (const MachineBasicBlock &MBB : MF)
      A.Warp.forEachBackward(MBB, [&](const MachineInstr &MI, const RegSet &,
                                      const RegSet &After) {
        if (statementVerb(MI) != "dead")
          return;
        ++Statements;
        RegSet Read;
        const MachineInstr &Reader = *std::prev(MI.getIterator());
        Regs.forEachOperand(
            Reader, [](ArchReg) {}, [&](ArchReg R) { Read.insert(R); });
        const std::vector<unsigned> Dead = *parseDead(directiveOf(MI));
        for (unsigned Unit : Dead) {
          EXPECT_TRUE(Read.test(Unit));
          EXPECT_FALSE(After.test(Unit));
        }
      });
    if (S != schemes::LTRFPlus)
      EXPECT_EQ(Statements, 0u);
    EXPECT_EQ(Statements > 0, T.Result.DeadOperands > 0);
  });
}

/// On a warp whose lanes part, with what dead operands held gone at once.
TEST(LTRF, LanesDoWhatTheyDidBefore) {
  unsigned Pops = 0, Diverged = 0, Dead = 0, Prefetches = 0;
  forRandomFunctions([&](Transformed &T, Scheme) {
    ParsedFunction Before(T.Model.mir());
    // Renumbering drops copies from a register to itself, which the warp does
    // not take for nothing where the halves of a pair are of different values.
    if (T.Result.Renumbered) {
      unsigned CopiesRemoved = 0;
      rewriteToArchitected(Before.mf(),
                           cantFail(RegisterAssignment::fromNames(Before.mf())),
                           CopiesRemoved);
    }
    expectSameRuns(Before.mf(), T.Parsed.mf(), [&](const MachineWarp &W) {
      Pops += W.PopPrefetches;
      Diverged += W.Diverged;
      Dead += W.DeadOperands;
      Prefetches += W.Prefetches;
    });
  });
  // The test tests something.
  EXPECT_GE(Pops, test::atLeast(100));
  EXPECT_GT(Diverged, 100u);
  EXPECT_GT(Dead, 100u);
  EXPECT_GT(Prefetches, 1000u);
}

/// Applying it again replaces what is there.
TEST(LTRF, IsIdempotent) {
  CompilerOptions Options;
  Options.Settings.set(settings::IntervalRegisters, 4);
  Transformed T(7, schemes::LTRFPlus, Options);
  MachineFunction &MF = T.Parsed.mf();
  unsigned Vectors = TextReader(MF).Vectors.size();
  MachineDominatorTree MDT(MF);
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(MF, MBPI, Loops);
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  LTRFResult Again =
      cantFail(applyLTRF(MF, {PDT, MBFI, MBPI}, schemes::LTRF, Options));
  EXPECT_EQ(Again.DeadOperands, 0u);
  EXPECT_EQ(TextReader(MF).Vectors.size(), Vectors);
}

} // namespace
