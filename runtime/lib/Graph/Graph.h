//===- Graph.h - Nodes and their dependencies -*- C++ -*------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A graph as the program builds it. Handles are pointers to these structures;
/// a GraphRegistry knows which are alive, so that a stale one is an error and
/// not a crash.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_GRAPH_GRAPH_H
#define REGSHARE_RUNTIME_GRAPH_GRAPH_H

#include "Work.h"

#include <set>
#include <span>
#include <string>

struct CUgraphNode_st {
  CUgraph_st *Owner = nullptr;
  uint64_t Id = 0;       ///< Unique in the process.
  uint64_t ClonedOf = 0; ///< Id of the node that this is a copy of; 0: none.
  regshare::cudart::Work What;
  /// In the order in which they were given.
  std::vector<CUgraphNode_st *> Dependencies, Dependents;

  bool dependsOn(const CUgraphNode_st *Other) const;
};

namespace regshare::cudart {
struct UserObject;
class GraphRegistry;
using GraphNode = CUgraphNode_st;
using NodeList = std::span<GraphNode *const>;
} // namespace regshare::cudart

struct CUuserObject_st {
  void *Ptr = nullptr;
  cudaHostFn_t Destroy = nullptr;
  unsigned Count = 0; ///< References of the program and of graphs.
};

struct CUgraph_st {
  using GraphNode = CUgraphNode_st;
  explicit CUgraph_st(regshare::cudart::GraphRegistry &Registry);
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st &) = delete;
  CUgraph_st &operator=(const CUgraph_st &) = delete;

  /// In the order of creation.
  std::vector<std::unique_ptr<GraphNode>> Nodes;
  /// References that the graph holds, by their objects.
  std::map<CUuserObject_st *, unsigned> UserObjects;
  GraphNode *Parent = nullptr; ///< The node that this graph is in.

  /// Adds a node after \p Dependencies, which are distinct nodes of this graph.
  GraphNode *add(regshare::cudart::Work W,
                 regshare::cudart::NodeList Dependencies);
  void remove(GraphNode *Node);
  static void connect(GraphNode *From, GraphNode *To);
  static void disconnect(GraphNode *From, GraphNode *To);
  /// \p Nodes are of this graph, and none is there twice.
  bool areDistinctNodes(regshare::cudart::NodeList Nodes) const;
  /// Every node after those that it depends on, else in the order of creation.
  /// Shorter than Nodes if there is a cycle: those of it, and what depends on
  /// them, are missing.
  std::vector<GraphNode *> topologicalOrder() const;
  /// The nodes' order is kept.
  std::unique_ptr<CUgraph_st> clone() const;
  /// Of this graph or of those in its nodes.
  bool hasMemoryNodes() const;
  /// The node allocates the memory that begins at \p Ptr.
  GraphNode *findAllocation(const void *Ptr) const;

private:
  regshare::cudart::GraphRegistry *Registry;
};

namespace regshare::cudart {

/// The graphs, nodes and executable graphs that are alive.
class GraphRegistry {
public:
  GraphRegistry() = default;
  GraphRegistry(const GraphRegistry &) = delete;
  GraphRegistry &operator=(const GraphRegistry &) = delete;

  CUgraph_st *create();
  /// Takes a graph over that the program is to have.
  CUgraph_st *keep(std::shared_ptr<CUgraph_st> Graph);
  /// False if the program has no such graph of its own.
  bool destroy(CUgraph_st *Graph);
  /// Destroys all of the program's, with the device's memory.
  void clear() {
    Owned.clear();
    Addresses.clear();
  }
  bool isAlive(const CUgraph_st *Graph) const { return Alive.count(Graph); }
  bool isAlive(const GraphNode *Node) const { return Nodes.count(Node); }

  CUuserObject_st *createObject(CUuserObject_st Object);
  bool isAlive(const CUuserObject_st *Object) const {
    return Objects.count(Object);
  }
  /// Addresses of all memory that nodes allocate, of graphs that are gone, too.
  std::set<const void *> Addresses;

  /// Destroys the object with its last reference.
  void release(CUuserObject_st *Object, unsigned Count);

private:
  friend ::CUgraph_st;
  std::map<const CUuserObject_st *, std::unique_ptr<CUuserObject_st>> Objects;
  std::set<const CUgraph_st *> Alive;
  std::set<const GraphNode *> Nodes;
  std::map<const CUgraph_st *, std::shared_ptr<CUgraph_st>> Owned;
  uint64_t NextId = 1;
};

/// Edges say nothing but that one node is after the other, which programmatic
/// dependencies do not: they are told, and cudaErrorNotSupported. No \p Data is
/// that of ordinary edges.
cudaError_t checkEdges(const cudaGraphEdgeData *Data, size_t Count);

/// Writes \p Graph in Graphviz's language; \p Flags are cudaGraphDebugDotFlags.
std::string toDot(const CUgraph_st &Graph, unsigned Flags);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_GRAPH_H
