//===- MemoryPipe.h - From sub-cores to the load/store unit -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory pipeline of a modern SM in front of its load/store unit (Huerta
/// et al., MICRO 2025). A sub-core takes a few memory instructions in a row;
/// its address unit works on one after the other. What the sub-cores share
/// takes one at a time, in turns.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_MODERN_MEMORYPIPE_H
#define REGSHARE_SIM_TIMING_CORE_MODERN_MEMORYPIPE_H

#include "ModernConfig.h"
#include "Timing/Memory/MemoryPort.h"
#include "Timing/RingQueue.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace regshare::sim {

class MemoryPipe {
public:
  MemoryPipe(const ModernConfig &Config, unsigned SubCores)
      : Config(Config), Cores(SubCores) {}

  /// The sub-core may issue a memory instruction.
  bool hasRoom(unsigned SubCore) const {
    return Cores[SubCore].Inside < Config.MemoryQueue;
  }
  /// One has issued; enter() follows.
  void issued(unsigned SubCore) {
    assert(hasRoom(SubCore) && "issued without room");
    ++Cores[SubCore].Inside;
  }
  /// One that issued in the cycle \p Issue has got its operands. Its sources
  /// count as read \p SourceCycles after the issue, if it waits for nothing.
  void enter(unsigned SubCore, uint32_t Token, unsigned SourceCycles,
             bool IsConstant, Cycle Issue, Cycle Now) {
    SubCoreState &S = Cores[SubCore];
    Cycle Begin = std::max(Issue, S.AddressFree);
    if (IsConstant) {
      Begin = std::max(Begin, S.ConstantFree);
      S.ConstantFree = Begin + Config.ConstantInterval;
    }
    S.AddressFree = Begin + Config.AddressInterval;
    S.Queue.push({Token, uint8_t(SourceCycles),
                  std::max(Now + 1, Begin + SourceCycles)});
    ++Waiting;
  }

  /// Lets one instruction out if the unit that comes next has \p Room. Calls
  /// \p Leave(Token, Issue), with the cycle in which it would have issued had
  /// it waited for nothing.
  template <typename Leave> void tick(Cycle Now, bool Room, Leave Leaves) {
    if (!Waiting || !Room || SharedFree > Now)
      return;
    for (unsigned K = 0; K != Cores.size(); ++K) {
      unsigned N = unsigned((Turn + K) % Cores.size());
      SubCoreState &S = Cores[N];
      if (S.Queue.empty() || S.Queue.front().Done > Now)
        continue;
      Entry E = S.Queue.front();
      S.Queue.pop();
      --S.Inside;
      --Waiting;
      SharedFree = Now + Config.SharedInterval;
      Turn = N + 1;
      Leaves(E.Token, Now - E.SourceCycles);
      return;
    }
  }

  /// The next cycle after \p Now whose tick can let one out.
  Cycle nextEvent(Cycle Now) const {
    if (!Waiting)
      return Never;
    Cycle First = Never;
    for (const SubCoreState &S : Cores)
      if (!S.Queue.empty())
        First = std::min(First, S.Queue.front().Done);
    return std::max({Now + 1, First, SharedFree});
  }

private:
  struct Entry {
    uint32_t Token = 0;
    uint8_t SourceCycles = 0;
    Cycle Done = 0; ///< At the address unit.
  };
  struct SubCoreState {
    RingQueue<Entry> Queue;
    unsigned Inside = 0;
    Cycle AddressFree = 0, ConstantFree = 0;
  };

  const ModernConfig &Config;
  std::vector<SubCoreState> Cores;
  unsigned Turn = 0, Waiting = 0;
  Cycle SharedFree = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_MODERN_MEMORYPIPE_H
