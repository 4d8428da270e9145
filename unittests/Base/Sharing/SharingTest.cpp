//===- SharingTest.cpp - Pairs of CTAs, and published figures of them -----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Sharing/Sharing.h"

#include "TestData.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace regshare;

namespace {

/// Checks every cell of a published table; columns s0, s10 and so on have the
/// CTAs for so many percent of sharing, which is 100 (1 - t).
void expectTable(const char *File, SharedResource What,
                 const DeviceDescription &D,
                 KernelResources (*KernelOf)(const Row &)) {
  unsigned Cells = 0;
  for (const Row &R : readTable(File))
    for (const auto &[Column, Value] : R) {
      if (Column[0] != 's' || !isdigit(Column[1]))
        continue;
      unsigned Percent = unsigned(std::stoul(Column.substr(1)));
      SharingResidency S =
          sharingResidency(What, D, KernelOf(R), 1000 - 10 * Percent);
      EXPECT_EQ(S.ctas(), number(R, Column.c_str()))
          << R.at("app") << " " << Column;
      ++Cells;
    }
  EXPECT_GE(Cells, 42u);
}

} // namespace

TEST(Sharing, TableVI) {
  for (const char *Device : {"gtx480,regs_per_thread_unit=1", "gtx480"})
    expectTable("sharing_registers_table6.csv", SharedResource::Registers,
                device(Device), [](const Row &R) {
                  return KernelResources{number(R, "regs_per_thread"),
                                         number(R, "block"), 0};
                });
}

TEST(Sharing, TableVIII) {
  DeviceDescription D = device(
      "gtx480,shared_memory=16384,max_shared_per_cta=16384,shared_unit=1");
  expectTable("sharing_scratchpad_table8.csv", SharedResource::Scratchpad, D,
              [](const Row &R) {
                return KernelResources{16, number(R, "block"),
                                       number(R, "scratchpad_bytes")};
              });
}

namespace {

/// Computes the published formulas for storage as they are printed: sums of
/// products of numbers, T, W, ceil(log2 …) and floor(…/2).
class Formula {
public:
  Formula(std::string Text, double T, double W)
      : Text(std::move(Text)), T(T), W(W) {}
  double value() {
    double Sum = sum();
    EXPECT_EQ(At, Text.size()) << Text.substr(At);
    return Sum;
  }

private:
  bool take(const std::string &Word) {
    while (At < Text.size() && Text[At] == ' ')
      ++At;
    if (Text.compare(At, Word.size(), Word) != 0)
      return false;
    At += Word.size();
    return true;
  }
  double sum() {
    double Value = product();
    while (take("+"))
      Value += product();
    return Value;
  }
  double product() {
    double Value = factor();
    while (true) {
      if (take("*"))
        Value *= factor();
      else if (take("/"))
        Value /= factor();
      else if (At < Text.size() && (Text[At] == 'T' || Text[At] == 'W'))
        Value *= factor();
      else
        return Value;
    }
  }
  double factor() {
    if (take("ceil"))
      return std::ceil(factor());
    if (take("floor"))
      return std::floor(factor());
    if (take("log2"))
      return std::log2(factor());
    if (take("T"))
      return T;
    if (take("W"))
      return W;
    if (take("(")) {
      double Value = sum();
      EXPECT_TRUE(take(")"));
      return Value;
    }
    size_t Length = 0;
    double Value = std::stod(Text.substr(At), &Length);
    At += Length;
    return Value;
  }

  std::string Text;
  double T, W;
  size_t At = 0;
};

void expectStorage(const char *Scheme, SharedResource What) {
  std::string Text = publishedCostText(std::string(Scheme) + ",");
  for (unsigned T : {1u, 2u, 7u, 8u, 16u, 32u})
    for (unsigned W : {2u, 3u, 16u, 32u, 48u, 64u}) {
      DeviceDescription D = device("gtx480");
      D.MaxCTAs = T;
      D.MaxWarps = W;
      EXPECT_EQ(double(sharingStorage(What, D).total()),
                Formula(Text, T, W).value())
          << Scheme << " T " << T << " W " << W;
    }
}

} // namespace

