//===- graph_calls.h - CUDA graphs, stream capture, memory pools -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A part of cuda_runtime_api.h, which includes it among the calls in C. Names
/// that CUDA 12 and 13 give to different forms are in graph_forms.h.
///
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(llvm-header-guard): a part of another header.

// Memory pools.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Pool, int Device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *Pool, int Device);
cudaError_t cudaDeviceSetMemPool(int Device, cudaMemPool_t Pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *Pool,
                              const struct cudaMemPoolProps *Props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t Pool);
/// The value is an int for the first three attributes, else a 64-bit number of
/// bytes.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t Pool,
                                    enum cudaMemPoolAttr Attribute,
                                    void *Value);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t Pool,
                                    enum cudaMemPoolAttr Attribute,
                                    void *Value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t Pool, size_t BytesToKeep);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t Pool,
                                 const struct cudaMemAccessDesc *Descs,
                                 size_t Count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *Flags,
                                 cudaMemPool_t Pool,
                                 struct cudaMemLocation *Location);
cudaError_t cudaMallocFromPoolAsync(void **Ptr, size_t Size, cudaMemPool_t Pool,
                                    cudaStream_t Stream);
cudaError_t cudaDeviceGraphMemTrim(int Device);
cudaError_t cudaDeviceGetGraphMemAttribute(
    int Device, enum cudaGraphMemAttributeType Attribute, void *Value);
cudaError_t cudaDeviceSetGraphMemAttribute(
    int Device, enum cudaGraphMemAttributeType Attribute, void *Value);

// A graph's structure.
cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned int Flags);
cudaError_t cudaGraphDestroy(cudaGraph_t Graph);
cudaError_t cudaGraphClone(cudaGraph_t *Clone, cudaGraph_t Original);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *Node,
                                     cudaGraphNode_t Original,
                                     cudaGraph_t Clone);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t Node,
                                 enum cudaGraphNodeType *Type);
cudaError_t cudaGraphGetNodes(cudaGraph_t Graph, cudaGraphNode_t *Nodes,
                              size_t *Count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t Graph, cudaGraphNode_t *Nodes,
                                  size_t *Count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Node);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t Graph, const char *Path,
                                   unsigned int Flags);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t Graph, cudaGraphNode_t *From,
                                 cudaGraphNode_t *To, cudaGraphEdgeData *Data,
                                 size_t *Count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t Node,
                                            cudaGraphNode_t *Dependencies,
                                            cudaGraphEdgeData *Data,
                                            size_t *Count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t Node,
                                              cudaGraphNode_t *Dependents,
                                              cudaGraphEdgeData *Data,
                                              size_t *Count);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t Graph,
                                        const cudaGraphNode_t *From,
                                        const cudaGraphNode_t *To,
                                        const cudaGraphEdgeData *Data,
                                        size_t Count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t Graph,
                                           const cudaGraphNode_t *From,
                                           const cudaGraphNode_t *To,
                                           const cudaGraphEdgeData *Data,
                                           size_t Count);

// Nodes.
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                const cudaGraphNode_t *Dependencies,
                                const cudaGraphEdgeData *Data, size_t Count,
                                struct cudaGraphNodeParams *Params);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t Node,
                                   struct cudaGraphNodeParams *Params);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaKernelNodeParams *Params);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaKernelNodeParams *Params);
cudaError_t
cudaGraphKernelNodeSetParams(cudaGraphNode_t Node,
                             const struct cudaKernelNodeParams *Params);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t Node,
                                            cudaKernelNodeAttrID Attribute,
                                            cudaKernelNodeAttrValue *Value);
cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t Node,
                                cudaKernelNodeAttrID Attribute,
                                const cudaKernelNodeAttrValue *Value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t To,
                                              cudaGraphNode_t From);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaMemcpy3DParms *Params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t NumDependencies, void *Dst,
                                     const void *Src, size_t Size,
                                     enum cudaMemcpyKind Kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *Node,
                                           cudaGraph_t Graph,
                                           const cudaGraphNode_t *Dependencies,
                                           size_t NumDependencies,
                                           const void *Symbol, const void *Src,
                                           size_t Size, size_t Offset,
                                           enum cudaMemcpyKind Kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *Node, cudaGraph_t Graph,
    const cudaGraphNode_t *Dependencies, size_t NumDependencies, void *Dst,
    const void *Symbol, size_t Size, size_t Offset, enum cudaMemcpyKind Kind);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaMemcpy3DParms *Params);
