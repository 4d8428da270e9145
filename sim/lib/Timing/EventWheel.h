//===- EventWheel.h - What happens in which cycle ---------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Events of the near future: a list for each cycle, and a bit that says
/// whether it is empty. The lists share a pool of nodes, so that the wheel
/// stays in the cache.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_EVENTWHEEL_H
#define REGSHARE_SIM_TIMING_EVENTWHEEL_H

#include "CycleSet.h"

#include <cassert>
#include <vector>

namespace regshare::sim {

template <typename Event> class EventWheel {
public:
  static constexpr unsigned Size = 2048;

  void add(Cycle When, Cycle Now, Event E) {
    assert(When > Now && When - Now < Size && "beyond the wheel");
    uint32_t N = takeNode();
    Nodes[N] = {E, None};
    unsigned B = When % Size;
    if (Used.contains(When))
      Nodes[Last[B]].Next = N;
    else
      First[B] = N;
    Last[B] = N;
    Used.insert(When);
  }

  /// Moves the events of cycle \p Now to \p Due, in the order of add().
  void take(Cycle Now, std::vector<Event> &Due) {
    Due.clear();
    if (!Used.contains(Now))
      return;
    Used.erase(Now);
    unsigned B = Now % Size;
    for (uint32_t N = First[B]; N != None; N = Nodes[N].Next)
      Due.push_back(Nodes[N].E);
    Nodes[Last[B]].Next = Free;
    Free = First[B];
  }

  /// The cycle of the first event after \p Now.
  Cycle next(Cycle Now) const { return Used.firstFrom(Now + 1); }

private:
  static constexpr uint32_t None = ~uint32_t(0);
  struct Node {
    Event E;
    uint32_t Next;
  };

  uint32_t takeNode() {
    if (Free == None) {
      Nodes.push_back({});
      return uint32_t(Nodes.size() - 1);
    }
    uint32_t N = Free;
    Free = Nodes[N].Next;
    return N;
  }

  std::vector<Node> Nodes;
  uint32_t Free = None;
  std::array<uint32_t, Size> First, Last;
  CycleSet<Size> Used;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_EVENTWHEEL_H
