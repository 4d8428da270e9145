//===- Warpman.cpp - Partial CTAs on an SM --------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Base/Warpman/Warpman.h"

#include <algorithm>

namespace regshare {

static constexpr unsigned RegisterBytes = 4;

/// CTAs that have room if warps take nothing.
static unsigned ctasWithoutWarps(const DeviceDescription &D,
                                 unsigned SharedPerCTA) {
  return SharedPerCTA ? std::min(D.MaxCTAs, D.SharedMemory / SharedPerCTA)
                      : D.MaxCTAs;
}

namespace {
/// Warps that a limit allows of the CTA after the whole ones.
struct Room {
  Limiter What;
  unsigned Warps;
};
} // namespace

static std::vector<Room> roomAfterWhole(const DeviceDescription &D,
                                        const KernelResources &K,
                                        const WarpmanResidency &R) {
  unsigned Resident = R.WholeCTAs * R.WarpsPerCTA;
  unsigned InFile = R.WarpsOfPartition * D.RegisterPartitions;
  // All warps of a partial CTA are full: its last one is missing.
  unsigned Threads = D.MaxThreads - R.WholeCTAs * K.ThreadsPerCTA;
  bool HasSlot = R.WholeCTAs < D.MaxCTAs;
  bool HasShared =
      (R.WholeCTAs + 1) * uint64_t(R.SharedPerCTA) <= D.SharedMemory;
  return {{Limiter::Registers, InFile - std::min(InFile, Resident)},
          {Limiter::SharedMemory, HasShared ? R.WarpsPerCTA : 0},
          {Limiter::Threads, Threads / D.WarpSize},
          {Limiter::Warps, D.MaxWarps - Resident},
          {Limiter::CTAs, HasSlot ? R.WarpsPerCTA : 0}};
}

WarpmanResidency warpmanResidency(const DeviceDescription &D,
                                  const KernelResources &K, bool AllowPartial) {
  Occupancy O = occupancy(D, K);
  WarpmanResidency R;
  R.WholeCTAs = O.CTAs;
  R.WarpsPerCTA = warpsPerCTA(D, K.ThreadsPerCTA);
  R.RegsPerWarp = regsPerWarp(D, K.RegsPerThread);
  R.WarpsOfPartition = R.RegsPerWarp
                           ? D.Registers / D.RegisterPartitions / R.RegsPerWarp
                           : D.MaxWarps;
  R.SharedPerCTA = O.SharedPerCTA;
  R.MostCTAs = ctasWithoutWarps(D, R.SharedPerCTA);
  R.Limiters = O.Limiters;
  if (!AllowPartial || !R.WholeCTAs)
    return R;
  std::vector<Room> Rooms = roomAfterWhole(D, K, R);
  R.PartialWarps = std::ranges::min(Rooms, {}, &Room::Warps).Warps;
  R.Limiters.clear();
  for (const Room &Each : Rooms)
    if (Each.Warps == R.PartialWarps)
      R.Limiters.push_back(Each.What);
  return R;
}

EXPARSUtilisation
WarpmanResidency::utilisation(const DeviceDescription &D) const {
  double File = double(warps()) * RegsPerWarp * RegisterBytes;
  double AllFile = double(D.Registers) * RegisterBytes;
  double Scratchpad = double(ctas()) * SharedPerCTA;
  EXPARSUtilisation U;
  U.Registers = File / AllFile;
  U.Scratchpad = D.SharedMemory ? Scratchpad / D.SharedMemory : 0;
  U.Overall = (File + Scratchpad) / (AllFile + D.SharedMemory);
  return U;
}

static constexpr Claim Claims[] = {
    {Domain::Rows, "gives them to warps whose CTA is resident in part"},
    {Domain::Waiting, "has warps of a CTA wait until others have ended"}};

const SchemeDescription schemes::Warpman = {
    .Name = "warpman",
    .Summary = "registers given out by warps: a CTA may be resident in part",
    .Page = "warpman",
    .Claims = Claims};

static const SchemeDescription *const Members[] = {&schemes::Warpman};
extern const SchemeFamily WarpmanFamily;
const SchemeFamily WarpmanFamily = {Members};

} // namespace regshare
