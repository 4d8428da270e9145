//===- Work.cpp - What a node of a graph does ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Work.h"

#include "API/Copies.h"
#include "API/Launch.h"
#include "Capture.h"
#include "GraphMemory.h"

#include <utility>

namespace regshare::cudart {

namespace {
/// Does the work in a stream.
struct Performer {
  Runtime &R;
  Stream &S;

  cudaError_t operator()(const EmptyWork &) { return cudaSuccess; }
  cudaError_t operator()(const KernelWork &W) {
    return launchOn(R,
                    {W.Func, W.Grid, W.Block, W.Arguments->Pointers.data(),
                     W.SharedBytes, nullptr, W.Cooperative},
                    S);
  }
  cudaError_t operator()(const CopyWork &W) { return copy(R, S, W.Params); }
  cudaError_t operator()(const FillWork &W) { return fill(R, S, W.Params); }
  cudaError_t operator()(const HostWork &) { return cudaSuccess; }
  cudaError_t operator()(const ChildWork &) { return cudaSuccess; }
  cudaError_t operator()(const EventRecordWork &W) {
    auto It = R.Events.find(W.Event);
    if (It == R.Events.end())
      return cudaErrorInvalidResourceHandle;
    It->second->Recorded = true;
    It->second->Time = R.Clock.readyTime(S);
    return cudaSuccess;
  }
  cudaError_t operator()(const EventWaitWork &W) {
    auto It = R.Events.find(W.Event);
    if (It == R.Events.end())
      return cudaErrorInvalidResourceHandle;
    if (It->second->Recorded)
      R.Clock.waitUntil(S, It->second->Time);
    return cudaSuccess;
  }
  cudaError_t operator()(const AllocWork &W) {
    return allocateForGraph(R, W.Params);
  }
  cudaError_t operator()(const FreeWork &W) {
    return R.release(W.Ptr, /*Host=*/false, /*HostWaits=*/false);
  }
};

/// Says what is wrong whatever memory there is.
struct Checker {
  Runtime &R;

  cudaError_t operator()(const EmptyWork &) { return cudaSuccess; }
  /// makeKernelWork() has done it.
  cudaError_t operator()(const KernelWork &) { return cudaSuccess; }
  cudaError_t operator()(const CopyWork &W) { return checkCopy(R, W.Params); }
  cudaError_t operator()(const FillWork &W) { return checkFill(W.Params); }
  cudaError_t operator()(const HostWork &W) {
    return W.Function ? cudaSuccess : cudaErrorInvalidValue;
  }
  cudaError_t operator()(const ChildWork &) { return cudaSuccess; }
  cudaError_t operator()(const EventRecordWork &W) { return known(W.Event); }
  cudaError_t operator()(const EventWaitWork &W) { return known(W.Event); }
  cudaError_t operator()(const AllocWork &) { return cudaSuccess; }
  cudaError_t operator()(const FreeWork &W) {
    return W.Ptr ? cudaSuccess : cudaErrorInvalidValue;
  }

  cudaError_t known(cudaEvent_t Event) {
    return R.Events.count(Event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  }
};
} // namespace

cudaError_t perform(Runtime &R, Stream &S, const Work &W) {
  return std::visit(Performer{R, S}, W);
}

cudaError_t check(Runtime &R, const Work &W) {
  return std::visit(Checker{R}, W);
}

cudaError_t issue(Runtime &R, Stream &S, Work W) {
  if (!R.Captures.isCapturing(S))
    return perform(R, S, W);
  if (cudaError_t Error = check(R, W); Error != cudaSuccess)
    return Error;
  R.Captures.add(S, std::move(W));
  return cudaSuccess;
}

} // namespace regshare::cudart
