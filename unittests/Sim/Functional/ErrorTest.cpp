//===- ErrorTest.cpp - What bad programs are told -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <gmock/gmock.h>

using namespace regshare;
using namespace regshare::sim;
using testing::AllOf;
using testing::HasSubstr;

TEST(SimError, OutOfBounds) {
  EXPECT_THAT(runError("st.global.u32 [%rd2+4], %r1;"),
              AllOf(HasSubstr("out-of-bounds write of 4 bytes"),
                    HasSubstr("past the end of the allocation of 128 bytes"),
                    HasSubstr("kernel 'k'"), HasSubstr("warp 0, lane 31"),
                    HasSubstr("'st.global.u32 [%rd2+4], %r1'")));
  EXPECT_THAT(runError(".shared .b32 x; ld.shared.u64 %rd3, [x];"),
              HasSubstr("there are 4 bytes"));
  EXPECT_THAT(runError("mov.u64 %rd3, 0; ld.u32 %r2, [%rd3];"),
              HasSubstr("null"));
}

TEST(SimError, Misaligned) {
  EXPECT_THAT(runError("ld.global.u32 %r2, [%rd1+2];"),
              HasSubstr("misaligned read of 4 bytes"));
  // A copy reads global and writes shared memory.
  EXPECT_THAT(runError(".shared .align 8 .b8 x[16];\nmov.u32 %r2, x;\n"
                       "cp.async.ca.shared.global [%r2], [%rd1+4], 8;"),
              HasSubstr("misaligned read of 8 bytes"));
  EXPECT_THAT(runError(".shared .align 8 .b8 x[16];\nmov.u32 %r2, x;\n"
                       "cp.async.ca.shared.global [%r2+4], [%rd1], 8;"),
              HasSubstr("misaligned write of 8 bytes"));
}

TEST(SimError, ClusterBarrier) {
  EXPECT_THAT(runError("barrier.cluster.arrive; barrier.cluster.arrive;"),
              HasSubstr("arrives at the cluster's barrier again"));
  EXPECT_THAT(runError("barrier.cluster.wait.acquire.aligned;"),
              HasSubstr("without having arrived there"));
  EXPECT_THAT(runError("setp.gt.u32 %p1, %r1, 31; @%p1 bra L;\n"
                       "barrier.cluster.arrive; barrier.cluster.wait;\n"
                       "L: bar.sync 0;",
                       64),
              AllOf(HasSubstr("the cluster's barrier has 1 of 2 warps"),
                    HasSubstr("not there: warp 1, at barrier 0")));
  // One that has ended has arrived; sixteen barriers are the CTA's own.
  TestProgram M(
      kernelAround("setp.gt.u32 %p1, %r1, 31; @%p1 exit;\n"
                   "barrier.cluster.arrive.relaxed; barrier.cluster.wait;"));
  uint64_t Out = M.upload(std::vector<uint32_t>(64));
  EXPECT_TRUE(M.run("k", {1}, {64}, {Out})) << M.Error;
  EXPECT_THAT(runError("bar.sync 16;"), HasSubstr("barrier 16"));
}

TEST(SimError, UseAfterFree) {
  TestProgram M(kernelAround("ld.global.u32 %r2, [%rd2];"));
  uint64_t Out = M.upload(std::vector<uint32_t>(32));
  M.Memory.free(Out);
  EXPECT_FALSE(M.run("k", {1}, {32}, {Out}));
  EXPECT_THAT(M.Error, HasSubstr("into a freed allocation of 128 bytes"));
}

TEST(SimError, ReadOnlyConstant) {
  EXPECT_THAT(runError("mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3;"
                       "st.u32 [%rd3], %r1;",
                       32, ".const .b32 c = 1;"),
              HasSubstr("read-only"));
}

TEST(SimError, NeverWritten) {
  EXPECT_THAT(runError("setp.gt.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 1;"
                       "add.u32 %r3, %r2, 1;"),
              AllOf(HasSubstr("never written (%r2)"), HasSubstr("lane 0")));
  // A comment of LLVM's, or no definition at all, makes it deliberate.
  runWords("setp.gt.u32 %p1, %r1, 3;\n// implicit-def: %r2\n"
           "@%p1 mov.u32 %r2, 1;\nadd.u32 %r3, %r2, %r9;",
           32);
}

