//===- CycleModel.h - Cycles of launches that were not timed -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of a kernel that is launched many times with CTAs of one shape: what its
/// timed launches say of the cycles of the others. A launch is known by its
/// place among them and its warp instructions, which executing it without
/// timing yields as well.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_SAMPLING_CYCLEMODEL_H
#define REGSHARE_RUNTIME_SAMPLING_CYCLEMODEL_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace regshare::cudart {

/// Launches are alike if their warp instructions differ by no more: from one
/// to the other, nothing has to be concluded from their size.
inline constexpr double AlikeRatio = 1.02;
/// Whether a launch of \p A warp instructions is like one of \p B.
bool areAlike(double A, double B);

/// A launch with its cycles.
struct TimedLaunch {
  uint64_t Number = 0; ///< Among the kernel's launches, from 0.
  uint64_t WarpInstructions = 0;
  uint64_t Cycles = 0;
  /// Cycles of others that it was the nearest to when they were executed.
  uint64_t StandsFor = 0;
};

class CycleModel {
public:
  /// Launches are added in the order of their numbers.
  void add(const TimedLaunch &L) { Timed.push_back(L); }
  const std::vector<TimedLaunch> &timed() const { return Timed; }
  /// A launch of \p Cycles, as estimated, was not timed because of \p Near, an
  /// index of timed().
  void addExecuted(size_t Near, uint64_t Cycles) {
    Timed[Near].StandsFor += Cycles;
  }

  /// Core cycles of a launch; nothing without a timed one. The first launch,
  /// which finds cold caches, counts only where there is no other. Between
  /// launches that are alike, cycles change evenly with the number, or follow
  /// their trend where one and the next differ as any two do; between others
  /// they change as a power of the warp instructions.
  std::optional<double> estimate(uint64_t Number,
                                 uint64_t WarpInstructions) const;

  /// By what part of the cycles estimates may be wrong, from what leaving out
  /// each timed launch but the first does to its own: the mean of these errors,
  /// which all estimates may have, and the standard error of that mean. Each
  /// counts as much as the launches that it stands for. Nothing with fewer than
  /// two launches.
  std::optional<double> error() const;
  /// The same where each counts as much as it has cycles itself: what is to be
  /// expected of launches that are timed as often as until now.
  std::optional<double> errorAsTimed() const;

private:
  using WeightOf = double (*)(const TimedLaunch &L);
  std::optional<double> errorWith(WeightOf Weight) const;
  /// All that count but \p LeftOut, an index.
  std::vector<TimedLaunch> without(size_t LeftOut) const;

  std::vector<TimedLaunch> Timed;
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_SAMPLING_CYCLEMODEL_H
