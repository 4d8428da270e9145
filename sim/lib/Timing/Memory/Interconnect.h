//===- Interconnect.h - Ports between SMs and L2 slices ------- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A crossbar for requests and one for replies. What limits them are the ports:
/// each moves one flit a cycle, and packets take their turns in the order in
/// which they come to it. A packet begins to leave a port while it still comes
/// in, so an idle crossbar costs its latency and the packet's flits once. The
/// crossbars themselves neither block nor fill up: an SM has no more packets
/// under way than it has MSHRs and store credits.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_MEMORY_INTERCONNECT_H
#define REGSHARE_SIM_TIMING_MEMORY_INTERCONNECT_H

#include "MemoryConfig.h"
#include "MemoryPort.h"

#include <algorithm>
#include <vector>

namespace regshare::sim {

class Interconnect {
public:
  Interconnect(const MemoryConfig &C, unsigned NumSMs)
      : C(C), FromSM(NumSMs), ToSlice(C.slices()), FromSlice(C.slices()),
        ToSM(NumSMs) {}

  /// A packet with \p Bytes of data that the SM has at \p When; its head is at
  /// the slice's port in the cycle returned.
  Cycle leaveSM(unsigned SM, Cycle When, MemoryOp Op, unsigned Bytes) {
    unsigned Taken = partsOfRequest(Op, Bytes);
    take(FromSM[SM], When, Taken);
    return (FromSM[SM] - Taken) / Parts + C.Icnt.Latency;
  }
  /// The cycle in which the slice has all of it.
  Cycle enterSlice(unsigned Slice, Cycle Head, MemoryOp Op, unsigned Bytes) {
    return take(ToSlice[Slice], Head, partsOfRequest(Op, Bytes));
  }
  /// The port of a slice for replies is busy until then.
  Cycle replyPortFree(unsigned Slice) const { return FromSlice[Slice] / Parts; }
  /// The cycle in which the SM has all of a reply that the slice begins to send
  /// at \p Now, when its port is free.
  Cycle reply(unsigned Slice, unsigned SM, Cycle Now, unsigned Bytes) {
    unsigned Taken = partsOf(Bytes, C.Icnt.FlitBytes, C.Icnt.HeaderBytes);
    take(FromSlice[Slice], Now, Taken);
    return take(ToSM[SM], Now, Taken) + C.Icnt.Latency;
  }

private:
  /// Of a cycle.
  static constexpr unsigned Parts = 64;

  unsigned partsOf(unsigned Bytes, unsigned Flit, unsigned Header) const {
    unsigned Whole = Header + Bytes;
    return C.Icnt.IsPacked ? Whole * Parts / Flit
                           : (Whole + Flit - 1) / Flit * Parts;
  }
  /// Of an atomic, each lane that meets another in a byte has a packet of its
  /// own here, but not on hardware, so that its packets stay small.
  unsigned partsOfRequest(MemoryOp Op, unsigned Bytes) const {
    const IcntConfig &I = C.Icnt;
    if (Op != MemoryOp::Store)
      return partsOf(Bytes, I.FlitBytes, I.HeaderBytes);
    return partsOf(Bytes, I.StoreBytes ? I.StoreBytes : I.FlitBytes,
                   I.StoreHeaderBytes ? I.StoreHeaderBytes : I.HeaderBytes);
  }
  static Cycle take(Cycle &Free, Cycle When, unsigned Taken) {
    Free = std::max(Free, When * Parts) + Taken;
    return (Free + Parts - 1) / Parts;
  }

  const MemoryConfig &C;
  /// Free from then on, in parts of a cycle.
  std::vector<Cycle> FromSM, ToSlice, FromSlice, ToSM;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_MEMORY_INTERCONNECT_H
