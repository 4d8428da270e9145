//===- DriverNodes.cpp - Nodes of graphs of the driver -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Texture/TextureObjects.h"

#include <algorithm>

using namespace regshare::cudart;

// The driver's structures and enumerations are the runtime's by other names.
static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(cudaMemsetParams));
static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(cudaHostNodeParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) ==
              sizeof(cudaMemAllocNodeParams));
static_assert(sizeof(CUlaunchAttributeValue) ==
              sizeof(cudaLaunchAttributeValue));

static cudaMemsetParams convert(const CUDA_MEMSET_NODE_PARAMS &P) {
  return {toPointer(P.dst), P.pitch, P.value, P.elementSize, P.width, P.height};
}

static cudaHostNodeParams convert(const CUDA_HOST_NODE_PARAMS &P) {
  return {P.fn, P.userData};
}

namespace {
/// One side of a copy in the driver's form.
struct CopySide {
  CUmemorytype Type;
  const void *Host;
  CUdeviceptr Device;
  CUarray Array;
  size_t Pitch, Height, X, Y, Z;

  bool isArray() const { return Type == CU_MEMORYTYPE_ARRAY; }
  cudaArray_t array() const {
    return isArray() ? reinterpret_cast<cudaArray_t>(Array) : nullptr;
  }
  cudaPitchedPtr pointer(const CUDA_MEMCPY3D &C) const {
    if (isArray())
      return {};
    void *Start = Type == CU_MEMORYTYPE_HOST ? const_cast<void *>(Host)
                                             : toPointer(Device);
    size_t Width = X + C.WidthInBytes;
    return {Start, Pitch ? Pitch : Width, Width,
            Height ? Height : Y + C.Height};
  }
};
} // namespace

