//===- SharingTest.cpp - Registers that warps give back -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functional half of RegMutex and register file virtualisation: what the
/// annotations do, and every check. R8 to R11 are the extended set.
///
//===----------------------------------------------------------------------===//

#include "SharingTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

const std::string Store = "st.global.u32 [%rd0], %r6;\n";

TEST(Sharing, ExtendedRegistersWorkBetweenAcquireAndRelease) {
  EXPECT_THAT(sharingWords({}, Acquire +
                                   "mov.u32 %r8, 7;\nadd.u32 %r6, %r8, 1;\n" +
                                   Release + Store),
              Each(8u));
}

TEST(Sharing, AcquireAndReleaseAreIdempotent) {
  EXPECT_THAT(sharingWords({}, Release + Acquire + "mov.u32 %r8, 7;\n" +
                                   Acquire + "mov.u32 %r6, %r8;\n" + Release +
                                   Release + Store),
              Each(7u));
}

TEST(Sharing, TheyTakeAnIssueSlotAndAFreeDoesNot) {
  auto Instructions = [](const SharedKernel &K, const std::string &Body) {
    TestProgram T(K.around(Body));
    uint64_t Out = T.upload(std::vector<uint32_t>(32));
    EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
    return T.Stats.WarpInstructions;
  };
  uint64_t Plain = Instructions({}, "mov.u32 %r6, 1;\n" + Store);
  EXPECT_EQ(Instructions({}, Acquire + "mov.u32 %r6, 1;\n" + Store + Release),
            Plain + 2);
  EXPECT_EQ(Instructions(virtualised(),
                         "mov.u32 %r6, 1;\n" + Store + pragma("free regs=R6")),
            Plain);
}

/// A pragma before a label belongs to the way that falls through.
TEST(Sharing, ABranchComesToWhatFollowsItsLabel) {
  const std::string After = "bra L;\nmov.u32 %r6, 0;\nL:\n" + Acquire +
                            "mov.u32 %r8, 5;\nmov.u32 %r6, %r8;\n" + Release +
                            Store;
  EXPECT_THAT(sharingWords({}, After), Each(5u));
  const std::string Before =
      "bra L;\nmov.u32 %r6, 0;\n" + Acquire + "L:\nmov.u32 %r8, 5;\n";
  EXPECT_THAT(sharingError({}, Before), HasSubstr("has not acquired"));
  EXPECT_THAT(sharingWords({}, Acquire + "mov.u32 %r8, 5;\nbra L;\n" + Release +
                                   "L:\nmov.u32 %r6, %r8;\n" + Store),
              Each(5u));
}

TEST(SharingChecks, NamingAnExtendedRegisterThatIsNotHeld) {
  EXPECT_THAT(sharingError({}, "mov.u32 %r8, 7;\n"),
              AllOf(HasSubstr("use of a register of the extended set, which "
                              "the warp has not acquired (R8: %r8"),
                    HasSubstr("the base set is R0 to R7"),
                    HasSubstr("kernel 'k', CTA (0,0,0), warp 0"),
                    HasSubstr("PTX line"), HasSubstr("'mov.u32 %r8, 7'")));
  EXPECT_THAT(sharingError({}, Acquire + "mov.u32 %r8, 7;\n" + Release +
                                   "mov.u32 %r6, %r8;\n"),
              HasSubstr("has not acquired (R8"));
  // No lane executes it, but the warp's row is named.
  EXPECT_THAT(sharingError({}, "setp.gt.u32 %p1, %r2, 99;\n"
                               "@%p1 mov.u32 %r11, 7;\n"),
              HasSubstr("has not acquired (R11"));
  // The upper half of a pair, in an address.
  SharedKernel Odd;
  Odd.Base = 9;
  EXPECT_THAT(sharingError(Odd, Acquire + "mov.u64 %rd4, 64;\n" + Release +
                                    "ld.global.u32 %r6, [%rd4];\n"),
              HasSubstr("has not acquired (R9"));
  // Also if values are not looked at.
  TestProgram T(SharedKernel().around(Acquire + "mov.u32 %r8, 7;\n" + Release +
                                      "mov.u32 %r6, %r8;\n"));
  T.Options.CheckUnwritten = false;
  EXPECT_FALSE(T.run("k", {1}, {32}, {T.upload(std::vector<uint32_t>(32))}));
  EXPECT_THAT(T.Error, HasSubstr("has not acquired (R8"));
}

