//===- TimingCoreTest.cpp - The pipeline of an SM -------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingTest.h"
#include "regshare/Base/Baseline/Baseline.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

/// An instruction whose result the next one needs, and the cycles that its own
/// unit takes.
struct Latency {
  const char *Name;
  const char *Producer, *Consumer;
  const char *Figure;
};

constexpr Latency Latencies[] = {
    {"IntAdd", "add.s32 %r3, %r4, 1;", "add.s32 %r6, %r3, 7;",
     "core.latency.int.simple"},
    {"IntMultiply", "mul.lo.s32 %r3, %r4, 1;", "add.s32 %r6, %r3, 7;",
     "core.latency.int.multiply"},
    {"IntMad", "mad.lo.s32 %r3, %r4, 1, 7;", "add.s32 %r6, %r3, 7;",
     "core.latency.int.mad"},
    {"IntDivide", "div.u32 %r3, %r4, 1;", "add.s32 %r6, %r3, 7;",
     "core.latency.int.divide"},
    {"Shuffle", "shfl.sync.idx.b32 %r3, %r4, 0, 31, 0xFFFFFFFF;",
     "add.s32 %r6, %r3, 7;", "core.latency.int.shuffle"},
    {"FloatAdd", "add.f32 %f3, %f4, 0f3F800000;",
     "add.f32 %f6, %f3, 0f3F800000;", "core.latency.float.simple"},
    {"FloatMultiply", "mul.f32 %f3, %f4, 0f3F800000;",
     "add.f32 %f6, %f3, 0f3F800000;", "core.latency.float.multiply"},
    {"FloatFma", "fma.rn.f32 %f3, %f4, 0f3F800000, 0f3F800000;",
     "add.f32 %f6, %f3, 0f3F800000;", "core.latency.float.mad"},
    {"FloatDivide", "div.rn.f32 %f3, %f4, 0f3F800000;",
     "add.f32 %f6, %f3, 0f3F800000;", "core.latency.float.divide"},
    {"DoubleAdd", "add.f64 %fd3, %fd4, 0d3FF0000000000000;",
     "add.f64 %fd6, %fd3, 0d3FF0000000000000;", "core.latency.double.simple"},
    {"DoubleFma",
     "fma.rn.f64 %fd3, %fd4, 0d3FF0000000000000, 0d3FF0000000000000;",
     "add.f64 %fd6, %fd3, 0d3FF0000000000000;", "core.latency.double.mad"},
    {"Special", "sin.approx.f32 %f3, %f4;", "add.f32 %f6, %f3, 0f3F800000;",
     "core.latency.special"},
};

const std::string Registers =
    ".reg .f32 %f<10>;\n.reg .f64 %fd<10>;\n"
    "mov.f32 %f3, 0f3F800000; mov.f32 %f4, 0f3F800000;\n"
    "mov.f32 %f5, 0f3F800000; mov.f32 %f7, 0f3F800000;\n"
    "mov.f64 %fd4, 0d3FF0000000000000; mov.f64 %fd5, 0d3FF0000000000000;\n"
    "mov.f64 %fd7, 0d3FF0000000000000;\n"
    "mov.u32 %r4, 8; mov.u32 %r5, 1; mov.u32 %r7, 1;\n"
    "bar.sync 0; membar.cta;\n";

/// Cycles from a result's issue to the first issue that may use it, beyond the
/// unit's own.
unsigned overhead(const DeviceDescription &D) {
  // A collector is allocated, then banks are granted, then operands arrive.
  unsigned Operands = textFigure(D, "core.organisation") == "collectors"
                          ? 2 + figure(D, "core.bank_read_latency")
                          : 0;
  return Operands + figure(D, "core.front") + figure(D, "core.back");
}

class LatencyTest
    : public testing::TestWithParam<std::tuple<const char *, Latency>> {};

