//===- Statements.cpp - Statements in machine code ------------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/CodeGen/Statements.h"

#include "regshare/Base/Annotation.h"
#include "regshare/Base/Scheme.h"
#include "regshare/CodeGen/InlinePTX.h"
#include "regshare/CodeGen/Native/NativeCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace regshare {

/// Of the text of a statement; empty for any other.
static StringRef verbOf(StringRef Text) {
  Text = Text.ltrim();
  if (!Text.consume_front(".pragma \"regshare."))
    return {};
  // With something after it, it is more than a statement.
  auto [Statement, Rest] = Text.split('"');
  if (Rest.trim() != ";")
    return {};
  return Statement.take_until([](char C) { return C == ' '; });
}

StringRef statementVerb(const MachineInstr &MI) {
  return verbOf(inlinePTXText(MI));
}

bool hasStatement(const MachineFunction &MF, StringRef Verb) {
  return MF.hasInlineAsm() && any_of(MF, [&](const MachineBasicBlock &MBB) {
           return any_of(MBB, [&](const MachineInstr &MI) {
             return statementVerb(MI) == Verb;
           });
         });
}

template <typename Iterator, typename Block>
static Iterator firstTerminatorOf(Block &MBB) {
  Iterator First = MBB.end();
  for (Iterator I = First; I != MBB.begin();) {
    --I;
    if (I->isTerminator())
      First = I;
    else if (!I->isDebugInstr() && statementVerb(*I).empty())
      break;
  }
  return First;
}

MachineBasicBlock::iterator firstTerminator(MachineBasicBlock &MBB) {
  return firstTerminatorOf<MachineBasicBlock::iterator>(MBB);
}

MachineBasicBlock::const_iterator
firstTerminator(const MachineBasicBlock &MBB) {
  return firstTerminatorOf<MachineBasicBlock::const_iterator>(MBB);
}

/// Where \p Pragma stands before the group of \p Where: schemes' statements
/// first, then those of the instruction in their order.
static MachineBasicBlock::iterator
beforeGroup(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where,
            StringRef Pragma) {
  Where = groupBegin(MBB, Where);
  auto Rank = [](StringRef Text) {
    return Text.starts_with(".pragma \"regshare.control ")   ? 1
           : Text.starts_with(".pragma \"regshare.reuse ")   ? 2
           : Text.starts_with(".pragma \"regshare.issue ")   ? 3
           : Text.starts_with(".pragma \"regshare.scratch ") ? 4
                                                             : 0;
  };
  while (Where != MBB.begin() &&
         Rank(inlinePTXText(*std::prev(Where))) > Rank(Pragma))
    --Where;
  return Where;
}

/// Whether statements of that verb stand right after what they speak of.
static bool standsAfter(StringRef Verb) {
  return !Verb.empty() && any_of(allSchemes(), [&](Scheme S) {
    const StatementKind *Kind = S->findStatement({Verb.data(), Verb.size()});
    return Kind && Kind->Place == StatementKind::After;
  });
}

/// '$' begins an operand in the text of an INLINEASM, and stands doubled for
/// itself.
static std::string asInlineText(StringRef Pragma) {
  std::string Text;
  for (char C : Pragma)
    Text.append(C == '$' ? 2 : 1, C);
  return Text;
}

MachineInstr *insertStatement(MachineBasicBlock &MBB,
                              MachineBasicBlock::iterator Where,
                              const std::string &Pragma) {
  MachineFunction &MF = *MBB.getParent();
  MF.setHasInlineAsm(true);
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  if (!standsAfter(verbOf(Pragma)))
    while (Where != MBB.end() && standsAfter(statementVerb(*Where)))
      ++Where;
  if (isNative(MF))
    Where = beforeGroup(MBB, Where, Pragma);
  return BuildMI(MBB, Where, DebugLoc(), TII.get(TargetOpcode::INLINEASM))
      .addExternalSymbol(MF.createExternalSymbolName(asInlineText(Pragma)))
      .addImm(InlineAsm::Extra_HasSideEffects);
}

std::string statementString(const MachineInstr &MI) {
  StringRef Text = inlinePTXText(MI).trim();
  Text.consume_front(".pragma");
  Text = Text.trim();
  if (!Text.consume_front("\"") || !Text.consume_back(";"))
    return {};
  Text = Text.rtrim();
  if (!Text.consume_back("\""))
    return {};
  std::string String;
  while (!Text.empty()) {
    if (Text.size() > 1)
      Text.consume_front("$");
    String += Text.front();
    Text = Text.drop_front();
  }
  return String;
}

unsigned eraseStatements(MachineFunction &MF, ArrayRef<StringRef> Verbs) {
  unsigned Erased = 0;
  if (!MF.hasInlineAsm())
    return Erased;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB))
      if (StringRef Verb = statementVerb(MI);
          !Verb.empty() && is_contained(Verbs, Verb)) {
        MI.eraseFromParent();
        ++Erased;
      }
  return Erased;
}

void eraseOldStatements(MachineFunction &MF, StringRef Applied, Scheme Part) {
  std::vector<StringRef> Verbs = schemeVerbs();
  if (Result<Scheme> S = parseScheme(Applied.str()); S && S->includes(Part))
    for (const SchemeDescription *Before : S->parts()) {
      if (Before == &*Part)
        break;
      llvm::erase_if(Verbs, [&](StringRef Verb) {
        return Before->findStatement({Verb.data(), Verb.size()});
      });
    }
  eraseStatements(MF, Verbs);
}

SchemeFacts headFacts(const MachineFunction &MF, Scheme S, unsigned Regs) {
  KernelDescriptor K;
  K.Regs = Regs;
  K.Scheme = S.name();
  SchemeFacts Facts;
  for (const MachineInstr &MI : MF.front()) {
    StringRef Verb = statementVerb(MI);
    const StatementKind *Kind = S->findStatement({Verb.data(), Verb.size()});
    if (!Kind || Kind->Place != StatementKind::Head)
      continue;
    if (Result<Statement> Read = parseStatement(statementString(MI)))
      (void)addStatement(*Read, K, Facts);
  }
  return Facts;
}

std::vector<StringRef> schemeVerbs() {
  std::vector<StringRef> Verbs;
  for (std::string_view Verb : allVerbs())
    Verbs.push_back(Verb);
  return Verbs;
}

} // namespace regshare
