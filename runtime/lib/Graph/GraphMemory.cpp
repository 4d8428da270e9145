//===- GraphMemory.cpp - Memory that graphs allocate ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphMemory.h"

#include "Capture.h"
#include "Runtime.h"

#include <algorithm>

namespace regshare::cudart {

cudaError_t placeForGraph(Runtime &R, AllocWork &W) {
  if (!W.Params.bytesize)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = checkPoolProps(W.Params.poolProps);
      Error != cudaSuccess)
    return Error;
  for (const cudaMemAccessDesc &Each : W.Access)
    if (Each.location.type != cudaMemLocationTypeDevice || Each.location.id)
      return cudaErrorInvalidDevice;
  uint64_t Address = R.Memory->reserve(W.Params.bytesize, "graph allocation");
  if (!Address)
    return cudaErrorMemoryAllocation;
  W.Params.dptr = reinterpret_cast<void *>(Address);
  R.Graphs.Addresses.insert(W.Params.dptr);
  return cudaSuccess;
}

cudaError_t allocateForGraph(Runtime &R, const cudaMemAllocNodeParams &P) {
  auto Address = reinterpret_cast<uint64_t>(P.dptr);
  if (!R.Memory->allocateAt(Address))
    return cudaErrorMemoryAllocation;
  R.Pools.Graphs.add(P.bytesize);
  // The table of pools outlives all allocations.
  std::shared_ptr<PoolUsage> Usage(std::shared_ptr<void>(), &R.Pools.Graphs);
  R.Allocations[Address] = {cudaMemoryTypeDevice, P.bytesize, 0, false, Usage};
  return cudaSuccess;
}

cudaError_t checkFreeInGraph(const Runtime &R, const CUgraph_st &Graph,
                             const void *Ptr) {
  if (!R.Graphs.Addresses.count(Ptr))
    return cudaErrorInvalidValue;
  bool IsFreed = std::any_of(
      Graph.Nodes.begin(), Graph.Nodes.end(), [&](const auto &Node) {
        const auto *W = std::get_if<FreeWork>(&Node->What);
        return W && W->Ptr == Ptr;
      });
  return IsFreed ? cudaErrorInvalidValue : cudaSuccess;
}

} // namespace regshare::cudart
