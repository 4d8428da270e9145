//===- DivergenceTest.cpp - Lanes that wait for each other ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

/// Threads that leave early share their last store with the others, as LLVM's
/// tail merging has it; the others meet at a barrier before.
TEST(SimDivergence, BarrierBeforeAMergedExit) {
  std::vector<uint32_t> Got =
      runWords("and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0;\n"
               "setp.ne.u32 %p2, %r4, 0; mov.u32 %r3, 77; @%p1 bra OUT;\n"
               "bar.red.popc.u32 %r3, 0, %p2;\n"
               "OUT: st.global.u32 [%rd2], %r3;",
               64, "");
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Got[T], T % 4 ? 48u : 77u) << T;
}

/// The same with the barrier in a function: those who leave do so while others
/// are in the call, and the sum reaches the lanes of both arrivals.
TEST(SimDivergence, BarrierInACalleeBeforeAMergedExit) {
  const char *Meet =
      ".func (.param .b32 sum) meet(.param .b32 x)\n{\n.reg .b32 %r<4>;\n"
      ".reg .pred %p<2>;\nld.param.b32 %r1, [x];\n"
      "setp.gt.u32 %p1, %r1, 9; bar.red.popc.u32 %r2, 0, %p1;\n"
      "st.param.b32 [sum], %r2;\nret;\n}\n";
  const char *Call = "{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r1;\n"
                     "call (s), meet, (a); ld.param.b32 %r3, [s]; }\n";
  // Lanes 0-7 leave; the rest comes to the call by two ways that meet only at
  // the kernel's end.
  std::string Body = "mov.u32 %r3, 5; setp.lt.u32 %p1, %r1, 8;\n"
                     "setp.lt.u32 %p2, %r1, 20; @%p2 bra WAY;\n"
                     "add.u32 %r1, %r1, 0; bra.uni MEET;\n"
                     "WAY: @%p1 bra OUT;\n"
                     "MEET:\n" +
                     std::string(Call) + "OUT: st.global.u32 [%rd2], %r3;\n";
  std::vector<uint32_t> Got = runWords(Body, 32, Meet);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Got[T], T < 8 ? 5u : 22u) << T;
}

LaunchStats statsOf(const AnnotatedKernel &K, const std::string &Body) {
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(WarpSize));
  EXPECT_TRUE(T.run("k", {1}, {WarpSize}, {Out})) << T.Error;
  return T.Stats;
}

/// Lanes that return early do not wait for the others, whatever a scheme states
/// where these return: it takes as many instructions as it does without.
TEST(SimDivergence, StatementsDoNotChangeWhereLanesMeet) {
  const struct {
    AnnotatedKernel K;
    std::string Statement;
  } Schemes[] = {
      {virtualised(), pragma("free regs=R5")},
      {divided("ltrf-plus", 12), pragma("dead regs=R5")},
      {{"shrf", 12, 0, 0, {}, pragma("cache slots=8")}, pragma("strand")},
      {{"expars", 12, 0, 0, {}, pragma("bundles cache=2048 kept=12")},
       pragma("pref")},
  };
  const std::string Part = "setp.lt.u32 %p0, %r2, 7; @%p0 bra OUT;\n";
  const std::string Work = "st.global.u32 [%rd0], %r2;\nOUT:\n";
  for (const auto &[K, Statement] : Schemes) {
    // The prologue and the return.
    uint64_t Alone = statsOf(K, "").WarpInstructions;
    for (const std::string &End :
         {Statement, Statement + "END:\n" + Statement}) {
      LaunchStats S = statsOf(K, Part + Statement + Work + End);
      EXPECT_EQ(S.WarpInstructions, Alone + 2 + 1 + 1) << K.Scheme;
      EXPECT_EQ(S.ThreadInstructions, (Alone + 1) * 32 + 7 + 25) << K.Scheme;
      // Where there is something left to do they meet.
      S = statsOf(K, Part + Statement + Work + End + "mov.u32 %r4, 0;\n");
      EXPECT_EQ(S.WarpInstructions, Alone + 2 + 1 + 1) << K.Scheme;
      EXPECT_EQ(S.ThreadInstructions, (Alone + 2) * 32 + 7 + 25) << K.Scheme;
    }
  }
}

/// Two barriers that lanes of one warp wait at are a mistake.
TEST(SimDivergence, TwoBarriers) {
  EXPECT_THAT(runError("setp.lt.u32 %p1, %r1, 7; @%p1 bra L;\nbar.sync 0;\n"
                       "L: bar.sync 0;"),
              HasSubstr("a barrier in divergent code"));
}

/// Lanes that named each other in a shuffle come to it by ways that meet only
/// at the kernel's end.
TEST(SimDivergence, ShuffleOfTwoWays) {
  std::vector<uint32_t> Got = runWords(
      "mov.u32 %r3, 9; setp.lt.u32 %p1, %r1, 4; setp.lt.u32 %p2, %r1, 16;\n"
      "@%p2 bra WAY; bra.uni MEET;\nWAY: @%p1 bra OUT;\n"
      "MEET: shfl.sync.bfly.b32 %r3, %r1, 16, 31, 0xFFFFFFF0;\n"
      "OUT: st.global.u32 [%rd2], %r3;",
      32);
  for (unsigned T = 0; T != 32; ++T)
    if (T < 4)
      EXPECT_EQ(Got[T], 9u);
    else if (T < 16 || T >= 20)
      EXPECT_EQ(Got[T], T ^ 16) << T;
}

