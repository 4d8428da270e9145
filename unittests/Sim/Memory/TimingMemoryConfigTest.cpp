//===- TimingMemoryConfigTest.cpp - Figures and address map ---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Memory/AddressMap.h"
#include "TimingMemory.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

using testing::HasSubstr;

MemoryConfig preset(const char *Name) {
  Result<DeviceDescription> D = loadDevice(Name);
  EXPECT_TRUE(D) << D.error().str();
  Result<MemoryConfig> C = readMemoryConfig(*D);
  EXPECT_TRUE(C) << C.error().str();
  return *C;
}

TEST(MemoryConfig, PresetsHaveTheFiguresAndNoOthers) {
  std::set<std::string> Known, OfModern, Optional;
  for (const MemoryFigure &F : memoryFigures()) {
    std::set<std::string> &To = F.Help.starts_with("modern: ")     ? OfModern
                                : F.Help.starts_with("optional: ") ? Optional
                                                                   : Known;
    EXPECT_TRUE(To.insert(F.Key).second) << F.Key;
    EXPECT_FALSE(F.Help.empty());
  }
  for (const char *Name : TimedPresets) {
    Result<DeviceDescription> D = loadDevice(Name);
    ASSERT_TRUE(D);
    std::set<std::string> Given;
    for (const TimingFigure &F : D->Timing)
      if (!F.Key.starts_with("core.") && !F.Key.starts_with("energy.") &&
          !Optional.contains(F.Key))
        Given.insert(F.Key);
    std::set<std::string> Expected = Known;
    if (std::ranges::count(D->Timing, "modern", &TimingFigure::Value))
      Expected.insert(OfModern.begin(), OfModern.end());
    EXPECT_EQ(Given, Expected) << Name;
    EXPECT_TRUE(readMemoryConfig(*D)) << Name;
  }
}

TEST(MemoryConfig, SharedMemoryTakesWaysOfTheL1) {
  DeviceDescription D = *loadDevice("rtx6000");
  L1Config C = readMemoryConfig(D)->L1;
  for (unsigned Bytes : {0u, 1u, 32u << 10})
    EXPECT_EQ(C.waysBeside(Bytes), C.Ways) << Bytes;
  // 32 KB less, in lines of 128 bytes of each set.
  for (unsigned Bytes : {(32u << 10) + 1, 64u << 10, 65u << 10})
    EXPECT_EQ(C.waysBeside(Bytes), C.Ways - (32 << 10) / 128 / C.Sets) << Bytes;
  EXPECT_EQ(readMemoryConfig(*loadDevice("hopper"))->L1.waysBeside(200 << 10),
            readMemoryConfig(*loadDevice("hopper"))->L1.Ways);
  auto Says = [&D](const char *Value) {
    std::ranges::find(D.Timing, "l1.carveouts", &TimingFigure::Key)->Value =
        Value;
    Result<MemoryConfig> C = readMemoryConfig(D);
    return C ? "" : C.error().Message;
  };
  const std::string Expected =
      "expected whole numbers from 0 to 1024 that grow";
  for (const char *Wrong : {"", "64 32", "32 32", "32,64", "-1", "32 9999"})
    EXPECT_THAT(Says(Wrong), HasSubstr(Expected)) << Wrong;
  EXPECT_THAT(Says("0 96"), HasSubstr("leaves no way"));
}

TEST(MemoryConfig, PresetsLeaveSmsAQuantumOfSixteenCycles) {
  for (const char *Name : TimedPresets)
    EXPECT_GE(MemorySystem::minimumRoundTrip(preset(Name)), 16u) << Name;
}

TEST(MemoryConfig, PresetsHaveTheirSizes) {
  auto Bytes = [](const MemoryConfig &C) {
    return std::pair(C.L1.Sets * C.L1.Ways * LineBytes,
                     C.slices() * C.L2.Sets * C.L2.Ways * LineBytes);
  };
  auto PeakGBs = [](const MemoryConfig &C) {
    return double(C.Dram.Channels) * C.Dram.BurstBytes / C.Dram.BurstCycles *
           C.Dram.ClockMHz / 1000;
  };
  EXPECT_EQ(Bytes(preset("gtx480")), std::pair(16u << 10, 768u << 10));
  EXPECT_EQ(Bytes(preset("gpgpusim-fermi")), std::pair(16u << 10, 768u << 10));
  EXPECT_EQ(Bytes(preset("ltrf-maxwell")), std::pair(16u << 10, 2u << 20));
  EXPECT_EQ(Bytes(preset("hopper")), std::pair(28u << 10, 50u << 20));
  EXPECT_NEAR(PeakGBs(preset("gtx480")), 177.4, 0.1);
  EXPECT_NEAR(PeakGBs(preset("ltrf-maxwell")), 172.8, 0.1);
  EXPECT_NEAR(PeakGBs(preset("hopper")), 3350, 1);
}

class ConfigErrors : public testing::Test {
protected:
  DeviceDescription D = *loadDevice("gtx480");

  void set(const std::string &Key, const std::string &Value) {
    for (TimingFigure &F : D.Timing)
      if (F.Key == Key)
        F.Value = Value;
  }
  std::string error() {
    Result<MemoryConfig> C = readMemoryConfig(D);
    return C ? "" : C.error().str();
  }
};

