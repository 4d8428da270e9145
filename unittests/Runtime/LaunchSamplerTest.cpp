//===- LaunchSamplerTest.cpp - Launches that stand for others -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is the whole: programs whose launches have known cycles, of which
// the sampler sees those that it asks for.
//
//===----------------------------------------------------------------------===//

#include "Sampling/LaunchSampler.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace regshare;
using namespace regshare::cudart;

namespace {

struct Launch {
  SampledShape Shape;
  uint64_t WarpInstructions, Cycles;
};

struct Sampled {
  SampleSummary Summary;
  uint64_t WholeCycles = 0;
  /// Warp instructions of timed launches, as a part of all.
  double TimedPart = 0;
  std::vector<size_t> Timed; ///< Places in the program.

  /// By what part of the whole the estimate misses it.
  double error() const {
    return std::abs(double(Summary.All.Cycles) / double(WholeCycles) - 1);
  }
};

Sampled sample(unsigned Percent, const std::vector<Launch> &Program) {
  LaunchSampler S(Percent);
  Sampled Found;
  double All = 0, Timed = 0;
  for (size_t N = 0; N != Program.size(); ++N) {
    const Launch &L = Program[N];
    Found.WholeCycles += L.Cycles;
    All += double(L.WarpInstructions);
    if (S.next(L.Shape)) {
      S.addTimed({1, L.Shape.Ctas, L.WarpInstructions, L.Cycles, {}});
      Timed += double(L.WarpInstructions);
      Found.Timed.push_back(N);
    } else {
      S.addExecuted(L.WarpInstructions);
    }
  }
  Found.Summary = S.summary();
  Found.TimedPart = Timed / All;
  return Found;
}

Launch launch(uint64_t Ctas, uint64_t WarpInstructions, uint64_t Cycles) {
  return {{"k", {256, 1, 1}, 0, Ctas, 0, false}, WarpInstructions, Cycles};
}

/// \p Count launches, of which \p Of says the Nth.
std::vector<Launch> program(size_t Count,
                            const std::function<Launch(size_t)> &Of) {
  std::vector<Launch> Program;
  for (size_t N = 0; N != Count; ++N)
    Program.push_back(Of(N));
  return Program;
}

/// From -1 to 1, without a pattern (Knuth's MMIX generator).
double noise(size_t N) {
  uint64_t Bits = N;
  for (int Round = 0; Round != 4; ++Round)
    Bits = Bits * 6364136223846793005u + 1442695040888963407u;
  return double(Bits >> 11) / double(1ull << 52) - 1;
}

} // namespace

TEST(CycleModel, OneLaunchStandsInProportion) {
  CycleModel M;
  EXPECT_EQ(M.estimate(0, 100), std::nullopt);
  EXPECT_EQ(M.error(), std::nullopt);
  M.add({0, 1000, 500});
  EXPECT_DOUBLE_EQ(*M.estimate(1, 3000), 1500);
  EXPECT_EQ(M.error(), std::nullopt);
}

TEST(CycleModel, TheFirstLaunchIsColdAndStandsForNoOther) {
  CycleModel M;
  M.add({0, 1000, 900});
  M.add({1, 1000, 500});
  EXPECT_DOUBLE_EQ(*M.estimate(2, 1000), 500);
  // Without the second, the first is all there is: 400 of 500 cycles too many.
  EXPECT_DOUBLE_EQ(*M.error(), 0.8);
}

TEST(CycleModel, BetweenLaunchesThatAreAlikeCyclesChangeWithTheNumber) {
  CycleModel M;
  M.add({0, 1000, 9999});
  M.add({10, 1000, 500});
  M.add({20, 1000, 700});
  M.add({30, 5000, 8000});
  EXPECT_DOUBLE_EQ(*M.estimate(5, 1000), 500);
  EXPECT_DOUBLE_EQ(*M.estimate(15, 1000), 600);
  EXPECT_DOUBLE_EQ(*M.estimate(25, 1000), 700);
  // One percent more instructions.
  EXPECT_DOUBLE_EQ(*M.estimate(15, 1010), 606);
}

/// The line by least squares through six launches, worked out by hand: 600
/// cycles at number 35, and 62/35 more with each.
TEST(CycleModel, LaunchesThatAreAlikeAndNoisyFollowTheirTrend) {
  CycleModel M;
  M.add({0, 1000, 9999});
  uint64_t Number = 0;
  for (uint64_t Cycles : {500, 700, 510, 690, 480, 720})
    M.add({Number += 10, 1000, Cycles});
  const double Slope = 62.0 / 35;
  EXPECT_NEAR(*M.estimate(35, 1000), 600, 1e-9);
  EXPECT_NEAR(*M.estimate(15, 1000), 600 - 20 * Slope, 1e-9);
  EXPECT_NEAR(*M.estimate(60, 1010), 1.01 * (600 + 25 * Slope), 1e-9);
  // Beyond the last one nothing is known.
  EXPECT_NEAR(*M.estimate(99, 1000), 600 + 25 * Slope, 1e-9);
}

TEST(CycleModel, FollowsAPowerOfTheSize) {
  CycleModel M;
  auto Cycles = [](double Size) { return 5 * std::pow(Size, 1.5); };
  M.add({0, 1, 1});
  uint64_t Number = 1;
  for (uint64_t Size : {10000, 40000, 160000})
    M.add({Number++, Size, uint64_t(Cycles(double(Size)))});
  for (uint64_t Size : {2500, 20000, 90000, 640000})
    EXPECT_NEAR(*M.estimate(9, Size) / Cycles(double(Size)), 1, 1e-6) << Size;
  EXPECT_NEAR(*M.error(), 0, 1e-6);
}

