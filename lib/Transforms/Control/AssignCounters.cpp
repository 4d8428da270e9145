//===- AssignCounters.cpp - Which counter is raised -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Who waits for a counter waits for all that have raised it. So a unit takes
/// the counter with which the first to wait waits least for what it does not
/// need, by how long results are expected to take: a load from memory does not
/// share the counter of a load from shared memory that is awaited before it.
///
/// Blocks are walked in their order with what is under way at their begin, so
/// that a counter is kept from block to block until it is awaited; a second
/// round knows what comes around loops. Nothing here has to be right for the
/// code to be: AssignControl.cpp gives the waits.
///
//===----------------------------------------------------------------------===//

#include "AssignCounters.h"

#include <algorithm>
#include <utility>

namespace regshare {

/// Cycles that a warp takes for an issue slot, since others issue as well.
static constexpr int CyclesPerSlot = 2;
/// Cycles until the operands of memory instructions and their kin are read.
static constexpr int CyclesToOperands = 12;
/// Cycles after which it does not matter when something is awaited.
static constexpr int Horizon = 400;

static bool shareAny(const std::vector<Access> &A,
                     const std::vector<Access> &B) {
  return std::ranges::any_of(
      A, [&](Access X) { return std::ranges::find(B, X) != B.end(); });
}

/// Whether \p Next has to wait for the results of \p U, or for its operands.
static bool awaitsResults(const ControlUnit &U, const ControlUnit &Next) {
  return shareAny(U.Writes, Next.Reads) || shareAny(U.Writes, Next.Writes);
}
static bool awaitsOperands(const ControlUnit &U, const ControlUnit &Next) {
  return shareAny(U.Reads, Next.Writes);
}

static int cyclesOf(const ControlUnit &U) {
  return int(U.Slots) * CyclesPerSlot;
}

namespace {

/// What has raised a counter. Times are cycles from the begin of the block that
/// is walked, as they are expected.
struct Raise {
  const ControlUnit *By;
  unsigned Counter;
  bool IsOperands; ///< It falls when the operands have been read.
  int Done;        ///< When it falls.
  int Awaited;     ///< When the first unit comes that waits for it.

  bool isAwaitedBy(const ControlUnit &U) const {
    return U.Is != ControlUnit::Ordinary ||
           (IsOperands ? awaitsOperands(*By, U) : awaitsResults(*By, U));
  }
};

/// Where something is awaited, over all paths from a unit.
class NextWait {
public:
  explicit NextWait(const ControlCode &Code)
      : Code(Code), Reached(Code.size(), 0) {}

  /// Cycles from after unit \p N of \p Block to the first unit for which
  /// \p Awaits holds or which waits for everything; Horizon if none comes
  /// before.
  template <typename Fn> int operator()(unsigned Block, size_t N, Fn Awaits) {
    ++Search;
    Open.clear();
    int Best = scan(Block, N + 1, 0, Awaits);
    // Blocks come in the order in which they are found, so that a longer way
    // to one may come first: the time is an estimate.
    for (size_t K = 0; K != Open.size(); ++K)
      if (auto [Next, At] = Open[K]; At < Best)
        Best = std::min(Best, scan(Next, 0, At, Awaits));
    return Best;
  }

private:
  template <typename Fn>
  int scan(unsigned Block, size_t From, int At, Fn Awaits) {
    const ControlBlock &B = Code[Block];
    for (size_t K = From; K < B.Units.size(); ++K) {
      if (B.Units[K].Is != ControlUnit::Ordinary || Awaits(B.Units[K]))
        return At;
      At += cyclesOf(B.Units[K]);
      if (At >= Horizon)
        return Horizon;
    }
    for (unsigned Next : B.Successors)
      if (std::exchange(Reached[Next], Search) != Search)
        Open.push_back({Next, At});
    return Horizon;
  }

  const ControlCode &Code;
  std::vector<unsigned> Reached; ///< The last search that came to a block.
  std::vector<std::pair<unsigned, int>> Open;
  unsigned Search = 0;
};

class CounterChoice {
public:
  explicit CounterChoice(ControlCode &Code);
  void run();

private:
  void enter(unsigned Block);
  void walk(unsigned Block);
  void await(const ControlUnit &U);
  /// It has fallen, and nobody near waits for it. Who does wait would wait for
  /// others that raise the counter, whether it has fallen or not.
  bool isForgotten(const Raise &R) const {
    return R.Done <= Now && R.Awaited >= Now + Horizon / 2;
  }
  void raise(unsigned Block, size_t N);
  void take(Raise R, std::optional<unsigned> &Counter);
  int delayOf(const Raise &R, unsigned Counter) const;

