//===- WarpFlow.h - Where a warp can go on -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's picture of execution: a graph of pieces of blocks, and, for
/// each side of each branch that parts a warp, where the warp can go on with
/// other lanes when it stops running that side. Made from the code alone.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_WARPFLOW_H
#define REGSHARE_ANNOTATION_WARPFLOW_H

#include "regshare/Analysis/DivergenceAnalysis.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

#include <map>
#include <optional>
#include <vector>

namespace regshare {

/// Why a warp can go on with other lanes in the middle of a side. What yields
/// is a node of its own.
enum class YieldKind : uint8_t {
  None,
  Warp, ///< bar.warp.sync, shuffles, votes: for lanes on other sides.
  Cta,  ///< A barrier: also for lanes that wait where the sides meet.
};

/// A piece of a block that lanes run from start to end.
struct FlowNode {
  const llvm::MachineBasicBlock *MBB = nullptr;
  llvm::MachineBasicBlock::const_iterator Begin, End;
  llvm::SmallVector<unsigned, 2> Succs;
  bool Parts = false;    ///< Lanes can leave it for different successors.
  bool Ends = false;     ///< Lanes can end at its end.
  bool MayEnd = false;   ///< The same, in a way that the graph does not show.
  bool IsSwitch = false; ///< Executed again for every target.
  YieldKind Yield = YieldKind::None;
  /// Of a barrier: all lanes of the warp that are left execute it together.
  bool IsAligned = false;
};

/// A warp that stops running one side of a branch, or waits in it, goes on
/// elsewhere, with the registers and the state that it has then.
struct LaneSwitch {
  /// First node of the side that it leaves; nothing: any node.
  std::optional<unsigned> Side;
  std::optional<unsigned> Meet; ///< Where the side ends, if not with its lanes.
  llvm::SmallVector<unsigned, 4> From; ///< At the end of one of these nodes,
  llvm::SmallVector<unsigned, 4> To;   ///< to the start of one of these.
  /// Where lanes of other sides can stand meanwhile that go on there later,
  /// though not at once.
  llvm::SmallVector<unsigned, 4> Parked;
};

/// Lanes of one side of a branch that wait for others. These run from one of
/// Starts, in the state that the warp has at At, and stop in the state that it
/// then has at At again.
struct LaneWait {
  llvm::SmallVector<unsigned, 2> At; ///< Nodes that yield.
  /// Of barriers that have opened: the lanes go on after them.
  bool IsOpen = false;
  llvm::SmallVector<unsigned, 4> Starts;
  std::vector<bool> Region;            ///< By node: others run it meanwhile.
  llvm::SmallVector<unsigned, 4> Ends; ///< Nodes of it at whose end they stop.

  /// Where lanes go on that waited at \p Node.
  unsigned resumedAt(unsigned Node) const { return IsOpen ? Node + 1 : Node; }
};

/// All that a warp can do next, from every piece of a function.
class WarpFlow {
public:
  WarpFlow(const llvm::MachineFunction &MF,
           const DivergenceAnalysis &Divergence);

  /// The first is where the function starts.
  llvm::ArrayRef<FlowNode> nodes() const { return Nodes; }
  llvm::ArrayRef<LaneSwitch> switches() const { return Switches; }
  /// By node: indices of the switches that lead away from its end.
  llvm::ArrayRef<unsigned> switchesFrom(unsigned Node) const {
    return SwitchesFrom[Node];
  }
  llvm::ArrayRef<LaneWait> waits() const { return Waits; }
  /// By node: indices of the waits that it is in the At of.
  llvm::ArrayRef<unsigned> waitsAt(unsigned Node) const {
    return WaitsAt[Node];
  }
  /// The nodes that lanes run which start S.Side, until they meet the others
  /// again; all nodes without a side.
  std::vector<unsigned> region(const LaneSwitch &S) const;

private:
  void makeNodes(const llvm::MachineFunction &MF,
                 const DivergenceAnalysis &Divergence);
  void cut(const llvm::MachineBasicBlock &MBB, bool Parts);
  void connect(const llvm::MachineFunction &MF);
  void findMeetingPoints();
  bool onlyStatesAndEnds(unsigned Node) const;
  bool canRunForever(unsigned Node) const;
  bool partsAtLooseBarrier(unsigned Branch) const;
  std::vector<unsigned> reach(unsigned From,
                              std::optional<unsigned> Without) const;
  /// One side of a branch.
  struct Side {
    unsigned First;
    std::vector<unsigned> Region;
    llvm::SmallVector<unsigned, 2> AtWarp, AtCta; ///< Nodes that yield.
    llvm::SmallVector<unsigned, 4> Ends;
  };
  Side sideOf(unsigned First, std::optional<unsigned> Meet) const;
  void addBranch(unsigned Branch);
  void addParked(const Side &S, LaneSwitch &Switch) const;
  void addSwitch(unsigned Branch, llvm::ArrayRef<Side> Sides, unsigned Which);
  void addWait(unsigned Branch, llvm::ArrayRef<Side> Sides, unsigned Which,
               YieldKind Yield);
  void noteBarriers(unsigned Branch, llvm::ArrayRef<Side> Sides);
  void addWaitsBehind(unsigned Barrier, llvm::ArrayRef<unsigned> MeetingPoints);
  void addBarriers();
  void addSwitchAnywhere();
  std::optional<unsigned> meetingPoint(unsigned Branch) const {
    return Meets[Branch] == Nodes.size() ? std::nullopt : Meets[Branch];
  }

  std::vector<FlowNode> Nodes;
  std::vector<unsigned> FirstOf; ///< Node of a block, by its number.
  /// Immediate post-dominators; Nodes.size() is the function's end.
  std::vector<std::optional<unsigned>> Meets;
  /// Of a barrier on sides of branches.
  struct BarrierFacts {
    /// Of these branches.
    llvm::SmallVector<unsigned, 4> MeetingPoints;
    /// Lanes of a warp may come to it one after the other.
    bool IsScattered = false;
  };
  std::map<unsigned, BarrierFacts> Barriers;
  std::vector<LaneSwitch> Switches;
  std::vector<LaneWait> Waits;
  std::vector<llvm::SmallVector<unsigned, 2>> SwitchesFrom, WaitsAt;
};

} // namespace regshare

#endif // REGSHARE_ANNOTATION_WARPFLOW_H
