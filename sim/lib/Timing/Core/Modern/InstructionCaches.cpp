//===- InstructionCaches.cpp - Where a modern SM's code comes from --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionCaches.h"

#include <algorithm>
#include <cassert>

namespace regshare::sim {

void CodeLines::insert(uint32_t Line, Cycle Ready) {
  assert(!has(Line) && "it has the line");
  if (Count == Capacity) {
    All[Oldest].IsIn = false;
    remove(Oldest);
  } else {
    ++Count;
  }
  All[Line].IsIn = true;
  All[Line].Ready = Ready;
  append(Line);
}

void CodeLines::append(uint32_t Line) {
  All[Line].Before = Newest;
  All[Line].After = None;
  (Newest == None ? Oldest : All[Newest].After) = Line;
  Newest = Line;
}

void CodeLines::remove(uint32_t Line) {
  const Entry &E = All[Line];
  (E.Before == None ? Oldest : All[E.Before].After) = E.After;
  (E.After == None ? Newest : All[E.After].Before) = E.Before;
}

InstructionCaches::InstructionCaches(const FetchConfig &Config,
                                     unsigned SubCores, uint32_t Lines)
    : Config(Config), Lines(Lines), L1(Config.L1Bytes / LineBytes, Lines),
      WasAskedFor(Config.DramLatency ? Lines : 0) {
  CodeLines L0(Config.L0Bytes / LineBytes, Lines);
  Cores.assign(SubCores, {L0, {}, 0});
}

/// From beyond the SM. That an SM asks for a line first says that the L2 has
/// not got it: SMs begin together.
unsigned InstructionCaches::latencyOf(uint32_t Line) {
  if (!Config.DramLatency || WasAskedFor[Line])
    return Config.L2Latency;
  WasAskedFor[Line] = true;
  return Config.DramLatency;
}

/// A request of a sub-core; when the line is there.
Cycle InstructionCaches::askL1(uint32_t Line, Cycle Now) {
  if (L1.has(Line))
    L1.use(Line);
  else
    L1.insert(Line, Now + latencyOf(Line));
  return std::max(Now, L1.readyAt(Line)) + Config.L1Latency;
}

Cycle InstructionCaches::fetch(unsigned Number, uint32_t Line, Cycle Now) {
  assert(Line < Lines && "no line of the program");
  SubCore &S = Cores[Number];
  if (S.L0.has(Line)) {
    S.L0.use(Line);
    return std::max(Now, S.L0.readyAt(Line));
  }
  // What the buffer has before the line is of no use any more.
  while (!S.Ahead.empty() && S.FirstAhead != Line) {
    S.Ahead.pop_front();
    ++S.FirstAhead;
  }
  if (S.Ahead.empty()) {
    S.Ahead.push_back(askL1(Line, Now));
    S.FirstAhead = Line;
  }
  Cycle Ready = std::max(Now, S.Ahead.front());
  S.L0.insert(Line, Ready);
  S.Ahead.pop_front();
  ++S.FirstAhead;
  while (S.Ahead.size() < Config.StreamLines &&
         S.FirstAhead + S.Ahead.size() < Lines)
    S.Ahead.push_back(askL1(uint32_t(S.FirstAhead + S.Ahead.size()), Now));
  return Ready;
}

} // namespace regshare::sim
