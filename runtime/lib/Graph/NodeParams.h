//===- NodeParams.h - Nodes as calls describe them -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGSHARE_RUNTIME_GRAPH_NODEPARAMS_H
#define REGSHARE_RUNTIME_GRAPH_NODEPARAMS_H

#include "Executable.h"
#include "Runtime.h"

namespace regshare::cudart {

/// Where a node is added.
struct NodePlace {
  cudaGraph_t Graph;
  const cudaGraphNode_t *Dependencies;
  size_t Count;
};

/// The work that parameters ask for, which addNode() and the others check.
cudaError_t workOf(Runtime &R, const cudaKernelNodeParams &P, Work &W);
cudaError_t workOf(Runtime &R, cudaGraph_t Child, Work &W);
cudaError_t workOf(Runtime &R, const cudaGraphNodeParams &P, Work &W);
cudaError_t allocWorkOf(const cudaMemAllocNodeParams &P, Work &W);

cudaError_t addNode(Runtime &R, cudaGraphNode_t *Node, const NodePlace &At,
                    Work W);
/// Gives a node other work of its type.
cudaError_t setWork(Runtime &R, cudaGraphNode_t Node, Work W);
/// The same for the copy of \p Node in an executable graph.
cudaError_t setExecWork(Runtime &R, cudaGraphExec_t Exec, cudaGraphNode_t Node,
                        Work W);

/// Runs \p Body(Runtime &, T &) for a node that exists and does such work.
template <typename T, typename Fn>
cudaError_t withWork(cudaGraphNode_t Node, Fn &&Body) {
  return apiCall([&](Runtime &R) {
    T *W = R.Graphs.isAlive(Node) ? std::get_if<T>(&Node->What) : nullptr;
    return W ? Body(R, *W) : cudaErrorInvalidValue;
  });
}

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_NODEPARAMS_H
