//===- UsePlace.h - Where a use is prepared ------------------ -*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_ASSIGN_USEPLACE_H
#define REGSHARE_LIB_TRANSFORMS_ASSIGN_USEPLACE_H

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineBasicBlock.h"

namespace regshare {

/// Where code that computes an operand of \p User is to stand: right before it,
/// but before all terminators if it is one, and before a whole group. Nothing
/// fits between those; a jump table and the branch that uses it are several.
inline llvm::MachineBasicBlock::iterator placeFor(llvm::MachineInstr &User) {
  llvm::MachineBasicBlock &MBB = *User.getParent();
  return groupBegin(MBB, User.isTerminator() ? firstTerminator(MBB)
                                             : User.getIterator());
}

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_ASSIGN_USEPLACE_H