/// Of the two memories' types; where one is unknown, addresses tell.
static cudaMemcpyKind kindOf(CUmemorytype To, CUmemorytype From) {
  if (To == CU_MEMORYTYPE_UNIFIED || From == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (To == CU_MEMORYTYPE_HOST)
    return From == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost
                                      : cudaMemcpyDeviceToHost;
  return From == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice
                                    : cudaMemcpyDeviceToDevice;
}

/// The runtime counts in texels where an array takes part.
static cudaMemcpy3DParms convert(const CUDA_MEMCPY3D &C) {
  CopySide From{C.srcMemoryType, C.srcHost,  C.srcDevice,
                C.srcArray,      C.srcPitch, C.srcHeight,
                C.srcXInBytes,   C.srcY,     C.srcZ};
  CopySide To{C.dstMemoryType, C.dstHost,  C.dstDevice,
              C.dstArray,      C.dstPitch, C.dstHeight,
              C.dstXInBytes,   C.dstY,     C.dstZ};
  size_t Bytes = 1;
  for (const CopySide *Side : {&From, &To}) {
    cudaChannelFormatDesc D = {};
    if (Side->isArray() &&
        cudaArrayGetInfo(&D, nullptr, nullptr, Side->array()) == cudaSuccess)
      Bytes = std::max(1, (D.x + D.y + D.z + D.w) / 8);
  }
  auto Across = [&](const CopySide &Side) {
    return Side.isArray() ? Side.X / Bytes : Side.X;
  };
  cudaMemcpy3DParms P = {};
  P.srcArray = From.array();
  P.srcPos = {Across(From), From.Y, From.Z};
  P.srcPtr = From.pointer(C);
  P.dstArray = To.array();
  P.dstPos = {Across(To), To.Y, To.Z};
  P.dstPtr = To.pointer(C);
  P.extent = {C.WidthInBytes / Bytes, C.Height, C.Depth};
  P.kind = kindOf(C.dstMemoryType, C.srcMemoryType);
  return P;
}

static CUDA_MEMCPY3D convertBack(const cudaMemcpy3DParms &P) {
  size_t Bytes = 1;
  for (cudaArray_t Array : {P.srcArray, P.dstArray})
    if (Array)
      Bytes = Array->Format.bytes();
  auto TypeOf = [&](cudaArray_t Array, cudaMemcpyKind WithHost) {
    return Array                         ? CU_MEMORYTYPE_ARRAY
           : P.kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
           : P.kind == WithHost || P.kind == cudaMemcpyHostToHost
               ? CU_MEMORYTYPE_HOST
               : CU_MEMORYTYPE_DEVICE;
  };
  CUDA_MEMCPY3D C = {};
  C.srcXInBytes = P.srcPos.x * (P.srcArray ? Bytes : 1);
  C.srcY = P.srcPos.y;
  C.srcZ = P.srcPos.z;
  C.srcMemoryType = TypeOf(P.srcArray, cudaMemcpyHostToDevice);
  C.srcHost = P.srcPtr.ptr;
  C.srcDevice = reinterpret_cast<CUdeviceptr>(P.srcPtr.ptr);
  C.srcArray = reinterpret_cast<CUarray>(P.srcArray);
  C.srcPitch = P.srcPtr.pitch;
  C.srcHeight = P.srcPtr.ysize;
  C.dstXInBytes = P.dstPos.x * (P.dstArray ? Bytes : 1);
  C.dstY = P.dstPos.y;
  C.dstZ = P.dstPos.z;
  C.dstMemoryType = TypeOf(P.dstArray, cudaMemcpyDeviceToHost);
  C.dstHost = P.dstPtr.ptr;
  C.dstDevice = reinterpret_cast<CUdeviceptr>(P.dstPtr.ptr);
  C.dstArray = reinterpret_cast<CUarray>(P.dstArray);
  C.dstPitch = P.dstPtr.pitch;
  C.dstHeight = P.dstPtr.ysize;
  C.WidthInBytes = P.extent.width * Bytes;
  C.Height = P.extent.height;
  C.Depth = P.extent.depth;
  return C;
}

/// Runs \p Body(const cudaKernelNodeParams &), whose arguments are unpacked.
template <typename Fn>
static CUresult kernelCall(const CUDA_KERNEL_NODE_PARAMS *Params, Fn &&Body) {
  if (!Params || !Params->func || (Params->extra && Params->kernelParams))
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    const CUDA_KERNEL_NODE_PARAMS &P = *Params;
    std::vector<void *> Arguments;
    if (P.extra) {
      cudaError_t Error = apiCall([&](Runtime &R) {
        return unpackExtra(R, P.func, P.extra, Arguments);
      });
      if (Error != cudaSuccess)
        return Error;
    }
    return Body(
        cudaKernelNodeParams{P.func,
                             {P.gridDimX, P.gridDimY, P.gridDimZ},
                             {P.blockDimX, P.blockDimY, P.blockDimZ},
                             P.sharedMemBytes,
                             P.extra ? Arguments.data() : P.kernelParams,
                             nullptr});
  });
}

//===----------------------------------------------------------------------===//
// Kernel nodes
//===----------------------------------------------------------------------===//

