//===- Trial.h - Who notices a mutant -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_MUTATION_TRIAL_H
#define REGSHARE_UNITTESTS_MUTATION_TRIAL_H

#include "MutantCompiler.h"

#include <map>

namespace regshare::mutation {

struct TrialOptions {
  Scheme S;
  unsigned MaxMutants = 0;  ///< Of one kernel; 0: all.
  bool RunPrograms = false; ///< And not only verify them.
  bool Verbose = false;
  CodeForm Code = CodeForm::PTX;
};

struct Tally {
  unsigned Mutants = 0;
  unsigned ByVerifier = 0, BySM = 0;
  /// Of those by the verifier, that break a model of a warp too.
  unsigned Shown = 0;
  unsigned Equivalent = 0, Missed = 0;
  /// Mutants of statements that the verifier proved sound and the SM did not
  /// like: one of them is wrong. They are among BySM.
  unsigned Gaps = 0;
  /// Mutants of copies that no run executes, or whose result none reads: not
  /// counted as mutants, since nothing can be said about them.
  unsigned Unobserved = 0;
  /// "regmutex acquire drop" to how often, by outcome.
  std::map<std::string, std::map<std::string, unsigned>> Kinds;

  void print(llvm::raw_ostream &OS) const;
  void note(const std::string &Kind, const std::string &Outcome) {
    ++Kinds[Kind][Outcome];
  }
};

/// Mutates one random kernel, with an |Es| or N that comes with the seed.
llvm::Error tryRandomKernel(uint64_t Seed, const TrialOptions &Options,
                            Tally &T);

/// Mutates the kernels of a CUDA program at several sizes of the extended set
/// or of intervals. If it is not run, only the statements, and what the
/// verifier accepts counts as equivalent.
llvm::Error tryProgram(const std::string &Path, const TrialOptions &Options,
                       Tally &T);

} // namespace regshare::mutation

#endif // REGSHARE_UNITTESTS_MUTATION_TRIAL_H
