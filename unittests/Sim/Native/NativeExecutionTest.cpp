//===- NativeExecutionTest.cpp - What native code computes ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

#include <gmock/gmock.h>

using namespace regshare;
using namespace regshare::sim;

/// Each thread's word of \p Body in native code; %r2 is its number.
static std::vector<uint32_t> words(const std::string &Body,
                                   unsigned Threads = 32) {
  return launchWords(nativeKernel(), Body, Threads);
}

static void expectWords(const std::string &Body, uint32_t (*Of)(uint32_t),
                        unsigned Threads = 32) {
  std::vector<uint32_t> Words = words(Body, Threads);
  for (unsigned T = 0; T != Words.size(); ++T)
    EXPECT_EQ(Words[T], Of(T)) << "thread " << T;
}

TEST(NativeExecution, GroupsComputeInTheOrderOfTheText) {
  expectWords("mul.lo.u32 %f0, %r2, 3;\nadd.u32 %f1, %f0, 5;\n"
              "xor.b32 %r8, %f1, %f0;\nst.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return (3 * T + 5) ^ (3 * T); });
}

TEST(NativeExecution, FoldedValuesOfAllWidthsAndPredicates) {
  expectWords("mul.wide.u32 %g0, %r2, 65537;\nshr.u64 %g1, %g0, 8;\n"
              "setp.gt.u32 %q0, %r2, 7;\ncvt.u32.u64 %f0, %g1;\n"
              "selp.b32 %r8, %f0, 1, %q0;\nst.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) {
                return T > 7 ? uint32_t(uint64_t(T) * 65537 >> 8) : 1;
              });
}

TEST(NativeExecution, VectorsAreFoldedIntoTheirReader) {
  expectWords("mul.wide.u32 %rd4, %r2, 65537;\nmov.b64 {%f0, %f1}, %rd4;\n"
              "sub.u32 %r10, %f0, %f1;\nst.global.u32 [%rd0], %r10;\n",
              [](uint32_t T) { return T * 65537; });
}

TEST(NativeExecution, AddressesAreFolded) {
  // The word of the thread's neighbour; %rd4 is the begin of the words.
  std::vector<uint32_t> Words =
      words("mul.wide.u32 %rd4, %r2, 4;\nsub.s64 %rd4, %rd0, %rd4;\n"
            "xor.b32 %f0, %r2, 1;\nmul.wide.u32 %g0, %f0, 4;\n"
            "add.s64 %g1, %rd4, %g0;\nst.global.u32 [%g1], %r2;\n");
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Words[T], T ^ 1);
}

TEST(NativeExecution, FoldedValuesShareRowsIfTheyNeverMeet) {
  std::string Body;
  for (unsigned N = 0; N != 8; ++N) {
    std::string F = "%f" + std::to_string(N);
    Body += "mul.lo.u32 " + F + ", %r2, " + std::to_string(N + 2) +
            ";\nadd.u32 %r2, " + F + ", 1;\n";
  }
  TestProgram T(nativeKernel().around(Body));
  ASSERT_TRUE(T.P) << T.Error;
  const Function &F = *T.P->findKernel("k");
  // The registers, a row that all groups share, and two of the decoder's own.
  EXPECT_EQ(F.NumRows, F.RegsPerThread + 1 + 2);
  EXPECT_EQ(F.Folded.size(), 8u);
  EXPECT_EQ(F.HardwareInstructions, 9u);
}

TEST(NativeExecution, SidesOfABranchHaveFoldedValuesOfTheirOwn) {
  expectWords(
      "setp.gt.u32 %p1, %r2, 15;\n@%p1 bra OTHER;\n"
      "mul.lo.u32 %f0, %r2, 3;\nadd.u32 %r8, %f0, 1;\nbra.uni DONE;\n"
      "OTHER:\nmul.lo.u32 %f1, %r2, 5;\nadd.u32 %r8, %f1, 2;\n"
      "DONE:\nmul.lo.u32 %f2, %r8, 2;\nadd.u32 %r8, %f2, %r2;\n"
      "st.global.u32 [%rd0], %r8;\n",
      [](uint32_t T) { return 2 * (T > 15 ? 5 * T + 2 : 3 * T + 1) + T; });
}

