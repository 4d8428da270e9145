//===- regshare/Analysis/FlowFacts.h - What LLVM knows ---- -*- C++ -*-----===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_FLOWFACTS_H
#define REGSHARE_ANALYSIS_FLOWFACTS_H

namespace llvm {
class MachineBlockFrequencyInfo;
class MachineBranchProbabilityInfo;
class MachinePostDominatorTree;
} // namespace llvm

namespace regshare {

/// LLVM's analyses of a function that the schemes' transformations ask
/// where lanes meet, and how often code executes.
struct FlowFacts {
  const llvm::MachinePostDominatorTree &PDT;
  const llvm::MachineBlockFrequencyInfo &MBFI;
  const llvm::MachineBranchProbabilityInfo &MBPI;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_FLOWFACTS_H
