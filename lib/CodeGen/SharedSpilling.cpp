//===- SharedSpilling.cpp - Spilled registers of a CTA --------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/SharedSpilling.h"

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regshare {

// Function attributes, which MIR keeps.
static constexpr StringLiteral AskAttribute = "regshare-smem-spilling";
static constexpr StringLiteral BytesAttribute = "regshare-smem-spill-bytes";

void askForSharedSpilling(Function &Kernel) { Kernel.addFnAttr(AskAttribute); }

/// Whether \p MI, inline PTX, has the pragma among what else it has.
static bool hasPragma(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI);
  size_t At = Text.find(SharedSpillingPragma);
  return At != StringRef::npos &&
         Text.take_front(At).rtrim("\"").rtrim().ends_with(".pragma");
}

bool asksForSharedSpilling(const MachineFunction &Kernel) {
  if (Kernel.getFunction().hasFnAttribute(AskAttribute))
    return true;
  return Kernel.hasInlineAsm() &&
         any_of(Kernel, [](const MachineBasicBlock &MBB) {
           return any_of(MBB, hasPragma);
         });
}

unsigned sharedSpillBytes(const Function &Kernel) {
  unsigned Bytes = 0;
  Kernel.getFnAttribute(BytesAttribute)
      .getValueAsString()
      .getAsInteger(10, Bytes);
  return Bytes;
}

void setSharedSpillBytes(Function &Kernel, unsigned Bytes) {
  if (Bytes)
    Kernel.addFnAttr(BytesAttribute, utostr(Bytes));
  else
    Kernel.removeFnAttr(BytesAttribute);
}

} // namespace regshare
