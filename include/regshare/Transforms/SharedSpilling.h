//===- SharedSpilling.h - Room for spilled registers -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How much shared memory the spilled registers of a kernel may take.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_SHAREDSPILLING_H
#define REGSHARE_TRANSFORMS_SHAREDSPILLING_H

#include "regshare/CodeGen/Options.h"

#include "llvm/Support/Error.h"

#include <array>
#include <string>

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// Where a CTA may keep spilled registers of its threads.
struct SharedSpillRoom {
  unsigned Bytes = 0;   ///< Of its shared memory; 0: nowhere.
  unsigned Threads = 0; ///< That it has at most, each of which has a place.
  /// Its extents, of every launch; zeros: not known.
  std::array<unsigned, 3> Block = {};
  /// Why there is none although it was asked for, or no more than Bytes: a
  /// clause.
  std::string Limit;
};

/// Most bytes of static shared memory that a CTA has on any device (CUDA C++
/// programming guide, "Technical Specifications per Compute Capability"); ptxas
/// refuses more.
inline constexpr unsigned MaxStaticShared = 48 * 1024;

/// The room for \p Kernel with \p Regs registers a thread: as much as leaves as
/// many CTAs resident on the device of \p Options, if there is one, and at most
/// MaxStaticShared with the kernel's variables. Empty unless the options or the
/// kernel ask for it. Fails where the options ask for it under a scheme that
/// gives out shared memory itself, where the kernel asks for it and has dynamic
/// shared memory, as ptxas does, and on an unknown device.
llvm::Expected<SharedSpillRoom>
sharedSpillRoom(const llvm::MachineFunction &Kernel,
                const CompilerOptions &Options, unsigned Regs);

/// Notes in \p Kernel that spilled registers take \p Bytes of \p Room: their
/// number, and launch bounds that keep CTAs from having more threads, or
/// threads in other places, than there is room for.
void noteSharedSpills(llvm::Function &Kernel, const SharedSpillRoom &Room,
                      unsigned Bytes);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_SHAREDSPILLING_H
