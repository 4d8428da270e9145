//===- NativeFrontEnd.h - IR as nvcc would have it -*- C++ -*--------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is done to IR that becomes native code, after device functions are
/// inlined and before code generation.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_NATIVEFRONTEND_H
#define REGSHARE_FRONTEND_NATIVEFRONTEND_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regshare {

/// Aligns arrays in shared and local memory so that accesses to neighbours
/// become one of up to 128 bits, and aggregates the atomics of a warp. Code
/// that is not to be optimised stays as it is. \p TM says the target.
void prepareNativeCode(llvm::Module &M, llvm::TargetMachine &TM);

} // namespace regshare

#endif // REGSHARE_FRONTEND_NATIVEFRONTEND_H
