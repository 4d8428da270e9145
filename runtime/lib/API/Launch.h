//===- Launch.h - Launches as calls and nodes make them -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGSHARE_RUNTIME_API_LAUNCH_H
#define REGSHARE_RUNTIME_API_LAUNCH_H

#include "Runtime.h"

namespace regshare::cudart {

struct LaunchRequest {
  const void *Func;
  dim3 Grid, Block;
  void **Args;
  size_t Shared; ///< Dynamic, in bytes.
  cudaStream_t Stream;
  bool Cooperative = false;
};

/// Runs \p L as work of \p S, whatever its Stream is. A fault shows at later
/// calls, as it does where kernels run on their own.
cudaError_t launchOn(Runtime &R, const LaunchRequest &L, Stream &S);
/// What an attribute of a launch asks of \p L. Attributes that are hints about
/// overlap, priority and caches change nothing: launches are done in the order
/// of issue. \p Call names who asks.
cudaError_t takeAttribute(const cudaLaunchAttribute &A, LaunchRequest &L,
                          const std::string &Call);

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_API_LAUNCH_H
