//===- VerifyFrees.cpp - The rule of register file virtualisation ---------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Annotation/VerifierRun.h"

namespace regshare {

void verifyFrees(VerifierRun &Run) {
  GivenBack Given;
  for (const SchemeStatement &S : Run.Statements)
    if (S.Verb == "free")
      for (unsigned Unit : S.Units)
        Given[S.MI].set(Unit);
  Run.reportBadReads(AnnotationRule::LostByFree, Given);
}

} // namespace regshare