TEST(Sharing, StorageIsThePublishedFormula) {
  expectStorage("register-sharing", SharedResource::Registers);
  expectStorage("scratchpad-sharing", SharedResource::Scratchpad);
  // GTX 480: 8 CTAs, 48 warps.
  DeviceDescription D = device("gtx480");
  EXPECT_EQ(sharingStorage(SharedResource::Registers, D).total(), 273u);
  EXPECT_EQ(sharingStorage(SharedResource::Scratchpad, D).total(), 93u);
}

TEST(Sharing, ReadsShares) {
  EXPECT_EQ(*settings::PrivateShare.parse("0.1"), 100);
  EXPECT_EQ(*settings::PrivateShare.parse("1"), 1000);
  EXPECT_EQ(*settings::PrivateShare.parse("0.001"), 1);
  for (const char *Text : {"0", "0.0", "0.000", "1.1", "-0.5", "0.1234", "t"}) {
    Result<int64_t> R = settings::PrivateShare.parse(Text);
    ASSERT_FALSE(R) << Text;
    EXPECT_EQ(R.error().str(),
              "expected a number from 0.001 to 1 with three decimals at most, "
              "got '" +
                  std::string(Text) + "'");
  }
}

TEST(Sharing, PrivateRegistersAreWhole) {
  EXPECT_EQ(privateRegisters(36, 100), 3u);
  EXPECT_EQ(privateRegisters(36, 1000), 36u);
  EXPECT_EQ(privateRegisters(9, 100), 0u);
}

/// LIB with t = 0.7: five CTAs, the last of which shares with the fourth.
TEST(Sharing, SlotsOfAPair) {
  SharingResidency S = sharingResidency(SharedResource::Registers,
                                        device("gtx480"), {36, 192, 0}, 700);
  EXPECT_EQ(S.WholeCTAs, 4u);
  EXPECT_EQ(S.Pairs, 1u);
  EXPECT_EQ(S.Private, 25u);
  EXPECT_EQ(S.Limiters, std::vector{Limiter::Registers});
  EXPECT_FALSE(S.isShared(2));
  EXPECT_TRUE(S.isShared(3));
  EXPECT_EQ(S.partnerOf(3), 4u);
  EXPECT_EQ(S.partnerOf(4), 3u);
  EXPECT_EQ(S.pairOf(4), 0u);
}

namespace {

bool isLimitedBy(Limiter L, const Occupancy &O) {
  return std::ranges::count(O.Limiters, L) != 0;
}

struct Allocation {
  const DeviceDescription &D;
  const KernelResources &K;
  unsigned PerMille;

  /// What the device rounds the kernel's registers of a warp up to.
  uint64_t registersOfWarp() const {
    uint64_t Regs = K.RegsPerThread;
    while (Regs % D.RegsPerThreadUnit)
      ++Regs;
    Regs *= D.WarpSize;
    while (Regs % D.RegsPerWarpUnit)
      ++Regs;
    return Regs;
  }

