//===- Work.h - What a node of a graph does -*- C++ -*--------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Work of a stream as a value: a call makes it, and it is either done at once
/// or becomes a node of a graph, which does it at each launch.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_GRAPH_WORK_H
#define REGSHARE_RUNTIME_GRAPH_WORK_H

#include "cuda_runtime_api.h"

#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace regshare::cudart {

class Runtime;
struct LaunchRequest;
struct Stream;

/// A kernel's arguments, copied. Pointers are what a launch takes, one into
/// Bytes for each parameter.
struct ArgumentBlock {
  std::vector<uint8_t> Bytes;
  std::vector<void *> Pointers;
};

struct KernelWork {
  const void *Func = nullptr;
  dim3 Grid, Block;
  unsigned SharedBytes = 0; ///< Dynamic.
  bool Cooperative = false;
  std::shared_ptr<ArgumentBlock> Arguments; ///< Never null in a node.
  /// Those that are set, as the program reads them back.
  std::map<int, cudaLaunchAttributeValue> Attributes;
};
struct CopyWork {
  cudaMemcpy3DParms Params;
};
struct FillWork {
  cudaMemsetParams Params;
};
struct HostWork {
  cudaHostFn_t Function;
  void *UserData;
};
/// The graph inside the node, which no other has: cloneOf() copies it.
struct ChildWork {
  std::shared_ptr<CUgraph_st> Graph;
};
struct EmptyWork {};
struct EventRecordWork {
  cudaEvent_t Event;
};
struct EventWaitWork {
  cudaEvent_t Event;
};
struct AllocWork {
  cudaMemAllocNodeParams Params; ///< With the address.
  std::vector<cudaMemAccessDesc> Access;
};
struct FreeWork {
  void *Ptr;
};

/// The order is that of no enumeration; typeOf() has CUDA's numbers.
using Work =
    std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork,
                 EventRecordWork, EventWaitWork, AllocWork, FreeWork>;

cudaGraphNodeType typeOf(const Work &W);
/// Copies everything, the graph inside a node as well.
Work cloneOf(const Work &W);

/// Does \p W in \p S. Host functions are for the caller, without the lock, and
/// child graphs are no work of their own.
cudaError_t perform(Runtime &R, Stream &S, const Work &W);
/// What is wrong with \p W before any memory is there: shapes, kinds, null
/// pointers, kernels that do not fit the device.
cudaError_t check(Runtime &R, const Work &W);
/// \p W is done now, or captured where \p S is.
cudaError_t issue(Runtime &R, Stream &S, Work W);

/// A launch with its arguments copied. The launch is checked as one that is
/// done at once.
cudaError_t makeKernelWork(Runtime &R, const LaunchRequest &L, KernelWork &W);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_GRAPH_WORK_H
