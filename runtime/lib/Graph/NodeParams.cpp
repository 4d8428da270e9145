//===- NodeParams.cpp - Nodes as calls describe them -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NodeParams.h"

#include "API/Copies.h"
#include "API/Launch.h"
#include "GraphMemory.h"

#include <algorithm>
#include <cstring>

namespace regshare::cudart {

cudaError_t workOf(Runtime &R, const cudaKernelNodeParams &P, Work &W) {
  if (P.extra) {
    if (P.kernelParams)
      return cudaErrorInvalidValue;
    printError("kernel nodes take their arguments by kernelParams, extra is "
               "given; the call returns cudaErrorNotSupported",
               ErrorKind::Unsupported);
    return cudaErrorNotSupported;
  }
  return makeKernelWork(R,
                        {P.func, P.gridDim, P.blockDim, P.kernelParams,
                         P.sharedMemBytes, nullptr},
                        W.emplace<KernelWork>());
}

/// The graph inside a node is a copy.
cudaError_t workOf(Runtime &R, cudaGraph_t Child, Work &W) {
  if (!R.Graphs.isAlive(Child))
    return cudaErrorInvalidValue;
  if (Child->hasMemoryNodes()) {
    printError("a graph that allocates or frees memory cannot be in a node; "
               "the call returns cudaErrorNotSupported",
               ErrorKind::BadInput);
    return cudaErrorNotSupported;
  }
  W = ChildWork{Child->clone()};
  return cudaSuccess;
}

cudaError_t workOf(Runtime &R, const cudaGraphNodeParams &P, Work &W) {
  switch (P.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParamsV2 &K = P.kernel;
    return workOf(R,
                  cudaKernelNodeParams{K.func, K.gridDim, K.blockDim,
                                       K.sharedMemBytes, K.kernelParams,
                                       K.extra},
                  W);
  }
  case cudaGraphNodeTypeMemcpy:
    W = CopyWork{P.memcpy.copyParams};
    return cudaSuccess;
  case cudaGraphNodeTypeMemset:
    W = FillWork{{P.memset.dst, P.memset.pitch, P.memset.value,
                  P.memset.elementSize, P.memset.width, P.memset.height}};
    return cudaSuccess;
  case cudaGraphNodeTypeHost:
    W = HostWork{P.host.fn, P.host.userData};
    return cudaSuccess;
  case cudaGraphNodeTypeGraph:
    return workOf(R, P.graph.graph, W);
  case cudaGraphNodeTypeEmpty:
    W = EmptyWork{};
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    W = EventWaitWork{P.eventWait.event};
    return cudaSuccess;
  case cudaGraphNodeTypeEventRecord:
    W = EventRecordWork{P.eventRecord.event};
    return cudaSuccess;
  case cudaGraphNodeTypeMemAlloc: {
    const cudaMemAllocNodeParamsV2 &A = P.alloc;
    return allocWorkOf(
        {A.poolProps, A.accessDescs, A.accessDescCount, A.bytesize, nullptr},
        W);
  }
  case cudaGraphNodeTypeMemFree:
    W = FreeWork{P.free.dptr};
    return cudaSuccess;
  default:
    printError("nodes of type " + std::to_string(int(P.type)) +
                   " (conditional nodes and external semaphores) are not "
                   "implemented; the call returns cudaErrorNotSupported",
               ErrorKind::Unsupported);
    return cudaErrorNotSupported;
  }
}

cudaError_t allocWorkOf(const cudaMemAllocNodeParams &P, Work &W) {
  if (P.accessDescCount && !P.accessDescs)
    return cudaErrorInvalidValue;
  AllocWork &A = W.emplace<AllocWork>();
  A.Params = P;
  A.Access.assign(P.accessDescs, P.accessDescs + P.accessDescCount);
  return cudaSuccess;
}

cudaError_t addNode(Runtime &R, cudaGraphNode_t *Node, const NodePlace &At,
                    Work W) {
  CUgraph_st *Graph = At.Graph;
  if (!Node || !R.Graphs.isAlive(Graph) || (At.Count && !At.Dependencies) ||
      !Graph->areDistinctNodes({At.Dependencies, At.Count}))
    return cudaErrorInvalidValue;
  if (cudaError_t Error = check(R, W); Error != cudaSuccess)
    return Error;
  if (auto *Alloc = std::get_if<AllocWork>(&W))
    if (cudaError_t Error = placeForGraph(R, *Alloc); Error != cudaSuccess)
      return Error;
  if (const auto *Free = std::get_if<FreeWork>(&W))
    if (cudaError_t Error = checkFreeInGraph(R, *Graph, Free->Ptr);
        Error != cudaSuccess)
      return Error;
  *Node = Graph->add(std::move(W), {At.Dependencies, At.Count});
  return cudaSuccess;
}

cudaError_t setWork(Runtime &R, cudaGraphNode_t Node, Work W) {
  if (!R.Graphs.isAlive(Node) || Node->What.index() != W.index() ||
      std::holds_alternative<AllocWork>(W) ||
      std::holds_alternative<FreeWork>(W) ||
      std::holds_alternative<ChildWork>(W))
    return cudaErrorInvalidValue;
  if (cudaError_t Error = check(R, W); Error != cudaSuccess)
    return Error;
  // Attributes are set by calls of their own.
  if (auto *New = std::get_if<KernelWork>(&W)) {
    const auto &Old = std::get<KernelWork>(Node->What);
    New->Attributes = Old.Attributes;
    New->Cooperative = Old.Cooperative;
  }
  Node->What = std::move(W);
  return cudaSuccess;
}

cudaError_t setExecWork(Runtime &R, cudaGraphExec_t Exec, cudaGraphNode_t Node,
                        Work W) {
  auto It = R.Executables.find(Exec);
  if (It == R.Executables.end() || !R.Graphs.isAlive(Node))
    return cudaErrorInvalidValue;
  GraphNode *Copy = It->second->find(Node);
  if (!Copy)
    return cudaErrorInvalidValue;
  if (auto *New = std::get_if<ChildWork>(&W)) {
    auto *Old = std::get_if<ChildWork>(&Copy->What);
    if (!Old || compare(R, *Old->Graph, *New->Graph).Result !=
                    cudaGraphExecUpdateSuccess)
      return cudaErrorInvalidValue;
    update(*Old->Graph, *New->Graph);
    return cudaSuccess;
  }
  if (!canReplace(R, Copy->What, W))
    return cudaErrorInvalidValue;
  return setWork(R, Copy, std::move(W));
}

} // namespace regshare::cudart
