//===- MutantCompiler.h - Code with one mistake -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_MUTANTCOMPILER_H
#define REGSHARE_UNITTESTS_MUTATION_MUTANTCOMPILER_H

#include "Mutations.h"

#include "regshare/Base/Scheme.h"
#include "regshare/Frontend/Input.h"

#include "llvm/Support/Error.h"

#include <functional>

namespace llvm {
class MachinePostDominatorTree;
} // namespace llvm

namespace regshare::mutation {

/// Applies \p S to the kernels of \p Input, in the form of code that it asks
/// for, and gives the annotated machine code. It can run on \p Device, if that
/// is not empty.
llvm::Expected<std::string> annotate(const InputOptions &Input, Scheme S,
                                     const SettingValues &Settings,
                                     const std::string &Device = {});

/// The same for a kernel that is LLVM bitcode.
llvm::Expected<std::string> annotateBitcode(llvm::StringRef Bitcode,
                                            CodeForm Code, Scheme S,
                                            const SettingValues &Settings);

/// What came of one change.
struct Mutant {
  std::vector<Subject> Subjects; ///< Of the kernel, before the change.
  Outcome Did = Outcome::None;
  std::vector<std::string> Violations; ///< Found by the verifier.
  /// Where there is a model of a warp: what the model does that it did not do
  /// before, or is not allowed to; empty if nothing.
  std::string Wrong;
  std::string PTX;
};

/// Does \p Change to \p Kernel in \p MIR and prints PTX for \p S.
llvm::Expected<std::string>
compileChanged(const std::string &MIR, const std::string &Kernel, Scheme S,
               std::function<void(llvm::MachineFunction &,
                                  const llvm::MachinePostDominatorTree &)>
                   Change);

/// Changes \p Kernel in \p MIR, verifies it and prints PTX for \p S. Without a
/// change only lists the subjects.
llvm::Expected<Mutant> makeMutant(const std::string &MIR,
                                  const std::string &Kernel, Scheme S,
                                  std::optional<Wish> What);

/// Registers the pass that does it.
void initializeMutation();

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_MUTANTCOMPILER_H