  ControlCode &Code;
  NextWait FirstWait;
  std::vector<std::vector<unsigned>> Predecessors;
  /// What is under way after each block, from its end on.
  std::vector<std::vector<Raise>> Ends;
  std::vector<Raise> UnderWay;
  int Now = 0;
  unsigned Last = 0; ///< Counter that was taken last: the others take turns.
};

} // namespace

CounterChoice::CounterChoice(ControlCode &Code)
    : Code(Code), FirstWait(Code), Predecessors(Code.size()),
      Ends(Code.size()) {
  for (unsigned B = 0; B != Code.size(); ++B)
    for (unsigned Next : Code[B].Successors)
      Predecessors[Next].push_back(B);
}

/// Unites what the blocks before have left.
void CounterChoice::enter(unsigned Block) {
  Now = 0;
  UnderWay.clear();
  for (unsigned Before : Predecessors[Block])
    for (const Raise &R : Ends[Before]) {
      auto Same = std::ranges::find_if(UnderWay, [&](const Raise &Mine) {
        return Mine.By == R.By && Mine.IsOperands == R.IsOperands &&
               Mine.Counter == R.Counter;
      });
      if (Same == UnderWay.end()) {
        UnderWay.push_back(R);
        continue;
      }
      Same->Done = std::max(Same->Done, R.Done);
      Same->Awaited = std::min(Same->Awaited, R.Awaited);
    }
}

/// \p U waits for its counters, and so for all that have raised them.
void CounterChoice::await(const ControlUnit &U) {
  unsigned Mask = 0;
  for (const Raise &R : UnderWay)
    if (R.isAwaitedBy(U))
      Mask |= 1u << R.Counter;
  int Before = Now;
  for (const Raise &R : UnderWay)
    if (Mask >> R.Counter & 1)
      Now = std::max(Now, R.Done);
  std::erase_if(UnderWay, [&](const Raise &R) {
    return Mask >> R.Counter & 1 || isForgotten(R);
  });
  // Units that come later come later by as much.
  for (Raise &R : UnderWay)
    R.Awaited += Now - Before;
}

/// Cycles for which the first to wait for \p Counter would wait in vain if \p R
/// had it as well. Less than 0 if both are awaited at the same place.
int CounterChoice::delayOf(const Raise &R, unsigned Counter) const {
  int Delay = 0;
  bool IsShared = false, IsSamePlace = true;
  for (const Raise &Other : UnderWay) {
    if (Other.Counter != Counter)
      continue;
    IsShared = true;
    if (Other.Awaited == R.Awaited)
      continue;
    IsSamePlace = false;
    const Raise &First = R.Awaited < Other.Awaited ? R : Other;
    const Raise &Second = R.Awaited < Other.Awaited ? Other : R;
    Delay += std::max(0, Second.Done - std::max(First.Done, First.Awaited));
  }
  return IsShared && IsSamePlace ? -1 : Delay;
}

void CounterChoice::take(Raise R, std::optional<unsigned> &Counter) {
  int Least = 0;
  for (unsigned K = 1; K <= NumDependenceCounters; ++K) {
    unsigned C = (Last + K) % NumDependenceCounters;
    if (int Delay = delayOf(R, C); K == 1 || Delay < Least) {
      Least = Delay;
      Counter = C;
    }
  }
  R.Counter = Last = *Counter;
  UnderWay.push_back(R);
}

void CounterChoice::raise(unsigned Block, size_t N) {
  ControlUnit &U = Code[Block].Units[N];
  U.Says.Write.reset();
  U.Says.Read.reset();
  int Results = Horizon, After = Now + cyclesOf(U);
  if (!U.Writes.empty()) {
    Results = FirstWait(Block, N, [&](const ControlUnit &Next) {
      return awaitsResults(U, Next);
    });
    take({&U, 0, false, After + int(U.Expected), After + Results},
         U.Says.Write);
  }
  if (U.Reads.empty())
    return;
  int Operands = FirstWait(Block, N, [&](const ControlUnit &Next) {
    return awaitsOperands(U, Next);
  });
  // Who waits for the results knows that the operands have been read.
  if (U.Writes.empty() || Operands < Results)
    take({&U, 0, true, After + CyclesToOperands, After + Operands},
         U.Says.Read);
}

void CounterChoice::walk(unsigned Block) {
  enter(Block);
  std::vector<ControlUnit> &Units = Code[Block].Units;
  for (size_t N = 0; N != Units.size(); ++N) {
    await(Units[N]);
    if (Units[N].isDecoupled())
      raise(Block, N);
    Now += cyclesOf(Units[N]);
  }
  for (Raise &R : UnderWay) {
    R.Done -= Now;
    R.Awaited -= Now;
  }
  Now = 0;
  std::erase_if(UnderWay, [this](const Raise &R) { return isForgotten(R); });
  Ends[Block] = std::move(UnderWay);
}

void CounterChoice::run() {
  for (unsigned Round = 0; Round != 2; ++Round) {
    Last = NumDependenceCounters - 1;
    for (unsigned B = 0; B != Code.size(); ++B)
      walk(B);
  }
}

void assignCounters(ControlCode &Code) { CounterChoice(Code).run(); }

} // namespace regshare
