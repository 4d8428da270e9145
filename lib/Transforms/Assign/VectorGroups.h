//===- VectorGroups.h - Contiguous registers for vector accesses - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operands of a vector load or store need a contiguous, aligned group of
/// registers. Finds which values can simply live in their place of the group,
/// and inserts copies for the others. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_VECTORGROUPS_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_VECTORGROUPS_H

#include "LazyIntervals.h"

#include "regshare/CodeGen/NVPTXOpcodes.h"
#include "regshare/Transforms/Coloring.h"

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// A set of virtual registers that are tied to each other.
struct VectorGroup {
  struct Member {
    llvm::Register VReg;
    unsigned Offset; ///< In units from the group's base.
    unsigned Width;  ///< In units.
  };
  llvm::SmallVector<Member, 4> Members;
  unsigned Align;
  unsigned Phase = 0; ///< The base is congruent to this modulo Align.
};

/// Ties the operands of every one of \p Accesses, the vector accesses of \p MF
/// in layout order; each virtual register is in at most one of the groups
/// returned. Where the wishes of two accesses
/// exclude each other, the colder one goes through copies, counted in
/// \p CopiesInserted; without \p MayCopy it goes untied. Keeps \p LIS up to
/// date.
std::vector<VectorGroup> formVectorGroups(
    llvm::MachineFunction &MF, llvm::ArrayRef<llvm::MachineInstr *> Accesses,
    LazyIntervals &LIS, const llvm::MachineBlockFrequencyInfo &MBFI,
    const NVPTXOpcodes &Opcodes, bool MayCopy, unsigned &CopiesInserted);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_VECTORGROUPS_H
