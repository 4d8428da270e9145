//===- KernelFacts.h - What a loaded kernel needs of the machine -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel's registers, memory and bounds, as launches, attributes and
/// occupancy queries look at them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_RUNTIME_LIB_API_KERNELFACTS_H
#define REGSHARE_RUNTIME_LIB_API_KERNELFACTS_H

#include "Modules.h"

#include <optional>

namespace regshare::cudart {

struct KernelFacts {
  const sim::Function *Code = nullptr;
  std::optional<KernelDescriptor> Descriptor; ///< Nothing in plain PTX.
  unsigned Regs = 0;                          ///< 32-bit, of a thread.
  unsigned StaticShared = 0;                  ///< Bytes of a CTA.
  unsigned LocalBytes = 0;                    ///< Of a thread.
  unsigned ConstantBytes = 0;                 ///< Variables of its module.
  /// Threads of a CTA: what the source bounds, and what registers leave of it.
  unsigned LaunchBound = 0, MaxThreads = 0;

  /// Of a kernel whose module is loaded. Nothing if its code has no kernel of
  /// that name.
  static std::optional<KernelFacts> of(const Kernel &K,
                                       const DeviceDescription &D) {
    return of(K, D, K.Owner->Code);
  }
  /// The same in code that was compiled for launches of some shape.
  static std::optional<KernelFacts>
  of(const Kernel &K, const DeviceDescription &D, const LoadedCode &Code);

  /// Shared memory of a CTA with this much of it dynamic, in bytes.
  uint64_t sharedWith(uint64_t Dynamic) const;
  /// Bytes of dynamic shared memory that a launch may ask for.
  unsigned maxDynamicShared(const DeviceDescription &D, const Kernel &K) const;
  /// CTAs that one SM of the baseline holds; 0 if not even one fits.
  unsigned residentCTAs(const DeviceDescription &D, unsigned Threads,
                        size_t DynamicShared) const;
};

} // namespace regshare::cudart

#endif // REGSHARE_RUNTIME_LIB_API_KERNELFACTS_H
