//===- NativePasses.h - Steps of the native front end -*- C++ -*-----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of prepareNativeCode, each for a kernel that is to be optimised.
///
//===----------------------------------------------------------------------===//

#ifndef REGSHARE_LIB_FRONTEND_NATIVE_NATIVEPASSES_H
#define REGSHARE_LIB_FRONTEND_NATIVE_NATIVEPASSES_H

#include "llvm/Passes/PassBuilder.h"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace regshare {

/// LLVM's analyses, and its pass builder, for a target.
struct NativeAnalyses {
  explicit NativeAnalyses(llvm::TargetMachine &TM);

  llvm::PassBuilder PB;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

/// Computes approximate functions of constants whose exact result is a number,
/// and simplifies what comes of it.
void foldApproximations(llvm::Function &F, NativeAnalyses &A);

/// Turns inline PTX that adds and multiplies in half precision into LLVM's
/// operations, which can be contracted, and simplifies what comes of it.
void expandInlineHalf(llvm::Function &F, NativeAnalyses &A);

/// Has no optimisation know of divisors that were floating-point numbers, which
/// nvcc does not know either. Whether there are any.
bool hideConvertedDivisors(llvm::Function &F);
/// Shows those again that have not become constants.
void showConvertedDivisors(llvm::Function &F);

/// Unrolls loops fully where that alone keeps an array of a thread out of
/// registers, and simplifies what comes of it.
void unrollForArrays(llvm::Function &F, NativeAnalyses &A);

/// Unrolls short loops that clang has left or has unrolled in part, as ptxas
/// does, and simplifies what comes of it.
void unrollAgain(llvm::Function &F, NativeAnalyses &A);

/// Has one lane of those that are active together do an integer atomic whose
/// address all of them share, for all of them.
void aggregateAtomics(llvm::Function &F, llvm::TargetMachine &TM,
                      NativeAnalyses &A);

} // namespace regshare

#endif // REGSHARE_LIB_FRONTEND_NATIVE_NATIVEPASSES_H
