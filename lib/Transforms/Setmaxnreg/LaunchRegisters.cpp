//===- LaunchRegisters.cpp - What threads start with ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegisterLimit.h"

#include "regshare/Analysis/Setmaxnreg/RegisterCounts.h"
#include "regshare/Base/ArchReg.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

/// Whether the source, or an option, limits the registers.
static bool isLimited(const Function &Kernel, const CompilerOptions &Options) {
  LaunchBounds Bounds = launchBounds(Kernel);
  return Options.MaxRegs || Bounds.MaxRegs ||
         (!Options.Device.empty() && Bounds.MaxThreads && Bounds.MinCTAs);
}

Expected<unsigned> launchUnits(const MachineFunction &Kernel,
                               const CompilerOptions &Options) {
  if (Options.Scheme != schemes::Setmaxnreg.Name || !changesCounts(Kernel))
    return 0;
  const Function &F = Kernel.getFunction();
  if (!Options.Device.empty()) {
    Result<DeviceDescription> Device = loadDevice(Options.Device);
    if (!Device)
      return createStringError(Device.error().str());
    if (std::string Why = whyNotOn(*Device); !Why.empty())
      return createStringError(F.getName() + ": " + Why);
  }
  if (!isLimited(F, Options))
    return createStringError(
        F.getName() + ": setmaxnreg, which hardware ignores where nothing says "
                      "how many registers a thread starts with: expected "
                      "__maxnreg__ (.maxnreg), launch bounds with a device, or "
                      "-regshare-max-regs, found none");
  Expected<unsigned> Limit = registerLimit(F, Options);
  if (!Limit)
    return Limit.takeError();
  return *Limit / register_count::Unit * register_count::Unit;
}

Expected<unsigned> registerLimit(const MachineFunction &Kernel,
                                 const CompilerOptions &Options) {
  Expected<unsigned> Launch = launchUnits(Kernel, Options);
  if (!Launch)
    return Launch.takeError();
  if (!*Launch)
    return registerLimit(Kernel.getFunction(), Options);
  unsigned Limit = std::min(mostRegisters(Kernel, {*Launch}), MaxArchUnits);
  if (Options.Device.empty())
    return Limit;
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return createStringError(Device.error().str());
  return std::min(Limit, Device->MaxRegsPerThread);
}

} // namespace regshare
