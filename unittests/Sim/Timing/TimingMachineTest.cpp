//===- TimingMachineTest.cpp - Whole launches with timing -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingTest.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Threads take different ways, share memory, meet at barriers, add up with
/// atomics and write results out: a bit of everything.
const std::string Mixed = std::string(Header) + R"(
.shared .align 4 .b8 tile[1024];
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 total)
.maxntid 256
{
  .reg .pred %p<5>; .reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .f32 %f<9>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u64 %rd3, [total];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r5, [%rd5];
  mov.u32 %r6, tile;
  shl.b32 %r7, %r1, 2;
  add.u32 %r8, %r6, %r7;
  st.shared.u32 [%r8], %r5;
  bar.sync 0;
  xor.b32 %r9, %r7, 252;
  add.u32 %r10, %r6, %r9;
  ld.shared.u32 %r11, [%r10];
  and.b32 %r12, %r5, 15;
  mov.u32 %r13, 0;
LOOP:
  setp.ge.u32 %p1, %r13, %r12;
  @%p1 bra DONE;
  mad.lo.u32 %r11, %r11, 1664525, 1013904223;
  cvt.rn.f32.u32 %f1, %r11;
  sqrt.approx.f32 %f2, %f1;
  cvt.rzi.u32.f32 %r14, %f2;
  xor.b32 %r11, %r11, %r14;
  add.u32 %r13, %r13, 1;
  bra LOOP;
DONE:
  add.s64 %rd6, %rd2, %rd4;
  st.global.u32 [%rd6], %r11;
  and.b32 %r15, %r11, 63;
  mul.wide.u32 %rd7, %r15, 4;
  add.s64 %rd8, %rd3, %rd7;
  red.global.add.u32 [%rd8], %r13;
  ret;
}
)";

struct MixedResult {
  TimingStats Stats;
  std::vector<uint32_t> Out, Total;
};

constexpr unsigned Ctas = 100, Threads = 192;

std::vector<uint32_t> mixedInput() {
  std::vector<uint32_t> In(size_t(Ctas) * Threads);
  uint32_t Random = 1;
  for (uint32_t &Value : In)
    Value = (Random = Random * 1664525 + 1013904223) >> 7;
  return In;
}

MixedResult runMixed(const DeviceDescription &D, const TimingOptions &Options,
                     unsigned Launches = 1) {
  TestProgram T(Mixed);
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t In = T.upload(mixedInput());
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  uint64_t Total = T.upload(std::vector<uint32_t>(64));
  MixedResult R;
  std::unique_ptr<Machine> M = machine(D, Options);
  for (unsigned N = 0; N != Launches; ++N)
    R.Stats = runTimed(*M, T, "k", {Ctas}, {Threads}, {In, Out, Total});
  R.Out = T.download<uint32_t>(Out, size_t(Ctas) * Threads);
  R.Total = T.download<uint32_t>(Total, 64);
  return R;
}

class MachineTest : public testing::TestWithParam<const char *> {};

TEST_P(MachineTest, SameMemoryAsWithoutTiming) {
  TestProgram T(Mixed);
  uint64_t In = T.upload(mixedInput());
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  uint64_t Total = T.upload(std::vector<uint32_t>(64));
  ASSERT_TRUE(T.run("k", {Ctas}, {Threads}, {In, Out, Total})) << T.Error;
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    MixedResult R = runMixed(deviceNamed(GetParam()), Options);
    EXPECT_EQ(R.Out, T.download<uint32_t>(Out, size_t(Ctas) * Threads));
    EXPECT_EQ(R.Total, T.download<uint32_t>(Total, 64));
    EXPECT_EQ(R.Stats.Functional.WarpInstructions, T.Stats.WarpInstructions);
    EXPECT_EQ(R.Stats.Functional.ThreadInstructions,
              T.Stats.ThreadInstructions);
    EXPECT_EQ(R.Stats.Functional.Ctas, Ctas);
    EXPECT_GT(R.Stats.DivergentPops, 0u);
  }
}

