//===- TimingMemory.h - Driving the memory's units in tests --- -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIM_MEMORY_TIMINGMEMORY_H
#define REGSHARE_UNITTESTS_SIM_MEMORY_TIMINGMEMORY_H

#include "Timing/Memory/LoadStore/LoadStoreUnit.h"
#include "Timing/Memory/MemorySystem.h"
#include "Timing/Presets.h"

#include <gtest/gtest.h>

#include <map>

namespace regshare::sim {

/// A small machine with a different figure everywhere, so that a test that
/// adds up the right ones adds up no others. Core and DRAM have one clock.
inline MemoryConfig smallMemory() {
  MemoryConfig C;
  C.CoreMHz = 1000;
  C.Lsu = {.Queue = 2, .StoreCredits = 3};
  C.Shared = {.Latency = 11};
  C.Constant = {.Latency = 6};
  C.L1 = {.Sets = 4,
          .Ways = 2,
          .FetchSectors = 4,
          .HitLatency = 21,
          .MissLatency = 13,
          .Mshrs = 4,
          .Merges = 3};
  C.Icnt = {.FlitBytes = 32, .HeaderBytes = 8, .Latency = 10};
  C.L2 = {.SlicesPerChannel = 1,
          .Sets = 4,
          .Ways = 2,
          .RopDelay = 7,
          .HitLatency = 3,
          .FillLatency = 5,
          .Mshrs = 4,
          .Merges = 2,
          .PortBytes = 32,
          .AtomicCycles = 6,
          .MissQueue = 8};
  C.Dram = {.Channels = 1,
            .ClockMHz = 1000,
            .QueueLatency = 9,
            .Queue = 16,
            .WriteQueue = 8,
            .WriteHigh = 6,
            .WriteLow = 2,
            .Banks = 4,
            .RowBytes = 1024,
            .BurstBytes = 64,
            .BurstCycles = 2,
            .CCD = 2,
            .RRD = 6,
            .RCD = 12,
            .RAS = 28,
            .RP = 14,
            .RC = 43,
            .CL = 15,
            .WL = 4,
            .WR = 16,
            .WTR = 5,
            .RTP = 3,
            .Turnaround = 2,
            .AgeLimit = 1000};
  return C;
}

/// An access of \p Lanes lanes, lane n at Base + n * Stride.
inline MemoryAccess accessOf(Space Where, MemoryOp Op, uint64_t Base,
                             uint64_t Stride, uint8_t Bytes = 4,
                             unsigned Lanes = WarpSize) {
  MemoryAccess A;
  A.Where = Where;
  A.Op = Op;
  A.Bytes = Bytes;
  A.Mask = uint32_t((uint64_t(1) << Lanes) - 1);
  for (unsigned N = 0; N != Lanes; ++N)
    A.Addresses[N] = Base + N * Stride;
  return A;
}

inline MemoryAccess load(uint64_t Base) {
  return accessOf(Space::Global, MemoryOp::Load, Base, 4);
}
inline MemoryAccess store(uint64_t Base) {
  return accessOf(Space::Global, MemoryOp::Store, Base, 4);
}

/// A request for all of the line at \p Address.
inline MemoryRequest lineRequest(Cycle When, uint64_t Address,
                                 MemoryOp Op = MemoryOp::Load, unsigned SM = 0,
                                 uint32_t Id = 0) {
  MemoryRequest R;
  R.When = When;
  R.Address = Address;
  R.Id = Id;
  R.SM = uint16_t(SM);
  R.Bytes = LineBytes;
  R.Op = Op;
  R.Sectors = 0xf;
  return R;
}

/// An SM's load/store unit, and the memory system or the test behind it.
class UnitUnderTest {
public:
  explicit UnitUnderTest(const MemoryConfig &C) : Unit(C, 0) {}

  LoadStoreUnit Unit;
  Cycle Now = 0;                  ///< The next cycle to simulate.
  std::map<uint32_t, Cycle> Done; ///< By token.
  std::vector<MemoryRequest> Requests;

  void tick() {
    std::vector<LoadStoreUnit::Completion> Completed;
    Unit.tick(Now++, Completed, Requests);
    for (const LoadStoreUnit::Completion &C : Completed)
      EXPECT_TRUE(Done.emplace(C.Token, C.When).second)
          << "token " << C.Token << " completes twice";
  }
  void tickTo(Cycle Until) {
    while (Now < Until)
      tick();
  }
  /// Accepts \p A as soon as there is room; the cycle in which it does.
  Cycle accept(MemoryAccess A, uint32_t Token) {
    while (!Unit.canAccept())
      tick();
    A.Token = Token;
    Unit.accept(A, Now);
    return Now;
  }
  void reply(uint32_t Id, Cycle When) {
    MemoryReply R;
    R.When = When;
    R.Id = Id;
    Unit.receive(R);
  }
};

/// One SM's unit with a whole memory system.
class SmWithMemory : public UnitUnderTest {
public:
  explicit SmWithMemory(const MemoryConfig &C, unsigned NumSMs = 1)
      : UnitUnderTest(C), Memory(C, NumSMs) {}

  MemorySystem Memory;

  void step() {
    Requests.clear();
    std::vector<MemoryReply> Replies;
    tick();
    Memory.advance(Requests, Now, Replies);
    for (const MemoryReply &R : Replies)
      Unit.receive(R);
  }
  /// Cycles from the tick that begins with \p A to its data.
  Cycle latency(const MemoryAccess &A) {
    Cycle Begin = accept(A, NextToken);
    while (!Done.count(NextToken))
      step();
    Cycle End = Done[NextToken++];
    while (Now <= End || !Unit.isIdle() || !Memory.isIdle())
      step();
    return End - Begin;
  }

private:
  uint32_t NextToken = 1u << 20;
};

} // namespace regshare::sim

#endif // REGSHARE_UNITTESTS_SIM_MEMORY_TIMINGMEMORY_H
