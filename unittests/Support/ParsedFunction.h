//===- ParsedFunction.h - A machine function from text -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_PARSEDFUNCTION_H
#define REGSHARE_UNITTESTS_SUPPORT_PARSEDFUNCTION_H

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace regshare::test {

/// A kernel's machine function for sm_75, read from MIR, with the analyses of
/// LLVM that ours are given. Everything it needs lives as long as it does.
class ParsedFunction {
public:
  /// \p Body is what follows `body: |` in a .mir file: blocks, each line
  /// indented by at least two spaces. Ends the test program on a syntax error.
  explicit ParsedFunction(llvm::StringRef Body);

  llvm::MachineFunction &mf() { return *MF; }
  const llvm::MachineBasicBlock &block(unsigned Number) const {
    return *MF->getBlockNumbered(Number);
  }
  /// The instruction at \p Index of block \p Number.
  const llvm::MachineInstr &instr(unsigned Number, unsigned Index) const;
  const llvm::MachinePostDominatorTree &postDominators() const { return PDT; }

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::MachineModuleInfo> MMI;
  llvm::MachineFunction *MF = nullptr;
  llvm::MachinePostDominatorTree PDT;
};

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_PARSEDFUNCTION_H
