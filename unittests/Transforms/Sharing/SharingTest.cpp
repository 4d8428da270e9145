//===- SharingTest.cpp - What paired CTAs share ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineWarp.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Analysis/FlowFacts.h"
#include "regshare/Annotation/Verifier.h"
#include "regshare/Base/Annotation.h"
#include "regshare/Base/RegMutex/RegMutexStatements.h"
#include "regshare/Base/Sharing/Sharing.h"
#include "regshare/Base/Sharing/SharingStatements.h"
#include "regshare/CodeGen/Statements.h"
#include "regshare/Transforms/AssignRegisters.h"
#include "regshare/Transforms/Sharing/Sharing.h"

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

SharingResult apply(MachineFunction &MF, Scheme S,
                    const CompilerOptions &Options) {
  MachineDominatorTree MDT(MF);
  MachineLoopInfo Loops(MDT);
  MachineBranchProbabilityInfo MBPI;
  MachineBlockFrequencyInfo MBFI;
  MBFI.calculate(MF, MBPI, Loops);
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  FlowFacts Facts{PDT, MBFI, MBPI};
  return cantFail(S == schemes::RegisterSharing
                      ? applyRegisterSharing(MF, Facts, Options)
                      : applyScratchpadSharing(MF, Facts, Options));
}

CompilerOptions optionsFor(unsigned Seed) {
  CompilerOptions Options;
  Options.Settings.set(settings::PrivateShare, 1 + Seed * 331 % 1000)
      .set(settings::Order, Seed / 3 % 4);
  return Options;
}

RegisterOrder orderOf(const CompilerOptions &Options) {
  return Options.Settings.get<RegisterOrder>(settings::Order);
}

std::vector<AnnotationViolation> violations(MachineFunction &MF, Scheme S,
                                            const CompilerOptions &Options) {
  VerifierOptions V;
  V.Asked = S;
  V.Settings.set(settings::PrivateShare,
                 Options.Settings[settings::PrivateShare]);
  MachinePostDominatorTree PDT;
  PDT.recalculate(MF);
  return verifyAnnotations(MF, cantFail(RegisterAssignment::fromNames(MF)), PDT,
                           V);
}

RandomFunctionOptions someRegisters(unsigned Seed) {
  RandomFunctionOptions Options = variedOptions(Seed);
  Options.Registers = 4 + Seed % 29;
  return Options;
}

/// The code before, without the copies that renumbering drops.
void dropIdleCopies(MachineFunction &MF) {
  unsigned CopiesRemoved = 0;
  rewriteToArchitected(MF, cantFail(RegisterAssignment::fromNames(MF)),
                       CopiesRemoved);
}

template <typename Fn> void forRandomFunctions(unsigned Count, Fn Check) {
  for (unsigned Seed = 0, E = fuzzIterations(Count); Seed != E; ++Seed) {
    std::string MIR = makeRandomFunction(someRegisters(Seed)).mir();
    Check(MIR, Seed);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n" << MIR;
  }
}

/// New numbers, and nothing else: lanes do what they did, no more registers are
/// named, and as many are private as t says.
TEST(Sharing, RenumberingKeepsTheProgram) {
  unsigned Further = 0, Renumbered = 0;
  forRandomFunctions(300, [&](const std::string &MIR, unsigned Seed) {
    ParsedFunction Before(MIR), After(MIR);
    unsigned Registers =
        cantFail(RegisterAssignment::fromNames(After.mf())).numUnits();
    CompilerOptions Options = optionsFor(Seed);
    if (orderOf(Options) != RegisterOrder::Declared)
      dropIdleCopies(Before.mf());
    SharingResult R = apply(After.mf(), schemes::RegisterSharing, Options);
    expectSameRuns(Before.mf(), After.mf(), [](const MachineWarp &) {});
    EXPECT_LE(R.Registers, Registers);
    EXPECT_EQ(R.Registers,
              cantFail(RegisterAssignment::fromNames(After.mf())).numUnits());
    EXPECT_EQ(R.PrivateRegs,
              R.Registers * Options.Settings[settings::PrivateShare] / 1000);
    EXPECT_EQ(statementVerb(After.mf().front().front()), "sharing");
    for (const AnnotationViolation &V :
         violations(After.mf(), schemes::RegisterSharing, Options))
      ADD_FAILURE() << V.str();
    EXPECT_LE(R.Before.Expected, R.InstrsExecuted * (1 + 1e-9));
    if (orderOf(Options) == RegisterOrder::Declared)
      EXPECT_EQ(R.Before.Expected, R.BeforeRenumbering.Expected);
    Further += R.Before.Expected > R.BeforeRenumbering.Expected;
    ++Renumbered;
  });
  EXPECT_GT(Further, Renumbered / 10);
}

