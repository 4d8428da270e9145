//===- GraphMemory.h - Memory that graphs allocate -*- C++ -*-------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGSHARE_RUNTIME_GRAPH_GRAPHMEMORY_H
#define REGSHARE_RUNTIME_GRAPH_GRAPHMEMORY_H

#include "Graph.h"

namespace regshare::cudart {

/// Gives the node the address that its memory will have in every launch, which
/// no other node's has: so late uses are found.
cudaError_t placeForGraph(Runtime &R, AllocWork &W);
/// Makes memory at the node's address.
cudaError_t allocateForGraph(Runtime &R, const cudaMemAllocNodeParams &P);
/// \p Ptr is what a node of some graph allocates, and no node of this one frees
/// it yet.
cudaError_t checkFreeInGraph(const Runtime &R, const CUgraph_st &Graph,
                             const void *Ptr);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_GRAPHMEMORY_H
