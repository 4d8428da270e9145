//===- graph_forms.h - Calls of graphs in two versions' forms -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUDA 12 and 13 give some names to different forms of a call: without and
/// with the data of edges. In C++ both are here, in C those of CUDA 12. The
/// library has CUDA 13's under the plain names.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CUDA_GRAPH_FORMS_H
#define REGSHARE_CUDA_GRAPH_FORMS_H

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t Graph,
                                            cudaGraphNode_t *From,
                                            cudaGraphNode_t *To,
                                            size_t *Count) {
  return cudaGraphGetEdges_v2(Graph, From, To, 0, Count);
}
static inline cudaError_t
cudaGraphNodeGetDependencies(cudaGraphNode_t Node,
                             cudaGraphNode_t *Dependencies, size_t *Count) {
  return cudaGraphNodeGetDependencies_v2(Node, Dependencies, 0, Count);
}
static inline cudaError_t
cudaGraphNodeGetDependentNodes(cudaGraphNode_t Node,
                               cudaGraphNode_t *Dependents, size_t *Count) {
  return cudaGraphNodeGetDependentNodes_v2(Node, Dependents, 0, Count);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t Graph,
                                                   const cudaGraphNode_t *From,
                                                   const cudaGraphNode_t *To,
                                                   size_t Count) {
  return cudaGraphAddDependencies_v2(Graph, From, To, 0, Count);
}
static inline cudaError_t
cudaGraphRemoveDependencies(cudaGraph_t Graph, const cudaGraphNode_t *From,
                            const cudaGraphNode_t *To, size_t Count) {
  return cudaGraphRemoveDependencies_v2(Graph, From, To, 0, Count);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *Node,
                                           cudaGraph_t Graph,
                                           const cudaGraphNode_t *Dependencies,
                                           size_t Count,
                                           struct cudaGraphNodeParams *Params) {
  return cudaGraphAddNode_v2(Node, Graph, Dependencies, 0, Count, Params);
}
static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t Stream,
                                    cudaGraphNode_t *Dependencies, size_t Count,
                                    unsigned int Flags) {
  return cudaStreamUpdateCaptureDependencies_v2(Stream, Dependencies, 0, Count,
                                                Flags);
}

#if defined(__cplusplus)
static inline cudaError_t
cudaGraphGetEdges(cudaGraph_t Graph, cudaGraphNode_t *From, cudaGraphNode_t *To,
                  cudaGraphEdgeData *Data, size_t *Count) {
  return cudaGraphGetEdges_v2(Graph, From, To, Data, Count);
}
static inline cudaError_t
cudaGraphNodeGetDependencies(cudaGraphNode_t Node,
                             cudaGraphNode_t *Dependencies,
                             cudaGraphEdgeData *Data, size_t *Count) {
  return cudaGraphNodeGetDependencies_v2(Node, Dependencies, Data, Count);
}
static inline cudaError_t
cudaGraphNodeGetDependentNodes(cudaGraphNode_t Node,
                               cudaGraphNode_t *Dependents,
                               cudaGraphEdgeData *Data, size_t *Count) {
  return cudaGraphNodeGetDependentNodes_v2(Node, Dependents, Data, Count);
}
static inline cudaError_t
cudaGraphAddDependencies(cudaGraph_t Graph, const cudaGraphNode_t *From,
                         const cudaGraphNode_t *To,
                         const cudaGraphEdgeData *Data, size_t Count) {
  return cudaGraphAddDependencies_v2(Graph, From, To, Data, Count);
}
static inline cudaError_t
cudaGraphRemoveDependencies(cudaGraph_t Graph, const cudaGraphNode_t *From,
                            const cudaGraphNode_t *To,
                            const cudaGraphEdgeData *Data, size_t Count) {
  return cudaGraphRemoveDependencies_v2(Graph, From, To, Data, Count);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *Node,
                                           cudaGraph_t Graph,
                                           const cudaGraphNode_t *Dependencies,
                                           const cudaGraphEdgeData *Data,
                                           size_t Count,
                                           struct cudaGraphNodeParams *Params) {
  return cudaGraphAddNode_v2(Node, Graph, Dependencies, Data, Count, Params);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t Stream, cudaGraphNode_t *Dependencies,
    const cudaGraphEdgeData *Data, size_t Count, unsigned int Flags) {
  return cudaStreamUpdateCaptureDependencies_v2(Stream, Dependencies, Data,
                                                Count, Flags);
}

static inline cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t Stream, enum cudaStreamCaptureStatus *Status,
    unsigned long long *Id = 0, cudaGraph_t *Graph = 0,
    const cudaGraphNode_t **Dependencies = 0, size_t *Count = 0) {
  return cudaStreamGetCaptureInfo_v3(Stream, Status, Id, Graph, Dependencies, 0,
                                     Count);
}
static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t Stream,
                         enum cudaStreamCaptureStatus *Status,
                         unsigned long long *Id, cudaGraph_t *Graph,
                         const cudaGraphNode_t **Dependencies,
                         const cudaGraphEdgeData **Data, size_t *Count) {
  return cudaStreamGetCaptureInfo_v3(Stream, Status, Id, Graph, Dependencies,
                                     Data, Count);
}
#else
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2
#endif

#endif // REGSHARE_CUDA_GRAPH_FORMS_H
