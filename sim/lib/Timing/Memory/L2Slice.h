//===- L2Slice.h - A slice of the L2 -------------------------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A slice of the L2: a write-back, write-allocate cache that takes requests in
/// order, one a cycle at most. A store allocates without a fetch, even if it
/// writes a sector in part: the rest is fetched when somebody reads it. Atomics
/// are done here.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_L2SLICE_H
#define REGSHARE_SIM_TIMING_MEMORY_L2SLICE_H

#include "AddressMap.h"
#include "DramChannel.h"
#include "MshrTable.h"
#include "Packet.h"
#include "TagArray.h"
#include "Timing/RingQueue.h"

namespace regshare::sim {

class L2Slice {
public:
  L2Slice(const MemoryConfig &Config, const AddressMap &Map, unsigned Number,
          PacketPool &Packets, MemoryStats &Stats);

  /// A packet that is complete in \p When. In the order of When.
  void arrive(uint32_t Id, Cycle When) {
    Input.push({When + Config.L2.RopDelay, Id});
  }
  /// Data of a fetch, which leave the DRAM in \p When. In the order of When.
  void deliver(uint32_t Fetch, Cycle When) {
    Deliveries.push({When + Config.L2.FillLatency, Fetch});
  }

  /// Simulates the cycle \p Now.
  void tick(Cycle Now);
  /// The next cycle after \p Now whose tick can change anything, if nothing
  /// comes in.
  Cycle nextTick(Cycle Now) const;

  /// The packet at the head waits for something that a fetch holds, or for room
  /// in Misses.
  bool isStalled() const { return StalledSince != Never; }

  /// When the first reply can be sent; Never if there is none.
  Cycle replyReady() const;
  /// Its packet, which the caller releases.
  uint32_t takeReply();

  /// An access on its way to the channel.
  struct Miss {
    Cycle When = 0; ///< At the channel's queue.
    DramAccess Access;
  };
  RingQueue<Miss> Misses;

private:
  struct Due {
    Cycle When = 0;
    uint32_t Id = 0;
  };
  /// A packet's need of sectors.
  struct Need {
    CacheLine *Line = nullptr;
    uint8_t Coming = 0; ///< Others have asked for them.
    uint8_t Fetch = 0;  ///< To be asked for, whole bursts.
  };

  void land(uint32_t Fetch, Cycle Now);
  /// False if the packet has to wait.
  bool serve(uint32_t Id, Cycle Now);
  bool serveRead(uint32_t Id, Cycle Now);
  bool serveStore(uint32_t Id, Cycle Now);
  Need needOf(const Packet &P);
  void completeSectors(CacheLine &Line, const Packet &P);
  bool canWait(const Need &N, uint8_t Missing);
  bool limitDirty(uint64_t Number, Cycle Now);
  CacheLine *takeLine(uint64_t Number, unsigned MoreMisses, Cycle Now);
  void startFetch(const Need &N, uint32_t Id, Cycle Now);
  void askDram(uint64_t Line, uint8_t Sectors, bool IsWrite, uint32_t Fetch,
               Cycle Now);
  bool hasRoom(unsigned MoreMisses) const {
    return Misses.size() + MoreMisses <= Config.L2.MissQueue;
  }
  static uint8_t together(uint8_t Sectors, unsigned Count);
  unsigned portCycles(unsigned Bytes) const;
  unsigned atomicCycles(const Packet &P) const;

  const MemoryConfig &Config;
  const AddressMap &Map;
  unsigned Number;
  PacketPool &Packets;
  MemoryStats &Stats;
  unsigned SectorsPerBurst;
  TagArray Tags;
  MshrTable Mshrs;
  /// By line: a bit for each two bytes that stores have written since it is
  /// there, other than those of whole sectors. Empty where the L2 does not
  /// know.
  std::vector<uint64_t> Written;
  RingQueue<Due> Input, Deliveries, Hits, Fills;
  Cycle PortFree = 0;
  Cycle StalledSince = Never;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_L2SLICE_H
