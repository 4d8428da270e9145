//===- PartOfGridTest.cpp - Timing the first CTAs of a launch -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimingTest.h"

using namespace regshare;
using namespace regshare::sim;

namespace {

/// Each CTA adds its number + 1 to the word of its own, after a chain of
/// multiplications.
const std::string Body =
    "mov.u32 %r2, %ctaid.x; add.u32 %r3, %r2, 1; mov.u32 %r4, 0; mov.u32 %r6, "
    "7;\n"
    "S: mul.lo.u32 %r6, %r6, %r6; add.u32 %r4, %r4, 1;\n"
    "setp.lt.u32 %p1, %r4, 50; @%p1 bra S;\n"
    "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd3, %rd1, %rd3;\n"
    "setp.ne.u32 %p2, %r1, 0; @%p2 bra E;\n"
    "ld.global.u32 %r5, [%rd3]; add.u32 %r5, %r5, %r3;\n"
    "st.global.u32 [%rd3], %r5;\nE:\n";

constexpr unsigned Ctas = 1000, Threads = 256;

/// A program that runs on a machine, in one or two parts.
struct Parts {
  TestProgram T{kernelAround(Body)};
  uint64_t Out = T.upload(std::vector<uint32_t>(Ctas));
  LaunchConfig Config{
      {Ctas}, {Threads}, 0, *packArguments(*T.P->findKernel("k"), {Out})};

  TimingStats timed(const DeviceDescription &D, uint64_t MostCtas) {
    TimedLaunchOptions Options;
    Options.RegsPerThread = 20;
    Options.MostCtas = MostCtas;
    Result<TimingStats> S =
        machine(D)->run(*T.P, T.Memory, "k", Config, Options);
    EXPECT_TRUE(S) << S.error().str();
    checkAccounting(*S);
    return *S;
  }
  LaunchStats executed(uint64_t FirstCta) {
    LaunchOptions Options;
    Options.FirstCta = FirstCta;
    Result<LaunchStats> S = runKernel(*T.P, T.Memory, "k", Config, Options);
    EXPECT_TRUE(S) << S.error().str();
    return *S;
  }
  std::vector<uint32_t> words() { return T.download<uint32_t>(Out, Ctas); }
};

/// Of CTA N, N + 1 if it has been executed once.
std::vector<uint32_t> wordsAfter(unsigned First, unsigned Last) {
  std::vector<uint32_t> Words(Ctas);
  for (unsigned N = First; N != Last; ++N)
    Words[N] = N + 1;
  return Words;
}

} // namespace

TEST(PartOfGrid, TheFirstCtasAreTimedAndTheOthersExecuted) {
  DeviceDescription D = deviceNamed("gtx480");
  Parts P;
  TimingStats First = P.timed(D, 400);
  EXPECT_EQ(First.Functional.Ctas, 400u);
  EXPECT_TRUE(First.Functional.IsWhole);
  EXPECT_EQ(P.words(), wordsAfter(0, 400));
  LaunchStats Rest = P.executed(400);
  EXPECT_EQ(Rest.Ctas, Ctas - 400u);
  EXPECT_EQ(P.words(), wordsAfter(0, Ctas));
  Parts Whole;
  TimingStats All = Whole.timed(D, 0);
  EXPECT_EQ(All.Functional.WarpInstructions,
            First.Functional.WarpInstructions + Rest.WarpInstructions);
  EXPECT_EQ(All.Cycles, Parts().timed(D, Ctas + 1).Cycles);
}

TEST(PartOfGrid, FirstCtaBeyondTheGridExecutesNone) {
  Parts P;
  EXPECT_EQ(P.executed(Ctas).Ctas, 0u);
  EXPECT_EQ(P.executed(Ctas + 5).Ctas, 0u);
  EXPECT_EQ(P.words(), wordsAfter(0, 0));
}

TEST(PartOfGrid, WavesBeginWhenTheirFirstCtaIsHandedOut) {
  DeviceDescription D = deviceNamed("gtx480");
  TimingStats S = Parts().timed(D, 0);
  size_t WaveSize = size_t(S.Resident.CTAs) * D.NumSMs;
  ASSERT_EQ(S.Waves.size(), (Ctas + WaveSize - 1) / WaveSize);
  EXPECT_EQ(S.Waves.front(), 0u);
  // All CTAs take about as long, so that waves follow each other evenly; only
  // the second begins when the first of the CTAs has ended.
  double Length = double(S.Cycles) / (double(Ctas) / double(WaveSize));
  EXPECT_LT(double(S.Waves[1]), Length);
  for (size_t N = 2; N != S.Waves.size(); ++N)
    EXPECT_NEAR(double(S.Waves[N] - S.Waves[N - 1]), Length, 0.1 * Length) << N;
  // Those of a part are the first of the whole.
  TimingStats Part = Parts().timed(D, 4 * WaveSize);
  EXPECT_EQ(Part.Waves, std::vector(S.Waves.begin(), S.Waves.begin() + 4));
}
