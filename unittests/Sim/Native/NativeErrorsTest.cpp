//===- NativeErrorsTest.cpp - What is no native code ----------------------===//
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
using testing::AllOf;
using testing::HasSubstr;

/// What is said of a kernel with \p Body.
static std::string loadError(const std::string &Body,
                             const AnnotatedKernel &K = nativeKernel()) {
  TestProgram T(K.around(Body));
  EXPECT_FALSE(T.P);
  return T.Error;
}

/// Of the first \p Text in the kernel, from 1.
static unsigned lineOf(const std::string &Text, const AnnotatedKernel &K,
                       const std::string &Body) {
  std::string All = K.around(Body);
  return unsigned(std::count(All.begin(), All.begin() + long(All.find(Text)),
                             '\n')) +
         1;
}

/// \p Line is how the line begins that the error names.
static void expectError(const std::string &Body, const std::string &Line,
                        const std::string &Message) {
  AnnotatedKernel K = nativeKernel();
  unsigned Number = lineOf(Line, K, Body);
  EXPECT_THAT(loadError(Body),
              AllOf(HasSubstr("test.ptx:" + std::to_string(Number) + ":"),
                    HasSubstr(Message)));
}

TEST(NativeErrors, FoldedValuesStayInTheirGroup) {
  expectError("add.u32 %f0, %r2, 1;\nadd.u32 %r8, %f0, 1;\n"
              "add.u32 %r9, %f0, 2;\n",
              "add.u32 %r9",
              "read of the folded value '%f0' outside of its "
              "group");
  expectError("add.u32 %r9, %f0, 2;\n", "add.u32 %r9", "outside of its group");
  expectError("add.u32 %f0, %f0, 2;\nadd.u32 %r8, %f0, 1;\n", "add.u32 %f0",
              "outside of its group");
  expectError("add.u32 %f0, %r2, 1;\nadd.u32 %r8, %f0, 1;\n"
              "add.u32 %f0, %r2, 1;\nadd.u32 %r8, %f0, 1;\n",
              "add.u32 %f0, %r2, 1;\nadd.u32 %r8, %f0, 1;\n\nret",
              "the folded value '%f0' is written twice");
  expectError("add.u32 %f0, %r2, 1;\nadd.u32 %r8, %r2, 1;\n", "add.u32 %r8",
              "the folded value '%f0' is read by nothing in its group");
}

TEST(NativeErrors, AGroupIsInOneBlock) {
  expectError("bra.uni THERE;\nadd.u32 %f0, %r2, 1;\n"
              "THERE:\nadd.u32 %r8, %f0, 1;\n",
              "add.u32 %r8", "a label inside of a group");
  std::string Text = nativeKernel().around("add.u32 %f0, %r2, 1;\n");
  Text.replace(Text.rfind("ret;"), 4, "");
  EXPECT_THAT(TestProgram(Text).Error,
              HasSubstr("the function ends in a group"));
}

TEST(NativeErrors, FoldedInstructionsOnlyCompute) {
  const std::string Reads = "add.u32 %r8, %f0, 1;\n";
  expectError("ld.param.u32 %f0, [out];\n" + Reads, "ld.param.u32 %f0",
              "a folded instruction accesses memory");
  expectError("ld.global.u32 %f0, [%rd0];\n" + Reads, "ld.global",
              "a folded instruction accesses memory");
  expectError("@%p1 add.u32 %f0, %r2, 1;\n" + Reads, "@%p1 add",
              "a folded instruction has a guard");
  expectError("shfl.sync.bfly.b32 %f0, %r2, 1, 31, -1;\n" + Reads, "shfl",
              "a folded instruction depends on other lanes");
  expectError("activemask.b32 %f0;\n" + Reads, "activemask",
              "a folded instruction depends on other lanes");
  expectError("mov.u32 %f0, %clock;\n" + Reads, "mov.u32 %f0",
              "a folded instruction reads the clock");
  expectError("add.cc.u32 %f0, %r2, 1;\n" + Reads, "add.cc",
              "reads or writes the carry flag");
  expectError("mov.b64 {%f0, %r8}, %rd0;\n" + Reads, "mov.b64",
              "results of one instruction are all constants, all folded, or "
              "all in registers");
}

TEST(NativeErrors, AGroupReadsAsMuchAsAnInstruction) {
  std::string Body;
  for (unsigned N = 0; N != 8; ++N) {
    std::string F = std::to_string(N), Before = std::to_string(N - 1);
    Body += N ? "mad.lo.u32 %f" + F + ", %r" + std::to_string(2 * N + 4) +
                    ", %r" + std::to_string(2 * N + 5) + ", %f" + Before + ";\n"
              : "add.u32 %f0, %r4, %r5;\n";
  }
  expectError(Body + "mad.lo.u32 %r8, %r2, %f7, %r3;\n", "mad.lo.u32 %r8, %r2",
              "a group reads 18 registers; an instruction has at most 16");
}

