//===- TimingEXPARSTest.cpp - Registers in scratchpad ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels of 28 registers, of which the code needs six in the register file.
/// R8 and R24 have the same line of an operand cache of 2 KB.
///
//===----------------------------------------------------------------------===//

#include "AnnotatedTest.h"
#include "regshare/Base/EXPARS/EXPARS.h"

#include <gmock/gmock.h>

namespace regshare::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned Regs = 28, Kept = 6;

std::string bounds(unsigned Bytes = 2048, unsigned Of = Kept) {
  return pragma("bundles cache=" + std::to_string(Bytes) +
                " kept=" + std::to_string(Of));
}

/// The prologue of AnnotatedKernel names R0 to R5.
AnnotatedKernel bundled(unsigned Bytes = 2048, std::string ModuleScope = {}) {
  return {"expars", Regs, 0, 0, std::move(ModuleScope), bounds(Bytes)};
}

/// A bundle begins.
std::string pref(const std::string &Units = "") {
  return pragma(Units.empty() ? "pref" : "pref regs=" + Units);
}

/// One SM, with registers for \p Rows registers of a warp.
DeviceDescription tight(unsigned Rows, const std::string &Name = "gtx480") {
  DeviceDescription D = deviceNamed(Name);
  D.NumSMs = 1;
  D.Registers = Rows * WarpSize;
  return D;
}

struct Launch {
  unsigned Grid = 1, Block = 32;
  TimingOptions Options = {};
};

/// The scheme on \p D. It leaves in memory what a run without timing does,
/// unless CTAs add to the first word.
TimingStats runBundled(const DeviceDescription &D, const AnnotatedKernel &K,
                       const std::string &Body, Launch L = {}) {
  L.Options.Applied = schemes::EXPARS;
  TestProgram T(K.around(Body));
  EXPECT_TRUE(T.P) << T.Error;
  if (!T.P)
    return {};
  const std::vector<uint32_t> Zero(size_t(L.Grid) * L.Block);
  uint64_t Plain = T.upload(Zero), Out = T.upload(Zero);
  EXPECT_TRUE(T.run("k", {L.Grid}, {L.Block}, {Plain})) << T.Error;
  TimingStats S = runTimed(*machine(D, L.Options), T, "k", {L.Grid}, {L.Block},
                           {Out}, Regs);
  EXPECT_EQ(T.download<uint32_t>(Out, Zero.size()),
            T.download<uint32_t>(Plain, Zero.size()));
  return S;
}

/// What a launch with timing fails with, or "none".
std::string timedError(const std::string &Text, unsigned Threads = 32) {
  TestProgram T(Text);
  EXPECT_TRUE(T.P) << T.Error;
  if (!T.P)
    return T.Error;
  TimingOptions Options;
  Options.Applied = schemes::EXPARS;
  uint64_t Out = T.upload(std::vector<uint32_t>(Threads));
  Result<std::vector<uint8_t>> Bytes =
      packArguments(*T.P->findKernel("k"), {Out});
  Result<TimingStats> R =
      machine(deviceNamed("gtx480"), Options)
          ->run(*T.P, T.Memory, "k", {{1}, {Threads}, 0, *Bytes}, {});
  return R ? "none" : R.error().str();
}

//===----------------------------------------------------------------------===//
// One warp
//===----------------------------------------------------------------------===//

