//===- regshare/Simulate/Simulation.h - One kernel on the SM -*- C++ -*----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches one kernel of a program on the reference SM with arguments given
/// as text, and shows or checks what it leaves in its buffers.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIMULATE_SIMULATION_H
#define REGSHARE_SIMULATE_SIMULATION_H

#include "regshare/Simulate/Arguments.h"
#include "regshare/Simulate/Launcher.h"

#include <optional>

namespace regshare {

/// What to run, how often, and what to show and check.
struct SimulationRequest {
  std::string Kernel; ///< By its name in the PTX.
  sim::Dim3 Grid;
  /// Nothing: what .reqntid or .maxntid says, else 256 threads.
  std::optional<sim::Dim3> Block;
  uint32_t DynamicSharedBytes = 0;
  std::vector<std::string> Arguments; ///< In the grammar of Arguments.h.
  std::vector<std::string> Prints;    ///< "0" or "0:16": buffers to show.
  std::vector<std::string> Checks;    ///< "0=1,2,3": what buffers must hold.
  std::vector<std::string> Writes;    ///< "0=file": buffers to write out.
  unsigned Launches = 1;              ///< One after the other, same memory.
  MachineOptions Machine;
};

/// What a buffer holds at the end.
struct BufferContents {
  unsigned Argument = 0;
  sim::ScalarType Type = sim::ScalarType::None;
  uint64_t Count = 0; ///< Of the whole buffer.
  /// The bits of the elements asked for, from the first on.
  std::vector<uint64_t> Elements;
};

/// What came of it.
struct SimulationResult {
  std::string Kernel;
  sim::LaunchConfig Config;
  std::vector<LaunchOutcome> Launches;
  std::vector<BufferContents> Prints;
};

/// Reads "X", "X,Y" or "X,Y,Z", each at least 1; \p What names it in errors.
Result<sim::Dim3> parseDim3(std::string_view Text, std::string_view What);

/// Runs \p Request on \p P, whose variables are in \p Memory. Fails on a
/// request that does not fit the kernel, on what the kernel does wrong, and on
/// a check that does not hold.
Result<SimulationResult> simulate(const sim::Program &P,
                                  sim::GlobalMemory &Memory,
                                  const SimulationRequest &Request);

/// For people: the buffers, then each launch.
std::string printSimulation(const SimulationResult &R,
                            const MachineOptions &Machine);
/// For programs; docs/simulate.md has the fields.
std::string simulationJson(const SimulationResult &R,
                           const MachineOptions &Machine);

} // namespace regshare

#endif // REGSHARE_SIMULATE_SIMULATION_H
