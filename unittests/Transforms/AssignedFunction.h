//===- AssignedFunction.h - Registers for a parsed function -----*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_UNITTESTS_TRANSFORMS_ASSIGNEDFUNCTION_H
#define REGSHARE_UNITTESTS_TRANSFORMS_ASSIGNEDFUNCTION_H

#include "ParsedFunction.h"
#include "Transforms/FreshFacts.h"

#include "regshare/Transforms/AssignRegisters.h"

namespace regshare::test {

/// Gives the values of \p P registers.
inline void assign(ParsedFunction &P) {
  FreshFacts Facts(P.mf());
  AssignOptions Options;
  Options.LowerPeak = false;
  AssignStats Stats;
  unsigned CopiesRemoved = 0;
  rewriteToArchitected(
      P.mf(),
      llvm::cantFail(assignRegisters(P.mf(), Facts.MBFI, Options, Stats)),
      CopiesRemoved);
}

} // namespace regshare::test

#endif // REGSHARE_UNITTESTS_TRANSFORMS_ASSIGNEDFUNCTION_H
