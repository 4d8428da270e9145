//===- regshare/Sim/Energy.h - What a launch took in energy -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The energy of a launch with timing: events that TimingStats counts, times
/// the `timing.energy` figures of the device. The unit is one read of a row of
/// 32 lanes of 32 bits from the device's main register file.
///
///     auto Figures = readEnergyFigures(Device);
///     EnergyAccount Account = energyOf(Stats, *Figures);
///     // Account.total(), Account.parts(), Account.Entries
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_ENERGY_H
#define REGSHARE_SIM_ENERGY_H

#include "regshare/Base/Device.h"
#include "regshare/Base/Result.h"
#include "regshare/Sim/Timing.h"

#include <string>
#include <vector>

namespace regshare::sim {

/// What the events of a device take, read by readEnergyFigures().
struct EnergyFigures {
  std::vector<double> OfEvent; ///< Register-file reads, in the account's order.
  unsigned BurstBytes = 0;     ///< Of the DRAM.
};

/// Fails, with file and line, on a figure that is missing, not a number or out
/// of range; as does Machine::create(). Where the main register file is another
/// design (RegisterFileDesign), its reads and writes take more or less by the
/// design's power.
Result<EnergyFigures> readEnergyFigures(const DeviceDescription &D);

/// An event, how often it happened and what it takes.
struct EnergyEntry {
  const char *Event = ""; ///< "register_read": the key below `timing.energy`.
  const char *Part = "";  ///< "registers": what it belongs to.
  uint64_t Count = 0;
  double Each = 0; ///< Register-file reads.

  double total() const { return double(Count) * Each; }
};

/// The energy of a part of the machine.
struct EnergyPart {
  std::string Name;
  double Total = 0; ///< Register-file reads.
};

/// The energy of a launch.
struct EnergyAccount {
  std::vector<EnergyEntry> Entries; ///< Always the same, in the same order.

  double total() const;
  /// The entries by what they belong to, in the order of the entries.
  std::vector<EnergyPart> parts() const;
};

/// The account of a launch with those statistics.
EnergyAccount energyOf(const TimingStats &S, const EnergyFigures &Figures);

} // namespace regshare::sim

#endif // REGSHARE_SIM_ENERGY_H
