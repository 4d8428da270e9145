//===- TimingRFVTest.cpp - Virtualised registers, with timing -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "FuzzIterations.h"
#include "regshare/Base/RFV/RFV.h"

#include <gmock/gmock.h>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

constexpr unsigned Regs = 24;

TimingStats runVirtualised(const DeviceDescription &D, const std::string &Body,
                           unsigned Warps, unsigned Ctas = 1,
                           TimingOptions Options = {}) {
  Options.Applied = schemes::RFV;
  TestProgram T(virtualised(Regs).around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  uint64_t Out =
      T.upload(std::vector<uint32_t>(size_t(Ctas) * Warps * WarpSize));
  return runTimed(*machine(D, Options), T, "k", {Ctas}, {Warps * WarpSize},
                  {Out}, Regs);
}

DeviceDescription oneSM(const char *Name = "gtx480") {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 1;
  return D;
}

/// What the prologue of AnnotatedKernel writes: R0 to R5.
constexpr unsigned Prologue = 6;

TEST(TimingRFV, RowsAreTakenWhenWrittenAndReturnedWhenFreed) {
  auto Taken = [](const std::string &Body) {
    TimingStats S = runVirtualised(oneSM(), Body, 1);
    EXPECT_EQ(S.Pool.Taken, S.Pool.Returned);
    return S.Pool;
  };
  EXPECT_EQ(Taken("").Taken, Prologue);
  EXPECT_EQ(Taken("").PeakInUse, Prologue);
  // Written twice it is one row; freed between, two.
  EXPECT_EQ(Taken("mov.u32 %r6, 1;\nmov.u32 %r6, 2;\n").Taken, Prologue + 1);
  EXPECT_EQ(
      Taken("mov.u32 %r6, 1;\n" + pragma("free regs=R6") + "mov.u32 %r6, 2;\n")
          .Taken,
      Prologue + 2);
  // A pair is two rows.
  EXPECT_EQ(Taken("mov.u64 %rd4, 1;\n").Taken, Prologue + 2);
  EXPECT_EQ(Taken(pragma("free regs=R2,R3") + "mov.u64 %rd4, 1;\n").PeakInUse,
            Prologue);
  EXPECT_EQ(Taken("// implicit-def: %r8\nadd.u32 %r6, %r8, 1;\n").Taken,
            Prologue + 1);
  // One that is not taken cannot be freed.
  EXPECT_EQ(Taken(pragma("free regs=R20,R21")).Returned, Prologue);
}

/// A free costs no issue slot and no time.
TEST(TimingRFV, FreesTakeNoTime) {
  const std::string Body = repeat("add.u32 %r6, %r2, %r3;\n", 40);
  const std::string Freed =
      repeat("add.u32 %r6, %r2, %r3;\n" + pragma("free regs=R6"), 40);
  TimingStats A = runVirtualised(oneSM(), Body, 4);
  TimingStats B = runVirtualised(oneSM(), Freed, 4);
  EXPECT_EQ(A.Functional.WarpInstructions, B.Functional.WarpInstructions);
  EXPECT_EQ(A.Slots[SlotUse::Issued], B.Slots[SlotUse::Issued]);
  EXPECT_NEAR(double(A.Cycles), double(B.Cycles), 2);
}

/// With rows enough and nothing to gain, it is Baseline to the cycle.
TEST(TimingRFV, WithoutPressureItIsBaseline) {
  const std::string Body =
      repeat("ld.global.u32 %r6, [%rd0];\nmad.lo.u32 %r7, %r6, %r2, %r3;\n"
             "add.u64 %rd4, %rd0, %rd2;\nst.global.u32 [%rd0], %r7;\n",
             20);
  for (const char *Name : TimedPresets) {
    DeviceDescription D = oneSM(Name);
    TestProgram T(virtualised(Regs).around(Body));
    uint64_t Out = T.upload(std::vector<uint32_t>(8192));
    // On a modern core banks matter: no warp may get the rows of another.
    Dim3 Grid = {textFigure(D, "core.organisation") == "modern" ? 4u : 8u};
    TimingStats Plain = runTimed(*machine(D), T, "k", Grid, {256}, {Out}, 16);
    TimingOptions Options;
    Options.Applied = schemes::RFV;
    TimingStats S =
        runTimed(*machine(D, Options), T, "k", Grid, {256}, {Out}, 16);
    ASSERT_EQ(S.Resident.CTAs, Plain.Resident.CTAs);
    EXPECT_EQ(S.Pool.WaitCycles, 0u);
    EXPECT_EQ(S.Cycles, Plain.Cycles);
    EXPECT_EQ(S.Slots.Slots, Plain.Slots.Slots);
  }
}

/// Registers do not limit residency.
TEST(TimingRFV, Residency) {
  DeviceDescription D = deviceNamed("gtx480");
  TimingOptions Options;
  Options.Applied = schemes::RFV;
  std::unique_ptr<Machine> M = machine(D, Options);
  for (unsigned R : {20u, 32u, 63u})
    EXPECT_EQ(M->residency({R, 256, 0})->CTAs, 6u);
  // But one CTA has to fit alone.
  EXPECT_EQ(M->residency({32, 1024, 0})->CTAs, 1u);
  EXPECT_FALSE(M->residency({33, 1024, 0}));
  // 512 rows of each of four partitions.
  M = machine(deviceNamed("hopper"), Options);
  EXPECT_EQ(M->residency({64, 1024, 0})->CTAs, 2u);
  EXPECT_FALSE(M->residency({65, 1024, 0}));
  // Five warps of which two are in one partition.
  EXPECT_EQ(M->residency({200, 160, 0})->CTAs, 8u);
}

/// A load is under way when its register is freed: what it delivers is lost as
/// well, wherever in the machine's turn it was issued.
TEST(TimingRFV, LateValuesOfFreedRegistersAreLost) {
  for (unsigned Delay = 0; Delay != 6; ++Delay) {
    TestProgram T(virtualised(Regs).around(
        repeat("add.u32 %r8, %r2, 1;\n", Delay) +
        "ld.global.u32 %r6, [%rd0];\n" + pragma("free regs=R6") +
        "st.global.u32 [%rd0], %r6;\n"));
    uint64_t Out = T.upload(std::vector<uint32_t>(32, 7));
    TimingOptions Options;
    Options.Applied = schemes::RFV;
    TimedLaunchOptions Launch;
    Launch.Functional.CheckUnwritten = false;
    auto Bytes = packArguments(*T.P->findKernel("k"), {Out});
    ASSERT_TRUE(machine(oneSM(), Options)
                    ->run(*T.P, T.Memory, "k", {{1}, {32}, 0, *Bytes}, Launch));
    EXPECT_THAT(T.download<uint32_t>(Out, 32), testing::Each(0xDEADC0DEu));
  }
}

TEST(TimingRFV, StorageOfThePaper) {
  EXPECT_EQ(runVirtualised(oneSM(), "", 1).Pool.StorageBits, 30240u + 1024u);
}

/// Random code that writes registers, frees them, and takes ways that lanes or
/// warps do not share; and what it does to a warp's rows, kept as a set.
class RandomProgram {
public:
  explicit RandomProgram(unsigned Seed) : Random(Seed) {
    for (unsigned R = 0; R != Prologue; ++R)
      Rows.insert(R);
    Taken = Rows.size();
    block(12, 3);
    Text += "mov.u32 %r6, 1;\n";
    write(6);
  }

  std::string Text;
  uint64_t Taken = 0;

private:
  unsigned upTo(unsigned N) { return unsigned(Random() % (N + 1)); }
  void write(unsigned R) { Taken += Rows.insert(R).second; }

  void statement() {
    if (upTo(2) == 0) {
      unsigned First = 8 + upTo(5), Last = First + upTo(Regs - 1 - First);
      std::string List;
      for (unsigned R = First; R <= Last; R += 1 + upTo(3)) {
        List += (List.empty() ? "R" : ",R") + std::to_string(R);
        Rows.erase(R);
      }
      Text += pragma("free regs=" + List);
      return;
    }
    if (upTo(3) == 0) {
      unsigned Pair = 4 + upTo(Regs / 2 - 5);
      Text += "mov.u64 %rd" + std::to_string(Pair) + ", 9;\n";
      write(2 * Pair);
      write(2 * Pair + 1);
      return;
    }
    unsigned R = 8 + upTo(Regs - 9);
    Text += "add.u32 %r" + std::to_string(R) + ", %r2, 7;\n";
    write(R);
  }

  /// Both sides run if lanes disagree, the one that falls through first. Every
  /// depth asks another bit of the lane's number.
  void branch(unsigned Length, unsigned Depth) {
    std::string Name = std::to_string(Labels++);
    bool Diverges = upTo(1);
    Text += "and.b32 %r6, %r2, " + std::to_string(Diverges ? 1 << Depth : 0) +
            ";\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra ELSE" + Name + ";\n";
    write(6);
    block(Length, Depth);
    Text += "bra.uni JOIN" + Name + ";\nELSE" + Name + ":\n";
    std::set<unsigned> Before = Rows;
    uint64_t TakenBefore = Taken;
    block(Length, Depth);
    if (!Diverges) {
      Rows = Before;
      Taken = TakenBefore;
    }
    Text += "JOIN" + Name + ":\n";
  }

  void block(unsigned Length, unsigned Depth) {
    for (unsigned N = 0; N != Length; ++N)
      if (Depth && upTo(5) == 0)
        branch(Length / 2, Depth - 1);
      else
        statement();
  }

  std::mt19937 Random;
  std::set<unsigned> Rows;
  unsigned Labels = 0;
};

TEST(TimingRFV, CountsAreThoseOfASetPerWarp) {
  for (unsigned Seed = 0; Seed != test::randomCases(120); ++Seed) {
    RandomProgram P(Seed);
    constexpr unsigned Warps = 3, Ctas = 5;
    const char *Device = Seed % 2 ? "gtx480" : "hopper";
    TimingStats S = runVirtualised(oneSM(Device), P.Text, Warps, Ctas);
    EXPECT_EQ(S.Pool.Taken, Warps * Ctas * P.Taken) << Seed;
    EXPECT_EQ(S.Pool.Returned, S.Pool.Taken) << Seed;
  }
}

/// Each thread writes its registers from R8 on, which it needs for as long as
/// a few loads take that wait for each other, one of 256 bytes after the other;
/// then it adds them up.
std::string longLived(unsigned Live, unsigned Loads) {
  std::string Body = "mov.u32 %r6, 0;\n";
  for (unsigned R = 8; R != 8 + Live; ++R)
    Body += "add.u32 %r" + std::to_string(R) + ", %r2, 1;\n";
  for (unsigned N = 0; N != Loads; ++N)
    Body += "ld.global.u32 %r6, [%rd0];\nadd.u64 %rd0, %rd0, 4096;\n"
            "and.b32 %r6, %r6, 0;\nmul.wide.u32 %rd2, %r6, 4;\n"
            "add.u64 %rd0, %rd0, %rd2;\n";
  for (unsigned R = 8; R != 8 + Live; ++R)
    Body += "add.u32 %r6, %r6, %r" + std::to_string(R) + ";\n" +
            pragma("free regs=R" + std::to_string(R));
  return Body;
}

TimingStats runLongLived(unsigned Live, Scheme S, bool Throttle) {
  DeviceDescription D = oneSM();
  D.Registers = 2 * 4 * Regs * D.WarpSize; // Two CTAs of four warps.
  TimingOptions Options;
  Options.Applied = S;
  Options.Settings.set(settings::ThrottleCtas, Throttle);
  TestProgram T(virtualised(Regs).around(longLived(Live, 6)));
  uint64_t Out = T.upload(std::vector<uint32_t>(32 * 128 + 6 * 1024));
  return runTimed(*machine(D, Options), T, "k", {32}, {128}, {Out}, Regs);
}

/// Where CTAs use all they may for most of their time, no more become resident
/// than can have it; those that wait would keep what others need.
TEST(TimingRFV, NoMoreCtasThanCanRun) {
  TimingStats Plain = runLongLived(16, schemes::Baseline, true);
  TimingStats Throttled = runLongLived(16, schemes::RFV, true);
  TimingStats All = runLongLived(16, schemes::RFV, false);
  EXPECT_EQ(Plain.Resident.CTAs, 2u);
  EXPECT_EQ(Throttled.Pool.WaitCycles, 0u);
  EXPECT_NEAR(double(Throttled.Cycles) / double(Plain.Cycles), 1, 0.02);
  EXPECT_GT(All.Pool.WaitCycles, 0u);
  EXPECT_GT(double(All.Cycles), 1.05 * double(Plain.Cycles));
}

/// Where a few registers live long and the others do not, more CTAs run.
TEST(TimingRFV, MoreCtasThanCouldClaimAll) {
  TimingStats Plain = runLongLived(2, schemes::Baseline, true);
  TimingStats Throttled = runLongLived(2, schemes::RFV, true);
  EXPECT_LT(double(Throttled.Cycles), 0.8 * double(Plain.Cycles));
  EXPECT_GT(Throttled.WarpCycles / Throttled.Cycles,
            Plain.WarpCycles / Plain.Cycles);
}

/// Even CTAs wait for what the next one writes, after it has claimed all of its
/// registers. Two CTAs have room for that, as under Baseline.
TEST(TimingRFV, CtasThatWaitForOthersKeepTheirClaims) {
  std::string Fill;
  for (unsigned R = 10; R != Regs; ++R)
    Fill += "add.u32 %r" + std::to_string(R) + ", %r2, 1;\n";
  const std::string Body =
      "mov.u32 %r8, 1;\nand.b32 %r9, %r3, 1;\n"
      "setp.ne.u32 %p1, %r9, 0;\n@%p1 bra ODD;\n"
      "EVEN:\nld.volatile.global.u32 %r6, [%rd0+128];\n"
      "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra EVEN;\nbra.uni END;\n"
      "ODD:\n" +
      repeat("ld.global.u32 %r6, [%rd0];\nadd.u32 %r6, %r6, %r6;\n", 4) + Fill +
      "st.volatile.global.u32 [%rd0], %r8;\nEND:\n" + Fill;
  for (bool Throttle : {true, false}) {
    DeviceDescription D = oneSM();
    D.Registers = 2 * Regs * D.WarpSize;
    TimingOptions Options;
    Options.Settings.set(settings::ThrottleCtas, Throttle);
    TimingStats S = runVirtualised(D, Body, 1, 16, Options);
    EXPECT_EQ(S.Resident.CTAs, 2u);
    EXPECT_EQ(S.Functional.Ctas, 16u);
    EXPECT_EQ(S.Pool.WaitCycles, 0u);
  }
}

/// Warps fill all of their registers, meet at a barrier, and give them back, on
/// a register file that holds what one CTA may claim and a little more.
TEST(TimingRFV, ThrottledCtasDoNotDeadlock) {
  std::string Fill, All;
  for (unsigned R = 6; R != Regs; ++R) {
    Fill += "add.u32 %r" + std::to_string(R) + ", %r2, " + std::to_string(R) +
            ";\n";
    All += (R == 6 ? "R" : ",R") + std::to_string(R);
  }
  const std::string Round = Fill + "bar.sync 0;\nadd.u32 %r6, %r7, %r8;\n" +
                            pragma("free regs=" + All);
  for (const char *Name : TimedPresets)
    for (const char *Scheduler : EveryScheduler)
      for (unsigned More : {0, 5, 12}) {
        DeviceDescription D = oneSM(Name);
        unsigned Warps = 8, P = D.RegisterPartitions;
        D.Registers = (Warps / P * Regs + More) * D.WarpSize * P;
        TimingOptions Options;
        Options.Scheduler = Scheduler;
        Options.Settings.set(settings::ThrottleCtas, false);
        TimingStats S = runVirtualised(D, repeat(Round, 5), Warps, 24, Options);
        EXPECT_EQ(S.Functional.Ctas, 24u);
        EXPECT_GT(S.Resident.CTAs, 1u);
        EXPECT_GT(S.Pool.Attempts, S.Pool.Successes) << Name;
        EXPECT_GT(S.Pool.WaitCycles, 0u);
        EXPECT_LE(S.Pool.PeakInUse, S.Pool.Capacity);
        EXPECT_GT(S.Slots[SlotUse::SchemeGate], 0u);
      }
}

/// The same with random code; a barrier in the middle.
TEST(TimingRFV, RandomProgramsEndOnASmallRegisterFile) {
  for (unsigned Seed = 0; Seed != test::randomCases(80); ++Seed) {
    DeviceDescription D = oneSM(Seed % 2 ? "gtx480" : "hopper");
    unsigned Warps = 1 + Seed % 7, P = D.RegisterPartitions;
    D.Registers = ((Warps + P - 1) / P * Regs + Seed % 11) * D.WarpSize * P;
    std::string Body =
        RandomProgram(Seed).Text + "bar.sync 0;\n" + RandomProgram(Seed).Text;
    // Labels are a program's own.
    size_t Half = Body.find("bar.sync");
    for (const char *Label : {"ELSE", "JOIN"})
      for (size_t At = Body.find(Label, Half); At != std::string::npos;
           At = Body.find(Label, At + 5))
        Body.insert(At, "X");
    TimingOptions Options;
    Options.Settings.set(settings::ThrottleCtas, Seed >= 40);
    TimingStats S = runVirtualised(D, Body, Warps, 12, Options);
    EXPECT_EQ(S.Functional.Ctas, 12u);
    EXPECT_EQ(S.Pool.Taken, S.Pool.Returned);
  }
}

} // namespace
} // namespace regshare::sim
