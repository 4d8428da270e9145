//===- NativeTimingTest.cpp - How long native code takes ------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

using namespace regshare;
using namespace regshare::sim;

static TimingStats timed(const DeviceDescription &D, const std::string &Body,
                         Dim3 Grid = {1}, Dim3 Block = {32},
                         const TimingOptions &Options = {}) {
  TestProgram T(nativeKernel().around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out = T.upload(std::vector<uint32_t>(16384));
  return runTimed(*machine(D, Options), T, "k", Grid, Block, {Out}, 24);
}

static const char *const Devices[] = {"gtx480", "hopper"};
static const char *const Schedulers[] = {"lrr", "gto", "two-level", "ltlws-lrr",
                                         "ltlws-gto"};

/// An addition of \p Slots, and what waits for it.
static std::string chain(unsigned Slots) {
  return issueSlots(Slots) + "add.u32 %r8, %r2, 1;\nadd.u32 %r9, %r8, 1;\n" +
         "add.u32 %r10, %r9, 1;\nst.global.u32 [%rd0], %r10;\n";
}

TEST(NativeTiming, SlotsComeOneByOne) {
  for (const char *Name : Devices)
    for (const char *Scheduler : Schedulers) {
      SCOPED_TRACE(std::string(Name) + " " + Scheduler);
      DeviceDescription D = deviceNamed(Name);
      TimingOptions Options;
      Options.Scheduler = Scheduler;
      // In a pipe of a sub-core an instruction begins each so many cycles.
      unsigned Each = std::string(Name) == "hopper"
                          ? figure(D, "core.interval.int.simple")
                          : 1;
      TimingStats One = timed(D, chain(1), {1}, {32}, Options);
      for (unsigned Slots : {2, 3, 9, 100}) {
        TimingStats S = timed(D, chain(Slots), {1}, {32}, Options);
        EXPECT_EQ(S.Cycles, One.Cycles + Each * (Slots - 1)) << Slots;
        EXPECT_EQ(S.Functional.issueSlots(),
                  One.Functional.issueSlots() + Slots - 1);
        EXPECT_EQ(S.BankReads, One.BankReads);
      }
    }
}

TEST(NativeTiming, PipesCountEachInstructionOfASequence) {
  const std::string End =
      "mad.lo.u32 %r9, %r2, %r3, %r8;\nst.global.u32 [%rd0], %r9;\n";
  for (const char *Name : {"gv100", "gtx480"}) {
    SCOPED_TRACE(Name);
    DeviceDescription D = deviceNamed(Name);
    auto Count = [&](const std::string &Body) {
      return timed(D, Body, {1}, {64}).PipeInstructions;
    };
    auto Before = Count(End), One = Count("add.u32 %r8, %r2, 1;\n" + End),
         Five = Count(issueSlots(5) + "add.u32 %r8, %r2, 1;\n" + End);
    uint64_t Added = 0, AddedByFive = 0;
    for (unsigned P = 0; P != NumPipes; ++P) {
      Added += One[P] - Before[P];
      AddedByFive += Five[P] - Before[P];
    }
    EXPECT_EQ(Added, 2u) << "an addition of two warps";
    EXPECT_EQ(AddedByFive, 2u * 5);
    EXPECT_GE(Before[unsigned(Pipe::Main)], 2u);
    EXPECT_GE(Before[unsigned(Pipe::Memory)], 2u);
  }
  DeviceDescription D = deviceNamed("gv100");
  auto Of = [&](const std::string &Body) {
    return timed(D, Body).PipeInstructions;
  };
  auto Before = Of(End), After = Of("add.u32 %r8, %r2, 1;\n" + End);
  EXPECT_EQ(After[unsigned(Pipe::Integer)],
            Before[unsigned(Pipe::Integer)] + 1);
}

TEST(NativeTiming, WhatTakesNoSlotTakesNoTime) {
  for (const char *Name : Devices) {
    DeviceDescription D = deviceNamed(Name);
    TimingStats Plain = timed(D, chain(1));
    TimingStats S = timed(D, "add.u32 %r8, %r2, 1;\n" + issueSlots(0) +
                                 "mov.b32 %r12, %r8;\n" + issueSlots(0) +
                                 "mov.b32 %r13, %r12;\n"
                                 "add.u32 %r9, %r13, 1;\n"
                                 "add.u32 %r10, %r9, 1;\n"
                                 "st.global.u32 [%rd0], %r10;\n");
    EXPECT_EQ(S.Cycles, Plain.Cycles) << Name;
    EXPECT_EQ(S.Slots.Slots, Plain.Slots.Slots);
    EXPECT_EQ(S.BankReads, Plain.BankReads);
    EXPECT_EQ(S.BankWrites, Plain.BankWrites);
  }
}

TEST(NativeTiming, ABranchThatHardwareDoesWithoutTakesNoTime) {
  for (const char *Name : Devices) {
    DeviceDescription D = deviceNamed(Name);
    const std::string End =
        "add.u32 %r8, %r2, 1;\nst.global.u32 [%rd0], %r8;\n";
    TimingStats Plain = timed(D, End);
    TimingStats S = timed(D, issueSlots(0) + "bra.uni NEXT;\nNEXT:\n" + End);
    EXPECT_EQ(S.Cycles, Plain.Cycles) << Name;
    EXPECT_EQ(S.Slots.Slots, Plain.Slots.Slots);
  }
}

/// A branch that hardware has not, with a side of an addition and a division,
/// and another one of a product. \p Taken: by how many lanes.
static std::string predicated(unsigned Taken) {
  return "setp.lt.u32 %p1, %r2, " + std::to_string(Taken) + ";\n" +
         issueSlots(0) + "@%p1 bra SIDE;\nadd.u32 %r8, %r2, 1;\n" +
         issueSlots(4) + "div.u32 %r9, %r8, %r3;\n" + issueSlots(0) +
         "bra.uni MEET;\nSIDE:\nmul.lo.u32 %r8, %r2, %r2;\nMEET:\n"
         "st.global.u32 [%rd0], %r8;\n";
}

TEST(NativeTiming, APredicatedSideTakesItsSlotsWhetherOrNotALaneDoes) {
  for (const char *Name : {"gtx480", "hopper", "gv100"}) {
    SCOPED_TRACE(Name);
    DeviceDescription D = deviceNamed(Name);
    TimingStats Both = timed(D, predicated(16));
    for (unsigned Taken : {0, 32}) {
      TimingStats S = timed(D, predicated(Taken));
      EXPECT_EQ(S.Slots[SlotUse::Issued], Both.Slots[SlotUse::Issued]) << Taken;
      EXPECT_EQ(S.PipeInstructions, Both.PipeInstructions) << Taken;
      EXPECT_LE(S.Cycles, Both.Cycles) << Taken;
    }
  }
}

/// \p Side under a predicate that no lane has, between two stores of what \p
/// Before has left in R8.
static std::string skipped(const std::string &Before, const std::string &Side) {
  return "setp.lt.u32 %p1, %r2, 32;\n" + Before + issueSlots(0) +
         "@%p1 bra MEET;\n" + Side + "MEET:\nst.global.u32 [%rd0], %r3;\n";
}

/// Whether a lane executes it, the address unit finds out.
TEST(NativeTiming, ALoadThatNoLaneExecutesPassesTheAddressUnit) {
  DeviceDescription D = deviceNamed("gv100");
  std::erase_if(D.Timing, [](const TimingFigure &F) {
    return F.Key.starts_with("core.fetch.");
  });
  auto Cycles = [&](const char *Load, unsigned Times) {
    return timed(D, skipped("", repeat(Load, Times))).Cycles;
  };
  for (const char *Load :
       {"ld.global.u32 %r9, [%rd0];\n", "ld.const.u32 %r9, [4];\n"}) {
    SCOPED_TRACE(Load);
    unsigned Each = figure(D, std::string_view(Load).starts_with("ld.const")
                                  ? "core.memory.constant_interval"
                                  : "core.memory.address_interval");
    EXPECT_EQ(Cycles(Load, 20) - Cycles(Load, 12), 8 * Each);
  }
}

/// A dependence counter is awaited whatever the predicate says.
TEST(NativeTiming, AnInstructionThatNoLaneExecutesWaitsForItsOperands) {
  DeviceDescription D = deviceNamed("gv100");
  const std::string Load = "ld.global.u32 %r8, [%rd0];\n";
  uint64_t Waits = timed(D, skipped(Load, "add.u32 %r9, %r8, 1;\n")).Cycles;
  uint64_t Other = timed(D, skipped(Load, "add.u32 %r9, %r3, 1;\n")).Cycles;
  EXPECT_GT(Waits, Other + 100);
  // Collectors have a scoreboard, and hardware of that age branches.
  DeviceDescription Old = deviceNamed("gtx480");
  EXPECT_EQ(timed(Old, skipped(Load, "add.u32 %r9, %r8, 1;\n")).Cycles,
            timed(Old, skipped(Load, "add.u32 %r9, %r3, 1;\n")).Cycles);
}

TEST(NativeTiming, ABranchOfTheHardwareGoesAroundItsSides) {
  for (const char *Name : {"gtx480", "hopper", "gv100"}) {
    SCOPED_TRACE(Name);
    DeviceDescription D = deviceNamed(Name);
    auto Issued = [&](unsigned Taken) {
      std::string Body = predicated(Taken);
      std::string Free = issueSlots(0);
      for (size_t At; (At = Body.find(Free)) != std::string::npos;)
        Body.erase(At, Free.size());
      return timed(D, Body).Slots[SlotUse::Issued];
    };
    EXPECT_LT(Issued(0), Issued(16));
    EXPECT_LT(Issued(32), Issued(0));
  }
}

TEST(NativeTiming, AGroupIsAsLongAsItsConsumer) {
  for (const char *Name : Devices) {
    DeviceDescription D = deviceNamed(Name);
    const std::string End = "st.global.u32 [%rd0], %r10;\n";
    TimingStats Plain = timed(D, "add.u32 %r10, %r2, %r3;\n" + End);
    TimingStats S = timed(D, "mov.u32 %k0, 5;\nxor.b32 %f0, %r2, %k0;\n"
                             "xor.b32 %f1, %f0, %r3;\n"
                             "add.u32 %r10, %f1, %f0;\n" +
                                 End);
    EXPECT_EQ(S.Cycles, Plain.Cycles) << Name;
    EXPECT_EQ(S.BankReads, Plain.BankReads) << "the union: R2 and R3";
    EXPECT_EQ(S.LaneOps, Plain.LaneOps);
  }
}

TEST(NativeTiming, AProductThatIsAddedIsAMultiplyAddition) {
  DeviceDescription D = deviceNamed("gtx480");
  setFigure(D, "core.latency.int.mad", 50);
  const std::string End =
      "add.u32 %r10, %r8, 1;\nst.global.u32 [%rd0], %r10;\n";
  EXPECT_EQ(
      timed(D, "mul.lo.u32 %f0, %r2, %r3;\nadd.u32 %r8, %f0, %r2;\n" + End)
          .Cycles,
      timed(D, "mad.lo.u32 %r8, %r2, %r3, %r2;\n" + End).Cycles);
}

TEST(NativeTiming, WarpsShareTheSlotsOfAScheduler) {
  for (const char *Name : Devices) {
    DeviceDescription D = deviceNamed(Name);
    unsigned Schedulers = figure(D, "core.schedulers");
    // Several warps on one scheduler, each with a sequence.
    TimingStats S = timed(D, chain(200), {1}, {4 * Schedulers * 32});
    EXPECT_GE(S.Cycles, 4u * 200);
    EXPECT_EQ(S.Functional.issueSlots(),
              S.Functional.WarpInstructions + uint64_t(4) * Schedulers * 199);
  }
}

TEST(NativeTiming, ControlTakesItsSlotsFirst) {
  for (const char *Name : Devices) {
    DeviceDescription D = deviceNamed(Name);
    auto Cycles = [&](unsigned Slots, const std::string &Text) {
      // The first store waits for the address.
      const std::string Store = "st.global.u32 [%rd0], %r2;\n";
      return timed(D, Store + issueSlots(Slots) + Text + Store).Cycles;
    };
    for (const char *Text :
         {"bra.uni NEXT;\nNEXT:\n", "bar.sync 0;\n", "bar.warp.sync -1;\n"}) {
      // The load/store unit is busy with the store before at first.
      EXPECT_GT(Cycles(9, Text), Cycles(1, Text)) << Name << " " << Text;
      EXPECT_EQ(Cycles(19, Text), Cycles(9, Text) + 10) << Name << " " << Text;
    }
  }
}

TEST(NativeTiming, ADivisionOfSeveralSlotsIsMultiplyAdditions) {
  DeviceDescription D = deviceNamed("gtx480");
  const std::string Divide = "div.u32 %r8, %r2, 3;\nadd.u32 %r9, %r8, 1;\n";
  uint64_t Before = timed(D, issueSlots(20) + Divide).Cycles;
  setFigure(D, "core.latency.int.divide", 800);
  EXPECT_EQ(timed(D, issueSlots(20) + Divide).Cycles, Before);
  EXPECT_GT(timed(D, Divide).Cycles, Before + 700);
}

TEST(NativeTiming, PipesCountWhatComputesInADivision) {
  DeviceDescription D = deviceNamed("gv100");
  auto Count = [&](const std::string &Body) {
    return timed(D, Body).PipeInstructions[unsigned(Pipe::Main)];
  };
  const std::string Int = "div.u32 %r8, %r2, 3;\n",
                    Float = "div.rn.f32 %r8, %r2, %r3;\n";
  uint64_t Before = Count("");
  // Two conversions and a reciprocal are not the pipe's.
  EXPECT_EQ(Count(issueSlots(20) + Int), Before + 17);
  // A reciprocal, a check, and a branch with what goes with it are not.
  EXPECT_EQ(Count(issueSlots(11) + Float), Before + 6);
}

TEST(NativeTiming, AFloatingPointDivisionBeginsWithAReciprocal) {
  auto Cycles = [](const std::string &Divide, unsigned Special) {
    DeviceDescription D = deviceNamed("gv100");
    setFigure(D, "core.latency.special", Special);
    return timed(D, issueSlots(11) + Divide + "add.u32 %r9, %r8, 1;\n" +
                        "st.global.u32 [%rd0], %r9;\n")
        .Cycles;
  };
  const std::string Float = "div.rn.f32 %r8, %r2, %r3;\n",
                    Int = "div.u32 %r8, %r2, %r3;\n";
  // So much more do the special registers at the kernel's begin take.
  uint64_t More = Cycles(Int, 40) - Cycles(Int, 20);
  EXPECT_EQ(Cycles(Float, 40), Cycles(Float, 20) + More + 20);
}

/// 34 instructions of a division and 8 of a root, four cycles each, if any lane
/// that executes it has such an operand.
TEST(NativeTiming, WhatIsNoNormalNumberTakesTheSlowPath) {
  auto Run = [](const char *Device, const std::string &Op,
                const std::string &Lane3) {
    return timed(deviceNamed(Device),
                 "mov.b32 %r9, 0;\nmov.b32 %r8, 0f3FC00000;\nsetp.eq.u32 %p1, "
                 "%r2, 3;\n@%p1 "
                 "mov.b32 %r8, " +
                     Lane3 + ";\n" + issueSlots(11) + Op +
                     "add.u32 %r10, %r9, 1;\nst.global.u32 [%rd0], %r10;\n");
  };
  const std::string Usual = "0f40200000", Zero = "0f00000000",
                    Infinite = "0f7F800000", NaN = "0f7FC00000";
  struct Case {
    std::string Op;
    unsigned Slots;
  };
  const Case Cases[] = {
      {"div.rn.f32 %r9, %r8, 0f40400000;\n", 34},
      {"rcp.rn.f32 %r9, %r8;\n", 34},
      {"sqrt.rn.f32 %r9, %r8;\n", 8},
      {"@!%p1 div.rn.f32 %r9, %r8, 0f40400000;\n", 0},
      {"sqrt.approx.f32 %r9, %r8;\n", 0},
  };
  for (const Case &C : Cases)
    for (const std::string &Lane3 : {Zero, Infinite, NaN}) {
      SCOPED_TRACE(C.Op + Lane3);
      TimingStats Fast = Run("gv100", C.Op, Usual),
                  Slow = Run("gv100", C.Op, Lane3);
      EXPECT_EQ(Slow.Cycles, Fast.Cycles + 4 * C.Slots);
      EXPECT_EQ(Slow.Functional.issueSlots(),
                Fast.Functional.issueSlots() + C.Slots);
      EXPECT_EQ(Run("gtx480", C.Op, Lane3).Cycles,
                Run("gtx480", C.Op, Usual).Cycles);
    }
}

TEST(NativeTiming, ConversionsOfDoublePrecisionAreTheSpecialUnits) {
  const std::string Convert = "cvt.f64.f32 %rd3, %r2;\n",
                    Add = "add.f64 %rd3, %rd0, %rd0;\n";
  for (const char *Name : {"gv100", "rtx6000"}) {
    DeviceDescription D = deviceNamed(Name);
    auto Of = [&](const std::string &Body, Pipe P) {
      return timed(D, Body).PipeInstructions[unsigned(P)] -
             timed(D, "").PipeInstructions[unsigned(P)];
    };
    // Of a TU102 the one unit of the SM does both.
    bool IsShared = std::string(Name) == "rtx6000";
    EXPECT_EQ(Of(Convert, Pipe::Special), IsShared ? 0u : 1u) << Name;
    EXPECT_EQ(Of(Convert, Pipe::Double), IsShared ? 1u : 0u) << Name;
    EXPECT_EQ(Of(Add, Pipe::Double), 1u) << Name;
  }
}

/// Loops, both sides of branches, barriers, loads and sequences.
static const std::string Everything =
    "ld.param.u64 %c0, [out];\nmov.u32 %r8, 0;\nmov.u32 %r9, 0;\n"
    "LOOP:\n" +
    issueSlots(3) +
    "mul.lo.u32 %f0, %r9, 2;\nadd.u32 %f1, %f0, 1;\nadd.u32 %r8, %r8, %f1;\n" +
    issueSlots(0) + "mov.b32 %r10, %r8;\n" + issueSlots(2) +
    "and.b32 %f2, %r2, 31;\nmul.wide.u32 %g0, %f2, 4;\nadd.s64 %g1, %g0, "
    "%c0;\n" +
    "ld.global.u32 %r11, [%g1];\nadd.u32 %r8, %r10, %r11;\n" + issueSlots(4) +
    pragma("scratch regs=R12,R13") +
    "div.u32 %r14, %r8, 3;\n"
    "setp.gt.u32 %p1, %r2, 15;\n" +
    issueSlots(2) +
    "@%p1 bra SIDE;\nadd.u32 %r8, %r8, %r14;\nbra.uni MEET;\n"
    "SIDE:\nxor.b32 %r8, %r8, %r14;\n"
    "MEET:\n" +
    issueSlots(2) +
    "bar.sync 0;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, 6;\n"
    "@%p2 bra LOOP;\nmul.wide.u32 %g2, %r4, 4;\nadd.s64 %g3, %g2, %c0;\n"
    "st.global.u32 [%g3+4096], %r8;\n" +
    issueSlots(2) + "ret;\n";

TEST(NativeTiming, SkippingAheadAndThreadsChangeNothing) {
  for (const char *Name : Devices)
    for (const char *Scheduler : Schedulers) {
      SCOPED_TRACE(std::string(Name) + " " + Scheduler);
      DeviceDescription D = deviceNamed(Name);
      auto Run = [&](bool EveryCycle, unsigned Threads,
                     std::vector<uint32_t> &Words) {
        TimingOptions Options;
        Options.Scheduler = Scheduler;
        Options.EveryCycle = EveryCycle;
        Options.Threads = Threads;
        TestProgram T(nativeKernel().around(Everything));
        EXPECT_TRUE(T.P) << T.Error;
        uint64_t Out = T.upload(std::vector<uint32_t>(16384, 7));
        TimingStats S =
            runTimed(*machine(D, Options), T, "k", {20}, {96}, {Out}, 24);
        Words = T.download<uint32_t>(Out, 16384);
        return S;
      };
      std::vector<uint32_t> Words[3];
      TimingStats A = Run(false, 1, Words[0]), B = Run(true, 1, Words[1]),
                  C = Run(false, 3, Words[2]);
      for (const TimingStats *Other : {&B, &C}) {
        EXPECT_EQ(A.Cycles, Other->Cycles);
        EXPECT_EQ(A.Slots.Slots, Other->Slots.Slots);
        EXPECT_EQ(A.Functional.issueSlots(), Other->Functional.issueSlots());
      }
      EXPECT_EQ(Words[0], Words[1]);
      EXPECT_EQ(Words[0], Words[2]);
      TestProgram T(nativeKernel().around(Everything));
      uint64_t Out = T.upload(std::vector<uint32_t>(16384, 7));
      ASSERT_TRUE(T.run("k", {20}, {96}, {Out})) << T.Error;
      EXPECT_EQ(T.download<uint32_t>(Out, 16384), Words[0]);
      EXPECT_EQ(T.Stats.WarpInstructions, A.Functional.WarpInstructions);
      EXPECT_EQ(T.Stats.issueSlots(), A.Functional.issueSlots());
    }
}
