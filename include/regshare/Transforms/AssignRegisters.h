//===- regshare/Transforms/AssignRegisters.h - Architected registers for values
//- -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gives every value of a late NVPTX machine function an architected register:
/// 32-bit units, aligned pairs and quads, contiguous groups for vector loads
/// and stores, predicates in a file of their own. Beyond the limit, values are
/// rematerialised and then spilled to memory.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_ASSIGNREGISTERS_H
#define REGSHARE_TRANSFORMS_ASSIGNREGISTERS_H

#include "regshare/CodeGen/RegisterAssignment.h"
#include "regshare/Transforms/SharedSpilling.h"

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineFunction;
} // namespace llvm

namespace regshare {

/// What assignment may do, and under which limits.
struct AssignOptions {
  /// Registers a thread may have, in 32-bit units.
  unsigned MaxUnits = MaxArchUnits;
  /// Change nothing: a vector access whose operands cannot be tied without
  /// copies goes untied, and too many live values are an error.
  bool ReadOnly = false;
  /// Compute constants and kernel parameters again at their uses where that
  /// lowers the peak. Hardware reads both as operands.
  bool LowerPeak = true;
  /// Registers that cost nothing, since an SM is full with as many: up to these
  /// the sources of memory instructions are not written again before they are
  /// read. 0: registers are few.
  unsigned FreeUnits = 0;
  /// Of code that changes how many registers its threads have: those they start
  /// with; then no value is in a register that its thread may not have. 0: code
  /// that does not.
  unsigned LaunchUnits = 0;
  /// Where spilled values go before they go to local memory.
  SharedSpillRoom SharedRoom;
};

/// What an assignment cost, for reports and remarks.
struct AssignStats {
  /// Most units live at once before anything was inserted: no assignment
  /// without spilling, recomputing or rescheduling can do with less.
  unsigned PeakUnits = 0;
  unsigned PeakPreds = 0;
  /// Most units live at once in the code that was assigned, after recomputing,
  /// spilling and copies: what this code cannot do with less than.
  unsigned AssignedPeak = 0;
  unsigned Units = 0;
  unsigned Preds = 0;
  unsigned GroupCopies = 0;    ///< Copies into and out of vector groups.
  unsigned Rematerialized = 0; ///< Values computed again at their uses.
  unsigned Spilled = 0;        ///< Values kept in memory.
  unsigned SpilledPreds = 0;   ///< Predicates kept in a register.
  unsigned SpillLoads = 0;
  unsigned SpillStores = 0;
  unsigned SpillBytes = 0; ///< Local memory per thread.
  /// Of these values, loads and stores those that shared memory has.
  unsigned SharedSpilled = 0, SharedSpillLoads = 0, SharedSpillStores = 0;
  unsigned SharedSpillBytes = 0; ///< Shared memory of a CTA.
};

/// Assigns registers to \p MF, which has no PHIs. Inserts copies and spill code
/// where needed; virtual registers keep their names: see rewriteToArchitected.
/// Clears kill flags and marks dead results. Fails if \p Options leaves too few
/// registers for the operands of one instruction.
llvm::Expected<RegisterAssignment>
assignRegisters(llvm::MachineFunction &MF,
                const llvm::MachineBlockFrequencyInfo &MBFI,
                const AssignOptions &Options, AssignStats &Stats);

/// Sets the peaks of \p Stats and nothing else of it.
llvm::Error measurePeak(llvm::MachineFunction &MF, AssignStats &Stats);

/// Rewrites \p MF to one virtual register for each architected register and
/// class, named after it, and drops the copies that became idle. Values of
/// native code that take no register keep theirs and its name. Returns the
/// assignment of the new virtual registers.
RegisterAssignment rewriteToArchitected(llvm::MachineFunction &MF,
                                        const RegisterAssignment &Assignment,
                                        unsigned &CopiesRemoved);

/// True if the name of any virtual register of \p MF is an architected one.
bool hasArchitectedNames(const llvm::MachineFunction &MF);

/// Checks that the operands of every vector access of \p MF are in their places
/// of an aligned group; the error names the one that is not, and the place.
llvm::Error checkVectorGroups(const llvm::MachineFunction &MF,
                              const RegisterAssignment &Assignment);

/// Checks that no two values live at the same time share a register unit; the
/// error names both and the place.
llvm::Error checkNoOverlap(llvm::MachineFunction &MF,
                           const RegisterAssignment &Assignment);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_ASSIGNREGISTERS_H
