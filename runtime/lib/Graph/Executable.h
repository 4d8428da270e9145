//===- Executable.h - Graphs that can be launched -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An executable graph is a copy of a graph, with an order of its nodes, those
/// of graphs inside nodes among them. The program names its nodes by those of
/// the graph that it was made from.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_GRAPH_EXECUTABLE_H
#define REGSHARE_RUNTIME_GRAPH_EXECUTABLE_H

#include "Graph.h"

struct CUgraphExec_st {
  struct Step {
    CUgraphNode_st *Node;
    /// Steps that have to end before.
    std::vector<size_t> After;
  };

  std::unique_ptr<CUgraph_st> Copy;
  unsigned long long Flags = 0;
  /// An order that dependencies allow. A node with a graph in it is a step
  /// before those of its graph, and what depends on it is after all of them.
  std::vector<Step> Steps;
  std::set<const CUgraphNode_st *> Disabled;

  /// The copy of \p Original, at any depth; null if there is none.
  CUgraphNode_st *find(const CUgraphNode_st *Original) const;
};

namespace regshare::cudart {

/// Null if the graph has a cycle.
std::shared_ptr<CUgraphExec_st> instantiate(const CUgraph_st &Graph);

/// Why one graph cannot take another's place.
struct UpdateFailure {
  cudaGraphExecUpdateResult Result = cudaGraphExecUpdateSuccess;
  GraphNode *Node = nullptr, *From = nullptr; ///< Of the new graph.
};
/// Compares the graphs, whose nodes belong together in the order of creation.
UpdateFailure compare(Runtime &R, const CUgraph_st &Old, const CUgraph_st &New);
/// Gives the nodes of \p Old the work of those of \p New, which compare() has
/// found nothing wrong with.
void update(CUgraph_st &Old, const CUgraph_st &New);
/// \p New may take the place of \p Old in an executable graph.
bool canReplace(Runtime &R, const Work &Old, const Work &New);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_EXECUTABLE_H
