//===- Graph.cpp - Nodes and their dependencies --------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Graph.h"

#include <algorithm>
#include <utility>

using namespace regshare::cudart;

bool CUgraphNode_st::dependsOn(const CUgraphNode_st *Other) const {
  return std::find(Dependencies.begin(), Dependencies.end(), Other) !=
         Dependencies.end();
}

CUgraph_st::CUgraph_st(GraphRegistry &Registry) : Registry(&Registry) {
  Registry.Alive.insert(this);
}

CUgraph_st::~CUgraph_st() {
  for (const auto &Node : Nodes)
    Registry->Nodes.erase(Node.get());
  for (auto [Object, Count] : UserObjects)
    Registry->release(Object, Count);
  Registry->Alive.erase(this);
}

CUgraphNode_st *CUgraph_st::add(Work W, NodeList Dependencies) {
  Nodes.push_back(std::make_unique<GraphNode>());
  GraphNode *Node = Nodes.back().get();
  Node->Owner = this;
  Node->Id = Registry->NextId++;
  Node->What = std::move(W);
  if (auto *Child = std::get_if<ChildWork>(&Node->What))
    Child->Graph->Parent = Node;
  Registry->Nodes.insert(Node);
  for (GraphNode *Each : Dependencies)
    connect(Each, Node);
  return Node;
}

void CUgraph_st::remove(GraphNode *Node) {
  for (GraphNode *Each : std::vector(Node->Dependencies))
    disconnect(Each, Node);
  for (GraphNode *Each : std::vector(Node->Dependents))
    disconnect(Node, Each);
  Registry->Nodes.erase(Node);
  std::erase_if(Nodes, [&](auto &Each) { return Each.get() == Node; });
}

void CUgraph_st::connect(GraphNode *From, GraphNode *To) {
  To->Dependencies.push_back(From);
  From->Dependents.push_back(To);
}

void CUgraph_st::disconnect(GraphNode *From, GraphNode *To) {
  std::erase(To->Dependencies, From);
  std::erase(From->Dependents, To);
}

bool CUgraph_st::areDistinctNodes(NodeList List) const {
  std::set<const GraphNode *> Seen;
  return std::all_of(List.begin(), List.end(), [&](const GraphNode *Node) {
    return Registry->isAlive(Node) && Node->Owner == this &&
           Seen.insert(Node).second;
  });
}

std::vector<CUgraphNode_st *> CUgraph_st::topologicalOrder() const {
  std::vector<GraphNode *> Order;
  std::map<const GraphNode *, size_t> Waiting;
  // The first in the order of creation comes first of those that are ready.
  std::map<uint64_t, GraphNode *> Ready;
  for (const auto &Node : Nodes)
    if ((Waiting[Node.get()] = Node->Dependencies.size()) == 0)
      Ready.emplace(Node->Id, Node.get());
  while (!Ready.empty()) {
    GraphNode *Node = Ready.extract(Ready.begin()).mapped();
    Order.push_back(Node);
    for (GraphNode *Each : Node->Dependents)
      if (--Waiting[Each] == 0)
        Ready.emplace(Each->Id, Each);
  }
  return Order;
}

std::unique_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto Copy = std::make_unique<CUgraph_st>(*Registry);
  std::map<const GraphNode *, GraphNode *> Of;
  for (const auto &Node : Nodes) {
    GraphNode *New = Copy->add(cloneOf(Node->What), {});
    New->ClonedOf = Node->Id;
    Of[Node.get()] = New;
  }
  for (const auto &Node : Nodes) {
    for (const GraphNode *Each : Node->Dependencies)
      Of[Node.get()]->Dependencies.push_back(Of[Each]);
    for (const GraphNode *Each : Node->Dependents)
      Of[Node.get()]->Dependents.push_back(Of[Each]);
  }
  Copy->UserObjects = UserObjects;
  for (auto [Object, Count] : UserObjects)
    Object->Count += Count;
  return Copy;
}

bool CUgraph_st::hasMemoryNodes() const {
  return std::any_of(Nodes.begin(), Nodes.end(), [](const auto &Node) {
    const Work &W = Node->What;
    const auto *Child = std::get_if<ChildWork>(&W);
    return std::holds_alternative<AllocWork>(W) ||
           std::holds_alternative<FreeWork>(W) ||
           (Child && Child->Graph->hasMemoryNodes());
  });
}

CUgraphNode_st *CUgraph_st::findAllocation(const void *Ptr) const {
  for (const auto &Node : Nodes)
    if (const auto *W = std::get_if<AllocWork>(&Node->What);
        W && W->Params.dptr == Ptr)
      return Node.get();
  return nullptr;
}

namespace regshare::cudart {

CUgraph_st *GraphRegistry::create() {
  return keep(std::make_shared<CUgraph_st>(*this));
}

CUgraph_st *GraphRegistry::keep(std::shared_ptr<CUgraph_st> Graph) {
  CUgraph_st *Handle = Graph.get();
  Owned.emplace(Handle, std::move(Graph));
  return Handle;
}

bool GraphRegistry::destroy(CUgraph_st *Graph) {
  // The registry is changed by the destructor, so the entry goes first.
  return !Owned.extract(Graph).empty();
}

CUuserObject_st *GraphRegistry::createObject(CUuserObject_st Object) {
  auto New = std::make_unique<CUuserObject_st>(Object);
  CUuserObject_st *Handle = New.get();
  Objects.emplace(Handle, std::move(New));
  return Handle;
}

void GraphRegistry::release(CUuserObject_st *Object, unsigned Count) {
  Object->Count -= Count;
  if (Object->Count)
    return;
  auto Last = Objects.extract(Object);
  Object->Destroy(Object->Ptr);
}

cudaGraphNodeType typeOf(const Work &W) {
  static constexpr cudaGraphNodeType Types[] = {
      cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
      cudaGraphNodeTypeMemAlloc,    cudaGraphNodeTypeMemFree};
  static_assert(std::size(Types) == std::variant_size_v<Work>);
  return Types[W.index()];
}

Work cloneOf(const Work &W) {
  return std::visit(
      [](const auto &Each) -> Work {
        if constexpr (std::is_same_v<std::decay_t<decltype(Each)>, ChildWork>)
          return ChildWork{Each.Graph->clone()};
        else
          return Each;
      },
      W);
}

} // namespace regshare::cudart
