//===- regshare/Sim/DeviceRuntime.h - Launches by kernels -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel asks of the runtime that has launched it: grids that its
/// threads launch (CUDA dynamic parallelism).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_DEVICERUNTIME_H
#define REGSHARE_SIM_DEVICERUNTIME_H

#include "regshare/Sim/Launch.h"

namespace regshare::sim {

/// Streams that every grid has, by CUDA's handles
/// (cuda_device_runtime_api.h).
inline constexpr uint64_t NullStream = 0, TailLaunchStream = 3,
                          FireAndForgetStream = 4;
/// All streams that threads create are one: the grids in it keep their order,
/// which those of two streams need not do.
inline constexpr uint64_t CreatedStream = 256;

/// A grid that a thread launches.
struct DeviceLaunch {
  /// Of the launching kernel's program; null: the thread named no kernel.
  const Function *Kernel = nullptr;
  LaunchConfig Config;
  uint64_t Stream = NullStream;
  uint64_t Cta = 0; ///< Number of the thread's CTA in its grid.
};

/// Takes the launches of one grid's threads, in the order in which they are
/// executed; with timing, those of one host thread.
class DeviceRuntime {
public:
  virtual ~DeviceRuntime() = default;
  /// What the thread's call returns: 0 if the grid will run, else CUDA's code
  /// of an error.
  virtual uint32_t launch(DeviceLaunch L) = 0;
};

} // namespace regshare::sim

#endif // REGSHARE_SIM_DEVICERUNTIME_H
