//===- ModernConfig.cpp - Figures of a core since Volta -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModernConfig.h"

#include "regshare/Base/IssueClass.h"

#include <algorithm>

namespace regshare::sim {

static constexpr TimingField<ModernConfig> Fields[] = {
    {"core.read_cycles", "modern: cycles in which operands are read",
     &ModernConfig::ReadCycles, 1, 16},
    {"core.memory.queue",
     "modern: memory instructions of a sub-core that have not left it",
     &ModernConfig::MemoryQueue, 1, 64},
    {"core.memory.address_interval",
     "modern: cycles between memory instructions of a sub-core",
     &ModernConfig::AddressInterval, 1, 64},
    {"core.memory.shared_interval",
     "modern: cycles between memory instructions of the SM",
     &ModernConfig::SharedInterval, 1, 64},
    {"core.memory.source_cycles",
     "modern: cycles from the issue of a shared load until its address is read",
     &ModernConfig::SourceCycles, 2, 64},
    {"core.memory.source_global",
     "modern: added to these for memory that is not shared memory",
     &ModernConfig::SourceGlobal, 0, 64},
    {"core.memory.source_store", "modern: added to these for a store",
     &ModernConfig::SourceStore, 0, 64},
    {"core.memory.source_word",
     "modern: added to these for each further word that a lane stores",
     &ModernConfig::SourceWord, 0, 64},
    {"core.barrier.interval",
     "modern: cycles between two warps that arrive at barriers",
     &ModernConfig::BarrierInterval, 1, 64},
    {"core.barrier.latency",
     "modern: cycles from the last warp's arrival until warps go on",
     &ModernConfig::BarrierCycles, 1, 256},
};

static constexpr TimingField<ModernConfig> GivenFields[] = {
    {"core.memory.constant_interval",
     "optional: modern: cycles between loads of constants of a sub-core",
     &ModernConfig::ConstantInterval, 1, 64},
};

/// All of them or none.
static constexpr TimingField<FetchConfig> FetchFields[] = {
    {"core.fetch.l0_bytes",
     "optional: bytes of a sub-core's L0 instruction cache",
     &FetchConfig::L0Bytes, 128, 1u << 24},
    {"core.fetch.l1_bytes", "optional: bytes of the SM's L1 instruction cache",
     &FetchConfig::L1Bytes, 128, 1u << 24},
    {"core.fetch.l1_latency",
     "optional: cycles from a miss of the L0 until the L1's line is there",
     &FetchConfig::L1Latency, 1, 256},
    {"core.fetch.l2_latency",
     "optional: cycles that a line takes from the L2 to the L1",
     &FetchConfig::L2Latency, 1, 1024},
    {"core.fetch.stream_lines",
     "optional: following lines of 128 bytes that a sub-core asks for ahead",
     &FetchConfig::StreamLines, 0, 256},
};

static constexpr TimingField<FetchConfig> GivenFetchFields[] = {
    {"core.fetch.dram_latency",
     "optional: the same from an L2 that is empty when a launch begins, of a "
     "line's first fetch (as from one that is not)",
     &FetchConfig::DramLatency, 1, 4096},
};

std::span<const TimingField<ModernConfig>> modernFields() { return Fields; }
std::span<const TimingField<FetchConfig>> fetchFields() { return FetchFields; }
std::span<const TimingField<ModernConfig>> givenModernFields() {
  return GivenFields;
}
std::span<const TimingField<FetchConfig>> givenFetchFields() {
  return GivenFetchFields;
}

Result<ModernConfig> readModernConfig(const DeviceDescription &D) {
  ModernConfig C;
  if (Result<void> R = readFigures<ModernConfig>(D, Fields, C); !R)
    return tl::make_unexpected(R.error());
  if (Result<void> R = readGiven<ModernConfig>(D, GivenFields, C); !R)
    return tl::make_unexpected(R.error());
  if (std::ranges::any_of(
          FetchFields, [&D](const auto &F) { return hasFigure(D, F.Key); })) {
    C.Fetch.emplace();
    if (Result<void> R = readFigures<FetchConfig>(D, FetchFields, *C.Fetch); !R)
      return tl::make_unexpected(R.error());
    if (Result<void> R = readGiven<FetchConfig>(D, GivenFetchFields, *C.Fetch);
        !R)
      return tl::make_unexpected(R.error());
  }
  Result<unsigned> Double = readChoice(D, DoubleKey, DoubleNames);
  if (!Double)
    return tl::make_unexpected(Double.error());
  C.DoubleIsShared = *Double;
  C.ConvertsOnAlu = convertsOnAlu(D.Target);
  if (hasFigure(D, PlacementKey)) {
    Result<unsigned> Placement = readChoice(D, PlacementKey, PlacementNames);
    if (!Placement)
      return tl::make_unexpected(Placement.error());
    C.RotatesCtas = *Placement;
  }
  if (hasFigure(D, DependencesKey)) {
    Result<unsigned> By = readChoice(D, DependencesKey, DependencesNames);
    if (!By)
      return tl::make_unexpected(By.error());
    C.ObeysControl = *By;
  }
  Result<FixedLatencies> Latencies = FixedLatencies::get(D.Target);
  if (!Latencies)
    return fail(Diagnostic{"device '" + D.Name + "' has a modern core: " +
                               Latencies.error().Message,
                           D.File, 0, 0, ErrorKind::NotForDevice});
  C.Latencies = *Latencies;
  return C;
}

} // namespace regshare::sim
