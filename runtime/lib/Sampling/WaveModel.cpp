//===- WaveModel.cpp - A launch from its first waves of CTAs --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling/WaveModel.h"

#include <algorithm>

namespace regshare::cudart {

/// By what part the work of two CTAs may differ.
static constexpr double MostDifference = 0.1;

/// Core cycles between the begins of two waves. \p Begins: at least TimedWaves.
static double period(const std::vector<uint64_t> &Begins) {
  return double(Begins[TimedWaves - 1] - Begins[FirstEvenWave]) /
         double(TimedWaves - 1 - FirstEvenWave);
}

std::optional<double> waveError(const WaveTiming &Whole) {
  const std::vector<uint64_t> &Begins = Whole.Begins;
  if (Begins.size() < LeastWaves || !Whole.Cycles)
    return std::nullopt;
  double Expected = double(Begins[TimedWaves - 1]) +
                    period(Begins) * double(Begins.size() - TimedWaves);
  return (Expected - double(Begins.back())) / double(Whole.Cycles);
}

std::optional<double> cyclesFromWaves(const WaveTiming &Part, uint64_t Ctas,
                                      uint64_t WarpInstructions) {
  if (Part.Begins.size() < TimedWaves || Part.Ctas >= Ctas)
    return std::nullopt;
  double Rest = double(Ctas - Part.Ctas);
  double OfTimed = std::max(double(Part.WarpInstructions), 1.0);
  double Work = double(WarpInstructions - Part.WarpInstructions) / Rest /
                (OfTimed / double(Part.Ctas));
  if (Work < 1 - MostDifference || Work > 1 + MostDifference)
    return std::nullopt;
  return double(Part.Cycles) +
         period(Part.Begins) * Work * Rest / double(Part.WaveCtas);
}

} // namespace regshare::cudart
