//===- GridRun.h - One launch with timing -----------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a grid: hands CTAs to SMs, lets all SMs simulate a quantum of cycles,
/// carries out their accesses to global memory in the order of their cycles
/// and SMs, and lets the memory system catch up.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_GRIDRUN_H
#define REGSHARE_SIM_TIMING_GRIDRUN_H

#include "HostThreads.h"
#include "Schemes/SchemeModel.h"
#include "Timing/Core/Sm.h"
#include "Timing/Memory/MemorySystem.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace regshare::sim {

/// How many cycles SMs run ahead of the memory system: no result of an access
/// may be used, and no reply arrive, within the quantum of its issue.
Cycle quantum(const CoreConfig &Core, const MemoryConfig &Memory);

/// Livelocks are first looked for after so many cycles, and for so long.
inline constexpr Cycle FirstWatch = 1 << 18, ShortestWatch = 1 << 16;
/// From then on warps take turns if one that could go on is never let.
inline constexpr Cycle LongestStarving = 1 << 24;

/// No quantum is longer.
inline constexpr Cycle LongestQuantum = 16;

/// Items of a quantum: by cycle, those of a cycle as they were added.
template <typename Item> class ByCycle {
public:
  /// \p InQuantum: cycles from its begin.
  void add(Cycle InQuantum, const Item &I) {
    assert(InQuantum < LongestQuantum && "not of the quantum");
    Of[InQuantum].push_back(I);
  }
  /// Empties it. Calls \p Take(Item) for each until that says true, and returns
  /// whether it did.
  template <typename Function> bool takeUntil(Function Take) {
    bool IsDone = false;
    for (std::vector<Item> &Items : Of) {
      IsDone = IsDone || std::ranges::any_of(Items, Take);
      Items.clear();
    }
    return IsDone;
  }

private:
  std::array<std::vector<Item>, LongestQuantum> Of;
};

class GridRun {
public:
  GridRun(const SchemeModel &Model, const SmContext &Context,
          const TimingOptions &Options, const TimedLaunchOptions &Launch,
          MemorySystem &Memory, HostThreads &Threads);

  Result<TimingStats> run();
  /// A whole number of quanta; at least TimingStats::Cycles.
  Cycle cyclesSimulated() const { return Now; }

private:
  void hand();
  void handTo(bool (Sm::*HasRoom)() const);
  void simulateQuantum();
  /// True if one fails.
  bool carryOutAccesses();
  void exchange();
  void compareStalls();
  void retire();
  bool isOver() const;
  /// Which limit of the launch, or an empty string.
  std::string limitReached() const;
  /// At a limit, in a deadlock or in a livelock; then there is an error.
  bool isStuck();
  bool isBeyondLimit();
  bool isDeadlocked();
  bool isEmptyForEver(const std::string &Rule, ErrorKind Kind);
  bool isLivelocked();
  void observe();
  void sample();
  tl::unexpected<Diagnostic> error() const;
  Result<void> checkCounters() const;
  TimingStats collect();

  const SmContext &Context;
  const TimingOptions &Options;
  uint64_t CycleLimit;
  MemorySystem &Memory;
  HostThreads &Threads;
  unsigned UsedThreads;
  std::vector<std::unique_ptr<Sm>> Sms;
  Cycle Now = 0;
  uint64_t NextCta = 0, CtasDone = 0, Ctas;
  uint64_t WaveSize;           ///< CTAs that are resident on all SMs.
  std::vector<uint64_t> Waves; ///< When each began.
  unsigned NextSm = 0;
  const Sm *Culprit = nullptr; ///< Where the error occurred.
  /// An access of an SM; null: the SM has failed.
  struct AccessOfSm {
    const Sm *Of;
    PendingAccess *Access;
  };
  ByCycle<AccessOfSm> Accesses;
  ByCycle<MemoryRequest> Sorted;
  std::vector<MemoryRequest> Requests;
  std::vector<MemoryReply> Replies;
  MemoryStats MemoryBefore;
  std::vector<OccupancySample> Samples;
  Cycle NextSample = 0, NextProgress = 0;
  Cycle NextComparison;         ///< Of SMs' stalls; Never: nobody asks.
  std::vector<uint64_t> Stalls; ///< Of each SM, at the last comparison.
  uint64_t IssuedAtSample = 0;
  uint64_t IssuedBefore = 0, IssuedInQuantum = 0;
  Cycle WatchBegin = FirstWatch, WatchEnd = 0;
  uint64_t Epoch = 0;
  bool TakeTurns = false; ///< Active warps make room for parked ones.
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_GRIDRUN_H