/// Not one whole CTA fits here. A warp asks after the instruction before its
/// bundle, and its first instruction is refused a cycle later, in which it is
/// granted the lines. Then comes a cycle for each row, the scratchpad's
/// latency, and the cycle in which the last row is written.
TEST(TimingEXPARS, ABundleWaitsForItsRows) {
  const DeviceDescription D = tight(16);
  const unsigned Latency = figure(D, "shared.latency");
  auto Of = [&](const std::string &Units) {
    return runBundled(D, bundled(), pref(Units) + "mov.u32 %r8, 1;\n").Operands;
  };
  OperandCacheStats Two = Of("R8,R9");
  EXPECT_EQ(Two.WholeCTAs, 0u);
  EXPECT_EQ(Two.MixedCTAs, 2u);
  EXPECT_EQ(Two.StartReg, 8u);
  EXPECT_EQ(Two.ScratchpadRows, 2u * 20);
  EXPECT_EQ(Two.Prefs, 1u);
  EXPECT_EQ(Two.Bundles, 1u);
  EXPECT_EQ(Two.Fetched, 2u);
  EXPECT_EQ(Two.Hits + Two.WrittenBack + Two.LateWrites, 0u);
  EXPECT_EQ(Two.Reads, 0u);
  EXPECT_EQ(Two.Writes, 1u);
  EXPECT_EQ(Two.WaitCycles, 2 + Latency + 1);
  EXPECT_EQ(Of("R8").WaitCycles, 1 + Latency + 1);
  EXPECT_EQ(Of("R8,R9,R10,R11,R12").WaitCycles, 5 + Latency + 1);
  // Those below Start_Reg are in the register file.
  EXPECT_EQ(Of("R6,R7,R8").WaitCycles, 1 + Latency + 1);
}

/// The register was changed, and goes back before the other one comes.
TEST(TimingEXPARS, WhatIsDisplacedIsWrittenBackFirst) {
  const DeviceDescription D = tight(16);
  const std::string First = pref("R8") + "mov.u32 %r8, %r2;\n";
  const std::string Idle = pref() + repeat("add.u32 %r5, %r2, 1;\n"
                                           "add.u32 %r5, %r5, 1;\n",
                                           4);
  auto Of = [&](const std::string &Unit) {
    return runBundled(D, bundled(),
                      First + Idle + pref("R" + Unit) + "mov.u32 %r" + Unit +
                          ", 1;\n" + pref("R8") +
                          "st.global.u32 [%rd0], %r8;\n")
        .Operands;
  };
  const uint64_t One = 1 + figure(D, "shared.latency") + 1;
  // No line of theirs: the third bundle finds R8 where it was.
  OperandCacheStats Apart = Of("25");
  EXPECT_EQ(Apart.Hits, 1u);
  EXPECT_EQ(Apart.Fetched, 2u);
  EXPECT_EQ(Apart.WrittenBack, 0u);
  OperandCacheStats Same = Of("24");
  EXPECT_EQ(Same.Hits, 0u);
  EXPECT_EQ(Same.Fetched, 3u);
  EXPECT_EQ(Same.WrittenBack, 2u);
  EXPECT_GE(Same.WaitCycles, 3 * One + 2);
}

/// Rows and shared memory share a port.
TEST(TimingEXPARS, SharedMemoryAndRowsTakeTurns) {
  const AnnotatedKernel K =
      bundled(2048, ".shared .align 4 .b32 words[1024];\n");
  const std::string Rows =
      repeat(pref("R8,R9,R10") + "mov.u32 %r8, 1;\n" + pref("R24,R25,R26") +
                 "mov.u32 %r24, 1;\n",
             20);
  // All lanes in one bank.
  const std::string Accesses =
      "mov.u32 %r5, words;\nshl.b32 %r5, %r2, 7;\nand.b32 %r5, %r5, 4095;\n" +
      repeat("st.shared.u32 [%r5], %r2;\n", 20);
  DeviceDescription D = tight(64);
  Launch L{4, 64, {}};
  TimingStats S = runBundled(D, K, Accesses + Rows + Accesses, L);
  EXPECT_EQ(S.Operands.MixedCTAs, 4u);
  EXPECT_EQ(S.LoadStore.SharedPasses, 8u * 40 * 32);
  const uint64_t Moved = S.Operands.Fetched + S.Operands.WrittenBack;
  EXPECT_GT(Moved, 8u * 40);
  EXPECT_GE(S.Cycles, S.LoadStore.SharedPasses + Moved);
  // Neither waits for all of the other.
  EXPECT_LE(S.Cycles, runBundled(D, K, Accesses + Accesses, L).Cycles +
                          runBundled(D, K, Rows, L).Cycles);
}

//===----------------------------------------------------------------------===//
// Whole SMs
//===----------------------------------------------------------------------===//

const std::string Store = pref("R8") + "st.global.u32 [%rd0], %r8;\n";

