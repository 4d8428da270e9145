//===- DriverGraphs.cpp - Graphs, captures and pools of the driver -------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace regshare::cudart;

// The driver's structures and enumerations are the runtime's by other names.
static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) ==
              sizeof(cudaGraphInstantiateParams));
static_assert(sizeof(CUgraphExecUpdateResultInfo) ==
              sizeof(cudaGraphExecUpdateResultInfo));
static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));

//===----------------------------------------------------------------------===//
// A graph
//===----------------------------------------------------------------------===//

CUresult cuGraphCreate(CUgraph *Graph, unsigned int Flags) {
  return driverCall([&] { return cudaGraphCreate(Graph, Flags); });
}

CUresult cuGraphDestroy(CUgraph Graph) {
  return driverCall([&] { return cudaGraphDestroy(Graph); });
}

CUresult cuGraphClone(CUgraph *Clone, CUgraph Original) {
  return driverCall([&] { return cudaGraphClone(Clone, Original); });
}

CUresult cuGraphNodeFindInClone(CUgraphNode *Node, CUgraphNode Original,
                                CUgraph Clone) {
  return driverCall(
      [&] { return cudaGraphNodeFindInClone(Node, Original, Clone); });
}

CUresult cuGraphNodeGetType(CUgraphNode Node, CUgraphNodeType *Type) {
  return driverCall([&] {
    return cudaGraphNodeGetType(Node,
                                reinterpret_cast<cudaGraphNodeType *>(Type));
  });
}

CUresult cuGraphGetNodes(CUgraph Graph, CUgraphNode *Nodes, size_t *Count) {
  return driverCall([&] { return cudaGraphGetNodes(Graph, Nodes, Count); });
}

CUresult cuGraphGetRootNodes(CUgraph Graph, CUgraphNode *Nodes, size_t *Count) {
  return driverCall([&] { return cudaGraphGetRootNodes(Graph, Nodes, Count); });
}

CUresult cuGraphGetEdges(CUgraph Graph, CUgraphNode *From, CUgraphNode *To,
                         size_t *Count) {
  return driverCall(
      [&] { return cudaGraphGetEdges_v2(Graph, From, To, nullptr, Count); });
}

CUresult cuGraphGetEdges_v2(CUgraph Graph, CUgraphNode *From, CUgraphNode *To,
                            CUgraphEdgeData *Data, size_t *Count) {
  return driverCall([&] {
    return cudaGraphGetEdges_v2(
        Graph, From, To, reinterpret_cast<cudaGraphEdgeData *>(Data), Count);
  });
}

CUresult cuGraphNodeGetDependencies(CUgraphNode Node, CUgraphNode *Dependencies,
                                    size_t *Count) {
  return driverCall([&] {
    return cudaGraphNodeGetDependencies_v2(Node, Dependencies, nullptr, Count);
  });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode Node,
                                       CUgraphNode *Dependencies,
                                       CUgraphEdgeData *Data, size_t *Count) {
  return driverCall([&] {
    return cudaGraphNodeGetDependencies_v2(
        Node, Dependencies, reinterpret_cast<cudaGraphEdgeData *>(Data), Count);
  });
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode Node, CUgraphNode *Dependents,
                                      size_t *Count) {
  return driverCall([&] {
    return cudaGraphNodeGetDependentNodes_v2(Node, Dependents, nullptr, Count);
  });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode Node,
                                         CUgraphNode *Dependents,
                                         CUgraphEdgeData *Data, size_t *Count) {
  return driverCall([&] {
    return cudaGraphNodeGetDependentNodes_v2(
        Node, Dependents, reinterpret_cast<cudaGraphEdgeData *>(Data), Count);
  });
}

CUresult cuGraphAddDependencies(CUgraph Graph, const CUgraphNode *From,
                                const CUgraphNode *To, size_t Count) {
  return driverCall([&] {
    return cudaGraphAddDependencies_v2(Graph, From, To, nullptr, Count);
  });
}

CUresult cuGraphAddDependencies_v2(CUgraph Graph, const CUgraphNode *From,
                                   const CUgraphNode *To,
                                   const CUgraphEdgeData *Data, size_t Count) {
  return driverCall([&] {
    return cudaGraphAddDependencies_v2(
        Graph, From, To, reinterpret_cast<const cudaGraphEdgeData *>(Data),
        Count);
  });
}

CUresult cuGraphRemoveDependencies(CUgraph Graph, const CUgraphNode *From,
                                   const CUgraphNode *To, size_t Count) {
  return driverCall([&] {
    return cudaGraphRemoveDependencies_v2(Graph, From, To, nullptr, Count);
  });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph Graph, const CUgraphNode *From,
                                      const CUgraphNode *To,
                                      const CUgraphEdgeData *Data,
                                      size_t Count) {
  return driverCall([&] {
    return cudaGraphRemoveDependencies_v2(
        Graph, From, To, reinterpret_cast<const cudaGraphEdgeData *>(Data),
        Count);
  });
}

