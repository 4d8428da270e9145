//===- ControlTest.cpp - Divergence, calls and barriers -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

using namespace regshare;
using namespace regshare::sim;

TEST(SimControl, DiamondReconverges) {
  // The ballot after the join sees all lanes.
  std::vector<uint32_t> Out = runWords(R"(
    and.b32 %r2, %r1, 1;
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra EVEN;
    mov.u32 %r3, 100;
    bra JOIN;
  EVEN:
    mov.u32 %r3, 200;
  JOIN:
    activemask.b32 %r4;
    popc.b32 %r4, %r4;
    add.s32 %r3, %r3, %r4;
    st.global.u32 [%rd2], %r3;
  )",
                                       64);
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Out[T], (T & 1 ? 100 : 200) + 32u);
}

TEST(SimControl, LoopWithDivergentExit) {
  std::vector<uint32_t> Out = runWords(R"(
    mov.u32 %r2, 0; mov.u32 %r3, 0;
  LOOP:
    add.u32 %r2, %r2, %r3;
    add.u32 %r3, %r3, 1;
    setp.le.u32 %p1, %r3, %r1;
    @%p1 bra LOOP;
    activemask.b32 %r4;
    setp.eq.u32 %p2, %r4, 0xFFFFFFFF;
    selp.b32 %r2, %r2, 0, %p2;
    st.global.u32 [%rd2], %r2;
  )",
                                       32);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], T * (T + 1) / 2);
}

TEST(SimControl, EarlyReturnLeavesTheOthers) {
  std::vector<uint32_t> Out = runWords(R"(
    setp.ge.u32 %p1, %r1, 10;
    @%p1 ret;
    vote.sync.ballot.b32 %r2, %p1, 0xFFFFFFFF;
    activemask.b32 %r3;
    st.global.u32 [%rd2], %r3;
  )",
                                       32);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], T < 10 ? 0x3FFu : 0xAAAAAAAAu);
}

TEST(SimControl, AFunctionChoosesAmongItsParameters) {
  // LLVM makes a choice between addresses of one between two parameters.
  const char *const Larger = R"(
.func (.param .b32 r) larger(.param .b32 a, .param .b32 b)
{
  .reg .pred %p; .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.b32 %r1, [a]; ld.param.b32 %r2, [b];
  setp.lt.u32 %p, %r1, %r2;
  mov.b64 %rd1, a; mov.b64 %rd2, b; selp.b64 %rd3, %rd2, %rd1, %p;
  ld.param.b32 %r1, [%rd3];
  st.param.b32 [r], %r1;
  ret;
})";
  std::vector<uint32_t> Out = runWords(R"(
    .local .align 8 .b8 own[24]; st.local.u32 [own], 7;
    sub.u32 %r2, 31, %r1;
    { .param .b32 x; .param .b32 y; .param .b32 z;
      st.param.b32 [x], %r1; st.param.b32 [y], %r2;
      call (z), larger, (x, y); ld.param.b32 %r3, [z]; }
    ld.local.u32 %r4, [own]; mad.lo.u32 %r3, %r4, 100, %r3;
    st.global.u32 [%rd2], %r3;
  )",
                                       32, Larger);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], 700 + std::max(T, 31 - T));
}

TEST(SimControl, IndexedBranch) {
  std::vector<uint32_t> Out = runWords(R"(
    and.b32 %r2, %r1, 3;
    TABLE: .branchtargets A, B, A, C;
    brx.idx %r2, TABLE;
  A: mov.u32 %r3, 1; bra J;
  B: mov.u32 %r3, 2; bra J;
  C: mov.u32 %r3, 3;
  J: activemask.b32 %r4; popc.b32 %r4, %r4;
    mad.lo.u32 %r3, %r4, 10, %r3;
    st.global.u32 [%rd2], %r3;
  )",
                                       32);
  const unsigned Want[] = {321, 322, 321, 323};
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], Want[T & 3]);
}

static const char *const Recursive = R"(
.visible .func (.param .b32 ret0) fact(.param .b32 arg0)
{
  .reg .pred %p; .reg .b32 %r<5>;
  ld.param.b32 %r1, [arg0];
  setp.lt.u32 %p, %r1, 2;
  @%p bra ONE;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; .param .b32 v;
    st.param.b32 [a], %r2;
    call.uni (v), fact, (a);
    ld.param.b32 %r3, [v]; }
  mul.lo.u32 %r4, %r1, %r3;
  st.param.b32 [ret0], %r4;
  ret;
ONE:
  st.param.b32 [ret0], 1;
  ret;
}
.visible .func (.param .b32 ret0) twice(.param .b32 arg0)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [arg0];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [ret0], %r2;
  ret;
}
.global .u64 table[2] = {fact, twice};
)";

TEST(SimControl, RecursionWithDivergentDepth) {
  std::vector<uint32_t> Out = runWords(R"(
    and.b32 %r2, %r1, 7;
    { .param .b32 a; .param .b32 v;
      st.param.b32 [a], %r2;
      call.uni (v), fact, (a);
      ld.param.b32 %r3, [v]; }
    st.global.u32 [%rd2], %r3;
  )",
                                       32, Recursive);
  const unsigned Want[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], Want[T & 7]);
}

TEST(SimControl, IndirectCallsSplitByTarget) {
  std::vector<uint32_t> Out = runWords(R"(
    and.b32 %r2, %r1, 1;
    mov.u64 %rd3, table;
    mad.wide.u32 %rd3, %r2, 8, %rd3;
    ld.global.u64 %rd4, [%rd3];
    { .param .b32 a; .param .b32 v;
      st.param.b32 [a], 5;
      P: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (v), %rd4, (a), P;
      ld.param.b32 %r3, [v]; }
    activemask.b32 %r4; popc.b32 %r4, %r4;
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%rd2], %r3;
  )",
                                       32, Recursive);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], (T & 1 ? 10 : 120) + 32u);
}

