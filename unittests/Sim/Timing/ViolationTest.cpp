//===- ViolationTest.cpp - Whom broken rules of schemes are blamed on -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/SmBench.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

enum class Event {
  Resident,
  Activated,
  Parked,
  Gate,
  Issued,
  Popped,
  Landed,
  Freed,
  Exited,
  Finished
};

/// Which event of which warp breaks a rule. One of an instruction has to write
/// R6, or to be one that writes nothing.
struct Breach {
  Event At;
  unsigned Slot;
};
Breach Asked;

/// Finds a rule broken at one event, and another one at each after that.
class BreachScheme final : public SchemeHooks {
public:
  using SchemeHooks::SchemeHooks;

  void resident(const WarpRef &W) override { note(Event::Resident, W); }
  void activated(const WarpRef &W) override { note(Event::Activated, W); }
  void parked(const WarpRef &W) override { note(Event::Parked, W); }
  void exited(const WarpRef &W) override { note(Event::Exited, W); }
  void finished(const WarpRef &W) override { note(Event::Finished, W); }
  void divergentPop(const WarpRef &W) override { note(Event::Popped, W); }
  bool mayIssue(const WarpRef &W, const IssueInfo &I) override {
    if (writesR6(I))
      note(Event::Gate, W);
    return true;
  }
  void issued(const WarpRef &W, const IssueInfo &I) override {
    if (writesR6(I))
      note(Event::Issued, W);
  }
  void landed(const WarpRef &W, const IssueInfo &I) override {
    if (writesR6(I))
      note(Event::Landed, W);
  }
  void freed(const WarpRef &W, unsigned, bool) override {
    note(Event::Freed, W);
  }

private:
  static bool writesR6(const IssueInfo &I) {
    return std::find(I.Accesses + I.NumReads,
                     I.Accesses + I.NumReads + I.NumWrites,
                     6u) != I.Accesses + I.NumReads + I.NumWrites;
  }
  void note(Event E, const WarpRef &W) {
    if (!violation().empty())
      violate("a rule that is broken later");
    else if (E == Asked.At && W.Slot == Asked.Slot)
      violate("the rule of the test");
  }
};

/// What a CTA of two warps ends with, under one scheduler with one active warp.
std::string runBreach(const std::string &Text, Breach B,
                      SchedulerPolicy Policy) {
  Asked = B;
  SmBench<BreachScheme> Of(schemes::Baseline, Text, deviceNamed("ltrf-maxwell"),
                           1, 64);
  Of.Core.Policy = Policy;
  Of.Core.ActiveWarps = 1;
  Of.Core.Schedulers = 1;
  std::string Error = Of.run();
  EXPECT_NE(Error, "");
  return Error;
}

/// The load of R6 is from shared memory and comes long after the
/// instructions that follow it have issued.
const std::string Load = "ld.shared.u32 %r6, [%r5]";
const std::string Text =
    "mov.u32 %r5, words;\n"
    "setp.lt.u32 %p0, %r2, 16;\n"
    "@%p0 bra SIDE;\n"
    "add.u32 %r7, %r2, 1;\n"
    "bra.uni JOIN;\n"
    "SIDE:\n"
    "add.u32 %r7, %r2, 2;\n"
    "JOIN:\n"
    "bar.sync 0;\n" +
    Load +
    ";\n"
    "add.u32 %r8, %r7, 1;\nadd.u32 %r9, %r7, 2;\nadd.u32 %r10, %r7, 3;\n" +
    pragma("free regs=R7");

std::string blame(Event At, unsigned Slot,
                  SchedulerPolicy Policy = SchedulerPolicy::LRR) {
  AnnotatedKernel K = virtualised();
  K.ModuleScope = ".shared .b32 words[64];\n";
  return runBreach(K.around(Text), {At, Slot}, Policy);
}

testing::Matcher<std::string> namesWarp(unsigned Warp,
                                        const std::string &Inst) {
  return AllOf(HasSubstr("the rule of the test"),
               HasSubstr("warp " + std::to_string(Warp) + "\n"),
               HasSubstr("'" + Inst));
}

class ViolationTest : public testing::TestWithParam<unsigned> {};

TEST_P(ViolationTest, OfAnInstructionAreItsOwn) {
  const unsigned Warp = GetParam();
  for (Event At : {Event::Gate, Event::Issued, Event::Landed})
    EXPECT_THAT(blame(At, Warp), namesWarp(Warp, Load)) << int(At);
  EXPECT_THAT(blame(Event::Freed, Warp),
              namesWarp(Warp, "regshare.free regs=R7"));
}

TEST_P(ViolationTest, OfAWarpsLifeAreAtItsEnds) {
  const unsigned Warp = GetParam();
  EXPECT_THAT(blame(Event::Resident, Warp),
              namesWarp(Warp, "mov.u32 %r2, %tid.x"));
  EXPECT_THAT(blame(Event::Exited, Warp), namesWarp(Warp, "ret"));
  EXPECT_THAT(blame(Event::Finished, Warp), namesWarp(Warp, "ret"));
}

/// Nothing issues any more when the last result lands.
TEST(Violation, AfterTheLastIssueIsNotLost) {
  AnnotatedKernel K = virtualised();
  EXPECT_THAT(runBreach(K.around("add.u32 %r6, %r2, 1;\n"), {Event::Landed, 1},
                        SchedulerPolicy::LRR),
              namesWarp(1, "add.u32 %r6, %r2, 1"));
}

/// One warp is active. The first one waits at the barrier, for which it is
/// parked, and the other one begins.
TEST(Violation, OfTheActiveSetIsWhereTheWarpWaits) {
  constexpr SchedulerPolicy Policy = SchedulerPolicy::TwoLevel;
  EXPECT_THAT(blame(Event::Parked, 0, Policy), namesWarp(0, "bar.sync 0"));
  EXPECT_THAT(blame(Event::Activated, 1, Policy),
              namesWarp(1, "mov.u32 %r2, %tid.x"));
}

TEST(Violation, OfAPopIsWhereTheSideEnds) {
  EXPECT_THAT(blame(Event::Popped, 0), namesWarp(0, "bra.uni JOIN"));
}

INSTANTIATE_TEST_SUITE_P(Warps, ViolationTest, testing::Values(0, 1));

} // namespace
} // namespace regshare::sim
