//===- PTXInput.h - Plain PTX as input -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each PTX instruction becomes a machine instruction that carries its text,
/// with virtual registers in the places of its registers; branches, moves and
/// loads of parameters become NVPTX's own instructions, and for native code all
/// that print as the PTX does (PTXTranslate.h). Variables and
/// parameters become those of an LLVM module, whose functions are but shells.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_PTX_PTXINPUT_H
#define REGSHARE_FRONTEND_PTX_PTXINPUT_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Sim/PTX.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <deque>
#include <map>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class MachineFunction;
class Module;
} // namespace llvm

namespace regshare {

struct PTXInput {
  sim::ptx::Module Module;
  /// Of each kernel, by its name: new names of parameters and shared
  /// variables, where LLVM has others.
  llvm::StringMap<std::map<std::string, std::string>> Renamed;
  /// Words and instructions of the module that its text does not have.
  std::deque<std::string> Texts;

  const sim::ptx::Function *kernel(llvm::StringRef Name) const {
    return Module.find({Name.data(), Name.size()});
  }
};

/// What an opcode does with its first operand.
enum class PTXResult { Unknown, Writes, Stays };
PTXResult ptxResultOf(const sim::ptx::Instruction &I);

/// An error at a line of the input.
llvm::Error ptxError(const PTXInput &Input, unsigned Line,
                     const llvm::Twine &Message);

/// Makes the functions of the module that its kernels call a part of these: as
/// LLVM's inliner does, but before there is LLVM code. What goes through .param
/// variables goes through registers. Fails on a function that calls itself,
/// that has shared variables, or a parameter of which more is done than to load
/// and store its parts.
llvm::Error inlinePTXFunctions(PTXInput &Input);

/// The module with variables, kernels and their attributes.
llvm::Expected<std::unique_ptr<llvm::Module>>
makePTXModule(PTXInput &Input, llvm::LLVMContext &Context);

/// Fills \p MF, of the kernel \p F, with its code, in which native code has
/// more of NVPTX's own instructions. Returns what the input calls each virtual
/// register; empty for those that it does not have.
llvm::Expected<std::vector<std::string>>
makePTXBody(const PTXInput &Input, const sim::ptx::Function &F, CodeForm Form,
            llvm::MachineFunction &MF);

} // namespace regshare

#endif // REGSHARE_FRONTEND_PTX_PTXINPUT_H
