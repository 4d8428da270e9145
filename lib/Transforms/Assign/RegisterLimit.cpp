//===- RegisterLimit.cpp - Registers a kernel may use ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegisterLimit.h"

#include "regshare/Analysis/Setmaxnreg/RegisterCounts.h"
#include "regshare/Base/ArchReg.h"
#include "regshare/CodeGen/SharedMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regshare {

/// The product of the numbers in an attribute such as "nvvm.maxntid"="16,16";
/// 0 if the kernel does not have it.
static unsigned product(const Function &F, StringRef Attribute) {
  if (!F.hasFnAttribute(Attribute))
    return 0;
  unsigned Product = 1;
  for (StringRef Part :
       llvm::split(F.getFnAttribute(Attribute).getValueAsString(), ',')) {
    unsigned N = 0;
    if (Part.trim().getAsInteger(10, N))
      return 0;
    Product *= N;
  }
  return Product;
}

LaunchBounds launchBounds(const Function &Kernel) {
  LaunchBounds B;
  B.MaxThreads = product(Kernel, "nvvm.reqntid");
  if (!B.MaxThreads)
    B.MaxThreads = product(Kernel, "nvvm.maxntid");
  B.MinCTAs = product(Kernel, "nvvm.minctasm");
  B.MaxRegs = product(Kernel, "nvvm.maxnreg");
  return B;
}

KernelResources expectedResources(const Function &Kernel, unsigned Regs,
                                  const CompilerOptions &Options) {
  constexpr unsigned DefaultThreads = 256;
  KernelResources K;
  K.RegsPerThread = Regs;
  K.ThreadsPerCTA = Options.ThreadsPerCTA;
  if (!K.ThreadsPerCTA)
    K.ThreadsPerCTA = launchBounds(Kernel).MaxThreads;
  if (!K.ThreadsPerCTA)
    K.ThreadsPerCTA = DefaultThreads;
  K.SharedPerCTA =
      sharedMemory(Kernel).StaticBytes + Options.DynamicSharedBytes;
  return K;
}

Expected<unsigned> registerLimit(const Function &Kernel,
                                 const CompilerOptions &Options) {
  unsigned Limit = MaxArchUnits;
  auto Lower = [&](unsigned To) {
    if (To)
      Limit = std::min(Limit, To);
  };
  LaunchBounds Bounds = launchBounds(Kernel);
  Lower(Options.MaxRegs);
  Lower(Bounds.MaxRegs);
  if (Options.Device.empty())
    return Limit;
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return createStringError(Device.error().str());
  Lower(Device->MaxRegsPerThread);
  if (Bounds.MaxThreads && Bounds.MinCTAs)
    Lower(regsForCTAs(*Device, Bounds.MaxThreads, Bounds.MinCTAs));
  return Limit;
}

/// Whether the source, or an option, limits the registers.
static bool isLimited(const Function &Kernel, const CompilerOptions &Options) {
  LaunchBounds Bounds = launchBounds(Kernel);
  return Options.MaxRegs || Bounds.MaxRegs ||
         (!Options.Device.empty() && Bounds.MaxThreads && Bounds.MinCTAs);
}

Expected<std::optional<LaunchRegisters>>
launchRegisters(const MachineFunction &Kernel, const CompilerOptions &Options) {
  if (Options.Scheme != schemes::Setmaxnreg.Name || !changesCounts(Kernel))
    return std::nullopt;
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
  return LaunchRegisters{*Limit / register_count::Unit * register_count::Unit};
}

Expected<unsigned> registerLimit(const MachineFunction &Kernel,
                                 const CompilerOptions &Options) {
  Expected<std::optional<LaunchRegisters>> Launch =
      launchRegisters(Kernel, Options);
  if (!Launch)
    return Launch.takeError();
  if (!*Launch)
    return registerLimit(Kernel.getFunction(), Options);
  unsigned Limit = std::min(mostRegisters(Kernel, **Launch), MaxArchUnits);
  if (Options.Device.empty())
    return Limit;
  Result<DeviceDescription> Device = loadDevice(Options.Device);
  if (!Device)
    return createStringError(Device.error().str());
  return std::min(Limit, Device->MaxRegsPerThread);
}

} // namespace regshare