TEST(SimError, BarrierNotReachedByAll) {
  EXPECT_THAT(runError("setp.lt.u32 %p1, %r1, 32; @%p1 bra L;\nbar.sync 1, "
                       "64;\nL:\nbar.sync 0;",
                       64),
              AllOf(HasSubstr("deadlock"),
                    HasSubstr("barrier 0 has 1 of 2 warps"),
                    HasSubstr("barrier 1 has 1 of 2 warps"),
                    HasSubstr("warp 1 waits at PTX line"),
                    HasSubstr("not there: warp 0, at barrier 0")));
}

/// Lanes that have exited do not hold up a barrier; those that wait for the
/// others elsewhere do.
TEST(SimError, BarrierInDivergentCode) {
  const std::string Split = "setp.lt.u32 %p1, %r1, 7; @%p1 bra L;\n";
  EXPECT_EQ(runWords(Split + "bar.sync 0;\nL: mov.u32 %r2, 1;\n"
                             "st.global.u32 [%rd2], %r2;",
                     32),
            std::vector<uint32_t>(32, 1));
  EXPECT_THAT(runError(Split + "bar.sync 0;\nbra E;\n"
                               "L: shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n"
                               "E: mov.u32 %r2, 1;"),
              HasSubstr("member mask names threads"));
}

TEST(SimError, ShuffleWithMissingLanes) {
  EXPECT_THAT(runError("setp.lt.u32 %p1, %r1, 7; @%p1 bra L;\n"
                       "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xFFFFFFFF;\n"
                       "L: mov.u32 %r2, 1;"),
              HasSubstr("member mask names threads"));
}

TEST(SimError, InstructionLimit) {
  EXPECT_THAT(runError("L: add.u32 %r1, %r1, 1; bra L;"),
              HasSubstr("endless loop"));
}

TEST(SimError, TrapAndAssert) {
  EXPECT_THAT(runError("trap;"), HasSubstr("executed 'trap'"));
}

TEST(SimError, LaunchChecks) {
  TestProgram M(kernelAround(""));
  EXPECT_FALSE(M.run("k", {1}, {32}, {}));
  EXPECT_THAT(M.Error, HasSubstr("takes 1 arguments, 0 were given"));
  EXPECT_FALSE(M.run("k", {1}, {2048}, {0}));
  EXPECT_THAT(M.Error, HasSubstr("2048 threads in a CTA"));
  EXPECT_FALSE(M.run("k", {1}, {32}, {0}, 1 << 20));
  EXPECT_THAT(M.Error, HasSubstr("shared memory"));
  Result<LaunchStats> R =
      runKernel(*M.P, M.Memory, "nope", {{1}, {1}, 0, {}}, {});
  EXPECT_THAT(R.error().str(), HasSubstr("no kernel 'nope'"));
}

TEST(SimError, Parsing) {
  auto Message = [](const std::string &Text) {
    return TestProgram(std::string(Header) + Text).Error;
  };
  EXPECT_THAT(TestProgram("hello").Error, HasSubstr("test.ptx:1:1"));
  EXPECT_THAT(Message(".entry k() { frobnicate.u32 %r1; }"),
              HasSubstr("instruction 'frobnicate' is not supported"));
  EXPECT_THAT(Message(".entry k() {\n frobnicate;\n}"),
              AllOf(HasSubstr("test.ptx:5"),
                    HasSubstr("instruction 'frobnicate' is not supported")));
  EXPECT_THAT(Message(".entry k() { bra NOWHERE; }"),
              HasSubstr("label 'NOWHERE' is not defined"));
  EXPECT_THAT(Message(".entry k() { .reg .b32 %r<2>; mov.u32 %r1, 0f12; }"),
              HasSubstr("8 (0f)"));
  EXPECT_THAT(Message(".entry k() { ret;"), HasSubstr("expected '}'"));
  EXPECT_THAT(Message(".entry k() { .reg .b64 %r<2>; .reg .b32 %x; add.s64 "
                      "%r1, %x, 1; }"),
              HasSubstr("narrower"));
}
