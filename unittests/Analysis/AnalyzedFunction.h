//===- AnalyzedFunction.h - Architected text, analysed -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_ANALYSIS_ANALYZEDFUNCTION_H
#define REGSHARE_UNITTESTS_ANALYSIS_ANALYZEDFUNCTION_H

#include "ParsedFunction.h"

#include "regshare/Analysis/Analyses.h"

namespace regshare::test {

/// An architected function from the text of its blocks, with its analyses;
/// sets are given as text, which is what a failing test should show.
struct AnalyzedFunction {
  ParsedFunction Parsed;
  Analyses A;

  explicit AnalyzedFunction(llvm::StringRef Body,
                            DivergenceOptions Options = {})
      : Parsed(Body),
        A(Parsed.mf(),
          llvm::cantFail(RegisterAssignment::fromNames(Parsed.mf())),
          Parsed.postDominators(), Options) {}

  bool divergentBranch(unsigned Block) {
    return A.Divergence.isDivergentBranch(Parsed.block(Block));
  }
  std::string divergentIn(unsigned Block) {
    return A.Divergence.divergentIn(Parsed.block(Block)).str();
  }
  std::string threadIn(unsigned Block) {
    return A.Thread.liveIn(Parsed.block(Block)).str();
  }
  std::string warpIn(unsigned Block) {
    return A.Warp.liveIn(Parsed.block(Block)).str();
  }
  std::string warpOut(unsigned Block) {
    return A.Warp.liveOut(Parsed.block(Block)).str();
  }
  std::string threadBefore(unsigned Block, unsigned Instr) {
    return before(A.Thread, Block, Instr);
  }
  std::string warpBefore(unsigned Block, unsigned Instr) {
    return before(A.Warp, Block, Instr);
  }

private:
  template <typename Liveness>
  std::string before(const Liveness &L, unsigned Block, unsigned Instr) {
    std::string Found = "no such instruction";
    const llvm::MachineInstr *Wanted = &Parsed.instr(Block, Instr);
    L.forEachBackward(Parsed.block(Block),
                      [&](const llvm::MachineInstr &MI, const RegSet &Before,
                          const RegSet &) {
                        if (&MI == Wanted)
                          Found = Before.str();
                      });
    return Found;
  }
};

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_ANALYSIS_ANALYZEDFUNCTION_H
