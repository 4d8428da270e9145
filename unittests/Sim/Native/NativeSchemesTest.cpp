//===- NativeSchemesTest.cpp - Native code under the schemes --------------===//
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
using testing::HasSubstr;

/// Each thread's word, functional and with timing under the kernel's scheme.
static std::vector<uint32_t> runBoth(const AnnotatedKernel &K,
                                     const std::string &Body,
                                     const char *Device = "gtx480",
                                     const char *Scheduler = "") {
  std::vector<uint32_t> Words = launchWords(K, Body, 64);
  TestProgram T(K.around(Body));
  uint64_t Out = T.upload(std::vector<uint32_t>(64));
  TimingOptions Options;
  Options.Applied = *parseScheme(K.Scheme);
  Options.Scheduler = Scheduler;
  for (bool EveryCycle : {false, true}) {
    Options.EveryCycle = EveryCycle;
    runTimed(*machine(deviceNamed(Device), Options), T, "k", {1}, {64}, {Out},
             K.Regs);
    EXPECT_EQ(T.download<uint32_t>(Out, 64), Words) << K.Scheme;
  }
  return Words;
}

/// A group of four slots with scratch registers, R16 and R17, and what hardware
/// does not have.
static const std::string Body =
    issueSlots(4) + pragma("scratch regs=R16,R17") +
    "mul.lo.u32 %f0, %r2, 3;\nadd.u32 %f1, %f0, %r3;\nadd.u32 %r8, %f1, "
    "%r2;\n" +
    issueSlots(0) +
    "mov.b32 %r9, %r8;\n"
    "xor.b32 %f2, %r9, 1;\nadd.u32 %r10, %f2, %r2;\n"
    "st.global.u32 [%rd0], %r10;\n";

static void expectBody(const std::vector<uint32_t> &Words) {
  for (unsigned T = 0; T != Words.size(); ++T)
    EXPECT_EQ(Words[T], ((4 * T) ^ 1) + T);
}

TEST(NativeSchemes, WithoutStatements) {
  for (const char *Scheme : {"baseline", "ideal", "rfc", "warpman"})
    for (const char *Device : {"gtx480", "hopper"})
      expectBody(runBoth(nativeKernel(Scheme), Body, Device,
                         std::string(Scheme) == "rfc" ? "two-level" : ""));
}

TEST(NativeSchemes, VirtualRegistersFreeScratch) {
  expectBody(runBoth(nativeKernel("rfv"),
                     Body + pragma("free regs=R8,R9,R10,R16,R17")));
  EXPECT_THAT(launchError(nativeKernel("rfv"),
                          "mov.u32 %r8, 1;\n" + pragma("free regs=R8") +
                              "add.u32 %f0, %r8, 1;\nadd.u32 %r9, %f0, %r2;\n"),
              HasSubstr("was never written"));
}

TEST(NativeSchemes, ExtendedRegistersOfMembersAreAcquired) {
  AnnotatedKernel K =
      nativeKernel(AnnotatedKernel{"regmutex", 24, 8, 16, {}, {}});
  expectBody(runBoth(K, Acquire + Body + Release));
  EXPECT_THAT(launchError(K, Acquire + "mov.u32 %r12, 1;\n" + Release +
                                 "add.u32 %f0, %r12, 1;\n"
                                 "add.u32 %r6, %f0, %r2;\n"),
              HasSubstr("use of a register of the extended set"));
  EXPECT_THAT(launchError(K, pragma("scratch regs=R12") +
                                 "add.u32 %f0, %r2, 1;\n"
                                 "add.u32 %r6, %f0, %r2;\n"),
              HasSubstr("use of a register of the extended set"));
}

TEST(NativeSchemes, RegistersOfMembersAreInTheInterval) {
  for (const char *Scheme : {"ltrf", "ltrf-plus"}) {
    AnnotatedKernel K = nativeKernel(divided(Scheme));
    const std::string Next = prefetch(1, "R0,R1,R2,R3,R8,R9,R10,R16,R17");
    expectBody(runBoth(K, Next + Body, "gtx480", "two-level"));
    EXPECT_THAT(launchError(K, Next + "add.u32 %f0, %r4, 1;\n"
                                      "add.u32 %r8, %f0, %r2;\n"),
                HasSubstr("use of a register that is not in the register "
                          "cache (R4"));
  }
}

TEST(NativeSchemes, OperandsAreThoseOfTheGroup) {
  AnnotatedKernel K = nativeKernel("shrf");
  K.Begin += pragma("cache slots=4");
  // R2 is put into a slot, from where a member of the next group takes it.
  const std::string First = pragma("operands fetch=R2:0 cache=R8:1") +
                            "mul.lo.u32 %f0, %r2, 3;\nadd.u32 %r8, %f0, %r2;\n";
  std::vector<uint32_t> Words =
      runBoth(K,
              First + pragma("operands read=R2:0,R8:1") + issueSlots(3) +
                  "xor.b32 %f1, %r2, 1;\nadd.u32 %r9, %f1, %r8;\n"
                  "st.global.u32 [%rd0], %r9;\n",
              "gtx480", "two-level");
  for (unsigned T = 0; T != Words.size(); ++T)
    EXPECT_EQ(Words[T], (T ^ 1) + 4 * T);
  // A part of a pair that a member reads.
  runBoth(K,
          pragma("operands both=R8:0,R9:1") + "mul.wide.u32 %rd4, %r2, 4;\n" +
              pragma("operands read=R8:0,R9:1") +
              "cvt.u32.u64 %f0, %rd4;\nadd.u32 %r10, %f0, 1;\n"
              "st.global.u32 [%rd0], %r10;\n",
          "gtx480", "two-level");
  TestProgram T(K.around(pragma("operands fetch=R3:0") +
                         "add.u32 %f0, %r2, 1;\nadd.u32 %r8, %f0, 1;\n"));
  EXPECT_THAT(T.Error, HasSubstr("R3 is no operand, as 'fetch' says, of what "
                                 "follows"));
}

TEST(NativeSchemes, RegistersOfMembersAreInTheBundle) {
  AnnotatedKernel K = nativeKernel("expars");
  K.Begin += pragma("bundles cache=4096 kept=8");
  expectBody(
      runBoth(K, pragma("pref regs=R8,R9,R10,R16,R17") + Body, "gtx480"));
  EXPECT_THAT(launchError(K, pragma("pref regs=R8,R12") + "mov.u32 %r12, 1;\n" +
                                 pragma("pref regs=R8") +
                                 "add.u32 %f0, %r12, 1;\n"
                                 "add.u32 %r8, %f0, %r2;\n"),
              HasSubstr("use of a register that may be in scratchpad"));
}

TEST(NativeSchemes, SharedRegistersOfMembersAreNotUsedAfterARelease) {
  AnnotatedKernel K = nativeKernel("register-sharing");
  K.Begin += pragma("sharing private=12");
  EXPECT_THAT(launchError(K, "mov.u32 %r14, 1;\n" + Release +
                                 "add.u32 %f0, %r14, 1;\n"
                                 "add.u32 %r8, %f0, %r2;\n"),
              HasSubstr("use of a shared register"));
}
