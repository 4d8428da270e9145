//===- LockAccesses.cpp - Instructions that take and give back locks ------===//
//
// Part of RegShare, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpinLoops.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace regshare;

/// The inline PTX of \p Call; empty if it is none.
static StringRef inlinePTX(const CallBase &Call) {
  auto *PTX = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return PTX ? PTX->getAsmString() : StringRef();
}

static StringRef calledName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

/// The address that the PTX of \p Call is given: its first pointer or 64 bits.
static Value *addressOf(const CallBase &Call) {
  for (Value *V : Call.args())
    if (V->getType()->isPointerTy() || V->getType()->isIntegerTy(64))
      return V;
  return nullptr;
}

/// A lock that hands out numbers is read by setting no bits.
static bool mayAcquire(const AtomicRMWInst &RMW) {
  return is_contained(
      {AtomicRMWInst::Xchg, AtomicRMWInst::Or, AtomicRMWInst::And},
      RMW.getOperation());
}

Value *regshare::acquiredAddress(const Instruction &I) {
  if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    return const_cast<Value *>(CAS->getPointerOperand());
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return mayAcquire(*RMW) ? const_cast<Value *>(RMW->getPointerOperand())
                            : nullptr;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return nullptr;
  StringRef Name = calledName(*Call), PTX = inlinePTX(*Call);
  bool IsAtomic = Name.starts_with("llvm.nvvm.atomic.cas.") ||
                  Name.starts_with("llvm.nvvm.atomic.exch.") ||
                  (PTX.contains("atom.") &&
                   (PTX.contains(".cas") || PTX.contains(".exch")));
  return IsAtomic ? addressOf(*Call) : nullptr;
}

bool regshare::releases(const Instruction &I, const Value *Address) {
  // What is read decides whether a lock has been got, not given back.
  if (!I.use_empty() && acquiredAddress(I))
    return false;
  const Value *Written = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Written = Store->getPointerOperand();
  else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    Written = CAS->getPointerOperand();
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    Written = RMW->getPointerOperand();
  else if (auto *Call = dyn_cast<CallBase>(&I)) {
    StringRef PTX = inlinePTX(*Call);
    if (calledName(*Call).starts_with("llvm.nvvm.atomic.") ||
        PTX.contains("atom.") || PTX.contains("st.") || PTX.contains("red."))
      Written = addressOf(*Call);
  }
  return Written && isSameAddress(Written, Address);
}

/// As the public function, as deep as addresses are.
static bool isSameValue(const Value *A, const Value *B, unsigned Depth) {
  while (auto *Cast = dyn_cast<CastInst>(A))
    A = Cast->getOperand(0);
  while (auto *Cast = dyn_cast<CastInst>(B))
    B = Cast->getOperand(0);
  if (A == B)
    return true;
  auto *First = dyn_cast<Instruction>(A), *Second = dyn_cast<Instruction>(B);
  if (!First || !Second || Depth == 0 || !First->isSameOperationAs(Second) ||
      !isa<GetElementPtrInst, LoadInst, BinaryOperator>(First))
    return false;
  for (unsigned I = 0, E = First->getNumOperands(); I != E; ++I)
    if (!isSameValue(First->getOperand(I), Second->getOperand(I), Depth - 1))
      return false;
  return true;
}

bool regshare::isSameAddress(const Value *A, const Value *B) {
  return isSameValue(A->stripPointerCasts(), B->stripPointerCasts(), 6);
}

bool regshare::marksMeeting(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::sideeffect &&
         Call->isConvergent();
}

static bool synchronises(const Instruction &I,
                         SmallPtrSetImpl<const Function *> &Seen) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (isa<IntrinsicInst>(Call))
    return Call->isConvergent() && !marksMeeting(I);
  if (StringRef PTX = inlinePTX(*Call); !PTX.empty())
    return PTX.contains(".sync") || PTX.contains("barrier") ||
           PTX.contains("bar.red") || PTX.contains("bar.arrive");
  const Function *Callee = Call->getCalledFunction();
  return Callee && Seen.insert(Callee).second &&
         any_of(instructions(*Callee), [&](const Instruction &Inner) {
           return synchronises(Inner, Seen);
         });
}

bool regshare::isSynchronisation(const Instruction &I) {
  SmallPtrSet<const Function *, 8> Seen;
  return synchronises(I, Seen);
}
