//===- RegionOrder.h - In which order a region's instructions go -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Orders of a region, a straight line of instructions without a point that
/// others may not cross: what an order costs in registers and in cycles, and
/// the search for one that hides latency within a budget of registers. Knows
/// nothing of machine code. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONORDER_H
#define REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace regshare {

/// One value in a register of the region: from a write, or the region's start,
/// to its last read, or the region's end.
struct RegionValue {
  uint8_t Units = 0;     ///< 32-bit units; 0 for a predicate.
  bool IsPred = false;   ///< Takes a predicate.
  bool LivesIn = false;  ///< No node of the region writes it.
  bool LivesOut = false; ///< It is read after the region.
  /// Nodes that read it: filled in by Region::countReaders.
  uint32_t Readers = 0;
};

/// What hardware issues as one: an instruction and what is folded into it.
struct RegionNode {
  struct Edge {
    uint32_t To;      ///< Must come after this node,
    uint32_t Latency; ///< and waits for it if fewer cycles lie between.
  };
  llvm::SmallVector<Edge, 4> Succs;
  /// Indices into Region::Values, each at most once.
  llvm::SmallVector<uint32_t, 4> Reads;
  llvm::SmallVector<uint32_t, 2> Writes;
  uint32_t Slots = 1; ///< Issue slots that it takes.
};

struct Region {
  /// In the order that the code has: every edge leads to a later node.
  std::vector<RegionNode> Nodes;
  std::vector<RegionValue> Values;
  /// Units and predicates that live through the region and are not in Values.
  unsigned UnitsThrough = 0, PredsThrough = 0;

  void countReaders();
};

/// What may be live at once.
struct RegisterBudget {
  unsigned Units = 255;
  unsigned Preds = 7;
};

struct OrderCost {
  unsigned PeakUnits = 0; ///< Most that are live at once, in 32-bit units.
  unsigned PeakPreds = 0;
  /// Of one warp that has the SM for itself and issues in order.
  uint64_t Cycles = 0;

  bool fits(const RegisterBudget &B) const {
    return PeakUnits <= B.Units && PeakPreds <= B.Preds;
  }
};

/// A permutation of the nodes, first to last.
using RegionOrder = std::vector<uint32_t>;

OrderCost costOf(const Region &R, const RegionOrder &Order);

/// List scheduling from the region's end to its start: of the nodes whose
/// readers are placed, one that waits for nobody and is furthest from the
/// region's start; near the budget, the one after which fewest registers are
/// live. May go beyond the budget.
RegionOrder orderWithin(const Region &R, const RegisterBudget &Budget);

/// The same from the region's start to its end: of the nodes whose operands are
/// computed, one that waits for nobody and is furthest from the region's end.
/// What can be computed while a load is on its way is.
RegionOrder orderFromStart(const Region &R, const RegisterBudget &Budget);

/// The order with fewest cycles among those found within \p Budget; where none
/// is, the one with fewest registers. The code's own order is among them, and
/// stays unless another is better.
RegionOrder chooseOrder(const Region &R, const RegisterBudget &Budget);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_SCHEDULE_REGIONORDER_H