  /// Whether \p Ctas, the last \p Pairs of which share, find their registers
  /// when warps take partitions in turn, and partners those of their warps.
  bool fits(unsigned Ctas, unsigned Pairs) const {
    unsigned Warps = (K.ThreadsPerCTA + D.WarpSize - 1) / D.WarpSize;
    std::vector<uint64_t> Taken(D.RegisterPartitions), Slots = Taken;
    unsigned Whole = Ctas - Pairs;
    for (unsigned Warp = 0; Warp != Whole * Warps; ++Warp) {
      unsigned P = Warp % D.RegisterPartitions;
      bool HasPartner = Warp >= (Whole - Pairs) * Warps;
      Taken[P] += registersOfWarp() * (HasPartner ? 1000 + PerMille : 1000);
      Slots[P] += HasPartner ? 2 : 1;
    }
    for (unsigned P = 0; P != D.RegisterPartitions; ++P) {
      uint64_t SlotsHere = 0;
      for (unsigned Slot = P; Slot < D.MaxWarps; Slot += D.RegisterPartitions)
        ++SlotsHere;
      if (Taken[P] > uint64_t(D.Registers) / D.RegisterPartitions * 1000 ||
          Slots[P] > SlotsHere)
        return false;
    }
    return Ctas <= D.MaxCTAs && Ctas * Warps <= D.MaxWarps &&
           Ctas * K.ThreadsPerCTA <= D.MaxThreads;
  }
};

/// Every warp has a slot of its own, and partners are in the same partition.
void expectLayout(const DeviceDescription &D, const SharingResidency &S) {
  std::set<unsigned> Seen;
  for (unsigned Slot = 0; Slot != S.ctas(); ++Slot) {
    for (unsigned Index = 0; Index != S.WarpsPerCTA; ++Index) {
      unsigned Warp = S.warpSlot(Slot, Index);
      ASSERT_LT(Warp, D.MaxWarps);
      ASSERT_TRUE(Seen.insert(Warp).second);
      if (S.isShared(Slot))
        ASSERT_EQ(Warp % D.RegisterPartitions,
                  S.warpSlot(S.partnerOf(Slot), Index) % D.RegisterPartitions);
    }
    if (!S.isShared(Slot))
      continue;
    ASSERT_NE(S.partnerOf(Slot), Slot);
    ASSERT_EQ(S.partnerOf(S.partnerOf(Slot)), Slot);
    ASSERT_EQ(S.pairOf(S.partnerOf(Slot)), S.pairOf(Slot));
    ASSERT_LT(S.pairOf(Slot), S.Pairs);
  }
}

} // namespace

/// Against trying every number of pairs.
TEST(Sharing, RandomRegisterPairs) {
  std::mt19937 Random(7);
  auto Upto = [&](unsigned N) { return unsigned(Random() % N) + 1; };
  unsigned WithPairs = 0;
  const DeviceDescription Preset = device("gtx480");
  for (unsigned Round = 0; Round != 20'000; ++Round) {
    DeviceDescription D = Preset;
    D.RegisterPartitions = Round % 3 ? 1 : 1u << (Random() % 3);
    D.Registers = 4096 * Upto(8);
    D.RegsPerThreadUnit = 1u << (Random() % 4);
    D.RegsPerWarpUnit = 64u << (Random() % 3);
    D.MaxWarps = 32 + Upto(32);
    D.MaxCTAs = 4 + Upto(28);
    D.MaxThreads = 32 * D.MaxWarps;
    KernelResources K{15 + Upto(48), Upto(384), 0};
    unsigned PerMille = Upto(1000);
    unsigned Whole = occupancy(D, K).CTAs;
    SharingResidency S =
        sharingResidency(SharedResource::Registers, D, K, PerMille);
    ASSERT_EQ(S.WholeCTAs, Whole);
    ASSERT_NO_FATAL_FAILURE(expectLayout(D, S));
    unsigned Most = 0;
    // One CTA more that needs no sharing would be resident without it.
    bool ByRegisters = isLimitedBy(Limiter::Registers, occupancy(D, K));
    for (unsigned Pairs = 1; ByRegisters && Pairs <= Whole; ++Pairs)
      if (Allocation{D, K, PerMille}.fits(Whole + Pairs, Pairs))
        Most = Pairs;
    ASSERT_EQ(S.Pairs, Most) << "round " << Round;
    ASSERT_FALSE(S.Limiters.empty());
    WithPairs += Most != 0;
  }
  EXPECT_GT(WithPairs, 2000u);
}

