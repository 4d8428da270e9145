//===- AggregateAtomics.cpp - One atomic for a warp -----------------------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What ptxas 13 makes of an integer atomic on an address that a warp shares,
/// as the sizes of the kernels in docs/native-code.md show: a vote, and a lane
/// that is alone. The lanes that are active are counted once for each block.
///
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regshare {

namespace {

/// An atomic to aggregate.
struct Candidate {
  AtomicRMWInst *Atomic;
  /// Every lane has the same operand; else it is reduced over the lanes.
  bool SameOperand;
};

/// What is known of the lanes that run a block together.
struct ActiveLanes {
  Value *Mask = nullptr;
  Value *Count = nullptr;
  Value *Leader = nullptr;   ///< Number of the last of them.
  Value *IsLeader = nullptr; ///< In the lane that is it.
};

class Aggregator {
public:
  Aggregator(Function &F, TargetMachine &TM) : F(F) {
    StringRef CPU = TM.getTargetCPU();
    CPU.consume_front("sm_");
    CPU.take_while(isDigit).getAsInteger(10, Processor);
  }

  void run(const UniformityInfo &Uniform);

private:
  bool canReduce(const AtomicRMWInst &A) const;
  const ActiveLanes &lanesOf(AtomicRMWInst &A);
  Value *operandForAll(IRBuilder<> &B, const Candidate &C,
                       const ActiveLanes &Lanes) const;
  void replaceResult(AtomicRMWInst &A, const ActiveLanes &Lanes,
                     BasicBlock *Before, Instruction *After) const;
  void aggregate(const Candidate &C);

  Function &F;
  unsigned Processor = 0; ///< 75 of sm_75.
  /// By the block that an atomic stood in before blocks were split.
  DenseMap<BasicBlock *, BasicBlock *> Original;
  DenseMap<BasicBlock *, ActiveLanes> Lanes;
};

} // namespace

static bool isAddition(const AtomicRMWInst &A) {
  return A.getOperation() == AtomicRMWInst::Add ||
         A.getOperation() == AtomicRMWInst::Sub;
}

/// The reduction of redux.sync, or not_intrinsic.
static Intrinsic::ID reductionFor(AtomicRMWInst::BinOp Operation) {
  switch (Operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return Intrinsic::nvvm_redux_sync_add;
  case AtomicRMWInst::And:
    return Intrinsic::nvvm_redux_sync_and;
  case AtomicRMWInst::Or:
    return Intrinsic::nvvm_redux_sync_or;
  case AtomicRMWInst::Xor:
    return Intrinsic::nvvm_redux_sync_xor;
  case AtomicRMWInst::Max:
    return Intrinsic::nvvm_redux_sync_max;
  case AtomicRMWInst::Min:
    return Intrinsic::nvvm_redux_sync_min;
  case AtomicRMWInst::UMax:
    return Intrinsic::nvvm_redux_sync_umax;
  case AtomicRMWInst::UMin:
    return Intrinsic::nvvm_redux_sync_umin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// A result is what an addition of each lane in turn would have found; only
/// that of lanes that add the same is worth its while.
static bool canAggregate(const AtomicRMWInst &A) {
  bool Wide = A.getType()->isIntegerTy(64);
  return (A.getType()->isIntegerTy(32) || (Wide && isAddition(A))) &&
         reductionFor(A.getOperation()) != Intrinsic::not_intrinsic &&
         (A.use_empty() || isAddition(A));
}

bool Aggregator::canReduce(const AtomicRMWInst &A) const {
  constexpr unsigned FirstWithReductions = 80;
  return Processor >= FirstWithReductions && A.use_empty() &&
         A.getType()->isIntegerTy(32);
}

const ActiveLanes &Aggregator::lanesOf(AtomicRMWInst &A) {
  BasicBlock *Home = A.getParent();
  auto Split = Original.find(Home);
  ActiveLanes &L = Lanes[Split == Original.end() ? Home : Split->second];
  if (L.Mask)
    return L;
  IRBuilder<> B(&A);
  constexpr unsigned LastLane = 31;
  L.Mask = B.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  L.Count = B.CreateUnaryIntrinsic(Intrinsic::ctpop, L.Mask);
  Value *Above = B.CreateBinaryIntrinsic(Intrinsic::ctlz, L.Mask, B.getTrue());
  L.Leader = B.CreateXor(Above, B.getInt32(LastLane));
  Value *Lane = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  L.IsLeader = B.CreateICmpEQ(Lane, L.Leader);
  return L;
}

/// What the leader's atomic has for an operand.
Value *Aggregator::operandForAll(IRBuilder<> &B, const Candidate &C,
                                 const ActiveLanes &Lanes) const {
  Value *Operand = C.Atomic->getValOperand();
  if (!C.SameOperand)
    return B.CreateIntrinsic(reductionFor(C.Atomic->getOperation()), {},
                             {Operand, Lanes.Mask});
  Value *Count = B.CreateZExt(Lanes.Count, Operand->getType());
  if (isAddition(*C.Atomic))
    return B.CreateMul(Operand, Count);
  // An even number of lanes flips nothing.
  if (C.Atomic->getOperation() == AtomicRMWInst::Xor)
    return B.CreateAnd(Operand, B.CreateNeg(B.CreateAnd(Count, 1)));
  return Operand;
}

/// The value of \p V in the leader.
static Value *fromLeader(IRBuilder<> &B, Value *V, const ActiveLanes &Lanes) {
  constexpr unsigned LastLane = 31, Half = 32;
  auto Shuffle = [&](Value *Word) {
    return B.CreateIntrinsic(
        Intrinsic::nvvm_shfl_sync_idx_i32, {},
        {Lanes.Mask, Word, Lanes.Leader, B.getInt32(LastLane)});
  };
  if (V->getType()->isIntegerTy(32))
    return Shuffle(V);
  Value *Low = Shuffle(B.CreateTrunc(V, B.getInt32Ty()));
  Value *High = Shuffle(B.CreateTrunc(B.CreateLShr(V, Half), B.getInt32Ty()));
  return B.CreateOr(B.CreateZExt(Low, V->getType()),
                    B.CreateShl(B.CreateZExt(High, V->getType()), Half));
}

/// Gives each lane what it would have found if the lanes below had come first.
/// \p A has been moved to a block of its own, between \p Before and that of
/// \p After.
void Aggregator::replaceResult(AtomicRMWInst &A, const ActiveLanes &Lanes,
                               BasicBlock *Before, Instruction *After) const {
  Type *Ty = A.getType();
  BasicBlock *Join = After->getParent();
  PHINode *Found = PHINode::Create(Ty, 2, "", Join->begin());
  IRBuilder<> B(After);
  Value *Old = fromLeader(B, Found, Lanes);
  Value *Below = B.CreateAnd(
      Lanes.Mask,
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_lanemask_lt, {}));
  Value *Rank =
      B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Below), Ty);
  Value *OfThose = B.CreateMul(A.getValOperand(), Rank);
  Value *Result = A.getOperation() == AtomicRMWInst::Add
                      ? B.CreateAdd(Old, OfThose)
                      : B.CreateSub(Old, OfThose);
  A.replaceAllUsesWith(Result);
  Found->addIncoming(&A, A.getParent());
  Found->addIncoming(PoisonValue::get(Ty), Before);
}

