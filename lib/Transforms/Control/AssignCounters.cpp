//===- AssignCounters.cpp - Which counter is raised -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A counter is taken from the unit that raises it to the one that is the first
/// to need what it stands for, as far as the block shows. Who waits for a
/// counter waits for all that have raised it; so, if none is free, a unit
/// shares the one that is awaited nearest to where its own would be.
///
//===----------------------------------------------------------------------===//

#include "AssignCounters.h"

#include <algorithm>
#include <array>

namespace regshare {

static bool shareAny(const std::vector<Access> &A,
                     const std::vector<Access> &B) {
  return std::ranges::any_of(
      A, [&](Access X) { return std::ranges::find(B, X) != B.end(); });
}

namespace {
/// Where the counters of a unit are awaited: indices of units in its block, or
/// its end.
struct Needs {
  bool Write = false, Read = false;
  size_t WriteUntil = 0, ReadUntil = 0;
};

class BlockCounters {
public:
  BlockCounters(ControlBlock &Block, unsigned &Last)
      : Units(Block.Units), Last(Last) {}
  void run();

private:
  Needs needsOf(size_t N) const;
  unsigned take(size_t N, size_t Until);

  std::vector<ControlUnit> &Units;
  unsigned &Last; ///< The counter that was taken last: the others take turns.
  std::array<size_t, NumDependenceCounters> Until = {};
};
} // namespace

Needs BlockCounters::needsOf(size_t N) const {
  const ControlUnit &U = Units[N];
  Needs Of;
  Of.Write = !U.Writes.empty();
  Of.WriteUntil = Of.ReadUntil = Units.size();
  for (size_t K = N + 1; K != Units.size(); ++K) {
    const ControlUnit &Next = Units[K];
    if (Next.Is != ControlUnit::Ordinary) {
      Of.WriteUntil = K;
      return Of;
    }
    // Who waits for the results knows that the sources have been read.
    if (shareAny(U.Writes, Next.Reads) || shareAny(U.Writes, Next.Writes)) {
      Of.WriteUntil = K;
      return Of;
    }
    if (!Of.Read && shareAny(U.Reads, Next.Writes)) {
      Of.Read = true;
      Of.ReadUntil = K;
      if (!Of.Write)
        return Of;
    }
  }
  Of.Read |= !Of.Write && !U.Reads.empty();
  return Of;
}

unsigned BlockCounters::take(size_t N, size_t Awaited) {
  unsigned Best = NumDependenceCounters;
  auto Distance = [&](unsigned C) {
    return Until[C] > Awaited ? Until[C] - Awaited : Awaited - Until[C];
  };
  for (unsigned K = 1; K <= NumDependenceCounters; ++K) {
    unsigned C = (Last + K) % NumDependenceCounters;
    bool IsFree = Until[C] <= N;
    if (!IsFree && Until[C] == Awaited)
      return C;
    if (Best == NumDependenceCounters) {
      Best = C;
      continue;
    }
    bool BestIsFree = Until[Best] <= N;
    if (BestIsFree)
      continue;
    if (IsFree || Distance(C) < Distance(Best))
      Best = C;
  }
  Until[Best] = std::max(Until[Best], Awaited);
  return Last = Best;
}

void BlockCounters::run() {
  for (size_t N = 0; N != Units.size(); ++N) {
    ControlUnit &U = Units[N];
    if (!U.isDecoupled())
      continue;
    Needs Of = needsOf(N);
    if (Of.Write)
      U.Says.Write = take(N, Of.WriteUntil);
    if (Of.Read)
      U.Says.Read = take(N, Of.ReadUntil);
  }
}

void assignCounters(ControlCode &Code) {
  unsigned Last = NumDependenceCounters - 1;
  for (ControlBlock &B : Code)
    BlockCounters(B, Last).run();
}

} // namespace regshare
