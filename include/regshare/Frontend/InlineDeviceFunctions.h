//===- regshare/Frontend/InlineDeviceFunctions.h ----------------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registers are assigned, and shared, for a kernel as a whole: every device
/// function a kernel calls is inlined into it before code generation, at -O0
/// as well.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_INLINEDEVICEFUNCTIONS_H
#define REGSHARE_FRONTEND_INLINEDEVICEFUNCTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace regshare {

/// A __global__ function with a body. Annotations of old modules
/// (!nvvm.annotations) have become the calling convention when they were read.
bool isKernel(const llvm::Function &F);

/// The kernels of \p M in order of definition.
llvm::SmallVector<llvm::Function *, 4> kernelsOf(llvm::Module &M);

/// Inlines every function with a body into the kernels that call it, whatever
/// noinline says, and deletes what no longer has a use. Above \p OptLevel 0
/// the kernels are cleaned up if anything was inlined.
///
/// A call through a pointer becomes a call of each function that it can reach,
/// after a comparison: those of its type whose address the module takes.
///
/// Fails if a call cannot go away: recursion (the message names the cycle), a
/// call through a pointer that reaches nothing or, through other ones, itself,
/// a call of a function that the module does not define and the device's
/// runtime does not provide. The error has the call's source place when the
/// module has debug locations.
///
/// \p TM gives the clean-up the target's costs; it may be null.
llvm::Error inlineDeviceFunctions(llvm::Module &M, unsigned OptLevel,
                                  llvm::TargetMachine *TM = nullptr);

} // namespace regshare

#endif // REGSHARE_FRONTEND_INLINEDEVICEFUNCTIONS_H
