//===- regshare/Sim/CpiStack.h - Where issue slots go -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cycle accounting: each scheduler has one issue slot a cycle, and every slot
/// either issues an instruction or is lost for exactly one cause.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_CPISTACK_H
#define REGSHARE_SIM_CPISTACK_H

#include <array>
#include <cstdint>
#include <numeric>

namespace regshare::sim {

/// What became of an issue slot. Where warps wait for different things, the
/// cause is the first of this list that holds for one of them: what is nearest
/// to issuing.
enum class SlotUse : uint8_t {
  Issued,
  // A warp could issue, but not into its pipe.
  Operands,         ///< No free operand collector, or no read port.
  Pipe,             ///< The pipe's initiation interval.
  MemBankConflict,  ///< The load/store unit is busy with: bank conflicts,
  MemTransactions,  ///<   the transactions of an access,
  MemMshr,          ///<   a miss that finds no MSHR,
  MemReservation,   ///<   a miss whose set waits for data,
  MemStoreCredits,  ///<   stores that are not acknowledged,
  MemQueue,         ///<   or other instructions before this one.
  SchemeGate,       ///< The scheme holds the warp back.
  Parked,           ///< Only warps outside of the active set could issue.
  Dependency,       ///< The result of an arithmetic instruction.
  DependencyShared, ///< Of a load from shared memory or constants.
  DependencyMemory, ///< Of a load from global or local memory, or an atomic.
  Control,          ///< Fetching after a branch.
  Fence,            ///< A fence or call waits for the warp's accesses.
  Barrier,
  Drain,  ///< All instructions are issued, some not finished.
  NoWarp, ///< No warp is resident.
  Count,
};
inline constexpr unsigned NumSlotUses = unsigned(SlotUse::Count);

/// "dependency-memory", for reports.
const char *slotUseName(SlotUse U);
/// What the cause means, in a line.
const char *slotUseHelp(SlotUse U);

/// Issue slots, by what became of them.
struct CpiStack {
  std::array<uint64_t, NumSlotUses> Slots = {};

  uint64_t &operator[](SlotUse U) { return Slots[unsigned(U)]; }
  uint64_t operator[](SlotUse U) const { return Slots[unsigned(U)]; }
  uint64_t total() const {
    return std::accumulate(Slots.begin(), Slots.end(), uint64_t(0));
  }
  void add(const CpiStack &Other) {
    for (unsigned N = 0; N != NumSlotUses; ++N)
      Slots[N] += Other.Slots[N];
  }
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_CPISTACK_H
