//===- IssueSlots.cpp - What instructions cost ----------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Native/IssueSlots.h"

#include "regshare/CodeGen/Native/NativeCode.h"
#include "regshare/CodeGen/Statements.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;

namespace regshare {

unsigned issueSlots(const MachineInstr &MI) {
  if (MI.isMetaInstruction() || !statementVerb(MI).empty() ||
      definesConstant(MI))
    return 0;
  return 1;
}

unsigned countNative(const MachineFunction &MF) {
  unsigned Instructions = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (!isFolded(MI))
        Instructions += issueSlots(MI);
  return Instructions;
}

} // namespace regshare