CUresult cuGraphDestroyNode(CUgraphNode Node) {
  return driverCall([&] { return cudaGraphDestroyNode(Node); });
}

CUresult cuGraphDebugDotPrint(CUgraph Graph, const char *Path,
                              unsigned int Flags) {
  return driverCall([&] { return cudaGraphDebugDotPrint(Graph, Path, Flags); });
}

CUresult cuUserObjectCreate(CUuserObject *Object, void *Ptr, CUhostFn Destroy,
                            unsigned int InitialCount, unsigned int Flags) {
  return driverCall([&] {
    return cudaUserObjectCreate(Object, Ptr, Destroy, InitialCount, Flags);
  });
}

CUresult cuUserObjectRetain(CUuserObject Object, unsigned int Count) {
  return driverCall([&] { return cudaUserObjectRetain(Object, Count); });
}

CUresult cuUserObjectRelease(CUuserObject Object, unsigned int Count) {
  return driverCall([&] { return cudaUserObjectRelease(Object, Count); });
}

CUresult cuGraphRetainUserObject(CUgraph Graph, CUuserObject Object,
                                 unsigned int Count, unsigned int Flags) {
  return driverCall(
      [&] { return cudaGraphRetainUserObject(Graph, Object, Count, Flags); });
}

CUresult cuGraphReleaseUserObject(CUgraph Graph, CUuserObject Object,
                                  unsigned int Count) {
  return driverCall(
      [&] { return cudaGraphReleaseUserObject(Graph, Object, Count); });
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

CUresult cuGraphInstantiate(CUgraphExec *Exec, CUgraph Graph,
                            unsigned long long Flags) {
  return driverCall([&] { return cudaGraphInstantiate(Exec, Graph, Flags); });
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *Exec, CUgraph Graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *Params) {
  return driverCall([&] {
    return cudaGraphInstantiateWithParams(
        Exec, Graph, reinterpret_cast<cudaGraphInstantiateParams *>(Params));
  });
}

CUresult cuGraphExecGetFlags(CUgraphExec Exec, cuuint64_t *Flags) {
  return driverCall([&] {
    return cudaGraphExecGetFlags(Exec,
                                 reinterpret_cast<unsigned long long *>(Flags));
  });
}

CUresult cuGraphUpload(CUgraphExec Exec, CUstream Stream) {
  return driverCall([&] { return cudaGraphUpload(Exec, Stream); });
}

CUresult cuGraphLaunch(CUgraphExec Exec, CUstream Stream) {
  return driverCall([&] { return cudaGraphLaunch(Exec, Stream); });
}

CUresult cuGraphExecDestroy(CUgraphExec Exec) {
  return driverCall([&] { return cudaGraphExecDestroy(Exec); });
}

CUresult cuGraphExecUpdate(CUgraphExec Exec, CUgraph Graph,
                           CUgraphExecUpdateResultInfo *Info) {
  return driverCall([&] {
    return cudaGraphExecUpdate(
        Exec, Graph, reinterpret_cast<cudaGraphExecUpdateResultInfo *>(Info));
  });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec Exec, CUgraphNode Node,
                               unsigned int Enabled) {
  return driverCall(
      [&] { return cudaGraphNodeSetEnabled(Exec, Node, Enabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec Exec, CUgraphNode Node,
                               unsigned int *Enabled) {
  return driverCall(
      [&] { return cudaGraphNodeGetEnabled(Exec, Node, Enabled); });
}

//===----------------------------------------------------------------------===//
// Stream capture
//===----------------------------------------------------------------------===//

CUresult cuStreamBeginCapture(CUstream Stream, CUstreamCaptureMode Mode) {
  return driverCall([&] {
    return cudaStreamBeginCapture(Stream, cudaStreamCaptureMode(Mode));
  });
}

CUresult cuStreamBeginCaptureToGraph(CUstream Stream, CUgraph Graph,
                                     const CUgraphNode *Dependencies,
                                     const CUgraphEdgeData *Data, size_t Count,
                                     CUstreamCaptureMode Mode) {
  return driverCall([&] {
    return cudaStreamBeginCaptureToGraph(
        Stream, Graph, Dependencies,
        reinterpret_cast<const cudaGraphEdgeData *>(Data), Count,
        cudaStreamCaptureMode(Mode));
  });
}

CUresult cuStreamEndCapture(CUstream Stream, CUgraph *Graph) {
  return driverCall([&] { return cudaStreamEndCapture(Stream, Graph); });
}

CUresult cuStreamIsCapturing(CUstream Stream, CUstreamCaptureStatus *Status) {
  return driverCall([&] {
    return cudaStreamIsCapturing(
        Stream, reinterpret_cast<cudaStreamCaptureStatus *>(Status));
  });
}

CUresult cuStreamGetCaptureInfo(CUstream Stream, CUstreamCaptureStatus *Status,
                                cuuint64_t *Id, CUgraph *Graph,
                                const CUgraphNode **Dependencies,
                                size_t *Count) {
  return driverCall([&] {
    return cudaStreamGetCaptureInfo_v2(
        Stream, reinterpret_cast<cudaStreamCaptureStatus *>(Status),
        reinterpret_cast<unsigned long long *>(Id), Graph, Dependencies, Count);
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream Stream,
                                   CUstreamCaptureStatus *Status,
                                   cuuint64_t *Id, CUgraph *Graph,
                                   const CUgraphNode **Dependencies,
                                   const CUgraphEdgeData **Data,
                                   size_t *Count) {
  return driverCall([&] {
    return cudaStreamGetCaptureInfo_v3(
        Stream, reinterpret_cast<cudaStreamCaptureStatus *>(Status),
        reinterpret_cast<unsigned long long *>(Id), Graph, Dependencies,
        reinterpret_cast<const cudaGraphEdgeData **>(Data), Count);
  });
}

CUresult cuStreamUpdateCaptureDependencies(CUstream Stream,
                                           CUgraphNode *Dependencies,
                                           size_t Count, unsigned int Flags) {
  return driverCall([&] {
    return cudaStreamUpdateCaptureDependencies_v2(Stream, Dependencies, nullptr,
                                                  Count, Flags);
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream Stream,
                                              CUgraphNode *Dependencies,
                                              const CUgraphEdgeData *Data,
                                              size_t Count,
                                              unsigned int Flags) {
  return driverCall([&] {
    return cudaStreamUpdateCaptureDependencies_v2(
        Stream, Dependencies, reinterpret_cast<const cudaGraphEdgeData *>(Data),
        Count, Flags);
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *Mode) {
  return driverCall([&] {
    return cudaThreadExchangeStreamCaptureMode(
        reinterpret_cast<cudaStreamCaptureMode *>(Mode));
  });
}

CUresult cuEventRecordWithFlags(CUevent Event, CUstream Stream,
                                unsigned int Flags) {
  return driverCall(
      [&] { return cudaEventRecordWithFlags(Event, Stream, Flags); });
}

//===----------------------------------------------------------------------===//
// Memory pools
//===----------------------------------------------------------------------===//

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *Pool, CUdevice Device) {
  return driverCall([&] { return cudaDeviceGetDefaultMemPool(Pool, Device); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool *Pool, CUdevice Device) {
  return driverCall([&] { return cudaDeviceGetMemPool(Pool, Device); });
}

CUresult cuDeviceSetMemPool(CUdevice Device, CUmemoryPool Pool) {
  return driverCall([&] { return cudaDeviceSetMemPool(Device, Pool); });
}

CUresult cuMemPoolCreate(CUmemoryPool *Pool, const CUmemPoolProps *Props) {
  return driverCall([&] {
    return cudaMemPoolCreate(Pool,
                             reinterpret_cast<const cudaMemPoolProps *>(Props));
  });
}

CUresult cuMemPoolDestroy(CUmemoryPool Pool) {
  return driverCall([&] { return cudaMemPoolDestroy(Pool); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool Pool, CUmemPool_attribute Attribute,
                               void *Value) {
  return driverCall([&] {
    return cudaMemPoolGetAttribute(Pool, cudaMemPoolAttr(Attribute), Value);
  });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool Pool, CUmemPool_attribute Attribute,
                               void *Value) {
  return driverCall([&] {
    return cudaMemPoolSetAttribute(Pool, cudaMemPoolAttr(Attribute), Value);
  });
}

CUresult cuMemPoolTrimTo(CUmemoryPool Pool, size_t BytesToKeep) {
  return driverCall([&] { return cudaMemPoolTrimTo(Pool, BytesToKeep); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool Pool, const CUmemAccessDesc *Descs,
                            size_t Count) {
  return driverCall([&] {
    return cudaMemPoolSetAccess(
        Pool, reinterpret_cast<const cudaMemAccessDesc *>(Descs), Count);
  });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *Flags, CUmemoryPool Pool,
                            CUmemLocation *Location) {
  return driverCall([&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags *>(Flags),
                                Pool,
                                reinterpret_cast<cudaMemLocation *>(Location));
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *Address, size_t Bytes,
                                 CUmemoryPool Pool, CUstream Stream) {
  return driverCall([&] {
    return cudaMallocFromPoolAsync(reinterpret_cast<void **>(Address), Bytes,
                                   Pool, Stream);
  });
}

CUresult cuDeviceGraphMemTrim(CUdevice Device) {
  return driverCall([&] { return cudaDeviceGraphMemTrim(Device); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice Device,
                                      CUgraphMem_attribute Attribute,
                                      void *Value) {
  return driverCall([&] {
    return cudaDeviceGetGraphMemAttribute(
        Device, cudaGraphMemAttributeType(Attribute), Value);
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice Device,
                                      CUgraphMem_attribute Attribute,
                                      void *Value) {
  return driverCall([&] {
    return cudaDeviceSetGraphMemAttribute(
        Device, cudaGraphMemAttributeType(Attribute), Value);
  });
}
