//===- SharedBanks.h - Passes of an access ----------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often the shared memory's banks, or the constant cache's single port,
/// have to be accessed to serve all lanes.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_SHAREDBANKS_H
#define REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_SHAREDBANKS_H

#include "Timing/Memory/MemoryPort.h"

namespace regshare::sim {

/// Banks of shared memory, each a 4-byte word wide (CUDA programming guide,
/// compute capability 2.x to 9.0).
inline constexpr unsigned SharedBanks = 32;

/// Passes that the banks need: in a pass every bank delivers or takes one word,
/// to or from any number of lanes. Accesses of 8 bytes a lane are made for half
/// a warp at a time, those of 16 for a quarter, or with \p WholeWarp for all of
/// it. Atomics on one word take a pass for each lane. At least 1.
unsigned sharedPasses(const MemoryAccess &Access, bool WholeWarp = false);

/// Different addresses that the lanes name; at least 1.
unsigned constantPasses(const MemoryAccess &Access);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_SHAREDBANKS_H