/// Lines that the warp itself takes from itself, in a loop.
const std::string Loop =
    "mov.u32 %r5, 0;\n" + pref("R8,R9") +
    "mov.u32 %r8, %r2;\nmov.u32 %r9, 3;\nLOOP:\n" + pref("R8,R9") +
    "add.u32 %r8, %r8, %r9;\n" + pref("R24") + "mov.u32 %r24, %r5;\n" +
    pref("R9,R24") + "add.u32 %r9, %r9, %r24;\n" + pref() +
    "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p0, %r5, 6;\n@%p0 bra LOOP;\n" + Store;

/// Results that come when the line is gone, and that are waited for.
const std::string Loads =
    pref("R8") + "ld.global.u32 %r8, [%rd0];\n" + pref("R24") +
    "mov.u32 %r24, 9;\n" + pref("R9") + "ld.global.u32 %r9, [%rd0];\n" +
    pref("R8,R9") + "add.u32 %r8, %r8, %r9;\n" + pref("R24") +
    "add.u32 %r5, %r24, 1;\n" + pref("R8") + "add.u32 %r8, %r8, %r5;\n" + Store;

/// Sides with bundles of their own; lanes that meet in the middle of one.
const std::string Divergence =
    pref("R8,R9") +
    "mov.u32 %r9, %laneid;\nmov.u32 %r8, %r2;\nsetp.lt.u32 %p0, %r9, 11;\n"
    "@%p0 bra SIDE;\n" +
    pref("R8,R10") + "add.u32 %r10, %r8, 5;\n" +
    "shfl.sync.idx.b32 %r8, %r10, 20, 31, 4294965248;\nadd.u32 %r8, %r8, "
    "%r10;\n" +
    "bra JOIN;\nSIDE:\n" + pref("R8,R10,R27") + "mov.u32 %r27, %r8;\n" +
    "add.u32 %r10, %r27, 7;\n" +
    "shfl.sync.idx.b32 %r8, %r10, 4, 31, 2047;\nadd.u32 %r8, %r8, %r27;\n" +
    "JOIN:\n" + pref("R9,R24") + "mov.u32 %r24, 1;\nbar.warp.sync -1;\n" +
    "add.u32 %r9, %r24, %r2;\n" + pref("R8,R9") + "add.u32 %r8, %r8, %r9;\n" +
    Store;

/// A barrier at a bundle's end, and one in the middle of inline PTX.
const std::string Barriers =
    pref("R8,R9") + "mov.u32 %r8, words;\nmul.lo.u32 %r9, %r2, 4;\n" +
    "add.u32 %r8, %r8, %r9;\nst.shared.u32 [%r8], %r2;\nbar.sync 0;\n" +
    pref("R8,R9,R10") +
    "{\nxor.b32 %r9, %r9, 4;\nbar.sync 0;\nmov.u32 %r8, words;\n"
    "add.u32 %r9, %r8, %r9;\nbar.sync 0;\nld.shared.u32 %r8, [%r9];\n}\n" +
    pref("R24") + "mov.u32 %r24, 3;\nbar.sync 0;\n" + Store;

/// Half of the lanes of each warp leave, and the second warp does as a whole.
const std::string Exits =
    pref("R8,R9") +
    "mov.u32 %r8, 1;\nand.b32 %r9, %r2, 1;\n"
    "setp.ne.u32 %p0, %r9, 0;\nsetp.ge.u32 %p1, %r2, 32;\n"
    "@%p1 exit;\n" +
    pref("R9,R24") + "mov.u32 %r24, %r9;\n@%p0 exit;\nadd.u32 %r9, %r24, 5;\n" +
    pref("R8,R9") + "add.u32 %r8, %r8, %r9;\n" + Store;

