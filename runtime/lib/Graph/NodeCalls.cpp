//===- NodeCalls.cpp - Calls that make nodes and change them -------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NodeParams.h"

#include "API/Copies.h"
#include "API/Launch.h"

#include <cstring>

using namespace regshare::cudart;

/// Runs \p Make(Runtime &, Work &), which returns a cudaError_t, and \p Use
/// (Runtime &, Work) with what it makes.
template <typename MakeFn, typename UseFn>
static cudaError_t workCall(MakeFn &&Make, UseFn &&Use) {
  return apiCall([&](Runtime &R) {
    Work W;
    cudaError_t Error = Make(R, W);
    return Error == cudaSuccess ? Use(R, std::move(W)) : Error;
  });
}

/// \p Then() runs after the node is there.
template <typename MakeFn, typename ThenFn>
static cudaError_t addCall(cudaGraphNode_t *Node, const NodePlace &At,
                           MakeFn &&Make, ThenFn &&Then) {
  return workCall(Make, [&](Runtime &R, Work W) {
    cudaError_t Error = addNode(R, Node, At, std::move(W));
    if (Error == cudaSuccess)
      Then();
    return Error;
  });
}

template <typename MakeFn>
static cudaError_t addCall(cudaGraphNode_t *Node, const NodePlace &At,
                           MakeFn &&Make) {
  return addCall(Node, At, Make, [] {});
}

template <typename MakeFn>
static cudaError_t setCall(cudaGraphNode_t Node, MakeFn &&Make) {
  return workCall(
      Make, [&](Runtime &R, Work W) { return setWork(R, Node, std::move(W)); });
}

template <typename MakeFn>
static cudaError_t setExecCall(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                               MakeFn &&Make) {
  return workCall(Make, [&](Runtime &R, Work W) {
    return setExecWork(R, Exec, Node, std::move(W));
  });
}

static cudaError_t make(Runtime &R, const cudaKernelNodeParams &P, Work &W) {
  return workOf(R, P, W);
}
static cudaError_t make(Runtime &R, const cudaGraphNodeParams &P, Work &W) {
  return workOf(R, P, W);
}
static cudaError_t make(Runtime &, const cudaMemcpy3DParms &P, Work &W) {
  W = CopyWork{P};
  return cudaSuccess;
}
static cudaError_t make(Runtime &, const cudaMemsetParams &P, Work &W) {
  W = FillWork{P};
  return cudaSuccess;
}
static cudaError_t make(Runtime &, const cudaHostNodeParams &P, Work &W) {
  W = HostWork{P.fn, P.userData};
  return cudaSuccess;
}

template <typename ParamsT> static auto fromPointer(const ParamsT *Params) {
  return [=](Runtime &R, Work &W) {
    return Params ? make(R, *Params, W) : cudaErrorInvalidValue;
  };
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaKernelNodeParams *Params) {
  return addCall(Node, {Graph, Dependencies, Count}, fromPointer(Params));
}

