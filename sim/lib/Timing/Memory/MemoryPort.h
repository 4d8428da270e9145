//===- MemoryPort.h - What SMs and the memory system exchange ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The messages between the pipeline of an SM, its load/store unit and the
/// memory system behind the interconnect. All times are core cycles.
///
/// SMs run ahead of the memory system by a quantum: the machine lets every SM
/// simulate some cycles, then hands the requests of all SMs to the memory
/// system, which catches up. No reply can be due within the quantum, so the
/// result does not depend on which host thread ran which SM.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_MEMORYPORT_H
#define REGSHARE_SIM_TIMING_MEMORY_MEMORYPORT_H

#include "regshare/Sim/Types.h"

#include <array>
#include <cstdint>

namespace regshare::sim {

using Cycle = uint64_t;
inline constexpr Cycle Never = ~Cycle(0);

/// Caches are organised in lines of four sectors, in the L1 and in the L2.
inline constexpr unsigned LineBytes = 128;
inline constexpr unsigned SectorBytes = 32;
inline constexpr unsigned SectorsPerLine = LineBytes / SectorBytes;

enum class MemoryOp : uint8_t {
  Load,
  Store,
  Atomic, ///< Delivers the old value.
  Reduce, ///< An atomic whose result nobody reads.
};

/// One memory instruction of a warp, on its way through the load/store unit.
struct MemoryAccess {
  uint32_t Token = 0; ///< The pipeline's name for it.
  MemoryOp Op = MemoryOp::Load;
  /// Shared, Global, Local, Const or Param; generic ones are resolved.
  Space Where = Space::Global;
  uint8_t Bytes = 4;   ///< Per lane, all elements of a vector.
  bool Bypass = false; ///< Volatile and the like: not served by the L1.
  uint32_t Mask = 0;   ///< Lanes.
  /// Of the lanes in Mask; local ones are those of the memory behind, with the
  /// words of 32 lanes side by side.
  std::array<uint64_t, WarpSize> Addresses = {};
  /// What lanes read besides, Bytes each: texels that a filter takes.
  std::vector<uint64_t> More = {};
};

/// A part of a line that an SM asks for, or writes.
struct MemoryRequest {
  Cycle When = 0;       ///< It leaves the SM.
  uint64_t Address = 0; ///< Of the first byte asked for, or written.
  uint32_t Id = 0;      ///< The load/store unit's name for it.
  uint16_t SM = 0;
  uint16_t Bytes = 0; ///< Asked for, or written.
  MemoryOp Op = MemoryOp::Load;
  /// The sectors of the line that it concerns, bit 0 the first of the line; 0
  /// if Address and Bytes say it all.
  uint8_t Sectors = 0;
  uint8_t Partial = 0; ///< Of them, those that a store does not write whole.
  uint64_t Halves = 0; ///< Transaction::Halves, of what is partial.
};

/// Data for a load or atomic, or a store's acknowledgement.
struct MemoryReply {
  Cycle When = 0; ///< It reaches the SM.
  uint32_t Id = 0;
  uint16_t SM = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_MEMORYPORT_H
