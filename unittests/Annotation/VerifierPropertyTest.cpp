//===- VerifierPropertyTest.cpp - The verifier against all executions -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedModel.h"
#include "LivenessOracle.h"
#include "ParsedFunction.h"
#include "WarpExplorer.h"

#include "regshare/Analysis/Analyses.h"
#include "regshare/Annotation/LTRF/LTRFRules.h"
#include "regshare/Annotation/RFV/RFVRules.h"
#include "regshare/Annotation/RegMutex/RegMutexRules.h"
#include "regshare/Annotation/Verifier.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regshare;
using namespace regshare::test;

namespace {

std::vector<bool> divergentBranches(const ModelFunction &F) {
  ParsedFunction Parsed(F.mir());
  Analyses A(Parsed.mf(), cantFail(RegisterAssignment::fromNames(Parsed.mf())),
             Parsed.postDominators());
  std::vector<bool> Divergent;
  for (unsigned B = 0; B != F.Blocks.size(); ++B)
    Divergent.push_back(A.Divergence.isDivergentBranch(Parsed.block(B)));
  return Divergent;
}

BrokenRule brokenRule(AnnotationRule R) {
  static const std::pair<AnnotationRule, BrokenRule> Same[] = {
      {rules::HeldAtUse, BrokenRule::HeldAtUse},
      {rules::HeldAtWait, BrokenRule::HeldAtWait},
      {rules::InVector, BrokenRule::InVector},
      {rules::Prefetched, BrokenRule::Prefetched},
      {rules::LostByRelease, BrokenRule::Lost},
      {rules::LostByFree, BrokenRule::Lost},
      {rules::LostByDead, BrokenRule::Lost}};
  for (const auto &[Rule, Broken] : Same)
    if (Rule == R)
      return Broken;
  ADD_FAILURE() << R.Name;
  return BrokenRule::Lost;
}

/// What the verifier finds, told like what the explorer finds.
std::set<BrokenAt> verify(const AnnotatedModel &M) {
  ParsedFunction Parsed(M.mir());
  auto Assignment = cantFail(RegisterAssignment::fromNames(Parsed.mf()));
  std::set<BrokenAt> Broken;
  for (const AnnotationViolation &V :
       verifyAnnotations(Parsed.mf(), Assignment, Parsed.postDominators())) {
    if (V.Rule == rules::DeadOperand)
      continue; // A statement that has moved; it does what it says.
    unsigned Instr =
        std::distance(V.MBB->begin(), MachineBasicBlock::const_iterator(V.MI));
    unsigned Block = V.MBB->getNumber();
    Broken.insert({brokenRule(V.Rule), Block, M.itemAt(Block, Instr)});
    // Whatever is found can be explained.
    EXPECT_TRUE(!V.Path.empty() || V.Rule == rules::InVector) << V.str();
  }
  return Broken;
}

std::string describe(const std::set<BrokenAt> &Broken) {
  std::string Text;
  for (const BrokenAt &B : Broken)
    Text += "rule " + std::to_string(unsigned(B.Rule)) + " at bb." +
            std::to_string(B.Block) + ", item " + std::to_string(B.Item) + "\n";
  return Text;
}

struct Tally {
  unsigned Cases = 0, Explored = 0, Sound = 0, Broken = 0;
  unsigned FalseAlarms = 0; ///< Sound functions that are refused.
  unsigned SoundEnding = 0, FalseAlarmsEnding = 0; ///< No endless loops there.
};

/// Without loops that may spin, which the explorer does not take for a wait: in
/// \p M only barriers are.
bool isRefusedForMore(const std::set<BrokenAt> &Verified,
                      const AnnotatedModel &M) {
  return std::ranges::any_of(Verified, [&](const BrokenAt &B) {
    const std::vector<ModelItem> &Items = M.Items[B.Block];
    return B.Rule != BrokenRule::HeldAtWait ||
           (B.Item < Items.size() && Items[B.Item].K == ModelItem::Barrier);
  });
}

/// The verifier must find all that the explorer finds, at the same place.
void compare(uint64_t Seed, ModelScheme Scheme, unsigned Barriers, Tally &T) {
  RandomFunctionOptions Options;
  Options.Seed = Seed;
  Options.Blocks = 3 + Seed % 6;
  Options.Structured = Seed % 3 != 0;
  Options.Registers = 4 + Seed / 6 % 3 * 2;
  Options.InstrsPerBlock = 1 + Seed % 4;
  ModelFunction F = makeRandomFunction(Options);
  std::vector<bool> Divergent = divergentBranches(F);
  AnnotatedModel M = annotateAtRandom(F, Divergent, {Seed, Scheme, Barriers});
  WarpExplorer Explorer(M, Divergent);
  bool All = Explorer.run(20000);
  std::set<BrokenAt> Verified = verify(M), Missed;
  std::ranges::set_difference(Explorer.broken(), Verified,
                              std::inserter(Missed, Missed.end()));
  EXPECT_TRUE(Missed.empty()) << "seed " << Seed << ", missed:\n"
                              << describe(Missed) << M.mir();
  ++T.Cases;
  T.Explored += All;
  T.Broken += !Explorer.broken().empty();
  if (!All || !Explorer.broken().empty())
    return;
  ++T.Sound;
  bool Ends = !canRunForever(F), Refused = isRefusedForMore(Verified, M);
  T.FalseAlarms += Refused;
  T.SoundEnding += Ends;
  T.FalseAlarmsEnding += Ends && Refused;
}

void campaign(ModelScheme Scheme, unsigned Barriers, const char *Name) {
  Tally T;
  for (unsigned Seed = 0, E = fuzzIterations(600); Seed != E; ++Seed) {
    compare(Seed, Scheme, Barriers, T);
    if (testing::Test::HasFailure())
      return;
  }
  std::printf("%s: %u functions, %u explored whole, %u unsound, %u sound, "
              "%u of those refused; %u sound without endless loops, %u of "
              "those refused\n",
              Name, T.Cases, T.Explored, T.Broken, T.Sound, T.FalseAlarms,
              T.SoundEnding, T.FalseAlarmsEnding);
  // The campaign must have been worth it.
  EXPECT_GT(T.Explored, T.Cases / 2);
  EXPECT_GT(T.Broken, T.Cases / 12);
  EXPECT_GT(T.Sound, T.Cases / 10);
  EXPECT_LT(T.FalseAlarms, T.Sound / 5);
}

} // namespace

TEST(VerifierProperty, RegMutex) {
  campaign(ModelScheme::RegMutex, 0, "RegMutex");
}

TEST(VerifierProperty, RegMutexWithBarriers) {
  campaign(ModelScheme::RegMutex, 6, "RegMutex with barriers");
}

TEST(VerifierProperty, Frees) { campaign(ModelScheme::Frees, 0, "frees"); }

TEST(VerifierProperty, FreesWithBarriers) {
  campaign(ModelScheme::Frees, 6, "frees with barriers");
}

TEST(VerifierProperty, Intervals) {
  campaign(ModelScheme::Intervals, 0, "intervals");
}

TEST(VerifierProperty, IntervalsWithBarriers) {
  campaign(ModelScheme::Intervals, 6, "intervals with barriers");
}
