//===- EXPARSTest.cpp - Arithmetic of EXPARS, and its figures -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/EXPARS/EXPARS.h"

#include "TestData.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace regshare;

namespace {

/// The paper's Fermi: registers are handed out one for each thread.
DeviceDescription fermi() { return device("gtx480,regs_per_thread_unit=1"); }

EXPARSResidency solve(const DeviceDescription &D, const KernelResources &K,
                      unsigned TauPerMille = DefaultTauPerMille) {
  Result<EXPARSResidency> R = exparsResidency(D, K, TauPerMille);
  EXPECT_TRUE(R) << R.error().str();
  return R ? *R : EXPARSResidency();
}

KernelResources kernelOf(const Row &R) {
  unsigned Threads = number(R, "warps_per_cta") * 32;
  return {number(R, "rf_per_cta") / Threads, Threads, number(R, "spm_bytes")};
}

/// A figure by its name in expars_means.csv; shares in percent.
using Figures = std::map<std::string, double>;

/// Of one kernel of Table 3. "mixed_in_file" is what its mixed CTAs keep of
/// their registers.
Figures figuresOf(const DeviceDescription &D, const KernelResources &K) {
  Figures F;
  auto Add = [&](const std::string &Prefix, const EXPARSResidency &R) {
    EXPARSUtilisation U = R.utilisation(D);
    F[Prefix + "ctas"] = R.ctas();
    F[Prefix + "warps"] = R.warps();
    F[Prefix + "registers"] = U.Registers * 100;
    F[Prefix + "scratchpad"] = U.Scratchpad * 100;
    F[Prefix + "overall"] = U.Overall * 100;
    F[Prefix + "mixed_in_file"] = 100.0 * R.StartReg / R.RegsPerThread;
  };
  Add("", solve(D, K));
  Add("base_", solve(D, K, 0));
  return F;
}

std::map<std::string, Figures> figuresOn(const DeviceDescription &D) {
  std::map<std::string, Figures> ByApp;
  for (const Row &R : readTable("expars_table3.csv"))
    ByApp[R.at("app")] = figuresOf(D, kernelOf(R));
  return ByApp;
}

Figures meansOf(const std::map<std::string, Figures> &ByApp) {
  Figures M;
  for (const auto &[App, F] : ByApp)
    for (const auto &[What, Value] : F)
      M[What] += Value / double(ByApp.size());
  return M;
}

} // namespace

TEST(EXPARS, OperandCacheShape) {
  constexpr OperandCache Paper;
  static_assert(Paper.lines() == 16 && Paper.sets() == 4);
  // Bank by bits 1:0, set by bits 3:2.
  static_assert(Paper.bankOf(0b100111) == 0b11);
  static_assert(Paper.setOf(0b100111) == 0b01);
  for (unsigned Bytes : {1024u, 2048u, 4096u}) {
    Result<OperandCache> C = OperandCache::create(Bytes);
    ASSERT_TRUE(C);
    EXPECT_EQ(C->lines() * OperandCache::LineBytes, Bytes);
    std::set<unsigned> Lines;
    for (unsigned Unit = 0; Unit != 255; ++Unit) {
      EXPECT_EQ(C->lineOf(Unit), Unit % C->lines());
      EXPECT_EQ(C->lineOf(Unit) % OperandCache::Banks, C->bankOf(Unit));
      Lines.insert(C->lineOf(Unit));
    }
    EXPECT_EQ(Lines.size(), C->lines());
    EXPECT_EQ(*Lines.rbegin(), C->lines() - 1);
  }
  for (unsigned Bytes : {0u, 512u, 2047u, 3072u, 8192u})
    EXPECT_FALSE(OperandCache::create(Bytes));
  EXPECT_EQ(OperandCache::create(3072).error().Message,
            "an operand cache has 1024, 2048 or 4096 bytes, not 3072");
}