/// With fewer independent instructions between the two than cycles of latency,
/// the consumer issues when the result is there; with as many, right after
/// them.
TEST_P(LatencyTest, AtOneBeforeAndAt) {
  auto [Name, L] = GetParam();
  DeviceDescription D = deviceNamed(Name);
  unsigned T = figure(D, L.Figure) + overhead(D);
  // Takes an issue slot and nothing else.
  const std::string Filler = "bar.warp.sync 0xFFFFFFFF;\n";
  auto Cycles = [&](unsigned Between) {
    // The registers are written, and their banks at rest, when it begins.
    return runBody(D, Registers + repeat(Filler, 64) + L.Producer + "\n" +
                          repeat(Filler, Between) + L.Consumer)
        .Cycles;
  };
  uint64_t Adjacent = Cycles(0);
  EXPECT_EQ(Cycles(T - 1), Adjacent);
  EXPECT_EQ(Cycles(T), Adjacent + 1);
}

INSTANTIATE_TEST_SUITE_P(Timing, LatencyTest,
                         testing::Combine(testing::ValuesIn(OlderPresets),
                                          testing::ValuesIn(Latencies)),
                         [](const auto &Info) {
                           return testNameOf(std::get<0>(Info.param)) +
                                  std::get<1>(Info.param).Name;
                         });

/// Cycles that one more of \p Body costs, far from both ends of the kernel. All
/// warps progress alike: else one that comes last has the pipe to itself.
double cyclesEach(const DeviceDescription &D, const std::string &Body,
                  unsigned Warps) {
  TimingOptions Options;
  Options.Scheduler = "lrr";
  auto Cycles = [&](unsigned Count) {
    return double(runBody(D, Registers + repeat(Body, Count), {1},
                          {Warps * WarpSize}, Options)
                      .Cycles);
  };
  return (Cycles(400) - Cycles(200)) / 200;
}

TEST(TimingThroughput, IssueBound) {
  // Two schedulers, two main pipes, no operands: two instructions a cycle.
  DeviceDescription D = deviceNamed("gtx480");
  EXPECT_NEAR(
      cyclesEach(D, "setp.eq.u32 %p1, 1, 2;\nsetp.eq.u32 %p2, 1, 2;\n", 16), 16,
      0.2);
  // One warp issues to its own scheduler alone, once a cycle.
  EXPECT_NEAR(cyclesEach(D, "bar.warp.sync 0xFFFFFFFF;\n", 1), 1, 0.01);
  EXPECT_NEAR(cyclesEach(D, "bar.warp.sync 0xFFFFFFFF;\n", 2), 1, 0.01);
  EXPECT_NEAR(cyclesEach(D, "bar.warp.sync 0xFFFFFFFF;\n", 4), 2, 0.01);
}

TEST(TimingThroughput, IssueBoundSubCores) {
  DeviceDescription D = deviceNamed("hopper");
  // Four sub-cores, each with one pipe of 32 lanes.
  EXPECT_NEAR(
      cyclesEach(D, "add.f32 %f8, %f4, %f5;\nadd.f32 %f9, %f4, %f5;\n", 16), 8,
      0.2);
  // Sixteen integer lanes take a warp in two cycles.
  EXPECT_NEAR(
      cyclesEach(D, "add.s32 %r8, %r4, %r5;\nadd.s32 %r9, %r4, %r5;\n", 16), 16,
      0.2);
}

TEST(TimingThroughput, Special) {
  for (const char *Name : {"gtx480", "hopper"}) {
    DeviceDescription D = deviceNamed(Name);
    unsigned Pipes = Name == std::string("hopper") ? 4 : 1;
    double Each = double(figure(D, "core.interval.special")) * 16 / Pipes;
    EXPECT_NEAR(cyclesEach(D, "sin.approx.f32 %f8, %f4;\n", 16), Each, 0.05)
        << Name;
  }
}

TEST(TimingThroughput, Double) {
  DeviceDescription D = deviceNamed("gtx480");
  EXPECT_NEAR(cyclesEach(D, "add.f64 %fd8, %fd4, %fd5;\n", 8),
              8 * figure(D, "core.interval.double.simple"), 0.1);
}

