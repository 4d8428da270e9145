//===- AnalyzedModel.h - Random functions with analyses -------*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A random function, the machine function of its MIR, that one's analyses, and
/// the slow oracle of the same.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_SUPPORT_ANALYZEDMODEL_H
#define REGSHARE_UNITTESTS_SUPPORT_ANALYZEDMODEL_H

#include "LivenessOracle.h"
#include "ParsedFunction.h"
#include "RandomMachineFunction.h"

#include "regshare/Analysis/Analyses.h"

#include "gtest/gtest.h"

namespace regshare::test {

struct AnalyzedModel {
  ModelFunction Model;
  ParsedFunction Parsed;
  Analyses A;

  explicit AnalyzedModel(unsigned Seed)
      : Model(makeRandomFunction(variedOptions(Seed))), Parsed(Model.mir()),
        A(Parsed.mf(),
          llvm::cantFail(RegisterAssignment::fromNames(Parsed.mf())),
          Parsed.postDominators()) {}

  std::vector<bool>
  divergentBranches(const DivergenceAnalysis &Divergence) const {
    std::vector<bool> Divergent;
    for (unsigned B = 0; B != Model.Blocks.size(); ++B)
      Divergent.push_back(Divergence.isDivergentBranch(Parsed.block(B)));
    return Divergent;
  }
  LivenessOracle oracle() const {
    return LivenessOracle(Model, divergentBranches(A.Divergence));
  }
};

/// How many forRandomFunctions() makes.
inline unsigned randomFunctions() { return fuzzIterations(800); }

/// Runs \p Check(case, seed) over random functions; a failure prints the
/// function. \p Case is made from a seed, and has a Model.
template <typename Case, typename Fn> void forRandomFunctions(Fn Check) {
  for (unsigned Seed = 0, E = randomFunctions(); Seed != E; ++Seed) {
    Case C(Seed);
    Check(C, Seed);
    if (testing::Test::HasFailure())
      FAIL() << "seed " << Seed << ":\n" << C.Model.mir();
  }
}

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_SUPPORT_ANALYZEDMODEL_H
