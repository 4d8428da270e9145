//===- ViewFigures.h - What views derive from the counters --- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rates and shares that more than one view shows. Bandwidths are bytes of a
/// simulated second; what depends on the device's timing figures is missing
/// where the device has none.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_VIEWS_VIEWFIGURES_H
#define REGSHARE_SIM_VIEWS_VIEWFIGURES_H

#include "regshare/Sim/Energy.h"
#include "regshare/Sim/Views.h"

#include <optional>

namespace regshare::sim {

struct MemoryFigures {
  uint64_t L1Loads = 0; ///< Load transactions that asked the L1.
  double L1Hits = 0, L1Merges = 0, L1Misses = 0;
  double L2Hits = 0, L2Merges = 0, L2Misses = 0;
  double DramRowHits = 0; ///< Of the bursts.
  double BandwidthToSMs = 0, BandwidthFromSMs = 0;
  struct Dram {
    double Bandwidth = 0, Peak = 0;
    double BusBusy = 0; ///< Share of the cycles of all data buses.
  };
  std::optional<Dram> Bus;
};
MemoryFigures memoryFiguresOf(const DeviceDescription &D, const TimingStats &S);

/// Missing where the device has no energy figures.
std::optional<EnergyAccount> energyAccountOf(const DeviceDescription &D,
                                             const TimingStats &S);

/// Active lanes of an instruction, 0 to 32.
double activeLanes(const TimingStats &S);
/// Resident warps of an SM, on average over all SMs and cycles.
double averageWarps(const TimingStats &S);

/// Shares of an SM's memories that are given away while its CTAs are resident,
/// as rounded, 0 to 1.
struct Utilisation {
  double Registers = 0, Scratchpad = 0;
  double Overall = 0; ///< Bytes of both together.
};
Utilisation utilisationOf(const DeviceDescription &D, const TimingStats &S);

} // namespace regshare::sim

#endif // REGSHARE_SIM_VIEWS_VIEWFIGURES_H
