//===- regshare/Transforms/MinCut.h - Two labels at least cost - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gives each node of a graph one of two labels so that the sum of what the
/// labels cost, and of what neighbours with different labels cost, is least:
/// a minimum cut, found as a maximum flow with Dinic's algorithm.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_MINCUT_H
#define REGSHARE_TRANSFORMS_MINCUT_H

#include <cstdint>
#include <optional>
#include <vector>

namespace regshare {

/// The graph, and its cheapest labels.
class MinCut {
public:
  /// The cost of a label that a node must not have.
  static constexpr uint64_t Never = uint64_t(1) << 60;

  /// A node that costs \p IfSet with the label, \p IfClear without it.
  uint32_t addNode(uint64_t IfSet, uint64_t IfClear);
  /// \p A and \p B cost \p IfDifferent where only one has the label.
  void addEdge(uint32_t A, uint32_t B, uint64_t IfDifferent);

  /// \p B has the label if \p A does.
  void addImplication(uint32_t A, uint32_t B);
  /// Both have the label or neither does.
  void addEquality(uint32_t A, uint32_t B) {
    addImplication(A, B);
    addImplication(B, A);
  }

  /// By node, whether it has the label. Of several best labellings the one
  /// with the fewest labelled nodes. Nothing if every labelling costs Never or
  /// more: the sum of all finite costs has to stay below it.
  std::optional<std::vector<bool>> solve();

private:
  struct Arc {
    uint32_t To;
    uint32_t Next;
    uint64_t Capacity;
  };
  static constexpr uint32_t None = ~0u;
  static constexpr uint32_t Source = 0, Sink = 1;

  void addArcs(uint32_t From, uint32_t To, uint64_t There, uint64_t Back);
  bool findLevels();
  uint64_t augment();

  std::vector<Arc> Arcs; // arc i goes back along arc i ^ 1
  std::vector<uint32_t> First{None, None};
  std::vector<uint32_t> Level, Current;
};

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_MINCUT_H
