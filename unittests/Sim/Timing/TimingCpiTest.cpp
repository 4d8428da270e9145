//===- TimingCpiTest.cpp - Lost issue slots and their causes --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels that one thing alone holds up, and the cause that has to come first
/// for the slots they lose.
///
//===----------------------------------------------------------------------===//

#include "TimingTest.h"

namespace regshare::sim {
namespace {

/// Of the slots of the SM that runs the kernel's only CTA.
double share(const TimingStats &S, std::initializer_list<SlotUse> Uses) {
  uint64_t Sum = 0;
  for (SlotUse U : Uses)
    Sum += S.SlotsOfSM[0][U];
  return double(Sum) / double(S.SlotsOfSM[0].total());
}

TimingStats onOneSM(const std::string &Body, unsigned Warps,
                    const std::string &ModuleScope = "",
                    const char *Device = "gtx480") {
  TimingOptions Options;
  Options.Scheduler = "lrr";
  return runBody(deviceNamed(Device), Body, {1}, {Warps * WarpSize}, Options,
                 ModuleScope);
}

const std::string Tile = ".shared .align 4 .b8 tile[16384];\n";

TEST(TimingCauses, IssueBound) {
  TimingStats S = onOneSM(repeat("setp.eq.u32 %p1, 1, 2;\n", 500), 32);
  EXPECT_GT(share(S, {SlotUse::Issued}), 0.9);
}

TEST(TimingCauses, Dependency) {
  TimingStats S = onOneSM(repeat("add.s32 %r1, %r1, 1;\n", 500), 2);
  EXPECT_GT(share(S, {SlotUse::Dependency}), 0.8);
}

TEST(TimingCauses, SharedBankConflicts) {
  // Lanes are 32 words apart: all in one bank.
  TimingStats S = onOneSM(
      "mov.u32 %r3, tile;\nand.b32 %r4, %r1, 31;\nshl.b32 %r4, %r4, 7;\n"
      "add.u32 %r3, %r3, %r4;\n" +
          repeat("st.shared.u32 [%r3], %r1;\n", 100),
      16, Tile);
  EXPECT_GT(share(S, {SlotUse::MemBankConflict}), 0.65);
  EXPECT_EQ(S.LoadStore.SharedPasses, 32 * S.LoadStore.SharedAccesses);
}

TEST(TimingCauses, SharedLatency) {
  TimingStats S = onOneSM("mov.u32 %r3, tile;\nst.shared.u32 [%r3], %r3;\n"
                          "bar.sync 0;\n" +
                              repeat("ld.shared.u32 %r3, [%r3];\n", 100),
                          2, Tile);
  EXPECT_GT(share(S, {SlotUse::DependencyShared}), 0.8);
}

TEST(TimingCauses, MemoryLatency) {
  // Every load waits for the one before, whose value is zero.
  TimingStats S =
      onOneSM(repeat("ld.volatile.global.u32 %r3, [%rd2];\n"
                     "cvt.u64.u32 %rd4, %r3;\nadd.s64 %rd2, %rd2, %rd4;\n",
                     50),
              2);
  EXPECT_GT(share(S, {SlotUse::DependencyMemory}), 0.8);
}

TEST(TimingCauses, UncoalescedLoadsThatHit) {
  // Each lane has a line of its own; all of them are in the L1.
  TimingStats S = onOneSM(
      "and.b32 %r3, %r1, 31;\nmul.wide.u32 %rd4, %r3, 128;\n"
      "add.s64 %rd5, %rd1, %rd4;\n" +
          repeat("ld.global.u32 %r4, [%rd5];\nld.global.u32 %r5, [%rd5+4];\n"
                 "ld.global.u32 %r6, [%rd5+8];\n",
                 60),
      16);
  EXPECT_GT(share(S, {SlotUse::MemTransactions}), 0.7);
}

TEST(TimingCauses, StoresThatNobodyAcknowledgesInTime) {
  // A line for each lane, and no end to them.
  TimingStats S =
      onOneSM("mul.wide.u32 %rd4, %r1, 128;\nadd.s64 %rd5, %rd1, %rd4;\n" +
                  repeat("st.global.u32 [%rd5], %r1;\n", 100),
              16);
  EXPECT_GT(share(S, {SlotUse::MemStoreCredits, SlotUse::MemTransactions}),
            0.65);
}

TEST(TimingCauses, SpecialPipe) {
  TimingStats S = onOneSM(".reg .f32 %f<4>;\nmov.f32 %f1, 0f3F800000;\n" +
                              repeat("sin.approx.f32 %f2, %f1;\n", 50),
                          32);
  EXPECT_GT(share(S, {SlotUse::Operands}), 0.6);
  S = onOneSM(".reg .f32 %f<4>;\nmov.f32 %f1, 0f3F800000;\n" +
                  repeat("sin.approx.f32 %f2, %f1;\n", 50),
              32, "", "hopper");
  EXPECT_GT(share(S, {SlotUse::Pipe}), 0.7);
}

TEST(TimingCauses, Branches) {
  std::string Body;
  for (unsigned N = 0; N != 300; ++N) {
    std::string Label = "L" + std::to_string(N);
    Body += "bra " + Label + ";\n" + Label + ":\n";
  }
  EXPECT_GT(share(onOneSM(Body, 2), {SlotUse::Control}), 0.6);
}

TEST(TimingCauses, Barrier) {
  // Warps with odd numbers, those of the second scheduler, wait for the others.
  TimingStats S =
      onOneSM("and.b32 %r3, %r1, 32;\nsetp.ne.u32 %p1, %r3, 0;\n"
              "@%p1 bra WAIT;\n" +
                  repeat("add.s32 %r1, %r1, 1;\n", 500) + "WAIT: bar.sync 0;\n",
              8);
  EXPECT_GT(share(S, {SlotUse::Barrier}), 0.4);
}

TEST(TimingCauses, Fence) {
  TimingStats S =
      onOneSM(repeat("st.global.u32 [%rd2], %r1;\nmembar.gl;\n", 100), 2);
  EXPECT_GT(share(S, {SlotUse::Fence}), 0.6);
}

TEST(TimingCauses, NothingResident) {
  TimingStats S = onOneSM(repeat("add.s32 %r1, %r1, 1;\n", 100), 1);
  // One warp: the second scheduler has none, nor have the other SMs.
  EXPECT_GT(share(S, {SlotUse::NoWarp}), 0.49);
  EXPECT_EQ(S.SlotsOfSM[1][SlotUse::NoWarp], S.SlotsOfSM[1].total());
}

TEST(TimingCauses, Parked) {
  // One active warp for each scheduler; the others are ready all the time.
  DeviceDescription D = deviceNamed("gtx480");
  setFigure(D, "core.active_warps", 2);
  TimingOptions Options;
  Options.Scheduler = "two-level";
  TimingStats S = runBody(D, repeat("add.s32 %r1, %r1, 1;\n", 200), {1},
                          {16 * WarpSize}, Options);
  EXPECT_GT(share(S, {SlotUse::Parked}), 0.7);
}

} // namespace
} // namespace regshare::sim
