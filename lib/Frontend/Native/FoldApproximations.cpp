//===- FoldApproximations.cpp - Approximate functions of constants --------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM computes the exact functions of constants, and leaves PTX's approximate
/// ones alone, whose error belongs to the hardware. Where the exact result is a
/// number of the type, an approximation gives it, and nvcc takes it for
/// granted: a loop up to __log2f(16) is one of four rounds.
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>
#include <optional>

using namespace llvm;

namespace regshare {

/// Rounds of folding and simplifying. A constant that a loop's rounds make gets
/// known when the loop is gone; so much for loops in loops.
static constexpr unsigned MostRounds = 4;

/// \p X as a float if it is a normal one, or zero.
static std::optional<float> asFloat(double X) {
  auto Rounded = float(X);
  bool Fits = double(Rounded) == X && (X == 0 || std::isnormal(Rounded));
  return Fits ? std::optional<float>(Rounded) : std::nullopt;
}

/// The exponent of a power of two.
static std::optional<int> exponentOf(double X) {
  int Exponent = 0;
  if (std::frexp(X, &Exponent) != 0.5)
    return std::nullopt;
  return Exponent - 1;
}

static std::optional<float> exactRoot(double X) {
  std::optional<float> Root = X < 0 ? std::nullopt : asFloat(std::sqrt(X));
  if (!Root || double(*Root) * double(*Root) != X)
    return std::nullopt;
  return Root;
}

static std::optional<float> exactQuotient(double X, double Y) {
  return exponentOf(std::fabs(Y)) ? asFloat(X / Y) : std::nullopt;
}

/// What \p ID makes of \p X (and \p Y) if that is a normal float or zero.
static std::optional<float> exactResult(Intrinsic::ID ID, double X, double Y) {
  switch (ID) {
  case Intrinsic::nvvm_lg2_approx_f:
  case Intrinsic::nvvm_lg2_approx_ftz_f:
    return exponentOf(X);
  case Intrinsic::nvvm_ex2_approx:
  case Intrinsic::nvvm_ex2_approx_ftz:
    return X == std::trunc(X) && std::fabs(X) < 200 ? asFloat(std::exp2(X))
                                                    : std::nullopt;
  case Intrinsic::nvvm_rcp_approx_ftz_f:
    return exactQuotient(1, X);
  case Intrinsic::nvvm_div_approx_f:
  case Intrinsic::nvvm_div_approx_ftz_f:
    return exactQuotient(X, Y);
  case Intrinsic::nvvm_sqrt_approx_f:
  case Intrinsic::nvvm_sqrt_approx_ftz_f:
    return exactRoot(X);
  case Intrinsic::nvvm_rsqrt_approx_f:
  case Intrinsic::nvvm_rsqrt_approx_ftz_f:
    if (std::optional<float> Root = exactRoot(X))
      return exactQuotient(1, *Root);
    return std::nullopt;
  case Intrinsic::nvvm_sin_approx_f:
  case Intrinsic::nvvm_sin_approx_ftz_f:
    return X == 0 ? asFloat(X) : std::nullopt;
  case Intrinsic::nvvm_cos_approx_f:
  case Intrinsic::nvvm_cos_approx_ftz_f:
    return X == 0 ? asFloat(1) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A normal float's or zero's value: others may be flushed.
static std::optional<double> normalConstant(const Value &V) {
  auto *C = dyn_cast<ConstantFP>(&V);
  if (!C || !C->getType()->isFloatTy() ||
      (!C->getValueAPF().isNormal() && !C->isZero()))
    return std::nullopt;
  return C->getValueAPF().convertToFloat();
}

static bool foldOnce(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !Call->arg_size() || !Call->getType()->isFloatTy())
      continue;
    std::optional<double> X = normalConstant(*Call->getArgOperand(0));
    std::optional<double> Y =
        normalConstant(*Call->getArgOperand(Call->arg_size() > 1 ? 1 : 0));
    if (!X || !Y)
      continue;
    std::optional<float> Exact = exactResult(Call->getIntrinsicID(), *X, *Y);
    if (!Exact)
      continue;
    Call->replaceAllUsesWith(ConstantFP::get(Call->getType(), *Exact));
    Call->eraseFromParent();
    Any = true;
  }
  return Any;
}

void foldApproximations(Function &F, NativeAnalyses &A) {
  for (unsigned Round = 0; Round != MostRounds && foldOnce(F); ++Round) {
    A.FAM.invalidate(F, PreservedAnalyses::none());
    A.PB.buildFunctionSimplificationPipeline(OptimizationLevel::O3,
                                             ThinOrFullLTOPhase::None)
        .run(F, A.FAM);
  }
}

} // namespace regshare