void Aggregator::aggregate(const Candidate &C) {
  AtomicRMWInst &A = *C.Atomic;
  // A copy: splitting adds to the map.
  ActiveLanes L = lanesOf(A);
  IRBuilder<> B(&A);
  Value *ForAll = operandForAll(B, C, L);
  BasicBlock *Before = A.getParent();
  Instruction *After = A.getNextNode();
  Instruction *Then = SplitBlockAndInsertIfThen(L.IsLeader, After,
                                                /*Unreachable=*/false);
  auto Split = Original.find(Before);
  Original[After->getParent()] =
      Split == Original.end() ? Before : Split->second;
  A.moveBefore(Then->getIterator());
  if (!A.use_empty())
    replaceResult(A, L, Before, After);
  A.setOperand(1, ForAll);
}

void Aggregator::run(const UniformityInfo &Uniform) {
  // Before anything changes, which the analysis would not see.
  SmallVector<Candidate, 4> Candidates;
  for (Instruction &I : instructions(F)) {
    auto *A = dyn_cast<AtomicRMWInst>(&I);
    if (!A || A->isVolatile() || !canAggregate(*A) ||
        Uniform.isDivergentUse(A->getOperandUse(0)))
      continue;
    bool Same = !Uniform.isDivergentUse(A->getOperandUse(1));
    if (Same || canReduce(*A))
      Candidates.push_back({A, Same});
  }
  for (const Candidate &C : Candidates)
    aggregate(C);
}

void aggregateAtomics(Function &F, TargetMachine &TM, NativeAnalyses &A) {
  Aggregator(F, TM).run(A.FAM.getResult<UniformityInfoAnalysis>(F));
  A.FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace regshare
