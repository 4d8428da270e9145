//===- ModernConfig.h - Figures of a core since Volta -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Figures of `timing.core` that only a core of the `modern` organisation has.
/// All are core cycles or counts of a sub-core, where nothing else is said.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCONFIG_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCONFIG_H

#include "Config/ConfigTable.h"
#include "regshare/Base/FixedLatency.h"

#include <optional>
#include <span>

namespace regshare::sim {

/// The instruction caches. A device that says nothing of them has all code at
/// hand.
struct FetchConfig {
  unsigned L0Bytes = 0, L1Bytes = 0; ///< Of a sub-core, of the SM.
  unsigned L1Latency = 0, L2Latency = 0;
  unsigned StreamLines = 0; ///< That follow, asked for ahead.
  /// As L2Latency, of a line that an empty L2 does not have; 0: it has all.
  unsigned DramLatency = 0;
};

struct ModernConfig {
  unsigned ReadCycles =
      0; ///< In which the operands of an instruction are read.
  /// Memory instructions that have issued and not left the sub-core.
  unsigned MemoryQueue = 0;
  unsigned AddressInterval = 0; ///< Between two at the address unit.
  unsigned SharedInterval = 0;  ///< Between two of the SM beyond it.
  /// Between two of a sub-core that read constants; 0: as others.
  unsigned ConstantInterval = 0;
  /// From the issue of a memory instruction until its sources have been read:
  /// of a load from shared memory, and what is added for others.
  unsigned SourceCycles = 0, SourceGlobal = 0, SourceStore = 0, SourceWord = 0;
  unsigned BarrierInterval = 0; ///< Between two warps of the SM that arrive.
  unsigned BarrierCycles = 0;   ///< From the last arrival until warps go on.
  /// One double-precision unit for the SM, which takes no fixed time.
  bool DoubleIsShared = false;
  bool ConvertsOnAlu = false; ///< The architecture, as convertsOnAlu() says.
  /// A warp goes to the sub-core with the fewest warps, and of equal ones CTAs
  /// begin with another each; else it takes the lowest free slot.
  bool RotatesCtas = false;
  /// Warps wait as control statements say, where code has them; else for a
  /// scoreboard.
  bool ObeysControl = true;
  std::optional<FetchConfig> Fetch;
  FixedLatencies Latencies; ///< Of the device's architecture.
};

/// Fails, with the file's line, on what is missing or out of range.
Result<ModernConfig> readModernConfig(const DeviceDescription &D);
/// The figures that it reads.
std::span<const TimingField<ModernConfig>> modernFields();
std::span<const TimingField<ModernConfig>> givenModernFields();
std::span<const TimingField<FetchConfig>> fetchFields();
std::span<const TimingField<FetchConfig>> givenFetchFields();
inline constexpr const char *PlacementKey = "core.placement";
inline constexpr const char *PlacementNames[] = {"lowest", "rotated"};
inline constexpr const char *DependencesKey = "core.dependences";
inline constexpr const char *DependencesNames[] = {"scoreboard", "control"};
inline constexpr const char *DoubleKey = "core.double_unit";
inline constexpr const char *DoubleNames[] = {"sub-core", "sm"};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_MODERNCONFIG_H
