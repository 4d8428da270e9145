//===- OccupancyTest.cpp - Tests of the occupancy calculator ------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Occupancy.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace regshare;

namespace {

constexpr Limiter AllLimiters[] = {Limiter::Registers, Limiter::SharedMemory,
                                   Limiter::Threads, Limiter::Warps,
                                   Limiter::CTAs};

/// One SM that takes CTAs one at a time, under one limit only, and knows
/// nothing of divisions.
class SingleLimitSM {
public:
  SingleLimitSM(const DeviceDescription &D, const KernelResources &K,
                Limiter What)
      : D(D), K(K), What(What), FreeRegs(D.RegisterPartitions) {
    for (unsigned &Free : FreeRegs)
      Free = D.Registers / D.RegisterPartitions;
    while (Warps * D.WarpSize < K.ThreadsPerCTA)
      ++Warps;
  }

  bool add() {
    ++CTAs;
    switch (What) {
    case Limiter::Registers:
      return addRegisters();
    case Limiter::SharedMemory:
      return K.SharedPerCTA <= D.MaxSharedPerCTA &&
             CTAs * upTo(K.SharedPerCTA + D.SharedReservedPerCTA,
                         D.SharedUnit) <=
                 D.SharedMemory;
    case Limiter::Threads:
      return K.ThreadsPerCTA <= D.MaxThreadsPerCTA &&
             CTAs * K.ThreadsPerCTA <= D.MaxThreads;
    case Limiter::Warps:
      return CTAs * Warps <= D.MaxWarps;
    case Limiter::CTAs:
      return CTAs <= D.MaxCTAs;
    }
    return false;
  }

private:
  static unsigned upTo(unsigned N, unsigned Unit) {
    while (N % Unit)
      ++N;
    return N;
  }

  bool addRegisters() {
    if (K.RegsPerThread > D.MaxRegsPerThread)
      return false;
    unsigned PerThread = upTo(K.RegsPerThread, D.RegsPerThreadUnit);
    unsigned PerWarp = upTo(PerThread * D.WarpSize, D.RegsPerWarpUnit);
    if (upTo(Warps, D.RegisterPartitions) * PerWarp > D.Registers)
      return false;
    for (unsigned W = 0; W != Warps; ++W)
      if (!take(*std::max_element(FreeRegs.begin(), FreeRegs.end()), PerWarp))
        return false;
    return true;
  }

  static bool take(unsigned &Free, unsigned Amount) {
    if (Amount > Free)
      return false;
    Free -= Amount;
    return true;
  }

  const DeviceDescription &D;
  const KernelResources &K;
  Limiter What;
  std::vector<unsigned> FreeRegs;
  unsigned CTAs = 0, Warps = 0;
};

class Fuzz {
public:
  explicit Fuzz(unsigned Seed) : Random(Seed) {}

  unsigned pick(unsigned From, unsigned To) {
    return std::uniform_int_distribution<unsigned>(From, To)(Random);
  }
  unsigned oneOf(std::initializer_list<unsigned> Choices) {
    return Choices.begin()[pick(0, unsigned(Choices.size()) - 1)];
  }

  DeviceDescription device() {
    DeviceDescription D;
    D.NumSMs = 1;
    D.WarpSize = 32;
    D.MaxWarps = pick(8, 64);
    D.MaxThreads = D.MaxWarps * 32;
    D.MaxCTAs = pick(1, 32);
    D.MaxThreadsPerCTA = oneOf({256, 512, 1024});
    D.RegsPerWarpUnit = oneOf({1, 64, 256});
    D.RegisterPartitions = oneOf({1, 2, 4});
    D.Registers = pick(8, 64) * 1024;
    D.MaxRegsPerThread = oneOf({63, 255});
    D.RegsPerThreadUnit = oneOf({1, 2, 4, 8});
    D.SharedMemory = pick(16, 228) * 1024;
    D.MaxSharedPerCTA = pick(8, D.SharedMemory / 1024) * 1024;
    D.SharedUnit = oneOf({1, 128, 256});
    D.SharedReservedPerCTA = oneOf({0, 1024});
    return D;
  }

