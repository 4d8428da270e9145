//===- VerifyUniform.h - Prove uniform registers sound ---------*- C++ -*--===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of VerifyFold.h, what concerns uniform registers. Private to the library.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_ANNOTATION_VERIFYUNIFORM_H
#define REGSHARE_LIB_ANNOTATION_VERIFYUNIFORM_H

#include "regshare/Annotation/VerifyFold.h"

namespace regshare {

class RegisterAssignment;

/// Adds to \p Found where native code has uniform registers as hardware cannot:
/// what computes and what reads them, and whether each thread that reads one
/// reads what it has written.
void verifyUniform(const llvm::MachineFunction &MF,
                   const RegisterAssignment &Assignment,
                   std::vector<FoldViolation> &Found);

} // namespace regshare

#endif // REGSHARE_LIB_ANNOTATION_VERIFYUNIFORM_H
