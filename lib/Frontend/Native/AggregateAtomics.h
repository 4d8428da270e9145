//===- AggregateAtomics.h - One atomic for a warp -*- C++ -*---------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_NATIVE_AGGREGATEATOMICS_H
#define REGSHARE_LIB_FRONTEND_NATIVE_AGGREGATEATOMICS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regshare {

/// Has one lane of those that are active together do an integer atomic whose
/// address all of them share, for all of them, in the kernels of \p M.
void aggregateAtomics(llvm::Module &M, llvm::TargetMachine &TM);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_NATIVE_AGGREGATEATOMICS_H
