//===- ViewsOccupancy.cpp - Occupancy over time ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewText.h"
#include "regshare/Sim/Views.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

namespace regshare::sim {

namespace {
/// A quantity over time, a value for each sample.
struct Series {
  const char *Name;
  std::vector<double> Values;
  double Most; ///< A full bar.
};
} // namespace

/// One character a step of time, eight heights; empty for nothing at all.
static std::string barsOf(const Series &S, size_t Columns) {
  static constexpr const char *Heights[] = {" ", "▁", "▂", "▃", "▄",
                                            "▅", "▆", "▇", "█"};
  std::string Bars;
  for (size_t C = 0; C != Columns; ++C) {
    size_t First = C * S.Values.size() / Columns;
    size_t Last = (C + 1) * S.Values.size() / Columns;
    double Sum = 0;
    for (size_t N = First; N != Last; ++N)
      Sum += S.Values[N];
    double Share = shareOf(Sum / double(Last - First), S.Most);
    long Height = Share <= 0 ? 0 : std::clamp(std::lround(Share * 8), 1L, 8L);
    Bars += Heights[Height];
  }
  return Bars;
}

static uint64_t cyclesOf(const TimingStats &S, size_t Sample) {
  return S.Samples[Sample].When - (Sample ? S.Samples[Sample - 1].When : 0);
}

static double ipcOf(const TimingStats &S, size_t Sample) {
  return shareOf(double(S.Samples[Sample].Issued), double(cyclesOf(S, Sample)));
}

void printOccupancy(std::ostream &OS, const RunDescription &Run,
                    const TimingStats &Stats) {
  if (Stats.Samples.empty()) {
    OS << "occupancy over time: no samples were taken\n";
    return;
  }
  double SMs = Stats.NumSMs;
  std::vector<Series> All = {{"warps", {}, SMs * Run.Device.MaxWarps},
                             {"CTAs", {}, SMs * Run.Device.MaxCTAs},
                             {"IPC", {}, SMs * Stats.SlotsPerCycle}};
  if (!Stats.Pool.isEmpty())
    All.push_back({"shared", {}, SMs * Stats.Pool.Capacity});
  for (size_t N = 0; N != Stats.Samples.size(); ++N) {
    All[0].Values.push_back(Stats.Samples[N].ResidentWarps);
    All[1].Values.push_back(Stats.Samples[N].ResidentCtas);
    All[2].Values.push_back(ipcOf(Stats, N));
    if (All.size() > 3)
      All[3].Values.push_back(Stats.Samples[N].PoolInUse);
  }
  size_t Columns = std::min<size_t>(64, Stats.Samples.size());
  OS << "over time, " << counted(Stats.Cycles, "cycle") << " from left to right"
     << " (" << counted(Stats.Samples.size(), "sample") << "):\n";
  for (const Series &S : All) {
    double Most = *std::max_element(S.Values.begin(), S.Values.end());
    std::string Name = S.Name;
    Name.resize(6, ' ');
    OS << "  " << Name << "|" << barsOf(S, Columns) << "| up to "
       << fixed(Most, &S == &All[2] ? 2 : 0) << " of " << fixed(S.Most, 0)
       << "\n";
  }
}

void printOccupancyCsv(std::ostream &OS, const TimingStats &Stats) {
  OS << "cycle,resident_warps,resident_ctas,issued,ipc,shared_in_use\n";
  for (size_t N = 0; N != Stats.Samples.size(); ++N) {
    const OccupancySample &S = Stats.Samples[N];
    OS << S.When << "," << S.ResidentWarps << "," << S.ResidentCtas << ","
       << S.Issued << "," << fixed(ipcOf(Stats, N), 4) << "," << S.PoolInUse
       << "\n";
  }
}

} // namespace regshare::sim
