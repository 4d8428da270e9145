//===- L1Cache.h - The L1 and its requests ----------------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The data cache of an SM: decides for each transaction whether the data are
/// there, which request brings them, or what is in the way.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_L1CACHE_H
#define REGSHARE_SIM_TIMING_MEMORY_L1CACHE_H

#include "LoadStore/Coalescer.h"
#include "LoadStore/LoadStoreUnit.h"
#include "MshrTable.h"
#include "TagArray.h"
#include "Timing/RingQueue.h"

namespace regshare::sim {

class L1Cache {
public:
  L1Cache(const MemoryConfig &Config, unsigned SM, LoadStoreStats &Stats);

  /// What came of a transaction. If Stall is not None nothing has changed.
  struct Outcome {
    MemoryStall Stall = MemoryStall::None;
    unsigned Waits = 0; ///< Replies that bring the rest of its data.
    Cycle Ready = 0;    ///< When what needs no reply is done.
  };
  /// \p Who is told by arrive() of each reply that it waits for.
  Outcome access(const MemoryAccess &Access, const Transaction &T, uint32_t Who,
                 Cycle Now);

  /// Takes the reply of the request \p Id; calls \p Each with those that waited
  /// for it.
  template <typename Fn> void arrive(uint32_t Id, Fn Each) {
    if (Id == StoreId) {
      --StoresUnderWay;
      return;
    }
    for (uint32_t Who : Mshrs.waiting(int32_t(Id)))
      Each(Who);
    fill(int32_t(Id));
  }

  /// Requests that leave the SM, by time.
  RingQueue<MemoryRequest> Outgoing;

  bool awaitsReplies() const { return Mshrs.inUse() || StoresUnderWay; }
  void invalidate() { Tags.clear(); }

private:
  static constexpr uint32_t StoreId = uint32_t(1) << 31;

  Outcome load(const Transaction &T, uint32_t Who, Cycle Now);
  Outcome bypass(const Transaction &T, uint32_t Who, Cycle Now);
  Outcome storeGlobal(const Transaction &T, Cycle Now);
  Outcome storeLocal(const Transaction &T, Cycle Now);
  Outcome reduce(const Transaction &T, Cycle Now);
  Outcome atomic(const Transaction &T, uint32_t Who, Cycle Now);

  bool hasCredit() const { return StoresUnderWay < Config.Lsu.StoreCredits; }
  uint8_t toFetch(uint8_t Sectors) const;
  bool canMerge(const CacheLine &Line, uint8_t Sectors);
  unsigned merge(const CacheLine &Line, uint8_t Sectors, uint32_t Who);
  /// A line for \p Number, whose old contents are written back; null, with the
  /// reason in \p Why, if there is none now.
  CacheLine *takeLine(uint64_t Number, Cycle Now, MemoryStall &Why);
  void giveUp(uint64_t Number);
  void send(MemoryOp Op, const Transaction &T, uint32_t Id, Cycle Now);
  void sendStore(MemoryOp Op, const Transaction &T, Cycle Now);
  void fill(int32_t Id);

  const MemoryConfig &Config;
  uint16_t SM;
  LoadStoreStats &Stats;
  TagArray Tags;
  MshrTable Mshrs;
  unsigned StoresUnderWay = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_L1CACHE_H
