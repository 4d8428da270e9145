//===- WaveModelTest.cpp - A launch from its first waves of CTAs ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling/LaunchSampler.h"

#include "gtest/gtest.h"

using namespace regshare::cudart;

namespace {

constexpr uint64_t WaveCtas = 90, WorkOfCta = 100;

/// Waves of \p Period cycles, of which the first four are faster, and \p Drain
/// cycles from the begin of the last one until its CTAs have ended.
WaveTiming timing(uint64_t Ctas, uint64_t Period, uint64_t Drain = 3500) {
  WaveTiming T{WaveCtas, Ctas, Ctas * WorkOfCta, 0, {}};
  uint64_t Begin = 0;
  for (uint64_t N = 0; N * WaveCtas < Ctas; ++N) {
    T.Begins.push_back(Begin);
    Begin += N < FirstEvenWave ? Period * 8 / 10 : Period;
  }
  T.Cycles = T.Begins.back() + Drain;
  return T;
}

constexpr uint64_t PartCtas = TimedWaves * WaveCtas;

/// A kernel that is launched again and again with \p Ctas CTAs.
struct Program {
  LaunchSampler S;
  uint64_t Ctas, WholeCycles = 0, Parts = 0;

  Program(unsigned Percent, uint64_t Ctas) : S(Percent), Ctas(Ctas) {}
  /// A launch of which \p Whole is what timing it would say, and \p Part what
  /// timing a part of it says.
  void launch(const WaveTiming &Whole, const WaveTiming &Part) {
    uint64_t Timed = S.next({"k", {256, 1, 1}, 0, Ctas, WaveCtas, false});
    WholeCycles += Whole.Cycles;
    if (Timed == Ctas) {
      S.addTimed(Whole);
    } else if (Timed) {
      EXPECT_EQ(Timed, PartCtas);
      S.addPart(Part, Whole.WarpInstructions);
      ++Parts;
    } else {
      S.addExecuted(Whole.WarpInstructions);
    }
  }
};

} // namespace

TEST(WaveModel, EvenWavesTellTheRest) {
  uint64_t Ctas = 40 * WaveCtas;
  EXPECT_NEAR(*waveError(timing(Ctas, 3000)), 0, 1e-9);
  EXPECT_NEAR(*cyclesFromWaves(timing(PartCtas, 3000), Ctas, Ctas * WorkOfCta),
              double(timing(Ctas, 3000).Cycles), 1);
}

TEST(WaveModel, WavesThatBecomeSlowerAreAnError) {
  WaveTiming Whole = timing(40 * WaveCtas, 3000);
  // From the 20th on, each takes 600 cycles more.
  for (size_t N = 20; N != Whole.Begins.size(); ++N)
    Whole.Begins[N] += 600 * (N - 19);
  Whole.Cycles = Whole.Begins.back() + 3500;
  EXPECT_DOUBLE_EQ(*waveError(Whole), -600.0 * 20 / double(Whole.Cycles));
}

TEST(WaveModel, FewWavesTellNothing) {
  EXPECT_EQ(waveError(timing((LeastWaves - 1) * WaveCtas, 3000)), std::nullopt);
  EXPECT_NE(waveError(timing(LeastWaves * WaveCtas, 3000)), std::nullopt);
  EXPECT_EQ(
      cyclesFromWaves(timing(PartCtas, 3000), PartCtas, PartCtas * WorkOfCta),
      std::nullopt);
}

/// The rest counts by its warp instructions, up to a tenth more or fewer.
TEST(WaveModel, OtherWorkTellsNothing) {
  WaveTiming Part = timing(PartCtas, 3000);
  uint64_t Rest = 32 * WaveCtas;
  auto With = [&](uint64_t WorkOfRest) {
    return cyclesFromWaves(Part, PartCtas + Rest,
                           PartCtas * WorkOfCta + Rest * WorkOfRest);
  };
  EXPECT_NEAR(*With(105), double(Part.Cycles) + 32 * 3000 * 1.05, 1);
  EXPECT_EQ(With(111), std::nullopt);
  EXPECT_EQ(With(89), std::nullopt);
}

TEST(WaveModel, AWholeLaunchComesBeforeParts) {
  Program P(3, 40 * WaveCtas);
  for (unsigned N = 0; N != 100; ++N)
    P.launch(timing(P.Ctas, 3000), timing(PartCtas, 3000));
  SampleSummary Sum = P.S.summary();
  EXPECT_EQ(Sum.Timed, 1u);
  EXPECT_GE(P.Parts, 2u);
  EXPECT_EQ(Sum.TimedInPart, P.Parts);
  EXPECT_EQ(Sum.Launches, 100u);
  EXPECT_EQ(Sum.All.Cycles, P.WholeCycles);
  EXPECT_EQ(Sum.TimedCycles, timing(P.Ctas, 3000).Cycles +
                                 P.Parts * timing(PartCtas, 3000).Cycles);
  // Each launch but the first is an estimate.
  EXPECT_EQ(P.S.estimates().size(), 99u);
}

TEST(WaveModel, UnevenWavesAreTimedToTheirEnd) {
  WaveTiming Slower = timing(40 * WaveCtas, 3000);
  for (size_t N = 20; N != Slower.Begins.size(); ++N)
    Slower.Begins[N] += 600 * (N - 19);
  Slower.Cycles = Slower.Begins.back() + 3500;
  Program P(3, 40 * WaveCtas);
  for (unsigned N = 0; N != 100; ++N)
    P.launch(Slower, timing(PartCtas, 3000));
  EXPECT_EQ(P.Parts, 0u);
  EXPECT_EQ(P.S.summary().All.Cycles, P.WholeCycles);
  // With more error in mind, it may be.
  Program Rough(40, 40 * WaveCtas);
  for (unsigned N = 0; N != 100; ++N)
    Rough.launch(Slower, timing(PartCtas, 3000));
  EXPECT_GT(Rough.Parts, 0u);
  SampleSummary Sum = Rough.S.summary();
  double Error = 1 - double(Sum.All.Cycles) / double(Rough.WholeCycles);
  EXPECT_GT(Error, 0.05);
  // What the waves missed, and half a wave of 40.
  EXPECT_NEAR(*Sum.All.Error, Error + 0.5 / 40, 0.1 * Error);
}

/// Half a wave of 16 is more than the three percent leave for it.
TEST(WaveModel, LaunchesOfFewWavesAreTimedToTheirEnd) {
  for (uint64_t Waves : {16, 40}) {
    Program P(3, Waves * WaveCtas);
    for (unsigned N = 0; N != 100; ++N)
      P.launch(timing(P.Ctas, 3000), timing(PartCtas, 3000));
    EXPECT_EQ(P.Parts == 0, Waves == 16);
  }
}

/// What a part of other work says is not used, and no other part is timed.
TEST(WaveModel, APartOfOtherWorkIsTheLast) {
  Program P(3, 40 * WaveCtas);
  for (unsigned N = 0; N != 100; ++N) {
    WaveTiming Whole = timing(P.Ctas, 3000);
    Whole.WarpInstructions = Whole.WarpInstructions * 3 / 2;
    P.launch(Whole, timing(PartCtas, 2500));
  }
  EXPECT_EQ(P.Parts, 1u);
  EXPECT_EQ(P.S.summary().All.Cycles, P.WholeCycles);
}