TEST(EXPARS, PublishedTable3) {
  DeviceDescription D = fermi();
  std::vector<Row> Rows = readTable("expars_table3.csv");
  ASSERT_EQ(Rows.size(), 14u);
  for (const Row &Line : Rows) {
    KernelResources K = kernelOf(Line);
    SCOPED_TRACE(Line.at("app"));
    EXPARSResidency R = solve(D, K);
    EXPECT_EQ(R.ctas(), number(Line, "expars_ctas"));
    EXPECT_EQ(solve(D, K, 0).ctas(), number(Line, "base_ctas"));
    // Equation 10, divided by the threads of a CTA.
    unsigned RegsPerCTA = K.RegsPerThread * K.ThreadsPerCTA;
    ASSERT_NE(R.MixedCTAs, 0u);
    EXPECT_EQ(R.StartReg, (D.Registers - R.WholeCTAs * RegsPerCTA) /
                              R.MixedCTAs / K.ThreadsPerCTA);
    // The device's own unit of four registers changes none of the counts.
    EXPECT_EQ(solve(device("gtx480"), K).ctas(), R.ctas());
  }
}

TEST(EXPARS, MeansOverTable3) {
  Figures M = meansOf(figuresOn(fermi()));
  std::vector<Row> Rows = readTable("expars_means.csv");
  ASSERT_EQ(Rows.size(), 11u);
  for (const Row &R : Rows)
    EXPECT_NEAR(M.at(R.at("quantity")), std::stod(R.at("recomputed")), 0.00006)
        << R.at("quantity");
  // With the device's own unit of four registers mixed CTAs keep multiples of
  // it.
  M = meansOf(figuresOn(device("gtx480")));
  EXPECT_NEAR(M["ctas"], 5.5, 1e-9);
  EXPECT_NEAR(M["registers"], 99.5536, 0.00006);
  EXPECT_NEAR(M["scratchpad"], 54.3899, 0.00006);
  EXPECT_NEAR(M["overall"], 87.2362, 0.00006);
}

/// All eleven printed means, to the last digit, are those of two slips: ST with
/// 14,436 registers a CTA as in the printed table, of which a mixed CTA keeps
/// seven for each of 512 threads; and HS with two whole and two mixed CTAs,
/// which keep 28 of 36, where three and one are feasible.
TEST(EXPARS, PublishedMeansAreThoseOfTwoSlips) {
  DeviceDescription D = fermi();
  std::map<std::string, Figures> ByApp = figuresOn(D);
  Figures &ST = ByApp.at("ST");
  const double PerCTA = 14436, Kept = 7 * 512, Registers = D.Registers;
  const double AllBytes = 4 * Registers + D.SharedMemory;
  const double Moved = 4 * (PerCTA - Kept);
  ST["base_registers"] = 100 * 2 * PerCTA / Registers;
  ST["base_overall"] = 100 * 4 * 2 * PerCTA / AllBytes;
  ST["registers"] = 100 * (2 * PerCTA + Kept) / Registers;
  ST["scratchpad"] = 100 * Moved / D.SharedMemory;
  ST["overall"] = 100 * (4 * (2 * PerCTA + Kept) + Moved) / AllBytes;
  ST["mixed_in_file"] = 100 * Kept / PerCTA;
  ByApp.at("HS")["mixed_in_file"] = 100 * 28.0 / 36;
  Figures M = meansOf(ByApp);
  for (const Row &R : readTable("expars_means.csv"))
    EXPECT_NEAR(M.at(R.at("quantity")), std::stod(R.at("published")), 0.005)
        << R.at("quantity");
}

/// §4.3 says of LBM, HS, LEUK and CONV that one CTA less than under Baseline is
/// whole. For HS none has to be given up.
TEST(EXPARS, WholeCTAsOfTable3) {
  for (const Row &Line : readTable("expars_table3.csv")) {
    const std::string &App = Line.at("app");
    bool Fewer = App == "LBM" || App == "LEUK" || App == "CONV";
    EXPECT_EQ(solve(fermi(), kernelOf(Line)).WholeCTAs,
              number(Line, "base_ctas") - Fewer)
        << App;
  }
}

