//===- regshare/Sim/MemoryStats.h - Counters of the memory ------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_MEMORYSTATS_H
#define REGSHARE_SIM_MEMORYSTATS_H

#include <array>
#include <cstdint>

namespace regshare::sim {

/// What keeps the load/store unit from taking another instruction.
enum class MemoryStall : uint8_t {
  None,
  BankConflict, ///< Passes of a shared-memory access, or registers' rows.
  Transactions, ///< More transactions of one access than the L1 takes a cycle.
  Mshr,         ///< No MSHR, or no room to merge.
  Reservation,  ///< All ways of the set wait for data.
  StoreCredits, ///< Stores that the memory system has not acknowledged.
};

/// Of the load/store unit of one SM. Accesses are instructions of a warp.
/// All counters are 64 bits wide.
struct LoadStoreStats {
  uint64_t Accesses = 0;
  uint64_t SharedAccesses = 0, SharedPasses = 0;
  uint64_t ConstantAccesses = 0, ConstantPasses = 0;
  uint64_t Transactions = 0; ///< Lines of global and local accesses.
  uint64_t LoadHits = 0;     ///< Transactions that found all sectors,
  uint64_t LoadMerges = 0;   ///< that only waited for others' requests,
  uint64_t LoadMisses = 0;   ///< that made a request.
  uint64_t LoadBypasses = 0;
  uint64_t StoreHits = 0, StoreMisses = 0;
  uint64_t Atomics = 0; ///< Transactions; reductions count.
  uint64_t Evictions = 0, WriteBacks = 0;
  /// Cycles that the instruction at the head stood still, by MemoryStall.
  std::array<uint64_t, 6> StallCycles = {};
  uint64_t BytesRequested = 0, BytesWritten = 0;

  void add(const LoadStoreStats &Other);
};

/// Of what lies behind the SMs.
struct MemoryStats {
  uint64_t Requests = 0, Replies = 0;
  uint64_t FlitsToMemory = 0, FlitsToSMs = 0;
  uint64_t BytesToMemory = 0, BytesToSMs = 0;      ///< Without headers.
  uint64_t L2Hits = 0, L2Merges = 0, L2Misses = 0; ///< Loads and atomics.
  uint64_t L2StoreHits = 0, L2StoreMisses = 0;
  uint64_t L2Atomics = 0, L2WriteBacks = 0; ///< Lines written back.
  uint64_t L2StallCycles = 0; ///< Of a slice whose head waits for room.
  uint64_t DramReads = 0, DramWrites = 0; ///< Bursts.
  uint64_t DramRowHits = 0, DramActivates = 0, DramPrecharges = 0;
  uint64_t DramBusyCycles = 0; ///< Of the data bus, of its own clock.

  void subtract(const MemoryStats &Before);
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_MEMORYSTATS_H
