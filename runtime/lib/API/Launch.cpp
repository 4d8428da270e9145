//===- Launch.cpp - Launching kernels -*- C++ -*---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "DeviceFacts.h"
#include "Graph/Capture.h"
#include "Interruption.h"
#include "KernelFacts.h"
#include "Launcher.h"

#include <cstring>

using namespace regshare;
using namespace regshare::cudart;

/// CUDA has a code for a launch that cannot be; which of its numbers is too
/// large is for us to say.
static cudaError_t refuse(cudaError_t Code, const Kernel &K,
                          const std::string &Why,
                          ErrorKind Kind = ErrorKind::DoesNotFit) {
  printError("kernel '" + K.Name + "' cannot be launched: " + Why, Kind);
  return Code;
}

static std::string extent(const dim3 &D) {
  return std::to_string(D.x) + "x" + std::to_string(D.y) + "x" +
         std::to_string(D.z);
}

static cudaError_t checkShape(const DeviceDescription &D, const Kernel &K,
                              const LaunchRequest &L) {
  auto Wrong = [&](const std::string &Why,
                   ErrorKind Kind = ErrorKind::DoesNotFit) {
    return refuse(cudaErrorInvalidConfiguration, K, Why, Kind);
  };
  uint64_t Threads = uint64_t(L.Block.x) * L.Block.y * L.Block.z;
  if (!Threads || !L.Grid.x || !L.Grid.y || !L.Grid.z)
    return Wrong("its grid or block is empty: " + extent(L.Grid) + " CTAs of " +
                     extent(L.Block) + " threads",
                 ErrorKind::BadInput);
  if (L.Grid.x > MaxGridX || L.Grid.y > MaxGridYZ || L.Grid.z > MaxGridYZ)
    return Wrong("a grid of " + extent(L.Grid) + " CTAs is too large");
  if (L.Block.x > MaxBlockXY || L.Block.y > MaxBlockXY ||
      L.Block.z > MaxBlockZ || Threads > D.MaxThreadsPerCTA)
    return Wrong("CTAs of " + extent(L.Block) +
                 " threads are too large, the device allows " +
                 std::to_string(D.MaxThreadsPerCTA));
  return cudaSuccess;
}

static KernelResources needsOf(const KernelFacts &Facts,
                               const LaunchRequest &L) {
  return {Facts.Regs, L.Block.x * L.Block.y * L.Block.z,
          unsigned(Facts.sharedWith(L.Shared))};
}

static cudaError_t checkResources(const Runtime &R, const Kernel &K,
                                  const KernelFacts &Facts,
                                  const LaunchRequest &L) {
  const DeviceDescription &D = R.Config.Device;
  unsigned Threads = L.Block.x * L.Block.y * L.Block.z;
  if (Threads > Facts.LaunchBound)
    return refuse(cudaErrorInvalidValue, K,
                  std::to_string(Threads) +
                      " threads in a CTA, its launch "
                      "bounds allow " +
                      std::to_string(Facts.LaunchBound),
                  ErrorKind::BadInput);
  if (const sim::Dim3 &Cluster = Facts.Code->Syntax->ClusterCtas;
      Cluster.count() > 1)
    return refuse(cudaErrorNotSupported, K,
                  "there are no clusters of more than one CTA, it has clusters "
                  "of " +
                      extent(dim3(Cluster.X, Cluster.Y, Cluster.Z)),
                  ErrorKind::Unsupported);
  if (Facts.sharedWith(L.Shared) > D.MaxSharedPerCTA)
    return refuse(cudaErrorInvalidValue, K,
                  std::to_string(Facts.sharedWith(L.Shared)) +
                      " bytes of shared memory in a CTA, the device allows " +
                      std::to_string(D.MaxSharedPerCTA));
  if (L.Shared > Facts.maxDynamicShared(D, K))
    return refuse(cudaErrorInvalidValue, K,
                  std::to_string(L.Shared) +
                      " bytes of dynamic shared memory, " +
                      std::to_string(Facts.maxDynamicShared(D, K)) +
                      " are allowed without cudaFuncSetAttribute",
                  ErrorKind::BadInput);
  unsigned CTAs =
      R.Kernels->residentCTAs(needsOf(Facts, L), *Facts.Code, L.Cooperative);
  if (!CTAs)
    return refuse(
        cudaErrorLaunchOutOfResources, K,
        std::to_string(Threads) + " threads of " + std::to_string(Facts.Regs) +
            " registers in a CTA, an SM has " + std::to_string(D.Registers));
  uint64_t Wanted = uint64_t(L.Grid.x) * L.Grid.y * L.Grid.z;
  uint64_t Room = uint64_t(CTAs) * D.NumSMs;
  if (L.Cooperative && Wanted > Room)
    return refuse(cudaErrorCooperativeLaunchTooLarge, K,
                  std::to_string(Wanted) +
                      " CTAs that have to be resident "
                      "together, the device has room for " +
                      std::to_string(Room));
  return cudaSuccess;
}

