//===- RegMutexTest.cpp - Property tests of RegMutex ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs random machine functions on a warp before and after RegMutex, whose
/// releases poison what they give back, and compares what every lane did.
///
//===----------------------------------------------------------------------===//

#include "AssignedFunction.h"
#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Annotation/Verifier.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/MinCut.h"
#include "regshare/Transforms/RegMutex/RegMutex.h"

#include "llvm/ADT/StringExtras.h"
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

/// The MIR of \p F, with barriers at the start of some blocks.
std::string withBarriers(const ModelFunction &F, std::mt19937 &Random,
                         unsigned Percent) {
  std::string Out;
  SmallVector<StringRef> Lines;
  std::string Text = F.mir();
  StringRef(Text).trim('\n').split(Lines, '\n');
  for (size_t I = 0; I != Lines.size(); ++I) {
    Out += Lines[I].str() + "\n";
    bool AtStart = Lines[I].contains("successors:") ||
                   (Lines[I].starts_with("  bb.") &&
                    !Lines[I + 1].contains("successors:"));
    if (AtStart && Random() % 100 < Percent)
      Out += "    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0\n";
  }
  return Out;
}

Expected<RegMutexResult> apply(ParsedFunction &P, unsigned Extended) {
  MachineDominatorTree MDT(P.mf());
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(P.mf(), MBPI, Loops);
  CompilerOptions Options;
  Options.Scheme = "regmutex";
  Options.Settings.set(settings::ExtendedSet, Extended);
  return applyRegMutex(P.mf(), {P.postDominators(), MBFI, MBPI}, Options);
}

/// What the verifier, which is other code, thinks.
std::vector<std::string> violations(MachineFunction &MF) {
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  std::vector<std::string> Texts;
  for (const AnnotationViolation &V :
       verifyAnnotations(MF, cantFail(RegisterAssignment::fromNames(MF)), PDT))
    Texts.push_back(V.str());
  return Texts;
}

/// Without what is no part of the code: the order of a block's predecessors,
/// and which definitions are known to be dead.
std::string textOf(const MachineFunction &MF) {
  std::string Text, Kept;
  raw_string_ostream OS(Text);
  MF.print(OS);
  for (StringRef Line : split(Text, '\n'))
    if (!Line.starts_with("; predecessors"))
      Kept += Line.str() + "\n";
  for (size_t At; (At = Kept.find("dead ")) != std::string::npos;)
    Kept.erase(At, 5);
  return Kept;
}

RandomFunctionOptions optionsFor(unsigned Seed) {
  RandomFunctionOptions O;
  O.Seed = Seed;
  O.Blocks = 3 + Seed % 13;
  O.Structured = Seed / 13 % 3 != 0;
  O.Virtual = true;
  O.Registers = 3 + Seed % 5 * 3;
  O.InstrsPerBlock = 2 + Seed % 7;
  return O;
}

TEST(RegMutex, LanesDoWhatTheyDidBefore) {
  unsigned Split = 0, Copies = 0, Changes = 0, Diverged = 0;
  unsigned Recomputed = 0;
  for (unsigned Seed = 0, E = fuzzIterations(500); Seed != E; ++Seed) {
    std::mt19937 Random(Seed);
    ModelFunction F = makeRandomFunction(optionsFor(Seed));
    std::string Text = withBarriers(F, Random, Seed % 3 * 8);
    ParsedFunction Before(Text), After(Text);
    assign(Before);
    assign(After);
    unsigned Regs =
        cantFail(RegisterAssignment::fromNames(After.mf())).numUnits();
    if (Regs < 4)
      continue;
    Expected<RegMutexResult> R = apply(After, 1 + Random() % (Regs / 2));
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
    Split += R->Split.has_value();
    Copies += R->Copies;
    Recomputed += R->Recomputed;
    ASSERT_EQ(R->Untouched.empty(), R->Split.has_value());
    for (const std::string &V : violations(After.mf()))
      ADD_FAILURE() << V;
    if (!R->Split)
      EXPECT_EQ(textOf(Before.mf()), textOf(After.mf()));
    expectSameRuns(Before.mf(), After.mf(), [&](const MachineWarp &W) {
      Changes += W.Acquires;
      Diverged += W.Diverged;
    });
    if (testing::Test::HasFailure()) {
      FAIL() << "seed " << Seed << ":\n"
             << Text << "\nafter:\n"
             << textOf(After.mf());
    }
  }
  // The test tests something.
  EXPECT_GE(Split, test::atLeast(160));
  EXPECT_GT(Copies, 0u);
  EXPECT_GT(Recomputed, 0u);
  EXPECT_GT(Changes, 0u);
  EXPECT_GT(Diverged, 0u);
}

//===----------------------------------------------------------------------===//
// Minimum cuts
//===----------------------------------------------------------------------===//

struct PlainCut {
  struct Node {
    uint64_t IfSet, IfClear;
  };
  struct Edge {
    unsigned A, B;
    uint64_t IfDifferent;
    bool Implication;
  };
  std::vector<Node> Nodes;
  std::vector<Edge> Edges;

  uint64_t cost(unsigned Labels) const {
    uint64_t Cost = 0;
    for (unsigned N = 0; N != Nodes.size(); ++N)
      Cost += Labels >> N & 1 ? Nodes[N].IfSet : Nodes[N].IfClear;
    for (const Edge &E : Edges) {
      bool A = Labels >> E.A & 1, B = Labels >> E.B & 1;
      if (E.Implication ? A && !B : A != B)
        Cost += E.Implication ? MinCut::Never : E.IfDifferent;
    }
    return Cost;
  }
};

PlainCut randomCut(std::mt19937 &Random) {
  PlainCut P;
  unsigned N = 1 + Random() % 7;
  for (unsigned I = 0; I != N; ++I) {
    // Not both: the sum of two would not fit.
    bool Must = Random() % 4 == 0, MustNot = !Must && Random() % 4 == 0;
    P.Nodes.push_back({MustNot ? MinCut::Never : Random() % 20,
                       Must ? MinCut::Never : Random() % 20});
  }
  for (unsigned I = 0, E = Random() % 8; I != E; ++I)
    P.Edges.push_back({unsigned(Random() % N), unsigned(Random() % N),
                       Random() % 10, Random() % 4 == 0});
  return P;
}

TEST(MinCut, MatchesExhaustiveSearch) {
  std::mt19937 Random(1);
  unsigned Impossible = 0;
  for (unsigned Case = 0; Case != 3000; ++Case) {
    PlainCut P = randomCut(Random);
    MinCut Cut;
    for (PlainCut::Node N : P.Nodes)
      Cut.addNode(N.IfSet, N.IfClear);
    for (PlainCut::Edge E : P.Edges) {
      if (E.Implication)
        Cut.addImplication(E.A, E.B);
      else
        Cut.addEdge(E.A, E.B, E.IfDifferent);
    }
    uint64_t Best = ~uint64_t(0);
    for (unsigned Labels = 0; Labels >> P.Nodes.size() == 0; ++Labels)
      Best = std::min(Best, P.cost(Labels));
    std::optional<std::vector<bool>> Found = Cut.solve();
    ASSERT_EQ(Found.has_value(), Best < MinCut::Never);
    if (!Found) {
      ++Impossible;
      continue;
    }
    unsigned Labels = 0;
    for (unsigned N = 0; N != P.Nodes.size(); ++N)
      Labels |= unsigned((*Found)[N]) << N;
    EXPECT_EQ(P.cost(Labels), Best);
  }
  EXPECT_GT(Impossible, 50u);
}

} // namespace
