//===- monteCarlo.cu - Option prices by simulation -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prices of European call options by Monte Carlo simulation. A CTA takes one
/// option: its threads draw normal variates from a counter-based generator,
/// and the payoffs and their squares are reduced in shared memory.
///
/// usage: monteCarlo [OPTIONS [PATHS]]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int Threads = 128;

struct Option {
  float Spot, Strike, Years, Rate, Volatility;
};

/// A sum of payoffs and of their squares.
struct Moments {
  float Sum, Squares;
};

/// Scrambles a counter into 32 random bits.
__host__ __device__ inline unsigned scramble(unsigned X) {
  X = (X ^ (X >> 16)) * 0x7feb352du;
  X = (X ^ (X >> 15)) * 0x846ca68bu;
  return X ^ (X >> 16);
}

/// A number in (0, 1), never either of them.
__host__ __device__ inline float uniform(unsigned Bits) {
  return ((float)(Bits >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__host__ __device__ inline float payoff(const Option &O, float Normal) {
  float Drift = (O.Rate - 0.5f * O.Volatility * O.Volatility) * O.Years;
  float End = O.Spot * expf(Drift + O.Volatility * sqrtf(O.Years) * Normal);
  return End > O.Strike ? End - O.Strike : 0.0f;
}

/// Adds the payoffs of the two normal variates that one counter yields.
__host__ __device__ inline void addPair(const Option &O, unsigned Counter,
                                        Moments &M) {
  float U = uniform(scramble(2 * Counter));
  float Angle = 6.2831853f * uniform(scramble(2 * Counter + 1));
  float Length = sqrtf(-2.0f * logf(U));
  float First = payoff(O, Length * cosf(Angle));
  float Second = payoff(O, Length * sinf(Angle));
  M.Sum += First + Second;
  M.Squares += First * First + Second * Second;
}

__global__ void monteCarloKernel(const Option *Options, Moments *Results,
                                 int Pairs) {
  __shared__ Moments Shared[Threads];
  int T = threadIdx.x;
  Option O = Options[blockIdx.x];
  Moments Mine = {0.0f, 0.0f};
  for (int I = T; I < Pairs; I += Threads)
    addPair(O, blockIdx.x * Pairs + I, Mine);
  Shared[T] = Mine;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (T < Half) {
      Shared[T].Sum += Shared[T + Half].Sum;
      Shared[T].Squares += Shared[T + Half].Squares;
    }
    __syncthreads();
  }
  if (T == 0)
    Results[blockIdx.x] = Shared[0];
}

/// Black and Scholes' closed form.
static double exactPrice(const Option &O) {
  auto Normal = [](double X) { return 0.5 * std::erfc(-X / std::sqrt(2.0)); };
  double Deviation = O.Volatility * std::sqrt(O.Years);
  double D1 = (std::log(O.Spot / O.Strike) + O.Rate * O.Years) / Deviation +
              0.5 * Deviation;
  return O.Spot * Normal(D1) -
         O.Strike * std::exp(-O.Rate * O.Years) * Normal(D1 - Deviation);
}

int main(int ArgC, char **ArgV) {
  int Count = sizeArgument(ArgC, ArgV, 1, "OPTIONS", 24, 1, 65535);
  int Paths = sizeArgument(ArgC, ArgV, 2, "PATHS", 2048, 256, 1 << 15);
  int Pairs = Paths / 2;
  Random R(13);
  std::vector<Option> Options(Count);
  for (Option &O : Options)
    O = {R.uniform(20.0f, 40.0f), R.uniform(20.0f, 40.0f),
         R.uniform(0.5f, 3.0f), 0.05f, R.uniform(0.1f, 0.4f)};

  DeviceArray<Option> DeviceOptions(Options);
  DeviceArray<Moments> Results(Count);
  monteCarloKernel<<<Count, Threads>>>(DeviceOptions.get(), Results.get(),
                                       Pairs);
  finishKernels();

  Verifier V(1e-3, 1e-3);
  std::vector<Moments> Got = Results.toHost();
  for (int I = 0; I < Count; ++I) {
    double Sum = 0.0, Squares = 0.0;
    for (int Pair = 0; Pair < Pairs; ++Pair) {
      Moments M = {0.0f, 0.0f};
      addPair(Options[I], I * Pairs + Pair, M);
      Sum += M.Sum;
      Squares += M.Squares;
    }
    V.compare("sum of payoffs", I, Got[I].Sum, Sum);
    V.compare("sum of squares", I, Got[I].Squares, Squares);
    // Five standard errors of the simulation, against the closed form.
    double N = 2.0 * Pairs, Mean = Got[I].Sum / N;
    double Variance = Got[I].Squares / N - Mean * Mean;
    double Discount = std::exp(-Options[I].Rate * Options[I].Years);
    double Off = std::fabs(Discount * Mean - exactPrice(Options[I]));
    double Allowed = 5.0 * Discount * std::sqrt(Variance / N) + 0.01;
    V.compare("price near the closed form", I, Off <= Allowed, true);
  }
  return V.report();
}
