//===- Launch.cpp - Launching kernels -*- C++ -*---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Graph/Capture.h"
#include "GridLaunch.h"

#include <cstring>

using namespace regshare;
using namespace regshare::cudart;

/// The arguments as they lie in the kernel's parameter space.
static std::vector<uint8_t> pack(const sim::Function &F, void **Args) {
  std::vector<uint8_t> Bytes(F.ParamBytes);
  for (size_t N = 0; N != F.Params.size(); ++N)
    std::memcpy(Bytes.data() + F.Params[N].Offset, Args[N], F.Params[N].Size);
  return Bytes;
}

/// CUDA has a code for a launch that cannot be; which of its numbers is too
/// large is for us to say.
static cudaError_t checkAndLoad(Runtime &R, const LaunchRequest &L,
                                CheckedGrid &Checked) {
  Kernel *K = ModuleTable::get().findKernel(L.Func);
  if (!K)
    return cudaErrorInvalidDeviceFunction;
  if (std::optional<Refusal> No = checkGrid(
          R, {K, L.Grid, L.Block, L.Shared, L.Cooperative}, Checked)) {
    if (!No->Why.empty())
      printError("kernel '" + K->Name + "' cannot be launched: " + No->Why,
                 No->Kind);
    return No->Code;
  }
  if (!L.Args && !Checked.Facts->Code->Params.empty())
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

namespace regshare::cudart {

cudaError_t launchOn(Runtime &R, const LaunchRequest &L, Stream &S) {
  CheckedGrid Checked;
  if (cudaError_t Error = checkAndLoad(R, L, Checked); Error != cudaSuccess)
    return Error;
  return runGrid(R, Checked, pack(*Checked.Facts->Code, L.Args), S);
}

cudaError_t makeKernelWork(Runtime &R, const LaunchRequest &L, KernelWork &W) {
  CheckedGrid Checked;
  if (cudaError_t Error = checkAndLoad(R, L, Checked); Error != cudaSuccess)
    return Error;
  const sim::Function &F = *Checked.Facts->Code;
  W.Func = L.Func;
  W.Grid = L.Grid;
  W.Block = L.Block;
  W.SharedBytes = unsigned(L.Shared);
  W.Cooperative = L.Cooperative;
  W.Arguments = std::make_shared<ArgumentBlock>();
  W.Arguments->Bytes = pack(F, L.Args);
  for (const sim::ParamSlot &Slot : F.Params)
    W.Arguments->Pointers.push_back(W.Arguments->Bytes.data() + Slot.Offset);
  return cudaSuccess;
}

cudaError_t takeAttribute(const cudaLaunchAttribute &A, LaunchRequest &L,
                          const std::string &Call) {
  auto Lacks = [&](const std::string &What) {
    printError(Call + ": " + What + "; it returns cudaErrorNotSupported",
               ErrorKind::Unsupported);
    return cudaErrorNotSupported;
  };
  switch (A.id) {
  case cudaLaunchAttributeCooperative:
    L.Cooperative = A.val.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension: {
    const auto &D = A.val.clusterDim;
    if (D.x == 1 && D.y == 1 && D.z == 1)
      return cudaSuccess;
    return Lacks("there are no clusters of more than one CTA, " +
                 extent(dim3(D.x, D.y, D.z)) + " are asked for");
  }
  case cudaLaunchAttributeProgrammaticEvent:
  case cudaLaunchAttributeLaunchCompletionEvent:
    return Lacks("events are recorded by cudaEventRecord alone, attribute " +
                 std::to_string(int(A.id)) + " asks for one within a launch");
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return Lacks("kernels cannot update a graph, attribute " +
                 std::to_string(int(A.id)) + " asks for a node that they can");
  default:
    return cudaSuccess;
  }
}

} // namespace regshare::cudart

static cudaError_t launch(Runtime &R, const LaunchRequest &L) {
  if (!ModuleTable::get().findKernel(L.Func))
    return cudaErrorInvalidDeviceFunction;
  Stream *S = nullptr;
  if (cudaError_t Error = findStream(R, L.Stream, S); Error != cudaSuccess)
    return Error;
  if (!R.Captures.isCapturing(*S))
    return launchOn(R, L, *S);
  KernelWork W;
  if (cudaError_t Error = makeKernelWork(R, L, W); Error != cudaSuccess)
    return Error;
  R.Captures.add(*S, std::move(W));
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *Func, dim3 GridDim, dim3 BlockDim,
                             void **Args, size_t SharedMem,
                             cudaStream_t Stream) {
  return apiCall([&](Runtime &R) {
    return launch(R, {Func, GridDim, BlockDim, Args, SharedMem, Stream});
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void *Func, dim3 GridDim,
                                        dim3 BlockDim, void **Args,
                                        size_t SharedMem, cudaStream_t Stream) {
  return apiCall([&](Runtime &R) {
    return launch(R, {Func, GridDim, BlockDim, Args, SharedMem, Stream, true});
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Func, void **Args) {
  return apiCall([&](Runtime &R) {
    if (!Config || (Config->numAttrs && !Config->attrs))
      return cudaErrorInvalidValue;
    LaunchRequest L{Func, Config->gridDim,          Config->blockDim,
                    Args, Config->dynamicSmemBytes, Config->stream};
    for (unsigned N = 0; N != Config->numAttrs; ++N)
      if (cudaError_t Error =
              takeAttribute(Config->attrs[N], L, "cudaLaunchKernelEx");
          Error != cudaSuccess)
        return Error;
    return launch(R, L);
  });
}
