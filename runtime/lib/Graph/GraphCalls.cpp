//===- GraphCalls.cpp - Calls about the structure of a graph -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Capture.h"
#include "Graph.h"
#include "Runtime.h"

#include <algorithm>
#include <fstream>

namespace regshare::cudart {

cudaError_t checkEdges(const cudaGraphEdgeData *Data, size_t Count) {
  auto IsOrdinary = [](const cudaGraphEdgeData &D) {
    return !D.from_port && !D.to_port && !D.type;
  };
  if (!Data || std::all_of(Data, Data + Count, IsOrdinary))
    return cudaSuccess;
  printError("edges of graphs are plain dependencies, a programmatic one is "
             "asked for; the call returns cudaErrorNotSupported",
             ErrorKind::Unsupported);
  return cudaErrorNotSupported;
}

} // namespace regshare::cudart

using namespace regshare::cudart;

/// Runs \p Body(Runtime &, CUgraph_st &) for a graph that exists.
template <typename Fn>
static cudaError_t withGraph(cudaGraph_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    return R.Graphs.isAlive(Handle) ? Body(R, *Handle) : cudaErrorInvalidValue;
  });
}

/// Runs \p Body(Runtime &, GraphNode &) for a node that exists.
template <typename Fn>
static cudaError_t withNode(cudaGraphNode_t Handle, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    return R.Graphs.isAlive(Handle) ? Body(R, *Handle) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    if (!Graph || Flags)
      return cudaErrorInvalidValue;
    *Graph = R.Graphs.create();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t Graph) {
  return withGraph(Graph, [](Runtime &R, CUgraph_st &G) {
    return !R.Captures.isTarget(G) && R.Graphs.destroy(&G)
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

static cudaError_t refuseMemoryNodes(const std::string &What) {
  printError("a graph that allocates or frees memory cannot be " + What +
                 "; the call returns cudaErrorNotSupported",
             regshare::ErrorKind::BadInput);
  return cudaErrorNotSupported;
}

cudaError_t cudaGraphClone(cudaGraph_t *Clone, cudaGraph_t Original) {
  return withGraph(Original, [&](Runtime &R, CUgraph_st &G) {
    if (!Clone)
      return cudaErrorInvalidValue;
    if (G.hasMemoryNodes())
      return refuseMemoryNodes("cloned");
    *Clone = R.Graphs.keep(G.clone());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *Node,
                                     cudaGraphNode_t Original,
                                     cudaGraph_t Clone) {
  return withGraph(Clone, [&](Runtime &R, CUgraph_st &G) {
    if (!Node || !R.Graphs.isAlive(Original))
      return cudaErrorInvalidValue;
    for (const auto &Each : G.Nodes)
      if (Each->ClonedOf == Original->Id) {
        *Node = Each.get();
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t Node,
                                 enum cudaGraphNodeType *Type) {
  return withNode(Node, [&](Runtime &, GraphNode &N) {
    if (!Type)
      return cudaErrorInvalidValue;
    *Type = typeOf(N.What);
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Lists: their length if there is no room for them, else what fits, and zeros
// after it
//===----------------------------------------------------------------------===//

static cudaError_t deliver(const std::vector<GraphNode *> &List,
                           cudaGraphNode_t *Nodes, size_t *Count) {
  if (!Count)
    return cudaErrorInvalidValue;
  if (Nodes)
    for (size_t N = 0; N != *Count; ++N)
      Nodes[N] = N < List.size() ? List[N] : nullptr;
  *Count = Nodes ? std::min(*Count, List.size()) : List.size();
  return cudaSuccess;
}

static void clearData(cudaGraphEdgeData *Data, size_t Count) {
  if (Data)
    std::fill_n(Data, Count, cudaGraphEdgeData{});
}

cudaError_t cudaGraphGetNodes(cudaGraph_t Graph, cudaGraphNode_t *Nodes,
                              size_t *Count) {
  return withGraph(Graph, [&](Runtime &, CUgraph_st &G) {
    std::vector<GraphNode *> All;
    All.reserve(G.Nodes.size());
    for (const auto &Node : G.Nodes)
      All.push_back(Node.get());
    return deliver(All, Nodes, Count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t Graph, cudaGraphNode_t *Nodes,
                                  size_t *Count) {
  return withGraph(Graph, [&](Runtime &, CUgraph_st &G) {
    std::vector<GraphNode *> Roots;
    for (const auto &Node : G.Nodes)
      if (Node->Dependencies.empty())
        Roots.push_back(Node.get());
    return deliver(Roots, Nodes, Count);
  });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t Graph, cudaGraphNode_t *From,
                                 cudaGraphNode_t *To, cudaGraphEdgeData *Data,
                                 size_t *Count) {
  return withGraph(Graph, [&](Runtime &, CUgraph_st &G) {
    if (!Count || !From != !To)
      return cudaErrorInvalidValue;
    std::vector<GraphNode *> Froms, Tos;
    for (const auto &Node : G.Nodes)
      for (GraphNode *Each : Node->Dependencies) {
        Froms.push_back(Each);
        Tos.push_back(Node.get());
      }
    size_t Room = *Count;
    deliver(Tos, To, &Room);
    deliver(Froms, From, Count);
    clearData(From ? Data : nullptr, *Count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t Node,
                                            cudaGraphNode_t *Dependencies,
                                            cudaGraphEdgeData *Data,
                                            size_t *Count) {
  return withNode(Node, [&](Runtime &, GraphNode &N) {
    cudaError_t Error = deliver(N.Dependencies, Dependencies, Count);
    if (Error == cudaSuccess)
      clearData(Dependencies ? Data : nullptr, *Count);
    return Error;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t Node,
                                              cudaGraphNode_t *Dependents,
                                              cudaGraphEdgeData *Data,
                                              size_t *Count) {
  return withNode(Node, [&](Runtime &, GraphNode &N) {
    cudaError_t Error = deliver(N.Dependents, Dependents, Count);
    if (Error == cudaSuccess)
      clearData(Dependents ? Data : nullptr, *Count);
    return Error;
  });
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Edges between nodes of one graph that are, or are not, there yet; each once.
static cudaError_t checkPairs(Runtime &R, const CUgraph_st &G,
                              const cudaGraphNode_t *From,
                              const cudaGraphNode_t *To, size_t Count,
                              bool AreThere) {
  if (Count && (!From || !To))
    return cudaErrorInvalidValue;
  std::set<std::pair<GraphNode *, GraphNode *>> Seen;
  for (size_t N = 0; N != Count; ++N) {
    if (!G.areDistinctNodes({From + N, 1}) || !G.areDistinctNodes({To + N, 1}))
      return cudaErrorInvalidValue;
    if (From[N] == To[N] || To[N]->dependsOn(From[N]) != AreThere ||
        !Seen.insert({From[N], To[N]}).second)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t Graph,
                                        const cudaGraphNode_t *From,
                                        const cudaGraphNode_t *To,
                                        const cudaGraphEdgeData *Data,
                                        size_t Count) {
  return withGraph(Graph, [&](Runtime &R, CUgraph_st &G) {
    cudaError_t Error = checkPairs(R, G, From, To, Count, /*AreThere=*/false);
    if (Error == cudaSuccess)
      Error = checkEdges(Data, Count);
    for (size_t N = 0; Error == cudaSuccess && N != Count; ++N)
      CUgraph_st::connect(From[N], To[N]);
    return Error;
  });
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t Graph,
                                           const cudaGraphNode_t *From,
                                           const cudaGraphNode_t *To,
                                           const cudaGraphEdgeData *Data,
                                           size_t Count) {
  return withGraph(Graph, [&](Runtime &R, CUgraph_st &G) {
    cudaError_t Error = checkPairs(R, G, From, To, Count, /*AreThere=*/true);
    if (Error == cudaSuccess)
      Error = checkEdges(Data, Count);
    if (Error == cudaSuccess && Count && G.hasMemoryNodes())
      return refuseMemoryNodes("relieved of dependencies");
    for (size_t N = 0; Error == cudaSuccess && N != Count; ++N)
      CUgraph_st::disconnect(From[N], To[N]);
    return Error;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Node) {
  return withNode(Node, [](Runtime &R, GraphNode &N) {
    if (std::holds_alternative<AllocWork>(N.What) ||
        std::holds_alternative<FreeWork>(N.What))
      return refuseMemoryNodes("relieved of those nodes");
    R.Captures.forget(&N);
    N.Owner->remove(&N);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t Graph, const char *Path,
                                   unsigned int Flags) {
  return withGraph(Graph, [&](Runtime &, CUgraph_st &G) {
    if (!Path)
      return cudaErrorInvalidValue;
    std::ofstream File(Path);
    File << toDot(G, Flags);
    return File.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

//===----------------------------------------------------------------------===//
// Objects of the program that live as long as a graph
//===----------------------------------------------------------------------===//

/// Runs \p Body(Runtime &, CUuserObject_st &) for an object that exists, and
/// references that are some.
template <typename Fn>
static cudaError_t withObject(cudaUserObject_t Handle, unsigned Count,
                              Fn &&Body) {
  return apiCall([&](Runtime &R) {
    return Count && R.Graphs.isAlive(Handle) ? Body(R, *Handle)
                                             : cudaErrorInvalidValue;
  });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *Object, void *Ptr,
                                 cudaHostFn_t Destroy, unsigned int Count,
                                 unsigned int Flags) {
  return apiCall([&](Runtime &R) {
    if (!Object || !Destroy || !Count ||
        Flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *Object = R.Graphs.createObject({Ptr, Destroy, Count});
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t Object, unsigned int Count) {
  return withObject(Object, Count, [&](Runtime &, CUuserObject_st &O) {
    O.Count += Count;
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t Object, unsigned int Count) {
  return withObject(Object, Count, [&](Runtime &R, CUuserObject_st &O) {
    if (Count > O.Count)
      return cudaErrorInvalidValue;
    R.Graphs.release(&O, Count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t Graph,
                                      cudaUserObject_t Object,
                                      unsigned int Count, unsigned int Flags) {
  return withObject(Object, Count, [&](Runtime &R, CUuserObject_st &O) {
    if (!R.Graphs.isAlive(Graph) ||
        (Flags & ~unsigned(cudaGraphUserObjectMove)))
      return cudaErrorInvalidValue;
    Graph->UserObjects[&O] += Count;
    if (!(Flags & cudaGraphUserObjectMove))
      O.Count += Count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t Graph,
                                       cudaUserObject_t Object,
                                       unsigned int Count) {
  return withObject(Object, Count, [&](Runtime &R, CUuserObject_st &O) {
    if (!R.Graphs.isAlive(Graph))
      return cudaErrorInvalidValue;
    auto It = Graph->UserObjects.find(&O);
    if (It == Graph->UserObjects.end() || It->second < Count)
      return cudaErrorInvalidValue;
    if (!(It->second -= Count))
      Graph->UserObjects.erase(It);
    R.Graphs.release(&O, Count);
    return cudaSuccess;
  });
}
