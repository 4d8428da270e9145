//===- LoadStoreUnit.h - Coalescer, shared memory and L1 --------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The load/store unit of an SM: takes memory instructions in order, splits
/// them into the transactions of the coalescer or the passes of the shared
/// memory's banks, serves them from the L1 or asks the memory system.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_LOADSTOREUNIT_H
#define REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_LOADSTOREUNIT_H

#include "Timing/Memory/MemoryConfig.h"
#include "Timing/Memory/MemoryPort.h"
#include "Timing/Memory/ScratchpadPort.h"

#include <memory>
#include <vector>

namespace regshare::sim {

class LoadStoreUnit {
public:
  struct Completion {
    Cycle When; ///< The data are there for the write-back; not in the past.
    uint32_t Token;
  };

  LoadStoreUnit(const MemoryConfig &Config, unsigned SM);
  ~LoadStoreUnit();

  /// There is room in the unit's queue.
  bool canAccept() const;
  /// Queues an instruction; the unit begins with it in this cycle's tick at
  /// the earliest, or in the next one's if this cycle's has been.
  void accept(const MemoryAccess &Access, Cycle Now);
  /// Simulates the cycle \p Now, which grows from call to call. Appends
  /// instructions whose completion is due or known (loads and atomics: once
  /// all data are there; stores: once they have left the unit) and requests.
  void tick(Cycle Now, std::vector<Completion> &Done,
            std::vector<MemoryRequest> &Requests);
  /// A reply, due at Reply.When, which no tick has reached. In the order of
  /// When.
  void receive(const MemoryReply &Reply);
  /// The next cycle after \p Now whose tick can change anything, if nothing is
  /// accepted and no more is received; Never if there is none.
  Cycle nextEvent(Cycle Now) const;
  /// Why the instruction at the head did not move on in the last tick.
  MemoryStall stall() const;
  /// Nothing is queued, and no reply is due.
  bool isIdle() const;
  /// Forgets the L1's contents: a kernel begins.
  void invalidate();
  const LoadStoreStats &stats() const;
  /// What accesses to shared memory need.
  ScratchpadPort &scratchpad();

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_LOADSTORE_LOADSTOREUNIT_H
