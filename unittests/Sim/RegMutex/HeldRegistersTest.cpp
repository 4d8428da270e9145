//===- HeldRegistersTest.cpp - Registers that warps give back -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functional half of RegMutex: what the annotations do, and every check.
/// R8 to R11 are the extended set.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

const std::string Store = "st.global.u32 [%rd0], %r6;\n";

TEST(HeldRegisters, ExtendedRegistersWorkBetweenAcquireAndRelease) {
  EXPECT_THAT(launchWords({}, Acquire +
                                  "mov.u32 %r8, 7;\nadd.u32 %r6, %r8, 1;\n" +
                                  Release + Store),
              Each(8u));
}

TEST(HeldRegisters, AcquireAndReleaseAreIdempotent) {
  EXPECT_THAT(launchWords({}, Release + Acquire + "mov.u32 %r8, 7;\n" +
                                  Acquire + "mov.u32 %r6, %r8;\n" + Release +
                                  Release + Store),
              Each(7u));
}

TEST(HeldRegisters, TheyTakeAnIssueSlotAndAFreeDoesNot) {
  auto Instructions = [](const AnnotatedKernel &K, const std::string &Body) {
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

/// A statement before a label belongs to the way that falls through.
TEST(HeldRegisters, ABranchComesToWhatFollowsItsLabel) {
  const std::string After = "bra L;\nmov.u32 %r6, 0;\nL:\n" + Acquire +
                            "mov.u32 %r8, 5;\nmov.u32 %r6, %r8;\n" + Release +
                            Store;
  EXPECT_THAT(launchWords({}, After), Each(5u));
  const std::string Before =
      "bra L;\nmov.u32 %r6, 0;\n" + Acquire + "L:\nmov.u32 %r8, 5;\n";
  EXPECT_THAT(launchError({}, Before), HasSubstr("has not acquired"));
  EXPECT_THAT(launchWords({}, Acquire + "mov.u32 %r8, 5;\nbra L;\n" + Release +
                                  "L:\nmov.u32 %r6, %r8;\n" + Store),
              Each(5u));
}

TEST(HeldRegistersChecks, NamingAnExtendedRegisterThatIsNotHeld) {
  EXPECT_THAT(launchError({}, "mov.u32 %r8, 7;\n"),
              AllOf(HasSubstr("use of a register of the extended set, which "
                              "the warp has not acquired (R8: %r8"),
                    HasSubstr("the base set is R0 to R7"),
                    HasSubstr("kernel 'k', CTA (0,0,0), warp 0"),
                    HasSubstr("PTX line"), HasSubstr("'mov.u32 %r8, 7'")));
  EXPECT_THAT(launchError({}, Acquire + "mov.u32 %r8, 7;\n" + Release +
                                  "mov.u32 %r6, %r8;\n"),
              HasSubstr("has not acquired (R8"));
  // No lane executes it, but the warp's row is named.
  EXPECT_THAT(launchError({}, "setp.gt.u32 %p1, %r2, 99;\n"
                              "@%p1 mov.u32 %r11, 7;\n"),
              HasSubstr("has not acquired (R11"));
  // The upper half of a pair, in an address.
  AnnotatedKernel Odd;
  Odd.Base = 9;
  EXPECT_THAT(launchError(Odd, Acquire + "mov.u64 %rd4, 64;\n" + Release +
                                   "ld.global.u32 %r6, [%rd4];\n"),
              HasSubstr("has not acquired (R9"));
  // Also if values are not looked at.
  TestProgram T(AnnotatedKernel().around(Acquire + "mov.u32 %r8, 7;\n" +
                                         Release + "mov.u32 %r6, %r8;\n"));
  T.Options.CheckUnwritten = false;
  EXPECT_FALSE(T.run("k", {1}, {32}, {T.upload(std::vector<uint32_t>(32))}));
  EXPECT_THAT(T.Error, HasSubstr("has not acquired (R8"));
}

/// LLVM's comment is no instruction of the hardware's.
TEST(HeldRegisters, AnUndefinedValueNamesNoRow) {
  EXPECT_THAT(launchWords({}, "// implicit-def: %r8\n" + Acquire +
                                  "add.u32 %r7, %r8, 1;\nmov.u32 %r6, 5;\n" +
                                  Release + Store),
              Each(5u));
}

TEST(HeldRegistersChecks, ValuesDoNotSurviveARelease) {
  const std::string Stale = Acquire + "mov.u32 %r8, 7;\n" + Release + Acquire +
                            "mov.u32 %r6, %r8;\n" + Store;
  EXPECT_THAT(launchError({}, Stale),
              AllOf(HasSubstr("read of a register that was never written since "
                              "the extended set was acquired (R8: %r8"),
                    HasSubstr("lane 0")));
  // And the value itself is gone.
  TestProgram T(AnnotatedKernel().around(Stale));
  T.Options.CheckUnwritten = false;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  EXPECT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_THAT(T.download<uint32_t>(Out, 32), Each(0xDEADC0DEu));
}

TEST(HeldRegistersChecks, ParkedLanesLoseTheirValuesToo) {
  EXPECT_THAT(launchError({}, Acquire + "mov.u32 %r8, 7;\n" + Sides + Release +
                                  "bra J;\nOTHER:\n" + Acquire +
                                  "mov.u32 %r6, %r8;\n" + Store + "J:\n" +
                                  Release + "mov.u32 %r6, 0;\n"),
              AllOf(HasSubstr("never written since"), HasSubstr("lane 16")));
}

TEST(HeldRegistersDivergence, ReleaseInOneSideAcquireInTheOther) {
  // The second side begins in the state that the first left.
  EXPECT_THAT(launchError({}, Acquire +
                                  "mov.u32 %r8, 7;\n"
                                  "mov.u32 %r6, %r8;\n" +
                                  Sides + Release +
                                  "bra J;\nOTHER:\nmov.u32 %r8, 3;\nJ:\n" +
                                  Store),
              AllOf(HasSubstr("has not acquired (R8"), HasSubstr("lane 16")));
  // So it has to acquire of its own.
  auto Words = launchWords(
      {}, Acquire + "mov.u32 %r8, 7;\nmov.u32 %r6, %r8;\n" + Sides + Release +
              "bra J;\nOTHER:\n" + Acquire +
              "mov.u32 %r8, 3;\nmov.u32 %r6, %r8;\nJ:\n" + Release + Store);
  EXPECT_EQ(Words[0], 7u);
  EXPECT_EQ(Words[31], 3u);
}

TEST(HeldRegistersDivergence, AcquireInOneSideLastsIntoTheOther) {
  auto Words =
      launchWords({}, "mov.u32 %r6, 1;\n" + Sides + Acquire +
                          "mov.u32 %r8, 7;\nmov.u32 %r6, %r8;\nbra J;\nOTHER:\n"
                          "mov.u32 %r9, 4;\nmov.u32 %r6, %r9;\nJ:\n" +
                          Release + Store);
  EXPECT_EQ(Words[0], 7u);
  EXPECT_EQ(Words[31], 4u);
}

/// Lane n goes round n times; its extended value lives until the loop's end
/// while others leave one by one.
TEST(HeldRegistersDivergence, LoopWithDivergentExitAndABarrierAfterIt) {
  const std::string Loop =
      Acquire +
      "mov.u32 %r8, %r2;\nmov.u32 %r6, 0;\n"
      "LOOP:\nsetp.eq.u32 %p1, %r8, 0;\n@%p1 bra DONE;\n"
      "add.u32 %r6, %r6, %r8;\nsub.u32 %r8, %r8, 1;\nbra LOOP;\nDONE:\n" +
      Release + "bar.sync 0;\n" + Store;
  auto Words = launchWords({}, Loop, 64);
  for (unsigned N = 0; N != 64; ++N)
    EXPECT_EQ(Words[N], N * (N + 1) / 2);
}

TEST(HeldRegistersChecks, BarrierWhileHolding) {
  EXPECT_THAT(
      launchError({}, Acquire + "bar.sync 0;\n"),
      AllOf(HasSubstr("a barrier while the warp holds its extended set"),
            HasSubstr("'bar.sync 0'")));
  EXPECT_THAT(
      launchError({}, Acquire + "barrier.cta.red.popc.u32 %r6, 0, 1;\n"),
      HasSubstr("a barrier while the warp holds"));
  // Who only says that it was there waits for nobody.
  launchWords({}, Acquire + "bar.arrive 1, 64;\n" + Release);
}

/// Lanes that wait where the sides meet run ahead when others come to a
/// barrier. If they acquire on the way and end, the warp waits holding.
TEST(HeldRegistersChecks, BarrierWhileOtherLanesOfTheWarpHold) {
  EXPECT_THAT(launchError({},
                          Sides +
                              "bar.sync 0;\nbra J;\nOTHER:\n"
                              "mov.u32 %r6, 0;\nJ:\nmov.u32 %r6, 1;\n" +
                              Acquire + "mov.u32 %r8, 1;\n",
                          64),
              HasSubstr("a barrier while the warp holds"));
}

TEST(HeldRegistersChecks, AnnotationsWithoutTheirContext) {
  AnnotatedKernel Untouched;
  Untouched.Base = 0;
  EXPECT_THAT(launchError(Untouched, Acquire),
              AllOf(HasSubstr("test.ptx:"),
                    HasSubstr("before the function's regshare.regmutex")));
  EXPECT_THAT(launchError({}, pragma("free regs=R3")),
              HasSubstr("belongs to scheme rfv"));
  EXPECT_THAT(launchError(virtualised(), Acquire),
              HasSubstr("belongs to scheme regmutex"));
  AnnotatedKernel Small;
  Small.Extended = 3;
  EXPECT_THAT(launchError(Small, ""), HasSubstr("less than the descriptor's"));
}

/// The annotations say nothing about PTX registers with rows of their own.
TEST(HeldRegisters, WithoutTheRegisterMap) {
  GlobalMemory Memory;
  DecodeOptions Options;
  Options.UseRegisterMap = false;
  auto P =
      loadProgram(AnnotatedKernel().around(Release + "mov.u32 %r8, 7;\n"
                                                     "st.global.u32 [%rd0], "
                                                     "%r8;\n"),
                  "test.ptx", Memory, Options);
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
