//===- LaunchSampler.h - Launches that stand for others -*- C++ -*---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// REGSHARE_SAMPLE: which launches of a long program are timed, decided as they
/// come, and what the others would have taken. Launches of a kernel with CTAs
/// of one shape are a group. Its first two are timed, then those of a size that
/// no timed one had, and now and then one to see whether the estimate still
/// holds: after twice as many launches, and at twice the distance in size,
/// where it did, and half where it did not. Launches of many CTAs are timed in
/// part, once a whole one has shown that its first waves tell the rest.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_SAMPLING_LAUNCHSAMPLER_H
#define REGSHARE_RUNTIME_SAMPLING_LAUNCHSAMPLER_H

#include "Sampling/CycleModel.h"
#include "Sampling/WaveModel.h"

#include "regshare/Sim/Types.h"

#include <array>
#include <compare>
#include <map>
#include <string>

namespace regshare::cudart {

/// What is known of a launch before it is executed.
struct SampledShape {
  std::string Kernel;
  sim::Dim3 Block;
  uint32_t DynamicSharedBytes = 0; ///< Of a CTA.
  uint64_t Ctas = 0;
  uint64_t WaveCtas = 0; ///< CTAs that are resident on all SMs together.
  /// Its CTAs wait for each other: how often warps look whether they need wait
  /// any longer depends on time, so that only timing tells.
  bool WaitsForOthers = false;
};

/// Of a launch that was executed without timing, or of all.
struct CycleEstimate {
  uint64_t Cycles = 0; ///< Core cycles.
  /// Part of the cycles by which they may be wrong, as far as the timed
  /// launches show; nothing where there are too few to tell.
  std::optional<double> Error;
};

/// A whole program's launches.
struct SampleSummary {
  uint64_t Launches = 0;
  uint64_t Timed = 0, TimedInPart = 0; ///< From begin to end; their first CTAs.
  uint64_t TimedCycles = 0;            ///< Of both.
  CycleEstimate All; ///< Timed ones included, which are not wrong.
};

class LaunchSampler {
public:
  /// \p Percent: of the program's cycles, by which they may be wrong; 0: every
  /// launch is timed.
  explicit LaunchSampler(unsigned Percent) : Percent(Percent) {}
  bool isOn() const { return Percent != 0; }

  /// How many CTAs of the next launch are to be timed, from the first on: all,
  /// none or a part. After it has ended well, addTimed, addExecuted or addPart
  /// is called.
  uint64_t next(const SampledShape &S);
  void addTimed(const WaveTiming &Whole);
  /// \p WarpInstructions: of all CTAs. As addExecuted otherwise.
  uint64_t addPart(const WaveTiming &Part, uint64_t WarpInstructions);
  /// The core cycles that the launch would have taken, as far as is known now.
  uint64_t addExecuted(uint64_t WarpInstructions);

  /// Of each launch that was not timed as a whole, in their order, with all
  /// that has been timed.
  std::vector<CycleEstimate> estimates() const;
  SampleSummary summary() const;

private:
  /// Launches that are estimated from each other.
  struct Group {
    CycleModel Model;
    uint64_t Launches = 0;
    /// For each timed launch: those that were executed since, and that it is
    /// nearest to.
    std::vector<uint64_t> Since;
    std::map<uint64_t, double> SizeOf; ///< Warp instructions, by CTAs.
    uint64_t LastCtas = 0;
    uint64_t Cycles = 0; ///< As estimated when they came.
    int Trust = 0;       ///< Checks that were passed, less those that failed.
    /// What the last whole launch of many waves showed of itself.
    std::optional<double> WaveError;
    bool IsUneven = false; ///< A part had other CTAs than the rest.
    double PartError = 0;  ///< The largest of what parts may miss.
    double sizeWith(uint64_t Ctas) const;
    /// The timed launch nearest to a size, the first one left out; nothing
    /// without another.
    std::optional<size_t> nearest(double Size) const;
  };
  struct Key {
    std::string Kernel;
    std::array<uint32_t, 3> Block;
    uint32_t DynamicSharedBytes;
    auto operator<=>(const Key &) const = default;
  };
  struct Executed {
    Group *Of;
    uint64_t Number, WarpInstructions;
    /// Nothing if none of it was timed.
    std::optional<CycleEstimate> FromWaves;
  };

  static uint64_t cyclesOf(const Executed &E);
  void learn();
  bool mayTimePart(const SampledShape &S) const;
  void addToModel(uint64_t WarpInstructions, uint64_t LaunchCycles);
  double partOfProgram() const;
  void count(uint64_t WarpInstructions, uint64_t LaunchCycles);

  unsigned Percent;
  std::map<Key, Group> Groups; ///< Whose elements stay where they are.
  std::vector<Executed> Others;
  uint64_t Cycles = 0;           ///< Of all groups.
  uint64_t Whole = 0, Parts = 0; ///< Launches that were timed.
  uint64_t WholeCycles = 0;      ///< Of those from begin to end.
  uint64_t TimedCycles = 0;      ///< Of both.
  Group *Current = nullptr;      ///< Of the launch under way.
  uint64_t CurrentCtas = 0;
  std::optional<size_t> CurrentNear; ///< The timed launch it is nearest to.
  bool IsCheck = false; ///< It is timed to see whether an estimate holds.
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_SAMPLING_LAUNCHSAMPLER_H
