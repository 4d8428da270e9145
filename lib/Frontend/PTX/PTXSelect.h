//===- PTXSelect.h - NVPTX's instructions by their PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// NVPTX's instruction selection backwards: which of LLVM's machine
/// instructions prints as a given PTX instruction. Passes that fold and reorder
/// know those by their opcodes.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_PTX_PTXSELECT_H
#define REGSHARE_LIB_FRONTEND_PTX_PTXSELECT_H

#include "regshare/Base/ArchReg.h"
#include "regshare/Sim/PTX.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class MCInst;
class MCInstPrinter;
class TargetMachine;
class TargetRegisterInfo;
} // namespace llvm

namespace regshare {

/// A machine instruction for a PTX instruction: of each of its operands which
/// operand of the PTX it is, or the number that selects a form of the
/// instruction, such as a rounding mode.
struct SelectedPTX {
  struct Operand {
    std::optional<unsigned> Of;
    int64_t Mode = 0;
  };
  unsigned Opcode = 0;
  llvm::SmallVector<Operand, 5> Operands;
};

/// Finds machine instructions that compute from registers and numbers.
class PTXSelector {
public:
  /// Prints every instruction of the target's to see what it is in PTX.
  PTXSelector(const llvm::TargetMachine &Target,
              const llvm::TargetRegisterInfo &TRI);
  ~PTXSelector();

  /// By "add.s32" and a letter for each operand: that of its register's kind,
  /// 'i' for a number, or the name of a special register in <>. Null if none
  /// prints so.
  const SelectedPTX *find(llvm::StringRef Name, llvm::StringRef Operands) const;
  static char letterOf(RegKind K) { return "phwdq"[unsigned(K)]; }

private:
  void learn(unsigned Opcode, const llvm::TargetRegisterInfo &TRI);
  void learnForm(const llvm::MCInst &Inst, SelectedPTX Form,
                 llvm::StringRef Letters);

  const llvm::TargetMachine &Target;
  std::unique_ptr<llvm::MCInstPrinter> Printer;
  llvm::StringMap<SelectedPTX> Table; ///< By "add.s32 wwi".
};

/// The name of \p I, then other names with the same meaning: LLVM prints
/// additions and products as signed, and selections as bits.
llvm::SmallVector<std::string, 4> ptxSynonyms(const sim::ptx::Instruction &I);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_PTX_PTXSELECT_H
