//===- ModernCoreTest.cpp - The pipeline of a modern core -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/TimingTest.h"
#include "regshare/Base/Baseline/Baseline.h"

#include <gmock/gmock.h>
#include <random>

namespace regshare::sim {
namespace {

const std::string Registers =
    ".reg .f32 %f<8>;\n.reg .f64 %fd<4>;\n"
    "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F800000;\n"
    "mov.f32 %f3, 0f3F800000; mov.f32 %f4, 0f3F800000;\n"
    "mov.f32 %f5, 0f3F800000; mov.f32 %f6, 0f3F800000;\n"
    "mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, 0d3FF0000000000000;\n"
    "mov.f64 %fd3, 0d3FF0000000000000;\n"
    "mov.u32 %r1, 1; mov.u32 %r2, 1; mov.u32 %r3, 0; mov.u32 %r4, sh;\n"
    "mov.u32 %r5, 1; mov.u32 %r6, 1; mov.u64 %rd1, out0;\n"
    "setp.eq.u32 %p1, %r1, %r2;\n"
    "st.global.u64 [%rd1], %rd1; st.shared.u32 [%r4], %r4; bar.sync 0; "
    "membar.gl;\n";

const std::string Scope = ".shared .align 8 .b32 sh[1024];\n"
                          ".global .align 16 .b64 out0[64];\n";

/// With instruction caches, and with all code at hand.
DeviceDescription withFetch() { return deviceNamed("rtx6000"); }
DeviceDescription device(const char *Name = "rtx6000") {
  DeviceDescription D = deviceNamed(Name);
  std::erase_if(D.Timing, [](const TimingFigure &F) {
    return F.Key.starts_with("core.fetch.");
  });
  return D;
}

/// Cycles that one more of \p Body costs.
double cyclesEach(const std::string &Body, unsigned Warps = 1,
                  const DeviceDescription &D = device()) {
  auto Cycles = [&](unsigned Count) {
    return double(runBody(D, Registers + repeat(Body, Count), {1},
                          {Warps * WarpSize}, {}, Scope)
                      .Cycles);
  };
  return (Cycles(160) - Cycles(96)) / 64;
}

//===----------------------------------------------------------------------===//
// Latencies
//===----------------------------------------------------------------------===//

struct Chain {
  const char *Body;
  double Cycles;
};

/// Chains of one or two instructions, each of which needs the one before it:
/// what was measured on a TU102 (connollydavid/tu102), and what follows from
/// the classes.
constexpr Chain Chains[] = {
    {"add.f32 %f1, %f1, %f2;\n", 4},
    {"fma.rn.f32 %f1, %f1, %f2, %f3;\n", 4},
    {"add.s32 %r1, %r1, %r2;\n", 4},
    {"mad.lo.s32 %r1, %r1, %r2, %r5;\n", 4},
    {"shf.l.wrap.b32 %r1, %r1, %r2, %r5;\n", 4},
    // Across the two pipes.
    {"add.s32 %r1, %r1, %r2;\nmad.lo.s32 %r1, %r1, %r2, %r5;\n", 10},
    {"setp.eq.s32 %p1, %r1, %r2;\nselp.b32 %r1, %r1, %r2, %p1;\n", 8},
    // A guard wants a predicate earlier than an operand, and so does a vote.
    {"setp.eq.s32 %p1, %r1, %r2;\nvote.sync.ballot.b32 %r1, %p1, -1;\n", 16},
    {"setp.eq.s32 %p1, %r1, %r2;\n@%p1 add.s32 %r1, %r1, %r2;\n", 16},
    {"ex2.approx.ftz.f32 %f1, %f1;\n", 15},
    {"popc.b32 %r1, %r1;\n", 15},
    {"rcp.approx.ftz.f32 %f1, %f1;\nadd.f32 %f1, %f1, %f2;\n", 21},
    {"cvt.rn.f32.s32 %f1, %r1;\ncvt.rzi.s32.f32 %r1, %f1;\n", 30},
    {"add.f64 %fd1, %fd1, %fd2;\n", 44},
    {"fma.rn.f64 %fd1, %fd1, %fd2, %fd3;\n", 48},
    {"shfl.sync.idx.b32 %r1, %r1, 0, 31, 0xFFFFFFFF;\n", 25},
    {"ld.shared.u32 %r4, [%r4];\n", 22},
    {"ld.global.u64 %rd1, [%rd1];\n", 34},
};

TEST(ModernCore, DependentLatencies) {
  for (const Chain &C : Chains)
    EXPECT_NEAR(cyclesEach(C.Body), C.Cycles, 0.01) << C.Body;
}

/// The same of an H200, as was measured on one (docs/validation.md).
constexpr Chain HopperChains[] = {
    {"add.f64 %fd1, %fd1, %fd2;\n", 8},
    {"ex2.approx.ftz.f32 %f1, %f1;\n", 17},
    {"popc.b32 %r1, %r1;\n", 17},
    {"shfl.sync.idx.b32 %r1, %r1, 0, 31, 0xFFFFFFFF;\n", 26},
    {"match.any.sync.b32 %r1, %r1, 0xFFFFFFFF;\n", 39},
    {"redux.sync.add.u32 %r1, %r1, 0xFFFFFFFF;\n", 44},
    {"ld.shared.u32 %r4, [%r4];\n", 23},
    {"ld.global.u64 %rd1, [%rd1];\n", 34},
};

TEST(ModernCore, LatenciesOfHopper) {
  for (const Chain &C : HopperChains)
    EXPECT_NEAR(cyclesEach(C.Body, 1, device("h200")), C.Cycles, 0.01)
        << C.Body;
  EXPECT_NEAR(cyclesEach("bar.sync 0;\n", 32, device("h200")), 76, 0.05);
}

/// The consumer issues once the latency is over and not before: with fewer
/// independent instructions between the two it waits, with as many it does not.
TEST(ModernCore, ConsumersIssueOnTime) {
  const std::string Filler = "bar.warp.sync 0xFFFFFFFF;\n";
  for (auto [Producer, Consumer, Latency] :
       {std::tuple{"add.s32 %r1, %r5, %r2;\n", "add.s32 %r6, %r1, %r1;\n", 4u},
        {"add.s32 %r1, %r5, %r2;\n", "mul.lo.s32 %r6, %r1, %r1;\n", 5u},
        {"add.s32 %r1, %r5, %r2;\n", "popc.b32 %r6, %r1;\n", 6u},
        {"add.f32 %f1, %f2, %f3;\n", "add.f32 %f4, %f1, %f1;\n", 4u},
        {"ex2.approx.ftz.f32 %f1, %f2;\n", "add.f32 %f4, %f1, %f1;\n", 15u}}) {
    auto Cycles = [&](unsigned Between) {
      return runBody(device(),
                     Registers + repeat(Filler, 512) + Producer +
                         repeat(Filler, Between) + Consumer,
                     {1}, {32}, {}, Scope)
          .Cycles;
    };
    uint64_t Adjacent = Cycles(0);
    EXPECT_EQ(Cycles(Latency - 1), Adjacent) << Producer << Consumer;
    EXPECT_EQ(Cycles(Latency), Adjacent + 1) << Producer << Consumer;
  }
}

/// What a memory instruction has yet to read waits to be overwritten.
TEST(ModernCore, SourcesOfMemoryInstructions) {
  struct Case {
    const char *Access;
    double Cycles;
  };
  // Huerta et al., A6000: WAR of loads and stores of 32, 64 and 128 bits.
  for (const Case &C : {Case{"ld.shared.u32 %r6, [%r4];\n", 9},
                        {"ld.global.u32 %r6, [%rd1];\n", 11},
                        {"st.shared.u32 [%r4], %r5;\n", 12},
                        {"st.shared.v2.u32 [%r4], {%r5, %r5};\n", 14},
                        {"st.shared.v4.u32 [%r4], {%r5, %r5, %r5, %r5};\n", 18},
                        {"st.global.u32 [%rd1], %r5;\n", 14}}) {
    bool IsGlobal = std::string(C.Access).find("global") != std::string::npos;
    std::string Overwrite =
        IsGlobal ? "add.s64 %rd1, %rd2, 0;\n" : "add.s32 %r4, %r1, 0;\n";
    // Loads hit in the L1, so that the end of the kernel does not wait.
    std::string Pre = "mov.u64 %rd2, out0;\nld.global.u32 %r6, [%rd1];\n";
    auto Cycles = [&](unsigned Between) {
      return runBody(device(),
                     Registers + Pre +
                         repeat("bar.warp.sync 0xFFFFFFFF;\n", 512) + C.Access +
                         repeat("bar.warp.sync 0xFFFFFFFF;\n", Between) +
                         repeat(Overwrite, 300),
                     {1}, {32}, {}, Scope)
          .Cycles;
    };
    unsigned T = unsigned(C.Cycles);
    EXPECT_EQ(Cycles(T - 1), Cycles(0)) << C.Access;
    EXPECT_EQ(Cycles(T), Cycles(0) + 1) << C.Access;
  }
}

//===----------------------------------------------------------------------===//
// Throughput
//===----------------------------------------------------------------------===//

TEST(ModernCore, UnitsTakeAnInstructionForTwoCycles) {
  // Sixteen lanes: half an instruction a cycle and sub-core, of either pipe.
  EXPECT_NEAR(cyclesEach("add.f32 %f4, %f2, %f3;\nadd.f32 %f5, %f2, %f3;\n", 8),
              8, 0.2);
  EXPECT_NEAR(cyclesEach("add.s32 %r4, %r2, %r3;\nadd.s32 %r6, %r2, %r3;\n", 8),
              8, 0.2);
  // Both pipes together issue every cycle: integer multiplication is the other.
  EXPECT_NEAR(
      cyclesEach("add.s32 %r4, %r2, %r3;\nmul.lo.s32 %r6, %r2, %r3;\n", 8), 4,
      0.2);
  EXPECT_NEAR(cyclesEach("add.s32 %r4, %r2, %r3;\nadd.f32 %f4, %f2, %f3;\n", 8),
              4, 0.2);
  EXPECT_NEAR(
      cyclesEach("mul.lo.s32 %r4, %r2, %r3;\nadd.f32 %f4, %f2, %f3;\n", 8), 8,
      0.2);
}

TEST(ModernCore, SlowUnits) {
  // Half an instruction a cycle and SM.
  EXPECT_NEAR(cyclesEach("ex2.approx.ftz.f32 %f4, %f2;\n", 16), 32, 0.5);
  EXPECT_NEAR(
      cyclesEach("shfl.sync.idx.b32 %r6, %r1, 0, 31, 0xFFFFFFFF;\n", 16), 32,
      0.5);
  // One double-precision unit for the SM.
  EXPECT_NEAR(cyclesEach("add.f64 %fd3, %fd1, %fd2;\n", 8), 8 * 19, 1);
  // 64 bytes a cycle from shared memory and from the L1.
  EXPECT_NEAR(cyclesEach("ld.shared.u32 %r6, [%r4];\n", 16), 32, 0.5);
  EXPECT_NEAR(cyclesEach("ld.global.u32 %r6, [%rd1];\n", 32), 64, 0.5);
}

TEST(ModernCore, UpperHalvesTakeTheirPipeForLonger) {
  EXPECT_NEAR(cyclesEach("mul.lo.u32 %r4, %r2, %r3;\n", 8, device("h200")), 4,
              0.2);
  EXPECT_NEAR(cyclesEach("mul.hi.u32 %r4, %r2, %r3;\n", 8, device("h200")), 8,
              0.2);
}

/// Sources in one bank take more cycles than the units do: operands of a
/// multiply-add with three of one bank.
TEST(ModernCore, BankConflicts) {
  auto Cycles = [](const std::string &Registers) {
    std::string Text;
    for (unsigned N = 0; N != 2; ++N)
      Text += "fma.rn.f32 %f6, " + Registers + ";\nmul.lo.s32 %r6, %r2, %r2;\n";
    return cyclesEach(Text, 4);
  };
  // Rows follow the numbers of registers: two of one bank fit beside the
  // multiplication's one, three and it take four cycles instead of two.
  double Spread = Cycles("%f1, %f2, %f1");
  double Same = Cycles("%f1, %f3, %f5");
  EXPECT_GE(Same, Spread);
}

TEST(ModernCore, BarriersTakeTheirWarpsInTurn) {
  for (unsigned Warps : {1u, 2u, 4u, 6u, 8u, 16u, 32u})
    EXPECT_NEAR(cyclesEach("bar.sync 0;\n", Warps), 22 + 2 * (Warps - 1), 0.05)
        << Warps;
}

TEST(ModernCore, ConflictsInSharedMemory) {
  for (unsigned Ways : {1u, 2u, 4u, 8u, 16u, 32u}) {
    // Lane n asks for word n * Ways, of its own bank as long as that is odd.
    std::string Pre = "mov.u32 %r2, %tid.x;\nmul.lo.u32 %r2, %r2, " +
                      std::to_string(4 * Ways) +
                      ";\nmov.u32 %r4, sh;\nadd.u32 %r4, %r4, %r2;\n"
                      "st.shared.u32 [%r4], %r4;\nbar.sync 0;\n";
    auto Cycles = [&](unsigned Count) {
      return double(runBody(device(),
                            Registers + Pre +
                                repeat("ld.shared.u32 %r4, [%r4];\n", Count),
                            {1}, {32}, {}, Scope)
                        .Cycles);
    };
    EXPECT_NEAR((Cycles(128) - Cycles(64)) / 64, 22 + 2 * (Ways - 1), 0.05);
  }
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

/// A body of random instructions over the registers, with branches.
std::string randomBody(std::mt19937 &Random) {
  static constexpr const char *Kinds[] = {
      "add.s32 %rD, %rA, %rB;\n",
      "mad.lo.s32 %rD, %rA, %rB, %rC;\n",
      "fma.rn.f32 %fD, %fA, %fB, %fC;\n",
      "max.f32 %fD, %fA, %fB;\n",
      "add.f64 %fd1, %fd1, %fd2;\n",
      "ex2.approx.ftz.f32 %fD, %fA;\n",
      "cvt.rn.f32.s32 %fD, %rA;\n",
      "shfl.sync.idx.b32 %rD, %rA, 3, 31, 0xFFFFFFFF;\n",
      "ld.shared.u32 %rD, [%r7];\n",
      "st.shared.u32 [%r7], %rA;\n",
      "ld.volatile.global.u32 %rD, [%rd1];\n",
      "ld.global.u32 %rD, [%rd1+64];\n",
      "st.global.u32 [%rd1+128], %rA;\n",
      "setp.lt.s32 %p1, %rA, %rB;\n",
      "@%p1 add.s32 %rD, %rA, %rB;\n",
      "bar.sync 0;\n",
      "atom.shared.add.u32 %rD, [%r7], %rA;\n",
  };
  std::string Text;
  for (unsigned N = 0; N != 60; ++N) {
    std::string I = Kinds[Random() % std::size(Kinds)];
    for (char &C : I)
      if (C >= 'A' && C <= 'D' && &C != I.data() &&
          (*(&C - 1) == 'r' || *(&C - 1) == 'f'))
        C = char('1' + Random() % 6);
    Text += I;
  }
  return Text;
}

TEST(ModernCore, EveryCycleAndAnyThreadsGiveTheSame) {
  std::mt19937 Random(1);
  for (unsigned N = 0; N != 25; ++N) {
    DeviceDescription D = N % 3 ? withFetch() : device();
    D.NumSMs = 3;
    std::string Body = Registers + "mov.u32 %r7, sh;\n" + randomBody(Random);
    Dim3 Block = {32 * (1 + unsigned(Random()) % 8)};
    TimingOptions Options;
    Options.Scheduler = EveryScheduler[N % std::size(EveryScheduler)];
    TimingStats One = runBody(D, Body, {7}, Block, Options, Scope);
    for (auto [Threads, EveryCycle] :
         {std::pair{1u, true}, {2u, false}, {3u, true}}) {
      Options.Threads = Threads;
      Options.EveryCycle = EveryCycle;
      TimingStats Other = runBody(D, Body, {7}, Block, Options, Scope);
      EXPECT_EQ(Other.Cycles, One.Cycles) << Body;
      EXPECT_EQ(Other.WriteConflicts, One.WriteConflicts);
      for (unsigned U = 0; U != NumSlotUses; ++U)
        EXPECT_EQ(Other.Slots[SlotUse(U)], One.Slots[SlotUse(U)])
            << slotUseName(SlotUse(U));
    }
  }
}

/// Eight instructions are on a line. A loop stays in the L0, in the L1, or
/// comes from the L2 each time: then eight lines are on their way at once.
TEST(ModernCore, CodeComesFromTheCaches) {
  DeviceDescription D = withFetch();
  auto Set = [&D](const char *Key, const char *Value) {
    std::ranges::find(D.Timing, std::string("core.fetch.") + Key,
                      &TimingFigure::Key)
        ->Value = Value;
  };
  auto CyclesOfLine = [&](unsigned Lines) {
    // Two registers in turns, so that only the FMA pipe is in the way.
    std::string Loop = repeat("add.f32 %f1, %f1, %f3;\n"
                              "add.f32 %f2, %f2, %f3;\n",
                              4 * Lines);
    auto Cycles = [&](unsigned Count) {
      return double(runBody(D,
                            Registers + "mov.u32 %r7, 0;\nL:\n" + Loop +
                                "add.u32 %r7, %r7, 1;\n"
                                "setp.lt.u32 %p1, %r7, " +
                                std::to_string(Count) + ";\n@%p1 bra L;\n",
                            {1}, {WarpSize}, {}, Scope)
                        .Cycles);
    };
    return (Cycles(6) - Cycles(2)) / 4 / Lines;
  };
  double InL0 = CyclesOfLine(100);
  EXPECT_NEAR(InL0, 16, 0.5); // Eight instructions, two cycles each.
  Set("l0_bytes", "1024");
  EXPECT_NEAR(CyclesOfLine(100), InL0, 0.5);
  // A line is asked for when the last instruction of the one before has issued.
  Set("stream_lines", "0");
  EXPECT_NEAR(CyclesOfLine(100), InL0 - 2 + 26, 1.5);
  Set("l1_bytes", "1024");
  Set("stream_lines", "8");
  EXPECT_NEAR(CyclesOfLine(100), (235 + 26) / 8.0, 3);
}

/// Of each CTA of four warps only the first works. Where CTAs begin with
/// different sub-cores, four of them take hardly longer than one.
TEST(ModernCore, CtasBeginWithDifferentSubCores) {
  auto Cycles = [](const char *Placement, unsigned Ctas, unsigned Warps) {
    DeviceDescription D = device();
    D.NumSMs = 1;
    std::ranges::find(D.Timing, "core.placement", &TimingFigure::Key)->Value =
        Placement;
    std::string Work = "mov.u32 %r3, %tid.x; setp.ge.u32 %p2, %r3, 32;\n"
                       "@%p2 bra END;\n" +
                       repeat("fma.rn.f32 %f1, %f2, %f3, %f4;\n"
                              "fma.rn.f32 %f5, %f2, %f3, %f4;\n",
                              200) +
                       "END:\n";
    return double(runBody(D, Registers + ".reg .pred %p2;\n" + Work, {Ctas},
                          {Warps * WarpSize}, {}, Scope)
                      .Cycles);
  };
  double One = Cycles("rotated", 1, 4);
  EXPECT_NEAR(Cycles("lowest", 1, 4), One, 10);
  EXPECT_LT(Cycles("rotated", 4, 4), One * 1.3);
  EXPECT_GT(Cycles("lowest", 4, 4), One * 2);
  // CTAs of one and of two warps are spread either way.
  for (unsigned Warps : {1, 2})
    EXPECT_LT(Cycles("rotated", 4 / Warps, Warps), One * 1.3) << Warps;
}

TEST(ModernCore, FiguresAreChecked) {
  struct Case {
    const char *Key, *Value, *Says;
    bool IsOptional = false;
  };
  for (const Case &C :
       {Case{"core.memory.queue", "0", "a whole number from 1 to 64"},
        {"core.memory.source_cycles", "-1", "a whole number from 2 to 64"},
        {"core.barrier.latency", "1000000", "a whole number from 1 to 256"},
        {"core.double_unit", "two", "one of sub-core, sm"},
        {"core.placement", "first", "one of lowest, rotated", true},
        {"core.fetch.l0_bytes", "0", "a whole number from 128 to 16777216"},
        {"l1.line_cycles", "0", "a whole number from 1 to 64"},
        {"shared.pass_cycles", "x", "a whole number from 1 to 64"}}) {
    DeviceDescription D = withFetch();
    std::ranges::find(D.Timing, C.Key, &TimingFigure::Key)->Value = C.Value;
    Result<std::unique_ptr<Machine>> M = Machine::create(D, {});
    ASSERT_FALSE(M) << C.Key;
    EXPECT_EQ(M.error().Message, "'timing." + std::string(C.Key) + "' is '" +
                                     C.Value + "'; expected " + C.Says);
    EXPECT_NE(M.error().Line, 0u);
    std::erase_if(D.Timing,
                  [&](const TimingFigure &F) { return F.Key == C.Key; });
    Result<std::unique_ptr<Machine>> Without = Machine::create(D, {});
    ASSERT_EQ(bool(Without), C.IsOptional) << C.Key;
    if (Without)
      continue;
    EXPECT_EQ(Without.error().Message, "device 'rtx6000' has no 'timing." +
                                           std::string(C.Key) +
                                           "', which the timing model needs");
  }
  DeviceDescription D = device();
  D.Target = "sm_20";
  Result<std::unique_ptr<Machine>> M = Machine::create(D, {});
  ASSERT_FALSE(M);
  EXPECT_EQ(M.error().Message,
            "device 'rtx6000' has a modern core: no latencies of 'sm_20' are "
            "known; there are those of sm_70, sm_75, sm_80, sm_86, sm_87, "
            "sm_89, sm_90");
}

} // namespace
} // namespace regshare::sim
