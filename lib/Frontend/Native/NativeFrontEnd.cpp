//===- NativeFrontEnd.cpp - IR as nvcc would have it ----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regshare/Frontend/NativeFrontEnd.h"

#include "NativePasses.h"

#include "regshare/Frontend/InlineDeviceFunctions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"

using namespace llvm;

namespace regshare {

NativeAnalyses::NativeAnalyses(TargetMachine &TM) : PB(&TM) {
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

/// Bytes of the widest access, which an array's first element is aligned to.
static constexpr uint64_t WidestAccess = 16;

/// The alignment for an object of \p Size bytes: no more than it can use.
static Align alignmentFor(uint64_t Size) {
  return Align(std::min(WidestAccess, bit_floor(Size)));
}

/// Whether \p V is an array whose alignment this module may choose.
static bool isAlignable(const GlobalVariable &V) {
  if (!V.getValueType()->isAggregateType())
    return false;
  return V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
         (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST &&
          V.canIncreaseAlignment());
}

static void alignArrays(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  for (GlobalVariable &V : M.globals()) {
    if (!isAlignable(V))
      continue;
    // An array whose size the launch says begins where the others end.
    uint64_t Size = DL.getTypeAllocSize(V.getValueType());
    Align Wanted = Size ? alignmentFor(Size) : Align(WidestAccess);
    V.setAlignment(std::max(V.getAlign().valueOrOne(), Wanted));
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Local = dyn_cast<AllocaInst>(&I);
      if (!Local || F.hasOptNone() ||
          !Local->getAllocatedType()->isAggregateType())
        continue;
      std::optional<TypeSize> Size = Local->getAllocationSize(DL);
      if (Size && !Size->isZero())
        Local->setAlignment(
            std::max(Local->getAlign(), alignmentFor(Size->getFixedValue())));
    }
}

/// A constant of a known address is an operand of the instruction that uses
/// it, if its load is not made one with its neighbours'.
static void keepOperandsApart(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (L && L->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST &&
        isa<Constant>(L->getPointerOperand()) &&
        !L->getType()->isAggregateType() && !L->getType()->isVectorTy())
      L->setAlignment(std::min(
          L->getAlign(), F.getDataLayout().getABITypeAlign(L->getType())));
  }
}

/// Accesses say what is known of their alignment, which is all that the
/// vectoriser of code generation looks at.
static void alignAccesses(Function &F, NativeAnalyses &A) {
  FunctionPassManager FPM;
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(InferAlignmentPass());
  FPM.run(F, A.FAM);
  keepOperandsApart(F);
}

void prepareNativeCode(Module &M, TargetMachine &TM) {
  alignArrays(M);
  NativeAnalyses A(TM);
  for (Function *K : kernelsOf(M)) {
    if (K->hasOptNone())
      continue;
    expandInlineHalf(*K, A);
    bool Hidden = hideConvertedDivisors(*K);
    foldApproximations(*K, A);
    unrollForArrays(*K, A);
    unrollAgain(*K, A);
    if (Hidden)
      showConvertedDivisors(*K);
    alignAccesses(*K, A);
    aggregateAtomics(*K, TM, A);
  }
}

} // namespace regshare
