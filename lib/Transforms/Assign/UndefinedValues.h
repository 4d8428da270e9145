//===- UndefinedValues.h - Reads of what nothing has written ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_UNDEFINEDVALUES_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_UNDEFINEDVALUES_H

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regshare {
class RegisterAssignment;

/// LLVM drops the IMPLICIT_DEF of an operand that any value will do for, as in
/// `n - 1` of a loop's first, unused n, and marks the operand undef. Once
/// registers are assigned, the instruction reads a row all the same, maybe one
/// that no thread has written. Gives each such operand of a machine
/// instruction a register of its own, from an IMPLICIT_DEF just before the
/// instruction. Operands of inline PTX stay: what a user's text reads without
/// a value is the user's to know.
void defineUndefinedOperands(llvm::MachineFunction &MF);

/// Where PTX text writes a result under a guard, and nothing has written it
/// before, threads that skip the write may still read it: Triton loads the
/// partial results of a reduction so, `@%p ld.shared.b32 %r1, [%r2]`, and
/// shuffles %r1 in whole warps. Says of such a register that it has some value,
/// by an IMPLICIT_DEF before the text, which then reads it.
void defineGuardedResults(llvm::MachineFunction &MF,
                          const RegisterAssignment &Assignment);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_UNDEFINEDVALUES_H
