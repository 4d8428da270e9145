//===- RegMutexStops.h - Lanes that stop inside of a side -----*- C++ -*---===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes that stop at a warp-synchronous instruction or a barrier inside of a
/// divergent branch (Analysis/LaneWaits.h) go on in the state that other lanes
/// of their warp have left it in meanwhile, and no code can run before the
/// instruction they stopped at. So the state has to be the same at all places
/// where a warp can change lanes. Private to RegMutex.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXSTOPS_H
#define REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXSTOPS_H

#include "regshare/Analysis/Analyses.h"
#include "regshare/Analysis/WaitPoints.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace regshare {

/// What follows for the states of one function.
class StopRules {
public:
  /// Adds the places to \p Waits where lanes can stop or end while others of
  /// their warp wait at a barrier.
  StopRules(const llvm::MachineFunction &MF, const Analyses &A,
            WaitPoints &Waits);

  /// Sets of blocks, by number, that all have one state throughout.
  llvm::ArrayRef<llvm::BitVector> oneState() const { return OneState; }
  bool isOneState(const llvm::MachineBasicBlock &MBB) const {
    return InOneState.test(MBB.getNumber());
  }
  /// True if lanes can go on at the start of \p MBB while others wait at a
  /// barrier.
  bool resumesFree(const llvm::MachineBasicBlock &MBB) const {
    return ResumesFree.test(MBB.getNumber());
  }
  /// A branch or a barrier after which a machine may let lanes meet where the
  /// graph does not say, so that no state can be relied on; null: there is
  /// none.
  const llvm::MachineInstr *unknownMeeting() const { return Unknown; }

private:
  void addBranch(const llvm::MachineBasicBlock &Branch, WaitPoints &Waits);
  void addContinuation(const llvm::MachineBasicBlock &Meet, WaitPoints &Waits);

  const llvm::MachineFunction &MF;
  const Analyses &A;
  std::vector<llvm::BitVector> OneState;
  llvm::BitVector InOneState, ResumesFree;
  const llvm::MachineInstr *Unknown = nullptr;
};

/// True if all that is left to do at the start of \p MBB is to end the thread.
/// Lanes do not wait there for others.
bool endsThread(const llvm::MachineBasicBlock &MBB);

} // namespace regshare

#endif // REGSHARE_LIB_TRANSFORMS_REGMUTEX_REGMUTEXSTOPS_H