TEST(CycleModel, CyclesDoNotFallWhereTheSizeGrowsBeyondAll) {
  CycleModel M;
  M.add({0, 1, 1});
  M.add({1, 1000, 800});
  M.add({2, 2000, 700});
  EXPECT_DOUBLE_EQ(*M.estimate(3, 4000), 700);
}

TEST(LaunchSampler, OffTimesEveryLaunch) {
  Sampled S = sample(0, program(50, [](size_t) { return launch(10, 9, 7); }));
  EXPECT_EQ(S.Summary.Timed, 50u);
  EXPECT_EQ(S.Summary.All.Cycles, 350u);
  EXPECT_EQ(S.Summary.All.Error, 0.0);
}

TEST(LaunchSampler, LaunchesThatAreAlikeAreTimedEverMoreRarely) {
  Sampled S = sample(3, program(1000, [](size_t N) {
                       return launch(90, 5000, N == 0 ? 900 : 500);
                     }));
  EXPECT_EQ(S.error(), 0);
  ASSERT_GE(S.Timed.size(), 4u);
  EXPECT_LE(S.Timed.size(), 12u);
  EXPECT_EQ(S.Timed[0], 0u);
  EXPECT_EQ(S.Timed[1], 1u);
  EXPECT_EQ(S.Summary.Launches, 1000u);
  EXPECT_EQ(S.Summary.Timed, S.Timed.size());
  EXPECT_EQ(S.Summary.TimedCycles, 900 + 500 * (S.Timed.size() - 1));
}

TEST(LaunchSampler, KernelsAndShapesOfCtasAreApart) {
  auto Of = [](size_t N) {
    Launch L = launch(90, 5000, 100 * (1 + N % 4));
    if (N % 4 == 1)
      L.Shape.Kernel = "other";
    if (N % 4 == 2)
      L.Shape.Block = {16, 16, 1};
    if (N % 4 == 3)
      L.Shape.DynamicSharedBytes = 64;
    return L;
  };
  Sampled S = sample(3, program(400, Of));
  EXPECT_EQ(S.error(), 0);
  EXPECT_LE(S.Timed.size(), 40u);
}

/// As in an elimination: ever fewer CTAs, in waves of 90.
TEST(LaunchSampler, LaunchesThatShrinkAreTimedAlongTheirSizes) {
  auto Of = [](size_t N) {
    uint64_t Side = 200 - N, Ctas = Side * Side;
    return launch(Ctas, 800 * Ctas, 500 + 3000 * ((Ctas + 89) / 90));
  };
  Sampled S = sample(3, program(200, Of));
  EXPECT_LE(S.error(), 0.03);
  EXPECT_LE(S.TimedPart, 0.1);
}

/// As in a reduction: what 450 CTAs have left over is added by one.
TEST(LaunchSampler, SizesThatTakeTurnsAreBothTimed) {
  auto Of = [](size_t N) {
    bool IsLarge = N % 2 == 0;
    return IsLarge ? launch(450, 90000, 8000 - (N > 0) * 1000)
                   : launch(1, 200, 700);
  };
  Sampled S = sample(3, program(400, Of));
  EXPECT_EQ(S.error(), 0);
  size_t Large = 0;
  for (size_t N : S.Timed)
    Large += N % 2 == 0;
  EXPECT_GE(Large, 3u);
  EXPECT_GE(S.Timed.size() - Large, 2u);
  EXPECT_LE(S.Timed.size(), 24u);
}

TEST(LaunchSampler, ASizeThatWasNeverTimedIs) {
  auto Of = [](size_t N) {
    return N < 60 ? launch(90, 5000, 500) : launch(900, 50000, 4000);
  };
  Sampled S = sample(3, program(120, Of));
  EXPECT_NE(std::ranges::find(S.Timed, 60u), S.Timed.end());
  EXPECT_LE(S.error(), 0.001);
}

TEST(LaunchSampler, NoiseIsSaidAndTimedMoreOften) {
  auto Noisy = [](size_t N) {
    return launch(90, 5000, uint64_t(10000 * (1 + 0.3 * noise(N))));
  };
  auto Quiet = [](size_t) { return launch(90, 5000, 10000); };
  Sampled S = sample(3, program(2000, Noisy));
  EXPECT_GT(S.Timed.size(), sample(3, program(2000, Quiet)).Timed.size());
  EXPECT_GT(*S.Summary.All.Error, 0.001);
  EXPECT_LE(S.error(), 2 * *S.Summary.All.Error);
  EXPECT_LE(S.error(), 0.03);
}

TEST(LaunchSampler, LessErrorTakesMoreLaunches) {
  auto Noisy = [](size_t N) {
    return launch(90, 5000, uint64_t(10000 * (1 + 0.3 * noise(N))));
  };
  EXPECT_GT(sample(1, program(2000, Noisy)).Timed.size(),
            sample(10, program(2000, Noisy)).Timed.size());
}

/// Cycles double halfway, and nothing that can be seen from outside tells.
TEST(LaunchSampler, ADriftIsFoundAndItsErrorSaid) {
  Sampled S = sample(3, program(1000, [](size_t N) {
                       return launch(90, 5000, N < 500 ? 500 : 1000);
                     }));
  EXPECT_TRUE(std::ranges::any_of(S.Timed, [](size_t N) { return N >= 500; }));
  EXPECT_LE(S.error(), *S.Summary.All.Error);
  EXPECT_GT(*S.Summary.All.Error, 0.03);
}

TEST(LaunchSampler, LaunchesWhoseCtasWaitForEachOtherAreTimed) {
  auto Of = [](size_t) {
    Launch L = launch(90, 5000, 500);
    L.Shape.WaitsForOthers = true;
    return L;
  };
  EXPECT_EQ(sample(50, program(100, Of)).Timed.size(), 100u);
}
