//===- WarpState.h - Where a warp may hold its extended set -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The states in which a warp can reach each node, acquired or released, and
/// how: a search over all pairs of node and state that a warp can be in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_WARPSTATE_H
#define REGSHARE_ANNOTATION_WARPSTATE_H

#include "regshare/Annotation/WarpFlow.h"

#include <array>
#include <functional>
#include <string>

namespace regshare {

enum class HeldState : uint8_t { Released, Acquired };

/// What \p MI, an acquire, a release or anything else, leaves of \p Before.
HeldState stateAfter(const llvm::MachineInstr &MI, HeldState Before);

class WarpState {
public:
  /// What an instruction leaves of the state before it.
  using Transition =
      std::function<HeldState(const llvm::MachineInstr &, HeldState)>;

  /// The function starts in released state.
  explicit WarpState(const WarpFlow &Flow, Transition After = stateAfter);

  /// True if a warp can come to the start of \p Node in state \p S.
  bool canEnter(unsigned Node, HeldState S) const {
    return Came[Node][unsigned(S)].Reached;
  }
  /// How it does, as AnnotationViolation::Path has it.
  std::string path(unsigned Node, HeldState S) const;

private:
  struct Step {
    bool Reached = false;
    bool ByOtherLanes = false;
    unsigned FromNode = ~0u; ///< None where the function starts.
    HeldState FromState = HeldState::Released;
  };
  /// A set of states, as bits.
  using States = uint8_t;
  static States bit(HeldState S) { return 1u << unsigned(S); }

  void solveWaits();
  States statesAfterWait(unsigned Wait, HeldState Before) const;
  HeldState after(unsigned Node, HeldState Before) const;

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
