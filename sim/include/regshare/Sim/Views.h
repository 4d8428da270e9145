//===- regshare/Sim/Views.h - Showing what a run was like -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Views print the TimingStats of a launch and decide nothing:
///
///     RunDescription Run{Device, schemes::Baseline, Config.Grid,
///     Config.Block}; printSummary(std::cout, Run, *Stats);
///
/// What they print depends on their arguments alone. docs/simulate.md explains
/// each figure.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_VIEWS_H
#define REGSHARE_SIM_VIEWS_H

#include "regshare/Sim/Timing.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace regshare::sim {

/// What a launch was, besides what TimingStats says.
struct RunDescription {
  const DeviceDescription &Device;
  Scheme Applied = schemes::Baseline;
  Dim3 Grid = {}, Block = {};
  uint32_t DynamicSharedBytes = 0;
};

/// A page for a person: time, residency and its limit, where the issue slots
/// went, hit rates and bandwidths, registers.
void printSummary(std::ostream &OS, const RunDescription &Run,
                  const TimingStats &Stats);

/// The fields of the JSON view; grows when their meaning changes.
inline constexpr unsigned StatsJsonVersion = 1;
/// All figures as a JSON object. \p Indent 0: in one line.
std::string statsJson(const RunDescription &Run, const TimingStats &Stats,
                      unsigned Indent = 2);

/// Issue slots by what became of them, the most frequent first.
void printCpiStack(std::ostream &OS, const TimingStats &Stats);
/// A line for the device, then with \p PerSM one for each SM; a column for
/// each use of a slot.
void printCpiStackCsv(std::ostream &OS, const TimingStats &Stats, bool PerSM);

/// Resident warps, resident CTAs and instructions a cycle over time, each as a
/// line of bars. Needs TimingOptions::SampleCycles, and says so without.
void printOccupancy(std::ostream &OS, const RunDescription &Run,
                    const TimingStats &Stats);
/// A line for each sample.
void printOccupancyCsv(std::ostream &OS, const TimingStats &Stats);

/// Writes launches as a trace that Perfetto and chrome://tracing open: a
/// process for each SM, in it a track for each CTA slot and each warp slot;
/// barriers are slices within their warp. Needs TimingOptions::RecordTimeline;
/// with TimingOptions::SampleCycles there are counters as well. Times are
/// simulated; the text is complete when the writer is destroyed.
class PerfettoWriter {
public:
  PerfettoWriter(std::ostream &OS, const DeviceDescription &Device);
  ~PerfettoWriter();
  /// \p BeginSeconds is when the launch began, in simulated time.
  void add(const TimingStats &Stats, double BeginSeconds = 0);
  /// An event of the caller's own, as a JSON object in the trace's format.
  /// Process numbers from FirstFreeProcess on are not the writer's.
  void addEvent(std::string_view Json);
  static constexpr unsigned FirstFreeProcess = 1000000;

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

/// A line on a terminal that says how far a launch has come, written over and
/// over, at most five times a second, and erased at the end.
class ProgressLine {
public:
  /// On standard error, and only if that is a terminal.
  explicit ProgressLine(std::string Label);
  /// Always, on \p OS; \p Seconds tells the time.
  ProgressLine(std::string Label, std::ostream &OS,
               std::function<double()> Seconds);
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void update(const Progress &P);
  void erase();

private:
  std::string Label;
  std::ostream *OS = nullptr; ///< Null: stay silent.
  std::function<double()> Seconds;
  double Begin = 0, Shown = 0;
  size_t Width = 0; ///< Of what stands on the terminal.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_VIEWS_H