cudaError_t
cudaGraphMemcpyNodeSetParams(cudaGraphNode_t Node,
                             const struct cudaMemcpy3DParms *Params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t Node, void *Dst,
                                           const void *Src, size_t Size,
                                           enum cudaMemcpyKind Kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t Node,
                                                 const void *Symbol,
                                                 const void *Src, size_t Size,
                                                 size_t Offset,
                                                 enum cudaMemcpyKind Kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t Node,
                                                   void *Dst,
                                                   const void *Symbol,
                                                   size_t Size, size_t Offset,
                                                   enum cudaMemcpyKind Kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaMemsetParams *Params);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaMemsetParams *Params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t Node,
                                         const struct cudaMemsetParams *Params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                 const cudaGraphNode_t *Dependencies,
                                 size_t Count,
                                 const struct cudaHostNodeParams *Params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t Node,
                                       struct cudaHostNodeParams *Params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t Node,
                                       const struct cudaHostNodeParams *Params);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                       const cudaGraphNode_t *Dependencies,
                                       size_t Count, cudaGraph_t Child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t Node,
                                            cudaGraph_t *Graph);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                  const cudaGraphNode_t *Dependencies,
                                  size_t Count);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *Node,
                                        cudaGraph_t Graph,
                                        const cudaGraphNode_t *Dependencies,
                                        size_t Count, cudaEvent_t Event);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t *Event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t Event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                      const cudaGraphNode_t *Dependencies,
                                      size_t Count, cudaEvent_t Event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t *Event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t Event);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t Count,
                                     struct cudaMemAllocNodeParams *Params);
cudaError_t
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t Node,
                               struct cudaMemAllocNodeParams *Params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                    const cudaGraphNode_t *Dependencies,
                                    size_t Count, void *Ptr);
/// Writes the address to *(void **)Ptr.
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t Node, void *Ptr);

// Executable graphs.
cudaError_t
cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t Graph,
                     unsigned long long Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(
    cudaGraphExec_t *Exec, cudaGraph_t Graph,
    unsigned long long Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *Exec,
                                           cudaGraph_t Graph,
                                           cudaGraphInstantiateParams *Params);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t Exec,
                                  unsigned long long *Flags);
cudaError_t cudaGraphUpload(cudaGraphExec_t Exec, cudaStream_t Stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Exec, cudaGraph_t Graph,
                                cudaGraphExecUpdateResultInfo *Info);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned int Enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned int *Enabled);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t Exec,
                                       cudaGraphNode_t Node,
                                       struct cudaGraphNodeParams *Params);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaKernelNodeParams *Params);
cudaError_t
cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaMemcpy3DParms *Params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node, void *Dst,
                                               const void *Src, size_t Size,
                                               enum cudaMemcpyKind Kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, const void *Symbol,
    const void *Src, size_t Size, size_t Offset, enum cudaMemcpyKind Kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, void *Dst, const void *Symbol,
    size_t Size, size_t Offset, enum cudaMemcpyKind Kind);
cudaError_t
cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaMemsetParams *Params);
cudaError_t
cudaGraphExecHostNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                               const struct cudaHostNodeParams *Params);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaGraph_t Child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaEvent_t Event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node,
                                               cudaEvent_t Event);

// Stream capture.
cudaError_t cudaStreamBeginCapture(cudaStream_t Stream,
                                   enum cudaStreamCaptureMode Mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t Stream,
                                          cudaGraph_t Graph,
                                          const cudaGraphNode_t *Dependencies,
                                          const cudaGraphEdgeData *Data,
                                          size_t Count,
                                          enum cudaStreamCaptureMode Mode);
cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Graph);
cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *Mode);
cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t Stream, enum cudaStreamCaptureStatus *Status,
    unsigned long long *Id REGSHARE_CUDA_DEFAULT(0),
    cudaGraph_t *Graph REGSHARE_CUDA_DEFAULT(0),
    const cudaGraphNode_t **Dependencies REGSHARE_CUDA_DEFAULT(0),
    size_t *Count REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t Stream, enum cudaStreamCaptureStatus *Status,
    unsigned long long *Id REGSHARE_CUDA_DEFAULT(0),
    cudaGraph_t *Graph REGSHARE_CUDA_DEFAULT(0),
    const cudaGraphNode_t **Dependencies REGSHARE_CUDA_DEFAULT(0),
    const cudaGraphEdgeData **Data REGSHARE_CUDA_DEFAULT(0),
    size_t *Count REGSHARE_CUDA_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies_v2(
    cudaStream_t Stream, cudaGraphNode_t *Dependencies,
    const cudaGraphEdgeData *Data, size_t Count,
    unsigned int Flags REGSHARE_CUDA_DEFAULT(0));

// What lives as long as a graph.
cudaError_t cudaUserObjectCreate(cudaUserObject_t *Object, void *Ptr,
                                 cudaHostFn_t Destroy,
                                 unsigned int InitialCount, unsigned int Flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t Object,
                                 unsigned int Count REGSHARE_CUDA_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t Object,
                                  unsigned int Count REGSHARE_CUDA_DEFAULT(1));
cudaError_t
cudaGraphRetainUserObject(cudaGraph_t Graph, cudaUserObject_t Object,
                          unsigned int Count REGSHARE_CUDA_DEFAULT(1),
                          unsigned int Flags REGSHARE_CUDA_DEFAULT(0));
cudaError_t
cudaGraphReleaseUserObject(cudaGraph_t Graph, cudaUserObject_t Object,
                           unsigned int Count REGSHARE_CUDA_DEFAULT(1));
// NOLINTEND(llvm-header-guard)
