//===- regshare/Simulate/Launcher.h - With or without timing - -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that knows the two modes of the reference SM apart.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIMULATE_LAUNCHER_H
#define REGSHARE_SIMULATE_LAUNCHER_H

#include "regshare/Sim/Timing.h"

namespace regshare {

/// What kernels run on. Limits are those of one launch; 0 is none.
struct MachineOptions {
  DeviceDescription Device;
  bool Functional = false; ///< Without timing.
  sim::TimingOptions Timing;
  uint64_t CycleLimit = 0;       ///< With timing only.
  uint64_t InstructionLimit = 0; ///< Warp instructions.
  /// Not null: lenient mode, and what it lets pass.
  sim::LenienceLog *Lenient = nullptr;
};

/// What came of a launch.
struct LaunchOutcome {
  sim::LaunchStats Stats;
  std::optional<sim::TimingStats> Timing;
};

/// A machine; with timing its caches keep what a launch left in them.
class Launcher {
public:
  /// Fails on what the device or the options cannot do.
  static Result<std::unique_ptr<Launcher>> create(const MachineOptions &O);
  virtual ~Launcher();

  /// Executes a kernel to its end. Fails on a launch that does not fit and on
  /// what the kernel does wrong.
  virtual Result<LaunchOutcome> run(const sim::Program &P,
                                    sim::GlobalMemory &Memory,
                                    const sim::Function &Kernel,
                                    const sim::LaunchConfig &Config) = 0;
};

} // namespace regshare

#endif // REGSHARE_SIMULATE_LAUNCHER_H
