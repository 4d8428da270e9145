//===- WarpExplorer.h - All that a warp can do -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's slow oracle: runs an annotated model function on a warp of a
/// few lanes in every way that there is, and checks the rules as they would be
/// broken at run time. Which lanes take which side of a branch, and which side
/// runs first, is tried in all combinations; the states that have been seen are
/// remembered, so that loops come to an end.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_ANNOTATION_WARPEXPLORER_H
#define REGSHARE_UNITTESTS_ANNOTATION_WARPEXPLORER_H

#include "AnnotatedModel.h"

#include <array>
#include <map>
#include <set>
#include <unordered_set>

namespace regshare::test {

enum class BrokenRule : uint8_t {
  HeldAtUse,
  HeldAtWait,
  Lost,
  InVector,
  Prefetched
};

struct BrokenAt {
  BrokenRule Rule;
  unsigned Block, Item; ///< The terminator comes after the last item.
  friend auto operator<=>(const BrokenAt &, const BrokenAt &) = default;
};

class WarpExplorer {
public:
  static constexpr unsigned NumLanes = 3;

  /// \p Divergent: by block, whether its branch can part lanes.
  WarpExplorer(const AnnotatedModel &M, const std::vector<bool> &Divergent);

  /// Explores; false if there are more than \p MaxStates.
  bool run(unsigned MaxStates);
  const std::set<BrokenAt> &broken() const { return Broken; }
  unsigned numStates() const { return Seen.size(); }

private:
  using LaneMask = uint8_t;
  static constexpr int NoBlock = -1;
  /// Lanes at an item of a block, which wait for others at the start of Meet.
  struct Entry {
    unsigned Block = 0, Item = 0;
    LaneMask Lanes = 0;
    int Meet = NoBlock;
    bool AtBarrier = false, AtWarpSync = false;
    /// Targets that other lanes of the same switch have gone to.
    uint32_t Tried = 0;
  };
  struct State {
    std::vector<Entry> Stack;
    bool Acquired = false;
    LaneMask Alive = 0, AtBarrier = 0;
    /// By lane, units whose value has been given back since it was written.
    std::array<uint32_t, NumLanes> Lost{};
    int BarrierBlock = NoBlock;
    unsigned BarrierItem = 0;
    /// The interval whose PREFETCH was the last, by the code or by the machine.
    unsigned Cached = NoModelInterval;
    /// Other lanes go on than ran last: the machine compares.
    bool Resumed = false;
  };

  void push(State S);
  void step(State S);
  bool settle(State &S);
  void item(State S);
  bool instr(State &S, const std::vector<ModelReg> &Defs,
             const std::vector<ModelReg> &Uses);
  bool interval(State &S, uint32_t Named);
  void readIntervals();
  void lose(State &S, uint32_t Units);
  void barrier(State S);
  void waitForOthers(const State &S);
  void yield(const State &S);
  void terminator(State S);
  void branch(const State &S, unsigned Target, LaneMask Taken);
  void part(const State &S, unsigned First, LaneMask FirstLanes,
            unsigned Second, unsigned SecondItem, LaneMask SecondLanes);
  bool isDone(const Entry &E) const {
    return !E.Lanes || (int(E.Block) == E.Meet && E.Item == 0 && !E.AtBarrier);
  }
  int meetingPoint(unsigned Block) const;
  void note(BrokenRule Rule, const Entry &At) {
    Broken.insert({Rule, At.Block, At.Item});
  }

  const AnnotatedModel &M;
  const std::vector<bool> &Divergent;
  std::vector<int> Meets; // by block
  uint32_t Extended = 0;
  /// By block and item, the terminator's last: the interval that it is in.
  std::vector<std::vector<unsigned>> IntervalOf;
  std::map<unsigned, uint32_t> Vectors; ///< By interval.
  std::vector<State> Worklist;
  std::unordered_set<std::string> Seen;
  std::set<BrokenAt> Broken;
};

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_ANNOTATION_WARPEXPLORER_H