void expectSame(const TimingStats &A, const TimingStats &B) {
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Slots.Slots, B.Slots.Slots);
  EXPECT_EQ(A.WarpCycles, B.WarpCycles);
  EXPECT_EQ(A.WriteConflicts, B.WriteConflicts);
  EXPECT_EQ(A.Memory.Requests, B.Memory.Requests);
  EXPECT_EQ(A.Memory.L2Hits, B.Memory.L2Hits);
  EXPECT_EQ(A.Memory.DramReads, B.Memory.DramReads);
  EXPECT_EQ(A.Memory.DramRowHits, B.Memory.DramRowHits);
  EXPECT_EQ(A.Timeline.size(), B.Timeline.size());
  for (size_t N = 0; N != std::min(A.Timeline.size(), B.Timeline.size()); ++N) {
    EXPECT_EQ(A.Timeline[N].When, B.Timeline[N].When);
    EXPECT_EQ(A.Timeline[N].SM, B.Timeline[N].SM);
    EXPECT_EQ(A.Timeline[N].Slot, B.Timeline[N].Slot);
  }
}

TEST_P(MachineTest, SameCyclesEachTimeAndOnAnyNumberOfThreads) {
  DeviceDescription D = deviceNamed(GetParam());
  TimingOptions Options;
  Options.RecordTimeline = true;
  MixedResult First = runMixed(D, Options, 2);
  EXPECT_GT(First.Stats.Cycles, 0u);
  expectSame(First.Stats, runMixed(D, Options, 2).Stats);
  for (unsigned Threads : {2, 3, 1'000'000}) {
    Options.Threads = Threads;
    MixedResult Other = runMixed(D, Options, 2);
    expectSame(First.Stats, Other.Stats);
    EXPECT_EQ(First.Total, Other.Total);
  }
}

/// Jumping over cycles in which nothing happens is only a matter of speed.
TEST_P(MachineTest, SameAsWhenEveryCycleIsSimulated) {
  DeviceDescription D = deviceNamed(GetParam());
  for (const char *Scheduler : EveryScheduler) {
    TimingOptions Options;
    Options.Scheduler = Scheduler;
    MixedResult Skips = runMixed(D, Options);
    Options.EveryCycle = true;
    expectSame(Skips.Stats, runMixed(D, Options).Stats);
  }
}

/// The L2 keeps its contents from launch to launch.
TEST_P(MachineTest, SecondLaunchFindsItsInputInTheL2) {
  DeviceDescription D = deviceNamed(GetParam());
  EXPECT_GT(runMixed(D, {}, 1).Stats.Memory.DramReads, 0u);
  EXPECT_EQ(runMixed(D, {}, 2).Stats.Memory.DramReads, 0u);
}

TEST_P(MachineTest, AnEmptiedL2IsThatOfTheFirstLaunch) {
  DeviceDescription D = deviceNamed(GetParam());
  std::unique_ptr<Machine> M = machine(D, {});
  TestProgram T(Mixed);
  uint64_t In = T.upload(mixedInput());
  uint64_t Out = T.upload(std::vector<uint32_t>(size_t(Ctas) * Threads));
  uint64_t Total = T.upload(std::vector<uint32_t>(64));
  auto Reads = [&] {
    return runTimed(*M, T, "k", {Ctas}, {Threads}, {In, Out, Total})
        .Memory.DramReads;
  };
  uint64_t First = Reads();
  EXPECT_EQ(Reads(), 0u);
  M->emptyL2();
  EXPECT_EQ(Reads(), First);
}

/// CTAs start when the launch has come to the SMs, and then all goes as ever.
TEST(TimingMachine, ALaunchTakesItsTime) {
  auto Cycles = [](const char *Figure) {
    Result<DeviceDescription> D = loadDevice(std::string("gv100") + Figure);
    EXPECT_TRUE(D) << D.error().Message;
    return runMixed(*D, {}).Stats.Cycles;
  };
  uint64_t AtOnce = Cycles(",timing.core.launch=1");
  // At the same cycle of a quantum.
  uint64_t Later = Cycles(",timing.core.launch=3201");
  EXPECT_NEAR(double(Later - AtOnce), 3200, 16);
  EXPECT_GT(Cycles(""), AtOnce + 1000);
}

/// Each CTA but the first of an SM comes later.
TEST(TimingMachine, TakingTheirPlacesTakesCtasTime) {
  auto Cycles = [](const char *Figure) {
    Result<DeviceDescription> D =
        loadDevice(std::string("a100,sms=1,max_ctas=1,") + Figure);
    EXPECT_TRUE(D) << D.error().Message;
    return runMixed(*D, {}).Stats.Cycles;
  };
  uint64_t AtOnce = Cycles("timing.core.cta_launch=1");
  uint64_t Later = Cycles("timing.core.cta_launch=1001");
  EXPECT_NEAR(double(Later - AtOnce) / (Ctas - 1), 1000, 32);
}