TEST(SimControl, BarrierOrdersWarps) {
  std::vector<uint32_t> Out = runWords(R"(
    .shared .align 4 .b8 buffer[1024];
    mov.u64 %rd3, buffer;
    mad.wide.u32 %rd4, %r1, 4, %rd3;
    st.shared.u32 [%rd4], %r1;
    bar.sync 0;
    sub.u32 %r2, 255, %r1;
    mad.wide.u32 %rd4, %r2, 4, %rd3;
    ld.shared.u32 %r3, [%rd4];
    st.global.u32 [%rd2], %r3;
  )",
                                       256);
  for (unsigned T = 0; T != 256; ++T)
    EXPECT_EQ(Out[T], 255 - T);
}

TEST(SimControl, NoWarpRunsFarAheadOfTheOthers) {
  // Thread 0 writes what the others have read after the barrier, without
  // another one: some fifty instructions later, which is no race on hardware.
  std::vector<uint32_t> Out = runWords(R"(
    .shared .align 4 .b32 value;
    st.shared.u32 [value], 7;
    bar.sync 0;
    ld.shared.u32 %r3, [value];
    mov.u32 %r2, 25;
  LOOP:
    sub.u32 %r2, %r2, 1;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra LOOP;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [value], %r2;
    st.global.u32 [%rd2], %r3;
  )",
                                       1024);
  for (uint32_t Value : Out)
    EXPECT_EQ(Value, 7u);
}

TEST(SimControl, BarrierReductions) {
  std::vector<uint32_t> Out = runWords(R"(
    setp.lt.u32 %p1, %r1, 70;
    barrier.sync.aligned 1, 96;
    barrier.cta.red.popc.aligned.u32 %r2, 0, %p1;
    barrier.cta.red.and.aligned.pred %p2, 0, %p1;
    barrier.cta.red.or.aligned.pred %p3, 0, %p1;
    selp.b32 %r3, 1000, 0, %p2;
    selp.b32 %r4, 2000, 0, %p3;
    add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;
    st.global.u32 [%rd2], %r2;
  )",
                                       96);
  for (unsigned T = 0; T != 96; ++T)
    EXPECT_EQ(Out[T], 2070u);
}

TEST(SimControl, ProducerArrivesConsumerWaits) {
  std::vector<uint32_t> Out = runWords(R"(
    .shared .align 4 .b32 value;
    mov.u32 %r2, 7;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra CONSUMER;
    mov.u32 %r2, 42;
    st.shared.u32 [value], %r2;
    bar.arrive 3, 64;
    bra DONE;
  CONSUMER:
    bar.sync 3, 64;
    ld.shared.u32 %r2, [value];
  DONE:
    st.global.u32 [%rd2], %r2;
  )",
                                       64);
  for (uint32_t Value : Out)
    EXPECT_EQ(Value, 42u);
}

TEST(SimControl, WarpBarrierAcrossSidesOfABranch) {
  // Lane 0 writes on one side; the others read on the other one.
  std::vector<uint32_t> Out = runWords(R"(
    .shared .align 4 .b32 value;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra WRITER;
    bar.warp.sync 0xFFFFFFFF;
    ld.shared.u32 %r2, [value];
    bra DONE;
  WRITER:
    mov.u32 %r2, 42;
    st.shared.u32 [value], %r2;
    bar.warp.sync 0xFFFFFFFF;
  DONE:
    st.global.u32 [%rd2], %r2;
  )",
                                       32);
  for (uint32_t Value : Out)
    EXPECT_EQ(Value, 42u);
}

TEST(SimControl, ShufflesAndMatches) {
  std::vector<uint32_t> Out = runWords(R"(
    shfl.sync.bfly.b32 %r2, %r1, 1, 0x1f, 0xFFFFFFFF;
    shfl.sync.up.b32 %r3|%p1, %r1, 2, 0, 0xFFFFFFFF;
    selp.b32 %r3, %r3, 99, %p1;
    shfl.sync.idx.b32 %r4, %r1, 3, 0x181f, 0xFFFFFFFF;
    shr.u32 %r5, %r1, 4;
    match.any.sync.b32 %r6, %r5, 0xFFFFFFFF;
    popc.b32 %r6, %r6;
    redux.sync.add.u32 %r7, %r1, 0xFFFFFFFF;
    mad.lo.u32 %r2, %r3, 1000, %r2;
    mad.lo.u32 %r2, %r4, 1000000, %r2;
    add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r7;
    st.global.u32 [%rd2], %r2;
  )",
                                       32);
  for (unsigned T = 0; T != 32; ++T)
    EXPECT_EQ(Out[T], (T ^ 1) + 1000 * (T < 2 ? 99 : T - 2) +
                          1000000 * (T / 8 * 8 + 3) + 16 + 496);
}

TEST(SimControl, CtasThatWaitForLaterOnes) {
  TestProgram M(std::string(Header) + R"(
.visible .entry k(.param .u64 flag)
{
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd;
  ld.param.u64 %rd, [flag];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p, %r1, 0;
  @%p bra SET;
WAIT:
  ld.volatile.global.u32 %r2, [%rd];
  setp.ne.u32 %p, %r2, 3;
  @%p bra WAIT;
  ret;
SET:
  atom.global.add.u32 %r3, [%rd], 1;
  ret;
}
)");
  ASSERT_TRUE(M.P) << M.Error;
  uint64_t Flag = M.upload(std::vector<uint32_t>(1));
  EXPECT_TRUE(M.run("k", {4}, {1}, {Flag})) << M.Error;
  EXPECT_EQ(M.Stats.Ctas, 4u);
}
