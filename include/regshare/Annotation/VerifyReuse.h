//===- regshare/Annotation/VerifyReuse.h - Reuse is right -------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves that no instruction of native code takes a value out of the
/// register-file cache that its register no longer has, and that nothing is
/// kept beyond a block or across what other lanes may run in.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFYREUSE_H
#define REGSHARE_ANNOTATION_VERIFYREUSE_H

#include "regshare/CodeGen/Native/ControlCode.h"

#include <string>
#include <vector>

namespace llvm {
class PassRegistry;
void initializeVerifyReusePassPass(PassRegistry &);
} // namespace llvm

namespace regshare {

/// What is wrong, and of which unit.
struct ReuseViolation {
  unsigned Block = 0; ///< Of the code, and the unit in it.
  unsigned Unit = 0;
  std::string What;
};

/// All that is wrong with the reuse bits of \p Code.
std::vector<ReuseViolation> verifyReuse(const ControlCode &Code);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_VERIFYREUSE_H
