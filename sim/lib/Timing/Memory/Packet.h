//===- Packet.h - A request on its way through the memory ----- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_PACKET_H
#define REGSHARE_SIM_TIMING_MEMORY_PACKET_H

#include "MemoryPort.h"

#include <vector>

namespace regshare::sim {

/// A request from when it leaves its SM until the reply does so from the slice.
struct Packet {
  Cycle When = 0;      ///< At the port of its slice.
  uint64_t Line = 0;   ///< Counted in the slice.
  uint64_t Halves = 0; ///< MemoryRequest::Halves.
  uint32_t Id = 0;
  int32_t Next = -1; ///< In its list.
  uint16_t SM = 0, Slice = 0;
  uint16_t Bytes = 0;
  MemoryOp Op = MemoryOp::Load;
  uint8_t Sectors = 0, Partial = 0;
  uint8_t Waits = 0; ///< Fetches still to come.

  bool isAtomic() const {
    return Op == MemoryOp::Atomic || Op == MemoryOp::Reduce;
  }
  /// It carries data to the slice.
  unsigned bytesToSlice() const { return Op == MemoryOp::Load ? 0 : Bytes; }
  /// And these back.
  unsigned bytesToSM() const {
    return Op == MemoryOp::Load || Op == MemoryOp::Atomic ? Bytes : 0;
  }
};

/// Packets by number; nothing is allocated once it has grown.
class PacketPool {
public:
  Packet &operator[](uint32_t Id) { return All[Id]; }
  uint32_t take() {
    ++Used;
    if (Free.empty()) {
      All.emplace_back();
      return uint32_t(All.size() - 1);
    }
    uint32_t Id = Free.back();
    Free.pop_back();
    return Id;
  }
  void release(uint32_t Id) {
    --Used;
    Free.push_back(Id);
  }
  bool empty() const { return Used == 0; }

private:
  std::vector<Packet> All;
  std::vector<uint32_t> Free;
  size_t Used = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_PACKET_H
