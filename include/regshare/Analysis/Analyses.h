//===- regshare/Analysis/Analyses.h - All analyses of one function - -*- C++
//-*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The analyses of one architected function, computed together.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_ANALYSES_H
#define REGSHARE_ANALYSIS_ANALYSES_H

#include "regshare/Analysis/WarpLiveness.h"

namespace regshare {

/// The analyses of one function, each with those that it rests on before it.
struct Analyses {
  RegisterAssignment Assignment;
  Reconvergence Meetings;
  DivergenceAnalysis Divergence;
  ThreadLiveness Thread;
  WarpLiveness Warp;

  Analyses(const llvm::MachineFunction &MF, RegisterAssignment A,
           const llvm::MachinePostDominatorTree &PDT,
           DivergenceOptions Options = {})
      : Analyses(MF, std::move(A), RegisterCode(MF, A), PDT, Options) {}
  // Its parts refer to each other.
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;

private:
  Analyses(const llvm::MachineFunction &MF, RegisterAssignment &&A,
           const RegisterCode &Code, const llvm::MachinePostDominatorTree &PDT,
           DivergenceOptions Options)
      : Assignment(std::move(A)), Meetings(MF, PDT),
        Divergence(MF, Assignment, Code, Meetings, Options),
        Thread(MF, Assignment, Code),
        Warp(MF, Code, Thread, Divergence, Meetings) {}
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_ANALYSES_H
