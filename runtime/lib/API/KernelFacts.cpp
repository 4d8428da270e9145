//===- KernelFacts.cpp - What a loaded kernel needs of the machine -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "DeviceFacts.h"

#include "regshare/Base/Occupancy.h"

#include <algorithm>

namespace regshare::cudart {

/// The most threads, in whole warps, of which one CTA fits with these
/// registers.
static unsigned threadsFor(const DeviceDescription &D, unsigned Regs,
                           unsigned Bound) {
  if (Regs > D.MaxRegsPerThread)
    return 0;
  for (unsigned Threads = Bound; Threads;
       Threads = (Threads - 1) / D.WarpSize * D.WarpSize)
    if (occupancy(D, {Regs, Threads, 0}).CTAs)
      return Threads;
  return 0;
}

/// The registers that ptxas would keep of \p Regs, which plain PTX leaves open:
/// no more than the device allows, and so many that a CTA of the bound that the
/// source states fits, if it states one.
static unsigned keptRegisters(const DeviceDescription &D, unsigned Regs,
                              unsigned Threads) {
  Regs = std::min(Regs, D.MaxRegsPerThread);
  while (Threads && Regs > 1 && !occupancy(D, {Regs, Threads, 0}).CTAs)
    --Regs;
  return Regs;
}

std::optional<KernelFacts> KernelFacts::of(const Kernel &K,
                                           const DeviceDescription &D,
                                           const LoadedCode &Loaded) {
  const sim::Program &P = *Loaded.Program;
  KernelFacts F;
  F.Code = P.findKernel(K.Name);
  if (!F.Code)
    return std::nullopt;
  if (auto It = Loaded.Descriptors.find(K.Name); It != Loaded.Descriptors.end())
    F.Descriptor = It->second;
  F.StaticShared = F.Code->SharedBytes;
  F.LocalBytes = F.Code->LocalBytes;
  for (const auto &[Name, Symbol] : P.Symbols)
    if (Symbol.Where == sim::Space::Const)
      F.ConstantBytes += unsigned(Symbol.Size);
  F.LaunchBound = D.MaxThreadsPerCTA;
  unsigned Stated = 0;
  for (const sim::Dim3 &Bound :
       {F.Code->Syntax->MaxThreads, F.Code->Syntax->ReqThreads})
    if (Bound.X)
      Stated = F.LaunchBound = std::min(F.LaunchBound, unsigned(Bound.count()));
  F.Regs = keptRegisters(D, F.Code->RegsPerThread, F.Descriptor ? 0 : Stated);
  F.MaxThreads = threadsFor(D, F.Regs, F.LaunchBound);
  return F;
}

uint64_t KernelFacts::sharedWith(uint64_t Dynamic) const {
  // The SM aligns the dynamic part to 16 bytes.
  return Dynamic ? (uint64_t(StaticShared) + 15) / 16 * 16 + Dynamic
                 : StaticShared;
}

unsigned KernelFacts::maxDynamicShared(const DeviceDescription &D,
                                       const Kernel &K) const {
  uint64_t Most = std::min(DefaultMaxShared, D.MaxSharedPerCTA);
  if (K.MaxDynamicShared >= 0)
    Most = std::max(Most, sharedWith(unsigned(K.MaxDynamicShared)));
  uint64_t Before = sharedWith(1) - 1;
  return Most < Before ? 0 : unsigned(Most - Before);
}

unsigned KernelFacts::residentCTAs(const DeviceDescription &D, unsigned Threads,
                                   size_t DynamicShared) const {
  uint64_t Shared = sharedWith(DynamicShared);
  if (!Threads || Threads > D.MaxThreadsPerCTA || Shared > D.MaxSharedPerCTA)
    return 0;
  return occupancy(D, {Regs, Threads, unsigned(Shared)}).CTAs;
}

} // namespace regshare::cudart