namespace {

/// Equations 7 to 9 as they stand, tau in thousandths.
struct ClosedForm {
  long Whole = 0, Mixed = 0;
};

ClosedForm closedForm(long R, long RCTA, long Upper, long Tau) {
  long Lower = R / RCTA;
  long AllMixed = R * 1000 / (RCTA * (1000 - Tau));
  if (Lower >= Upper)
    return {Lower, 0};
  // What (8) yields is no whole number; rounded away from 0.
  if (AllMixed <= Upper) {
    long Whole = Lower * 1000 - AllMixed * (1000 - Tau);
    return {Whole < 0 ? (Whole - 999) / 1000 : (Whole + 999) / 1000, AllMixed};
  }
  long Most = R * 1000 / (Tau * RCTA);
  long Scaled = Upper * 1000 / Tau;
  return {Most + Upper - Scaled, Scaled - Most};
}

} // namespace

TEST(EXPARS, ClosedFormsAreInfeasible) {
  DeviceDescription D = fermi();
  std::set<std::string> Infeasible;
  for (const Row &Line : readTable("expars_table3.csv")) {
    KernelResources K = kernelOf(Line);
    long RCTA = number(Line, "rf_per_cta");
    long Both =
        (D.Registers + D.SharedMemory / 4) / (RCTA + K.SharedPerCTA / 4);
    long Upper = std::min({Both, 8L, 48L / number(Line, "warps_per_cta")});
    ClosedForm F = closedForm(D.Registers, RCTA, Upper, 800);
    EXPECT_EQ(F.Whole + F.Mixed, number(Line, "expars_ctas"));
    if (1000 * F.Whole * RCTA + 200 * F.Mixed * RCTA > 1000L * D.Registers)
      Infeasible.insert(Line.at("app"));
    if (F.Mixed == 0)
      EXPECT_EQ(F.Whole, 3) << Line.at("app");
  }
  // 3 + 0 CTAs for BT, MERG and QUA, 6 + 1 for SGE.
  EXPECT_EQ(Infeasible, (std::set<std::string>{"BT", "MERG", "QUA", "SGE"}));
  // R = 32K, R_CTA = 10K, tau = 0.2: three CTAs, or four mixed ones, which
  // leaves fewer than no whole ones.
  ClosedForm F = closedForm(32768, 10240, 4, 200);
  EXPECT_LT(F.Whole, 0);
  EXPECT_EQ(F.Mixed, 4);
  // CTAs of 128 threads: 80 registers, of which 16 may move.
  D.MaxRegsPerThread = 255;
  EXPARSResidency R = solve(D, {80, 128, 0}, 200);
  EXPECT_EQ(R.WholeCTAs, 0u);
  EXPECT_EQ(R.MixedCTAs, 4u);
  EXPECT_EQ(R.StartReg, 64u);
}

/// Figure 5: ten warps, 10K registers and 4 KB a CTA. Four CTAs leave no byte
/// over if registers can be cut anywhere, but a mixed thread keeps six of 32
/// (2,048 / 320), and 26 rows of ten warps are 512 bytes too much.
TEST(EXPARS, Figure5DoesNotFitInWholeRegisters) {
  DeviceDescription D = fermi();
  for (unsigned Tau : {800u, 1000u}) {
    EXPARSResidency R = solve(D, {32, 320, 4096}, Tau);
    EXPECT_EQ(R.ctas(), 3u);
    EXPECT_EQ(R.MixedCTAs, 0u);
    EXPECT_EQ(R.Limiters, std::vector{Limiter::Registers});
  }
  D.SharedMemory += 512;
  EXPARSResidency R = solve(D, {32, 320, 4096}, 1000);
  EXPECT_EQ(R.WholeCTAs, 3u);
  EXPECT_EQ(R.MixedCTAs, 1u);
  EXPECT_EQ(R.StartReg, 6u);
}

/// §1: CTAs of 5K registers and 2 KB fill both memories to the last byte. That
/// takes a CTA whose threads divide both.
TEST(EXPARS, Section1FillsBothMemories) {
  DeviceDescription D = fermi();
  EXPARSResidency R = solve(D, {40, 128, 2048});
  EXPECT_EQ(R.WholeCTAs, 6u);
  EXPECT_EQ(R.MixedCTAs, 2u);
  EXPECT_EQ(R.StartReg, 8u);
  EXPARSUtilisation U = R.utilisation(D);
  EXPECT_EQ(U.Registers, 1);
  EXPECT_EQ(U.Scratchpad, 1);
  EXPECT_EQ(U.Overall, 1);
  EXPECT_EQ(R.SBR, (std::vector<unsigned>{49152 - 16384, 49152 - 32768}));
}

