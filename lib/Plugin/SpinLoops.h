//===- SpinLoops.h - Loops in which lanes wait for a lock -*- C++ -*-------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the loops for SpinLocks.cpp: lanes that have got a lock leave the loop
/// for a critical section that gives it back, and would wait where the sides
/// of the branch meet for lanes that still try.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_PLUGIN_SPINLOOPS_H
#define REGSHARE_PLUGIN_SPINLOOPS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace regshare {

/// What \p I gets a lock with, if it may: the address that an exchange, a
/// comparison and exchange or the setting of bits is on; null otherwise.
llvm::Value *acquiredAddress(const llvm::Instruction &I);

/// Whether both are the same address, or computed alike: a pointer that is read
/// from memory again after an atomic access counts as the same.
bool isSameAddress(const llvm::Value *A, const llvm::Value *B);

/// Whether \p I may give back the lock at \p Address.
bool releases(const llvm::Instruction &I, const llvm::Value *Address);

/// Whether lanes or warps wait for each other at \p I, in a function that it
/// calls as well.
bool isSynchronisation(const llvm::Instruction &I);

/// Whether \p I marks the block where the sides of such a loop meet.
bool marksMeeting(const llvm::Instruction &I);

/// An edge of the control flow graph.
struct Edge {
  llvm::BasicBlock *From, *To;
};

/// A loop whose lanes try to get locks.
struct SpinLoop {
  llvm::BasicBlock *Header;
  /// The blocks of lanes that have none of the locks.
  llvm::SetVector<llvm::BasicBlock *> Trying;
  /// The blocks of lanes that have one, as far as to where they give it back.
  llvm::SetVector<llvm::BasicBlock *> Holding;
  /// The last instruction of Holding in blocks that end the critical section.
  llvm::MapVector<llvm::BasicBlock *, llvm::Instruction *> Ends;
};

/// Finds the loops of a function that let lanes with a lock wait for those that
/// try.
class SpinLoopFinder {
public:
  explicit SpinLoopFinder(llvm::Function &F) : DT(F), PDT(F), LI(DT) {}

  /// Inner loops come first. Those with a header in \p Done are left out.
  std::optional<SpinLoop>
  find(const llvm::SmallPtrSetImpl<llvm::BasicBlock *> &Done) const;

private:
  /// A branch that lanes with the lock at Address leave by Taken.
  struct Acquisition {
    Edge Taken;
    llvm::Value *Address;
  };
  using Acquisitions = llvm::SmallVector<Acquisition, 2>;

  std::optional<SpinLoop> find(const llvm::Loop &L) const;
  Acquisitions acquisitions(const llvm::Loop &L) const;
  bool isEnteredWith(llvm::BasicBlock *First, llvm::Value *Address,
                     const llvm::Loop &L) const;
  bool addHolding(const Acquisition &A, llvm::Value *Address,
                  SpinLoop &S) const;
  void addTrying(const llvm::Loop &L, const Acquisitions &Found,
                 SpinLoop &S) const;
  bool passesMeeting(const Acquisition &A, const SpinLoop &S) const;

  llvm::DominatorTree DT;
  llvm::PostDominatorTree PDT;
  llvm::LoopInfo LI;
};

} // namespace regshare

#endif // REGSHARE_PLUGIN_SPINLOOPS_H
