//===- MatrixTimingTest.cpp - Time of products of matrices ----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the micro-benchmarks of connollydavid/tu102 measure, on rtx6000.
///
//===----------------------------------------------------------------------===//

#include "../Timing/TimingTest.h"

using namespace regshare;
using namespace regshare::sim;

namespace {

const char *const Start =
    "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\nmov.u32 %r5, 0;\n"
    "mov.u32 %r6, 0;\nmov.u32 %r7, 0;\nmov.u32 %r8, 0;\nmov.u32 %r9, 0;\n"
    "mov.u32 %r10, 0;\nmov.u32 %r11, 0;\nmov.u32 %r12, 0;\n";
const char *const End = "st.global.u32 [%rd2], %r2;";

uint64_t cyclesOf(const char *Device, const std::string &Each, unsigned Count,
                  unsigned Threads) {
  return runBody(deviceNamed(Device), Start + repeat(Each, Count) + End, {1},
                 {Threads})
      .Cycles;
}

/// Cycles that each further instruction takes.
double cyclesPer(const char *Device, const std::string &Each,
                 unsigned Threads) {
  return double(cyclesOf(Device, Each, 192, Threads) -
                cyclesOf(Device, Each, 64, Threads)) /
         128;
}

/// D is the next one's A.
const char *const Chain =
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r2, %r3}, "
    "{%r6}, {%r7, %r8};\n";
const char *const Independent =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r2, %r3, %r4, %r5}, "
    "{%r6, %r7}, {%r8}, {%r9, %r10, %r11, %r12};\n";
/// Two, whose results do not wait for each other.
const char *const Bytes =
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r3}, {%r6}, {%r7}, "
    "{%r8, %r9};\n"
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r5}, {%r6}, {%r7}, "
    "{%r8, %r9};\n";

TEST(MatrixTiming, OfTU102) {
  EXPECT_NEAR(cyclesPer("rtx6000", Chain, 32), 14, 0.1);
  // Two warps a sub-core: 0.5 and 1 a cycle and SM.
  EXPECT_NEAR(8 / cyclesPer("rtx6000", Independent, 256), 0.5, 0.01);
  EXPECT_NEAR(16 / cyclesPer("rtx6000", Bytes, 256), 1, 0.02);
}

/// Where a device says nothing, its lanes multiply: 32 in a cycle of gtx480's
/// two pipes of 16.
TEST(MatrixTiming, WithoutTensorCores) {
  double Cycles = cyclesPer("gtx480", Independent, 256);
  unsigned Interval = figure(deviceNamed("gtx480"), "core.interval.float.mad");
  unsigned Pipes = figure(deviceNamed("gtx480"), "core.pipes.main");
  constexpr double RowsOfLanes = 16 * 8 * 8 / 32.0;
  EXPECT_NEAR(Cycles, 8 * RowsOfLanes * Interval / Pipes, 8);
}

} // namespace