TEST(Sharing, RandomScratchpadPairs) {
  std::mt19937 Random(8);
  auto Upto = [&](unsigned N) { return unsigned(Random() % N) + 1; };
  unsigned WithPairs = 0;
  const DeviceDescription Preset = device("gtx480");
  for (unsigned Round = 0; Round != 20'000; ++Round) {
    DeviceDescription D = Preset;
    D.SharedMemory = 1024 * Upto(64);
    D.SharedReservedPerCTA = Random() % 2 ? 0 : 1024;
    D.SharedUnit = 1u << (Random() % 9);
    D.MaxCTAs = Upto(16);
    KernelResources K{Upto(32), Upto(512), unsigned(Random() % 16'384)};
    unsigned PerMille = Upto(1000);
    SharingResidency S =
        sharingResidency(SharedResource::Scratchpad, D, K, PerMille);
    Occupancy O = occupancy(D, K);
    ASSERT_EQ(S.WholeCTAs, O.CTAs);
    // CTAs one at a time: whole ones, then partners with their private part.
    bool ByScratchpad = isLimitedBy(Limiter::SharedMemory, O);
    DeviceDescription Roomy = D;
    Roomy.SharedMemory = 1u << 30;
    unsigned Others = occupancy(Roomy, K).CTAs;
    double Left = double(D.SharedMemory) - double(O.CTAs) * O.SharedPerCTA;
    double Own = double(O.SharedPerCTA) - D.SharedReservedPerCTA;
    double Partner = D.SharedReservedPerCTA + Own * PerMille / 1000;
    unsigned Pairs = 0;
    while (ByScratchpad && Pairs < O.CTAs && O.CTAs + Pairs < Others &&
           Left + 1e-6 >= Partner) {
      Left -= Partner;
      ++Pairs;
    }
    ASSERT_EQ(S.Pairs, Pairs) << "round " << Round;
    if (Pairs)
      ASSERT_EQ(S.Private, unsigned(Own * PerMille / 1000 + 1e-9));
    ASSERT_FALSE(S.Limiters.empty());
    WithPairs += Pairs != 0;
  }
  EXPECT_GT(WithPairs, 2000u);
}

/// Eight CTAs of 96 threads and 32 registers fill file and CTA slots alike:
/// both are named, with pairs or without.
TEST(Sharing, NamesEveryLimit) {
  DeviceDescription D = device("gtx480,registers=24576");
  KernelResources K{32, 96, 0};
  std::vector Both{Limiter::Registers, Limiter::CTAs};
  ASSERT_EQ(occupancy(D, K).Limiters, Both);
  EXPECT_EQ(sharingResidency(SharedResource::Registers, D, K).Limiters, Both);
  // Six whole ones, two pairs in what a sixth of a CTA leaves.
  D.Registers = 6 * 32 * 96 + 2 * 310;
  SharingResidency S = sharingResidency(SharedResource::Registers, D, K);
  EXPECT_EQ(S.Pairs, 2u);
  EXPECT_EQ(S.Limiters, Both);
  // Room for a third pair, for which there is no slot.
  D.Registers += 1000;
  EXPECT_EQ(sharingResidency(SharedResource::Registers, D, K).Limiters,
            std::vector{Limiter::CTAs});
}

/// Where something else limits, nothing is shared.
TEST(Sharing, KernelsLimitedByNeither) {
  std::mt19937 Random(9);
  for (const char *Preset : {"gtx480", "hopper", "ltrf-maxwell"}) {
    const DeviceDescription D = device(Preset);
    for (unsigned Round = 0; Round != 500; ++Round) {
      KernelResources K{unsigned(Random() % 40 + 1),
                        unsigned(Random() % 1024 + 1),
                        unsigned(Random() % 16'384)};
      Occupancy O = occupancy(D, K);
      for (auto [What, By] :
           {std::pair(SharedResource::Registers, Limiter::Registers),
            {SharedResource::Scratchpad, Limiter::SharedMemory}}) {
        if (isLimitedBy(By, O))
          continue;
        SharingResidency S = sharingResidency(What, D, K);
        EXPECT_EQ(S.ctas(), O.CTAs);
        EXPECT_EQ(S.Pairs, 0u);
        EXPECT_EQ(S.Limiters, O.Limiters);
      }
    }
  }
}
