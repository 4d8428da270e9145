//===- Recursion.h - Recursive functions inside of kernels -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registers belong to a kernel as a whole, so a function that reaches itself
/// becomes a part of its caller, too: a loop, with a stack in local memory for
/// what a call has to keep (docs/recursion.md).
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_RECURSION_H
#define REGSHARE_LIB_FRONTEND_RECURSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class CallBase;
class Function;
class InlineResult;
class Module;
} // namespace llvm

namespace regshare {

/// The functions of a module that reach themselves by direct calls.
class RecursiveFunctions {
public:
  using Cycle = llvm::SmallVector<llvm::Function *, 2>;

  explicit RecursiveFunctions(llvm::Module &M);

  /// Those that \p F reaches and that reach it, itself among them, in the order
  /// of the module; null if \p F does not reach itself.
  const Cycle *cycleOf(const llvm::Function &F) const;

private:
  llvm::SmallVector<Cycle, 2> Cycles;
  llvm::DenseMap<const llvm::Function *, unsigned> Numbers;
};

/// Replaces \p Call, of one of \p Cycle's functions by another function, by
/// branches: bodies of all these functions become a part of the caller, in
/// which a call of one of them pushes what is alive and branches, and a return
/// branches to where the call was. Each call has bodies of its own: were they
/// shared, threads that come from different calls would not meet after these.
/// The functions of the cycle call nothing that could be inlined.
///
/// Fails with a reason if a body cannot become a part of another function.
llvm::InlineResult mergeRecursion(llvm::CallBase &Call,
                                  const RecursiveFunctions::Cycle &Cycle);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_RECURSION_H
