//===- regshare/CodeGen/Statements.h - In machine code --------*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RegShare's statements in a machine function: INLINEASM whose text is
/// `.pragma "regshare.…";`. The grammar is Base/Annotation.h's.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_STATEMENTS_H
#define REGSHARE_CODEGEN_STATEMENTS_H

#include "regshare/Base/Scheme.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

#include <string>
#include <vector>

namespace regshare {

/// "acquire" of `.pragma "regshare.acquire";`, whatever follows the verb; empty
/// for any other instruction.
llvm::StringRef statementVerb(const llvm::MachineInstr &MI);
/// Some statement of \p MF has that verb.
bool hasStatement(const llvm::MachineFunction &MF, llvm::StringRef Verb);

/// What stands between the quotes of a `.pragma`; empty for anything else.
std::string statementString(const llvm::MachineInstr &MI);

/// Puts \p Pragma, a whole statement, before \p Where, and in native code
/// before the group that \p Where is in. Between an instruction and the
/// statements that stand right after it (StatementKind::After) only another of
/// these comes; \p Pragma then stands after them.
llvm::MachineInstr *insertStatement(llvm::MachineBasicBlock &MBB,
                                    llvm::MachineBasicBlock::iterator Where,
                                    const std::string &Pragma);

/// The first branch of \p MBB's end. LLVM's getFirstTerminator() takes a
/// statement between two branches for the end of what comes before them.
llvm::MachineBasicBlock::iterator firstTerminator(llvm::MachineBasicBlock &MBB);
/// The same.
llvm::MachineBasicBlock::const_iterator
firstTerminator(const llvm::MachineBasicBlock &MBB);

/// The branches of \p MBB's end, without the statements between them.
template <typename Block> auto terminatorsOf(Block &MBB) {
  return llvm::make_filter_range(
      llvm::make_range(firstTerminator(MBB), MBB.end()),
      [](const llvm::MachineInstr &MI) { return statementVerb(MI).empty(); });
}

/// Removes every statement of \p MF with one of \p Verbs, as code that went
/// through MIR brings along. Returns how many there were.
unsigned eraseStatements(llvm::MachineFunction &MF,
                         llvm::ArrayRef<llvm::StringRef> Verbs);

/// Removes the statements that schemes' passes have written into code that is
/// to become that of the scheme named \p Applied; of a composition, those that
/// the passes of parts before \p Part write are the new ones, and stay.
void eraseOldStatements(llvm::MachineFunction &MF, llvm::StringRef Applied,
                        Scheme Part);

/// The verbs that only schemes' passes write: those that give way when another
/// scheme is applied.
std::vector<llvm::StringRef> schemeVerbs();

/// What the function, whose threads have \p Regs registers, says once as code
/// of \p S; what is malformed says nothing.
SchemeFacts headFacts(const llvm::MachineFunction &MF, Scheme S, unsigned Regs);

} // namespace regshare

#endif // REGSHARE_CODEGEN_STATEMENTS_H
