//===- SharedSpillRoom.cpp - Room for spilled registers -------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Transforms/SharedSpilling.h"

#include "regshare/Base/Device.h"
#include "regshare/Base/Occupancy.h"
#include "regshare/Base/Scheme.h"
#include "regshare/Base/SharedSpilling.h"
#include "regshare/CodeGen/SharedMemory.h"
#include "regshare/CodeGen/SharedSpilling.h"
#include "regshare/Transforms/FlowPass.h"
#include "regshare/Transforms/RegisterLimit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regshare {

static constexpr unsigned BytesPerRegister = 4;
/// Of a CTA, where no device says it (CUDA C++ programming guide, "Technical
/// Specifications per Compute Capability").
static constexpr unsigned MaxThreads = 1024;

/// The extents that `.reqntid` asks for; zeros if the kernel has none.
static std::array<unsigned, 3> requiredBlock(const Function &Kernel) {
  std::array<unsigned, 3> Block = {1, 1, 1};
  StringRef Text = Kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  if (Text.empty())
    return {};
  unsigned Dim = 0;
  for (StringRef Part : split(Text, ','))
    if (Dim == Block.size() || Part.trim().getAsInteger(10, Block[Dim++]))
      return {};
  return Block;
}

/// Sets the threads of \p Room: what the options say of a CTA goes before what
/// the kernel promises, and that before the most that the device has.
static void findThreads(const Function &Kernel, const CompilerOptions &Options,
                        const DeviceDescription *Device,
                        SharedSpillRoom &Room) {
  Room.Block = Options.Block;
  Room.Threads = Options.ThreadsPerCTA;
  if (Room.Threads)
    return;
  Room.Block = requiredBlock(Kernel);
  Room.Threads = launchBounds(Kernel).MaxThreads;
  if (!Room.Threads)
    Room.Threads = Device ? Device->MaxThreadsPerCTA : MaxThreads;
}

/// The bytes with which as many CTAs are resident as with none, at most \p
/// Most.
static unsigned bytesBesideCTAs(const DeviceDescription &Device,
                                KernelResources K, unsigned PerRegister,
                                unsigned Most) {
  unsigned Own = K.SharedPerCTA, CTAs = occupancy(Device, K).CTAs;
  unsigned Bytes = 0;
  while (Bytes + PerRegister <= Most) {
    K.SharedPerCTA = Own + Bytes + PerRegister;
    if (occupancy(Device, K).CTAs < CTAs)
      break;
    Bytes += PerRegister;
  }
  return CTAs ? Bytes : 0;
}

/// Why \p Kernel has no shared memory for spills whatever the device; empty if
/// nothing is in the way. Fails on what can only be a mistake.
static Expected<std::string> whyNone(const MachineFunction &Kernel,
                                     const CompilerOptions &Options) {
  Result<Scheme> Applied = parseScheme(Options.Scheme);
  if (Applied && Applied->claimantOf(Domain::Scratchpad)) {
    if (Options.SharedSpilling)
      return createStringError(
          settings::SharedSpilling.option() +
          ": expected a scheme that leaves shared memory as it is, found " +
          Options.Scheme + ", which gives out what spills would take");
    return Options.Scheme + " gives it out itself";
  }
  if (sharedMemory(Kernel.getFunction()).Dynamic) {
    if (asksForSharedSpilling(Kernel))
      return createStringError(Kernel.getName() +
                               ": expected no dynamic shared memory beside "
                               "pragma '" +
                               SharedSpillingPragma +
                               "', found some, which ptxas refuses");
    return std::string("the kernel has dynamic shared memory");
  }
  return std::string();
}

Expected<SharedSpillRoom> sharedSpillRoom(const MachineFunction &Kernel,
                                          const CompilerOptions &Options,
                                          unsigned Regs) {
  SharedSpillRoom Room;
  if (!isKernel(Kernel) ||
      (!Options.SharedSpilling && !asksForSharedSpilling(Kernel)))
    return Room;
  Expected<std::string> Why = whyNone(Kernel, Options);
  if (!Why)
    return Why.takeError();
  Room.Limit = *Why;
  if (!Room.Limit.empty())
    return Room;
  std::optional<DeviceDescription> Device;
  if (!Options.Device.empty()) {
    Result<DeviceDescription> Loaded = loadDevice(Options.Device);
    if (!Loaded)
      return createStringError(Loaded.error().str());
    Device = std::move(*Loaded);
  }
  const Function &F = Kernel.getFunction();
  findThreads(F, Options, Device ? &*Device : nullptr, Room);
  KernelResources K = expectedResources(F, Regs, Options);
  K.ThreadsPerCTA = Room.Threads;
  K.SharedPerCTA = alignTo(K.SharedPerCTA, WidestSpill);
  unsigned PerRegister = Room.Threads * BytesPerRegister;
  unsigned Most = MaxStaticShared - std::min(MaxStaticShared, K.SharedPerCTA);
  Room.Bytes = Device ? bytesBesideCTAs(*Device, K, PerRegister, Most)
                      : alignDown(Most, PerRegister);
  Room.Limit =
      Most < Room.Bytes + PerRegister
          ? "static shared memory ends at " + utostr(MaxStaticShared) + " bytes"
          : "more would cost a CTA";
  return Room;
}

void noteSharedSpills(Function &Kernel, const SharedSpillRoom &Room,
                      unsigned Bytes) {
  setSharedSpillBytes(Kernel, Bytes);
  if (!Bytes)
    return;
  if (Room.Block[0]) {
    // A launch beyond the bounds is refused by them.
    if (unsigned Bound = launchBounds(Kernel).MaxThreads;
        Bound && Bound < Room.Threads)
      return;
    Kernel.removeFnAttr("nvvm.maxntid");
    Kernel.addFnAttr("nvvm.reqntid", utostr(Room.Block[0]) + "," +
                                         utostr(Room.Block[1]) + "," +
                                         utostr(Room.Block[2]));
  } else if (launchBounds(Kernel).MaxThreads != Room.Threads) {
    Kernel.addFnAttr("nvvm.maxntid", utostr(Room.Threads));
  }
}

} // namespace regshare
