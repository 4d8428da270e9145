//===- regshare/Analysis/WaitPoints.h - Where warps wait for warps - -*- C++
//-*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The instructions at which a warp can wait for another one to do something: a
/// scheme that makes warps wait for registers must not have them hold any that
/// others wait for there. These are
/// - barriers of a CTA or a cluster;
/// - every instruction of a loop that is left depending on what an atomic, a
///   volatile or an ordered load, or any load beside a fence, returned: it may
///   be a spin loop. What the loop waits for is not known, so that a loop that
///   takes work from a queue counts too;
/// - calls of functions that may do either;
/// - inline PTX that waits or loops by itself.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANALYSIS_WAITPOINTS_H
#define REGSHARE_ANALYSIS_WAITPOINTS_H

#include "regshare/Analysis/Reconvergence.h"
#include "regshare/CodeGen/RegisterAssignment.h"

#include "llvm/ADT/DenseMap.h"

namespace regshare {

/// Why a warp may wait at an instruction.
enum class WaitKind : uint8_t {
  Barrier,
  SpinLoop,
  Call,
  InlinePTX,
  Lanes, ///< Others of the same warp wait at a barrier for these lanes.
};
/// "barrier", "loop that may wait for another warp", …
const char *waitName(WaitKind K);

/// The instructions of a function at which a warp can wait for another.
class WaitPoints {
public:
  WaitPoints(const llvm::MachineFunction &MF,
             const RegisterAssignment &Assignment,
             const Reconvergence &Meetings);

  bool isWait(const llvm::MachineInstr &MI) const { return Waits.count(&MI); }
  /// Nothing for an instruction that does not wait.
  std::optional<WaitKind> kindOf(const llvm::MachineInstr &MI) const {
    auto It = Waits.find(&MI);
    return It == Waits.end() ? std::nullopt : std::optional(It->second);
  }
  unsigned count() const { return Waits.size(); }
  /// Makes \p MI one, unless it is.
  void add(const llvm::MachineInstr &MI, WaitKind Kind) {
    Waits.try_emplace(&MI, Kind);
  }

private:
  llvm::DenseMap<const llvm::MachineInstr *, WaitKind> Waits;
};

} // namespace regshare

#endif // REGSHARE_ANALYSIS_WAITPOINTS_H
