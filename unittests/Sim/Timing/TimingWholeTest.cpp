//===- TimingWholeTest.cpp - Latencies and bandwidths end to end ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingTest.h"

#include <numeric>
#include <random>

namespace regshare::sim {
namespace {

/// Follows a chain of addresses that begins at `out`.
std::string chase(const std::string &Space, unsigned Steps) {
  return std::string(Header) +
         ".visible .entry k(.param .u64 out)\n{\n"
         ".reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [out];\n" +
         repeat("ld." + Space + ".u64 %rd1, [%rd1];\n", Steps) +
         "st.global.u64 [%rd1], %rd1;\nret;\n}\n";
}

/// A round through \p Count places, \p Stride bytes apart, in random order.
uint64_t makeRound(TestProgram &T, unsigned Count, unsigned Stride) {
  uint64_t Base = T.Memory.allocate(uint64_t(Count) * Stride);
  std::vector<unsigned> Order(Count);
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin() + 1, Order.end(), std::mt19937(7));
  for (unsigned N = 0; N != Count; ++N) {
    uint64_t Next = Base + uint64_t(Order[(N + 1) % Count]) * Stride;
    T.Memory.write(Base + uint64_t(Order[N]) * Stride, &Next, 8);
  }
  return Base;
}

/// Cycles from one load of a chain to the next. The first launch of a machine
/// warms the L2 with the chain, if it fits.
double chaseCycles(const DeviceDescription &D, unsigned Count, unsigned Stride,
                   unsigned Steps, bool Warm) {
  auto Cycles = [&](unsigned Length) {
    TestProgram T(chase("global", Length));
    uint64_t Base = makeRound(T, Count, Stride);
    std::unique_ptr<Machine> M = machine(D);
    uint64_t First = runTimed(*M, T, "k", {1}, {1}, {Base}).Cycles;
    return double(Warm ? runTimed(*M, T, "k", {1}, {1}, {Base}).Cycles : First);
  };
  return (Cycles(2 * Steps) - Cycles(Steps)) / Steps;
}

struct Expected {
  const char *Device;
  double L1, L2, Dram, Shared;
};

class WholeLatencyTest : public testing::TestWithParam<Expected> {};

TEST_P(WholeLatencyTest, PointerChase) {
  const Expected &E = GetParam();
  DeviceDescription D = deviceNamed(E.Device);
  double L1 = chaseCycles(D, 4, 32, 256, true);
  double L2 = chaseCycles(D, 16384, 128, 512, true);
  double Dram = chaseCycles(D, 16384, 8192, 256, false);
  EXPECT_NEAR(L1, E.L1, 1);
  EXPECT_NEAR(L2, E.L2, 0.02 * E.L2);
  EXPECT_NEAR(Dram, E.Dram, 0.05 * E.Dram);
}

TEST_P(WholeLatencyTest, SharedMemory) {
  DeviceDescription D = deviceNamed(GetParam().Device);
  auto Cycles = [&](unsigned Steps) {
    // Each place holds its own address.
    return double(runBody(D,
                          "mov.u32 %r3, tile; st.shared.u32 [%r3], %r3;\n"
                          "bar.sync 0;\n" +
                              repeat("ld.shared.u32 %r3, [%r3];\n", Steps),
                          {1}, {32}, {}, ".shared .align 4 .b32 tile;\n")
                      .Cycles);
  };
  double Each = (Cycles(200) - Cycles(100)) / 100;
  EXPECT_NEAR(Each, GetParam().Shared, 1);
}

// The Fermis as GPGPU-Sim's model was measured; the H100 as its file says it is
// calibrated.
INSTANTIATE_TEST_SUITE_P(
    Timing, WholeLatencyTest,
    testing::Values(Expected{"gtx480", 40, 182, 317, 29},
                    Expected{"gpgpusim-fermi", 40, 182, 317, 29},
                    Expected{"hopper", 41, 263, 479, 29}),
    [](const auto &Info) { return testNameOf(Info.param.Device); });

/// Bytes in a core cycle that the DRAM's pins can deliver.
double peakBandwidth(const DeviceDescription &D) {
  return double(figure(D, "dram.channels")) * figure(D, "dram.burst_bytes") /
         figure(D, "dram.burst_cycles") * figure(D, "dram.clock_mhz") /
         D.CoreClockMHz;
}

/// The SMs together can keep the DRAM busy. Each thread reads 16 words, a CTA
/// eight kilobytes that lie together.
TEST(TimingBandwidth, Streaming) {
  for (const char *Name : {"gtx480", "hopper"}) {
    DeviceDescription D = deviceNamed(Name);
    std::string Loads;
    constexpr unsigned PerThread = 16, CtaBytes = PerThread * 512;
    for (unsigned N = 0; N != PerThread; ++N)
      Loads += "ld.global.u32 %r" + std::to_string(10 + N) + ", [%rd5+" +
               std::to_string(N * 512) + "];\n";
    TestProgram T(kernelAround("mov.u32 %r2, %ctaid.x;\n"
                               "mul.wide.u32 %rd4, %r2, " +
                               std::to_string(CtaBytes) +
                               ";\nadd.s64 %rd5, %rd2, %rd4;\n" + Loads));
    unsigned Ctas = D.NumSMs * 24;
    uint64_t Bytes = uint64_t(Ctas) * CtaBytes;
    uint64_t In = T.Memory.allocate(Bytes);
    TimingStats S = runTimed(*machine(D), T, "k", {Ctas}, {128}, {In});
    double Share = double(Bytes) / double(S.Cycles) / peakBandwidth(D);
    EXPECT_GT(Share, 0.88) << Name;
    EXPECT_LT(Share, 1) << Name;
  }
}

} // namespace
} // namespace regshare::sim
