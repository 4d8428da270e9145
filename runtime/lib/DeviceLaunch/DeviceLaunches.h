//===- DeviceLaunches.h - Grids that a kernel launches -*- C++ -*----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the threads of one grid launch while it runs (CUDA dynamic
/// parallelism). It is checked at the call, and runs after the grid, which no
/// thread can wait for.
///
//===----------------------------------------------------------------------===//
#ifndef REGSHARE_RUNTIME_DEVICELAUNCHES_H
#define REGSHARE_RUNTIME_DEVICELAUNCHES_H

#include "API/GridLaunch.h"

#include "regshare/Sim/DeviceRuntime.h"

#include <vector>

namespace regshare::cudart {

/// Launches that a grid's threads may have pending, unless
/// cudaLimitDevRuntimePendingLaunchCount says otherwise (CUDA C++ Programming
/// Guide, "Pending Kernel Launches").
inline constexpr size_t DefaultPendingLaunches = 2048;
/// Grids that may have launched each other, the host's not counted (CUDA C++
/// Programming Guide, "Nesting and Synchronization Depth").
inline constexpr unsigned MaxLaunchDepth = 24;

class DeviceLaunches final : public sim::DeviceRuntime {
public:
  /// Of a grid of \p Parent that is \p Depth launches away from the host's.
  DeviceLaunches(Runtime &R, const Kernel &Parent, unsigned Depth)
      : R(R), Parent(Parent), Depth(Depth) {}

  /// Warns once of why a kernel is refused.
  uint32_t launch(sim::DeviceLaunch L) override;

  struct Child {
    CheckedGrid Grid;
    std::vector<uint8_t> Arguments; ///< As in the kernel's parameter space.
    bool IsTail;                    ///< Comes after all that are not.
    uint64_t Order;                 ///< Of those that are alike in that.
    size_t Number;                  ///< The same, by the calls.
  };
  /// What was launched, by CTA and then in the order of the calls: so the order
  /// does not depend on which CTA was faster. A stream that CTAs share keeps
  /// its own order.
  std::vector<Child> &inOrder();

private:
  cudaError_t refuse(const std::string &Name, const Refusal &No);

  Runtime &R;
  const Kernel &Parent;
  unsigned Depth;
  std::vector<Child> Children;
  /// Of the last one in a stream that CTAs share: one that a thread has
  /// created, or that of tail launches.
  uint64_t LastShared = 0, LastTail = 0;
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_DEVICELAUNCHES_H
