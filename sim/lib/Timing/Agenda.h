//===- Agenda.h - Who has something to do, and when ----------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The events of the memory system by cycle: packets that arrive, and units to
/// be woken. Waking a unit more often than necessary changes nothing but the
/// time it takes, so what lies beyond the wheel wakes early and asks again.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_AGENDA_H
#define REGSHARE_SIM_TIMING_AGENDA_H

#include "CycleSet.h"

#include <cassert>
#include <utility>
#include <vector>

namespace regshare::sim {

class Agenda {
public:
  /// Cycles that the wheel spans.
  static constexpr unsigned Size = 1024;
  static constexpr int32_t NoPacket = -1;

  struct PacketList {
    int32_t First = NoPacket, Last = NoPacket;
  };

  explicit Agenda(unsigned Units)
      : Words((Units + 63) / 64), Units(size_t(Words) * Size) {}

  unsigned words() const { return Words; }

  /// \p Now is the first cycle that is not over, here and below.
  void wake(unsigned Unit, Cycle When, Cycle Now) {
    unsigned B = bucket(When, Now);
    Units[size_t(B) * Words + Unit / 64] |= uint64_t(1) << (Unit % 64);
  }
  /// The list of a cycle, which the caller appends a packet to. A packet from
  /// beyond the wheel is in the list of a cycle before it is due.
  PacketList &packetsOf(Cycle When, Cycle Now) {
    return Packets[bucket(When, Now)];
  }
  /// Moves the list of \p Now out.
  PacketList takePackets(Cycle Now) {
    return std::exchange(Packets[Now % Size], PacketList());
  }
  /// Units to be woken in \p Now, 64 by 64; the caller clears what it woke.
  uint64_t &units(Cycle Now, unsigned Word) {
    return Units[size_t(Now % Size) * Words + Word];
  }
  void finish(Cycle Now) { Used.erase(Now); }

  /// The first cycle from \p Now on with something to do; Never if there is
  /// none.
  Cycle next(Cycle Now) const { return Used.firstFrom(Now); }

private:
  unsigned bucket(Cycle When, Cycle Now) {
    assert(When >= Now && "in the past");
    Cycle Listed = When - Now < Size ? When : Now + Size - 1;
    Used.insert(Listed);
    return unsigned(Listed % Size);
  }

  unsigned Words;
  std::vector<uint64_t> Units; ///< A bit for each, bucket by bucket.
  std::array<PacketList, Size> Packets;
  CycleSet<Size> Used;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_AGENDA_H
