//===- WarpState.h - The states that a warp may be in -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For schemes whose statements give a warp one of two states: those in which
/// it can reach each node, and how. A search over all pairs of node and state.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_WARPSTATE_H
#define REGSHARE_ANNOTATION_WARPSTATE_H

#include "regshare/Annotation/WarpFlow.h"

#include <array>
#include <functional>
#include <string>

namespace regshare {

/// What the two mean is up to the scheme.
enum class TwoState : uint8_t { AsAtStart, Other };

/// The states in which a warp can reach each node of a function.
class WarpState {
public:
  /// What an instruction leaves of the state before it.
  using Transition =
      std::function<TwoState(const llvm::MachineInstr &, TwoState)>;

  WarpState(const WarpFlow &Flow, Transition After);

  /// True if a warp can come to the start of \p Node in state \p S.
  bool canEnter(unsigned Node, TwoState S) const {
    return Came[Node][unsigned(S)].Reached;
  }
  /// How it does, as AnnotationViolation::Path has it.
  std::string path(unsigned Node, TwoState S) const;

private:
  struct Step {
    bool Reached = false;
    bool ByOtherLanes = false;
    unsigned FromNode = ~0u; ///< None where the function starts.
    TwoState FromState = TwoState::AsAtStart;
  };
  /// A set of states, as bits.
  using States = uint8_t;
  static States bit(TwoState S) { return 1u << unsigned(S); }

  void solveWaits();
  States statesAfterWait(unsigned Wait, TwoState Before) const;
  TwoState after(unsigned Node, TwoState Before) const;

  const WarpFlow &Flow;
  Transition AfterInstr;
  std::vector<std::array<Step, 2>> Came; // by node
  /// By wait and the state that it begins in, those that it can end in.
  std::vector<std::array<States, 2>> AfterWait;
};

/// The blocks of \p Nodes in order, each one once in a row; \p Switched says
/// which nodes are reached by other lanes.
std::string describePath(const WarpFlow &Flow, llvm::ArrayRef<unsigned> Nodes,
                         llvm::ArrayRef<bool> Switched);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_WARPSTATE_H
