//===- Runner.h - Runs a mutant -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_RUNNER_H
#define REGSHARE_UNITTESTS_MUTATION_RUNNER_H

#include "regshare/Base/CodeForm.h"
#include "regshare/Base/Scheme.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace regshare::mutation {

struct RunOptions {
  bool Timed = false; ///< Cycle by cycle, too.
  bool All = false;   ///< Launches; otherwise the first ones.
  /// A probe looks at registers that nothing else may read.
  bool IsProbe = false;
};

/// Runs kernels, whatever their code, on inputs with known results.
class Runner {
public:
  virtual ~Runner() = default;
  /// What is wrong with \p PTX at run time; empty if nothing is.
  virtual std::string run(const std::string &PTX,
                          const RunOptions &Options) const = 0;
};

/// A random kernel of the fuzzer, on launches that the host has computed.
struct RandomKernel {
  std::string Name;
  std::string Bitcode;
  std::unique_ptr<Runner> Launches;
};
/// Nothing in it if functions are called, which schemes leave alone. Code of
/// that form will be made with \p Settings.
llvm::Expected<RandomKernel> makeRandomKernel(uint64_t Seed, Scheme S,
                                              const SettingValues &Settings,
                                              CodeForm Code);

/// What programs run on.
inline constexpr char ProgramDevice[] = "gtx480";

/// Compiles the CUDA program in the file \p Path, which verifies itself, and
/// runs it with its own inputs under \p S.
llvm::Expected<std::unique_ptr<Runner>> makeProgram(const std::string &Path,
                                                    Scheme S);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_RUNNER_H
