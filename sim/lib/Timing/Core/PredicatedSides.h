//===- PredicatedSides.h - Code that no lane executes -----------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A branch that hardware has not (`issue slots=0` before one that is guarded)
/// has sides that are executed under a predicate. Hardware issues them whether
/// or not a lane takes them; here the branch goes around them.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_SIM_TIMING_CORE_PREDICATEDSIDES_H
#define REGSHARE_SIM_TIMING_CORE_PREDICATEDSIDES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace regshare::sim {

struct Function;
struct FunctionTiming;

/// One of the issue slots of a side: \p Left of its instruction's, itself
/// included.
struct PredicatedSlot {
  uint32_t Inst = 0; ///< By number.
  uint16_t Left = 1;
};
using PredicatedSide = std::vector<PredicatedSlot>;

/// By the number of a branch.
struct PredicatedBranch {
  PredicatedSide Taken, NotTaken;
};
using PredicatedBranches = std::unordered_map<uint32_t, PredicatedBranch>;

/// Of native code; a side that is more than a stretch of code up to where the
/// branch's lanes meet has no slots.
PredicatedBranches findPredicatedBranches(const Function &F,
                                          const FunctionTiming &T);

} // namespace regshare::sim

#endif // REGSHARE_SIM_TIMING_CORE_PREDICATEDSIDES_H
