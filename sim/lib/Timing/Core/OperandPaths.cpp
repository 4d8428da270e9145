//===- OperandPaths.cpp - From the registers to the pipes -----------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandPaths.h"

#include <cassert>

namespace regshare::sim {

CollectorPath::CollectorPath(const CoreConfig &Config)
    : Config(Config), Banks(Config.Banks) {
  for (unsigned P = 0; P != NumPipes; ++P) {
    Station &S = Stations[P];
    S.Config = Config.Pipes[P];
    S.Units.resize(S.Config.Collectors);
    S.Free = uint32_t((uint64_t(1) << S.Config.Collectors) - 1);
  }
}

void CollectorPath::take(const OperandRequest &R, Cycle) {
  Stations[unsigned(R.Target)].Latched.push_back(R);
  ++InPath;
}

bool CollectorPath::movesWithoutMemory() const {
  if (BusyBanks)
    return true;
  for (unsigned P = 0; P != NumPipes; ++P) {
    const Station &S = Stations[P];
    if ((S.Served && P != unsigned(Pipe::Memory)) ||
        (S.Free && !S.Latched.empty()))
      return true;
  }
  return false;
}

/// Moves as many instructions into collectors as the pipe begins in a cycle.
void CollectorPath::allocate(Station &S, unsigned Number) {
  unsigned Width = S.Config.Count;
  while (Width-- && S.Free && !S.Latched.empty()) {
    const OperandRequest &R = S.Latched.front();
    unsigned U = std::countr_zero(S.Free);
    S.Free &= S.Free - 1;
    Collector &C = S.Units[U];
    C = {R.Token, R.Interval, R.NumReads, 0, 0};
    S.Order.push_back(uint8_t(U));
    S.Served |= uint32_t(!R.NumReads) << U;
    for (unsigned K = 0; K != R.NumReads; ++K) {
      BankQueue &Q = Banks[R.Reads[K].Bank];
      assert(Q.Count < BankQueue::Capacity && "more reads than collectors");
      Q.Ring[(Q.Head + Q.Count++) % BankQueue::Capacity] =
          uint16_t(Number << 8 | U);
      C.Delay = std::max(C.Delay, R.Reads[K].Delay);
      BusyBanks |= 1u << R.Reads[K].Bank;
    }
    S.Latched.erase(S.Latched.begin());
  }
}

void CollectorPath::readBanks(Cycle Now, uint32_t WriteBanks) {
  for (uint32_t Rest = BusyBanks & ~WriteBanks; Rest; Rest &= Rest - 1) {
    unsigned B = std::countr_zero(Rest);
    BankQueue &Q = Banks[B];
    for (unsigned Port = 0; Port != Config.ReadPorts && Q.Count; ++Port) {
      uint16_t Owner = Q.Ring[Q.Head];
      Q.Head = (Q.Head + 1) % BankQueue::Capacity;
      --Q.Count;
      Station &S = Stations[Owner >> 8];
      Collector &C = S.Units[Owner & 0xff];
      S.Served |= uint32_t(!--C.Pending) << (Owner & 0xff);
      C.Ready = Now + Config.ReadLatency + C.Delay;
    }
    if (!Q.Count)
      BusyBanks &= ~(1u << B);
  }
}

SubCorePath::SubCorePath(const CoreConfig &Config)
    : Config(Config), Cores(Config.Schedulers) {}

void SubCorePath::take(const OperandRequest &R, Cycle Now) {
  SubCore &S = Cores[R.Scheduler];
  unsigned Delay = 0;
  Cycle Last = Now;
  for (unsigned K = 0; K != R.NumReads; ++K) {
    Cycle &Free = S.PortFree[R.Reads[K].Bank];
    Free = std::max(Free, Now * Config.ReadPorts) + 1;
    Last = std::max(Last, (Free - 1) / Config.ReadPorts);
    Delay = std::max<unsigned>(Delay, R.Reads[K].Delay);
  }
  // One read of each bank fits into the cycle of issue.
  S.Reserved = Last + 1;
  Cycle Start = Last + Config.FrontCycles + Delay;
  if (R.Target == Pipe::Memory) {
    MemoryQueue.push_back({R.Token, std::max(Start, Now + 1)});
    return;
  }
  S.PipeFree[unsigned(R.Target)] = Last + R.Interval;
  Started.push_back({R.Token, Start});
}

} // namespace regshare::sim
