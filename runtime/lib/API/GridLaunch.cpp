//===- GridLaunch.cpp - Grids, whoever launches them -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridLaunch.h"

#include "DeviceFacts.h"
#include "DeviceLaunch/DeviceLaunches.h"
#include "Interruption.h"
#include "Launcher.h"

#include "regshare/Sim/GridBarrier.h"

namespace regshare::cudart {

std::string extent(const dim3 &D) {
  return std::to_string(D.x) + "x" + std::to_string(D.y) + "x" +
         std::to_string(D.z);
}

static std::optional<Refusal> checkShape(const DeviceDescription &D,
                                         const GridRequest &G) {
  auto Wrong = [&](const std::string &Why,
                   ErrorKind Kind = ErrorKind::DoesNotFit) {
    return Refusal{cudaErrorInvalidConfiguration, Why, Kind};
  };
  uint64_t Threads = uint64_t(G.Block.x) * G.Block.y * G.Block.z;
  if (!Threads || !G.Grid.x || !G.Grid.y || !G.Grid.z)
    return Wrong("its grid or block is empty: " + extent(G.Grid) + " CTAs of " +
                     extent(G.Block) + " threads",
                 ErrorKind::BadInput);
  if (G.Grid.x > MaxGridX || G.Grid.y > MaxGridYZ || G.Grid.z > MaxGridYZ)
    return Wrong("a grid of " + extent(G.Grid) + " CTAs is too large");
  if (G.Block.x > MaxBlockXY || G.Block.y > MaxBlockXY ||
      G.Block.z > MaxBlockZ || Threads > D.MaxThreadsPerCTA)
    return Wrong("CTAs of " + extent(G.Block) +
                 " threads are too large, the device allows " +
                 std::to_string(D.MaxThreadsPerCTA));
  return std::nullopt;
}

static KernelResources needsOf(const KernelFacts &Facts, const GridRequest &G) {
  return {Facts.Regs, G.Block.x * G.Block.y * G.Block.z,
          unsigned(Facts.sharedWith(G.Shared))};
}

static std::optional<Refusal> checkShared(const DeviceDescription &D,
                                          const KernelFacts &Facts,
                                          const GridRequest &G) {
  if (Facts.sharedWith(G.Shared) > D.MaxSharedPerCTA)
    return Refusal{cudaErrorInvalidValue,
                   std::to_string(Facts.sharedWith(G.Shared)) +
                       " bytes of shared memory in a CTA, the device allows " +
                       std::to_string(D.MaxSharedPerCTA)};
  if (unsigned Most = Facts.maxDynamicShared(D, *G.Which); G.Shared > Most)
    return Refusal{
        cudaErrorInvalidValue,
        std::to_string(G.Shared) + " bytes of dynamic shared memory, " +
            std::to_string(Most) + " are allowed without cudaFuncSetAttribute",
        ErrorKind::BadInput};
  return std::nullopt;
}

static std::optional<Refusal> checkResources(const Runtime &R,
                                             const KernelFacts &Facts,
                                             const GridRequest &G) {
  const DeviceDescription &D = R.Config.Device;
  unsigned Threads = G.Block.x * G.Block.y * G.Block.z;
  if (Threads > Facts.LaunchBound)
    return Refusal{cudaErrorInvalidValue,
                   std::to_string(Threads) +
                       " threads in a CTA, its launch "
                       "bounds allow " +
                       std::to_string(Facts.LaunchBound),
                   ErrorKind::BadInput};
  if (const sim::Dim3 &Cluster = Facts.Code->Syntax->ClusterCtas;
      Cluster.count() > 1)
    return Refusal{cudaErrorNotSupported,
                   "there are no clusters of more than one CTA, it has "
                   "clusters of " +
                       extent(dim3(Cluster.X, Cluster.Y, Cluster.Z)),
                   ErrorKind::Unsupported};
  if (std::optional<Refusal> No = checkShared(D, Facts, G))
    return No;
  Result<unsigned> CTAs =
      R.Kernels->residentCTAs(needsOf(Facts, G), *Facts.Code, G.Cooperative);
  if (!CTAs)
    return Refusal{cudaErrorLaunchOutOfResources, CTAs.error().Message};
  uint64_t Wanted = uint64_t(G.Grid.x) * G.Grid.y * G.Grid.z;
  uint64_t Room = uint64_t(*CTAs) * D.NumSMs;
  if (G.Cooperative && Wanted > Room)
    return Refusal{cudaErrorCooperativeLaunchTooLarge,
                   std::to_string(Wanted) +
                       " CTAs that have to be resident "
                       "together, the device has room for " +
                       std::to_string(Room)};
  return std::nullopt;
}

std::optional<Refusal> checkGrid(Runtime &R, const GridRequest &G,
                                 CheckedGrid &Checked) {
  auto Told = [](cudaError_t Code) { return Refusal{Code, ""}; };
  Kernel &K = *G.Which;
  Checked.Request = G;
  if (std::optional<Refusal> No = checkShape(R.Config.Device, G))
    return No;
  if (cudaError_t Error = R.load(*K.Owner); Error != cudaSuccess)
    return Told(Error);
  LaunchShape Shape{G.Block.x * G.Block.y * G.Block.z, {}, unsigned(G.Shared)};
  if (R.Config.SharedSpilling)
    Shape.Block = {G.Block.x, G.Block.y, G.Block.z};
  Checked.Code =
      ModuleTable::get().codeFor(*K.Owner, Shape, R.Config, *R.Memory);
  if (!Checked.Code)
    return Told(cudaErrorInvalidKernelImage);
  Checked.Facts = KernelFacts::of(K, R.Config.Device, *Checked.Code);
  if (!Checked.Facts)
    return Told(ModuleTable::get().errorOf(K, *Checked.Code));
  return checkResources(R, *Checked.Facts, G);
}

/// What is known of a launch before it runs.
static LaunchRecord recordOf(const Runtime &R, const CheckedGrid &G,
                             const sim::LaunchConfig &Config) {
  const KernelFacts &Facts = *G.Facts;
  LaunchRecord Record;
  Record.Kernel = G.Request.Which->Name;
  Record.Grid = Config.Grid;
  Record.Block = Config.Block;
  Record.DynamicSharedBytes = Config.DynamicSharedBytes;
  Record.Descriptor = Facts.Descriptor;
  Record.Regs = Facts.Regs;
  Record.Code = CodeSize::of(*Facts.Code);
  Record.SharedBytes = Facts.StaticShared;
  Record.LocalBytes = Facts.LocalBytes;
  Record.ResidentCTAs = Facts.residentCTAs(
      R.Config.Device, unsigned(Config.Block.count()), G.Request.Shared);
  return Record;
}

/// The grids that the threads of launch \p Parent.Launch have launched, one
/// after the other.
static void runChildren(Runtime &R, DeviceLaunches &Children, Stream &S,
                        GridParent Parent) {
  for (DeviceLaunches::Child &C : Children.inOrder()) {
    runGrid(R, C.Grid, std::move(C.Arguments), S, Parent);
    if (R.Fault != cudaSuccess)
      return;
  }
}

cudaError_t runGrid(Runtime &R, const CheckedGrid &G,
                    std::vector<uint8_t> Arguments, Stream &S,
                    GridParent Parent) {
  const GridRequest &L = G.Request;
  sim::LaunchConfig Config{{L.Grid.x, L.Grid.y, L.Grid.z},
                           {L.Block.x, L.Block.y, L.Block.z},
                           uint32_t(L.Shared),
                           std::move(Arguments)};
  if (auto It = R.Limits.find(cudaLimitStackSize); It != R.Limits.end())
    Config.StackBytes =
        uint32_t(std::min<size_t>(It->second, sim::MaxStackBytes));
  LaunchRecord Record = recordOf(R, G, Config);
  Result<ShownFacts> Shown = R.Config.TheScheme.show(G.Facts->Code->Facts);
  if (Shown && !Shown->Key.empty())
    Record.Shown = *Shown;
  Record.Stream = S.Number;
  Record.Parent = Parent.Launch;
  sim::GridBarrier Barrier(*G.Code->Program, *R.Memory);
  Barrier.prepare(Config, L.Cooperative);
  DeviceLaunches Children(R, *L.Which, Parent.Depth);
  Result<LaunchOutcome> Outcome =
      Shown ? R.Kernels->run(*G.Code->Program, *R.Memory, L.Which->Name, Config,
                             needsOf(*G.Facts, L), L.Cooperative,
                             R.Log.passed(), Children)
            : tl::make_unexpected(Shown.error());
  R.Log.warnOfPassed();
  if (Outcome) {
    Record.Outcome = std::move(*Outcome);
  } else {
    Record.Kind = Outcome.error().Kind;
    printError(Outcome.error().str(), Record.Kind);
    R.Fault = Record.Fault = classifyFault(Record.Kind);
  }
  Record.When = R.Clock.run(S, Engine::SMs, Record.Outcome.Seconds);
  unsigned Number = R.Log.add(std::move(Record));
  endIfInterrupted(R.Log);
  if (R.Fault == cudaSuccess)
    runChildren(R, Children, S, {Number, Parent.Depth + 1});
  return R.Config.Blocking ? R.Fault : cudaSuccess;
}

} // namespace regshare::cudart