CUresult cuGraphAddKernelNode(CUgraphNode *Node, CUgraph Graph,
                              const CUgraphNode *Dependencies, size_t Count,
                              const CUDA_KERNEL_NODE_PARAMS *Params) {
  return kernelCall(Params, [&](const cudaKernelNodeParams &P) {
    return cudaGraphAddKernelNode(Node, Graph, Dependencies, Count, &P);
  });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode Node,
                                    const CUDA_KERNEL_NODE_PARAMS *Params) {
  return kernelCall(Params, [&](const cudaKernelNodeParams &P) {
    return cudaGraphKernelNodeSetParams(Node, &P);
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec Exec, CUgraphNode Node,
                                        const CUDA_KERNEL_NODE_PARAMS *Params) {
  return kernelCall(Params, [&](const cudaKernelNodeParams &P) {
    return cudaGraphExecKernelNodeSetParams(Exec, Node, &P);
  });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode Node,
                                    CUDA_KERNEL_NODE_PARAMS *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  cudaKernelNodeParams P;
  CUresult Error =
      driverCall([&] { return cudaGraphKernelNodeGetParams(Node, &P); });
  if (Error != CUDA_SUCCESS)
    return Error;
  *Params = {static_cast<CUfunction>(P.func),
             P.gridDim.x,
             P.gridDim.y,
             P.gridDim.z,
             P.blockDim.x,
             P.blockDim.y,
             P.blockDim.z,
             P.sharedMemBytes,
             P.kernelParams,
             nullptr,
             nullptr,
             nullptr};
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode Node,
                                       CUkernelNodeAttrID Attribute,
                                       CUkernelNodeAttrValue *Value) {
  return driverCall([&] {
    return cudaGraphKernelNodeGetAttribute(
        Node, cudaLaunchAttributeID(Attribute),
        reinterpret_cast<cudaLaunchAttributeValue *>(Value));
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode Node,
                                       CUkernelNodeAttrID Attribute,
                                       const CUkernelNodeAttrValue *Value) {
  return driverCall([&] {
    return cudaGraphKernelNodeSetAttribute(
        Node, cudaLaunchAttributeID(Attribute),
        reinterpret_cast<const cudaLaunchAttributeValue *>(Value));
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode To, CUgraphNode From) {
  return driverCall(
      [&] { return cudaGraphKernelNodeCopyAttributes(To, From); });
}

//===----------------------------------------------------------------------===//
// Copies, fills and host functions
//===----------------------------------------------------------------------===//

CUresult cuGraphAddMemcpyNode(CUgraphNode *Node, CUgraph Graph,
                              const CUgraphNode *Dependencies, size_t Count,
                              const CUDA_MEMCPY3D *Params, CUcontext Context) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphAddMemcpyNode(Node, Graph, Dependencies, Count, &Converted);
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode Node,
                                    const CUDA_MEMCPY3D *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphMemcpyNodeSetParams(Node, &Converted);
  });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec Exec, CUgraphNode Node,
                                        const CUDA_MEMCPY3D *Params,
                                        CUcontext Context) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphExecMemcpyNodeSetParams(Exec, Node, &Converted);
  });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode Node, CUDA_MEMCPY3D *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  cudaMemcpy3DParms P;
  CUresult Error =
      driverCall([&] { return cudaGraphMemcpyNodeGetParams(Node, &P); });
  if (Error == CUDA_SUCCESS)
    *Params = convertBack(P);
  return Error;
}

CUresult cuGraphAddMemsetNode(CUgraphNode *Node, CUgraph Graph,
                              const CUgraphNode *Dependencies, size_t Count,
                              const CUDA_MEMSET_NODE_PARAMS *Params,
                              CUcontext Context) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphAddMemsetNode(Node, Graph, Dependencies, Count, &Converted);
  });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode Node,
                                    const CUDA_MEMSET_NODE_PARAMS *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphMemsetNodeSetParams(Node, &Converted);
  });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec Exec, CUgraphNode Node,
                                        const CUDA_MEMSET_NODE_PARAMS *Params,
                                        CUcontext Context) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphExecMemsetNodeSetParams(Exec, Node, &Converted);
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode Node,
                                    CUDA_MEMSET_NODE_PARAMS *Params) {
  return driverCall([&] {
    return cudaGraphMemsetNodeGetParams(
        Node, reinterpret_cast<cudaMemsetParams *>(Params));
  });
}