/// CTAs take a lock in turn: a loop of bundles, and what it guards needs their
/// lines.
std::string lockKernel() {
  return "setp.ne.u32 %p0, %r2, 0;\n@%p0 bra END;\nSPIN:\n" +
         pref("R8,R10,R11") +
         "mov.u64 %rd5, lock;\natom.global.cas.b32 %r8, [%rd5], 0, 1;\n" +
         pref("R8") + "setp.ne.u32 %p1, %r8, 0;\n@%p1 bra SPIN;\n" +
         pref("R24,R26,R27") +
         "mov.u64 %rd13, count;\nld.volatile.global.u32 %r24, [%rd13];\n" +
         pref("R24,R26,R27") +
         "add.u32 %r24, %r24, 1;\nst.volatile.global.u32 [%rd13], %r24;\n" +
         "membar.gl;\n" + pref("R10,R11") +
         "mov.u64 %rd5, lock;\natom.global.exch.b32 %r5, [%rd5], 0;\n" +
         "END:\n" + pref("R8") + "mov.u32 %r8, 7;\n" + Store;
}

/// The same loop in a block of inline PTX, which is in one bundle.
std::string inlineLockKernel() {
  return "setp.ne.u32 %p0, %r2, 0;\n@%p0 bra END;\n" + pref("R8,R10,R11") +
         "{\nmov.u64 %rd5, lock;\nSPIN:\n"
         "atom.global.cas.b32 %r8, [%rd5], 0, 1;\n"
         "setp.ne.u32 %p1, %r8, 0;\n@%p1 bra SPIN;\nmembar.gl;\n}\n" +
         pref("R24,R26,R27") +
         "mov.u64 %rd13, count;\nld.volatile.global.u32 %r24, [%rd13];\n" +
         pref("R24,R26,R27") +
         "add.u32 %r24, %r24, 1;\nst.volatile.global.u32 [%rd13], %r24;\n" +
         "membar.gl;\n" + pref("R10,R11") +
         "mov.u64 %rd5, lock;\natom.global.exch.b32 %r5, [%rd5], 0;\n" +
         "END:\n" + pref("R8") + "mov.u32 %r8, 7;\n" + Store;
}

/// Warps wait for the last one of their CTA, which needs their lines.
const std::string Flag =
    "setp.ge.u32 %p0, %r2, 32;\n@%p0 bra WORK;\nWAIT:\n" + pref("R8") +
    "ld.volatile.shared.u32 %r8, [words];\n" + pref("R8") +
    "setp.eq.u32 %p1, %r8, 0;\n@%p1 bra WAIT;\nbra DONE;\nWORK:\n" +
    pref("R24") + "mov.u32 %r24, 1;\n" + pref("R8") + "mov.u32 %r8, 5;\n" +
    pref("R24") + "add.u32 %r24, %r24, 4;\n" + pref("R24") +
    "st.volatile.shared.u32 [words], %r24;\nDONE:\n" + Store;

/// Functions with fewer registers, whose predicates have the numbers of the
/// kernel's registers.
const std::string Callee =
    ".func f(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<12>;\n"
    ".reg .b64 %rd<2>;\n" +
    pragma("kernel v1 name=f scheme=expars regs=12 preds=4 peak=12 shared=0 "
           "local=0 target=sm_80") +
    pragma("map %r8=R8 %r9=R9 %rd0=R0_1 %p0=P0 %p1=P1 %p2=P2") + bounds() +
    "ld.param.u64 %rd0, [p];\n" + pref("R8,R9") +
    "mov.u32 %r8, 5;\nsetp.lt.u32 %p0, %r8, 7;\nsetp.lt.u32 %p1, %r8, 3;\n"
    "xor.pred %p2, %p0, %p1;\nselp.u32 %r9, 11, 22, %p2;\n"
    "@%p2 st.global.u32 [%rd0], %r9;\nret;\n}\n";
const std::string Call = pref("R8") + "mov.u32 %r8, 1;\n" + pref() +
                         "{\n.param .b64 a;\nst.param.b64 [a], %rd0;\n"
                         "call.uni f, (a);\n}\n" +
                         pref("R8,R9") + "ld.global.u32 %r9, [%rd0];\n" +
                         pref("R8,R9") + "add.u32 %r8, %r8, %r9;\n" + Store;

const std::string Scope = ".shared .align 4 .b32 words[128];\n"
                          ".global .align 4 .b32 lock;\n"
                          ".global .align 4 .b32 count;\n" +
                          Callee;

