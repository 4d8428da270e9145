//===- regshare/Frontend/Target.h - Which GPU to compile for ----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The target is what the user asks for, else what the kernels' attributes
/// say, else sm_75. Everything LLVM would abort on (an unknown processor, a
/// PTX version too old for it) is found here.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_FRONTEND_TARGET_H
#define REGSHARE_FRONTEND_TARGET_H

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
class Triple;
} // namespace llvm

namespace regshare {

inline constexpr char DefaultTriple[] = "nvptx64-nvidia-cuda";
inline constexpr char DefaultCPU[] = "sm_75";

/// The processor to compile for.
struct TargetChoice {
  std::string CPU;
  /// In LLVM's syntax; always names a PTX version.
  std::string Features;
};

/// Registers NVPTX with LLVM; may be called any number of times.
void initializeTarget();

/// Fails unless \p Triple is 64-bit NVPTX for CUDA.
llvm::Error checkTriple(const llvm::Triple &Triple);

/// Completes and checks a processor and features that the user or a module
/// gave; both may be empty.
llvm::Expected<TargetChoice> chooseTarget(llvm::StringRef CPU,
                                          llvm::StringRef Features);

/// As above; what is empty comes from the kernels of \p M. Kernels that
/// disagree are an error that names two of them.
llvm::Expected<TargetChoice> chooseTarget(const llvm::Module &M,
                                          llvm::StringRef CPU,
                                          llvm::StringRef Features);

/// What a module says about its own code generation.
struct CodeGenChoice {
  /// Pointers to shared, constant and local memory have 32 bits.
  bool ShortPointers = false;
  /// Multiplies and adds are contracted; else only those that are marked.
  bool ContractAll = true;
};

/// A TargetMachine that makes of a module what clang's -S makes of it: the PTX
/// has comments.
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const TargetChoice &Choice, unsigned OptLevel,
                    CodeGenChoice CodeGen = {});

/// The version of PTX that \p TM writes: 73 for 7.3.
unsigned ptxVersion(const llvm::TargetMachine &TM);

/// Makes the attributes of every function with a body say \p Choice, so that
/// the module compiles to the same code again.
void setTargetAttributes(llvm::Module &M, const TargetChoice &Choice);

} // namespace regshare

#endif // REGSHARE_FRONTEND_TARGET_H
