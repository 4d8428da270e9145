//===- Fold.h - Joins what is one instruction of the hardware --*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of regshare-fold, in their order. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_FOLD_FOLD_H
#define REGSHARE_LIB_TRANSFORMS_FOLD_FOLD_H

#include "HardwareOps.h"

namespace llvm {
class MachineFunction;
class MachineRegisterInfo;
} // namespace llvm

namespace regshare {

class Reconvergence;

/// Gives the values that are the same wherever they are computed, and cost
/// nothing, a name as constant operands.
void findConstants(llvm::MachineFunction &MF, const HardwareOps &Ops);

/// Moves, or copies, what the hardware joins to its reader.
void joinInstructions(llvm::MachineFunction &MF, const HardwareOps &Ops);

/// Puts values that all threads of a warp have in common into uniform
/// registers.
void placeUniform(llvm::MachineFunction &MF, const HardwareOps &Ops,
                  const Reconvergence &Meetings);

/// Moves the constants that their readers cannot have as operands into
/// registers, once in a block.
void placeConstants(llvm::MachineFunction &MF, const HardwareOps &Ops);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_FOLD_FOLD_H
