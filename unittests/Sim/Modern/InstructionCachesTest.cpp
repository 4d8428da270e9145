//===- InstructionCachesTest.cpp - Instruction caches of a modern SM ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing/Core/Modern/InstructionCaches.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <random>
#include <set>

namespace regshare::sim {
namespace {

/// A list of lines, the one used last first, and when each is there.
struct SlowLines {
  size_t Capacity;
  std::list<std::pair<uint32_t, Cycle>> All;

  const Cycle *find(uint32_t Line) const {
    for (const auto &[Number, Ready] : All)
      if (Number == Line)
        return &Ready;
    return nullptr;
  }
  void use(uint32_t Line, Cycle Ready) {
    All.remove_if([&](const auto &Entry) { return Entry.first == Line; });
    All.emplace_front(Line, Ready);
    if (All.size() > Capacity)
      All.pop_back();
  }
};

/// The same rules, with lists, and the stream buffer as a map.
struct SlowCaches {
  SlowCaches(const FetchConfig &C, uint32_t Lines)
      : C(C), Lines(Lines), L1{C.L1Bytes / 128, {}} {}

  FetchConfig C;
  uint32_t Lines;
  SlowLines L1;
  std::set<uint32_t> Asked; ///< By the L1.
  std::map<unsigned, SlowLines> L0;
  std::map<unsigned, std::map<uint32_t, Cycle>> Ahead;

  Cycle ask(uint32_t Line, Cycle Now) {
    const Cycle *Known = L1.find(Line);
    bool IsCold = C.DramLatency && Asked.insert(Line).second;
    Cycle Ready = Known ? *Known : Now + (IsCold ? C.DramLatency : C.L2Latency);
    L1.use(Line, Ready);
    return std::max(Now, Ready) + C.L1Latency;
  }
  Cycle fetch(unsigned Core, uint32_t Line, Cycle Now) {
    SlowLines &Own =
        L0.try_emplace(Core, SlowLines{C.L0Bytes / 128, {}}).first->second;
    if (const Cycle *Known = Own.find(Line)) {
      Cycle Ready = *Known;
      Own.use(Line, Ready);
      return std::max(Now, Ready);
    }
    std::map<uint32_t, Cycle> &Next = Ahead[Core];
    if (!Next.contains(Line))
      Next = {{Line, ask(Line, Now)}};
    Cycle Ready = std::max(Now, Next[Line]);
    Own.use(Line, Ready);
    std::erase_if(Next, [&](const auto &E) { return E.first <= Line; });
    for (uint32_t N = Line + 1; N <= Line + C.StreamLines && N < Lines; ++N)
      if (!Next.contains(N))
        Next[N] = ask(N, Now);
    return Ready;
  }
};

TEST(InstructionCaches, EqualSlowOnes) {
  std::mt19937 Random(1);
  for (unsigned Seed = 0; Seed != 40; ++Seed) {
    FetchConfig C;
    C.L0Bytes = 128 * (1 + Random() % 8);
    C.L1Bytes = 128 * (1 + Random() % 24);
    C.L1Latency = 1 + Random() % 30;
    C.L2Latency = 1 + Random() % 300;
    C.StreamLines = Random() % 10;
    C.DramLatency = Seed % 2 ? 1 + Random() % 600 : 0;
    uint32_t Lines = 1 + Random() % 60, At = 0;
    InstructionCaches Fast(C, 2, Lines);
    SlowCaches Slow(C, Lines);
    Cycle Now = 0;
    for (unsigned N = 0; N != 2000; ++N) {
      // Mostly on to the next line, sometimes back or far away.
      At = Random() % 8 ? (At + 1) % Lines : uint32_t(Random() % Lines);
      unsigned Core = unsigned(Random() % 2);
      Cycle Ready = Fast.fetch(Core, At, Now);
      ASSERT_EQ(Ready, Slow.fetch(Core, At, Now)) << Seed << " after " << N;
      ASSERT_GE(Ready, Now);
      Now = (Random() % 2 ? Ready : Now) + Random() % 20;
    }
  }
}

} // namespace
} // namespace regshare::sim
