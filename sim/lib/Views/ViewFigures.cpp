//===- ViewFigures.cpp - What views derive from the counters --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewFigures.h"

#include "Config/ConfigTable.h"
#include "ViewText.h"

namespace regshare::sim {

/// A figure that the machine has checked; 0 if the device has no timing.
static double figure(const DeviceDescription &D, const char *Key) {
  return readFigure(D, Key, 0, ~0u).value_or(0);
}

static std::optional<MemoryFigures::Dram> dramOf(const DeviceDescription &D,
                                                 const TimingStats &S) {
  double Channels = figure(D, "dram.channels");
  double BurstBytes = figure(D, "dram.burst_bytes");
  double BurstCycles = figure(D, "dram.burst_cycles");
  double ClockHz = figure(D, "dram.clock_mhz") * 1e6;
  if (Channels * BurstBytes * BurstCycles * ClockHz == 0)
    return std::nullopt;
  double Bytes = double(S.Memory.DramReads + S.Memory.DramWrites) * BurstBytes;
  return MemoryFigures::Dram{
      shareOf(Bytes, S.Seconds), Channels * BurstBytes / BurstCycles * ClockHz,
      shareOf(double(S.Memory.DramBusyCycles), S.Seconds * ClockHz * Channels)};
}

MemoryFigures memoryFiguresOf(const DeviceDescription &D,
                              const TimingStats &S) {
  MemoryFigures F;
  const LoadStoreStats &L = S.LoadStore;
  F.L1Loads = L.LoadHits + L.LoadMerges + L.LoadMisses;
  F.L1Hits = shareOf(double(L.LoadHits), double(F.L1Loads));
  F.L1Merges = shareOf(double(L.LoadMerges), double(F.L1Loads));
  F.L1Misses = shareOf(double(L.LoadMisses), double(F.L1Loads));
  const MemoryStats &M = S.Memory;
  auto L2Loads = double(M.L2Hits + M.L2Merges + M.L2Misses);
  F.L2Hits = shareOf(double(M.L2Hits), L2Loads);
  F.L2Merges = shareOf(double(M.L2Merges), L2Loads);
  F.L2Misses = shareOf(double(M.L2Misses), L2Loads);
  F.DramRowHits =
      shareOf(double(M.DramRowHits), double(M.DramReads + M.DramWrites));
  F.BandwidthToSMs = shareOf(double(M.BytesToSMs), S.Seconds);
  F.BandwidthFromSMs = shareOf(double(M.BytesToMemory), S.Seconds);
  F.Bus = dramOf(D, S);
  return F;
}

std::optional<EnergyAccount> energyAccountOf(const DeviceDescription &D,
                                             const TimingStats &S) {
  Result<EnergyFigures> Figures = readEnergyFigures(D);
  if (!Figures)
    return std::nullopt;
  return energyOf(S, *Figures);
}

double activeLanes(const TimingStats &S) {
  return shareOf(double(S.Functional.ThreadInstructions),
                 double(S.Functional.WarpInstructions));
}

double averageWarps(const TimingStats &S) {
  return shareOf(double(S.WarpCycles), double(S.Cycles) * S.NumSMs);
}

Utilisation utilisationOf(const DeviceDescription &D, const TimingStats &S) {
  double File = 4.0 * double(S.FileRegisters),
         Used = File - 4.0 * S.Resident.RegsLeft;
  double Scratchpad = double(S.Resident.CTAs) * S.Resident.SharedPerCTA +
                      double(S.Operands.ScratchpadRows) * 4 * D.WarpSize;
  return {shareOf(Used, File), shareOf(Scratchpad, D.SharedMemory),
          shareOf(Used + Scratchpad, File + D.SharedMemory)};
}

} // namespace regshare::sim
