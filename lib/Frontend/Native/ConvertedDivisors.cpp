//===- ConvertedDivisors.cpp - Divisors that were floating-point ----------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc converts no constant from floating point to an integer: its PTX says
/// cvt.rzi of a number and divides by the result, and ptxas, which knows that
/// result, makes a whole division of it, power of two or not
/// (docs/native-code.md).
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace regshare {

/// The move of a register that values of \p Ty have, which no optimisation
/// looks through.
static Intrinsic::ID moveOf(const Type &Ty) {
  if (Ty.isIntegerTy(32))
    return Intrinsic::nvvm_move_i32;
  if (Ty.isIntegerTy(64))
    return Intrinsic::nvvm_move_i64;
  return Intrinsic::not_intrinsic;
}

static bool isConverted(const Value &V) {
  const Value *From = &V;
  while (isa<SExtInst, ZExtInst, TruncInst>(From))
    From = cast<CastInst>(From)->getOperand(0);
  return isa<FPToSIInst, FPToUIInst>(From);
}

bool hideConvertedDivisors(Function &F) {
  SmallVector<BinaryOperator *> Divisions;
  for (Instruction &I : instructions(F))
    if (I.isIntDivRem() && moveOf(*I.getType()) &&
        isConverted(*I.getOperand(1)))
      Divisions.push_back(cast<BinaryOperator>(&I));
  for (BinaryOperator *I : Divisions) {
    IRBuilder<> B(I);
    I->setOperand(
        1, B.CreateIntrinsic(moveOf(*I->getType()), {}, {I->getOperand(1)}));
  }
  return !Divisions.empty();
}

void showConvertedDivisors(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Move = dyn_cast<IntrinsicInst>(&I);
    if (!Move || !Move->getType()->isIntegerTy() ||
        Move->getIntrinsicID() != moveOf(*Move->getType()) ||
        isa<Constant>(Move->getArgOperand(0)))
      continue;
    Move->replaceAllUsesWith(Move->getArgOperand(0));
    Move->eraseFromParent();
  }
}

} // namespace regshare
