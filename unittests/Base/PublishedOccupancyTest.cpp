//===- PublishedOccupancyTest.cpp - Figures that the papers print ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "regshare/Base/Occupancy.h"

#include "gtest/gtest.h"

using namespace regshare;

TEST(PublishedOccupancy, EXPARSTable3Baseline) {
  Result<DeviceDescription> D = loadDevice("gtx480");
  ASSERT_TRUE(D) << D.error().str();
  std::vector<Row> Rows = readTable("expars_table3.csv");
  ASSERT_EQ(Rows.size(), 14u);
  double CTAs = 0, Warps = 0;
  for (const Row &R : Rows) {
    unsigned Threads = number(R, "warps_per_cta") * D->WarpSize;
    Occupancy O = occupancy(*D, {number(R, "rf_per_cta") / Threads, Threads,
                                 number(R, "spm_bytes")});
    EXPECT_EQ(O.CTAs, number(R, "base_ctas")) << R.at("app");
    EXPECT_EQ(O.RegsPerCTA, number(R, "rf_per_cta")) << R.at("app");
    CTAs += O.CTAs;
    Warps += O.Warps;
  }
  // The means that the paper states.
  EXPECT_NEAR(CTAs / Rows.size(), 4.29, 0.005);
  EXPECT_NEAR(Warps / Rows.size(), 32.86, 0.005);
}

TEST(PublishedOccupancy, SharingTable6WithoutSharing) {
  Result<DeviceDescription> D = loadDevice("gpgpusim-fermi");
  ASSERT_TRUE(D) << D.error().str();
  std::vector<Row> Rows = readTable("sharing_registers_table6.csv");
  ASSERT_EQ(Rows.size(), 8u);
  for (const Row &R : Rows) {
    Occupancy O =
        occupancy(*D, {number(R, "regs_per_thread"), number(R, "block"), 0});
    EXPECT_EQ(O.CTAs, number(R, "s0")) << R.at("app");
    EXPECT_EQ(O.Limiters, std::vector{Limiter::Registers}) << R.at("app");
  }
}

TEST(PublishedOccupancy, SharingTable8WithoutSharing) {
  Result<DeviceDescription> D = loadDevice("gpgpusim-fermi");
  ASSERT_TRUE(D) << D.error().str();
  std::vector<Row> Rows = readTable("sharing_scratchpad_table8.csv");
  ASSERT_EQ(Rows.size(), 7u);
  for (const Row &R : Rows) {
    Occupancy O =
        occupancy(*D, {1, number(R, "block"), number(R, "scratchpad_bytes")});
    EXPECT_EQ(O.CTAs, number(R, "s0")) << R.at("app");
    EXPECT_EQ(O.Limiters, std::vector{Limiter::SharedMemory}) << R.at("app");
  }
}

TEST(PublishedOccupancy, SharingSection1) {
  // hotspot: three CTAs of 36 registers and 256 threads, 5,120 left over.
  Result<DeviceDescription> D = loadDevice("gpgpusim-fermi");
  ASSERT_TRUE(D) << D.error().str();
  Occupancy O = occupancy(*D, {36, 256, 0});
  EXPECT_EQ(O.RegsPerCTA, 9216u);
  EXPECT_EQ(O.RegsLeft, 5120u);
  EXPECT_EQ(regsForOneMoreCTA(*D, {36, 256, 0}), 32u);
}
