//===- regshare/Transforms/RegisterLimit.h - Registers a kernel may use - -*-
// C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many registers per thread a kernel may use: what the user, the kernel's
/// own bounds and the device allow.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_REGISTERLIMIT_H
#define REGSHARE_TRANSFORMS_REGISTERLIMIT_H

#include "regshare/Base/Occupancy.h"
#include "regshare/CodeGen/Options.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// CTA size and CTAs per SM that a kernel's launch bounds promise; 0: not said.
struct LaunchBounds {
  unsigned MaxThreads = 0;
  unsigned MinCTAs = 0;
  unsigned MaxRegs = 0; ///< .maxnreg
};
/// Those that the source gives \p Kernel.
LaunchBounds launchBounds(const llvm::Function &Kernel);

/// What a CTA of the kernel asks for with \p Regs registers a thread, as far as
/// options and launch bounds tell its shape; else it has 256 threads.
KernelResources expectedResources(const llvm::Function &Kernel, unsigned Regs,
                                  const CompilerOptions &Options);

/// The smallest of: -regshare-max-regs, the kernel's .maxnreg, what its launch
/// bounds leave on the device, the device's limit. Fails on an unknown device.
llvm::Expected<unsigned> registerLimit(const llvm::Function &Kernel,
                                       const CompilerOptions &Options);

/// Registers of a thread at launch, of code that changes their number under
/// the scheme of the options: registerLimit(), rounded down to what comes at
/// once. 0: other code. Fails where only the device limits them, or has no such
/// instructions.
llvm::Expected<unsigned> launchUnits(const llvm::MachineFunction &Kernel,
                                     const CompilerOptions &Options);

/// The same as of its function, but that a kernel with launchUnits() may use as
/// many registers as its threads ever have.
llvm::Expected<unsigned> registerLimit(const llvm::MachineFunction &Kernel,
                                       const CompilerOptions &Options);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_REGISTERLIMIT_H