/// HS: three whole CTAs of eight warps, and one with R20 to R35 in scratchpad.
TEST(EXPARS, Addresses) {
  DeviceDescription D = fermi();
  EXPARSResidency R = solve(D, {36, 256, 3072});
  ASSERT_EQ(R.WholeCTAs, 3u);
  ASSERT_EQ(R.StartReg, 20u);
  EXPECT_EQ(R.SBR, std::vector<unsigned>{49152 - 16 * 8 * 128});
  EXPECT_EQ(R.sharedBase(3), 9216u);
  EXPECT_FALSE(R.inScratchpad(23, 35)); // The last warp of CTA 2.
  EXPECT_FALSE(R.inScratchpad(24, 19));
  EXPECT_TRUE(R.inScratchpad(24, 20));
  EXPECT_EQ(R.addressOf(24, 20), 32768u);
  EXPECT_EQ(R.addressOf(24, 35), 32768u + 15 * 128);
  EXPECT_EQ(R.addressOf(25, 20), 32768u + 16 * 128);
  EXPECT_EQ(R.addressOf(31, 35), 49152u - 128);
}

/// HS can have one mixed CTA as long as its code lets R20 go, and up to four if
/// it needs more of them in the register file.
TEST(EXPARS, WhatCodeNeedsInTheRegisterFile) {
  DeviceDescription D = fermi();
  KernelResources HS{36, 256, 3072};
  Result<EXPARSResidency> R = exparsResidency(D, HS, DefaultTauPerMille, 20);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->MixedCTAs, 1u);
  R = exparsResidency(D, HS, DefaultTauPerMille, 21);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->WholeCTAs, 2u);
  EXPECT_EQ(R->MixedCTAs, 2u);
  EXPECT_EQ(R->StartReg, 28u);
  // 128 rows of each warp's, a quarter for each CTA: 32.
  R = exparsResidency(D, HS, DefaultTauPerMille, 32);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->MixedCTAs, 4u);
  EXPECT_EQ(R->StartReg, 32u);
  for (unsigned Kept : {33u, 36u, 200u}) {
    R = exparsResidency(D, HS, DefaultTauPerMille, Kept);
    ASSERT_TRUE(R);
    EXPECT_EQ(R->WholeCTAs, 3u);
    EXPECT_EQ(R->MixedCTAs, 0u);
    EXPECT_EQ(R->StartReg, 36u);
  }
}

/// What does not fit at all under Baseline can fit with rows in scratchpad.
TEST(EXPARS, WhereNotOneWholeCTAFits) {
  DeviceDescription D = fermi();
  KernelResources K{36, 1024, 0};
  EXPECT_EQ(occupancy(D, K).CTAs, 0u);
  EXPARSResidency R = solve(D, K);
  EXPECT_EQ(R.WholeCTAs, 0u);
  EXPECT_EQ(R.MixedCTAs, 1u);
  EXPECT_EQ(R.StartReg, 32u);
  EXPECT_EQ(solve(D, {63, 1024, 0}).ctas(), 0u);
}

TEST(EXPARS, Limiters) {
  DeviceDescription D = fermi();
  // LBM: eight CTAs are all there are, and a ninth's registers would fit too.
  EXPECT_EQ(solve(D, {36, 128, 0}).Limiters, std::vector{Limiter::CTAs});
  EXPECT_EQ(solve(D, {44, 128, 512}).Limiters, std::vector{Limiter::Registers});
  EXPECT_EQ(solve(D, {8, 128, 16384}).Limiters,
            std::vector{Limiter::SharedMemory});
  // Three CTAs take all scratchpad; a fourth has neither that nor registers.
  EXPECT_EQ(solve(D, {40, 256, 16384}).Limiters,
            (std::vector{Limiter::Registers, Limiter::SharedMemory}));
}

