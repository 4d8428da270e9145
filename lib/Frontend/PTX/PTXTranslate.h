//===- PTXTranslate.h - Machine instructions for PTX -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_PTX_PTXTRANSLATE_H
#define REGSHARE_LIB_FRONTEND_PTX_PTXTRANSLATE_H

#include "PTXSelect.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

#include <string>

namespace llvm {
class GlobalVariable;
class MachineFunction;
class TargetInstrInfo;
} // namespace llvm

namespace regshare {

/// The opcode that LLVM calls so; 0 if there is none.
unsigned opcodeOfName(const llvm::TargetInstrInfo &TII, llvm::StringRef Name);

/// How the function under construction represents what PTX names.
struct PTXNames {
  llvm::function_ref<RegKind(int)> KindOf;
  llvm::function_ref<llvm::Register(int)> RegisterOf;
  /// Whether a register holds an address in the frame, which LLVM knows by
  /// other means.
  llvm::function_ref<bool(int)> IsFrame;
  /// Null if the operand is no variable as a whole.
  llvm::function_ref<llvm::GlobalVariable *(const sim::ptx::Operand &)>
      Variable;
};

/// Makes NVPTX's own machine instructions of PTX instructions without a guard.
class PTXTranslator {
public:
  PTXTranslator(llvm::MachineFunction &MF, PTXNames Names);

  using Builder = llvm::function_ref<llvm::MachineInstrBuilder(unsigned)>;
  /// Makes the machine instruction for \p I. Returns false, and makes nothing,
  /// if there is none.
  bool translate(const sim::ptx::Instruction &I, Builder Build);

private:
  struct Access;

  bool compute(const sim::ptx::Instruction &I, Builder Build);
  bool access(const sim::ptx::Instruction &I, Builder Build);
  bool readAccess(const sim::ptx::Instruction &I, Access &A) const;
  unsigned opcodeOf(const Access &A) const;
  void addNumber(llvm::MachineInstrBuilder &MI, const sim::ptx::Operand &O,
                 llvm::StringRef Name, bool IsWide);
  bool isRegister(const sim::ptx::Operand &O) const;

  llvm::MachineFunction &MF;
  PTXNames Names;
};

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_PTX_PTXTRANSLATE_H