TEST(NativeErrors, ConstantsAreConstant) {
  const std::string Reads = "add.u32 %r8, %k0, 1;\n";
  expectError(Reads, "add.u32 %r8", "the constant '%k0' is defined nowhere");
  expectError("mov.u32 %k0, 1;\nmov.u32 %k0, 2;\n" + Reads, "mov.u32 %k0, 2",
              "the constant '%k0' has a second definition");
  expectError("@%p1 mov.u32 %k0, 1;\n" + Reads, "@%p1",
              "the definition of the constant '%k0' has a guard");
  expectError("mov.u32 %k0, %r2;\n" + Reads, "mov.u32 %k0",
              "the constant '%k0' is made of something that is no constant");
  expectError("mov.u32 %k0, %tid.x;\n" + Reads, "mov.u32 %k0",
              "the constant '%k0' is made of something that is no constant");
  expectError(
      "add.u32 %k0, 1, 2;\n" + Reads, "add.u32 %k0",
      "is defined by neither a kernel's parameter, constant memory, mov, "
      "cvt, cvta nor an offset");
  expectError("mov.u32 %k1, 8;\nadd.u32 %k0, %k1, 2;\n" + Reads, "add.u32 %k0",
              "the constant '%k0' adds to something that is no address in the "
              "thread's frame");
  expectError("ld.global.u32 %k0, [%rd0];\n" + Reads, "ld.global",
              "is defined by neither a kernel's parameter");
  expectError("mov.u32 %k0, %k1;\nmov.u32 %k1, %k0;\n" + Reads, "mov.u32 %k0",
              "the constant '%k0' is made of itself");
  expectError("add.u32 %f0, %r2, 1;\nmov.u32 %k0, 1;\n" + Reads, "mov.u32 %k0",
              "the definition of the constant '%k0' is in the middle of a "
              "group");
  expectError(issueSlots(2) + "mov.u32 %k0, 1;\n" + Reads, "issue slots",
              "takes no issue slot");
}

TEST(NativeErrors, PredicatesAreNoConstants) {
  AnnotatedKernel K = nativeKernel();
  K.Begin += valuesAt("C", "pred", "z", 1);
  EXPECT_THAT(loadError("", K), HasSubstr("predicate '%z0' of 'k' is no "
                                          "constant operand"));
}

TEST(NativeErrors, OnlyNativeCodeHasThem) {
  auto Error = [](const std::string &Begin, const std::string &Body) {
    AnnotatedKernel K{"baseline", 12, 0, 0, {}, Begin};
    return loadError(Body, K);
  };
  const std::string Message = "it says regshare.native";
  EXPECT_THAT(Error(valuesAt("F", "b32", "f", 1), ""), HasSubstr(Message));
  EXPECT_THAT(Error(valuesAt("C", "b32", "k", 1), ""), HasSubstr(Message));
  EXPECT_THAT(Error("", issueSlots(2)), HasSubstr(Message));
  EXPECT_THAT(Error("", pragma("scratch regs=R9")), HasSubstr(Message));
  EXPECT_THAT(Error(pragma("native instructions=1 reserved=0") +
                        pragma("native instructions=1 reserved=0"),
                    ""),
              HasSubstr("regshare.native: a function says it once"));
}

TEST(NativeErrors, StatementsStandBeforeAnInstruction) {
  const std::string Add = "add.u32 %r8, %r2, 1;\n";
  std::string Text = nativeKernel().around(Add + issueSlots(2));
  Text.replace(Text.rfind("ret;"), 4, "");
  EXPECT_THAT(TestProgram(Text).Error, HasSubstr("no instruction follows"));
  expectError(issueSlots(2) + issueSlots(3) + Add, "issue slots=3",
              "stands once before an instruction");
  expectError(pragma("scratch regs=R9") + issueSlots(3) + Add, "issue slots=3",
              "before regshare.scratch");
  expectError("add.u32 %f0, %r2, 1;\n" + issueSlots(2) + "add.u32 %r8, %f0, 1;",
              "issue slots", "a statement inside of a group");
  expectError(issueSlots(65536) + Add, "issue slots", "65535");
  expectError(issueSlots(0) + "ld.global.u32 %r8, [%rd0];\n", "issue slots",
              "only a branch or what computes takes no issue slot");
  expectError(issueSlots(0) + "bar.sync 0;\n", "issue slots",
              "only a branch or what computes takes no issue slot");
  expectError("LOOP:\n" + issueSlots(0) + "mov.b32 %r8, %r2;\n" +
                  issueSlots(0) + "@%p1 bra LOOP;\n",
              "@%p1 bra", "nothing in this loop takes an issue slot");
  AnnotatedKernel K = nativeKernel("rfv");
  EXPECT_THAT(loadError(issueSlots(2) + pragma("free regs=R9") + Add, K),
              HasSubstr("stand directly before an instruction"));
}

TEST(NativeErrors, ScratchIsNeitherSourceNorResult) {
  expectError(pragma("scratch regs=R2") + "div.u32 %r8, %r2, 3;\n", "scratch",
              "R2 is a source as well");
  expectError(pragma("scratch regs=R8,R9") + "div.u32 %r8, %r2, 3;\n",
              "scratch", "R8 is a result as well");
  expectError(pragma("scratch regs=R3") +
                  "add.u32 %f0, %r3, 1;\ndiv.u32 %r8, %r2, %f0;\n",
              "scratch", "R3 is a source as well");
  expectError(pragma("scratch regs=R24") + "div.u32 %r8, %r2, 3;\n", "scratch",
              "R24 is beyond the descriptor's regs=24");
  expectError(pragma("scratch regs=R9") + "bar.sync 0;\n", "scratch",
              "only an instruction that computes, reduces or accesses memory "
              "has scratch registers");
}