/// Tells a kernel how many CTAs its grid's barriers are for; none where they
/// need not be resident together.
static void setGridBarrier(Runtime &R, const LoadedCode &Code,
                           const LaunchRequest &L) {
  auto &Symbols = Code.Program->Symbols;
  auto It = Symbols.find("regshare_grid_barrier");
  if (It == Symbols.end() || It->second.Size != 8)
    return;
  const uint32_t Values[2] = {
      L.Cooperative ? L.Grid.x * L.Grid.y * L.Grid.z : 0, 0};
  R.Memory->write(It->second.Address, Values, sizeof(Values));
}

/// The arguments as they lie in the kernel's parameter space.
static std::vector<uint8_t> pack(const sim::Function &F, void **Args) {
  std::vector<uint8_t> Bytes(F.ParamBytes);
  for (size_t N = 0; N != F.Params.size(); ++N)
    std::memcpy(Bytes.data() + F.Params[N].Offset, Args[N], F.Params[N].Size);
  return Bytes;
}

/// Runs a launch that is known to fit. A fault shows at later calls, as it does
/// where kernels run on their own.
static cudaError_t run(Runtime &R, const Kernel &K, const LoadedCode &Code,
                       const KernelFacts &Facts, const LaunchRequest &L,
                       Stream &S) {
  sim::LaunchConfig Config{{L.Grid.x, L.Grid.y, L.Grid.z},
                           {L.Block.x, L.Block.y, L.Block.z},
                           uint32_t(L.Shared),
                           pack(*Facts.Code, L.Args)};
  if (auto It = R.Limits.find(cudaLimitStackSize); It != R.Limits.end())
    Config.StackBytes =
        uint32_t(std::min<size_t>(It->second, sim::MaxStackBytes));
  LaunchRecord Record;
  Record.Kernel = K.Name;
  Record.Grid = Config.Grid;
  Record.Block = Config.Block;
  Record.DynamicSharedBytes = Config.DynamicSharedBytes;
  Record.Stream = S.Number;
  Record.Descriptor = Facts.Descriptor;
  Record.Regs = Facts.Regs;
  if (ShownFacts Shown = R.Config.TheScheme.show(Facts.Code->Facts);
      !Shown.Key.empty())
    Record.Shown = std::move(Shown);
  Record.Code = CodeSize::of(*Facts.Code);
  Record.SharedBytes = Facts.StaticShared;
  Record.LocalBytes = Facts.LocalBytes;
  Record.ResidentCTAs = Facts.residentCTAs(
      R.Config.Device, unsigned(Config.Block.count()), L.Shared);
  setGridBarrier(R, Code, L);
  Result<LaunchOutcome> Outcome =
      R.Kernels->run(*Code.Program, *R.Memory, K.Name, Config,
                     needsOf(Facts, L), L.Cooperative, R.Log.passed());
  R.Log.warnOfPassed();
  if (Outcome) {
    Record.Outcome = std::move(*Outcome);
  } else {
    Record.Kind = Outcome.error().Kind;
    printError(Outcome.error().str(), Record.Kind);
    R.Fault = Record.Fault = classifyFault(Record.Kind);
  }
  Record.When = R.Clock.run(S, Engine::SMs, Record.Outcome.Seconds);
  R.Log.add(std::move(Record));
  endIfInterrupted(R.Log);
  return R.Config.Blocking ? R.Fault : cudaSuccess;
}

namespace {
/// A launch that is known to fit.
struct CheckedLaunch {
  Kernel *Which = nullptr;
  const LoadedCode *Code = nullptr;
  std::optional<KernelFacts> Facts;
};
} // namespace

static cudaError_t checkAndLoad(Runtime &R, const LaunchRequest &L,
                                CheckedLaunch &Checked) {
  Kernel *K = Checked.Which = ModuleTable::get().findKernel(L.Func);
  if (!K)
    return cudaErrorInvalidDeviceFunction;
  if (cudaError_t Error = checkShape(R.Config.Device, *K, L);
      Error != cudaSuccess)
    return Error;
  if (cudaError_t Error = R.load(*K->Owner); Error != cudaSuccess)
    return Error;
  unsigned Threads = L.Block.x * L.Block.y * L.Block.z;
  LaunchShape Shape{Threads, {}, unsigned(L.Shared)};
  if (R.Config.SharedSpilling)
    Shape.Block = {L.Block.x, L.Block.y, L.Block.z};
  Checked.Code =
      ModuleTable::get().codeFor(*K->Owner, Shape, R.Config, *R.Memory);
  if (!Checked.Code)
    return cudaErrorInvalidKernelImage;
  Checked.Facts = KernelFacts::of(*K, R.Config.Device, *Checked.Code);
  if (!Checked.Facts)
    return ModuleTable::get().explain(*K, *Checked.Code)
               ? cudaErrorInvalidKernelImage
               : cudaErrorInvalidDeviceFunction;
  if (!L.Args && !Checked.Facts->Code->Params.empty())
    return cudaErrorInvalidValue;
  return checkResources(R, *K, *Checked.Facts, L);
}

namespace regshare::cudart {

cudaError_t launchOn(Runtime &R, const LaunchRequest &L, Stream &S) {
  CheckedLaunch Checked;
  if (cudaError_t Error = checkAndLoad(R, L, Checked); Error != cudaSuccess)
    return Error;
  return run(R, *Checked.Which, *Checked.Code, *Checked.Facts, L, S);
}

cudaError_t makeKernelWork(Runtime &R, const LaunchRequest &L, KernelWork &W) {
  CheckedLaunch Checked;
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