//===----------------------------------------------------------------------===//
// Early release
//===----------------------------------------------------------------------===//

/// Some of the accesses to global memory in \p MIR become ones to shared memory
/// or generic ones.
std::string withSharedMemory(StringRef MIR, unsigned Seed) {
  std::mt19937 Random(Seed);
  std::string Text;
  SmallVector<StringRef> Lines;
  MIR.split(Lines, '\n');
  for (StringRef Line : Lines) {
    auto [Before, Behind] = Line.split(", 0, 1, ");
    bool IsAccess = Line.contains(" ST_i") || Line.contains("= LD_i") ||
                    Line.contains(" STV_") || Line.contains("= LDV_");
    if (IsAccess && !Behind.empty() && Random() % 4 == 0)
      Text +=
          (Before + (Random() % 2 ? ", 0, 3, " : ", 0, 0, ") + Behind).str();
    else
      Text += Line.str();
    Text += "\n";
  }
  return Text;
}

/// Random functions under one scheme and the other, compiled for it.
template <typename Fn> void forReleases(unsigned Count, Fn Check) {
  forRandomFunctions(Count, [&](const std::string &Plain, unsigned Seed) {
    Scheme S = Seed % 2 ? schemes::ScratchpadSharing : schemes::RegisterSharing;
    std::string MIR =
        S == schemes::ScratchpadSharing ? withSharedMemory(Plain, Seed) : Plain;
    CompilerOptions Options = optionsFor(Seed);
    ParsedFunction Before(MIR), After(MIR);
    Options.Settings.set(settings::EarlyRelease, false);
    apply(Before.mf(), S, Options);
    Options.Settings.set(settings::EarlyRelease, true);
    SharingResult R = apply(After.mf(), S, Options);
    Check(Before.mf(), After.mf(), S, Options, R);
  });
}

std::vector<MachineInstr *> releasesOf(MachineFunction &MF) {
  std::vector<MachineInstr *> Releases;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (statementVerb(MI) == "release")
        Releases.push_back(&MI);
  return Releases;
}

/// On a warp that poisons shared registers where they are released, in several
/// orders of the sides of branches, nothing is used after a release, and lanes
/// do what they did; and the verifier finds nothing.
TEST(SharingRelease, IsSound) {
  unsigned Diverged = 0, Released[2] = {}, Blocks = 0;
  forReleases(600, [&](MachineFunction &Before, MachineFunction &After,
                       Scheme S, const CompilerOptions &Options,
                       const SharingResult &R) {
    expectSameRuns(Before, After, [&](const MachineWarp &W) {
      Diverged += W.Diverged && W.Releases;
      Released[S == schemes::ScratchpadSharing] += W.Releases;
    });
    EXPECT_EQ(releasesOf(After).size(), R.Releases);
    EXPECT_EQ(After.size(), Before.size() + R.EdgeBlocks);
    Blocks += R.EdgeBlocks;
    for (const AnnotationViolation &V : violations(After, S, Options))
      ADD_FAILURE() << V.str();
  });
  EXPECT_GE(Diverged, test::atLeast(100));
  EXPECT_GE(Released[0], test::atLeast(100));
  EXPECT_GE(Released[1], test::atLeast(100));
  EXPECT_GE(Blocks, test::atLeast(1));
}

