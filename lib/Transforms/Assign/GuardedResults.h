//===- GuardedResults.h - Results that a guard leaves undefined -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_GUARDEDRESULTS_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_GUARDEDRESULTS_H

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {
class RegisterAssignment;

/// Where PTX text writes a result under a guard, and nothing has written it
/// before, threads that skip the write may still read it: Triton loads the
/// partial results of a reduction so, `@%p ld.shared.b32 %r1, [%r2]`, and
/// shuffles %r1 in whole warps. Says of such a register that it has some value,
/// by an IMPLICIT_DEF before the text, which then reads it.
void defineGuardedResults(llvm::MachineFunction &MF,
                          const RegisterAssignment &Assignment);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_GUARDEDRESULTS_H