INSTANTIATE_TEST_SUITE_P(Timing, MachineTest, testing::ValuesIn(TimedPresets),
                         [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

/// All lanes read a parameter at one address, wherever they were before.
TEST(TimingAccesses, ParametersTakeOnePass) {
  TimingStats S = runBody(deviceNamed("gtx480"),
                          "st.global.u32 [%rd2], %r1;\n" +
                              repeat("ld.param.u64 %rd5, [out];\n", 10));
  EXPECT_EQ(S.LoadStore.ConstantAccesses, 11u);
  EXPECT_EQ(S.LoadStore.ConstantPasses, 11u);
}

/// Words of a warp's local memory that lie at one offset are one line.
TEST(TimingAccesses, LocalMemoryIsInterleaved) {
  for (const char *Offset : {"0", "4", "60"}) {
    TimingStats S =
        runBody(deviceNamed("gtx480"),
                ".local .align 8 .b8 mine[64];\nmov.u64 %rd5, mine;\n"
                "st.local.u32 [%rd5+" +
                    std::string(Offset) + "], %r1;\nld.local.u32 %r2, [%rd5+" +
                    Offset + "];\n");
    EXPECT_EQ(S.LoadStore.Transactions, 2u);
    EXPECT_EQ(S.LoadStore.LoadHits, 1u);
  }
  // Through a generic address, too.
  TimingStats S = runBody(deviceNamed("gtx480"),
                          ".local .align 8 .b8 mine[64];\n"
                          "mov.u64 %rd5, mine;\ncvta.local.u64 %rd6, %rd5;\n"
                          "st.u32 [%rd6+8], %r1;\nld.local.u32 %r2, [%rd5+8];");
  EXPECT_EQ(S.LoadStore.LoadHits, 1u);
}

/// Lines at one offset of many warps fill the L1 as any other lines do: 4 words
/// of 24 warps are 12 KB of its 16, and of 32 sets with 4 ways none has too
/// many.
TEST(TimingAccesses, LocalMemoryOfWarpsSharesTheSetsOfTheL1) {
  std::string Body = ".local .align 8 .b8 mine[16];\nmov.u64 %rd5, mine;\n";
  for (const char *Access : {"st.local.u32 [%rd5+", "ld.local.u32 %r2, [%rd5+"})
    for (int Word = 0; Word != 4; ++Word)
      Body += Access + std::to_string(4 * Word) +
              (Access[0] == 's' ? "], %r1;\n" : "];\n");
  TimingStats S = runBody(deviceNamed("gtx480"), Body, {1}, {768});
  EXPECT_EQ(S.LoadStore.Transactions, 2u * 4 * 24);
  EXPECT_EQ(S.LoadStore.LoadHits, 4u * 24);
}

/// The message of a launch that must fail.
std::string timedError(const std::string &Body, Dim3 Block = {32},
                       unsigned Regs = 20, uint64_t CycleLimit = 100'000) {
  TestProgram T(kernelAround(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(2048));
  TimedLaunchOptions Options;
  Options.RegsPerThread = Regs;
  Options.CycleLimit = CycleLimit;
  Result<TimingStats> S =
      machine(deviceNamed("gtx480"))
          ->run(*T.P, T.Memory, "k",
                {{2}, Block, 0, *packArguments(*T.P->findKernel("k"), {Out})},
                Options);
  EXPECT_FALSE(S);
  return S ? "" : S.error().str();
}

TEST(TimingErrors, LaunchesThatDoNotFit) {
  EXPECT_THAT(timedError("", {2048}),
              HasSubstr("2048 threads in a CTA, the device allows 1024"));
  EXPECT_THAT(timedError("", {32}, 64),
              HasSubstr("takes 64 registers a thread, 'gtx480' allows 63"));
  EXPECT_THAT(timedError("", {1024}, 40),
              HasSubstr("not even one CTA fits into an SM of 'gtx480'"));
}

TEST(TimingErrors, AreThoseOfTheFunctionalMode) {
  EXPECT_THAT(timedError("mov.u64 %rd3, 64; ld.global.u32 %r2, [%rd3];"),
              AllOf(HasSubstr("ld.global.u32 %r2, [%rd3]"), HasSubstr("lane 0"),
                    HasSubstr("PTX line")));
  EXPECT_THAT(timedError("add.s64 %rd3, %rd1, 2; st.global.u32 [%rd3], %r1;"),
              HasSubstr("misaligned"));
  EXPECT_THAT(timedError("setp.gt.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 1;"
                         "add.u32 %r3, %r2, 1;"),
              HasSubstr("never written"));
  EXPECT_THAT(timedError("trap;"), HasSubstr("executed 'trap'"));
}

TEST(TimingErrors, Deadlock) {
  EXPECT_THAT(timedError("setp.lt.u32 %p1, %r1, 32; @%p1 bra L;\n"
                         "bar.sync 1, 64;\nL:\nbar.sync 0;",
                         {64}),
              AllOf(HasSubstr("deadlock"), HasSubstr("barrier 0 has 1 of 2"),
                    HasSubstr("barrier 1 has 1 of 2")));
}

TEST(TimingErrors, CycleLimit) {
  EXPECT_THAT(timedError("L: add.u32 %r1, %r1, 1; bra L;", {64}),
              AllOf(HasSubstr("cycle limit of 100000 cycles"),
                    HasSubstr("endless loop"), HasSubstr("CTA (0,0,0)"),
                    HasSubstr("PTX line")));
}

/// After an error the machine works on.
TEST(TimingErrors, MachineRecovers) {
  DeviceDescription D = deviceNamed("gtx480");
  std::unique_ptr<Machine> M = machine(D);
  TestProgram Bad(kernelAround("ld.global.u32 %r2, [%rd1];\n"
                               "mov.u64 %rd3, 64; ld.global.u32 %r2, [%rd3];"));
  TestProgram Good(kernelAround("st.global.u32 [%rd2], %r1;"));
  uint64_t BadOut = Bad.upload(std::vector<uint32_t>(32));
  uint64_t Out = Good.upload(std::vector<uint32_t>(32));
  uint64_t Before = runTimed(*machine(D), Good, "k", {1}, {32}, {Out}).Cycles;
  TimedLaunchOptions Options;
  Options.RegsPerThread = 20;
  EXPECT_FALSE(
      M->run(*Bad.P, Bad.Memory, "k",
             {{1}, {32}, 0, *packArguments(*Bad.P->findKernel("k"), {BadOut})},
             Options));
  EXPECT_EQ(runTimed(*M, Good, "k", {1}, {32}, {Out}).Cycles, Before);
}

/// The message of a machine that cannot be made.
std::string creationError(const DeviceDescription &D,
                          const TimingOptions &Options = {}) {
  Result<std::unique_ptr<Machine>> M = Machine::create(D, Options);
  EXPECT_FALSE(M);
  return M ? "" : M.error().str();
}

TEST(TimingOptions, Unknown) {
  TimingOptions Options;
  Options.Scheduler = "fifo";
  EXPECT_THAT(creationError(deviceNamed("gtx480"), Options),
              HasSubstr("unknown scheduler 'fifo'"));
  EXPECT_THAT(creationError(deviceNamed("ampere")),
              HasSubstr("no figures for timing"));
}

TEST(TimingOptions, WarpsBeyondTheModel) {
  DeviceDescription D = deviceNamed("gtx480");
  D.MaxWarps = 65;
  EXPECT_THAT(creationError(D), HasSubstr("65 warps on an SM"));
  D = deviceNamed("gtx480");
  D.WarpSize = 16;
  EXPECT_THAT(creationError(D), HasSubstr("warps of 16 threads"));
}

TEST(TimingOptions, FiguresAreChecked) {
  DeviceDescription D = deviceNamed("gtx480");
  D.Timing.push_back({"core.turbo", "9", "a test", 77});
  EXPECT_THAT(creationError(D), AllOf(HasSubstr("gtx480.yaml:77"),
                                      HasSubstr("timing.core.turbo")));
  D = deviceNamed("gtx480");
  setFigure(D, "core.schedulers", 9);
  EXPECT_THAT(creationError(D), HasSubstr("a whole number from 1 to 8"));
  D = deviceNamed("gtx480");
  std::erase_if(D.Timing,
                [](const TimingFigure &F) { return F.Key == "core.branch"; });
  EXPECT_THAT(creationError(D), HasSubstr("has no 'timing.core.branch'"));
}

} // namespace
} // namespace regshare::sim
