//===- Directives.cpp - Pragmas in machine code ---------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Directives.h"

#include "regshare/CodeGen/InlinePTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace regshare {

StringRef directiveVerb(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).ltrim();
  if (!Text.consume_front(".pragma \"regshare."))
    return {};
  // With something behind it, it is more than a statement.
  auto [Statement, Rest] = Text.split('"');
  if (Rest.trim() != ";")
    return {};
  return Statement.take_until([](char C) { return C == ' '; });
}

MachineInstr *insertDirective(MachineBasicBlock &MBB,
                              MachineBasicBlock::iterator Where,
                              const std::string &Pragma) {
  MachineFunction &MF = *MBB.getParent();
  MF.setHasInlineAsm(true);
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  return BuildMI(MBB, Where, DebugLoc(), TII.get(TargetOpcode::INLINEASM))
      .addExternalSymbol(MF.createExternalSymbolName(Pragma))
      .addImm(InlineAsm::Extra_HasSideEffects);
}

unsigned eraseDirectives(MachineFunction &MF, ArrayRef<StringRef> Verbs) {
  unsigned Erased = 0;
  if (!MF.hasInlineAsm())
    return Erased;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB))
      if (StringRef Verb = directiveVerb(MI);
          !Verb.empty() && is_contained(Verbs, Verb)) {
        MI.eraseFromParent();
        ++Erased;
      }
  return Erased;
}

ArrayRef<StringRef> schemeVerbs() {
  static const StringRef Verbs[] = {
      "regmutex", "acquire",  "release", "free",   "intervals",
      "prefetch", "interval", "dead",    "cache",  "strand",
      "operands", "bundles",  "pref",    "sharing"};
  return Verbs;
}

} // namespace regshare