/// The largest figures that a device can have: nothing overflows, and no search
/// goes through all of them.
TEST(EXPARS, HugeDevice) {
  DeviceDescription D = device("gtx480");
  D.Registers = D.MaxWarps = D.MaxThreads = D.MaxCTAs = 1u << 30;
  D.SharedMemory = D.MaxSharedPerCTA = 1u << 30;
  D.MaxRegsPerThread = 255;
  // 2^25 rows in the register file and 2^23 in scratchpad, for CTAs of 255.
  EXPARSResidency R = solve(D, {255, 32, 0}, 1000);
  EXPECT_EQ(occupancy(D, {255, 32, 0}).CTAs, (1u << 25) / 256);
  uint64_t Rows = (1u << 25) + (1u << 23);
  EXPECT_LE(uint64_t(R.ctas()) * 255, Rows);
  EXPECT_GT(uint64_t(R.ctas()) * 256, Rows - 1024);
  EXPECT_LE(R.ScratchpadRows, 1u << 23);
  EXPECT_LE(R.FileRegisters, 1u << 30);
  EXPECT_EQ(R.SBR.size(), R.MixedCTAs);
  EXPECT_LT(R.SBR.back(), R.SBR.front());
}

TEST(EXPARS, Errors) {
  DeviceDescription D = device("gtx480");
  auto Message = [&](const KernelResources &K, unsigned Tau) {
    Result<EXPARSResidency> R = exparsResidency(D, K, Tau);
    return R ? std::string("no error") : R.error().Message;
  };
  EXPECT_EQ(Message({64, 256, 0}, 800),
            "a thread of gtx480 has 63 registers, not 64");
  EXPECT_EQ(Message({32, 0, 0}, 800), "a CTA has at least one thread");
  EXPECT_EQ(Message({32, 256, 0}, 1001),
            "the share of a thread's registers in scratchpad is at most 1000 "
            "thousandths, not 1001");
  EXPECT_EQ(Message({63, 256, 0}, 1000), "no error");
}

TEST(EXPARS, PublishedStorage) {
  DeviceDescription D = device("gtx480");
  EXPARSStorage S = exparsStorage(D);
  EXPECT_EQ(S.BitVectors,
            8 * publishedCost("expars,\"48 warps, 63 registers\","));
  EXPECT_EQ(S.Tags, 8 * publishedCost("expars,2KB operand cache,"));
  EXPECT_EQ(S.SBRTable, 8 * publishedCost("expars,8 CTAs,"));
  EXPECT_EQ(S.RATVariables, 3u + 3 * 6);
  EXPECT_EQ(S.Scheduler, 48u * 32 + 6);
  EXPECT_EQ(S.total(), 3024u + 160 + 128 + 21 + 1542);
}

TEST(EXPARS, StorageOfOtherShapes) {
  DeviceDescription D = device("gtx480");
  // A smaller cache tells less of the index; 6 bits of the warp, 2 of state.
  EXPECT_EQ(exparsStorage(D, {1024}).Tags, 8u * (6 + 3 + 2));
  EXPECT_EQ(exparsStorage(D, {4096}).Tags, 32u * (6 + 1 + 2));
  // 255 registers and 228 KB, 32 CTAs of at most 32 warps.
  EXPARSStorage S = exparsStorage(device("hopper"));
  EXPECT_EQ(S.BitVectors, 64u * 255);
  EXPECT_EQ(S.Tags, 16u * (6 + 4 + 2));
  EXPECT_EQ(S.SBRTable, 32u * 18);
  EXPECT_EQ(S.RATVariables, 5u + 8 + 8 + 6);
  EXPECT_EQ(S.Scheduler, 64u * 32 + 7);
  // No index is left for the tag, and no address to choose.
  D.MaxRegsPerThread = 8;
  D.SharedMemory = D.MaxSharedPerCTA = 0;
  EXPECT_EQ(exparsStorage(D).Tags, 16u * (6 + 2));
  EXPECT_EQ(exparsStorage(D).SBRTable, 0u);
}
