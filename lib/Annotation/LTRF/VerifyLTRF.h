//===- VerifyLTRF.h - What the rules of LTRF share -*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_ANNOTATION_LTRF_VERIFYLTRF_H
#define REGSHARE_LIB_ANNOTATION_LTRF_VERIFYLTRF_H

#include "regshare/Annotation/LTRF/LTRFRules.h"
#include "regshare/Annotation/VerifierRun.h"

namespace regshare {

/// Code that belongs to no interval.
inline constexpr unsigned NoInterval = ~0u;

/// The statements of LTRF as the text has them.
class IntervalText {
public:
  explicit IntervalText(VerifierRun &Run);

  /// Instructions, in layout order: no statements, and nothing that PTX does
  /// not have.
  llvm::ArrayRef<const llvm::MachineInstr *> instrs() const { return Instrs; }
  bool isInstr(const llvm::MachineInstr &MI) const {
    return IntervalOf.count(&MI);
  }
  /// The interval of an instruction, or NoInterval.
  unsigned intervalOf(const llvm::MachineInstr &MI) const {
    return IntervalOf.lookup(&MI);
  }
  /// The interval that \p MI is a PREFETCH of, or NoInterval.
  unsigned prefetchAt(const llvm::MachineInstr &MI) const {
    auto It = Prefetches.find(&MI);
    return It == Prefetches.end() ? NoInterval : It->second;
  }
  /// Nothing if the interval has no PREFETCH.
  const RegSet *vectorOf(unsigned Interval) const {
    // A DenseMap cannot be asked for ~0u.
    auto It = Interval == NoInterval ? Vectors.end() : Vectors.find(Interval);
    return It == Vectors.end() ? nullptr : &It->second;
  }

private:
  void addPrefetch(VerifierRun &Run, const PlacedStatement &S);

  std::vector<const llvm::MachineInstr *> Instrs;
  llvm::DenseMap<const llvm::MachineInstr *, unsigned> IntervalOf, Prefetches;
  llvm::DenseMap<unsigned, RegSet> Vectors;
  llvm::DenseMap<unsigned, const llvm::MachineInstr *> FirstPrefetch;
};

/// By node: the nodes that lead there.
std::vector<llvm::SmallVector<unsigned, 2>> predecessors(const WarpFlow &Flow);
/// By node: whether paths lead there from the function's start.
std::vector<bool> reachable(const WarpFlow &Flow);

/// Intervals are entered by their PREFETCH alone.
void verifyEntries(VerifierRun &Run, const IntervalText &Text);
/// Nothing in a strand takes long but its last instruction, and it has no loop
/// inside.
void verifyStrands(VerifierRun &Run, const IntervalText &Text);

} // namespace regshare

#endif // REGSHARE_LIB_ANNOTATION_LTRF_VERIFYLTRF_H