/// A value of a narrow type fills a 64-bit register.
TEST(SimRegisters, ConversionsIntoWideOnes) {
  TestProgram M(kernelAround(
      "mov.b64 %rd10, 0x11111111111180FF; cvt.s8.s64 %rd11, %rd10;\n"
      "st.global.u64 [%rd1], %rd11; cvt.u16.u64 %rd11, %rd10;\n"
      "st.global.u64 [%rd1+8], %rd11; cvt.rzi.s32.f32 %rd11, 0fC0A00000;\n"
      "st.global.u64 [%rd1+16], %rd11; cvt.sat.s16.s64 %rd11, -100000;\n"
      "st.global.u64 [%rd1+24], %rd11;"));
  uint64_t Out = M.upload(std::vector<int64_t>(4));
  ASSERT_TRUE(M.run("k", {1}, {1}, {Out})) << M.Error;
  EXPECT_EQ(M.download<int64_t>(Out, 4),
            (std::vector<int64_t>{-1, 0x80FF, -5, -32768}));
}

/// CUDA's cooperative groups keep state in shared memory that is not the
/// program's.
TEST(SimRegisters, ReservedSharedMemory) {
  std::vector<uint32_t> Got =
      runWords("mov.u32 %r3, %reserved_smem_offset_1;\n"
               "mov.u32 %r4, %reserved_smem_offset_end;\n"
               "mov.u32 %r5, %total_smem_size;\n"
               "setp.ge.u32 %p1, %r3, %r5; sub.u32 %r6, %r4, %r3;\n"
               "setp.ge.and.u32 %p1, %r6, 308, %p1;\n"
               "cvt.u64.u32 %rd3, %r3; cvta.shared.u64 %rd3, %rd3;\n"
               "st.u32 [%rd3+304], %r1; ld.u32 %r7, [%rd3+304];\n"
               "selp.b32 %r7, %r7, 1000, %p1; st.global.u32 [%rd2], %r7;",
               1, ".shared .align 4 .b8 own[20];\n");
  EXPECT_EQ(Got[0], 0u);
}

/// A kernel on architected registers calls a function on registers of its own,
/// which calls itself; %SP and %SPL take no architected register.
TEST(SimRegisters, RecursionAndLocalMemoryOnArchitectedOnes) {
  TestProgram M(
      std::string(Header) +
      ".func (.param .b32 r) fact(.param .b32 n)\n{\n.reg .pred %p<2>;\n"
      ".reg .b32 %r<6>;\nld.param.b32 %r1, [n];\nmov.b32 %r3, 1;\n"
      "setp.lt.u32 %p1, %r1, 2;\n@%p1 bra DONE;\nsub.u32 %r2, %r1, 1;\n"
      "{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r2;\n"
      "call (s), fact, (a); ld.param.b32 %r4, [s]; }\n"
      "mul.lo.u32 %r3, %r1, %r4;\nDONE: st.param.b32 [r], %r3;\nret;\n}\n"
      ".visible .entry k(.param .u64 out)\n{\n"
      ".local .align 8 .b8 __local_depot0[16];\n"
      ".reg .b64 %SP;\n.reg .b64 %SPL;\n.reg .b32 %r<5>;\n.reg .b64 %rd<4>;\n"
      ".pragma \"regshare.kernel v1 name=k scheme=baseline regs=4 preds=0 "
      "peak=4 shared=0 local=16 target=sm_80\";\n"
      ".pragma \"regshare.map %r1=R0 %r2=R1 %r3=R1 %rd1=R2_3 %rd2=R2_3\";\n"
      "mov.b64 %SPL, __local_depot0;\ncvta.local.u64 %SP, %SPL;\n"
      "mov.u32 %r1, %tid.x;\nst.u32 [%SP+4], %r1;\n"
      "{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r1;\n"
      "call (s), fact, (a); ld.param.b32 %r2, [s]; }\n"
      "st.local.u32 [%SPL+8], %r2;\nmul.wide.u32 %rd1, %r1, 4;\n"
      "ld.u32 %r1, [%SP+8];\nld.param.u64 %rd2, [out];\n"
      "st.global.u32 [%rd2], %r1;\nret;\n}\n");
  ASSERT_TRUE(M.P) << M.Error;
  EXPECT_EQ(M.P->findKernel("k")->RegsPerThread, 4u);
  uint64_t Out = M.upload(std::vector<uint32_t>(1));
  ASSERT_TRUE(M.run("k", {1}, {6}, {Out})) << M.Error;
  // The last lane's store stays: 5!.
  EXPECT_EQ(M.download<uint32_t>(Out, 1)[0], 120u);
}

} // namespace
} // namespace regshare::sim
