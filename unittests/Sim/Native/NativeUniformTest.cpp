//===- NativeUniformTest.cpp - Uniform registers --------------------------===//
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

static std::vector<uint32_t> words(const std::string &Body) {
  return launchWords(uniformKernel(), Body, 32);
}

/// What is said of a kernel with \p Body, when it is read.
static std::string loadError(const std::string &Body,
                             const AnnotatedKernel &K = uniformKernel()) {
  TestProgram T(K.around(Body));
  EXPECT_FALSE(T.P);
  return T.Error;
}

TEST(NativeUniform, ComputesOnceForAWarp) {
  std::vector<uint32_t> Words =
      words("mov.u32 %u0, %ctaid.x;\nmov.u32 %u1, %ntid.x;\n"
            "mad.lo.u32 %u2, %u1, 3, %u0;\nmul.wide.u32 %v, %u2, 65536;\n"
            "cvt.u64.u32 %rd4, %r2;\nadd.s64 %rd4, %rd4, %v;\n"
            "shr.u64 %rd4, %rd4, 8;\ncvt.u32.u64 %r8, %rd4;\n"
            "add.u32 %r8, %r8, %u2;\nst.global.u32 [%rd0], %r8;\n");
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Words[T], ((96 * 65536 + T) >> 8) + 96);
}

TEST(NativeUniform, CountsInALoop) {
  // Those that leave it do not ask how often they went round.
  std::vector<uint32_t> Words =
      words("mov.u32 %u0, 0;\nmov.u32 %r8, %r2;\n"
            "LOOP:\nadd.u32 %r8, %r8, %u0;\nadd.u32 %u0, %u0, 2;\n"
            "setp.lt.u32 %p1, %r8, 40;\n@%p1 bra LOOP;\n"
            "st.global.u32 [%rd0], %r8;\n");
  for (unsigned T = 0; T != 32; ++T) {
    uint32_t Value = T;
    for (uint32_t I = 0; I == 0 || Value < 40; I += 2)
      Value += I;
    EXPECT_EQ(Words[T], Value);
  }
}

TEST(NativeUniform, TakesNoRegisterOfAThread) {
  TestProgram T(uniformKernel().around("mov.u32 %u3, 7;\nmov.u32 %r2, %u3;\n"));
  ASSERT_TRUE(T.P) << T.Error;
  const Function &F = *T.P->findKernel("k");
  EXPECT_EQ(F.RegsPerThread, 24u);
  EXPECT_EQ(F.NumUniform, 6u);
  const Inst &Read = F.Code[F.Code.size() - 3];
  ASSERT_EQ(Read.NumReads, 1u);
  uint32_t Access = F.Accesses[Read.FirstAccess];
  EXPECT_EQ(Access, F.firstUniform() + 3);
  EXPECT_EQ(F.nameOf(Access), "U3: %u3");
}

TEST(NativeUniform, IsComputedFromWhatAWarpHas) {
  const char *Why = "a uniform register is written with something that threads "
                    "of a warp may have different values of";
  EXPECT_THAT(loadError("add.u32 %u0, %r2, 1;\n"), HasSubstr(Why));
  EXPECT_THAT(loadError("mov.u32 %u0, %tid.x;\n"), HasSubstr(Why));
  EXPECT_THAT(loadError("mov.u32 %u0, 1;\nmul.lo.u32 %f0, %r2, 3;\n"
                        "add.u32 %u1, %u0, %f0;\n"),
              HasSubstr(Why));
  EXPECT_THAT(loadError("ld.global.u32 %u0, [%rd0];\n"),
              HasSubstr("what writes a uniform register accesses memory"));
  EXPECT_THAT(loadError("mov.u32 %u0, 0;\nadd.rn.f32 %u0, %u0, 0f3F800000;\n"),
              HasSubstr("what writes a uniform register computes no integer"));
  EXPECT_THAT(loadError("setp.gt.u32 %p1, %r2, 3;\n@%p1 mov.u32 %u0, 1;\n"),
              HasSubstr("what writes a uniform register has a guard"));
}

TEST(NativeUniform, MapsNameWhatThereIs) {
  auto ErrorOf = [](const std::string &Declared, const std::string &Map) {
    AnnotatedKernel K = nativeKernel();
    K.Begin += Declared + pragma(Map);
    return loadError("", K);
  };
  EXPECT_THAT(ErrorOf(".reg .b32 %w;\n", "map %w=U63"),
              HasSubstr("expected a uniform register from U0 to U62, found "
                        "'U63'"));
  EXPECT_THAT(ErrorOf(".reg .b64 %w;\n", "map %w=U5"),
              HasSubstr("does not fit in U5"));
  EXPECT_THAT(ErrorOf(".reg .b64 %w;\n", "map %w=U62"),
              HasSubstr("does not fit in U62"));
  EXPECT_THAT(ErrorOf(".reg .pred %w;\n", "map %w=U4"),
              HasSubstr("does not fit in U4"));
}

/// What is said of a thread that executes \p Body.
static std::string threadError(const std::string &Body) {
  return launchError(uniformKernel(), Body, 32);
}

TEST(NativeUniform, ThreadsReadWhatTheyHaveWritten) {
  const char *Why = "read of a uniform register by a thread that was elsewhere "
                    "when it was written (U0: %u0)";
  // One side of a branch writes, and both read where they meet.
  EXPECT_THAT(threadError("mov.u32 %u0, 1;\nsetp.gt.u32 %p1, %r2, 3;\n"
                          "@%p1 bra DONE;\nmov.u32 %u0, 2;\n"
                          "DONE:\nadd.u32 %r8, %r2, %u0;\n"
                          "st.global.u32 [%rd0], %r8;\n"),
              HasSubstr(Why));
  // A loop that threads leave one after the other.
  EXPECT_THAT(
      threadError("mov.u32 %u0, 0;\n"
                  "LOOP:\nadd.u32 %u0, %u0, 1;\n"
                  "setp.gt.u32 %p1, %r2, %u0;\n@%p1 bra LOOP;\n"
                  "add.u32 %r8, %r2, %u0;\nst.global.u32 [%rd0], %r8;\n"),
      HasSubstr(Why));
}
