//===- UnrollForArrays.cpp - Arrays of a thread in registers --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array can be in registers if every index into it is a number. LLVM's
/// unroller weighs a loop's size against what it saves, of which it knows
/// nothing here; nvcc unrolls such loops whatever their size, within reason.
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regshare {

/// Words that a thread has registers for, with some to spare.
static constexpr uint64_t MostBytes = 4 * 128;
static constexpr unsigned MostTrips = 128;

namespace {

/// Finds the loops that have to be unrolled before an address is a number.
struct VaryingLoops {
  const Value *Array;
  SmallPtrSetImpl<const Loop *> &Loops;
  bool Known = true;

  bool follow(const SCEV *S) {
    if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S))
      Loops.insert(Recurrence->getLoop());
    if (auto *Unknown = dyn_cast<SCEVUnknown>(S))
      Known &= Unknown->getValue() == Array;
    return Known;
  }
  bool isDone() const { return !Known; }
};

class ArrayUnroller {
public:
  ArrayUnroller(Function &F, FunctionAnalysisManager &FAM)
      : F(F), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {}

  /// Marks loops to unroll fully; whether there are any.
  bool mark();

private:
  bool collect(AllocaInst &Array, SmallPtrSetImpl<const Loop *> &Loops);
  bool visitAddress(Value &Address, Value &Array,
                    SmallPtrSetImpl<const Loop *> &Loops);

  Function &F;
  ScalarEvolution &SE;
};

} // namespace

/// False if what uses \p Address keeps the array in memory anyway.
bool ArrayUnroller::visitAddress(Value &Address, Value &Array,
                                 SmallPtrSetImpl<const Loop *> &Loops) {
  for (User *U : Address.users()) {
    if (isa<LoadInst>(U))
      continue;
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      if (Store->getValueOperand() == &Address)
        return false;
      continue;
    }
    if (auto *Call = dyn_cast<IntrinsicInst>(U)) {
      if (Call->isLifetimeStartOrEnd() || isa<MemIntrinsic>(Call))
        continue;
      return false;
    }
    if (!isa<GetElementPtrInst, AddrSpaceCastInst>(U))
      return false;
    if (isa<GetElementPtrInst>(U)) {
      VaryingLoops Visitor{&Array, Loops};
      visitAll(SE.getSCEV(U), Visitor);
      if (!Visitor.Known)
        return false;
    }
    if (!visitAddress(*U, Array, Loops))
      return false;
  }
  return true;
}

bool ArrayUnroller::collect(AllocaInst &Array,
                            SmallPtrSetImpl<const Loop *> &Loops) {
  std::optional<TypeSize> Size = Array.getAllocationSize(F.getDataLayout());
  if (!Size || Size->getFixedValue() > MostBytes ||
      !visitAddress(Array, Array, Loops))
    return false;
  return all_of(Loops, [&](const Loop *L) {
    unsigned Trips = SE.getSmallConstantTripCount(L);
    return Trips && Trips <= MostTrips;
  });
}

/// LLVM says of a loop that it has unrolled in part, and clang of one that the
/// user does not want unrolled, the same; an array in memory costs more.
static void markForUnrolling(Loop &L) {
  LLVMContext &Context = L.getHeader()->getContext();
  MDNode *Full =
      MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.full"));
  L.setLoopID(makePostTransformationMetadata(Context, L.getLoopID(),
                                             {"llvm.loop.unroll."}, {Full}));
}

bool ArrayUnroller::mark() {
  bool Any = false;
  for (Instruction &I : instructions(F)) {
    auto *Array = dyn_cast<AllocaInst>(&I);
    SmallPtrSet<const Loop *, 4> Loops;
    if (!Array || !collect(*Array, Loops))
      continue;
    for (const Loop *L : Loops)
      markForUnrolling(const_cast<Loop &>(*L));
    Any |= !Loops.empty();
  }
  return Any;
}

void unrollForArrays(Function &F, NativeAnalyses &A) {
  if (!ArrayUnroller(F, A.FAM).mark())
    return;
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(
      LoopFullUnrollPass(/*OptLevel=*/3, /*OnlyWhenForced=*/true)));
  FPM.addPass(A.PB.buildFunctionSimplificationPipeline(
      OptimizationLevel::O3, ThinOrFullLTOPhase::None));
  FPM.run(F, A.FAM);
}

} // namespace regshare
