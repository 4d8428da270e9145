//===- TimedLauncher.h - Launches with timing ---------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_SIMULATE_TIMEDLAUNCHER_H
#define REGSHARE_LIB_SIMULATE_TIMEDLAUNCHER_H

#include "regshare/Simulate/Launcher.h"

namespace regshare {

/// Fails on a device without timing figures and on unknown options.
Result<std::unique_ptr<Launcher>> createTimedLauncher(const MachineOptions &O);

} // namespace regshare

#endif // REGSHARE_LIB_SIMULATE_TIMEDLAUNCHER_H
