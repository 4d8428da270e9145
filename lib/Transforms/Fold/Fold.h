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

#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineFunction;
class MachineRegisterInfo;
} // namespace llvm

namespace regshare {

class Reconvergence;
class Uniformity;

/// Adds constants to addresses in the accesses that read these, where nothing
/// else reads the sum.
void foldOffsets(llvm::MachineFunction &MF, const HardwareOps &Ops);

/// Gives the values that are the same wherever they are computed, and cost
/// nothing, a name as constant operands.
void findConstants(llvm::MachineFunction &MF, const HardwareOps &Ops);

/// Folded values that have a name.
unsigned numFolded(const llvm::MachineRegisterInfo &MRI);

/// Whether what \p G reads has the same value at \p Reader.
bool isUnchanged(const FoldGroup &G, const llvm::MachineInstr &Reader);

/// Whether the first result of \p MI is among \p Registers.
bool definesOneOf(const llvm::MachineInstr &MI,
                  const llvm::DenseSet<llvm::Register> &Registers);

/// Whether accesses to global memory add a uniform register to one of each
/// thread: on sm_75 alone.
bool addsInAccesses(const llvm::MachineFunction &MF);
/// A load or store of global memory, whose address is HardwareOps::address().
bool isGlobalAccess(const llvm::MachineInstr &MI, const HardwareOps &Ops);
/// The results of 64-bit additions, of something uniform to a register, that
/// nothing but such accesses reads.
llvm::DenseSet<llvm::Register> findAddresses(llvm::MachineFunction &MF,
                                             const HardwareOps &Ops,
                                             const Uniformity &Is);
/// Makes the definition of \p Address, one of them, a part of each access.
void foldAddress(llvm::MachineFunction &MF, llvm::Register Address,
                 unsigned &NumFolded);

/// Moves, or copies, what the hardware joins to its reader, but for what
/// computes one of \p Addresses.
void joinInstructions(llvm::MachineFunction &MF, const HardwareOps &Ops,
                      const llvm::DenseSet<llvm::Register> &Addresses = {});

/// Puts values that all threads of a warp have in common into uniform
/// registers, and makes what is computed from one and in \p Addresses a part of
/// its readers.
void placeUniform(llvm::MachineFunction &MF, const HardwareOps &Ops,
                  const Reconvergence &Meetings,
                  const llvm::DenseSet<llvm::Register> &Addresses = {});

/// Moves the constants that their readers cannot have as operands into
/// registers, once in a block.
void placeConstants(llvm::MachineFunction &MF, const HardwareOps &Ops);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_FOLD_FOLD_H
