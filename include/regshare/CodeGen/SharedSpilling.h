//===- SharedSpilling.h - Spilled registers of a CTA -*- C++ -*------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How code says that its registers may be spilled to shared memory, as PTX
/// has it since CUDA 13, and how much of that memory such registers take.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_SHAREDSPILLING_H
#define REGSHARE_CODEGEN_SHAREDSPILLING_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// What stands between the quotes of the pragma (PTX ISA 9.0, "Descriptions of
/// .pragma strings").
inline constexpr llvm::StringLiteral SharedSpillingPragma =
    "enable_smem_spilling";

/// Makes \p Kernel one that asks for it, as the pragma in its PTX did.
void askForSharedSpilling(llvm::Function &Kernel);
/// Whether the source asks for it: the PTX that it was read from, or inline
/// PTX.
bool asksForSharedSpilling(const llvm::MachineFunction &Kernel);

/// Bytes of the widest value that is spilled, and their alignment.
inline constexpr unsigned WidestSpill = 8;

/// Bytes of a CTA's shared memory that spilled registers of \p Kernel take,
/// beside its variables.
unsigned sharedSpillBytes(const llvm::Function &Kernel);
/// Notes them where MIR keeps them; 0: none.
void setSharedSpillBytes(llvm::Function &Kernel, unsigned Bytes);

} // namespace regshare

#endif // REGSHARE_CODEGEN_SHAREDSPILLING_H