TEST(TimingBanks, ConflictsTakeTurns) {
  DeviceDescription D = deviceNamed("gtx480");
  auto Each = [&](unsigned Banks) {
    DeviceDescription Changed = D;
    setFigure(Changed, "core.register_banks", Banks);
    return cyclesEach(Changed, "add.s32 %r4, %r4, %r5;\n", 1);
  };
  unsigned Alone = figure(D, "core.latency.int.simple") + overhead(D);
  EXPECT_EQ(Each(16), Alone);
  // Two operands in one bank: the second is granted a cycle later.
  EXPECT_EQ(Each(1), Alone + 1);
}

TEST(TimingControl, BranchCycles) {
  for (const char *Name : {"gtx480", "hopper"}) {
    DeviceDescription D = deviceNamed(Name);
    auto Cycles = [&](unsigned Branches) {
      std::string Body;
      for (unsigned N = 0; N != Branches; ++N) {
        std::string Label = "L" + std::to_string(N);
        Body += "bra " + Label + ";\n" + Label + ":\n";
      }
      return runBody(D, Body).Cycles;
    };
    EXPECT_EQ(Cycles(200) - Cycles(100), 100u * figure(D, "core.branch"))
        << Name;
  }
}

TEST(TimingResidency, EqualsTheCalculator) {
  for (const std::string &Name :
       {"gtx480", "gpgpusim-fermi", "ltrf-maxwell", "hopper"}) {
    DeviceDescription D = deviceNamed(Name);
    TimingOptions Options;
    Options.SampleCycles = 16;
    for (unsigned Regs : {8, 20, 33, 48, 63})
      for (unsigned Threads : {32, 96, 256, 512}) {
        std::unique_ptr<Machine> M = machine(D, Options);
        Occupancy Expected = occupancy(D, {Regs, Threads, 0});
        EXPECT_EQ(M->residency({Regs, Threads, 0})->CTAs, Expected.CTAs);
        // And that many are resident while there are more to come.
        TestProgram T(kernelAround("bar.sync 0;\nbar.sync 0;"));
        uint64_t Out = T.upload(std::vector<uint32_t>(1));
        TimingStats S = runTimed(*M, T, "k", {Expected.CTAs * D.NumSMs * 2},
                                 {Threads}, {Out}, Regs);
        EXPECT_EQ(S.Resident.CTAs, Expected.CTAs);
        ASSERT_FALSE(S.Samples.empty());
        EXPECT_EQ(S.Samples[0].ResidentCtas, Expected.CTAs * D.NumSMs);
        EXPECT_EQ(S.Samples[0].ResidentWarps, Expected.Warps * D.NumSMs);
      }
  }
}

TEST(TimingResidency, Ideal) {
  DeviceDescription D = deviceNamed("gtx480");
  TimingOptions Options;
  Options.Applied = schemes::Ideal;
  Options.Settings.set(settings::IdealCapacity, 2);
  std::unique_ptr<Machine> Ideal = machine(D, Options);
  DeviceDescription Twice = D;
  Twice.Registers *= 2;
  KernelResources K{63, 256, 0};
  EXPECT_EQ(Ideal->residency(K)->CTAs, occupancy(Twice, K).CTAs);
  EXPECT_GT(Ideal->residency(K)->CTAs, occupancy(D, K).CTAs);
  // More warps hide more latency; the work is the same.
  TestProgram T(kernelAround(repeat("div.u32 %r1, %r1, 3;\n", 50)));
  uint64_t Out = T.upload(std::vector<uint32_t>(1));
  TimingStats Slow = runTimed(*machine(D), T, "k", {120}, {256}, {Out}, 63);
  TimingStats Fast = runTimed(*Ideal, T, "k", {120}, {256}, {Out}, 63);
  EXPECT_EQ(Slow.Functional.WarpInstructions, Fast.Functional.WarpInstructions);
  EXPECT_LT(Fast.Cycles, Slow.Cycles);
}

} // namespace
} // namespace regshare::sim
