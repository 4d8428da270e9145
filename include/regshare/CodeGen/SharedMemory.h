//===- regshare/CodeGen/SharedMemory.h - Shared memory of a kernel - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shared memory that a kernel's variables take.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_SHAREDMEMORY_H
#define REGSHARE_CODEGEN_SHAREDMEMORY_H

namespace llvm {
class Function;
} // namespace llvm

namespace regshare {

/// The shared memory that a kernel's code asks for.
struct SharedMemoryUse {
  unsigned StaticBytes = 0; ///< Per CTA, the variables one after the other.
  bool Dynamic = false;     ///< Has an array whose size the launch gives.
};

/// That of the variables that \p Kernel names itself, and of its spilled
/// registers.
SharedMemoryUse sharedMemory(const llvm::Function &Kernel);

} // namespace regshare

#endif // REGSHARE_CODEGEN_SHAREDMEMORY_H
