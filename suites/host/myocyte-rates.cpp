//===- myocyte-rates.cpp - The rates that Rodinia's myocyte computes ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Linked with -Wl,--wrap=cudaMemcpy, compares what each launch of the CUDA
/// program's kernel delivers with the OpenMP program's model, in double
/// precision: from the state of the cell and the parameters that were copied to
/// the device, the rate of change of each of the state's values.
///
/// The first three rates are written by two CTAs, of which either may be the
/// later: one leaves the rate, the other a flux of calcium (kernel_cam.cu, line
/// 348). A current stimulates the cell at some times, which are not copied.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <random>

#define fp double
#include "openmp/myocyte/cam.c"
#include "openmp/myocyte/ecc.c"
#undef fp

namespace {

constexpr unsigned Equations = 91, Parameters = 18, CycleLength = 15;
constexpr unsigned Fluxes = 3, Potential = 38;

using Values = std::array<double, Equations>;

/// What the kernel may deliver. Both are the same but for the first three and
/// the potential's.
struct Evaluation {
  Values Rates = {}, Others = {};

  Evaluation() = default;
  Evaluation(Values State, std::array<double, Parameters> Parameter) {
    ecc(/*timeinst=*/0, State.data(), 0, Parameter.data(), CycleLength,
        Rates.data());
    Others = Rates;
    // The dyad, the space below the membrane, and the cytosol.
    for (unsigned I = 0; I != Fluxes; ++I)
      Others[I] = cam(0, State.data(), 46 + 15 * I, Parameter.data(), 5 * I,
                      Rates.data(), State[35 + I] * 1e3);
    std::copy(Rates.begin() + Fluxes, Rates.end(), Others.begin() + Fluxes);
    Values Later = {};
    ecc(/*timeinst=*/100, State.data(), 0, Parameter.data(), CycleLength,
        Later.data());
    Others[Potential] = Later[Potential];
  }
};

/// Compares the launches, and says at the program's end how many agree.
class Comparison {
public:
  ~Comparison() {
    std::printf("%u evaluations agree, %u differ, %u are beyond the model\n",
                Agree, Differ, Beyond);
  }

  void upload(const float *From, size_t Bytes) {
    if (Bytes == Equations * sizeof(float))
      std::copy_n(From, Equations, State.begin());
    else if (Bytes == Parameters * sizeof(float))
      std::copy_n(From, Parameters, Parameter.begin());
  }

  void download(const float *Found) {
    // Steps that the solver tries and rejects are far from any cell's state.
    if (!std::all_of(State.begin(), State.end(),
                     [](double X) { return std::abs(X) < 500; })) {
      ++Beyond;
      return;
    }
    Evaluation Expected(State, Parameter), Slack = slackOf(Expected);
    for (unsigned I = 0; I != Equations; ++I)
      if (!isNear(Found[I], Expected.Rates[I], Slack.Rates[I]) &&
          !isNear(Found[I], Expected.Others[I], Slack.Others[I])) {
        std::printf("rate %u is %.9g where %.9g or %.9g was expected\n", I,
                    Found[I], Expected.Rates[I], Expected.Others[I]);
        ++Differ;
        return;
      }
    ++Agree;
  }

private:
  /// How far the rates move with the last but one bit of the state in single
  /// precision: some are small differences of large terms.
  Evaluation slackOf(const Evaluation &Expected) {
    Evaluation Slack;
    auto Widen = [](Values &Of, const Values &X, const Values &Y) {
      for (unsigned I = 0; I != Equations; ++I)
        Of[I] = std::max(Of[I], std::abs(X[I] - Y[I]));
    };
    for (unsigned Round = 0; Round != 8; ++Round) {
      Values Near = State;
      for (double &X : Near)
        X *= Random() & 1 ? 1 + 0x1p-22 : 1 - 0x1p-22;
      Evaluation E(Near, Parameter);
      Widen(Slack.Rates, E.Rates, Expected.Rates);
      Widen(Slack.Others, E.Others, Expected.Others);
    }
    return Slack;
  }

  static bool isNear(double Found, double Expected, double Slack) {
    // The rates of what is below zero, of which the program takes others.
    if (std::isnan(Found) && std::isnan(Expected))
      return true;
    return std::abs(Found - Expected) <= 1e-5 * std::abs(Expected) + 64 * Slack;
  }

  Values State = {};
  std::array<double, Parameters> Parameter = {};
  unsigned Agree = 0, Differ = 0, Beyond = 0;
  std::minstd_rand Random;
};

Comparison TheComparison;

} // namespace

extern "C" cudaError_t __real_cudaMemcpy(void *To, const void *From,
                                         size_t Bytes, cudaMemcpyKind Kind);

extern "C" cudaError_t __wrap_cudaMemcpy(void *To, const void *From,
                                         size_t Bytes, cudaMemcpyKind Kind) {
  cudaError_t Error = __real_cudaMemcpy(To, From, Bytes, Kind);
  if (Kind == cudaMemcpyHostToDevice)
    TheComparison.upload(static_cast<const float *>(From), Bytes);
  else if (Bytes == Equations * sizeof(float))
    TheComparison.download(static_cast<float *>(To));
  return Error;
}