cudaError_t
cudaGraphKernelNodeSetParams(cudaGraphNode_t Node,
                             const struct cudaKernelNodeParams *Params) {
  return setCall(Node, fromPointer(Params));
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaKernelNodeParams *Params) {
  return setExecCall(Exec, Node, fromPointer(Params));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaKernelNodeParams *Params) {
  return withWork<KernelWork>(Node, [&](Runtime &, KernelWork &W) {
    if (!Params)
      return cudaErrorInvalidValue;
    *Params = {const_cast<void *>(W.Func),   W.Grid, W.Block, W.SharedBytes,
               W.Arguments->Pointers.data(), nullptr};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t Node,
                                            cudaKernelNodeAttrID Attribute,
                                            cudaKernelNodeAttrValue *Value) {
  return withWork<KernelWork>(Node, [&](Runtime &, KernelWork &W) {
    if (!Value)
      return cudaErrorInvalidValue;
    *Value = {};
    if (auto It = W.Attributes.find(Attribute); It != W.Attributes.end())
      *Value = It->second;
    if (Attribute == cudaLaunchAttributeCooperative)
      Value->cooperative = W.Cooperative;
    return cudaSuccess;
  });
}

cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t Node,
                                cudaKernelNodeAttrID Attribute,
                                const cudaKernelNodeAttrValue *Value) {
  return withWork<KernelWork>(Node, [&](Runtime &R, KernelWork &W) {
    if (!Value)
      return cudaErrorInvalidValue;
    LaunchRequest L{
        W.Func,        W.Grid,  W.Block,      W.Arguments->Pointers.data(),
        W.SharedBytes, nullptr, W.Cooperative};
    if (cudaError_t Error = takeAttribute({Attribute, {}, *Value}, L,
                                          "cudaGraphKernelNodeSetAttribute");
        Error != cudaSuccess)
      return Error;
    // A cooperative launch has to fit.
    KernelWork Checked;
    if (cudaError_t Error = makeKernelWork(R, L, Checked); Error != cudaSuccess)
      return Error;
    W.Cooperative = L.Cooperative;
    W.Attributes[Attribute] = *Value;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t To,
                                              cudaGraphNode_t From) {
  return withWork<KernelWork>(To, [&](Runtime &, KernelWork &Target) {
    return withWork<KernelWork>(From, [&](Runtime &, KernelWork &Source) {
      Target.Attributes = Source.Attributes;
      Target.Cooperative = Source.Cooperative;
      return cudaSuccess;
    });
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static auto fromFlat(void *Dst, const void *Src, size_t Size,
                     cudaMemcpyKind Kind) {
  return [=](Runtime &, Work &W) {
    W = CopyWork{flatCopy(Dst, Src, Size, Kind)};
    return cudaSuccess;
  };
}

/// A copy to or from a variable of the program.
static auto fromSymbol(const void *Symbol, const void *Other, size_t Size,
                       size_t Offset, cudaMemcpyKind Kind, bool ToSymbol) {
  return [=](Runtime &R, Work &W) {
    return symbolCopy(R, Symbol, Other, Size, Offset, Kind, ToSymbol,
                      W.emplace<CopyWork>().Params);
  };
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaMemcpy3DParms *Params) {
  return addCall(Node, {Graph, Dependencies, Count}, fromPointer(Params));
}

cudaError_t
cudaGraphMemcpyNodeSetParams(cudaGraphNode_t Node,
                             const struct cudaMemcpy3DParms *Params) {
  return setCall(Node, fromPointer(Params));
}

cudaError_t
cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaMemcpy3DParms *Params) {
  return setExecCall(Exec, Node, fromPointer(Params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t Count, void *Dst, const void *Src,
                                     size_t Size, enum cudaMemcpyKind Kind) {
  return addCall(Node, {Graph, Dependencies, Count},
                 fromFlat(Dst, Src, Size, Kind));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t Node, void *Dst,
                                           const void *Src, size_t Size,
                                           enum cudaMemcpyKind Kind) {
  return setCall(Node, fromFlat(Dst, Src, Size, Kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node, void *Dst,
                                               const void *Src, size_t Size,
                                               enum cudaMemcpyKind Kind) {
  return setExecCall(Exec, Node, fromFlat(Dst, Src, Size, Kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *Node, cudaGraph_t Graph,
    const cudaGraphNode_t *Dependencies, size_t Count, const void *Symbol,
    const void *Src, size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return addCall(Node, {Graph, Dependencies, Count},
                 fromSymbol(Symbol, Src, Size, Offset, Kind, true));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t Node,
                                                 const void *Symbol,
                                                 const void *Src, size_t Size,
                                                 size_t Offset,
                                                 enum cudaMemcpyKind Kind) {
  return setCall(Node, fromSymbol(Symbol, Src, Size, Offset, Kind, true));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, const void *Symbol,
    const void *Src, size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return setExecCall(Exec, Node,
                     fromSymbol(Symbol, Src, Size, Offset, Kind, true));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *Node, cudaGraph_t Graph,
    const cudaGraphNode_t *Dependencies, size_t Count, void *Dst,
    const void *Symbol, size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return addCall(Node, {Graph, Dependencies, Count},
                 fromSymbol(Symbol, Dst, Size, Offset, Kind, false));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t Node,
                                                   void *Dst,
                                                   const void *Symbol,
                                                   size_t Size, size_t Offset,
                                                   enum cudaMemcpyKind Kind) {
  return setCall(Node, fromSymbol(Symbol, Dst, Size, Offset, Kind, false));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, void *Dst, const void *Symbol,
    size_t Size, size_t Offset, enum cudaMemcpyKind Kind) {
  return setExecCall(Exec, Node,
                     fromSymbol(Symbol, Dst, Size, Offset, Kind, false));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaMemcpy3DParms *Params) {
  return withWork<CopyWork>(Node, [&](Runtime &, CopyWork &W) {
    if (!Params)
      return cudaErrorInvalidValue;
    *Params = W.Params;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Fills and host functions
//===----------------------------------------------------------------------===//

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const struct cudaMemsetParams *Params) {
  return addCall(Node, {Graph, Dependencies, Count}, fromPointer(Params));
}

cudaError_t
cudaGraphMemsetNodeSetParams(cudaGraphNode_t Node,
                             const struct cudaMemsetParams *Params) {
  return setCall(Node, fromPointer(Params));
}

cudaError_t
cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const struct cudaMemsetParams *Params) {
  return setExecCall(Exec, Node, fromPointer(Params));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t Node,
                                         struct cudaMemsetParams *Params) {
  return withWork<FillWork>(Node, [&](Runtime &, FillWork &W) {
    if (!Params)
      return cudaErrorInvalidValue;
    *Params = W.Params;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                 const cudaGraphNode_t *Dependencies,
                                 size_t Count,
                                 const struct cudaHostNodeParams *Params) {
  return addCall(Node, {Graph, Dependencies, Count}, fromPointer(Params));
}

cudaError_t
cudaGraphHostNodeSetParams(cudaGraphNode_t Node,
                           const struct cudaHostNodeParams *Params) {
  return setCall(Node, fromPointer(Params));
}

cudaError_t
cudaGraphExecHostNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                               const struct cudaHostNodeParams *Params) {
  return setExecCall(Exec, Node, fromPointer(Params));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t Node,
                                       struct cudaHostNodeParams *Params) {
  return withWork<HostWork>(Node, [&](Runtime &, HostWork &W) {
    if (!Params)
      return cudaErrorInvalidValue;
    *Params = {W.Function, W.UserData};
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Graphs in nodes, and empty nodes
//===----------------------------------------------------------------------===//

static auto fromGraph(cudaGraph_t Child) {
  return [=](Runtime &R, Work &W) { return workOf(R, Child, W); };
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                       const cudaGraphNode_t *Dependencies,
                                       size_t Count, cudaGraph_t Child) {
  return addCall(Node, {Graph, Dependencies, Count}, fromGraph(Child));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaGraph_t Child) {
  return setExecCall(Exec, Node, fromGraph(Child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t Node,
                                            cudaGraph_t *Graph) {
  return withWork<ChildWork>(Node, [&](Runtime &, ChildWork &W) {
    if (!Graph)
      return cudaErrorInvalidValue;
    *Graph = W.Graph.get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                  const cudaGraphNode_t *Dependencies,
                                  size_t Count) {
  return addCall(Node, {Graph, Dependencies, Count},
                 [](Runtime &, Work &) { return cudaSuccess; });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// W is an EventRecordWork or an EventWaitWork.
template <typename T> static auto fromEvent(cudaEvent_t Event) {
  return [=](Runtime &, Work &W) {
    W = T{Event};
    return cudaSuccess;
  };
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *Node,
                                        cudaGraph_t Graph,
                                        const cudaGraphNode_t *Dependencies,
                                        size_t Count, cudaEvent_t Event) {
  return addCall(Node, {Graph, Dependencies, Count},
                 fromEvent<EventRecordWork>(Event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t Event) {
  return setCall(Node, fromEvent<EventRecordWork>(Event));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaEvent_t Event) {
  return setExecCall(Exec, Node, fromEvent<EventRecordWork>(Event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t *Event) {
  return withWork<EventRecordWork>(Node, [&](Runtime &, EventRecordWork &W) {
    if (!Event)
      return cudaErrorInvalidValue;
    *Event = W.Event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                      const cudaGraphNode_t *Dependencies,
                                      size_t Count, cudaEvent_t Event) {
  return addCall(Node, {Graph, Dependencies, Count},
                 fromEvent<EventWaitWork>(Event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t Event) {
  return setCall(Node, fromEvent<EventWaitWork>(Event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node,
                                               cudaEvent_t Event) {
  return setExecCall(Exec, Node, fromEvent<EventWaitWork>(Event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t *Event) {
  return withWork<EventWaitWork>(Node, [&](Runtime &, EventWaitWork &W) {
    if (!Event)
      return cudaErrorInvalidValue;
    *Event = W.Event;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                     const cudaGraphNode_t *Dependencies,
                                     size_t Count,
                                     struct cudaMemAllocNodeParams *Params) {
  return addCall(
      Node, {Graph, Dependencies, Count},
      [&](Runtime &, Work &W) {
        return Params ? allocWorkOf(*Params, W) : cudaErrorInvalidValue;
      },
      [&] { Params->dptr = std::get<AllocWork>((*Node)->What).Params.dptr; });
}

cudaError_t
cudaGraphMemAllocNodeGetParams(cudaGraphNode_t Node,
                               struct cudaMemAllocNodeParams *Params) {
  return withWork<AllocWork>(Node, [&](Runtime &, AllocWork &W) {
    if (!Params)
      return cudaErrorInvalidValue;
    *Params = W.Params;
    Params->accessDescs = W.Access.data();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                    const cudaGraphNode_t *Dependencies,
                                    size_t Count, void *Ptr) {
  return addCall(Node, {Graph, Dependencies, Count}, [&](Runtime &, Work &W) {
    W = FreeWork{Ptr};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t Node, void *Ptr) {
  return withWork<FreeWork>(Node, [&](Runtime &, FreeWork &W) {
    if (!Ptr)
      return cudaErrorInvalidValue;
    *static_cast<void **>(Ptr) = W.Ptr;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Nodes of any type
//===----------------------------------------------------------------------===//

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                const cudaGraphNode_t *Dependencies,
                                const cudaGraphEdgeData *Data, size_t Count,
                                struct cudaGraphNodeParams *Params) {
  return addCall(
      Node, {Graph, Dependencies, Count},
      [&](Runtime &R, Work &W) {
        if (!Params)
          return cudaErrorInvalidValue;
        cudaError_t Error = checkEdges(Data, Count);
        return Error == cudaSuccess ? workOf(R, *Params, W) : Error;
      },
      [&] {
        // What the call chooses goes back to the program.
        const Work &W = (*Node)->What;
        if (const auto *Alloc = std::get_if<AllocWork>(&W))
          Params->alloc.dptr = Alloc->Params.dptr;
        if (const auto *Child = std::get_if<ChildWork>(&W))
          Params->graph.graph = Child->Graph.get();
      });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t Node,
                                   struct cudaGraphNodeParams *Params) {
  return setCall(Node, fromPointer(Params));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t Exec,
                                       cudaGraphNode_t Node,
                                       struct cudaGraphNodeParams *Params) {
  return setExecCall(Exec, Node, fromPointer(Params));
}