CUresult cuGraphAddHostNode(CUgraphNode *Node, CUgraph Graph,
                            const CUgraphNode *Dependencies, size_t Count,
                            const CUDA_HOST_NODE_PARAMS *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphAddHostNode(Node, Graph, Dependencies, Count, &Converted);
  });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode Node,
                                  const CUDA_HOST_NODE_PARAMS *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphHostNodeSetParams(Node, &Converted);
  });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec Exec, CUgraphNode Node,
                                      const CUDA_HOST_NODE_PARAMS *Params) {
  if (!Params)
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall([&] {
    auto Converted = convert(*Params);
    return cudaGraphExecHostNodeSetParams(Exec, Node, &Converted);
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode Node,
                                  CUDA_HOST_NODE_PARAMS *Params) {
  return driverCall([&] {
    return cudaGraphHostNodeGetParams(
        Node, reinterpret_cast<cudaHostNodeParams *>(Params));
  });
}

//===----------------------------------------------------------------------===//
// Other nodes
//===----------------------------------------------------------------------===//

CUresult cuGraphAddChildGraphNode(CUgraphNode *Node, CUgraph Graph,
                                  const CUgraphNode *Dependencies, size_t Count,
                                  CUgraph Child) {
  return driverCall([&] {
    return cudaGraphAddChildGraphNode(Node, Graph, Dependencies, Count, Child);
  });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode Node, CUgraph *Graph) {
  return driverCall(
      [&] { return cudaGraphChildGraphNodeGetGraph(Node, Graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec Exec, CUgraphNode Node,
                                            CUgraph Child) {
  return driverCall(
      [&] { return cudaGraphExecChildGraphNodeSetParams(Exec, Node, Child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode *Node, CUgraph Graph,
                             const CUgraphNode *Dependencies, size_t Count) {
  return driverCall(
      [&] { return cudaGraphAddEmptyNode(Node, Graph, Dependencies, Count); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *Node, CUgraph Graph,
                                   const CUgraphNode *Dependencies,
                                   size_t Count, CUevent Event) {
  return driverCall([&] {
    return cudaGraphAddEventRecordNode(Node, Graph, Dependencies, Count, Event);
  });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode Node, CUevent *Event) {
  return driverCall(
      [&] { return cudaGraphEventRecordNodeGetEvent(Node, Event); });
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode Node, CUevent Event) {
  return driverCall(
      [&] { return cudaGraphEventRecordNodeSetEvent(Node, Event); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec Exec, CUgraphNode Node,
                                            CUevent Event) {
  return driverCall(
      [&] { return cudaGraphExecEventRecordNodeSetEvent(Exec, Node, Event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *Node, CUgraph Graph,
                                 const CUgraphNode *Dependencies, size_t Count,
                                 CUevent Event) {
  return driverCall([&] {
    return cudaGraphAddEventWaitNode(Node, Graph, Dependencies, Count, Event);
  });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode Node, CUevent *Event) {
  return driverCall(
      [&] { return cudaGraphEventWaitNodeGetEvent(Node, Event); });
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode Node, CUevent Event) {
  return driverCall(
      [&] { return cudaGraphEventWaitNodeSetEvent(Node, Event); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec Exec, CUgraphNode Node,
                                          CUevent Event) {
  return driverCall(
      [&] { return cudaGraphExecEventWaitNodeSetEvent(Exec, Node, Event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *Node, CUgraph Graph,
                                const CUgraphNode *Dependencies, size_t Count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *Params) {
  return driverCall([&] {
    return cudaGraphAddMemAllocNode(
        Node, Graph, Dependencies, Count,
        reinterpret_cast<cudaMemAllocNodeParams *>(Params));
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode Node,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *Params) {
  return driverCall([&] {
    return cudaGraphMemAllocNodeGetParams(
        Node, reinterpret_cast<cudaMemAllocNodeParams *>(Params));
  });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *Node, CUgraph Graph,
                               const CUgraphNode *Dependencies, size_t Count,
                               CUdeviceptr Address) {
  return driverCall([&] {
    return cudaGraphAddMemFreeNode(Node, Graph, Dependencies, Count,
                                   toPointer(Address));
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode Node, CUdeviceptr *Address) {
  return driverCall(
      [&] { return cudaGraphMemFreeNodeGetParams(Node, Address); });
}
