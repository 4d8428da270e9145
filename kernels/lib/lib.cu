//===- lib.cu - Interest rates in the LIBOR market model -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value of a portfolio of swaptions by Monte Carlo simulation of forward
/// rates. A thread evolves one path, with its rates in a local array, and then
/// values the portfolio on it.
///
/// usage: lib [PATHS]
///
//===----------------------------------------------------------------------===//

#include "../common/check.h"

static constexpr int NumRates = 48;
static constexpr int NumSteps = 24;
static constexpr int NumOptions = 9;
static constexpr int Threads = 64;
static constexpr float Interval = 0.25f;

/// Swaptions end Maturity intervals after the last step and pay SwapRate.
struct Portfolio {
  int Maturity[NumOptions];
  float SwapRate[NumOptions];
};

__constant__ Portfolio DevicePortfolio;
__constant__ float DeviceVolatility[NumRates];

/// Moves \p Rates through all time steps; \p Normals has one variate a step,
/// \p Stride elements apart.
__host__ __device__ inline void evolve(float *Rates, const float *Normals,
                                       int Stride, const float *Volatility) {
  for (int Step = 0; Step < NumSteps; ++Step) {
    float Shock = sqrtf(Interval) * Normals[Step * Stride];
    float Drift = 0.0f;
    for (int I = Step + 1; I < NumRates; ++I) {
      float Sigma = Volatility[I - Step - 1];
      float Scaled = Interval * Sigma;
      Drift += Scaled * Rates[I] / (1.0f + Interval * Rates[I]);
      Rates[I] *= expf(Scaled * Drift + Sigma * (Shock - 0.5f * Scaled));
    }
  }
}

/// The discounted value of the portfolio on a path that ended with \p Rates.
__host__ __device__ inline float value(const float *Rates, const Portfolio &P) {
  float Bond[NumRates - NumSteps], Annuity[NumRates - NumSteps];
  float B = 1.0f, A = 0.0f;
  for (int I = NumSteps; I < NumRates; ++I) {
    B /= 1.0f + Interval * Rates[I];
    A += Interval * B;
    Bond[I - NumSteps] = B;
    Annuity[I - NumSteps] = A;
  }
  float Value = 0.0f;
  for (int O = 0; O < NumOptions; ++O) {
    int Last = P.Maturity[O] - 1;
    float Swap = Bond[Last] + P.SwapRate[O] * Annuity[Last] - 1.0f;
    if (Swap < 0.0f)
      Value -= 100.0f * Swap;
  }
  for (int I = 0; I < NumSteps; ++I)
    Value /= 1.0f + Interval * Rates[I];
  return Value;
}

__global__ void pathKernel(const float *Normals, float *Values, int Paths,
                           float FirstRate) {
  int Path = blockIdx.x * blockDim.x + threadIdx.x;
  if (Path >= Paths)
    return;
  float Rates[NumRates];
  for (int I = 0; I < NumRates; ++I)
    Rates[I] = FirstRate;
  evolve(Rates, Normals + Path, Paths, DeviceVolatility);
  Values[Path] = value(Rates, DevicePortfolio);
}

int main(int ArgC, char **ArgV) {
  int Paths = sizeArgument(ArgC, ArgV, 1, "PATHS", 256, 1, 1 << 20);
  const float FirstRate = 0.05f;
  Portfolio P;
  for (int O = 0; O < NumOptions; ++O) {
    P.Maturity[O] = 8 * (1 + O / 3);
    P.SwapRate[O] = 0.045f + 0.005f * (float)(O % 3);
  }
  std::vector<float> Volatility(NumRates);
  for (int I = 0; I < NumRates; ++I)
    Volatility[I] = 0.2f + 0.001f * (float)I;
  Random R(14);
  std::vector<float> Normals((size_t)Paths * NumSteps);
  for (float &N : Normals) {
    // Twelve uniform variates have variance 1.
    N = -6.0f;
    for (int I = 0; I < 12; ++I)
      N += R.uniform(0.0f, 1.0f);
  }

  CHECK_CUDA(cudaMemcpyToSymbol(DevicePortfolio, &P, sizeof(P)));
  CHECK_CUDA(cudaMemcpyToSymbol(DeviceVolatility, Volatility.data(),
                                NumRates * sizeof(float)));
  DeviceArray<float> DeviceNormals(Normals), Values(Paths);
  pathKernel<<<divideUp(Paths, Threads), Threads>>>(
      DeviceNormals.get(), Values.get(), Paths, FirstRate);
  finishKernels();

  Verifier V(1e-4, 1e-3);
  std::vector<float> Got = Values.toHost();
  for (int Path = 0; Path < Paths; ++Path) {
    std::vector<float> Rates(NumRates, FirstRate);
    evolve(Rates.data(), &Normals[Path], Paths, Volatility.data());
    V.compare("value", Path, Got[Path], value(Rates.data(), P));
  }
  return V.report();
}