struct Case {
  const char *Name;
  std::string Body;
};
const std::vector<Case> &cases() {
  static const std::vector<Case> All = {{"Loop", Loop},
                                        {"Loads", Loads},
                                        {"Divergence", Divergence},
                                        {"Barriers", Barriers},
                                        {"Exits", Exits},
                                        {"Lock", lockKernel()},
                                        {"InlineLock", inlineLockKernel()},
                                        {"Flag", Flag},
                                        {"Call", Call}};
  return All;
}

/// Kernel, device, scheduler.
class EXPARSRunTest : public testing::TestWithParam<
                          std::tuple<size_t, const char *, const char *>> {};

void expectSame(const TimingStats &A, const TimingStats &B) {
  EXPECT_EQ(A.Cycles, B.Cycles);
  EXPECT_EQ(A.Slots.Slots, B.Slots.Slots);
  EXPECT_EQ(A.BankReads, B.BankReads);
  EXPECT_EQ(A.WriteConflicts, B.WriteConflicts);
  EXPECT_EQ(A.LoadStore.SharedPasses, B.LoadStore.SharedPasses);
  const OperandCacheStats &X = A.Operands, &Y = B.Operands;
  EXPECT_EQ(X.Prefs, Y.Prefs);
  EXPECT_EQ(X.ResumePrefs, Y.ResumePrefs);
  EXPECT_EQ(X.Bundles, Y.Bundles);
  EXPECT_EQ(X.Hits, Y.Hits);
  EXPECT_EQ(X.Fetched, Y.Fetched);
  EXPECT_EQ(X.WrittenBack, Y.WrittenBack);
  EXPECT_EQ(X.LateWrites, Y.LateWrites);
  EXPECT_EQ(X.Reads, Y.Reads);
  EXPECT_EQ(X.Writes, Y.Writes);
  EXPECT_EQ(X.WaitCycles, Y.WaitCycles);
}