/// LLVM's comment is no instruction of the hardware's.
TEST(Sharing, AnUndefinedValueNamesNoRow) {
  EXPECT_THAT(sharingWords({}, "// implicit-def: %r8\n" + Acquire +
                                   "add.u32 %r7, %r8, 1;\nmov.u32 %r6, 5;\n" +
                                   Release + Store),
              Each(5u));
}

TEST(SharingChecks, ValuesDoNotSurviveARelease) {
  const std::string Stale = Acquire + "mov.u32 %r8, 7;\n" + Release + Acquire +
                            "mov.u32 %r6, %r8;\n" + Store;
  EXPECT_THAT(sharingError({}, Stale),
              AllOf(HasSubstr("read of a register that was never written since "
                              "the extended set was acquired (R8: %r8"),
                    HasSubstr("lane 0")));
  // And the value itself is gone.
  TestProgram T(SharedKernel().around(Stale));
  T.Options.CheckUnwritten = false;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_THAT(T.download<uint32_t>(Out, 32), Each(0xDEADC0DEu));
}

/// Lanes 16 to 31 run second, with what the first left of their registers.
const std::string Sides = "setp.gt.u32 %p1, %r2, 15;\n@%p1 bra OTHER;\n";

TEST(SharingChecks, ParkedLanesLoseTheirValuesToo) {
  EXPECT_THAT(sharingError({}, Acquire + "mov.u32 %r8, 7;\n" + Sides + Release +
                                   "bra J;\nOTHER:\n" + Acquire +
                                   "mov.u32 %r6, %r8;\n" + Store + "J:\n" +
                                   Release + "mov.u32 %r6, 0;\n"),
              AllOf(HasSubstr("never written since"), HasSubstr("lane 16")));
}

TEST(SharingDivergence, ReleaseInOneSideAcquireInTheOther) {
  // The second side begins in the state that the first left.
  EXPECT_THAT(sharingError({}, Acquire +
                                   "mov.u32 %r8, 7;\n"
                                   "mov.u32 %r6, %r8;\n" +
                                   Sides + Release +
                                   "bra J;\nOTHER:\nmov.u32 %r8, 3;\nJ:\n" +
                                   Store),
              AllOf(HasSubstr("has not acquired (R8"), HasSubstr("lane 16")));
  // So it has to acquire of its own.
  auto Words = sharingWords(
      {}, Acquire + "mov.u32 %r8, 7;\nmov.u32 %r6, %r8;\n" + Sides + Release +
              "bra J;\nOTHER:\n" + Acquire +
              "mov.u32 %r8, 3;\nmov.u32 %r6, %r8;\nJ:\n" + Release + Store);
  EXPECT_EQ(Words[0], 7u);
  EXPECT_EQ(Words[31], 3u);
}

TEST(SharingDivergence, AcquireInOneSideLastsIntoTheOther) {
  auto Words = sharingWords(
      {}, "mov.u32 %r6, 1;\n" + Sides + Acquire +
              "mov.u32 %r8, 7;\nmov.u32 %r6, %r8;\nbra J;\nOTHER:\n"
              "mov.u32 %r9, 4;\nmov.u32 %r6, %r9;\nJ:\n" +
              Release + Store);
  EXPECT_EQ(Words[0], 7u);
  EXPECT_EQ(Words[31], 4u);
}

/// Lane n goes round n times; its extended value lives until the loop's end
/// while others leave one by one.
TEST(SharingDivergence, LoopWithDivergentExitAndABarrierAfterIt) {
  const std::string Loop =
      Acquire +
      "mov.u32 %r8, %r2;\nmov.u32 %r6, 0;\n"
      "LOOP:\nsetp.eq.u32 %p1, %r8, 0;\n@%p1 bra DONE;\n"
      "add.u32 %r6, %r6, %r8;\nsub.u32 %r8, %r8, 1;\nbra LOOP;\nDONE:\n" +
      Release + "bar.sync 0;\n" + Store;
  auto Words = sharingWords({}, Loop, 64);
  for (unsigned N = 0; N != 64; ++N)
    EXPECT_EQ(Words[N], N * (N + 1) / 2);
}

