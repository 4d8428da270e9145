//===- SimulateTest.h - Simulations in tests ----------------- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SIMULATE_SIMULATETEST_H
#define REGSHARE_UNITTESTS_SIMULATE_SIMULATETEST_H

#include "regshare/Simulate/Simulation.h"

#include <gmock/gmock.h>

namespace regshare {

inline DeviceDescription testDevice() {
  Result<DeviceDescription> D = loadDevice("gtx480");
  EXPECT_TRUE(D);
  return D ? *D : DeviceDescription();
}

/// Runs a request on PTX text; R is the result, or Error says why not.
struct Simulated {
  sim::GlobalMemory Memory;
  SimulationResult R;
  std::string Error;

  Simulated(const std::string &Text, const SimulationRequest &Request) {
    auto Program = sim::loadProgram(Text, "test.ptx", Memory);
    if (!Program) {
      Error = Program.error().str();
      return;
    }
    Result<SimulationResult> Ran = simulate(**Program, Memory, Request);
    if (Ran)
      R = std::move(*Ran);
    else
      Error = Ran.error().str();
  }
};

} // namespace regshare

#endif // REGSHARE_UNITTESTS_SIMULATE_SIMULATETEST_H
