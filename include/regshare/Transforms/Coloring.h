//===- regshare/Transforms/Coloring.h - Colouring with aligned registers - -*-
// C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Colours an interference graph with register units. Nodes take one, two or
/// four aligned units; a cluster ties nodes to fixed offsets from each other,
/// as the operands of a vector load are.
///
/// The colouring is greedy in smallest-last order, then repaired by a search
/// that places a node at its cheapest position and evicts who is in the way.
/// The number of units grows only when the search has spent its budget, so
/// that the result stays close to the lower bound it starts from.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_COLORING_H
#define REGSHARE_TRANSFORMS_COLORING_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace regshare {

/// Nodes tied to each other. The units of member i are
/// [Base + Offset(i), Base + Offset(i) + Width(i)), and Base is congruent to
/// Phase modulo Align, a power of two.
struct ColorCluster {
  /// A node, and where it is in the cluster.
  struct Member {
    uint32_t Node;
    uint16_t Offset;
  };
  std::vector<Member> Members;
  uint16_t Align = 1;
  uint16_t Phase = 0;
};

/// The graph: nodes, edges, clusters, and hints.
class ColoringProblem {
public:
  static constexpr unsigned MaxUnits = 256;

  /// \p Width is the node's units, and its alignment.
  uint32_t addNode(unsigned Width) {
    Widths.push_back(Width);
    return Widths.size() - 1;
  }
  /// No node takes a unit below \p Begin.
  void startAt(unsigned Begin) { FirstUnit = Begin; }
  /// \p Node takes no unit from \p End on.
  void boundNode(uint32_t Node, unsigned End) {
    Bounds.resize(Widths.size(), MaxUnits);
    Bounds[Node] = End;
  }
  /// A wish for \p Node to take no unit below \p Begin.
  void preferFrom(uint32_t Node, unsigned Begin) {
    Preferred.resize(Widths.size(), 0);
    Preferred[Node] = Begin;
  }
  /// May be called more than once for a pair.
  void addInterference(uint32_t A, uint32_t B) { addInterferences(A, {&B, 1}); }
  /// The same for \p A and each of \p Others.
  void addInterferences(uint32_t A, std::span<const uint32_t> Others) {
    Neighbors.insert(Neighbors.end(), Others.begin(), Others.end());
    Runs.push_back({A, uint32_t(Neighbors.size())});
  }
  /// Makes room for \p Nodes, and for \p Pairs that interfere in \p Calls. In
  /// a large function, vectors that grow cost more than filling them.
  void reserve(size_t Nodes, size_t Calls, size_t Pairs) {
    Widths.reserve(Nodes);
    Runs.reserve(Calls);
    Neighbors.reserve(Pairs);
  }
  /// A wish for \p A and \p B to share their units; ignored where they cannot.
  void addHint(uint32_t A, uint32_t B, float Weight) {
    Hints.push_back({A, B, Weight});
  }
  /// The nodes of \p C, none of which is in another cluster, move together.
  /// Follows hints once more when everything has a colour: the search moves
  /// what is in its way without regard to them.
  void followHintsAgain() { FollowsHintsAgain = true; }
  void addCluster(ColorCluster C) { Clusters.push_back(std::move(C)); }

  unsigned numNodes() const { return Widths.size(); }
  unsigned width(uint32_t Node) const { return Widths[Node]; }
  unsigned bound(uint32_t Node) const {
    return Node < Bounds.size() ? Bounds[Node] : MaxUnits;
  }
  unsigned preferred(uint32_t Node) const {
    return Node < Preferred.size() ? Preferred[Node] : 0;
  }

  /// Two nodes that had better have the same unit, and how much it matters.
  struct Hint {
    uint32_t A, B;
    float Weight;
  };

  bool FollowsHintsAgain = false;

private:
  friend class Colorer;
  unsigned FirstUnit = 0;
  std::vector<uint8_t> Widths;
  std::vector<uint16_t> Bounds, Preferred; // by node, for those that have one
  /// Node interferes with the Neighbors from the end of the run before to End.
  struct Run {
    uint32_t Node, End;
  };
  std::vector<Run> Runs;
  std::vector<uint32_t> Neighbors;
  std::vector<Hint> Hints;
  std::vector<ColorCluster> Clusters;
};

/// The units of all nodes.
struct Coloring {
  std::vector<uint8_t> FirstUnit; ///< By node.
  unsigned NumUnits = 0;          ///< One past the highest unit in use.
};

/// Colours \p P with as few units as it can find, looking from \p AtLeast (a
/// lower bound, such as the peak number of live units) up to \p AtMost.
/// Nothing if AtMost units did not suffice. Deterministic.
std::optional<Coloring> color(const ColoringProblem &P, unsigned AtLeast,
                              unsigned AtMost);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_COLORING_H