TEST(SharingChecks, BarrierWhileHolding) {
  EXPECT_THAT(
      sharingError({}, Acquire + "bar.sync 0;\n"),
      AllOf(HasSubstr("a barrier while the warp holds its extended set"),
            HasSubstr("'bar.sync 0'")));
  EXPECT_THAT(
      sharingError({}, Acquire + "barrier.cta.red.popc.u32 %r6, 0, 1;\n"),
      HasSubstr("a barrier while the warp holds"));
  // Who only says that it was there waits for nobody.
  sharingWords({}, Acquire + "bar.arrive 1, 64;\n" + Release);
}

/// Lanes that wait where the sides meet run ahead when others come to a
/// barrier. If they acquire on the way and end, the warp waits holding.
TEST(SharingChecks, BarrierWhileOtherLanesOfTheWarpHold) {
  EXPECT_THAT(sharingError({},
                           Sides +
                               "bar.sync 0;\nbra J;\nOTHER:\n"
                               "mov.u32 %r6, 0;\nJ:\nmov.u32 %r6, 1;\n" +
                               Acquire + "mov.u32 %r8, 1;\n",
                           64),
              HasSubstr("a barrier while the warp holds"));
}

TEST(SharingChecks, AnnotationsWithoutTheirContext) {
  SharedKernel Untouched;
  Untouched.Base = 0;
  EXPECT_THAT(sharingError(Untouched, Acquire),
              AllOf(HasSubstr("test.ptx:"),
                    HasSubstr("before the function's regshare.regmutex")));
  EXPECT_THAT(sharingError({}, pragma("free regs=R3")),
              HasSubstr("belongs to scheme rfv"));
  EXPECT_THAT(sharingError(virtualised(), Acquire),
              HasSubstr("belongs to scheme regmutex"));
  SharedKernel Small;
  Small.Extended = 3;
  EXPECT_THAT(sharingError(Small, ""), HasSubstr("less than the descriptor's"));
}

TEST(SharingFree, FreedValuesAreGone) {
  const std::string Use = "mov.u32 %r6, 7;\n" + pragma("free regs=R6") + Store;
  EXPECT_THAT(sharingError(virtualised(), Use),
              HasSubstr("read of a register that was never written (R6: %r6"));
  TestProgram T(virtualised().around(Use));
  T.Options.CheckUnwritten = false;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_THAT(T.download<uint32_t>(Out, 32), Each(0xDEADC0DEu));
  // Written again they are as new; a free of what is free does nothing.
  EXPECT_THAT(sharingWords(virtualised(),
                           pragma("free regs=R6,R7") + "mov.u32 %r6, 7;\n" +
                               pragma("free regs=R7,R8") + Store),
              Each(7u));
}

TEST(SharingFree, OneHalfOfAPair) {
  const std::string Pair = "mov.u64 %rd3, 0x500000006;\n";
  EXPECT_THAT(
      sharingWords(virtualised(), Pair + pragma("free regs=R7") + Store),
      Each(6u));
  EXPECT_THAT(sharingError(virtualised(), Pair + pragma("free regs=R7") +
                                              "st.global.u64 [%rd0], %rd3;\n"),
              HasSubstr("never written (R7"));
}

/// What one side frees is lost for lanes that are parked.
TEST(SharingFree, InOneSide) {
  EXPECT_THAT(sharingError(virtualised(), "mov.u32 %r6, 7;\n" + Sides +
                                              pragma("free regs=R6") +
                                              "bra J;\nOTHER:\n" + Store +
                                              "J:\nmov.u32 %r7, 0;\n"),
              AllOf(HasSubstr("never written"), HasSubstr("lane 16")));
}

/// Before a label, at a join, and in a row.
TEST(SharingFree, Anywhere) {
  EXPECT_THAT(sharingWords(virtualised(),
                           "mov.u32 %r6, 7;\nmov.u32 %r7, 1;\n" + Sides +
                               "add.u32 %r6, %r6, %r7;\nbra J;\n"
                               "OTHER:\nadd.u32 %r6, %r6, 1;\n" +
                               pragma("free regs=R9") + "J:\n" +
                               pragma("free regs=R7") + pragma("free regs=R8") +
                               Store + pragma("free regs=R0,R1,R6")),
              Each(8u));
}