TEST(NativeExecution, ALabelAtTheFirstMemberLeadsToTheGroup) {
  // Each thread goes round as often as its number says.
  expectWords("mov.u32 %r8, 0;\nmov.u32 %r9, 0;\n"
              "LOOP:\nmul.lo.u32 %f0, %r9, 2;\nadd.u32 %f1, %f0, 1;\n"
              "add.u32 %r8, %r8, %f1;\nadd.u32 %r9, %r9, 1;\n"
              "setp.le.u32 %p1, %r9, %r2;\n@%p1 bra LOOP;\n"
              "st.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return (T + 1) * (T + 1); });
}

TEST(NativeExecution, AGuardIsOfTheConsumer) {
  expectWords("mov.u32 %r8, 7;\nsetp.gt.u32 %p1, %r2, 20;\n"
              "mul.lo.u32 %f0, %r2, 3;\n@%p1 add.u32 %r8, %f0, 1;\n"
              "st.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return T > 20 ? 3 * T + 1 : 7; });
}

TEST(NativeExecution, AGuardIsFolded) {
  expectWords("mov.u32 %r8, 7;\nsetp.gt.u32 %p1, %r2, 20;\n"
              "setp.lt.u32 %p2, %r2, 25;\nand.pred %q0, %p1, %p2;\n"
              "@!%q0 add.u32 %r8, %r2, 1;\nst.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return T > 20 && T < 25 ? 7 : T + 1; });
  expectWords("mov.u32 %r8, 7;\nsetp.gt.u32 %p1, %r2, 20;\n"
              "not.pred %q0, %p1;\n@%q0 bra DONE;\nmov.u32 %r8, 9;\n"
              "DONE:\nst.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) -> uint32_t { return T > 20 ? 9 : 7; });
}

TEST(NativeExecution, LanesMeetAtAShuffleWithAFoldedOperand) {
  // The two sides come to the same instruction one after the other.
  expectWords("mov.u32 %r9, 100;\nsetp.gt.u32 %p1, %r2, 15;\n"
              "@%p1 bra MEET;\nmov.u32 %r9, 200;\n"
              "MEET:\nadd.u32 %f0, %r9, %r2;\n"
              "shfl.sync.bfly.b32 %r8, %f0, 16, 31, -1;\n"
              "st.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return (T > 15 ? 200u : 100u) + (T ^ 16); });
}

TEST(NativeExecution, BarriersAndSharedMemoryTakeFoldedOperands) {
  AnnotatedKernel K = nativeKernel();
  K.ModuleScope = ".shared .align 4 .b8 words[256];\n";
  std::vector<uint32_t> Words = launchWords(
      K,
      "mov.u32 %k0, words;\nshl.b32 %f0, %r2, 2;\nadd.u32 %f1, %f0, %k0;\n"
      "st.shared.u32 [%f1], %r2;\nbar.sync 0;\nxor.b32 %f2, %r2, 63;\n"
      "shl.b32 %f3, %f2, 2;\nadd.u32 %f4, %f3, %k0;\n"
      "ld.shared.u32 %r8, [%f4];\nst.global.u32 [%rd0], %r8;\n",
      64);
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Words[T], T ^ 63);
}

TEST(NativeExecution, ConstantsAreParametersAndWhatIsMadeOfThem) {
  std::vector<uint32_t> Words =
      words("ld.param.u64 %c0, [out];\ncvta.to.global.u64 %c1, %c0;\n"
            "mov.b64 {%k0, %k1}, %c1;\ncvt.u32.u64 %k2, %c1;\n"
            "mov.u32 %k3, %ntid.x;\nmov.u32 %k4, 0x1234;\n"
            "mul.wide.u32 %g0, %r2, 4;\nadd.s64 %rd4, %g0, %c1;\n"
            "sub.u32 %f0, %k0, %k2;\nadd.u32 %f1, %f0, %k3;\n"
            "add.u32 %r10, %f1, %k4;\nst.global.u32 [%rd4], %r10;\n");
  for (uint32_t Word : Words)
    EXPECT_EQ(Word, 32u + 0x1234u);
}

TEST(NativeExecution, ConstantMemoryIsConstant) {
  AnnotatedKernel K = nativeKernel();
  K.ModuleScope = ".const .align 4 .b32 table[2] = {7, 9};\n";
  for (uint32_t Word :
       launchWords(K, "mov.u64 %c0, table;\nld.const.u32 %k0, [table+4];\n"
                      "ld.const.u32 %k1, [%c0];\nmad.lo.u32 %r8, %k0, 100, "
                      "%k1;\nst.global.u32 [%rd0], %r8;\n"))
    EXPECT_EQ(Word, 907u);
  EXPECT_THAT(launchError(K, "ld.const.u32 %k0, [table+8];\n"
                             "add.u32 %r8, %k0, 1;\n"),
              testing::HasSubstr("is not in the constant bank"));
}

TEST(NativeExecution, BranchesThatHardwareDoesWithout) {
  expectWords("setp.gt.u32 %p1, %r2, 15;\nmov.u32 %r8, 1;\n" + issueSlots(0) +
                  "@%p1 bra MEET;\nmov.u32 %r8, 2;\n" + issueSlots(0) +
                  "bra.uni MEET;\nMEET:\nst.global.u32 [%rd0], %r8;\n",
              [](uint32_t T) { return T > 15 ? 1u : 2u; });
}

TEST(NativeExecution, ConstantsAreNoInstructions) {
  TestProgram T(nativeKernel().around(
      "mov.u32 %k0, 5;\nmov.u32 %k1, %ntid.x;\nadd.u32 %r8, %k0, %k1;\n"));
  ASSERT_TRUE(T.P) << T.Error;
  const Function &F = *T.P->findKernel("k");
  // Seven of the prologue, the addition, ret, and the end.
  EXPECT_EQ(F.Code.size(), 10u);
  EXPECT_EQ(F.Constants.size(), 2u);
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_TRUE(T.Stats.IsNative);
  EXPECT_EQ(T.Stats.WarpInstructions, 9u);
  EXPECT_EQ(T.Stats.issueSlots(), 9u);
}

TEST(NativeExecution, ConstantsAreDefinedInAnyOrder) {
  expectWords("bra.uni FIRST;\nSECOND:\nmov.u32 %k1, %k0;\n"
              "add.u32 %r8, %k1, %r2;\nst.global.u32 [%rd0], %r8;\nret;\n"
              "FIRST:\nmov.u32 %k0, 5;\nbra.uni SECOND;\n",
              [](uint32_t T) { return T + 5; });
}

TEST(NativeExecution, SlotsAreCounted) {
  TestProgram T(nativeKernel().around(
      issueSlots(5) + "add.u32 %r8, %r2, 1;\n" + issueSlots(0) +
      "mov.b32 %r9, %r8;\nmul.lo.u32 %f0, %r9, 3;\nadd.u32 %r9, %f0, 1;\n" +
      issueSlots(3) + "mul.lo.u32 %f1, %r9, 3;\nadd.u32 %r9, %f1, 1;\n"));
  ASSERT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  // The prologue's seven, three with slots, and ret.
  EXPECT_EQ(T.Stats.WarpInstructions, 11u);
  EXPECT_EQ(T.Stats.ThreadInstructions, 11u * 32);
  EXPECT_EQ(T.Stats.issueSlots(), 7u + 5 + 1 + 3 + 1);
}

TEST(NativeExecution, PlainCodeIsNotNative) {
  AnnotatedKernel K{"baseline", 12, 0, 0, {}, {}};
  TestProgram T(K.around(""));
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  EXPECT_FALSE(T.Stats.IsNative);
  EXPECT_EQ(T.Stats.issueSlots(), T.Stats.WarpInstructions);
}

TEST(NativeExecution, SourcesOfAllMembersHaveToBeWritten) {
  EXPECT_THAT(launchError(nativeKernel(), "mul.lo.u32 %f0, %r9, 3;\n"
                                          "add.u32 %r8, %f0, %r2;\n"
                                          "mov.u32 %r9, 1;\n"),
              testing::HasSubstr("read of a register that was never written "
                                 "(R9: "));
  // Only lanes that its guard lets through read them,
  const std::string Some = "setp.gt.u32 %p1, %r2, 15;\n@%p1 mov.u32 %r9, 4;\n";
  expectWords(Some + "mov.u32 %r8, 1;\nmul.lo.u32 %f0, %r9, 3;\n"
                     "@%p1 add.u32 %r8, %f0, %r2;\nst.global.u32 [%rd0], %r8;",
              [](uint32_t T) { return T > 15 ? 12 + T : 1; });
  // but all of them what the guard is made of.
  EXPECT_THAT(launchError(nativeKernel(), Some +
                                              "setp.gt.u32 %q0, %r9, 1;\n"
                                              "@%q0 add.u32 %r8, %r2, %r2;\n"),
              testing::HasSubstr("was never written (R9: "));
}

TEST(NativeExecution, ScratchRegistersArePoisonAfterwards) {
  const std::string Scratch = pragma("scratch regs=R9,R11");
  EXPECT_THAT(launchError(nativeKernel(),
                          "mov.u32 %r9, 1;\n" + Scratch +
                              "div.u32 %r8, %r2, 3;\nadd.u32 %r8, %r9, 1;\n"),
              testing::HasSubstr("was never written (R9: "));
  TestProgram T(nativeKernel().around(
      "mov.u32 %r9, 1;\n" + Scratch +
      "div.u32 %r8, %r2, 3;\nst.global.u32 [%rd0], %r9;\n"));
  ASSERT_TRUE(T.P) << T.Error;
  T.Options.CheckUnwritten = false;
  uint64_t Out = T.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(T.run("k", {1}, {32}, {Out})) << T.Error;
  for (uint32_t Word : T.download<uint32_t>(Out, 32))
    EXPECT_EQ(Word, 0xDEADC0DE);
}

TEST(NativeExecution, AReducingBarrierHasScratchRegisters) {
  const std::string Counts = "setp.gt.u32 %p1, %r2, 11;\nmov.u32 %r9, 1;\n" +
                             pragma("scratch regs=R9") +
                             "bar.red.popc.u32 %r8, 0, %p1;\n";
  expectWords(Counts + "st.global.u32 [%rd0], %r8;\n",
              [](uint32_t) { return 20U; });
  EXPECT_THAT(
      launchError(nativeKernel(), Counts + "st.global.u32 [%rd0], %r9;\n"),
      testing::HasSubstr("was never written (R9: "));
}

TEST(NativeExecution, OtherLanesKeepWhatIsInScratchRegisters) {
  expectWords(
      "mov.u32 %r9, %r2;\nmov.u32 %r8, 3;\nsetp.gt.u32 %p1, %r2, 15;\n" +
          pragma("scratch regs=R9") +
          "@%p1 div.u32 %r8, %r2, 3;\nmov.u32 %r10, 5;\n"
          "@!%p1 mov.u32 %r10, %r9;\nst.global.u32 [%rd0], %r10;\n",
      [](uint32_t T) { return T > 15 ? 5 : T; });
}

TEST(NativeExecution, AFunctionIsNativeCodeOfItsOwn) {
  AnnotatedKernel K = nativeKernel();
  K.ModuleScope =
      ".func (.param .b32 ret) twice(.param .b32 a)\n{\n.reg .b32 %r<3>;\n" +
      pragma("kernel v1 name=twice scheme=baseline regs=3 preds=0 peak=1 "
             "shared=0 local=0 target=sm_80") +
      pragma("native instructions=3 reserved=0") +
      pragma("map %r0=R0 %r1=R1 %r2=R2") + valuesAt("F", "b32", "f", 2) +
      valuesAt("C", "b32", "k", 2) +
      "mov.u32 %k0, 2;\nld.param.u32 %r0, [a];\n"
      "mul.lo.u32 %f0, %r0, %k0;\nadd.u32 %r1, %f0, 1;\n"
      "st.param.b32 [ret], %r1;\nret;\n}\n";
  std::vector<uint32_t> Words = launchWords(
      K, "{\n.param .b32 in;\n.param .b32 res;\nadd.u32 %f1, %r2, 1;\n"
         "st.param.b32 [in], %f1;\ncall.uni (res), twice, (in);\n"
         "ld.param.b32 %r8, [res];\n}\nst.global.u32 [%rd0], %r8;\n");
  for (unsigned T = 0; T != Words.size(); ++T)
    EXPECT_EQ(Words[T], 2 * (T + 1) + 1);
}