/// Every kernel ends, with the same memory as without timing, and to the cycle
/// as when no cycle is passed over.
TEST_P(EXPARSRunTest, EveryCycleGivesTheSame) {
  auto [Number, Name, Scheduler] = GetParam();
  const std::string &Body = cases()[Number].Body;
  for (unsigned Block : {64, 96})
    for (OperandMapping Mapping :
         {OperandMapping::Direct, OperandMapping::Associative}) {
      DeviceDescription D = tight(128, Name);
      D.SharedMemory = std::max(D.SharedMemory, 48u * 1024);
      Launch L{20, Block, {}};
      L.Options.Scheduler = Scheduler;
      L.Options.Settings.set(settings::OperandCacheMapping, int64_t(Mapping));
      AnnotatedKernel K = bundled(2048, Scope);
      TimingStats A = runBundled(D, K, Body, L);
      EXPECT_GT(A.Operands.MixedCTAs, 1u);
      EXPECT_GT(A.Operands.Bundles, 20u);
      EXPECT_LE(A.Operands.Fetched + A.Operands.Hits, 20 * A.Operands.Bundles);
      L.Options.EveryCycle = true;
      expectSame(A, runBundled(D, K, Body, L));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, EXPARSRunTest,
    testing::Combine(testing::Range(size_t(0), size_t(9)),
                     testing::Values("gtx480", "gpgpusim-fermi", "ltrf-maxwell",
                                     "hopper"),
                     testing::Values("lrr", "gto", "two-level")),
    [](const auto &Info) {
      std::string Name = std::string(cases()[std::get<0>(Info.param)].Name) +
                         "_" + std::get<1>(Info.param) + "_" +
                         std::get<2>(Info.param);
      std::ranges::replace(Name, '-', '_');
      return Name;
    });

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The same with and without timing.
std::string errorOf(const std::string &Body, unsigned Bytes = 2048) {
  std::string Functional = launchError(bundled(Bytes), Body);
  std::string Timed = timedError(bundled(Bytes).around(Body));
  EXPECT_EQ(Functional.substr(0, Functional.find('\n')),
            Timed.substr(0, Timed.find('\n')));
  return Functional;
}

TEST(TimingEXPARS, RegistersThatNoPrefBringsAreRefused) {
  EXPECT_THAT(errorOf(pref("R8") + "mov.u32 %r9, 1;\n"),
              AllOf(HasSubstr("that its bundle does not bring (R9: %r9"),
                    HasSubstr("R0 to R5 are always in the register file"),
                    HasSubstr("'mov.u32 %r9, 1'")));
  EXPECT_THAT(errorOf("mov.u32 %r9, 1;\n"), HasSubstr("that no bundle brings"));
  // The upper half of a pair, and an address.
  EXPECT_THAT(errorOf(pref("R8") + "mov.u64 %rd4, 1;\n"),
              HasSubstr("does not bring (R9: %r9 or %rd4"));
  EXPECT_THAT(errorOf(pref("R8,R9") + "mov.u64 %rd4, 64;\n" + pref("R9") +
                      "ld.global.u32 %r5, [%rd4];\n"),
              HasSubstr("does not bring (R8: "));
  // Where it is not executed it does no harm.
  EXPECT_EQ(launchWords(bundled(), "bra DONE;\nmov.u32 %r9, 1;\nDONE:\n"
                                   "st.global.u32 [%rd0], %r2;\n")[7],
            7u);
}

/// Lanes come from elsewhere, where the bundle was another one.
TEST(TimingEXPARS, ABundleEndsAtALabel) {
  EXPECT_THAT(errorOf("setp.eq.u32 %p0, %r2, 99;\n@%p0 bra L;\n" + pref("R8") +
                      "mov.u32 %r8, 1;\nL:\nmov.u32 %r8, 2;\n"),
              HasSubstr("that no bundle brings (R8: %r8"));
  // A label that nobody goes to does not end it, nor does one of inline PTX.
  EXPECT_EQ(launchWords(bundled(), pref("R8") +
                                       "mov.u32 %r8, 1;\nL:\n"
                                       "mov.u32 %r8, 2;\n" +
                                       Store)[3],
            2u);
  EXPECT_EQ(launchWords(bundled(), pref("R8,R9") +
                                       "mov.u32 %r8, 4;\n{\nmov.u32 %r9, 0;\n"
                                       "L:\nadd.u32 %r9, %r9, 1;\n"
                                       "setp.lt.u32 %p0, %r9, %r8;\n"
                                       "@%p0 bra L;\nmov.u32 %r8, %r9;\n}\n" +
                                       Store)[3],
            4u);
}

/// With τ = 1 no register is always in the register file.
TEST(TimingEXPARS, NothingIsKept) {
  AnnotatedKernel K{"expars", Regs, 0, 0, {}, bounds(2048, 0)};
  EXPECT_THAT(launchError(K, ""),
              AllOf(HasSubstr("that no bundle brings (R2: %r2"),
                    HasSubstr("); none is always in the register file")));
}

TEST(TimingEXPARS, CodeForOthers) {
  EXPECT_THAT(timedError(virtualised().around("")),
              HasSubstr("kernel 'k' is not divided into bundles; compile it "
                        "with --scheme=expars"));
  AnnotatedKernel Without = bundled();
  Without.Begin = {};
  EXPECT_THAT(timedError(Without.around("")),
              HasSubstr("is not divided into bundles"));
  EXPECT_THAT(launchError(Without, pref("R8")),
              HasSubstr("before the function's regshare.bundles"));
  EXPECT_THAT(launchError(bundled(), pref("R8,R24")),
              HasSubstr("R24 needs a line of the operand cache that another "
                        "register has, of 16"));
  EXPECT_THAT(launchError(bundled(), pref("R5")),
              HasSubstr("R5 is never in scratchpad"));
}

TEST(TimingEXPARS, FunctionsHaveTheKernelsOperandCache) {
  EXPECT_EQ(timedError(bundled(2048, Callee).around(Call)), "none");
  EXPECT_THAT(timedError(bundled(4096, Callee).around(Call)),
              HasSubstr("kernel 'k' may call 'f', which is not divided into "
                        "bundles for its operand cache"));
}

} // namespace
} // namespace regshare::sim
