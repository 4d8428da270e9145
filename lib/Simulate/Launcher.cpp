//===- Launcher.cpp - With or without timing ------------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Simulate/Launcher.h"

#include "TimedLauncher.h"
#include "regshare/Base/Occupancy.h"

using namespace regshare;
using namespace regshare::sim;

Launcher::~Launcher() = default;

/// As with timing. What plain PTX would take nobody knows; threads and shared
/// memory are runKernel's to check.
static Result<void> checkRegisters(const Function &Kernel, const Dim3 &Block,
                                   const DeviceDescription &D) {
  if (!Kernel.IsArchitected || Block.count() > D.MaxThreadsPerCTA)
    return {};
  std::string Name = "kernel '" + Kernel.Name + "'";
  std::string Registers =
      std::to_string(Kernel.RegsPerThread) + " registers a thread";
  if (Kernel.RegsPerThread > D.MaxRegsPerThread)
    return fail(Name + " takes " + Registers + ", '" + D.Name + "' allows " +
                    std::to_string(D.MaxRegsPerThread) +
                    "; compile it with -regshare-max-regs=" +
                    std::to_string(D.MaxRegsPerThread),
                ErrorKind::DoesNotFit);
  KernelResources Needs{Kernel.RegsPerThread, unsigned(Block.count()), 0};
  if (occupancy(D, Needs).CTAs)
    return {};
  return fail(Name + ": not even one CTA fits into an SM of '" + D.Name +
                  "': " + Registers + ", " + std::to_string(Block.count()) +
                  " threads",
              ErrorKind::DoesNotFit);
}

namespace {
class FunctionalLauncher : public Launcher {
public:
  explicit FunctionalLauncher(const MachineOptions &O) : Machine(O) {}

  Result<LaunchOutcome> run(const Program &P, GlobalMemory &Memory,
                            const Function &Kernel,
                            const LaunchConfig &Config) override {
    if (Result<void> Ok = checkRegisters(Kernel, Config.Block, Machine.Device);
        !Ok)
      return tl::make_unexpected(Ok.error());
    LaunchOptions Options;
    Options.InstructionLimit = Machine.InstructionLimit;
    Options.Lenient = Machine.Lenient;
    Options.MaxThreadsPerCta = Machine.Device.MaxThreadsPerCTA;
    Options.MaxSharedBytes = Machine.Device.MaxSharedPerCTA;
    Result<LaunchStats> Stats =
        runKernel(P, Memory, Kernel.Name, Config, Options);
    if (!Stats)
      return tl::make_unexpected(Stats.error());
    return LaunchOutcome{*Stats, std::nullopt};
  }

private:
  MachineOptions Machine;
};
} // namespace

Result<std::unique_ptr<Launcher>> Launcher::create(const MachineOptions &O) {
  if (!O.Functional)
    return createTimedLauncher(O);
  return std::make_unique<FunctionalLauncher>(O);
}