  KernelResources kernel() {
    return {pick(1, 260), pick(1, 1100), oneOf({0, pick(1, 64 * 1024)})};
  }

private:
  std::mt19937 Random;
};

} // namespace

TEST(Occupancy, AgreesWithAddingOneCTAAtATime) {
  Fuzz F(1);
  for (unsigned Run = 0; Run != 3000; ++Run) {
    DeviceDescription D = F.device();
    KernelResources K = F.kernel();
    Occupancy O = occupancy(D, K);
    SCOPED_TRACE(testing::Message()
                 << "run " << Run << ": " << K.RegsPerThread << " registers, "
                 << K.ThreadsPerCTA << " threads, " << K.SharedPerCTA
                 << " bytes");
    ASSERT_FALSE(O.Limiters.empty());
    for (Limiter What : AllLimiters) {
      SingleLimitSM SM(D, K, What);
      for (unsigned I = 0; I != O.CTAs; ++I)
        ASSERT_TRUE(SM.add()) << "CTA " << I;
      bool Limits = std::count(O.Limiters.begin(), O.Limiters.end(), What);
      EXPECT_EQ(!SM.add(), Limits) << "limiter " << int(What);
    }
    EXPECT_EQ(O.RegsLeft, D.Registers - O.CTAs * O.RegsPerCTA);
    EXPECT_LE(O.fraction(D), 1.0);
    EXPECT_DOUBLE_EQ(O.fraction(D) * D.MaxWarps, O.Warps);
  }
}

TEST(Occupancy, RegistersForOneMoreCTAIsTheLargestThatWorks) {
  Fuzz F(2);
  unsigned Found = 0;
  for (unsigned Run = 0; Run != 1000; ++Run) {
    DeviceDescription D = F.device();
    KernelResources K = F.kernel();
    unsigned Wanted = occupancy(D, K).CTAs + 1;
    std::optional<unsigned> Expected;
    for (KernelResources Fewer = K; Fewer.RegsPerThread > 1;) {
      --Fewer.RegsPerThread;
      if (occupancy(D, Fewer).CTAs < Wanted)
        continue;
      Expected = Fewer.RegsPerThread;
      break;
    }
    EXPECT_EQ(regsForOneMoreCTA(D, K), Expected) << "run " << Run;
    Found += Expected.has_value();
  }
  EXPECT_GT(Found, 100u);
}

TEST(Occupancy, RegistersForCTAsIsTheLargestThatWorks) {
  Result<DeviceDescription> D = loadDevice("hopper");
  ASSERT_TRUE(D) << D.error().str();
  EXPECT_EQ(regsForCTAs(*D, 1024, 2), 32u);
  EXPECT_EQ(regsForCTAs(*D, 256, 8), 32u);
  EXPECT_EQ(regsForCTAs(*D, 256, 1), 255u);
  EXPECT_EQ(regsForCTAs(*D, 1024, 1), 64u);
  EXPECT_EQ(regsForCTAs(*D, 1024, 65), 0u);
}

// Against asking for every number of registers.
TEST(Occupancy, RegisterSteps) {
  for (const char *Name : {"gtx480", "hopper", "gv100"}) {
    Result<DeviceDescription> D = loadDevice(Name);
    ASSERT_TRUE(D);
    for (unsigned Threads : {1u, 33u, 64u, 96u, 250u, 512u, 768u})
      for (unsigned Shared : {0u, 5000u, 40000u}) {
        KernelResources K;
        K.ThreadsPerCTA = Threads;
        K.SharedPerCTA = Shared;
        std::vector<unsigned> Most;
        for (unsigned Regs = 1; Regs <= D->MaxRegsPerThread; ++Regs) {
          K.RegsPerThread = Regs;
          unsigned CTAs = occupancy(*D, K).CTAs;
          Most.resize(std::max<size_t>(Most.size(), CTAs));
          std::fill_n(Most.begin(), CTAs, Regs);
        }
        K.RegsPerThread = 63;
        EXPECT_EQ(registerSteps(*D, K), Most) << Name << ", " << Threads;
      }
  }
}
