//===- ColoringInput.h - What a colouring is given, and gives ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps between live values and an assignment that register assignment
/// shares with schemes that assign again. Private to the transformations.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_COLORINGINPUT_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_COLORINGINPUT_H

#include "Interference.h"
#include "VectorGroups.h"

#include "regshare/CodeGen/RegisterAssignment.h"

namespace regshare {

/// \p Copies want their two sides in one register.
void addCopyHints(llvm::ArrayRef<llvm::MachineInstr *> Copies,
                  const llvm::MachineBlockFrequencyInfo &MBFI,
                  const LiveValues &Live, Interference &Graph);

/// Ties the members of each of \p Groups to each other.
void addGroups(llvm::ArrayRef<VectorGroup> Groups, const LiveValues &Live,
               Interference &Graph);

/// The registers of all \p Live values.
RegisterAssignment toAssignment(const LiveValues &Live,
                                const Interference &Graph,
                                const Coloring &Units, const Coloring &Preds);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_COLORINGINPUT_H
