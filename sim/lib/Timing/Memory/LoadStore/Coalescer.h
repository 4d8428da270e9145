//===- Coalescer.h - Lanes to lines -----------------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Splits the lanes of an access to global or local memory into transactions,
/// one for each line of 128 bytes that they touch.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_COALESCER_H
#define REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_COALESCER_H

#include "Timing/Memory/MemoryPort.h"

#include <vector>

namespace regshare::sim {

struct Transaction {
  uint64_t Line = 0;   ///< Its number: the address over LineBytes.
  uint8_t Sectors = 0; ///< That lanes touch.
  uint8_t Partial = 0; ///< Of them, those with bytes that no lane touches.
  /// Where some are partial: a bit for each two bytes of the line that lanes
  /// touch both of.
  uint64_t Halves = 0;
};

/// The transactions of \p Access in the order of their first lanes; \p To is
/// overwritten. Lanes of an atomic that meet in a byte are in different
/// transactions, the lower lane's first, since each has to see what the one
/// before it wrote.
void coalesce(const MemoryAccess &Access, std::vector<Transaction> &To);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_COALESCER_H
