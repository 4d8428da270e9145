//===- regshare/CodeGen/Native/PTXMnemonics.h - PTX names -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The PTX mnemonic that a machine instruction is printed as, with all its
/// suffixes: "cvt.rzi.ftz.s32.f32", "ld.global.v2.b32".
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_CODEGEN_NATIVE_PTXMNEMONICS_H
#define REGSHARE_CODEGEN_NATIVE_PTXMNEMONICS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MachineInstr;
class MCInst;
class MCInstPrinter;
class TargetMachine;
} // namespace llvm

namespace regshare {

/// Mnemonics, read off LLVM's own printer.
class PTXMnemonics {
public:
  explicit PTXMnemonics(const llvm::TargetMachine &Target);
  ~PTXMnemonics();

  /// Empty for what is not one PTX instruction: inline assembly, labels, debug
  /// information. Moves between a register and several narrower ones end in
  /// ".pack" or ".unpack". The text lives as long as the table.
  llvm::StringRef get(const llvm::MachineInstr &MI);

  /// The mnemonic of a PTX instruction's text, in the same form.
  static std::string ofText(llvm::StringRef Text);

private:
  /// An opcode, and if its mnemonic depends on them, the immediate operands.
  using Key = llvm::SmallVector<int64_t, 8>;

  std::string print(const llvm::MCInst &Inst) const;
  bool dependsOnOperands(unsigned Opcode);

  const llvm::TargetMachine &Target;
  std::unique_ptr<llvm::MCInstPrinter> Printer;
  std::vector<int8_t> Depends; // by opcode; -1: not known yet
  std::map<Key, std::string> Known;
};

} // namespace regshare

#endif // REGSHARE_CODEGEN_NATIVE_PTXMNEMONICS_H
