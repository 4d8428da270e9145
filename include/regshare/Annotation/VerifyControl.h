//===- regshare/Annotation/VerifyControl.h - Control is right ---*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves that no value of native code is used before it is there: on every
/// path to an instruction, stall counts and dependence counters leave the time
/// that results take, and sources are read before they are overwritten.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_ANNOTATION_VERIFYCONTROL_H
#define REGSHARE_ANNOTATION_VERIFYCONTROL_H

#include "regshare/CodeGen/Native/ControlCode.h"

namespace llvm {
class PassRegistry;
void initializeVerifyControlPassPass(PassRegistry &);
} // namespace llvm

namespace regshare {

/// A result that is used too early, or a source that is overwritten, and where.
struct ControlViolation {
  unsigned Block = 0; ///< Of the code, and the unit in it.
  unsigned Unit = 0;
  std::string What;
};

/// All that is wrong with \p Code, if results of fixed latency take as long as
/// \p Latencies say.
std::vector<ControlViolation> verifyControl(const ControlCode &Code,
                                            const FixedLatencies &Latencies);

} // namespace regshare

#endif // REGSHARE_ANNOTATION_VERIFYCONTROL_H
