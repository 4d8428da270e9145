//===- WaveModel.h - A launch from its first waves of CTAs -*- C++ -*------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A launch of many CTAs of which the first are timed, and the others executed
/// without timing. A wave is as many CTAs as are resident on all SMs together.
/// The first waves find cold caches, and CTAs that have begun at the same time;
/// those after them follow each other evenly in kernels whose CTAs do the same
/// work.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_SAMPLING_WAVEMODEL_H
#define REGSHARE_RUNTIME_SAMPLING_WAVEMODEL_H

#include <cstdint>
#include <optional>
#include <vector>

namespace regshare::cudart {

/// Waves that are timed of a launch, and the first of those that count.
inline constexpr uint64_t TimedWaves = 8, FirstEvenWave = 4;
/// A launch with fewer waves gains too little.
inline constexpr uint64_t LeastWaves = 2 * TimedWaves;

/// What was timed: a launch, or its first CTAs.
struct WaveTiming {
  uint64_t WaveCtas = 0; ///< CTAs of a wave.
  uint64_t Ctas = 0;     ///< Timed.
  uint64_t WarpInstructions = 0;
  uint64_t Cycles = 0; ///< Core cycles, until the last CTA has ended.
  /// Core cycles at which the first CTA of each wave was handed to an SM.
  std::vector<uint64_t> Begins;
};

/// Of a launch that was timed as a whole: by what part of its cycles its first
/// waves would have missed the begin of its last one. Nothing if it has fewer
/// than LeastWaves.
std::optional<double> waveError(const WaveTiming &Whole);

/// Core cycles of a launch of \p Ctas CTAs with \p WarpInstructions, of which
/// \p Part has the first TimedWaves. Nothing where the CTAs of the rest have on
/// average over a tenth more or fewer warp instructions than those: it is other
/// work, of which they tell nothing.
std::optional<double> cyclesFromWaves(const WaveTiming &Part, uint64_t Ctas,
                                      uint64_t WarpInstructions);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_SAMPLING_WAVEMODEL_H
