//===- DeviceLaunches.cpp - Grids that a kernel launches -*- C++ -*--------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLaunches.h"

#include <algorithm>
#include <tuple>

namespace regshare::cudart {

cudaError_t DeviceLaunches::refuse(const std::string &Name, const Refusal &No) {
  std::string Key = Parent.Name + " " + Name + " " + cudaGetErrorName(No.Code);
  if (!No.Why.empty() && R.RefusedToKernels.insert(Key).second)
    printWarning("kernel '" + Parent.Name + "' cannot launch " + Name + ": " +
                 No.Why + "; the call returns " + cudaGetErrorName(No.Code));
  return No.Code;
}

uint32_t DeviceLaunches::launch(sim::DeviceLaunch L) {
  if (!L.Kernel)
    return refuse("what it names",
                  {cudaErrorInvalidDeviceFunction, "that is no kernel"});
  std::string Name = "kernel '" + L.Kernel->Name + "'";
  if (Depth >= MaxLaunchDepth)
    return refuse(Name, {cudaErrorLaunchMaxDepthExceeded,
                         "at most " + std::to_string(MaxLaunchDepth) +
                             " grids launch each other"});
  auto It = R.Limits.find(cudaLimitDevRuntimePendingLaunchCount);
  size_t Most = It == R.Limits.end() ? DefaultPendingLaunches : It->second;
  if (Children.size() >= Most)
    return refuse(Name, {cudaErrorLaunchPendingCountExceeded,
                         std::to_string(Children.size()) +
                             " launches are pending, and "
                             "cudaLimitDevRuntimePendingLaunchCount allows " +
                             std::to_string(Most)});
  auto Extent = [](const sim::Dim3 &D) { return dim3(D.X, D.Y, D.Z); };
  CheckedGrid Grid;
  GridRequest Request{
      ModuleTable::get().kernelNamed(*Parent.Owner, L.Kernel->Name),
      Extent(L.Config.Grid), Extent(L.Config.Block),
      L.Config.DynamicSharedBytes};
  if (std::optional<Refusal> No = checkGrid(R, Request, Grid))
    return refuse(Name, *No);
  bool IsTail = L.Stream == sim::TailLaunchStream;
  uint64_t Order = L.Cta;
  if (L.Stream != sim::NullStream && L.Stream != sim::FireAndForgetStream) {
    uint64_t &Last = IsTail ? LastTail : LastShared;
    Order = Last = std::max(Last, Order);
  }
  Children.push_back({std::move(Grid), std::move(L.Config.Arguments), IsTail,
                      Order, Children.size()});
  return cudaSuccess;
}

std::vector<DeviceLaunches::Child> &DeviceLaunches::inOrder() {
  std::ranges::sort(Children, {}, [](const Child &C) {
    return std::tuple(C.IsTail, C.Order, C.Number);
  });
  return Children;
}

} // namespace regshare::cudart
