//===- TimedLauncher.cpp - Launches with timing ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimedLauncher.h"

using namespace regshare;
using namespace regshare::sim;

namespace {
class TimedLauncher : public Launcher {
public:
  TimedLauncher(std::unique_ptr<Machine> M, const MachineOptions &O)
      : M(std::move(M)) {
    Limits.CycleLimit = O.CycleLimit;
    Limits.Functional.InstructionLimit = O.InstructionLimit;
    Limits.Functional.Lenient = O.Lenient;
  }

  Result<LaunchOutcome> run(const Program &P, GlobalMemory &Memory,
                            const Function &Kernel,
                            const LaunchConfig &Config) override {
    Result<TimingStats> Stats = M->run(P, Memory, Kernel.Name, Config, Limits);
    if (!Stats)
      return tl::make_unexpected(Stats.error());
    LaunchOutcome Outcome;
    Outcome.Stats = Stats->Functional;
    Outcome.Timing = std::move(*Stats);
    return Outcome;
  }

private:
  std::unique_ptr<Machine> M;
  TimedLaunchOptions Limits;
};
} // namespace

Result<std::unique_ptr<Launcher>>
regshare::createTimedLauncher(const MachineOptions &O) {
  Result<std::unique_ptr<Machine>> M = Machine::create(O.Device, O.Timing);
  if (!M)
    return tl::make_unexpected(M.error());
  return std::make_unique<TimedLauncher>(std::move(*M), O);
}
