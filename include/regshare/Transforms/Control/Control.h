//===- Control.h - Stall counts and dependence counters ---------*- C++ -*-===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Says for each instruction of native code how long its warp waits after it,
/// which dependence counters it raises and for which it waits, so that no value
/// is used before it is there. docs/native-code.md explains it.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_TRANSFORMS_CONTROL_CONTROL_H
#define REGSHARE_TRANSFORMS_CONTROL_CONTROL_H

#include "regshare/CodeGen/Native/ControlCode.h"

#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunction;
class MachinePostDominatorTree;
class PassRegistry;
void initializeControlPassPass(PassRegistry &);
} // namespace llvm

namespace regshare {

struct CompilerOptions;

/// Whether \p MF is given control: native code of a kernel, for an architecture
/// whose latencies are known, if \p Options say so.
bool hasControl(const llvm::MachineFunction &MF,
                const CompilerOptions &Options);

/// \p MF, native code, as dependences see it, with what its statements say.
/// Fails on registers that are not assigned, and on a statement that is wrong.
llvm::Expected<ControlCode>
readControlCode(const llvm::MachineFunction &MF,
                const llvm::MachinePostDominatorTree &PDT);

/// Gives each unit of \p Code its control.
void assignControl(ControlCode &Code, const FixedLatencies &Latencies);

} // namespace regshare

#endif // REGSHARE_TRANSFORMS_CONTROL_CONTROL_H
