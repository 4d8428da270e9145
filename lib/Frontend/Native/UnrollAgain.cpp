//===- UnrollAgain.cpp - Short loops, unrolled as ptxas does --------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc's code is unrolled twice: nvcc's front end makes at most 4 copies of a
/// loop whose trips are not known and at most 16 of one whose are, and ptxas
/// unrolls what is still short. clang has done the former when this runs.
/// docs/native-code-probes.md has the loops that the limits are from.
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regshare {

/// The most operations of what is made straight code, of a loop with several of
/// its trips in one, and before it is unrolled of a loop whose trips are known,
/// and of one whose are not.
static constexpr unsigned MostOfStraight = 450, MostOfPart = 200,
                          MostOfKnown = 40, MostOfUnknown = 21;

/// Copies of a loop whose trips are not known: those of clang's.
static constexpr unsigned CopiesOfUnknown = 4;

/// Loads of shared memory that become one, as neighbours mostly do.
static constexpr unsigned SharedLoadsTogether = 4;

/// Whether \p I adds a number: a counter's step, or what an address has room
/// for.
static bool isOffset(const Instruction &I) {
  return (I.getOpcode() == Instruction::Add ||
          I.getOpcode() == Instruction::Or) &&
         isa<ConstantInt>(I.getOperand(1));
}

/// The instructions of \p Body that compute or access memory: addresses,
/// conversions of their width and counters are mostly free.
static unsigned operationsOf(const BasicBlock &Body) {
  unsigned Operations = 0, SharedLoads = 0;
  for (const Instruction &I : Body) {
    if (isa<PHINode, GetElementPtrInst, CastInst>(I) || I.isTerminator() ||
        I.isDebugOrPseudoInst() || isOffset(I))
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && Load->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      ++SharedLoads;
    else
      ++Operations;
  }
  return Operations + divideCeil(SharedLoads, SharedLoadsTogether);
}

/// Whether a lane could meet others in \p Body, so that how often it comes
/// there must not depend on a second condition.
static bool hasConvergent(const BasicBlock &Body) {
  return any_of(Body, [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->isConvergent();
  });
}

static MDNode *hint(LLVMContext &Context, StringRef Name,
                    std::optional<unsigned> Value = std::nullopt) {
  SmallVector<Metadata *, 2> Parts = {MDString::get(Context, Name)};
  if (Value)
    Parts.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), *Value)));
  return MDNode::get(Context, Parts);
}

/// How far a trip takes the counter that decides on the end of \p L, which
/// tells how many copies clang has made of it; 0 if there is none.
static uint64_t stepOf(const Loop &L, ScalarEvolution &SE) {
  PHINode *Phi = L.getInductionVariable(SE);
  auto *Recurrence = Phi ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi)) : nullptr;
  auto *By = Recurrence
                 ? dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE))
                 : nullptr;
  return By ? By->getAPInt().abs().getLimitedValue() : 0;
}

/// The hint that \p L is to be unrolled by; nothing where it stays as it is.
static MDNode *unrolling(const Loop &L, ScalarEvolution &SE) {
  // The user, or a count of the user's, has had the last word.
  if (L.getNumBlocks() != 1 ||
      findStringMetadataForLoop(&L, "llvm.loop.unroll.disable"))
    return nullptr;
  BasicBlock &Body = *L.getHeader();
  LLVMContext &Context = Body.getContext();
  unsigned Size = std::max(1u, operationsOf(Body));
  if (unsigned Trips = SE.getSmallConstantTripCount(&L)) {
    if (uint64_t(Trips) * Size <= MostOfStraight)
      return hint(Context, "llvm.loop.unroll.full");
    unsigned Copies = Size <= MostOfKnown ? MostOfPart / Size : 1;
    while (Copies > 1 && Trips % Copies)
      --Copies;
    return Copies > 1 ? hint(Context, "llvm.loop.unroll.count", Copies)
                      : nullptr;
  }
  if (Size > MostOfUnknown || stepOf(L, SE) < CopiesOfUnknown ||
      hasConvergent(Body))
    return nullptr;
  return hint(Context, "llvm.loop.unroll.count", CopiesOfUnknown);
}

void unrollAgain(Function &F, NativeAnalyses &A) {
  ScalarEvolution &SE = A.FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Any = false;
  for (Loop *L : A.FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (MDNode *Hint = unrolling(*L, SE)) {
      L->setLoopID(makePostTransformationMetadata(
          F.getContext(), L->getLoopID(), {"llvm.loop.unroll."}, {Hint}));
      Any = true;
    }
  if (!Any)
    return;
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(LoopUnrollPass(
      LoopUnrollOptions(/*OptLevel=*/3, /*OnlyWhenForced=*/true)));
  FPM.addPass(A.PB.buildFunctionSimplificationPipeline(
      OptimizationLevel::O3, ThinOrFullLTOPhase::None));
  FPM.run(F, A.FAM);
}

} // namespace regshare