/// Lanes that run ahead to their end while others wait at a barrier do not take
/// from those what they need behind it.
TEST(SharingFree, LanesThatRunAheadFreeNothing) {
  EXPECT_THAT(sharingWords(virtualised(), "mov.u32 %r6, 7;\n" + Sides +
                                              "bar.sync 0;\n" + Store +
                                              "OTHER:\nmov.u32 %r7, 1;\n" +
                                              pragma("free regs=R0,R1,R6") +
                                              "mov.u32 %r7, 2;\n"),
              AllOf(testing::Contains(7u).Times(16),
                    testing::Contains(0xAAAAAAAAu).Times(16)));
}

/// Loops that another CTA may have to end.
TEST(Sharing, KernelsThatMayWaitForOthers) {
  auto Waits = [](const std::string &Body, const std::string &Scope = "") {
    SharedKernel K = virtualised();
    K.ModuleScope = Scope;
    TestProgram T(K.around(Body));
    EXPECT_TRUE(T.P) << T.Error;
    return T.P && T.P->findKernel("k")->WaitsForOthers;
  };
  auto Loop = [](const std::string &Body) {
    return "mov.u32 %r8, 9;\nL:\n" + Body +
           "sub.u32 %r8, %r8, 1;\nsetp.ne.u32 %p1, %r8, 0;\n@%p1 bra L;\n";
  };
  const std::string Add = "atom.global.add.u32 %r6, [%rd0], 1;\n";
  EXPECT_TRUE(Waits(Loop(Add)));
  EXPECT_TRUE(Waits(Loop("ld.volatile.global.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("ld.acquire.gpu.global.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("ld.volatile.u32 %r6, [%rd0];\n")));
  EXPECT_TRUE(Waits(Loop("membar.gl;\nld.global.u32 %r6, [%rd0];\n")));
  EXPECT_FALSE(Waits(Add + Loop("ld.global.u32 %r6, [%rd0];\n") + Add));
  EXPECT_FALSE(Waits(Loop("red.global.add.u32 [%rd0], 1;\n")));
  EXPECT_FALSE(Waits(Loop("st.volatile.global.u32 [%rd0], %r2;\n")));
  // Laid out so that the atomic is behind the last jump back.
  EXPECT_TRUE(Waits("mov.u32 %r8, 9;\nbra B;\nA:\nadd.u32 %r8, %r8, 1;\n"
                    "bra C;\nB:\nbra A;\nC:\n" +
                    Add + "setp.eq.u32 %p1, %r6, 9;\n@%p1 bra B;\n"));
  // What a called function does counts, wherever it is called.
  const std::string Called =
      ".func f(.param .u64 p)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<2>;\n"
      ".reg .b64 %rd<1>;\nld.param.u64 %rd0, [p];\nL:\n"
      "ld.volatile.global.u32 %r1, [%rd0];\nsetp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 bra L;\nret;\n}\n";
  const std::string Call = "{\n.param .b64 a;\nst.param.b64 [a], %rd0;\n"
                           "call.uni f, (a);\n}\n";
  EXPECT_TRUE(Waits(Call, Called));
  EXPECT_FALSE(Waits("", Called));
}

/// The annotations say nothing about PTX registers with rows of their own.
TEST(Sharing, WithoutTheRegisterMap) {
  GlobalMemory Memory;
  auto P = loadProgram(SharedKernel().around(Release + "mov.u32 %r8, 7;\n"
                                                       "st.global.u32 [%rd0], "
                                                       "%r8;\n"),
                       "test.ptx", Memory, {.UseRegisterMap = false});
  ASSERT_TRUE(P) << P.error().str();
  uint64_t Out = Memory.allocate(128);
  auto Bytes = packArguments(*(*P)->findKernel("k"), {Out});
  EXPECT_TRUE(runKernel(**P, Memory, "k", {{1}, {32}, 0, *Bytes}));
  uint32_t Word = 0;
  Memory.read(Out, &Word, 4);
  EXPECT_EQ(Word, 7u);
}

} // namespace
} // namespace regshare::sim