TEST_F(ConfigErrors, NameTheFigureAndItsLine) {
  set("l1.hit_latency", "0");
  EXPECT_THAT(error(), HasSubstr("gtx480.yaml:"));
  EXPECT_THAT(error(), HasSubstr("'timing.l1.hit_latency' is '0'"));
  set("l1.hit_latency", "fast");
  EXPECT_THAT(error(), HasSubstr("is 'fast'; expected a whole number"));
}

TEST_F(ConfigErrors, NameWhatIsMissing) {
  std::erase_if(D.Timing,
                [](const TimingFigure &F) { return F.Key == "dram.rcd"; });
  EXPECT_THAT(error(), HasSubstr("has no 'timing.dram.rcd'"));
}

TEST_F(ConfigErrors, NameTheChoices) {
  set("l1.global_stores", "maybe");
  EXPECT_THAT(error(), HasSubstr("one of write_evict, write_through"));
}

TEST_F(ConfigErrors, TellWhatDoesNotFit) {
  for (auto [Key, Value, Message] :
       {std::tuple("l1.sets", "33", "'l1.sets' and 'l2.sets'"),
        {"l1.fetch_sectors", "3", "'l1.fetch_sectors'"},
        {"dram.burst_bytes", "96", "'dram.burst_bytes'"},
        {"dram.row_bytes", "3000", "'dram.row_bytes'"},
        {"dram.banks", "1", "every slice needs a bank"},
        {"dram.wl", "60", "'dram.wl'"},
        {"dram.write_low", "56", "'dram.write_low'"}}) {
    D = *loadDevice("gtx480");
    set(Key, Value);
    EXPECT_THAT(error(), HasSubstr(Message)) << Key;
  }
}

/// A typing error must not take the host's memory.
TEST_F(ConfigErrors, SizesAreBounded) {
  for (const char *Key : {"l1.sets", "l1.ways", "l1.mshrs", "l1.merges",
                          "l2.sets", "l2.ways", "l2.mshrs", "l2.merges"}) {
    D = *loadDevice("gtx480");
    set(Key, "1048576");
    EXPECT_THAT(error(), HasSubstr("is '1048576'; expected a whole number"))
        << Key;
  }
}

class AddressMaps : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Presets, AddressMaps, testing::ValuesIn(TimedPresets),
                         [](const auto &Info) {
                           return testNameOf(Info.param);
                         });

TEST_P(AddressMaps, GiveEveryLineAPlaceOfItsOwn) {
  MemoryConfig C = preset(GetParam());
  AddressMap Map(C);
  std::set<std::pair<unsigned, uint64_t>> Places;
  std::mt19937_64 Random(5);
  std::set<uint64_t> Lines;
  for (unsigned N = 0; N != 20000; ++N)
    Lines.insert(N);
  for (unsigned N = 0; N != 20000; ++N)
    Lines.insert(Random() >> 17);
  for (uint64_t Line : Lines) {
    AddressMap::SliceLine Where = Map.slice(Line * LineBytes);
    ASSERT_LT(Where.Slice, C.slices());
    ASSERT_TRUE(Places.emplace(Where.Slice, Where.Line).second) << Line;
    for (unsigned Byte : {1u, 31u, 32u, 127u}) {
      AddressMap::SliceLine Same = Map.slice(Line * LineBytes + Byte);
      ASSERT_EQ(Same.Slice, Where.Slice);
      ASSERT_EQ(Same.Line, Where.Line);
    }
    ASSERT_LT(Map.channel(Where.Slice), C.Dram.Channels);
  }
}

TEST_P(AddressMaps, SpreadALongStreamEvenly) {
  MemoryConfig C = preset(GetParam());
  AddressMap Map(C);
  std::vector<unsigned> PerSlice(C.slices());
  unsigned Chunks = 64 * C.slices();
  for (unsigned N = 0; N != Chunks; ++N)
    ++PerSlice[Map.slice(uint64_t(N) * AddressMap::ChunkBytes).Slice];
  unsigned Most = *std::max_element(PerSlice.begin(), PerSlice.end());
  EXPECT_LE(Most, 64u * 3 / 2);
  std::vector<unsigned> Round(C.Dram.Channels);
  for (unsigned N = 0; N != C.Dram.Channels; ++N)
    ++Round[Map.channel(Map.slice(uint64_t(N) * AddressMap::ChunkBytes).Slice)];
  EXPECT_THAT(Round, testing::Each(1u));
}

TEST_P(AddressMaps, FillRowsOfTheSlicesOwnBanks) {
  MemoryConfig C = preset(GetParam());
  AddressMap Map(C);
  unsigned Slices = C.L2.SlicesPerChannel;
  std::map<std::pair<unsigned, uint64_t>, unsigned> LinesOfRow;
  uint64_t Lines = uint64_t(C.Dram.RowBytes) / LineBytes * C.Dram.Banks;
  for (uint64_t Line = 0; Line != Lines; ++Line) {
    AddressMap::RowOfBank Where = Map.row(1, Line);
    EXPECT_EQ(Where.Bank % Slices, 1 % Slices);
    EXPECT_LT(Where.Bank, C.Dram.Banks);
    ++LinesOfRow[{Where.Bank, Where.Row}];
  }
  for (const auto &[Where, Count] : LinesOfRow)
    EXPECT_EQ(Count, C.Dram.RowBytes / LineBytes);
  EXPECT_EQ(LinesOfRow.size(), size_t(C.Dram.Banks));
}

} // namespace
} // namespace regshare::sim
