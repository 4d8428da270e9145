//===- RegisterLimit.cpp - Registers a kernel may use ---------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/RegisterLimit.h"

#include "regshare/Base/ArchReg.h"
#include "regshare/CodeGen/SharedMemory.h"

#include "llvm/ADT/StringExtras.h"
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

} // namespace regshare
