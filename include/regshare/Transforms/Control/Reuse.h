//===- regshare/Transforms/Control/Reuse.h - Reuse bits ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Says which operands of native code the register-file cache keeps, for the
/// next instruction that reads them in the same operand slot.
/// docs/native-code.md explains it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_CONTROL_REUSE_H
#define REGSHARE_TRANSFORMS_CONTROL_REUSE_H

#include "regshare/CodeGen/Native/ControlCode.h"

namespace llvm {
class PassRegistry;
void initializeReusePassPass(PassRegistry &);
} // namespace llvm

namespace regshare {

/// Gives each unit of \p Code its reuse bits.
void assignReuse(ControlCode &Code);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_CONTROL_REUSE_H