/// None comes too late by one instruction: before the one that it stands
/// after, or, at the begin of a block, at the end of one before it, it would
/// be refused. There it has to wait for lanes of another side at times.
TEST(SharingRelease, IsEarly) {
  unsigned Moved = 0, Refused = 0;
  forReleases(300, [&](MachineFunction &, MachineFunction &After, Scheme S,
                       const CompilerOptions &Options, const SharingResult &) {
    for (MachineInstr *Release : releasesOf(After)) {
      MachineBasicBlock &MBB = *Release->getParent();
      MachineBasicBlock::iterator Place = std::next(Release->getIterator());
      if (Release->getIterator() == MBB.begin() ||
          !statementVerb(*std::prev(Release->getIterator())).empty())
        continue;
      MBB.splice(std::prev(Release->getIterator()), &MBB,
                 Release->getIterator());
      ++Moved;
      Refused += !violations(After, S, Options).empty();
      MBB.splice(Place, &MBB, Release->getIterator());
      EXPECT_TRUE(violations(After, S, Options).empty());
    }
  });
  EXPECT_GE(Moved, test::atLeast(30));
  EXPECT_EQ(Refused, Moved);
}

/// Moves a release by one instruction or to another block, drops one, adds one,
/// changes how many registers are private, or exchanges two registers.
void makeMistake(MachineFunction &MF, const SharingResult &R,
                 std::mt19937 &Random) {
  std::vector<MachineInstr *> Releases = releasesOf(MF);
  auto Block = std::next(MF.begin(), Random() % MF.size());
  auto Anywhere =
      std::next(Block->begin(),
                Random() % (1 + std::distance(Block->begin(),
                                              Block->getFirstTerminator())));
  if (R.PrivateRegs && Random() % 3 == 0) {
    MachineInstr &Head = *llvm::find_if(MF.front(), [](MachineInstr &MI) {
      return statementVerb(MI) == "sharing";
    });
    insertStatement(MF.front(), Head.getIterator(),
                    printSharingPragma(Random() % (R.Registers + 1)));
    return Head.eraseFromParent();
  }
  if (Releases.empty() || Random() % 4 == 0) {
    if (Block == MF.begin() && R.PrivateRegs)
      return;
    insertStatement(*Block, Anywhere, printReleasePragma());
    return;
  }
  MachineInstr &MI = *Releases[Random() % Releases.size()];
  MachineBasicBlock &MBB = *MI.getParent();
  if (Random() % 2 && MI.getIterator() != MBB.begin() &&
      statementVerb(*std::prev(MI.getIterator())).empty())
    return MBB.splice(std::prev(MI.getIterator()), &MBB, MI.getIterator());
  if (Random() % 2 && Block != MF.begin() && Anywhere != MI.getIterator())
    return Block->splice(Anywhere, &MBB, MI.getIterator());
  MI.eraseFromParent();
}

/// What the verifier accepts goes right, and some of what it refuses goes
/// wrong.
TEST(SharingRelease, VerifierFindsMistakes) {
  unsigned Accepted = 0, Refused = 0, Wrong = 0;
  std::mt19937 Random(1);
  forReleases(400, [&](MachineFunction &Before, MachineFunction &After,
                       Scheme S, const CompilerOptions &,
                       const SharingResult &R) {
    bool IsSound = true;
    for (unsigned Mistakes = 0; Mistakes != 4 && IsSound; ++Mistakes) {
      makeMistake(After, R, Random);
      VerifierOptions V;
      V.Asked = S;
      MachinePostDominatorTree PDT;
      PDT.recalculate(After);
      IsSound =
          verifyAnnotations(
              After, cantFail(RegisterAssignment::fromNames(After)), PDT, V)
              .empty();
      ++(IsSound ? Accepted : Refused);
      bool IsRight = true;
      for (unsigned Order = 0; Order != 4; ++Order) {
        MachineWarp Warp = runWarp(After, Order);
        IsRight &= Warp.Violation.empty() &&
                   runWarp(Before, Order).Trace == Warp.Trace;
      }
      Wrong += !IsRight;
      EXPECT_TRUE(IsRight || !IsSound);
    }
  });
  EXPECT_GE(Accepted, test::atLeast(100));
  EXPECT_GE(Refused, test::atLeast(100));
  EXPECT_GE(Wrong, test::atLeast(50));
}

} // namespace
